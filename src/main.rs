//! The command line.

fn main() -> std::process::ExitCode {
    unacked::cli::main()
}
