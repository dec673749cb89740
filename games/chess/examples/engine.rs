//! A chess engine that graphical programs can drive: `cargo run --release -p turnstone-chess --example engine`.

use std::io::{BufReader, stdin, stdout};

fn main() -> std::io::Result<()> {
    turnstone_chess::uci::run(BufReader::new(stdin()), stdout().lock())
}
