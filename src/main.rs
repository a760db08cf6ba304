//! The program: hands its arguments to the library and its exit code to the system.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcp_trace::cli::main(std::env::args_os())
}
