//! Draws a built-in level: `cargo run --example picture clockwork out.png`.

use turnstone_grid::catalog::Catalog;
use turnstone_grid::render::{Style, png};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "clockwork".into());
    let file = arguments.next().unwrap_or_else(|| "level.png".into());
    let world = Catalog::built_in().level(&name)?.to_level()?.to_world()?;
    std::fs::write(file, png(&world, &Style::default())?)?;
    Ok(())
}
