//! The program: the engine's command line with this game and no other.

use std::process::ExitCode;

use own_game::Heist;
use turnstone_table::{Games, Of};

fn main() -> ExitCode {
    turnstone_cli::main(Games::new(&[&Of::<Heist>::HOST]))
}
