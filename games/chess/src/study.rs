//! What reports over many games tell: openings by side, what a run offers and what one has, and what an ability, a
//! tile or a piece is worth on a board, found by trying it.

use std::collections::BTreeSet;

use crate::ability::AbilityId;
use crate::action::{Action, Play};
use crate::at::At;
use crate::catalog::AbilityDef;
use crate::color::Color;
use crate::game::Chess;
use crate::piece::{Kind, Piece};
use crate::run::{NodeKind, Offer, Run, RunAction};
use crate::setup::Setup;
use crate::state::{Saved, State};
use crate::tile::Tile;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Game as _, Input, InputOf, Position, Seat};
use turnstone_host::{Graft, Topic};

const GRAFTS: Stream = Stream::named("chess/grafts");

/// The first move of each side, and what a run offers.
pub(crate) fn topics(
    chess: &Chess,
    position: &Position<Chess>,
    inputs: &[InputOf<Chess>],
) -> Vec<(usize, Topic)> {
    let state = position.state();
    let topic = |input: &InputOf<Chess>| match (input, &state.run) {
        (Input::Act(Action::Play(play)), None) => opening(chess, state, play),
        (Input::Act(Action::Run(step)), Some(run)) => offered(chess, run, *step, inputs),
        _ => None,
    };
    let quiet = state.run.as_ref().map_or(state.turn > 2, |run| run.is_fighting());
    if quiet || position.pending().is_some() {
        return Vec::new();
    }
    inputs.iter().enumerate().filter_map(|(number, input)| Some((number, topic(input)?))).collect()
}

fn opening(chess: &Chess, state: &State, play: &Play) -> Option<Topic> {
    let kind = if state.player == Color::White { "opening" } else { "reply" };
    Some(Topic::rival(kind, chess.play_text(state, play)))
}

fn offered(chess: &Chess, run: &Run, step: RunAction, inputs: &[InputOf<Chess>]) -> Option<Topic> {
    let (RunAction::Take(offer) | RunAction::Give { offer, .. }) = step else { return None };
    let catalog = chess.catalog();
    let (kind, name) = match *run.offers.get(usize::from(offer))? {
        Offer::Piece(kind) => ("piece", catalog.piece(kind).name.clone()),
        Offer::Ability(ability) => ("ability", catalog.ability(ability).name.clone()),
        Offer::Relic(relic) => ("relic", catalog.relic(relic)?.name.clone()),
        Offer::Money(money) => ("money", money.to_string()),
    };
    let leave = inputs.iter().position(|input| matches!(input, Input::Act(Action::Run(RunAction::Leave))));
    Some(match leave {
        Some(leave) => Topic::declined_by(kind, name, leave),
        None => Topic::rival(kind, name),
    })
}

/// What one has on a run. On a board everything that is left would be told: who wins has more left.
pub(crate) fn holdings(chess: &Chess, state: &State, seat: Seat) -> Vec<(&'static str, String)> {
    let Some(run) = state.run.as_ref().filter(|_| seat == 0) else { return Vec::new() };
    let catalog = chess.catalog();
    let relics = run.relics.iter().filter_map(|relic| catalog.relic(*relic));
    let relics = relics.map(|relic| ("relic", relic.name.clone()));
    let abilities = run
        .roster
        .iter()
        .flat_map(|member| member.layers.iter().map(|layer| layer.ability).collect::<Vec<_>>());
    let abilities = abilities.map(|ability| ("ability", catalog.ability(ability).name.clone()));
    let pieces = run.roster.iter().map(|member| ("piece", catalog.piece(member.kind).name.clone()));
    relics.chain(abilities).chain(pieces).collect()
}

/// A fight of a run, and the pieces one has on the board.
pub(crate) fn chapter(state: &State) -> Option<(String, i64)> {
    let run = state.run.as_ref().filter(|run| run.is_fighting())?;
    let node = run.map.get(usize::from(run.here?))?;
    let own = state.pieces().filter(|(_, piece)| piece.on_board() && piece.owner == Color::White).count();
    let kind = match node.kind {
        NodeKind::Fight => "a fight",
        NodeKind::Elite => "an elite",
        NodeKind::Boss => "the boss",
        NodeKind::Shop | NodeKind::Event => "another fight",
    };
    Some((format!("act {}: {kind}", run.act), own as i64))
}

/// A piece that a side gets, where one that it loses is a `piece`: what the one is worth need not be what the other is.
const MORE: &str = "one more";

/// On a board, for each side: every ability of the pool or of a piece on the board for one more of its pieces, every
/// tile that needs nothing else on one more of the empty squares of its half, and of every kind of piece that it has one
/// less, and one more on an empty square of its half.
pub(crate) fn grafts(chess: &Chess, setup: &Setup, seed: u64) -> Vec<Graft> {
    let Some(saved) = first(chess, setup, seed) else { return Vec::new() };
    let catalog = chess.catalog();
    let (tried, _) = abilities(chess, &saved);
    let mut all = Vec::new();
    for (seat, color) in Color::BOTH.into_iter().enumerate() {
        let seat = seat as Seat;
        all.extend(tried.iter().map(|ability| Graft::adding(seat, "ability", *ability)));
        all.extend(TILES.iter().map(|tile| Graft::adding(seat, "tile", tile_name(chess, *tile))));
        let mut kinds: Vec<Kind> = own(&saved, color).map(|piece| piece.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let names = kinds.into_iter().map(|kind| catalog.piece(kind)).filter(|piece| !piece.royal);
        let names: Vec<&String> = names.map(|piece| &piece.name).collect();
        all.extend(names.iter().map(|name| Graft::removing(seat, "piece", *name)));
        all.extend(names.iter().map(|name| Graft::adding(seat, MORE, *name)));
    }
    all
}

/// The names of the abilities that are tried, and of those that are not: runs do not offer them, and nobody has one.
fn abilities<'c>(chess: &'c Chess, saved: &Saved) -> (Vec<&'c str>, Vec<&'c str>) {
    let on_board = saved.pieces.iter().filter(|piece| piece.on_board());
    let borne: BTreeSet<usize> =
        on_board.flat_map(|piece| piece.layers.iter().map(|layer| usize::from(layer.ability.0))).collect();
    let all = chess.catalog().abilities.iter().enumerate();
    let (tried, left): (Vec<_>, Vec<_>) =
        all.partition(|(place, ability)| ability.pool || borne.contains(place));
    let names =
        |of: Vec<(usize, &'c AbilityDef)>| of.into_iter().map(|(_, ability)| ability.name.as_str()).collect();
    (names(tried), names(left))
}

/// What is not tried on this board, and why.
pub(crate) fn ungrafted(chess: &Chess, setup: &Setup, seed: u64) -> Vec<String> {
    let Some(saved) = first(chess, setup, seed) else { return Vec::new() };
    let reason = |tile: Tile| match tile {
        Tile::Standard | Tile::Guardian | Tile::Fog | Tile::Slippery | Tile::Wall => None,
        Tile::Tomb => Some("it would hold nobody"),
        Tile::Void => Some("a hole makes another board"),
    };
    let not_laid = |tile: Tile| Some(format!("no {} is laid: {}", tile_name(chess, tile), reason(tile)?));
    let mut lines: Vec<String> = Tile::ALL.into_iter().filter_map(not_laid).collect();
    let (_, left) = abilities(chess, &saved);
    if !left.is_empty() {
        let left = left.join(", ");
        lines.push(format!("not given, as runs do not offer them and nobody has one here: {left}"));
    }
    lines
}

/// Tiles that need nothing else.
const TILES: [Tile; 4] = [Tile::Guardian, Tile::Fog, Tile::Slippery, Tile::Wall];

fn tile_name(chess: &Chess, tile: Tile) -> String {
    let place = Tile::ALL.iter().position(|other| *other == tile).unwrap_or(0);
    chess.catalog().tiles.get(place).map_or_else(String::new, |def| def.name.clone())
}

fn own(saved: &Saved, color: Color) -> impl Iterator<Item = &Piece> {
    saved.pieces.iter().filter(move |piece| piece.on_board() && piece.owner == color)
}

/// The first position; none for a run, which makes its boards on the way.
fn first(chess: &Chess, setup: &Setup, seed: u64) -> Option<Saved> {
    if matches!(setup, Setup::Run(_)) {
        return None;
    }
    let state = chess.start(setup, seed).ok()?;
    Some(Saved { keys: Vec::new(), ..Saved::from(state) })
}

/// The set-up with one of them, by lot.
pub(crate) fn graft(chess: &Chess, setup: &Setup, seed: u64, graft: &Graft) -> Option<Setup> {
    let mut saved = first(chess, setup, seed)?;
    let mut lots = Lots::new(seed, GRAFTS);
    let color = *Color::BOTH.get(usize::from(graft.seat))?;
    match graft.kind.as_str() {
        "ability" => give(chess, &mut saved, color, &graft.name, &mut lots)?,
        "tile" => lay(chess, &mut saved, color, &graft.name, &mut lots)?,
        "piece" => take(chess, &mut saved, color, &graft.name, &mut lots)?,
        MORE => saved = join(chess, &saved, color, &graft.name, &mut lots)?,
        _ => return None,
    }
    Some(Setup::Position(Box::new(saved)))
}

fn give(chess: &Chess, saved: &mut Saved, color: Color, name: &str, lots: &mut Lots) -> Option<()> {
    let catalog = chess.catalog();
    let place = catalog.abilities.iter().position(|ability| ability.name == name)?;
    let layer = catalog.layer(AbilityId(u8::try_from(place).ok()?));
    let fits = |piece: &&mut Piece| {
        let free = piece.on_board() && piece.owner == color && !catalog.piece(piece.kind).royal;
        free && piece.layers.mask() & layer.verb.bit() == 0
    };
    let mut bearers: Vec<&mut Piece> = saved.pieces.iter_mut().filter(fits).collect();
    let chosen = lots.index(bearers.len())?;
    bearers.get_mut(chosen)?.layers.push_outermost(layer).then_some(())
}

fn lay(chess: &Chess, saved: &mut Saved, color: Color, name: &str, lots: &mut Lots) -> Option<()> {
    let tile = TILES.into_iter().find(|tile| tile_name(chess, *tile) == name)?;
    let free = free(saved, color);
    saved.tiles.push((*free.get(lots.index(free.len())?)?, tile));
    Some(())
}

/// The usual squares of a side's half on which nobody stands.
fn free(saved: &Saved, color: Color) -> Vec<At> {
    let half = saved.height / 2;
    let rows = if color == Color::White { 0..half } else { saved.height - half..saved.height };
    let squares = rows.flat_map(|y| (0..saved.width).map(move |x| At { x, y }));
    squares
        .filter(|at| !saved.tiles.iter().any(|(taken, _)| taken == at))
        .filter(|at| !saved.pieces.iter().any(|piece| piece.on_board() && piece.at == *at))
        .collect()
}

/// One more of a kind: a pawn not on the first or the last row, and nobody where he would give check at once.
fn join(chess: &Chess, saved: &Saved, color: Color, name: &str, lots: &mut Lots) -> Option<Saved> {
    let place = chess.catalog().pieces.iter().position(|piece| piece.name == name)?;
    let kind = Kind(u8::try_from(place).ok()?);
    let mut squares = free(saved, color);
    let pawn = chess.catalog().piece(kind).pawn;
    squares.retain(|at| !pawn || (1..saved.height - 1).contains(&at.y));
    lots.shuffle(&mut squares);
    squares.into_iter().find_map(|at| {
        let mut joined = saved.clone();
        joined.pieces.push(Piece::new(kind, color, at));
        let state = chess.start(&Setup::Position(Box::new(joined.clone())), 0).ok()?;
        (state.end.is_none() && !chess.is_in_check(&state, !color)).then_some(joined)
    })
}

fn take(chess: &Chess, saved: &mut Saved, color: Color, name: &str, lots: &mut Lots) -> Option<()> {
    let catalog = chess.catalog();
    let fits =
        |piece: &Piece| piece.on_board() && piece.owner == color && catalog.piece(piece.kind).name == name;
    let places: Vec<usize> = (0..saved.pieces.len()).filter(|place| fits(&saved.pieces[*place])).collect();
    let place = *places.get(lots.index(places.len())?)?;
    let gone = saved.pieces[place].at;
    // Pieces are known by their place in the list: it stays, off the board.
    saved.pieces[place].at = At::NOWHERE;
    saved.castling.retain(|at| *at != gone);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone_host::{Hosted as _, Opening};

    #[test]
    fn one_piece_more_can_be_played_and_gives_no_check_at_once() {
        for setup in ["start", "circus"] {
            let opening = Opening { setup: Some(setup.to_owned()), ..Opening::default() };
            let (chess, setup) = Chess::open_table(&opening).unwrap();
            let pieces = |setup: &Setup| chess.start(setup, 1).unwrap().on_board().count();
            let more: Vec<Graft> =
                grafts(&chess, &setup, 1).into_iter().filter(|graft| graft.kind == MORE).collect();
            assert!(more.len() >= 10, "five kinds of each side: {more:?}");
            for (seed, one) in (1..).zip(&more) {
                let changed = graft(&chess, &setup, seed, one).unwrap_or_else(|| panic!("{one:?}"));
                assert_eq!(pieces(&changed), pieces(&setup) + 1, "{one:?}");
                let state = chess.start(&changed, seed).unwrap();
                let other = Color::BOTH[usize::from(1 - one.seat)];
                assert!(!chess.is_in_check(&state, other) && state.end.is_none(), "{one:?}");
                let Setup::Position(saved) = changed else { panic!("{one:?}") };
                let last = saved.pieces.last().unwrap();
                let inside = (1..saved.height - 1).contains(&last.at.y);
                assert!(inside || last.kind != Kind::PAWN, "{one:?}");
            }
        }
    }

    #[test]
    fn whatever_is_not_tried_is_told() {
        let opening = Opening { setup: Some("circus".to_owned()), ..Opening::default() };
        let (chess, setup) = Chess::open_table(&opening).unwrap();
        let tried: BTreeSet<String> = grafts(&chess, &setup, 1).into_iter().map(|graft| graft.name).collect();
        let told = ungrafted(&chess, &setup, 1).join("\n");
        let catalog = chess.catalog();
        let abilities = catalog.abilities.iter().map(|ability| &ability.name);
        let tiles = catalog.tiles.iter().map(|tile| &tile.name).filter(|name| *name != "Standard tile");
        for name in abilities.chain(tiles) {
            assert!(tried.contains(name) != told.contains(name.as_str()), "{name}: {told}");
        }
        assert_eq!(
            ungrafted(
                &chess,
                &Chess::open_table(&Opening { setup: Some("run".to_owned()), ..opening }).unwrap().1,
                1
            ),
            [""; 0]
        );
    }
}
