//! Without the feature `pictures` worlds are drawn as SVG only: the crates that make pixels are as much to
//! compile as this one, and few need them.

use super::image::{Image, Still};
use super::svg::{Style, svg};
use crate::error::{GridError, Result};
use crate::world::World;

fn absent<T>() -> Result<T> {
    let text = "this program draws .svg only; one built with `--features pictures` draws .png and .gif too";
    Err(GridError::new("NO_PICTURES", text))
}

/// Draws a world as pixels: not here.
///
/// # Errors
/// `BAD_RESOLUTION` if a cell would have no pixel, `NO_PICTURES` otherwise.
pub fn image(world: &World, style: &Style) -> Result<Image> {
    svg(world, style).and_then(|_| absent())
}

/// Draws a world as a PNG file: not here.
///
/// # Errors
/// As [`image`].
pub fn png(world: &World, style: &Style) -> Result<Vec<u8>> {
    image(world, style).and_then(|_| absent())
}

/// Several pictures as a PNG file: not here.
///
/// # Errors
/// `NO_PICTURES`.
pub fn apng(_frames: &[Still]) -> Result<Vec<u8>> {
    absent()
}

/// Several pictures as an animated GIF: not here.
///
/// # Errors
/// `NO_PICTURES`.
pub fn gif(_frames: &[Still]) -> Result<Vec<u8>> {
    absent()
}
