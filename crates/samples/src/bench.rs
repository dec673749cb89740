//! Benchmarks of the kernel itself, on games so small that the kernel is most of the cost.

use std::sync::Arc;

use turnstone::dice::{Draw, Lots, Stream};
use turnstone::digest::digest;
use turnstone::{Game, Input, InputOf, Log, Match, Off, Position, Recorder, Resolver, Trace, file};
use turnstone_host::Bench;

use crate::connect_four::ConnectFour;
use crate::duel::Duel;
use crate::tic_tac_toe::TicTacToe;

const PLAYER: Stream = Stream::named("random player");

/// Buffers of a random player, reused from game to game.
pub struct Player<G: Game> {
    resolver: Resolver<G>,
    lots: Lots,
    actions: Vec<G::Action>,
    answers: Vec<G::Answer>,
}

impl<G: Game> Player<G> {
    /// A player with that seed.
    pub fn new(seed: u64) -> Self {
        Player {
            resolver: Resolver::default(),
            lots: Lots::new(seed, PLAYER),
            actions: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// A uniformly random legal input, or `None` when the game is over.
    #[inline]
    fn choose(&mut self, game: &G, position: &Position<G>) -> Option<InputOf<G>> {
        match position.pending() {
            None => {
                self.actions.clear();
                game.legal(position.state(), &mut self.actions);
                self.lots.pick(&self.actions).cloned().map(Input::Act)
            }
            Some(pending) => {
                self.answers.clear();
                game.answers(position.state(), &pending.question, &mut self.answers);
                self.lots.pick(&self.answers).cloned().map(Input::Choose)
            }
        }
    }
}

/// One way of carrying out an input: [`Resolver::act`] or [`Resolver::act_unchecked`].
type Act<G, R> =
    fn(&mut Resolver<G>, &G, &mut Position<G>, &InputOf<G>, &mut R) -> Result<(), turnstone::Rejection>;

/// Plays random inputs to the end without copies; gives the number of inputs.
pub fn playout<G: Game, R: Recorder<G>>(
    game: &G,
    position: &mut Position<G>,
    player: &mut Player<G>,
    recorder: &mut R,
) -> u64 {
    play_with(game, position, player, recorder, Resolver::act_unchecked)
}

/// Plays random inputs to the end, each checked and safe to refuse; gives the number of inputs.
pub fn playout_checked<G: Game, R: Recorder<G>>(
    game: &G,
    position: &mut Position<G>,
    player: &mut Player<G>,
    recorder: &mut R,
) -> u64 {
    play_with(game, position, player, recorder, Resolver::act)
}

#[inline]
fn play_with<G: Game, R: Recorder<G>>(
    game: &G,
    position: &mut Position<G>,
    player: &mut Player<G>,
    recorder: &mut R,
    act: Act<G, R>,
) -> u64 {
    let mut steps = 0;
    while let Some(input) = player.choose(game, position) {
        if act(&mut player.resolver, game, position, &input, recorder).is_err() {
            break;
        }
        steps += 1;
    }
    steps
}

/// How a benchmark plays: what is recorded, and whether every input is checked and safe to refuse.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Bare,
    Checked,
    Log,
    Trace,
}

/// A chunk of `games` playouts. With `EFFECTS` the unit is an event, otherwise an input.
fn work<G: Game>(game: G, setup: G::Setup, games: u64, mode: Mode, effects: bool) -> Box<dyn FnMut() -> u64> {
    let start = Position::<G>::new(game.start(&setup, 1).expect("the sample set-ups are valid"));
    let mut position = start.clone();
    let mut player = Player::new(1);
    let mut log = Log::default();
    Box::new(move || {
        let mut units = 0;
        for _ in 0..games {
            position.clone_from(&start);
            log.clear();
            let steps = match mode {
                Mode::Bare => playout(&game, &mut position, &mut player, &mut Off),
                Mode::Checked => playout_checked(&game, &mut position, &mut player, &mut Off),
                Mode::Log => playout_checked(&game, &mut position, &mut player, &mut log),
                Mode::Trace => playout_checked(&game, &mut position, &mut player, &mut Trace::default()),
            };
            units += if effects { u64::from(position.live().serial) } else { steps };
        }
        units
    })
}

/// A match file of a long duel, folded and rerun whole.
fn verification() -> Box<dyn FnMut() -> u64> {
    let mut duel: Match<Duel> = Match::new(Arc::new(Duel), 30_000, 3).expect("the sample set-ups are valid");
    let mut lots = Lots::new(1, PLAYER);
    for _ in 0..5_000 {
        let inputs = duel.inputs();
        let Some(input) = lots.pick(&inputs) else { break };
        duel.act(input.clone()).expect("a listed input is accepted");
    }
    let header = file::Header::new("duel", "plain".into(), digest("duel"), 30_000, 3);
    let text = file::write(&header, &duel).expect("a duel can be written");
    let rules = Arc::new(Duel);
    Box::new(move || file::verify(&rules, &text).map_or(0, |verified| verified.events as u64))
}

fn bench(name: &str, unit: &'static str, about: &str, prepare: fn() -> Box<dyn FnMut() -> u64>) -> Bench {
    Bench { name: name.to_owned(), unit, about: about.to_owned(), parts: None, prepare, facts: None }
}

/// The kernel's benchmarks.
pub fn benches() -> Vec<Bench> {
    let duel = "random duels: listeners alter, absorb, replace and hit back; dice, agenda, questions";
    let checked = "with the legality check and the all-or-nothing copy";
    vec![
        bench("kernel/duel/off", "events", duel, || work(Duel, 60, 2_000, Mode::Bare, true)),
        bench("kernel/duel/checked", "events", checked, || work(Duel, 60, 2_000, Mode::Checked, true)),
        bench("kernel/duel/log", "events", "the same, logged", || work(Duel, 60, 2_000, Mode::Log, true)),
        bench("kernel/duel/trace", "events", "the same, log and trace", || {
            work(Duel, 60, 2_000, Mode::Trace, true)
        }),
        bench("kernel/verify", "events", "a match file folded, rerun and its chain checked", verification),
        bench("kernel/tic-tac-toe/off", "steps", "random games", || {
            work(TicTacToe, (), 20_000, Mode::Bare, false)
        }),
        bench("kernel/tic-tac-toe/checked", "steps", checked, || {
            work(TicTacToe, (), 20_000, Mode::Checked, false)
        }),
        bench("kernel/tic-tac-toe/log", "steps", "the same, logged", || {
            work(TicTacToe, (), 20_000, Mode::Log, false)
        }),
        bench("kernel/connect-four/off", "steps", "random games", || {
            work(ConnectFour, (), 10_000, Mode::Bare, false)
        }),
        bench("kernel/connect-four/checked", "steps", checked, || {
            work(ConnectFour, (), 10_000, Mode::Checked, false)
        }),
        bench("kernel/connect-four/log", "steps", "the same, logged", || {
            work(ConnectFour, (), 10_000, Mode::Log, false)
        }),
    ]
}
