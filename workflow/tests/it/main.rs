//! All tests of the workflow in one executable.

mod decide;
mod machine;
mod production;
mod shop;
