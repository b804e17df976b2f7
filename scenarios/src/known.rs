//! What the oracles know: what is documented, and per order what was authorised, what is true, what
//! the subject could know of it, and what it wrote down. Promises read this and change nothing of it.

pub mod documented;
pub mod facts;
pub(crate) mod keys;
pub mod learn;
pub(crate) mod memory;
pub mod op_state;
pub mod ops;
pub mod order_state;
pub mod written;
