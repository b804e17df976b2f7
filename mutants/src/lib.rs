//! Mutations of the product: one small change of meaning each, and what notices it.
//!
//! Reading order: what a mutation is (`mutation`), the copy of the sources it is applied to (`copy`), how it is
//! put to the test (`trial`), and the table that comes of it (`table`).

pub mod copy;
pub mod mutation;
pub mod table;
pub mod trial;
