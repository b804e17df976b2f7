//! Virtual time: whole microseconds since the world began. All arithmetic ends at `NEVER` instead of wrapping.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Sub};

/// A point in virtual time, in microseconds since the world began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub u64);

/// A length of virtual time, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(pub u64);

impl Time {
    /// The beginning of the world.
    pub const ZERO: Time = Time(0);
    /// Later than any event.
    pub const NEVER: Time = Time(u64::MAX);

    /// The span since an earlier point, or zero.
    pub fn since(self, earlier: Time) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);
    /// Longer than any run.
    pub const NEVER: Span = Span(u64::MAX);

    /// So many milliseconds.
    pub const fn millis(n: u64) -> Span {
        Span(n.saturating_mul(1_000))
    }

    /// So many seconds.
    pub const fn secs(n: u64) -> Span {
        Span(n.saturating_mul(1_000_000))
    }

    /// So many minutes.
    pub const fn mins(n: u64) -> Span {
        Span::secs(n.saturating_mul(60))
    }

    /// So many hours.
    pub const fn hours(n: u64) -> Span {
        Span::mins(n.saturating_mul(60))
    }

    /// So many days.
    pub const fn days(n: u64) -> Span {
        Span::hours(n.saturating_mul(24))
    }
}

impl Add<Span> for Time {
    type Output = Time;
    #[inline]
    fn add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}

impl Mul<u64> for Span {
    type Output = Span;
    fn mul(self, times: u64) -> Span {
        Span(self.0.saturating_mul(times))
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        *self = *self + other;
    }
}

/// Days, hours, minutes: the units above a second, largest first.
const UNITS: [(u64, &str); 3] = [(86_400_000_000, "d"), (3_600_000_000, "h"), (60_000_000, "m")];

impl fmt::Display for Span {
    /// Exact and short: `250us`, `1.5ms`, `2.310s`, `3h20m`, `never`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = self.0;
        match us {
            u64::MAX => f.pad("never"),
            0 => f.pad("0s"),
            1..1_000 => f.pad(&format!("{us}us")),
            1_000..1_000_000 => f.pad(&format!("{}ms", decimal(us, 1_000, 3))),
            _ => f.pad(&long(us)),
        }
    }
}

impl fmt::Display for Time {
    /// Seconds with milliseconds below an hour, days and hours above: `2.310s`, `3d04h00m00s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            u64::MAX => f.pad("never"),
            0..3_600_000_000 => f.pad(&format!("{}.{:03}s", self.0 / 1_000_000, self.0 / 1_000 % 1_000)),
            us => {
                let s = us / 1_000_000;
                let (d, h, m) = (s / 86_400, s / 3_600 % 24, s / 60 % 60);
                f.pad(&format!("{d}d{h:02}h{m:02}m{:02}s", s % 60))
            }
        }
    }
}

/// `us / unit` with up to `places` decimals and no trailing zeros.
fn decimal(us: u64, unit: u64, places: usize) -> String {
    let text = format!("{}.{:0places$}", us / unit, us % unit);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn long(us: u64) -> String {
    let mut rest = us;
    let mut out = String::new();
    for (size, unit) in UNITS {
        if rest >= size {
            out.push_str(&format!("{}{unit}", rest / size));
            rest %= size;
        }
    }
    if rest > 0 {
        out.push_str(&format!("{}s", decimal(rest, 1_000_000, 6)));
    }
    out
}

/// Reads a span as people write it: `250us`, `20ms`, `1.5s`, `3h20m`, `never`.
///
/// # Errors
/// A sentence that names what is wrong and shows a right form.
pub fn parse_span(text: &str) -> Result<Span, String> {
    let text = text.trim();
    if text == "never" {
        return Ok(Span::NEVER);
    }
    let mut rest = text;
    let mut total = 0u64;
    while !rest.is_empty() {
        let (part, tail) = one_part(rest).ok_or_else(|| bad_span(text))?;
        total = total.checked_add(part).ok_or_else(|| bad_span(text))?;
        rest = tail.trim_start();
    }
    if text.is_empty() { Err(bad_span(text)) } else { Ok(Span(total)) }
}

fn bad_span(text: &str) -> String {
    format!(
        "`{text}` is not a length of time: write a number and a unit (us, ms, s, m, h, d), such as \"250ms\", \"30s\", \"3h20m\" or \"never\""
    )
}

fn one_part(text: &str) -> Option<(u64, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let tail = text.get(digits..)?;
    let letters = tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len());
    let size = unit_size(tail.get(..letters)?.trim())?;
    Some((scaled(text.get(..digits)?, size)?, tail.get(letters..)?))
}

fn unit_size(unit: &str) -> Option<u64> {
    Some(match unit {
        "us" => 1,
        "ms" => 1_000,
        "s" => 1_000_000,
        "m" | "min" => 60_000_000,
        "h" => 3_600_000_000,
        "d" => 86_400_000_000,
        _ => return None,
    })
}

/// A decimal number times `size`, exactly; `None` if it does not come out whole.
fn scaled(number: &str, size: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.len() > 9 {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let tenths = 10u64.checked_pow(fraction.len() as u32)?;
    let parts: u64 = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
    let below = u128::from(parts) * u128::from(size);
    if below % u128::from(tenths) != 0 {
        return None;
    }
    whole.checked_mul(size)?.checked_add((below / u128::from(tenths)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_print_as_they_are_read() {
        for text in ["250us", "1.5ms", "2.31s", "3h20m", "1d", "90m", "12m0.5s", "never", "0s"] {
            let span = parse_span(text).expect(text);
            assert_eq!(parse_span(&span.to_string()), Ok(span), "{text}");
        }
        assert_eq!(parse_span("90m").map(|s| s.to_string()), Ok("1h30m".into()));
    }

    #[test]
    fn sums_and_products_end_at_never() {
        assert_eq!(Span::NEVER + Span(1), Span::NEVER);
        assert_eq!(Span(u64::MAX / 2 + 1) * 2, Span::NEVER);
        assert_eq!(Time(u64::MAX - 1) + Span(2), Time::NEVER);
        assert_eq!(Span(1) - Span(2), Span::ZERO);
        assert_eq!(Span::days(u64::MAX), Span::NEVER);
        assert_eq!(Span::millis(u64::MAX), Span::NEVER);
    }

    #[test]
    fn what_is_no_span_says_how_to_write_one() {
        for text in ["", "5", "s", "1.0000001us", "3 parsecs", "99999999999999999999s", ".s", "-1s"] {
            let error = parse_span(text).expect_err(text);
            assert!(error.contains("is not a length of time"), "{error}");
        }
    }
}
