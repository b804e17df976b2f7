//! All tests of the scenarios in one executable.

mod books;
mod branches;
mod contracts;
mod hostile_files;
mod peer;
mod policies;
mod reach;
mod reads;
mod scale;
