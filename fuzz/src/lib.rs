//! The games that the targets choose from, opened once, with matches that stand somewhere in the middle.

use std::sync::{Arc, OnceLock};

use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Match, Position, Seat, Viewer, file};
use turnstone_host::{Hosted, Opening};
use turnstone_samples::connect_four::ConnectFour;
use turnstone_samples::couriers::Couriers;
use turnstone_table::{Host, Of, Table, table_of};
use turnstone_testkit::forge::{reseal, unsealed};
use turnstone_testkit::mutate::mutate;

/// After how many inputs the prepared matches stand.
const STAGES: [usize; 5] = [0, 1, 4, 12, 30];

/// A game that was opened once, without its types.
pub trait Room: Send + Sync {
    /// Its host, for texts that open it otherwise.
    fn host(&self) -> &'static dyn Host;
    /// A match of its own, standing at a stage.
    fn table(&self, stage: u8) -> Box<dyn Table>;
    /// The lines of the match file of a stage, without their seals.
    fn lines(&self, stage: u8) -> Vec<String>;
    /// Reads a match file by the rules of this room.
    fn read(&self, file: &[u8]) -> Option<Box<dyn Table>>;
    /// Folds one, asking no rule.
    fn watch(&self, file: &[u8]);
    /// The position of a stage with a small change for every lot, if it is still one of the game.
    fn bent(&self, stage: u8, bends: u8, seed: u64) -> Option<Box<dyn Table>>;
}

struct Opened<G: Hosted> {
    host: &'static dyn Host,
    game: Arc<G>,
    setup: G::Setup,
    stages: Vec<Stage<G>>,
}

struct Stage<G: Hosted> {
    played: Match<G>,
    lines: Vec<String>,
}

impl<G: Hosted> Opened<G> {
    fn new(host: &'static dyn Host, setup: &str, seed: u64) -> Self {
        let setup = (!setup.is_empty()).then(|| setup.to_owned());
        let opening = Opening { setup, seed, ..Opening::default() };
        let (game, setup) = G::open_table(&opening).expect("a set-up of the game's own");
        let mut stages = Vec::new();
        let mut played = Match::new(Arc::clone(&game), setup.clone(), seed).expect("it starts");
        let mut lots = Lots::new(seed, Stream::named("fuzz"));
        for inputs in 0..=STAGES[STAGES.len() - 1] {
            // A question is a stage of its own, whenever it comes.
            let asked = played.pending().is_some() && stages.len() < 12;
            if STAGES.contains(&inputs) || asked {
                let text = table_of(played.clone()).save().expect("it can be written");
                stages.push(Stage { played: played.clone(), lines: unsealed(&text) });
            }
            let Some(input) = lots.pick(&played.inputs()).cloned() else { break };
            let _ = played.act(input);
        }
        Opened { host, game, setup, stages }
    }

    fn stage(&self, stage: u8) -> &Stage<G> {
        &self.stages[usize::from(stage) % self.stages.len()]
    }
}

impl<G: Hosted> Room for Opened<G> {
    fn host(&self) -> &'static dyn Host {
        self.host
    }

    fn table(&self, stage: u8) -> Box<dyn Table> {
        table_of(self.stage(stage).played.clone())
    }

    fn lines(&self, stage: u8) -> Vec<String> {
        self.stage(stage).lines.clone()
    }

    fn read(&self, file: &[u8]) -> Option<Box<dyn Table>> {
        file::read(&self.game, file).ok().map(table_of)
    }

    fn watch(&self, file: &[u8]) {
        let _ = file::watch(&self.game, file);
    }

    fn bent(&self, stage: u8, bends: u8, seed: u64) -> Option<Box<dyn Table>> {
        let mut lots = Lots::new(seed, Stream::named("bends"));
        let mut position: Position<G> = self.stage(stage).played.position().clone();
        for _ in 0..bends {
            position = mutate(&position, &mut lots)?;
        }
        let game = Arc::clone(&self.game);
        Match::from_position(game, self.setup.clone(), 1, position).ok().map(table_of)
    }
}

fn open<G: Hosted>(host: Of<G>, setup: &str, seed: u64) -> Box<dyn Room>
where
    Of<G>: 'static,
{
    // One host for each kind of game, for ever: there are a dozen.
    Box::new(Opened::<G>::new(Box::leak(Box::new(host)), setup, seed))
}

fn rooms() -> &'static [Box<dyn Room>] {
    static ROOMS: OnceLock<Vec<Box<dyn Room>>> = OnceLock::new();
    ROOMS.get_or_init(|| {
        vec![
            open(Of::<Couriers>::HOST, "", 4),
            open(Of::<ConnectFour>::HOST, "", 1),
            #[cfg(feature = "grid")]
            open(Of::<turnstone_grid::Grid>::reading(turnstone_grid_records::conform), "", 1),
            #[cfg(feature = "skirmish")]
            open(Of::<turnstone_skirmish::Skirmish>::reading(turnstone_skirmish_records::conform), "", 1),
            #[cfg(feature = "chess")]
            open(Of::<turnstone_chess::Chess>::reading(turnstone_chess_records::conform), "", 1),
            #[cfg(feature = "chess")]
            open(Of::<turnstone_chess::Chess>::reading(turnstone_chess_records::conform), "run", 2),
            #[cfg(feature = "spire")]
            open(Of::<turnstone_spire::Spire>::reading(turnstone_spire_records::conform), "", 1),
        ]
    })
}

/// So many of the rooms are sample games.
const SAMPLES: usize = 2;

/// One of the rooms, by any number: half of the time a sample game, which is tried a hundred times while one of the
/// large games is tried once, and finds what is the kernel's.
pub fn room(choice: u8) -> &'static dyn Room {
    let (samples, games) = rooms().split_at(SAMPLES);
    let rooms = if choice % 2 == 0 || games.is_empty() { samples } else { games };
    &*rooms[usize::from(choice / 2) % rooms.len()]
}

/// One of the games that have content and set-ups of their own to read.
pub fn game(choice: u8) -> &'static dyn Room {
    room(choice.wrapping_mul(2).wrapping_add(1))
}

/// Looks at a table as a front end does, through the eyes of whom a number chooses: seats, who sees everything, and
/// spectators. One thing for each input, since drawing takes longer than all else.
pub fn look(table: &dyn Table, choice: u8) {
    let seats = (0..table.seats().len() as Seat).map(Viewer::Seat);
    let viewers: Vec<Viewer> = seats.chain([Viewer::All, Viewer::Spectator]).collect();
    let choice = usize::from(choice);
    let (viewer, here) = (viewers[choice % viewers.len()], table.here());
    match choice / viewers.len() % 6 {
        0 => {
            let (inputs, scene) = (table.inputs(viewer), table.scene(viewer));
            assert_eq!(inputs.len(), scene.options.len(), "an option for every input");
        }
        1 => drop(table.view(viewer)),
        2 => drop((table.question(viewer), table.news(here, viewer))),
        3 => drop(table.explain(here, viewer).brief()),
        4 => drop(table.branches(viewer)),
        _ => drop(table.sample(viewer, choice as u64)),
    }
}

/// Seals a file anew after `edits` were made: each takes three bytes, two for the place and one for what is there then.
pub fn forged(mut lines: Vec<String>, edits: &[u8]) -> String {
    for edit in edits.chunks_exact(3).take(8) {
        let place = usize::from(u16::from_le_bytes([edit[0], edit[1]]));
        let at = place % lines.len();
        let mut bytes = std::mem::take(&mut lines[at]).into_bytes();
        if let Some(byte) = bytes.get_mut(place / 7) {
            *byte = edit[2];
        }
        lines[at] = String::from_utf8_lossy(&bytes).into_owned();
    }
    reseal(&lines)
}
