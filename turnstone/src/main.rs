//! The `turnstone` command. See `turnstone help`.

use std::process::ExitCode;

/// A server makes and drops many small texts on all its threads for every message: with the system's allocator that was
/// a quarter of its time.
#[cfg(feature = "server")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    turnstone_games::main()
}
