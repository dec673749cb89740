//! A whole match as pictures, one per action.

use turnstone::{Keeper, Match};

use super::raster::{Image, image};
use super::svg::Style;
use crate::error::{GridError, Result};
use crate::game::Grid;
use crate::geometry::Cell;

/// The most cells of the way walked that are marked.
const TRAIL_MAX: usize = 12;

/// The pictures of a match along its current line, the beginning included; the way walked by the
/// first agent is marked.
///
/// # Errors
/// `BAD_RESOLUTION`, or `PICTURE_FAILED` if a moment of the match cannot be restored.
pub fn frames<R: Keeper<Grid>>(game: &Match<Grid, R>, style: &Style) -> Result<Vec<Image>> {
    let mut trail: Vec<Cell> = Vec::new();
    let mut pictures = Vec::new();
    for moment in game.line() {
        let position =
            game.position_at(moment).map_err(|error| GridError::new("PICTURE_FAILED", error.to_string()))?;
        let world = &position.state().world;
        let here = world.first_agent().map_or(Cell::NONE, |agent| world.cell(agent));
        let walked = trail.clone();
        if here.is_some() && trail.last() != Some(&here) {
            trail.push(here);
        }
        if trail.len() > TRAIL_MAX {
            trail.remove(0);
        }
        pictures.push(image(world, &Style { trail: walked, ..style.clone() })?);
    }
    Ok(pictures)
}
