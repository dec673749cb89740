//! What the oracles ask of the kernel, behind one trait: the test kit's own tests answer wrongly on purpose, to see
//! which oracle notices.

use std::sync::Arc;
use turnstone::file::{self, Divergence};
use turnstone::{
    Branch, EntryOf, Explanation, FactOf, Game, InputOf, LiveOf, Match, Moment, Position, Recorder,
    Rejection, Resolver, Seen, Told, Viewer,
};

use crate::Script;

/// The kernel, as an oracle meets it. Every answer is the kernel's own unless it is planted.
pub trait Kernel<G: Game>: Sync {
    /// [`Resolver::try_act`].
    ///
    /// # Errors
    /// Why the input was refused.
    fn try_act<R: Recorder<G>>(
        &self,
        resolver: &mut Resolver<G>,
        game: &G,
        position: &mut Position<G>,
        input: &InputOf<G>,
        recorder: &mut R,
    ) -> Result<(), Rejection> {
        resolver.try_act(game, position, input, recorder)
    }

    /// [`Resolver::act`].
    ///
    /// # Errors
    /// Why the input was refused.
    fn act<R: Recorder<G>>(
        &self,
        resolver: &mut Resolver<G>,
        game: &G,
        position: &mut Position<G>,
        input: &InputOf<G>,
        recorder: &mut R,
    ) -> Result<(), Rejection> {
        resolver.act(game, position, input, recorder)
    }

    /// The inputs of a script once more, from the start.
    ///
    /// # Errors
    /// If the set-up is refused.
    fn rerun(&self, script: &Script<G>, inputs: &[InputOf<G>]) -> Result<Match<G>, Rejection> {
        let mut game = script.start()?;
        for input in inputs {
            // Refusals are judged by the oracle of what is listed.
            let _ = game.act(input.clone());
        }
        Ok(game)
    }

    /// A position as text.
    ///
    /// # Errors
    /// If it cannot be written.
    fn save(&self, position: &Position<G>) -> Result<String, String> {
        serde_json::to_string(position).map_err(|error| error.to_string())
    }

    /// A position from text.
    ///
    /// # Errors
    /// If it cannot be read.
    fn load(&self, text: &str) -> Result<Position<G>, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// [`Clone::clone`].
    fn copy(&self, position: &Position<G>) -> Position<G> {
        position.clone()
    }

    /// [`Clone::clone_from`].
    fn copy_into(&self, to: &mut Position<G>, from: &Position<G>) {
        to.clone_from(from);
    }

    /// [`file::verify`].
    ///
    /// # Errors
    /// What is wrong with the file.
    fn verify(&self, game: &Arc<G>, text: &str) -> Result<(), Divergence> {
        file::verify(game, text).map(|_| ())
    }

    /// [`file::read`].
    ///
    /// # Errors
    /// What is wrong with the file.
    fn read(&self, game: &Arc<G>, text: &str) -> Result<Match<G>, Divergence> {
        file::read(game, text)
    }

    /// [`Match::undo`].
    fn undo(&self, game: &mut Match<G>) -> bool {
        game.undo()
    }

    /// [`Match::redo`].
    fn redo(&self, game: &mut Match<G>) -> bool {
        game.redo()
    }

    /// [`Match::jump`].
    ///
    /// # Errors
    /// If there is no such moment.
    fn jump(&self, game: &mut Match<G>, moment: Moment) -> Result<(), Rejection> {
        game.jump(moment)
    }

    /// [`Match::branches`].
    fn branches(&self, game: &Match<G>) -> Vec<Branch> {
        game.branches()
    }

    /// [`Match::live_at`].
    ///
    /// # Errors
    /// If there is no such event.
    fn live_at(&self, game: &Match<G>, serial: u32) -> Result<LiveOf<G>, Rejection> {
        game.live_at(serial)
    }

    /// [`Match::log`].
    fn log(&self, game: &Match<G>) -> Vec<EntryOf<G>> {
        game.log().cloned().collect()
    }

    /// [`Match::log_for`].
    fn log_for(&self, game: &Match<G>, viewer: Viewer) -> Vec<FactOf<G>>
    where
        G: Seen,
    {
        game.log_for(viewer)
    }

    /// [`Match::explain`].
    fn explain(&self, game: &Match<G>, moment: Moment) -> Explanation
    where
        G: Told,
    {
        game.explain(moment)
    }
}

/// The kernel as it is.
#[derive(Clone, Copy, Debug)]
pub struct Sound;

impl<G: Game> Kernel<G> for Sound {}
