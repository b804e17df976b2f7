//! A plan: what was not benign, as data. It prints, saves, shrinks and replays without the seed.
//!
//! [`Plan`] is the form for people and files (sites and options in words); [`CompiledPlan`] the form the
//! door replays (hashes and numbers). Choices are matched by site, never by order.

use crate::draw::DrawKey;
use crate::kind::{KindId, Kinds};
use crate::site::{Names, Site, SiteName};
use crate::time::{Span, parse_span};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Version of the plan's form, written into every plan.
pub const FORMAT: u32 = 1;

/// Where samples (latencies, human delays) come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Noise {
    /// Every sample is its distribution's median.
    #[default]
    Off,
    /// Samples are drawn with this key.
    Key(DrawKey),
}

/// A plan in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Version of the form.
    pub format: u32,
    /// Source of samples.
    #[serde(with = "noise_text", default)]
    pub noise: Noise,
    /// Samples fixed to a value, by site.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<Pin>,
    /// What was not benign.
    pub choices: Vec<Choice>,
}

/// One choice that is not benign.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// Where.
    #[serde(with = "site_text")]
    pub site: SiteName,
    /// The option's name.
    pub option: String,
    /// Its parameter, a length of time.
    #[serde(with = "span_text", default, skip_serializing_if = "Option::is_none")]
    pub param: Option<Span>,
}

/// One sample fixed to a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Where.
    #[serde(with = "site_text")]
    pub site: SiteName,
    /// The value, microseconds for latencies and delays.
    pub value: u64,
}

/// One non-benign choice as it landed in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landed {
    /// Where.
    pub site: Site,
    /// Which option.
    pub kind: KindId,
    /// Its parameter, 0 for none.
    pub value: u64,
}

/// A choice to be replayed: site hash, option, parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CompiledChoice {
    /// Hash of the site's names.
    pub site: u64,
    /// Which option.
    pub kind: KindId,
    /// Its parameter.
    pub value: u64,
}

/// A plan as the door replays it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompiledPlan {
    /// Source of samples.
    pub noise: Noise,
    /// Samples fixed by site hash, sorted.
    pub pins: Vec<(u64, u64)>,
    /// The choices; their order does not matter.
    pub choices: Vec<CompiledChoice>,
}

impl From<Landed> for CompiledChoice {
    fn from(landed: Landed) -> CompiledChoice {
        CompiledChoice { site: landed.site.hash, kind: landed.kind, value: landed.value }
    }
}

impl CompiledPlan {
    /// The choices that landed in a run, under the same noise.
    pub fn of(landed: &[Landed], noise: Noise) -> CompiledPlan {
        CompiledPlan { noise, pins: Vec::new(), choices: landed.iter().map(|&l| l.into()).collect() }
    }

    /// The same without one of its choices.
    pub fn without(&self, index: usize) -> CompiledPlan {
        let mut rest = self.clone();
        rest.choices.remove(index);
        rest
    }
}

impl Plan {
    /// Puts landed choices into words.
    pub fn describe(landed: &[Landed], noise: Noise, names: &Names, kinds: &Kinds) -> Plan {
        let choices = landed.iter().map(|l| Choice {
            site: names.describe(l.site),
            option: kinds.name(l.kind).into(),
            param: (l.value != 0).then_some(Span(l.value)),
        });
        Plan { format: FORMAT, noise, pins: Vec::new(), choices: choices.collect() }
    }

    /// Makes it replayable.
    ///
    /// # Errors
    /// An unknown format, option, or a site named or pinned twice: a sentence with the fix.
    pub fn compile(&self, kinds: &Kinds) -> Result<CompiledPlan, String> {
        if self.format != FORMAT {
            return Err(format!("plan format {} is not known: this version reads format {FORMAT}", self.format));
        }
        let mut choices = Vec::with_capacity(self.choices.len());
        for choice in &self.choices {
            let compiled = choice.compile(kinds)?;
            if choices.iter().any(|c: &CompiledChoice| c.site == compiled.site) {
                return Err(format!("the site `{}` is named twice: a site has one choice", choice.site));
            }
            choices.push(compiled);
        }
        let mut pins: Vec<(u64, u64)> = Vec::with_capacity(self.pins.len());
        for pin in &self.pins {
            let at = pin.site.hash();
            if pins.iter().any(|p| p.0 == at) {
                return Err(format!("the site `{}` is pinned twice: a site has one value", pin.site));
            }
            pins.push((at, pin.value));
        }
        pins.sort_unstable();
        Ok(CompiledPlan { noise: self.noise, pins, choices })
    }
}

impl Choice {
    fn compile(&self, kinds: &Kinds) -> Result<CompiledChoice, String> {
        let kind = kinds.named(&self.option).ok_or_else(|| {
            format!("`{}` at `{}` is no known option; `list faults` shows them all", self.option, self.site)
        })?;
        Ok(CompiledChoice { site: self.site.hash(), kind, value: self.param.map_or(0, |s| s.0) })
    }

    /// Reads `order-1 charge #1 reply: reply-late(2s)`.
    ///
    /// # Errors
    /// A sentence that shows the right form.
    pub fn parse(text: &str) -> Result<Choice, String> {
        let (site, option) = text
            .rsplit_once(':')
            .ok_or_else(|| format!("`{text}` is not a choice: write SITE: OPTION or SITE: OPTION(5s)"))?;
        let option = option.trim();
        let (option, param) = match option.split_once('(') {
            None => (option, None),
            Some((name, rest)) => {
                let inner = rest.strip_suffix(')').ok_or_else(|| format!("`{text}`: a `)` is missing at the end"))?;
                (name.trim_end(), Some(parse_span(inner)?))
            }
        };
        if option.is_empty() {
            return Err(format!("`{text}` names no option: write SITE: OPTION or SITE: OPTION(5s)"));
        }
        Ok(Choice { site: SiteName::parse(site)?, option: option.into(), param })
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.site, self.option)?;
        self.param.map_or(Ok(()), |p| write!(f, "({p})"))
    }
}

impl fmt::Display for Plan {
    /// One line per choice; noise and pins first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "noise {}", noise_text::text(self.noise))?;
        for pin in &self.pins {
            writeln!(f, "pin {} = {}", pin.site, pin.value)?;
        }
        self.choices.iter().try_for_each(|c| writeln!(f, "{c}"))
    }
}

impl std::str::FromStr for Plan {
    type Err = String;

    /// Reads what [`Plan`]'s `Display` writes. Empty lines and lines that begin with `#` are skipped.
    fn from_str(text: &str) -> Result<Plan, String> {
        let mut plan = Plan { format: FORMAT, ..Plan::default() };
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
            if let Some(noise) = line.strip_prefix("noise ") {
                plan.noise = noise_text::parse(noise)?;
            } else if let Some(pin) = line.strip_prefix("pin ") {
                plan.pins.push(parse_pin(pin)?);
            } else {
                plan.choices.push(Choice::parse(line)?);
            }
        }
        Ok(plan)
    }
}

fn parse_pin(text: &str) -> Result<Pin, String> {
    let (site, value) =
        text.rsplit_once('=').ok_or_else(|| format!("`{text}` is not a pin: write pin SITE = NUMBER"))?;
    let value = value.trim().parse().map_err(|_| format!("`{}` is not a whole number", value.trim()))?;
    Ok(Pin { site: SiteName::parse(site)?, value })
}

impl fmt::Display for Noise {
    /// `off`, or 32 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&noise_text::text(*self))
    }
}

impl std::str::FromStr for Noise {
    type Err = String;

    fn from_str(text: &str) -> Result<Noise, String> {
        noise_text::parse(text)
    }
}

mod noise_text {
    use super::{DrawKey, Noise};
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn text(noise: Noise) -> String {
        match noise {
            Noise::Off => "off".into(),
            Noise::Key(key) => {
                let (a, b) = key.parts();
                format!("{a:016x}{b:016x}")
            }
        }
    }

    pub(super) fn parse(text: &str) -> Result<Noise, String> {
        let text = text.trim();
        if text == "off" {
            return Ok(Noise::Off);
        }
        let half = |range| text.get(range).and_then(|t| u64::from_str_radix(t, 16).ok());
        let digits = text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit());
        match (digits, half(0..16), half(16..32)) {
            (true, Some(a), Some(b)) => Ok(Noise::Key(DrawKey::from_parts(a, b))),
            _ => Err(format!("noise `{text}` is neither \"off\" nor a key of 32 hexadecimal digits")),
        }
    }

    pub(super) fn serialize<S: Serializer>(noise: &Noise, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&text(*noise))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Noise, D::Error> {
        parse(&String::deserialize(d)?).map_err(serde::de::Error::custom)
    }
}

mod site_text {
    use super::SiteName;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(site: &SiteName, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(site)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<SiteName, D::Error> {
        SiteName::parse(&String::deserialize(d)?).map_err(serde::de::Error::custom)
    }
}

mod span_text {
    use super::{Span, parse_span};
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(span: &Option<Span>, s: S) -> Result<S::Ok, S::Error> {
        match span {
            Some(span) => s.collect_str(span),
            None => s.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Span>, D::Error> {
        let text = Option::<String>::deserialize(d)?;
        text.map(|t| parse_span(&t)).transpose().map_err(serde::de::Error::custom)
    }
}
