//! The program: menu, screen, line mode, protocol, saved matches, `run`, `verify`, `explain`.

use std::process::ExitCode;

use my_game::MyGame;
use turnstone_table::{Games, Of};

fn main() -> ExitCode {
    turnstone_cli::main(Games::new(&[&Of::<MyGame>::HOST]))
}
