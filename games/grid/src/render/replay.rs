//! A whole match as pictures: one per action, and one for every part of an
//! action that moves something.

use turnstone::{Game, Keeper, Match};
use turnstone_host::Motion;

use super::image::Still;
use super::raster::image;
use super::svg::Style;
use crate::error::{GridError, Result};
use crate::event::Event;
use crate::game::Grid;
use crate::geometry::Cell;
use crate::scene::motion;
use crate::state::State;

/// The most cells of the way walked that are marked.
const TRAIL_MAX: usize = 12;

/// How a match is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Film {
    /// Hundredths of a second the end of an action is shown.
    pub hundredths: u16,
    /// Whether the parts of an action are shown too, each half as long: the world's own moves, then
    /// every cell the agent enters, every portal it goes through.
    pub substeps: bool,
}

/// The pictures of a match along its current line, the beginning included; the way walked by the
/// first agent is marked.
///
/// # Errors
/// `BAD_RESOLUTION`, or `PICTURE_FAILED` if a moment of the match cannot be restored.
pub fn frames<R: Keeper<Grid>>(played: &Match<Grid, R>, style: &Style, film: Film) -> Result<Vec<Still>> {
    let mut reel = Reel { style, film, trail: Vec::new(), stills: Vec::new() };
    let mut before: Option<State> = None;
    for moment in played.line() {
        if let Some(state) = before.filter(|_| film.substeps) {
            let events = played.entries(moment).iter().filter_map(|entry| entry.fact.event());
            reel.take_parts(played.game(), state, events)?;
        }
        let position = played
            .position_at(moment)
            .map_err(|error| GridError::new("PICTURE_FAILED", error.to_string()))?;
        reel.take(position.state(), film.hundredths)?;
        before = Some(position.state().clone());
    }
    Ok(reel.stills)
}

struct Reel<'a> {
    style: &'a Style,
    film: Film,
    trail: Vec<Cell>,
    stills: Vec<Still>,
}

impl Reel<'_> {
    fn take(&mut self, state: &State, hundredths: u16) -> Result<()> {
        let world = &state.world;
        let here = world.first_agent().map_or(Cell::NONE, |agent| world.cell(agent));
        let style = Style { trail: self.trail.clone(), ..self.style.clone() };
        if here.is_some() && self.trail.last() != Some(&here) {
            self.trail.push(here);
        }
        if self.trail.len() > TRAIL_MAX {
            self.trail.remove(0);
        }
        self.stills.push(Still { image: image(world, &style)?, hundredths });
        Ok(())
    }

    /// Folds the facts of one action and takes a picture before each that begins a new part.
    fn take_parts<'e>(
        &mut self,
        game: &Grid,
        mut state: State,
        events: impl Iterator<Item = &'e Event>,
    ) -> Result<()> {
        let mut has_changed = false;
        for event in events {
            if has_changed && motion(event) == Motion::Own {
                self.take(&state, (self.film.hundredths / 2).max(1))?;
                has_changed = false;
            }
            game.apply(&mut state, event);
            has_changed |= motion(event) != Motion::Still;
        }
        Ok(())
    }
}

#[cfg(all(test, feature = "pictures"))]
mod tests {
    use super::*;
    use crate::action::{Action, Deed};
    use crate::game::Setup;
    use crate::level::LevelFile;
    use std::sync::Arc;
    use turnstone::Input;

    fn stills(text: &str, substeps: bool) -> Vec<Still> {
        let level = LevelFile::from_text(text).unwrap().to_level().unwrap();
        let setup = Setup::World(level.to_document());
        let mut played: Match<Grid> = Match::new(Arc::new(Grid::default()), setup, 0).unwrap();
        played.act(Input::Act(Action::step(Deed::Right))).unwrap();
        let style = Style { resolution: 60, ..Style::default() };
        frames(&played, &style, Film { hundredths: 20, substeps }).unwrap()
    }

    #[test]
    fn every_cell_of_a_long_move_has_its_picture() {
        let ice = "name: Ice\nmove: slippery\n\n@..#E";
        assert_eq!(stills(ice, false).len(), 2);
        let parts = stills(ice, true);
        assert_eq!(parts.iter().map(|still| still.hundredths).collect::<Vec<_>>(), [20, 10, 20]);
        assert_ne!(parts[1].image, parts[2].image);
    }

    #[test]
    fn the_worlds_own_moves_come_first() {
        let guard = "name: Guard\n\n@..E\n.m..\n\nm = monster moves=right";
        assert_eq!(stills(guard, true).len(), 3);
        let portal = "name: Gate\n\n@a.aE\n\na = portal";
        assert_eq!(stills(portal, true).len(), 3, "the gate, and then the other side");
    }
}
