//! Random games of every variant beside shakmaty, ply by ply: the legal moves, every field of the
//! FEN, and how the game ends. A few games fit every test run; `PEER_GAMES=500` plays more of each.

use crate::positions;

use positions::entries;
use rayon::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::variant::{Variant as TheirVariant, VariantPosition};
use shakmaty::{CastlingMode, Color as TheirColor, EnPassantMode, KnownOutcome, Outcome, Position as _};
use std::collections::BTreeSet;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Game as _, Input, Off, Position, Resolver};
use turnstone_chess::catalog::{Catalog, Ruleset};
use turnstone_chess::plain::{EndReason, Variant};
use turnstone_chess::{Action, Chess, Color, Setup, State};

/// Games of each variant, half from its usual start, half from a recorded position.
fn games() -> u64 {
    std::env::var("PEER_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(12)
}

/// A game is left after so many plies.
const PLIES: usize = 200;

fn rules_of(variant: Variant) -> Ruleset {
    let catalog = Catalog::builtin();
    catalog.rulesets.iter().find(|rules| rules.variant == Some(variant)).expect("a ruleset").clone()
}

/// Where the game with this seed starts.
fn start_fen(chess: &Chess, variant: Variant, seed: u64) -> String {
    let recorded: Vec<String> = entries()
        .into_iter()
        .filter(|entry| Variant::from_name(&entry.variant) == Some(variant))
        .map(|entry| entry.fen)
        .collect();
    let nth = seed as usize / 2 % recorded.len().max(1);
    match recorded.get(nth).filter(|_| seed % 2 == 1) {
        Some(fen) => fen.clone(),
        None => chess.to_fen(&chess.start(&Setup::Start, seed).expect("a usual start")),
    }
}

/// Our side of a game: the state under the kernel.
struct Ours {
    chess: Chess,
    position: Position<Chess>,
    resolver: Resolver<Chess>,
}

impl Ours {
    fn new(rules: Ruleset, fen: &str) -> Ours {
        let chess = Chess::with_rules(Catalog::builtin(), rules).expect("good rules");
        let state = chess.start(&Setup::Fen(fen.to_owned()), 0).unwrap_or_else(|e| panic!("{fen}: {e}"));
        Ours { chess, position: Position::new(state), resolver: Resolver::default() }
    }

    fn state(&self) -> &State {
        self.position.state()
    }

    /// Every legal move as UCI with castling as king takes rook, and what it is to us.
    fn moves(&self) -> Vec<(String, Action)> {
        let mut legal = Vec::new();
        self.chess.legal(self.state(), &mut legal);
        let mut moves = Vec::new();
        for action in legal {
            let Action::Play(play) = action else { continue };
            let text = match play.how {
                turnstone_chess::How::Drop => self.chess.play_text(self.state(), &play),
                _ => format!("{}{}", play.from, play.to),
            };
            let asked = self.promotions(&play);
            if asked.is_empty() {
                moves.push((text.clone(), action));
            }
            for kind in asked {
                let letter = self.chess.catalog().piece(kind).letter.to_ascii_lowercase();
                moves.push((format!("{text}{letter}"), Action::Play(turnstone_chess::Play { kind, ..play })));
            }
        }
        moves.sort_by(|a, b| a.0.cmp(&b.0));
        moves
    }

    fn promotions(&self, play: &turnstone_chess::Play) -> Vec<turnstone_chess::Kind> {
        let pawn =
            self.state().piece_at(play.from).is_some_and(|(_, p)| p.kind == turnstone_chess::Kind::PAWN);
        let last = play.to.y == 0 || play.to.y + 1 == self.state().height();
        if pawn && last { self.chess.promotions().to_vec() } else { Vec::new() }
    }

    fn play(&mut self, action: Action) {
        let input = Input::Act(action);
        self.resolver.act(&self.chess, &mut self.position, &input, &mut Off).expect("a legal move");
        assert!(self.position.pending().is_none(), "the move brought its answer");
    }
}

fn their_variant(variant: Variant) -> TheirVariant {
    TheirVariant::from_uci(if variant == Variant::Chess960 { "chess" } else { variant.name() })
        .expect("known")
}

fn their_moves(theirs: &VariantPosition) -> BTreeSet<String> {
    theirs.legal_moves().into_iter().map(|mv| mv.to_uci(CastlingMode::Chess960).to_string()).collect()
}

/// The pocket is a bag: its order means nothing.
fn sorted_pocket(fen: &str) -> String {
    let Some((board, rest)) = fen.split_once('[') else { return fen.to_owned() };
    let Some((pocket, rest)) = rest.split_once(']') else { return fen.to_owned() };
    let mut letters: Vec<char> = pocket.chars().collect();
    letters.sort_unstable();
    format!("{board}[{}]{rest}", letters.into_iter().collect::<String>())
}

/// Who has won by their rules, or that it is a draw, or nothing yet.
fn their_end(theirs: &VariantPosition) -> Option<Option<Color>> {
    match theirs.outcome() {
        Outcome::Known(KnownOutcome::Decisive { winner: TheirColor::White }) => Some(Some(Color::White)),
        Outcome::Known(KnownOutcome::Decisive { winner: TheirColor::Black }) => Some(Some(Color::Black)),
        Outcome::Known(KnownOutcome::Draw) => Some(None),
        Outcome::Unknown => None,
    }
}

/// Ends that follow from the way to a position; shakmaty leaves them to others.
fn is_historical(reason: EndReason) -> bool {
    matches!(reason, EndReason::SeventyFiveMoves | EndReason::FivefoldRepetition | EndReason::TurnLimit)
}

/// Plays one game on both sides and compares; gives the plies compared.
fn compare(variant: Variant, seed: u64) -> usize {
    let mut ours = {
        let rules = rules_of(variant);
        let chess = Chess::with_rules(Catalog::builtin(), rules.clone()).expect("good rules");
        Ours::new(rules, &start_fen(&chess, variant, seed))
    };
    let fen: Fen = ours.chess.to_fen(ours.state()).parse().expect("a FEN that they read");
    let setup = fen.into_setup();
    let mut theirs = VariantPosition::from_setup(their_variant(variant), setup, CastlingMode::Chess960)
        .unwrap_or_else(|e| panic!("{variant:?} {seed}: {e}"));
    let mut lots = Lots::new(seed, Stream::named("peers").nth(variant as u64));
    let mut line = Vec::new();
    for ply in 0..PLIES {
        let at = || format!("{variant:?}, seed {seed}, after {}", line.join(" "));
        let fen = Fen::from_position(&theirs, EnPassantMode::Legal).to_string();
        assert_eq!(sorted_pocket(&ours.chess.to_fen(ours.state())), sorted_pocket(&fen), "{}", at());
        let ended = ours.state().end.filter(|end| is_historical(end.reason));
        if ended.is_some() {
            return ply;
        }
        assert_eq!(ours.state().end.map(|end| end.winner), their_end(&theirs), "{}", at());
        if ours.state().end.is_some() {
            return ply;
        }
        let moves = ours.moves();
        let names: BTreeSet<String> = moves.iter().map(|(name, _)| name.clone()).collect();
        assert_eq!(names.len(), moves.len(), "each once, {}", at());
        assert_eq!(names, their_moves(&theirs), "{}", at());
        let (name, action) = lots.pick(&moves).expect("the game is not over").clone();
        let uci: UciMove = name.parse().expect("a move that they read");
        let mv = uci.to_move(&theirs).expect("a move that is legal there");
        theirs.play_unchecked(mv);
        ours.play(action);
        line.push(name);
    }
    PLIES
}

#[test]
fn every_variant_agrees_with_shakmaty_ply_by_ply() {
    let cases: Vec<(Variant, u64)> =
        Variant::ALL.into_iter().flat_map(|variant| (0..games()).map(move |seed| (variant, seed))).collect();
    let plies: usize = cases.par_iter().map(|(variant, seed)| compare(*variant, *seed)).sum();
    println!("{} games, {plies} plies compared", cases.len());
    assert!(plies > cases.len() * 15, "{plies} plies in {} games are hardly any", cases.len());
}

/// Without its variant a ruleset is judged by the general rules for any board; the bitboards play along.
fn compare_general(variant: Variant, seed: u64) -> usize {
    let rules = rules_of(variant);
    let fen = {
        let chess = Chess::with_rules(Catalog::builtin(), rules.clone()).expect("good rules");
        start_fen(&chess, variant, seed)
    };
    let mut plain = Ours::new(rules.clone(), &fen);
    let mut general = Ours::new(Ruleset { variant: None, ..rules }, &fen);
    let mut lots = Lots::new(seed, Stream::named("general").nth(variant as u64));
    let mut line = Vec::new();
    for ply in 0..PLIES / 2 {
        let at = || format!("{variant:?}, seed {seed}, {fen} after {}", line.join(" "));
        // Only bitboards know of too little material.
        let dead = plain.state().end.is_some_and(|end| end.reason == EndReason::InsufficientMaterial);
        if dead {
            return ply;
        }
        assert_eq!(general.state().end, plain.state().end, "{}", at());
        let (ours, theirs) = (general.moves(), plain.moves());
        assert_eq!(ours, theirs, "{}", at());
        let Some((name, action)) = lots.pick(&ours).cloned() else { return ply };
        general.play(action);
        plain.play(action);
        line.push(name);
    }
    PLIES / 2
}

#[test]
fn the_general_rules_agree_with_bitboards_ply_by_ply() {
    let some = games().div_ceil(3);
    let cases: Vec<(Variant, u64)> =
        Variant::ALL.into_iter().flat_map(|variant| (0..some).map(move |seed| (variant, seed))).collect();
    let plies: usize = cases.par_iter().map(|(variant, seed)| compare_general(*variant, *seed)).sum();
    println!("{} games, {plies} plies compared", cases.len());
}
