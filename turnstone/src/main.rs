//! The `turnstone` command. See `turnstone help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    turnstone_games::main()
}
