//! All tests through the public API and the real binary, in one executable.

mod bad_input;
mod bench;
mod blame;
mod canary;
mod cases;
mod cli;
mod common;
mod embedded;
mod explain_story;
mod felt;
mod golden;
mod hostile_cases;
mod interrupt;
mod mutations;
mod output;
mod pictures;
mod readme;
mod regressions;
mod same_everywhere;
mod shrink_quality;
mod spec;
mod subjects;
