//! What is measured: whole games, new runs, maps.

use std::sync::{Arc, LazyLock};

use turnstone::{Game, Off, Offers, Position, Rejection, Resolver};
use turnstone_host::{Bench, Player};

use super::Setup;
use super::bots::{Heuristic, Onlooker, Random};
use super::tower::End;
use crate::game::Ruleset;
use crate::game::Spire;
use crate::seeds::{Fate, Map, Rules, RunSetup, Tables};
use crate::state::State;

static GAME: LazyLock<Option<Arc<Spire>>> =
    LazyLock::new(|| Spire::builtin(Ruleset::Classic).ok().map(Arc::new));

/// What happened in games that were played out.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameFacts {
    /// Games.
    pub games: u64,
    /// Inputs.
    pub inputs: u64,
    /// Of these, in fights.
    pub(crate) fight_inputs: u64,
    /// Fights.
    pub fights: u64,
    /// Floors.
    pub floors: u64,
    /// Games won.
    pub won: u64,
}

impl GameFacts {
    fn count(&mut self, state: &State) {
        let tally = &state.tower.tally;
        self.games += 1;
        self.floors += u64::from(state.run.floor);
        self.fights += u64::from(tally.fights) + u64::from(tally.bosses);
        self.fights += tally.elites.iter().map(|n| u64::from(*n)).sum::<u64>();
        self.fights += u64::from(state.tower.end == Some(End::Died));
        self.won += u64::from(matches!(state.tower.end, Some(End::Won | End::Heart)));
    }

    fn lines(&self) -> Vec<(String, String)> {
        let per = |n: u64| format!("{:.1}", n as f64 / self.games.max(1) as f64);
        vec![
            ("mean last floor".into(), per(self.floors)),
            ("fights".into(), per(self.fights)),
            ("fight inputs".into(), per(self.fight_inputs)),
            ("other inputs".into(), per(self.inputs - self.fight_inputs)),
            ("won".into(), format!("{:.1} %", 100.0 * self.won as f64 / self.games.max(1) as f64)),
        ]
    }
}

/// Inputs after which a game is given up: a deck without attacks against an enemy that cannot hurt lasts for ever.
const LONGEST: u64 = 20_000;

/// What games one after the other share: buffers that stay warm.
#[derive(Default)]
struct Desk {
    resolver: Resolver<Spire>,
    offers: Offers<Spire>,
}

impl Desk {
    /// Plays one run to its end, without a log.
    fn play_out(
        &mut self,
        game: &Spire,
        start: State,
        bot: &mut Player<Spire>,
        facts: &mut GameFacts,
    ) -> Result<Position<Spire>, Rejection> {
        let mut position = Position::new(start);
        for moment in 0..LONGEST {
            let inputs = self.offers.list(game, &position);
            if inputs.is_empty() {
                break;
            }
            facts.inputs += 1;
            facts.fight_inputs += u64::from(position.state().is_fighting());
            let chosen = bot.choose(game, &position, inputs, moment as u32);
            self.resolver.act_unchecked(game, &mut position, &inputs[chosen], &mut Off)?;
        }
        facts.count(position.state());
        Ok(position)
    }
}

/// Plays one run to its end, without a log.
///
/// # Errors
/// A refused input, which would be a fault of ours.
pub fn play_out(
    game: &Spire,
    setup: &Setup,
    seed: u64,
    bot: &mut Player<Spire>,
    facts: &mut GameFacts,
) -> Result<State, Rejection> {
    let position = Desk::default().play_out(game, game.start(setup, seed)?, bot, facts)?;
    Ok(position.state().clone())
}

fn games(chunk: u64, new_bot: fn(u64) -> Player<Spire>) -> Box<dyn FnMut() -> u64> {
    let (mut seed, mut desk) = (0, Desk::default());
    Box::new(move || {
        let Some(game) = GAME.as_ref() else { return 0 };
        let mut facts = GameFacts::default();
        for _ in 0..chunk {
            seed += 1;
            let start = game.start(&Setup::run(FIRST, 0), seed);
            let played = start.and_then(|start| desk.play_out(game, start, &mut new_bot(seed), &mut facts));
            if played.is_err() {
                break;
            }
        }
        facts.games
    })
}

fn facts(count: u64, new_bot: fn(u64) -> Player<Spire>) -> Vec<(String, String)> {
    let mut facts = GameFacts::default();
    if let Some(game) = GAME.as_ref() {
        for seed in 1..=count {
            let _ = play_out(game, &Setup::run(FIRST, 0), seed, &mut new_bot(seed), &mut facts);
        }
    }
    facts.lines()
}

fn random_bot(seed: u64) -> Player<Spire> {
    Player::new(Box::new(Random), 0, seed)
}

fn heuristic_bot(seed: u64) -> Player<Spire> {
    Player::new(Box::new(Onlooker::new(Heuristic::default())), 0, seed)
}

/// The benchmarks of whole runs.
pub(super) fn benches() -> Vec<Bench> {
    vec![
        Bench {
            name: "spire/run/random".into(),
            unit: "games",
            about: "Spire runs of the Ironclad from Neow to the end, uniformly random legal choices".into(),
            parts: None,
            prepare: || games(40, random_bot),
            facts: Some(|| facts(400, random_bot)),
        },
        Bench {
            name: "spire/run/heuristic".into(),
            unit: "games",
            about: "Spire runs of the Ironclad by the heuristic player".into(),
            parts: None,
            prepare: || games(10, heuristic_bot),
            facts: Some(|| facts(200, heuristic_bot)),
        },
        Bench {
            name: "spire/new-run".into(),
            unit: "runs",
            about: "Map, relic pools, fight and event lists of a new run".into(),
            parts: None,
            prepare: new_runs,
            facts: None,
        },
        Bench {
            name: "spire/map".into(),
            unit: "maps",
            about: "The map of an act with its rooms and burning elite".into(),
            parts: None,
            prepare: maps,
            facts: None,
        },
    ]
}

const CHUNK: u64 = 2_000;

/// Who is timed.
// Names content: the same one every time.
const FIRST: &str = "ironclad";

fn new_runs() -> Box<dyn FnMut() -> u64> {
    let mut seed = 0_u64;
    let character = Tables::embedded().everybody[0];
    Box::new(move || {
        for _ in 0..CHUNK {
            seed += 1;
            let setup = RunSetup { seed, character, ascension: 0, rules: Rules::Original };
            std::hint::black_box(Fate::new(Tables::embedded(), setup));
        }
        CHUNK
    })
}

fn maps() -> Box<dyn FnMut() -> u64> {
    let plan = Tables::embedded().map_plan(1, 0);
    let mut seed = 0_u64;
    Box::new(move || {
        for _ in 0..CHUNK {
            seed += 1;
            std::hint::black_box(Map::generate(&plan, seed, Rules::Original));
        }
        CHUNK
    })
}
