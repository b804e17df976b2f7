//! Lengths of time and amounts of money as people write them in files.

use serde::{Deserialize, Deserializer};
use unacked_sim::distribution::Distribution;
use unacked_sim::time::{Span, parse_span};
use unacked_workflow::order::Money;

/// A length of time: `"250ms"`, `"3h20m"`, `"never"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Length(pub Span);

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Length, D::Error> {
        let text = String::deserialize(d)?;
        parse_span(&text).map(Length).map_err(serde::de::Error::custom)
    }
}

/// An amount of money: `"49.99 EUR"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount(pub Money);

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Amount, D::Error> {
        let text = String::deserialize(d)?;
        parse_amount(&text).map(Amount).map_err(serde::de::Error::custom)
    }
}

/// Reads `49.99 EUR`: two decimals, then an ISO 4217 code.
///
/// # Errors
/// A sentence that shows the right form.
pub fn parse_amount(text: &str) -> Result<Money, String> {
    let bad = || format!("`{text}` is not an amount: write it with two decimals and a currency, such as \"49.99 EUR\"");
    let (number, code) = text.trim().split_once(' ').ok_or_else(bad)?;
    let (whole, cents) = number.split_once('.').ok_or_else(bad)?;
    let currency: [u8; 3] = code.trim().as_bytes().try_into().map_err(|_| bad())?;
    if cents.len() != 2 || whole.is_empty() || !currency.iter().all(u8::is_ascii_uppercase) {
        return Err(bad());
    }
    // Digits alone: a number's own parser would take a sign too.
    if !whole.bytes().chain(cents.bytes()).all(|b| b.is_ascii_digit()) {
        return Err(bad());
    }
    let minor: Option<i64> = format!("{whole}{cents}").parse().ok().filter(|&minor| minor > 0);
    Ok(Money { minor: minor.ok_or_else(bad)?, currency })
}

/// How long something takes: `{ p50 = "2ms", p99 = "20ms" }` (lognormal through both),
/// `{ uniform = ["1ms", "50ms"] }` or `{ always = "0s" }`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Lognormal through a median and a 99th percentile.
    LogNormal(Span, Span),
    /// Uniform between two lengths.
    Uniform(Span, Span),
    /// Always the same.
    Always(Span),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTakes {
    p50: Option<Length>,
    p99: Option<Length>,
    uniform: Option<Vec<Length>>,
    always: Option<Length>,
}

impl<'de> Deserialize<'de> for Takes {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Takes, D::Error> {
        let raw = RawTakes::deserialize(d)?;
        match (raw.p50, raw.p99, raw.uniform.as_deref(), raw.always) {
            (Some(p50), Some(p99), None, None) if p50 <= p99 => Ok(Takes::LogNormal(p50.0, p99.0)),
            (None, None, Some([lo, hi]), None) if lo <= hi => Ok(Takes::Uniform(lo.0, hi.0)),
            (None, None, None, Some(always)) => Ok(Takes::Always(always.0)),
            _ => Err(serde::de::Error::custom(
                "write { p50 = …, p99 = … } with p50 <= p99, { uniform = [lo, hi] } with lo <= hi, or { always = … }",
            )),
        }
    }
}

impl Takes {
    /// The distribution of a share of it (0.5: one of two legs), cut at `max`.
    pub fn distribution(self, share: f64, max: Span) -> Distribution {
        let part = |s: Span| ((s.0 as f64) * share) as u64;
        match self {
            Takes::LogNormal(p50, p99) => Distribution::log_normal(part(p50), part(p99), max.0),
            Takes::Uniform(lo, hi) => Distribution::Uniform { lo: part(lo).min(max.0), hi: part(hi).min(max.0) },
            Takes::Always(span) => Distribution::Const(part(span).min(max.0)),
        }
    }
}

/// A share of a whole, written `97.5%`; kept as a number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share(pub f64);

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Share, D::Error> {
        let text = String::deserialize(d)?;
        let number = text.strip_suffix('%').and_then(|percent| percent.trim().parse::<f64>().ok());
        match number.filter(|percent| (0.0..=100.0).contains(percent)) {
            Some(percent) => Ok(Share(percent / 100.0)),
            None => Err(serde::de::Error::custom(format!("`{text}` is no share; write for example `97.5%`"))),
        }
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} %", self.0 * 100.0)
    }
}
