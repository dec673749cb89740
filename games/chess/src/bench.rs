//! Benchmarks of this game, for whoever holds a clock.

use crate::action::{Action, Play};
use crate::game::Chess;
use crate::plain::{Position as Plain, Variant, perft, perft_no_bulk};
use crate::setup::Setup;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Game as _, Input, Log, Mark, Off, Position, Recorder, Resolver};
use turnstone_host::Bench;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A 4 by 5 block of bombs beside a king that lights it.
const BOMBS: &str = "7k/8/8/1n{exploding}n{exploding}n{exploding}n{exploding}n{exploding}2/1n{exploding}n{exploding}n{exploding}n{exploding}n{exploding}2/1n{exploding}n{exploding}n{exploding}n{exploding}n{exploding}2/Rn{exploding}n{exploding}n{exploding}n{exploding}n{exploding}2/7K w - - 0 1";

pub(crate) fn benches() -> Vec<Bench> {
    let bench = |name: &str, unit, about: &str, prepare| Bench {
        name: format!("chess/{name}"),
        unit,
        about: about.to_owned(),
        parts: None,
        prepare,
        facts: None,
    };
    vec![
        bench("perft/start", "nodes", "Perft 5 from the start position, last ply counted.", || {
            perft_of(Variant::Standard.start_fen(), 5, true)
        }),
        bench("perft/kiwipete", "nodes", "Perft 4 of kiwipete, last ply counted.", || {
            perft_of(KIWIPETE, 4, true)
        }),
        bench("perft/start-no-bulk", "nodes", "Perft 4 from the start position, every leaf played.", || {
            perft_of(Variant::Standard.start_fen(), 4, false)
        }),
        bench("perft/kiwipete-no-bulk", "nodes", "Perft 3 of kiwipete, every leaf played.", || {
            perft_of(KIWIPETE, 3, false)
        }),
        bench("random/log-on", "steps", "Random orthodox games through the kernel, log on.", || {
            random_games(true)
        }),
        bench("random/log-off", "steps", "Random orthodox games through the kernel, log off.", || {
            random_games(false)
        }),
        bench(
            "move/checked",
            "moves",
            "Plain moves with legality check, rollback copy and log.",
            plain_moves,
        ),
        bench(
            "chain/20-bombs",
            "chains",
            "A 4×5 block of bombs, with legality check, rollback copy and log.",
            bomb_chains,
        ),
    ]
}

fn perft_of(fen: &'static str, depth: u32, bulk: bool) -> Box<dyn FnMut() -> u64> {
    let position = Plain::from_fen(fen, Variant::Standard).unwrap_or(Plain::start(Variant::Standard));
    Box::new(move || if bulk { perft(&position, depth) } else { perft_no_bulk(&position, depth) })
}

/// A position and its game, or nothing to do.
fn opened(ruleset: &str, setup: &Setup) -> Option<(Chess, Position<Chess>)> {
    let chess = Chess::builtin(ruleset).ok()?;
    let state = chess.start(setup, 0).ok()?;
    Some((chess, Position::new(state)))
}

fn random_games(log: bool) -> Box<dyn FnMut() -> u64> {
    let Some((chess, start)) = opened("standard", &Setup::Start) else { return Box::new(|| 0) };
    let mut lots = Lots::new(1, Stream::named("chess/bench"));
    let mut resolver = Resolver::default();
    let mut position = start.clone();
    let mut kept = Log::default();
    Box::new(move || {
        let mut steps = 0;
        for _ in 0..5 {
            position.clone_from(&start);
            kept.rollback(Mark::default());
            steps += if log {
                play_out(&chess, &mut position, &mut resolver, &mut lots, &mut kept)
            } else {
                play_out(&chess, &mut position, &mut resolver, &mut lots, &mut Off)
            };
        }
        steps
    })
}

/// Random legal inputs until the game is over.
fn play_out<R: Recorder<Chess>>(
    chess: &Chess,
    position: &mut Position<Chess>,
    resolver: &mut Resolver<Chess>,
    lots: &mut Lots,
    recorder: &mut R,
) -> u64 {
    let mut steps = 0;
    let (mut legal, mut answers) = (Vec::with_capacity(64), Vec::new());
    while position.state().end.is_none() {
        let input = if let Some(pending) = position.pending() {
            answers.clear();
            chess.answers(position.state(), &pending.question, &mut answers);
            answers.get(lots.below(answers.len() as u64) as usize).copied().map(Input::Choose)
        } else {
            legal.clear();
            chess.legal(position.state(), &mut legal);
            legal.get(lots.below(legal.len() as u64) as usize).copied().map(Input::Act)
        };
        let Some(input) = input else { break };
        if resolver.act_unchecked(chess, position, &input, recorder).is_err() {
            break;
        }
        steps += 1;
    }
    steps
}

/// Rooks that go to and fro, started again before that is a repetition.
fn plain_moves() -> Box<dyn FnMut() -> u64> {
    let setup = Setup::Fen("r3k3/8/8/8/8/8/8/4K2R w - - 0 1".to_owned());
    let Some((chess, start)) = opened("last-piece-standing", &setup) else { return Box::new(|| 0) };
    let mut position = start.clone();
    let round: Vec<Action> = ["h1h2", "a8a7", "h2h1", "a7a8"]
        .iter()
        .filter_map(|text| {
            let (from, to) = text.split_at(2);
            let (from, to) = (crate::At::parse(from)?, crate::At::parse(to)?);
            Some(Action::Play(Play::new(from, to, crate::How::Slide)))
        })
        .collect();
    let (mut resolver, mut log) = (Resolver::default(), Log::default());
    Box::new(move || {
        let mut moves = 0;
        for _ in 0..250 {
            position.clone_from(&start);
            log.rollback(Mark::default());
            for action in round.iter().chain(&round).chain(&round) {
                moves +=
                    u64::from(resolver.act(&chess, &mut position, &Input::Act(*action), &mut log).is_ok());
            }
        }
        moves
    })
}

fn bomb_chains() -> Box<dyn FnMut() -> u64> {
    let setup = Setup::Fen(BOMBS.to_owned());
    let Some((chess, start)) = opened("last-piece-standing", &setup) else { return Box::new(|| 0) };
    let Some(play) = chess.parse_play(start.state(), "a2b2") else { return Box::new(|| 0) };
    let (mut resolver, mut log) = (Resolver::default(), Log::default());
    let mut position = start.clone();
    Box::new(move || {
        let mut chains = 0;
        for _ in 0..1000 {
            position.clone_from(&start);
            log.rollback(Mark::default());
            chains += u64::from(
                resolver.act(&chess, &mut position, &Input::Act(Action::Play(play)), &mut log).is_ok(),
            );
        }
        chains
    })
}
