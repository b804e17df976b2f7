//! Keyed draws: a fixed, versioned function of (key, site, name). Never a shared stream.
//!
//! A draw depends on nothing but its own site and name, so that one more step, order or worker
//! moves no other draw. Version 1 is two 64x64->128 multiplies (folded), pinned by golden vectors;
//! changing it changes every recorded seed and must bump [`VERSION`].

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Version of the draw function; part of what a seed means.
pub const VERSION: u32 = 1;

const P0: u64 = 0xa076_1d64_78bd_642f;
const P1: u64 = 0xe703_7ed1_a0b4_28db;
const P2: u64 = 0x8ebc_6af0_9c88_c6e3;

/// Folded 64x64->128 multiplication.
#[inline]
pub const fn fold(a: u64, b: u64) -> u64 {
    let product = (a as u128) * (b as u128);
    (product as u64) ^ ((product >> 64) as u64)
}

/// Hash of a name (site part or option), the same on every platform and in every version.
pub const fn hash_name(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let mut h = P0 ^ (bytes.len() as u64).wrapping_mul(P1);
    let mut i = 0;
    while i < bytes.len() {
        h = fold(h ^ (bytes[i] as u64 + 1), P2).wrapping_add(P1);
        i += 1;
    }
    fold(h ^ P1, P0 ^ h.rotate_left(29))
}

/// Adds a value to a running digest.
#[inline]
pub const fn absorb(digest: u64, value: u64) -> u64 {
    (digest ^ value).wrapping_mul(P2).rotate_left(23) ^ value
}

/// The key of all draws of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawKey {
    a: u64,
    b: u64,
}

impl DrawKey {
    /// Expands a seed with ChaCha8 (the block function of RFC 8439 with 8 rounds). Sixteen seeds share
    /// one expansion: see [`Expander`].
    pub fn from_seed(seed: u64) -> DrawKey {
        Expander::default().key(seed)
    }

    /// A key from its two halves, as plans print it.
    pub const fn from_parts(a: u64, b: u64) -> DrawKey {
        DrawKey { a, b }
    }

    /// Its two halves.
    pub const fn parts(self) -> (u64, u64) {
        (self.a, self.b)
    }

    /// 64 uniform bits for this site and name.
    #[inline]
    pub const fn draw(self, site: u64, name: u64) -> u64 {
        let x = fold(site ^ self.a, name ^ P0);
        fold(x ^ self.b, x.rotate_left(32) ^ site ^ P1)
    }
}

/// How many seeds share one expansion: a ChaCha8 refill yields four blocks, 32 halves of keys.
const SHARED: u64 = 16;

/// Expands seeds to keys, and remembers the latest expansion: neighbouring seeds cost next to nothing.
#[derive(Clone, Debug, Default)]
pub struct Expander {
    /// Which sixteen seeds `keys` belong to.
    group: Option<u64>,
    keys: [(u64, u64); SHARED as usize],
}

impl Expander {
    /// The key of a seed: words 4n to 4n+3 of the stream whose key is (seed / 16, domain), n = seed mod 16.
    pub fn key(&mut self, seed: u64) -> DrawKey {
        let group = seed / SHARED;
        if self.group != Some(group) {
            self.expand(group);
        }
        let (a, b) = self.keys[(seed % SHARED) as usize];
        DrawKey { a, b }
    }

    fn expand(&mut self, group: u64) {
        let mut bytes = [0u8; 32];
        bytes[..8].copy_from_slice(&group.to_le_bytes());
        bytes[8..16].copy_from_slice(b"unacked1");
        let mut rng = ChaCha8Rng::from_seed(bytes);
        self.keys = std::array::from_fn(|_| (rng.next_u64(), rng.next_u64()));
        self.group = Some(group);
    }
}

/// A probability as a threshold for 64-bit draws: `draw < threshold`. Clamped to 0..=1.
pub fn threshold(probability: f64) -> u64 {
    if probability >= 1.0 {
        return u64::MAX;
    }
    (probability.max(0.0) * 18_446_744_073_709_551_616.0) as u64
}
