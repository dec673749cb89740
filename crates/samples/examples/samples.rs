//! Plays a little of each small game, or of the one that is named:
//! `cargo run -p turnstone-samples --example samples duel`

use turnstone::Rejection;
use turnstone_samples::{connect_four, couriers, duel, tic_tac_toe};

fn main() -> Result<(), Rejection> {
    let wanted = std::env::args().nth(1);
    let is_wanted = |name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
    if is_wanted("tic_tac_toe") {
        tic_tac_toe::show()?;
    }
    if is_wanted("connect_four") {
        connect_four::show()?;
    }
    if is_wanted("duel") {
        duel::show()?;
    }
    if is_wanted("couriers") {
        couriers::show()?;
    }
    Ok(())
}
