//! Solving and drawing grid worlds.

use turnstone::Rejection;
use turnstone_grid::action::Action;
use turnstone_grid::render::{Film, Style};
use turnstone_grid::solve::Solution;
use turnstone_grid::tools::{Format, find_world, render_match, render_world, solve_in_words};

/// What a search for a way to win found.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Way {
    /// The moves of a shortest way, if there is one.
    pub moves: Option<Vec<String>>,
    /// Whether everything was looked at: without a way, this means that there is none.
    pub certain: bool,
    /// Different moments looked at.
    pub seen: usize,
    /// The same in words.
    pub text: String,
}

/// Searches a shortest way to win a level, given by name or by the text of its file.
///
/// # Errors
/// If there is no such level, or something is wrong with the text.
pub fn solve(
    name: &str,
    text: Option<&str>,
    seed: u64,
    wishes: &[(&str, &str)],
    seen_max: usize,
) -> Result<Way, Rejection> {
    let (game, world) = find_world(name, text, seed, wishes)?;
    let (solved, text) = solve_in_words(&game, &world, seen_max);
    let (moves, certain) = match solved.solution {
        Solution::Won(way) => (Some(way.iter().map(Action::name).collect()), true),
        Solution::Impossible => (None, true),
        Solution::GaveUp => (None, false),
    };
    Ok(Way { moves, certain, seen: solved.seen, text })
}

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The name of the file that is to hold it; its ending says the format.
    pub out: &'a str,
    /// Pixels across.
    pub pixels: u32,
    /// How a match is drawn.
    pub film: Film,
}

/// Draws the beginning of a level, or a whole match file as an animation.
///
/// # Errors
/// If it cannot be read, or not drawn in that format and size.
pub fn render(
    name: &str,
    text: Option<&str>,
    seed: u64,
    wishes: &[(&str, &str)],
    picture: Picture,
) -> Result<Vec<u8>, Rejection> {
    let format = Format::of(picture.out)?;
    let style = Style { resolution: picture.pixels, ..Style::default() };
    match text.filter(|_| name.ends_with(".turn")) {
        Some(text) => render_match(text, &style, format, picture.film),
        None => Ok(render_world(&find_world(name, text, seed, wishes)?.1, &style, format)?),
    }
}
