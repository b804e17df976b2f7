//! All tests of the scenarios in one executable.

mod books;
mod branches;
mod hostile_files;
mod peer;
mod policies;
