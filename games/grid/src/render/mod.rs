//! Pictures: a plan of what is drawn where, shapes of our own, and pixels.
//! Nothing of the machine's is needed: no graphics card, no fonts. Pixels (PNG, GIF) need the feature
//! `pictures`.
//!
//! ```
//! use turnstone_grid::catalog::Catalog;
//! use turnstone_grid::render::{Style, svg};
//!
//! let world = Catalog::built_in().level("clockwork")?.to_level()?.to_world()?;
//! let picture = svg(&world, &Style { resolution: 260, ..Style::default() })?;
//! assert!(picture.starts_with("<svg"));
//! # Ok::<(), turnstone_grid::error::GridError>(())
//! ```

mod image;
mod plan;
#[cfg(feature = "pictures")]
mod raster;
#[cfg(not(feature = "pictures"))]
#[path = "no_raster.rs"]
mod raster;
mod replay;
mod shapes;
mod svg;

pub use image::{Image, Still};
pub use plan::{CellPlan, Drawing, Plan};
pub use raster::{apng, gif, image, png};
pub use replay::{Film, frames};
pub use svg::{Style, svg};

#[cfg(all(test, feature = "pictures"))]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    #[test]
    fn every_level_can_be_drawn() {
        for (name, file) in Catalog::built_in().levels() {
            let world = file.to_level().unwrap().to_world().unwrap();
            let style = Style { resolution: 96, ..Style::default() };
            let picture = image(&world, &style).unwrap();
            assert_eq!(picture.pixels.len(), (picture.width * picture.height * 4) as usize, "{name}");
            let colours: std::collections::BTreeSet<&[u8]> = picture.pixels.chunks(4).collect();
            assert!(colours.len() > 8, "{name}: {} colours", colours.len());
        }
    }

    #[test]
    fn animations_have_frames() {
        let world = Catalog::built_in().level("first-steps").unwrap().to_level().unwrap().to_world().unwrap();
        let image_of = |world| image(world, &Style { resolution: 64, ..Style::default() }).unwrap();
        let frame = Still { image: image_of(&world), hundredths: 20 };
        assert_eq!(&gif(&[frame.clone(), frame.clone()]).unwrap()[..3], b"GIF");
        assert!(apng(&[frame.clone(), frame]).unwrap().windows(4).any(|part| part == b"acTL"));
        assert_eq!(gif(&[]).unwrap_err().code, "PICTURE_FAILED");
        let tiny = Style { resolution: 2, ..Style::default() };
        assert_eq!(image(&world, &tiny).unwrap_err().code, "BAD_RESOLUTION");
    }

    #[test]
    fn the_plan_is_honoured_pixel_by_pixel() {
        let text = "name: x\n\n@E~#\n";
        let file = crate::level::LevelFile::from_text(text).unwrap();
        let world = file.to_level().unwrap().to_world().unwrap();
        let style = Style { resolution: 400, strip: false, trail: Vec::new() };
        let picture = image(&world, &style).unwrap();
        assert_eq!((picture.width, picture.height), (400, 100));
        let pixel = |x: usize, y: usize| picture.pixels[(y * 400 + x) * 4..][..3].to_vec();
        assert_eq!(pixel(250, 45), [0xe2, 0x56, 0x1b], "lava");
        assert_eq!(pixel(350, 20), [0x5a, 0x62, 0x70], "wall");
        assert_eq!(pixel(125, 20), [0x2f, 0x9e, 0x5b], "exit");
    }
}
