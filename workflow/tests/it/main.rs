//! All tests of the workflow in one executable.

mod decide;
mod production;
mod shop;
