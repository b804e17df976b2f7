//! What may be said after n seeds. The unit is the seed: orders of one run share its outages.
//!
//! All of it is a pure function of numbers, with `libm` where a function is not exact: the same digits on
//! every platform, and on any number of threads.

mod difference;
mod histogram;
mod proportion;

pub use difference::{Difference, Resampling, holm, paired};
pub use histogram::{Histogram, Quantile};
pub use proportion::{Proportion, Rate};
