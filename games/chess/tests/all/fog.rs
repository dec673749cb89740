//! In the fog of war a seat gets only what follows from what it may know: whatever is changed where it
//! cannot see, everything it is told stays the same. `FOG_GAMES=500` tries more.

use rayon::prelude::*;
use std::sync::Arc;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Game as _, Input, Match, Position, Seat, Seen as _, Viewer};
use turnstone_chess::catalog::Catalog;
use turnstone_chess::{Action, At, Chess, Color, How, Play, Saved, Setup, State};
use turnstone_host::Hosted as _;

fn games() -> u64 {
    std::env::var("FOG_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(3)
}

fn boards() -> Vec<Setup> {
    let small =
        Catalog::builtin().boards.iter().filter(|board| board.saved.width <= 12).cloned().collect::<Vec<_>>();
    small.into_iter().map(|board| Setup::Board(board.id)).chain([Setup::Start]).collect()
}

/// Everything that is ever said to a seat about this state.
fn said(chess: &Chess, state: &State, seat: Seat) -> String {
    let viewer = Viewer::Seat(seat);
    let position = Position::<Chess>::new(state.clone());
    let to_move = state.player as Seat == seat;
    let inputs = if to_move { position.inputs(chess) } else { Vec::new() };
    let scene = serde_json::to_string(&chess.scene(&position, &inputs, viewer)).expect("plain data");
    let view = view_of(chess, state, viewer).to_string();
    let mut refusals = String::new();
    if to_move {
        for from in state.all_squares() {
            let play = Play::new(from, At::new(0, 0), How::Slide);
            if let Err(refusal) = chess.check(state, &Action::Play(play)) {
                refusals += &refusal.to_string();
            }
        }
    }
    let inputs = serde_json::to_string(&inputs).expect("plain data");
    format!("{view}\n{scene}\n{inputs}\n{refusals}")
}

fn view_of(chess: &Chess, state: &State, viewer: Viewer) -> serde_json::Value {
    chess.view(state, viewer)
}

/// The same position for this seat, otherwise where it cannot see.
fn other_world(chess: &Chess, state: &State, seat: Seat, lots: &mut Lots) -> Option<State> {
    let seen = chess.visible(state, Viewer::Seat(seat))?;
    let hidden = |at: At| seen.binary_search(&at).is_err();
    let mut saved = Saved::from(state.clone());
    let mut free: Vec<At> =
        state.all_squares().filter(|at| hidden(*at) && !state.id_at(*at).is_some()).collect();
    free.retain(|at| state.step(*at, 0, 0).is_some());
    let mut changed = false;
    for piece in &mut saved.pieces {
        let theirs = piece.owner as Seat != seat;
        if theirs && piece.on_board() {
            // How often it moved cannot be seen, be the piece seen or not.
            piece.moves = lots.below(50) as u16;
            changed = true;
        }
        if theirs && piece.on_board() && hidden(piece.at) && !free.is_empty() {
            let index = lots.below(free.len() as u64) as usize;
            std::mem::swap(&mut piece.at, &mut free[index]);
        }
    }
    saved.halfmoves = lots.below(90) as u16;
    let other = State::try_from(saved).ok()?;
    // Pieces that stand elsewhere may bar other ways; then it is not the same sight.
    let same = chess.visible(&other, Viewer::Seat(seat)).as_ref() == Some(&seen);
    (changed && same).then_some(other)
}

fn roam(setup: &Setup, seed: u64) -> usize {
    let chess = Arc::new(Chess::builtin("dark").expect("the ruleset"));
    let mut game: Match<Chess> = Match::new(Arc::clone(&chess), setup.clone(), seed).expect("a board");
    let mut lots = Lots::new(seed, Stream::named("fog"));
    let mut pairs = 0;
    for _ in 0..40 {
        for color in Color::BOTH {
            let seat = color as Seat;
            if let Some(other) = other_world(&chess, game.state(), seat, &mut lots) {
                assert_eq!(
                    said(&chess, game.state(), seat),
                    said(&chess, &other, seat),
                    "{setup:?}, seed {seed}"
                );
                pairs += 1;
            }
        }
        pairs += unseen_moves_look_alike(&chess, &game, setup);
        let inputs = game.inputs();
        let Some(input) = lots.pick(&inputs).cloned() else { break };
        game.act(input).expect("a legal input");
    }
    pairs
}

/// Moves of the other side after which a seat sees the same are told alike, if they are told at all.
fn unseen_moves_look_alike(chess: &Arc<Chess>, game: &Match<Chess>, setup: &Setup) -> usize {
    // Who slides over ice, or builds where one looks, is seen in passing.
    if !game.state().is_level() {
        return 0;
    }
    let viewer = Viewer::Seat(!game.state().player as Seat);
    let before = view_of(chess, game.state(), viewer);
    let mut quiet: Option<String> = None;
    let mut pairs = 0;
    for input in game.inputs().into_iter().take(12) {
        let mut fork = game.clone();
        let Ok(moment) = fork.act(input) else { continue };
        if fork.position().pending().is_some() || fork.outcome().is_some() {
            continue;
        }
        let after = view_of(chess, fork.state(), viewer);
        if after["pieces"] != before["pieces"]
            || after["seen"] != before["seen"]
            || after["tiles"] != before["tiles"]
        {
            continue;
        }
        let told = serde_json::to_string(&fork.entries_for(moment, viewer)).expect("plain data");
        match &quiet {
            Some(first) => assert_eq!(&told, first, "{setup:?}"),
            None => quiet = Some(told),
        }
        pairs += 1;
    }
    pairs
}

#[test]
fn what_cannot_be_seen_changes_nothing_that_is_said() {
    let cases: Vec<(Setup, u64)> =
        boards().into_iter().flat_map(|setup| (0..games()).map(move |seed| (setup.clone(), seed))).collect();
    let pairs: usize = cases.par_iter().map(|(setup, seed)| roam(setup, *seed)).sum();
    println!("{pairs} pairs");
    assert!(pairs > 100 * games() as usize, "{pairs} pairs are too few");
}

#[test]
fn no_event_shows_what_the_view_hides() {
    for setup in boards() {
        let chess = Arc::new(Chess::builtin("dark").expect("the ruleset"));
        let mut game: Match<Chess> = Match::new(Arc::clone(&chess), setup.clone(), 1).expect("a board");
        let mut lots = Lots::new(7, Stream::named("fog"));
        for _ in 0..60 {
            let inputs = game.inputs();
            let Some(input) = lots.pick(&inputs).cloned() else { break };
            let mover = game.state().player;
            let moment = game.act(input).expect("a legal input");
            let viewer = Viewer::Seat(!mover as Seat);
            let Some(seen) = chess.visible(game.state(), viewer) else { break };
            let facts = game.entries_for(moment, viewer);
            let last = facts.iter().rev().filter_map(|fact| fact.event()).find_map(|event| match event {
                turnstone_chess::Event::Moved { piece, to, .. } if piece.owner == mover => Some(*to),
                _ => None,
            });
            let Some(to) = last.filter(|to| to.is_somewhere()) else { continue };
            let stands = game.state().piece_at(to).is_some_and(|(_, piece)| piece.owner == mover);
            assert!(!stands || seen.binary_search(&to).is_ok(), "{setup:?}: {to} is told and not seen");
        }
    }
}

#[test]
fn a_draw_is_offered_and_taken_by_the_other_side_alone() {
    let chess = Arc::new(Chess::builtin("standard").expect("the ruleset"));
    let mut game: Match<Chess> = Match::new(Arc::clone(&chess), Setup::Start, 0).expect("a match");
    let offer = Input::Act(Action::OfferDraw(Color::White));
    let accept = |color| Input::Act(Action::AcceptDraw(color));
    assert!(!chess.may_send(game.position(), 1, &offer) && chess.may_send(game.position(), 0, &offer));
    game.act(offer).expect("an offer");
    assert!(!game.inputs().contains(&accept(Color::White)));
    let play = chess.parse_play(game.state(), "e4").expect("a move");
    game.act(Input::Act(Action::Play(play))).expect("a move");
    assert!(game.inputs().contains(&accept(Color::Black)), "it stands until the other side has moved");
    let mut other = game.clone();
    other.act(accept(Color::Black)).expect("taken");
    assert_eq!(other.outcome(), Some(turnstone::Outcome::Drawn));
    let play = chess.parse_play(game.state(), "e5").expect("a move");
    game.act(Input::Act(Action::Play(play))).expect("a move");
    assert_eq!(game.state().offer, None);
}
