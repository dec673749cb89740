//! Pixels: SVG to PNG, and many pictures to an animation.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::image::{Image, Still};
use super::svg::{Style, svg};
use crate::error::{GridError, Result};
use crate::world::World;

fn broken(error: impl std::fmt::Display) -> GridError {
    GridError::new("PICTURE_FAILED", error.to_string())
}

/// Draws a world as pixels.
///
/// # Errors
/// `BAD_RESOLUTION` if a cell would have no pixel.
pub fn image(world: &World, style: &Style) -> Result<Image> {
    let tree = Tree::from_str(&svg(world, style)?, &Options::default()).map_err(broken)?;
    let size = tree.size().to_int_size();
    let mut pixmap =
        Pixmap::new(size.width(), size.height()).ok_or_else(|| broken("no room for the picture"))?;
    resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
    let plain = pixmap.pixels().iter().flat_map(|pixel| {
        let colour = pixel.demultiply();
        [colour.red(), colour.green(), colour.blue(), colour.alpha()]
    });
    Ok(Image { width: size.width(), height: size.height(), pixels: plain.collect() })
}

/// Draws a world as a PNG file.
///
/// # Errors
/// As [`image`].
pub fn png(world: &World, style: &Style) -> Result<Vec<u8>> {
    apng(&[Still { image: image(world, style)?, hundredths: 1 }])
}

/// Several pictures of one size as a PNG file, animated if there are more than one.
///
/// # Errors
/// `PICTURE_FAILED` if there is no picture, or their sizes differ.
pub fn apng(frames: &[Still]) -> Result<Vec<u8>> {
    let first = same_size(frames)?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, first.width, first.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    if frames.len() > 1 {
        encoder.set_animated(frames.len() as u32, 0).map_err(broken)?;
    }
    let mut writer = encoder.write_header().map_err(broken)?;
    for frame in frames {
        if frames.len() > 1 {
            writer.set_frame_delay(frame.hundredths, 100).map_err(broken)?;
        }
        writer.write_image_data(&frame.image.pixels).map_err(broken)?;
    }
    writer.finish().map_err(broken)?;
    Ok(bytes)
}

/// Several pictures of one size as an animated GIF that runs for ever.
///
/// # Errors
/// `PICTURE_FAILED` if there is no picture, their sizes differ, or they are too large.
pub fn gif(frames: &[Still]) -> Result<Vec<u8>> {
    let first = same_size(frames)?;
    let side = |side: u32| u16::try_from(side).map_err(|_| broken("a GIF has at most 65535 pixels a side"));
    let (width, height) = (side(first.width)?, side(first.height)?);
    let mut bytes = Vec::new();
    let mut encoder = gif::Encoder::new(&mut bytes, width, height, &[]).map_err(broken)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(broken)?;
    for Still { image, hundredths } in frames {
        let mut pixels = image.pixels.clone();
        let mut frame = gif::Frame::from_rgba_speed(width, height, &mut pixels, 10);
        frame.delay = *hundredths;
        encoder.write_frame(&frame).map_err(broken)?;
    }
    drop(encoder);
    Ok(bytes)
}

fn same_size(frames: &[Still]) -> Result<&Image> {
    let first = frames.first().map(|frame| &frame.image).ok_or_else(|| broken("there is nothing to draw"))?;
    let size = |image: &Image| (image.width, image.height);
    if frames.iter().any(|frame| size(&frame.image) != size(first)) {
        return Err(broken("the pictures differ in size"));
    }
    Ok(first)
}
