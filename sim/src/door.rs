//! The one door: everything that could go more than one way is asked for here.
//!
//! It draws (from a seed), replays (a plan) or enumerates (replays and records the menus met after
//! the last planned choice has landed).

use crate::distribution::Distribution;
use crate::draw::{DrawKey, Expander, absorb, hash_name};
use crate::kind::{Fate, Kinds, Lasts};
use crate::menu::{Menu, MenuId, Pick};
use crate::plan::{CompiledChoice, CompiledPlan, Landed, Noise};
use crate::site::{Names, Occasion, Scope, Site, Stage, Verb};
use crate::sites::Sites;
use crate::time::{Span, Time};
use std::sync::Arc;

/// How the door answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Draw(DrawKey),
    Replay,
}

/// A menu met while enumerating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Where.
    pub site: Site,
    /// Which menu.
    pub menu: MenuId,
    /// Which of its options were possible there (bit n = option n).
    pub allowed: u32,
}

/// The door.
#[derive(Clone, Debug)]
pub struct Door {
    /// The words for sites.
    pub names: Names,
    /// The words for options.
    pub kinds: Kinds,
    menus: Arc<Vec<Menu>>,
    mode: Mode,
    expander: Expander,
    noise: Noise,
    compiled: Vec<CompiledChoice>,
    waiting: usize,
    /// While replaying: sites with other low bits than these are not looked up (bit n = hash n mod 64).
    wanted: u64,
    pins: Vec<(u64, u64)>,
    landed: Vec<Landed>,
    /// The sites of `landed`.
    settled: Sites,
    offers: Vec<Offer>,
    recording: bool,
    occurrences: Vec<u32>,
    verbs: usize,
    reach: Vec<u32>,
    digest: u64,
    now: Time,
    chaos: Span,
    calm: Time,
}

/// A site's bit in [`Door::wanted`].
#[inline]
const fn low_bits(site: u64) -> u64 {
    1 << (site & 63)
}

const SAMPLE: u64 = hash_name("sample");

/// Every option of a menu is possible.
pub const ALL: u32 = u32::MAX;

impl Door {
    /// A door for a world of these kinds. Menus and names are added while the world is built.
    pub fn new(kinds: Kinds) -> Door {
        let reach = vec![0; kinds.len() + 1];
        Door {
            names: Names::default(),
            kinds,
            menus: Arc::new(vec![Menu::default()]),
            mode: Mode::Replay,
            expander: Expander::default(),
            noise: Noise::Off,
            compiled: Vec::new(),
            waiting: 0,
            wanted: 0,
            pins: Vec::new(),
            landed: Vec::new(),
            settled: Sites::default(),
            offers: Vec::new(),
            recording: false,
            occurrences: Vec::new(),
            verbs: 0,
            reach,
            digest: 0,
            now: Time::ZERO,
            chaos: Span::NEVER,
            calm: Time::ZERO,
        }
    }

    /// The menu without options.
    pub const EMPTY: MenuId = MenuId(0);

    /// Adds a menu to the book.
    ///
    /// # Panics
    /// If it has more than 32 options or the book more than 65,535 menus: a bug in the world.
    pub fn menu(&mut self, menu: Menu) -> MenuId {
        assert!(menu.entries.len() <= 32, "at most 32 options per menu");
        let menus = Arc::make_mut(&mut self.menus);
        menus.push(menu);
        MenuId(u16::try_from(menus.len() - 1).expect("fewer than 65,536 menus"))
    }

    /// Looks into the book.
    pub fn menu_of(&self, id: MenuId) -> &Menu {
        &self.menus[usize::from(id.0)]
    }

    /// All menus of the book.
    pub fn menus(&self) -> impl Iterator<Item = &Menu> {
        self.menus.iter()
    }

    /// Random runs choose nothing but benign options from this time on.
    pub fn set_chaos(&mut self, chaos: Span) {
        self.chaos = chaos;
    }

    /// Prepares a run that draws.
    pub fn draw_from(&mut self, seed: u64) {
        let key = self.expander.key(seed);
        self.reset(Mode::Draw(key), Noise::Key(key));
        self.calm = Time::ZERO + self.chaos;
    }

    /// Prepares a run that replays.
    pub fn replay(&mut self, compiled: &CompiledPlan) {
        self.reset(Mode::Replay, compiled.noise);
        self.follow(&compiled.choices);
        self.pins.extend_from_slice(&compiled.pins);
        self.waiting = self.compiled.len();
    }

    /// These choices are planned. Their order does not matter: they are kept by site.
    fn follow(&mut self, choices: &[CompiledChoice]) {
        self.compiled.clear();
        self.compiled.extend_from_slice(choices);
        self.compiled.sort_by_key(|choice| choice.site);
        self.wanted = choices.iter().fold(0, |all, choice| all | low_bits(choice.site));
    }

    /// Prepares a run that replays and records the menus met after the last landing.
    pub fn enumerate(&mut self, compiled: &CompiledPlan) {
        self.replay(compiled);
        self.recording = true;
        if self.waiting == 0 {
            self.wanted = u64::MAX;
        }
    }

    /// What has happened so far is what had happened in `to`, a copy taken earlier.
    pub(crate) fn rewind(&mut self, to: &Door) {
        let Door { noise, landed, settled, occurrences, verbs, reach, digest, now, calm, .. } = to;
        (self.noise, self.verbs, self.digest, self.now, self.calm) = (*noise, *verbs, *digest, *now, *calm);
        self.landed.clone_from(landed);
        self.settled.rewind(settled);
        self.occurrences.clone_from(occurrences);
        self.reach.clone_from(reach);
        self.offers.clear();
    }

    /// In the middle of a run: from here on this plan is replayed, of which the first choices have
    /// landed. With `recording`, the menus met after its last landing are kept.
    pub(crate) fn go_on_with(&mut self, compiled: &CompiledPlan, recording: bool) {
        self.mode = Mode::Replay;
        self.follow(&compiled.choices);
        self.pins.clone_from(&compiled.pins);
        self.waiting = compiled.choices.len().saturating_sub(self.landed.len());
        self.recording = recording;
    }

    /// From here on everything is benign.
    pub(crate) fn calm_down(&mut self) {
        self.mode = Mode::Replay;
        self.waiting = 0;
        self.wanted = 0;
        self.compiled.clear();
        self.recording = false;
    }

    fn reset(&mut self, mode: Mode, noise: Noise) {
        let (scopes, verbs) = self.names.counts();
        self.occurrences.clear();
        self.occurrences.resize(scopes * verbs, 0);
        self.verbs = verbs;
        self.mode = mode;
        self.noise = noise;
        self.compiled.clear();
        self.waiting = 0;
        self.wanted = 0;
        self.pins.clear();
        self.landed.clear();
        self.settled.clear();
        self.offers.clear();
        self.recording = false;
        self.reach.fill(0);
        self.digest = 0;
        self.now = Time::ZERO;
        self.calm = Time::ZERO;
    }

    #[inline]
    pub(crate) fn set_now(&mut self, now: Time) {
        self.now = now;
    }

    /// Counts one more occurrence of (scope, verb).
    #[inline]
    pub fn occasion(&mut self, scope: Scope, verb: Verb) -> Occasion {
        let at = usize::from(scope.0) * self.verbs + usize::from(verb.0);
        let count = &mut self.occurrences[at];
        *count += 1;
        let occurrence = *count;
        self.names.occasion(scope, verb, occurrence)
    }

    /// Asks what happens at a site. `allowed`: which options are possible here (bit n = option n).
    /// A site has one choice: once one has landed there, every further answer is benign.
    ///
    /// Nearly always nothing happens: that is decided inline, and cheaply where nothing can.
    #[inline(always)]
    pub fn choose(&mut self, site: Site, menu: MenuId, allowed: u32) -> Pick {
        let quiet = match self.mode {
            Mode::Draw(key) => self.now.0 >= self.chaos.0 || !self.menus[usize::from(menu.0)].opens(key, site.hash),
            Mode::Replay => self.wanted & low_bits(site.hash) == 0,
        };
        if quiet { Pick::BENIGN } else { self.pick(site.occasion, site.stage, menu, allowed) }
    }

    /// The gate is open, or the plan may have something here.
    #[cold]
    #[inline(never)]
    fn pick(&mut self, at: Occasion, stage: Stage, menu: MenuId, allowed: u32) -> Pick {
        let site = at.at(stage);
        let pick = match self.mode {
            Mode::Draw(key) => self.menus[usize::from(menu.0)].race(key, site.hash, allowed),
            Mode::Replay => self.choice(site, menu, allowed),
        };
        if pick.kind.is_benign() { pick } else { self.land(site, pick) }
    }

    fn choice(&mut self, site: Site, menu: MenuId, allowed: u32) -> Pick {
        let Some(choice) = self.planned(site.hash) else {
            if self.recording && self.waiting == 0 {
                self.offers.push(Offer { site, menu, allowed });
            }
            return Pick::BENIGN;
        };
        let possible = self.menus[usize::from(menu.0)].allowed(allowed).any(|(_, e)| e.kind == choice.kind);
        if !possible {
            return Pick::BENIGN;
        }
        Pick { kind: choice.kind, value: choice.value }
    }

    /// What the plan says about a site.
    fn planned(&self, site: u64) -> Option<CompiledChoice> {
        let at = self.compiled.binary_search_by_key(&site, |choice| choice.site).ok()?;
        Some(self.compiled[at])
    }

    fn land(&mut self, site: Site, pick: Pick) -> Pick {
        if !self.settled.insert(site.hash) {
            return Pick::BENIGN;
        }
        self.waiting = self.waiting.saturating_sub(1);
        if self.waiting == 0 {
            self.wanted = if self.recording { u64::MAX } else { 0 };
        }
        self.landed.push(Landed { site, kind: pick.kind, value: pick.value });
        self.digest = absorb(absorb(self.digest, site.hash), u64::from(pick.kind.0) ^ pick.value << 8);
        self.strained_until(self.now + self.lasts(pick));
        pick
    }

    /// How long a choice strains the run, as far as its row tells.
    fn lasts(&self, pick: Pick) -> Span {
        match self.kinds.get(pick.kind).map(|k| k.lasts) {
            Some(Lasts::Value) => Span(pick.value),
            Some(Lasts::Moment | Lasts::Applied) | None => Span::ZERO,
        }
    }

    /// A choice was applied, and something is different because of it. Only what was felt counts as
    /// reached: whoever applies a choice says so, once.
    #[cold]
    pub fn felt(&mut self, fate: impl Fate) {
        self.reach[usize::from(fate.kind().0)] += 1;
    }

    /// A fault's effect lasts until then; calm does not begin earlier.
    pub fn strained_until(&mut self, time: Time) {
        self.calm = self.calm.max(time);
    }

    /// A sample at a site: noise, not part of the plan.
    #[inline]
    pub fn sample(&self, site: Site, distribution: &Distribution) -> u64 {
        if !self.pins.is_empty()
            && let Some(value) = self.pinned(site)
        {
            return value;
        }
        match (self.noise, *distribution) {
            (_, Distribution::Const(value)) => value,
            (Noise::Off, _) => distribution.median(),
            (Noise::Key(key), _) => distribution.at(key.draw(site.hash, SAMPLE)),
        }
    }

    #[cold]
    fn pinned(&self, site: Site) -> Option<u64> {
        let at = self.pins.binary_search_by_key(&site.hash, |p| p.0).ok()?;
        Some(self.pins[at].1)
    }

    /// When calm begins: the end of chaos or of the last fault's effect.
    pub fn calm_at(&self) -> Time {
        self.calm
    }

    /// What was not benign so far, in order of landing.
    pub fn landed(&self) -> &[Landed] {
        &self.landed
    }

    /// The planned choices that have not landed.
    pub fn missing(&self) -> impl Iterator<Item = &CompiledChoice> {
        self.compiled.iter().filter(|c| !self.settled.contains(c.site))
    }

    /// Menus recorded after the last landing.
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// How often each kind was felt, by number.
    pub fn reach(&self) -> &[u32] {
        &self.reach
    }

    /// The source of samples of this run.
    pub fn noise(&self) -> Noise {
        self.noise
    }

    pub(crate) fn digest(&self) -> u64 {
        self.digest
    }
}
