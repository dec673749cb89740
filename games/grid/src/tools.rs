//! What the command line does with grid worlds besides playing: `solve` and
//! `render`. Text and bytes in, text and bytes out; files are the caller's.

use std::path::Path;
use std::sync::Arc;

use turnstone::file;
use turnstone::{Game, Match, Rejection, Trace};
use turnstone_host::{Hosted, Opening};

use crate::action::Action;
use crate::catalog::{self, Catalog};
use crate::error::GridError;
use crate::game::{Grid, Setup};
use crate::host::read_setup;
use crate::level::Level;
use crate::render::{self, Film, Still, Style};
use crate::ruleset::Ruleset;
use crate::solve::{Solution, Solved, solve};
use crate::world::World;

/// The world a player means, and the rules by which it is usually played: a level's or generator's name, or the text of
/// a level file or world document, whose name says how it is written. Generators take wishes, such as `width` 21.
///
/// # Errors
/// What is wrong with the name, the text or a wish.
pub fn find_world(
    name: &str,
    text: Option<&str>,
    seed: u64,
    wishes: &[(&str, &str)],
) -> Result<(Grid, World), Rejection> {
    let game = |order| Grid::new(Ruleset { order, ..Ruleset::default() });
    if let Some(text) = text.filter(|text| !text.trim_start().starts_with('{')) {
        let file = catalog::read(Path::new(name), text)?;
        let world = file.to_level().and_then(|level: Level| level.to_world())?;
        return Ok((game(file.usual_order()?), world));
    }
    let (setup, order) = read_setup(Catalog::built_in(), Some(text.unwrap_or(name)), wishes)?;
    let game = game(order);
    let world = game.start(&setup, seed)?.world;
    Ok((game, world))
}

/// Searches a shortest way to win and tells it in words.
pub fn solve_in_words(game: &Grid, world: &World, seen_max: usize) -> (Solved, String) {
    let solved = solve(game, world, seen_max);
    let seen = solved.seen;
    let words = match &solved.solution {
        Solution::Won(way) => {
            let names: Vec<String> = way.iter().map(Action::name).collect();
            format!("won in {} steps ({seen} moments seen): {}", way.len(), names.join(" "))
        }
        Solution::Impossible => format!("cannot be won ({seen} moments seen)"),
        Solution::GaveUp => {
            format!("no way found within {seen_max} moments; allow more with --limit")
        }
    };
    (solved, words)
}

/// How a picture is to be written, by the ending of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Scalable text.
    Svg,
    /// Pixels; animated if there are several pictures.
    Png,
    /// Pixels, animated.
    Gif,
}

impl Format {
    /// The format of a file's name.
    ///
    /// # Errors
    /// `UNKNOWN_FORMAT`, with the endings that exist.
    pub fn of(name: &str) -> Result<Self, GridError> {
        match name.rsplit('.').next() {
            Some("svg") => Ok(Self::Svg),
            Some("png" | "apng") => Ok(Self::Png),
            Some("gif") => Ok(Self::Gif),
            _ => Err(GridError::new(
                "UNKNOWN_FORMAT",
                format!("`{name}` must end in .svg, .png, .apng or .gif"),
            )),
        }
    }
}

/// Draws one world.
///
/// # Errors
/// `BAD_RESOLUTION` if a cell would have no pixel.
pub fn render_world(world: &World, style: &Style, format: Format) -> Result<Vec<u8>, GridError> {
    match format {
        Format::Svg => Ok(render::svg(world, style)?.into_bytes()),
        Format::Png => render::png(world, style),
        Format::Gif => render::gif(&[Still { image: render::image(world, style)?, hundredths: 100 }]),
    }
}

/// Draws a whole match file.
///
/// # Errors
/// A file that is no match of this game or does not rerun, and everything that can go wrong with a picture.
pub fn render_match(text: &str, style: &Style, format: Format, film: Film) -> Result<Vec<u8>, Rejection> {
    let header = file::header(text).map_err(|error| Rejection::new("NOT_A_MATCH", error.to_string()))?;
    let opening = Opening { ruleset: Some(header.ruleset), seed: header.seed, ..Opening::default() };
    let (game, _): (Arc<Grid>, Setup) = Grid::open_table(&opening)?;
    let played: Match<Grid, Trace<Grid>> =
        file::read(&game, text).map_err(|error| Rejection::new("NOT_A_MATCH", error.to_string()))?;
    if format == Format::Svg {
        return Ok(render::svg(&played.state().world, style)?.into_bytes());
    }
    let frames = render::frames(&played, style, film)?;
    Ok(match format {
        Format::Gif => render::gif(&frames)?,
        Format::Png | Format::Svg => render::apng(&frames)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::Deed;
    use turnstone::Input;
    use turnstone::file::Header;

    #[test]
    fn levels_are_solved_by_name_and_by_text() {
        let (game, world) = find_world("first-steps", None, 0, &[]).unwrap();
        let (_, words) = solve_in_words(&game, &world, 1_000);
        assert!(words.starts_with("won in 8 steps"), "{words}");
        let (_, words) = solve_in_words(&game, &world, 3);
        assert_eq!(words, "no way found within 3 moments; allow more with --limit");
        let (game, world) = find_world("mine.txt", Some("name: x\n\n@#E\n"), 0, &[]).unwrap();
        let (_, words) = solve_in_words(&game, &world, 1_000);
        assert!(words.starts_with("cannot be won"), "{words}");
        // Those who take turns, or act together, do so here too.
        for (level, way) in [("three-of-us", "won in 23 steps"), ("marching-orders", "+")] {
            let (game, world) = find_world(level, None, 0, &[]).unwrap();
            let (_, words) = solve_in_words(&game, &world, 250_000);
            assert!(words.contains(way), "{words}");
        }
        assert_eq!(find_world("nowhere", None, 0, &[]).err().unwrap().code(), "UNKNOWN_SETUP");
        let (_, wide) = find_world("maze", None, 3, &[("width", "21"), ("height", "7")]).unwrap();
        assert_eq!((wide.cast.bounds.width, wide.cast.bounds.height), (21, 7));
    }

    #[test]
    fn a_match_file_becomes_an_animation() {
        let (game, setup) = Grid::open_table(&Opening::default()).unwrap();
        let mut played: Match<Grid> = Match::new(Arc::clone(&game), setup.clone(), 3).unwrap();
        for deed in [Deed::Right, Deed::Down, Deed::Wait] {
            played.act(Input::Act(Action::step(deed))).unwrap();
        }
        let header = Header::new(Grid::NAME, game.ruleset(), game.content(), setup, 3);
        let text = file::write(&header, &played).unwrap();
        let style = Style { resolution: 90, ..Style::default() };
        let film = Film { hundredths: 20, substeps: true };
        match render_match(&text, &style, Format::Gif, film) {
            Ok(gif) => assert_eq!(&gif[..3], b"GIF"),
            Err(refusal) => {
                assert!(cfg!(not(feature = "pictures")) && refusal.code() == "NO_PICTURES", "{refusal}");
            }
        }
        assert!(render_match(&text, &style, Format::Svg, film).unwrap().starts_with(b"<svg"));
        assert_eq!(render_match("{}", &style, Format::Gif, film).unwrap_err().code(), "NOT_A_MATCH");
        assert_eq!(Format::of("x.bmp").unwrap_err().code, "UNKNOWN_FORMAT");
    }
}
