//! Written games and matches: each can be made from the other. Variations are branches.

use crate::action::{Action, Answer, Play};
use crate::catalog::Catalog;
use crate::color::Color;
use crate::game::Chess;
use crate::notation::{PgnGame, PgnMove};
use crate::piece::Kind;
use crate::plain::{EndReason, Move, Position, Variant};
use crate::rules::plain::play_of;
use crate::setup::{Record, Remark, Setup};
use std::collections::BTreeMap;
use std::sync::Arc;
use turnstone::{Input, Match, Moment, Rejection};

/// A match as PGN: the line that stands is the main line, the others are variations. `None` if it did
/// not start from a plain position.
pub fn pgn_of(game: &Match<Chess>) -> Option<PgnGame> {
    let start = game.game().plain(game.position_at(0).ok()?.state())?;
    let record = match game.setup() {
        Setup::Record(record) => (**record).clone(),
        _ => Record::default(),
    };
    let writer = Writer {
        game,
        children: children(game),
        line: game.line(),
        remarks: record.remarks.into_iter().collect(),
    };
    let line = writer.line(0, start, "")?;
    let end = game.state().end;
    let mut tags = record.tags;
    if let Some(why) = end.and_then(|end| termination(end.reason))
        && !tags.iter().any(|(name, _)| name == "Termination")
    {
        tags.push(("Termination".to_owned(), why.to_owned()));
    }
    let told = tags.iter().find(|(name, _)| name == "Result").map(|(_, value)| value.clone());
    let result = end.map(|end| end.score().to_owned()).or(told).unwrap_or_else(|| "*".to_owned());
    Some(PgnGame { tags, start, preface: record.preface, line, result })
}

/// Ends that the moves do not show.
fn termination(reason: EndReason) -> Option<&'static str> {
    match reason {
        EndReason::TimeOut => Some("time forfeit"),
        EndReason::Resignation | EndReason::Agreement => Some("normal"),
        _ => None,
    }
}

/// The moments that follow each moment, in the order in which they were played.
fn children(game: &Match<Chess>) -> BTreeMap<Moment, Vec<Moment>> {
    let mut children: BTreeMap<Moment, Vec<Moment>> = BTreeMap::new();
    for moment in 1..game.moments() {
        if let Some(parent) = game.parent(moment) {
            children.entry(parent).or_default().push(moment);
        }
    }
    children
}

struct Writer<'a> {
    game: &'a Match<Chess>,
    children: BTreeMap<Moment, Vec<Moment>>,
    /// The line that stands.
    line: Vec<Moment>,
    remarks: BTreeMap<String, Remark>,
}

impl Writer<'_> {
    /// The moves from a moment on; `None` if one of them is no plain move.
    fn line(&self, moment: Moment, position: Position, path: &str) -> Option<Vec<PgnMove>> {
        let (mut here, mut position, mut path) = (moment, position, path.to_owned());
        let mut line = Vec::new();
        loop {
            let mut ways = self.ways(here, &position)?;
            // What stands comes first, then what was played first.
            ways.sort_by_key(|(_, moment)| !self.line.contains(moment));
            let mut ways = ways.into_iter();
            let Some((mv, next)) = ways.next() else { return Some(line) };
            let mut step = self.step(&position, mv, &path);
            for (other, elsewhere) in ways {
                let first = self.step(&position, other, &path);
                let further =
                    self.line(elsewhere, position.after(&other), &longer(&path, &position, &other))?;
                step.variations.push(std::iter::once(first).chain(further).collect());
            }
            path = longer(&path, &position, &mv);
            position.play_unchecked(&mv);
            line.push(step);
            here = next;
        }
    }

    /// The moves that were made at a moment, and where they led; a promotion and its answer are one.
    fn ways(&self, moment: Moment, position: &Position) -> Option<Vec<(Move, Moment)>> {
        let mut ways = Vec::new();
        for child in self.children.get(&moment).into_iter().flatten() {
            let Some(Input::Act(Action::Play(play))) = self.game.input(*child) else { continue };
            let answers = self.children.get(child).into_iter().flatten().filter_map(|next| {
                match self.game.input(*next) {
                    Some(Input::Choose(Answer::Kind(kind))) => Some((*kind, *next)),
                    _ => None,
                }
            });
            let answers: Vec<(Kind, Moment)> = answers.collect();
            if answers.is_empty() {
                ways.extend(move_of(position, play).map(|mv| (mv, *child)));
                continue;
            }
            for (kind, next) in answers {
                ways.push((move_of(position, &Play { kind, ..*play })?, next));
            }
        }
        Some(ways)
    }

    fn step(&self, position: &Position, mv: Move, path: &str) -> PgnMove {
        let remark = self.remarks.get(&longer(path, position, &mv)).cloned().unwrap_or_default();
        PgnMove { nags: remark.nags, comments: remark.comments, ..PgnMove::bare(mv) }
    }
}

/// The plain move that a play is. A pawn that blew up on its last rank was never asked what it becomes.
fn move_of(position: &Position, play: &Play) -> Option<Move> {
    let queen = Play { kind: Kind::QUEEN, ..*play };
    let legal = position.legal();
    let fits = |wanted: Play| legal.iter().find(|mv| play_of(mv) == wanted).copied();
    fits(*play).or_else(|| fits(queen))
}

/// One move more on the way.
fn longer(path: &str, position: &Position, mv: &Move) -> String {
    let name = position.to_uci(mv);
    if path.is_empty() { name } else { format!("{path} {name}") }
}

/// A match that goes as a PGN game went, with its variations as branches, to its result. Moves after
/// the game was over by rule are left out; a remark says so.
///
/// # Errors
/// If the rules refuse it; a game that [`read_pgn`](crate::notation::read_pgn) has read is legal.
pub fn match_of(pgn: &PgnGame) -> Result<Match<Chess>, Rejection> {
    let catalog = Catalog::builtin();
    let variant = pgn.start.variant();
    let rules = catalog.rulesets.iter().find(|rules| rules.variant == Some(variant) && rules.ends);
    let rules = rules
        .cloned()
        .ok_or_else(|| Rejection::new("UNKNOWN_RULESET", format!("no ruleset plays {}", variant.name())))?;
    let chess = Arc::new(Chess::with_rules(catalog, rules)?);
    let usual = pgn.start == Position::start(variant) && variant != Variant::Chess960;
    let mut record = Record {
        fen: (!usual).then(|| pgn.start.to_fen()),
        tags: pgn.tags.clone(),
        preface: pgn.preface.clone(),
        remarks: Vec::new(),
    };
    remember(&pgn.line, pgn.start, "", &mut record.remarks);
    let mut game = Match::new(chess, Setup::Record(Box::new(record)), 0)?;
    let last = play_line(&mut game, &pgn.line)?;
    game.jump(last)?;
    let end = match (game.outcome(), pgn.result.as_str()) {
        (None, "1-0") => Some(Action::Resign(Color::Black)),
        (None, "0-1") => Some(Action::Resign(Color::White)),
        (None, "1/2-1/2") => Some(Action::AgreeDraw),
        _ => None,
    };
    if let Some(end) = end {
        game.act(Input::Act(end))?;
    }
    Ok(game)
}

/// Writes down what was said about the moves of a line and of those that leave it.
fn remember(line: &[PgnMove], start: Position, path: &str, remarks: &mut Vec<(String, Remark)>) {
    let (mut position, mut path) = (start, path.to_owned());
    for step in line {
        for variation in &step.variations {
            remember(variation, position, &path, remarks);
        }
        path = longer(&path, &position, &step.mv);
        if !step.nags.is_empty() || !step.comments.is_empty() {
            let remark = Remark { nags: step.nags.clone(), comments: step.comments.clone() };
            remarks.push((path.clone(), remark));
        }
        position.play_unchecked(&step.mv);
    }
}

/// Plays a line and its variations from where the match stands; gives the line's last moment.
fn play_line(game: &mut Match<Chess>, line: &[PgnMove]) -> Result<Moment, Rejection> {
    for step in line {
        let before = game.here();
        if game.outcome().is_some() {
            break;
        }
        let after = game.act(Input::Act(Action::Play(play_of(&step.mv))))?;
        for variation in &step.variations {
            game.jump(before)?;
            play_line(game, variation)?;
        }
        game.jump(after)?;
    }
    Ok(game.here())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{read_pgn, write_pgn};
    use crate::plain::End;

    fn again(text: &str) -> (PgnGame, PgnGame, Match<Chess>) {
        let pgn = read_pgn(text).expect("a good text").remove(0);
        let game = match_of(&pgn).expect("a legal game");
        let back = pgn_of(&game).expect("a plain game");
        (pgn, back, game)
    }

    #[test]
    fn a_pgn_game_becomes_a_match_and_a_pgn_game_again() {
        let text = "[FEN \"4k3/P7/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. a8=N Kd8 2. O-O-O+ Kc8 1-0";
        let (_, back, game) = again(text);
        assert_eq!(game.state().end, Some(End::win(Color::White, EndReason::Resignation)));
        let text = write_pgn(&back);
        assert!(text.ends_with("1. a8=N Kd8 2. O-O-O+ Kc8 1-0\n"), "{text}");
    }

    #[test]
    fn tags_remarks_clocks_and_variations_come_back() {
        let text = "[Event \"Club\"]\n[White \"Anna\"]\n[Black \"Bert\"]\n[Date \"2024.05.01\"]\n[ECO \"C20\"]\n\n\
            {before} 1. e4 $1 {[%clk 0:03:00]} e5 (1... c5 2. Nf3 (2. c3 {slow} d5) 2... d6) 2. Nf3 Nc6 0-1";
        let (pgn, back, game) = again(text);
        assert_eq!((&back.line, &back.preface, &back.result), (&pgn.line, &pgn.preface, &pgn.result));
        for (name, value) in &pgn.tags {
            assert_eq!(back.tag(name), Some(value.as_str()));
        }
        assert_eq!(game.branches().len(), 3, "two variations and the game");
    }

    #[test]
    fn a_promotion_that_blew_up_can_be_told() {
        let chess = Arc::new(Chess::builtin("atomic").expect("a ruleset"));
        let setup = Setup::Fen("r6k/1P6/8/8/8/8/8/K2R4 w - - 0 1".to_owned());
        let mut game: Match<Chess> = Match::new(Arc::clone(&chess), setup, 0).expect("a board");
        let listed = game
            .inputs()
            .into_iter()
            .find(|input| matches!(input, Input::Act(Action::Play(play)) if play.to.to_string() == "a8"));
        game.act(listed.expect("the capture")).expect("a legal move");
        let text = pgn_of(&game).map(|pgn| write_pgn(&pgn)).expect("a plain game");
        assert!(text.contains("bxa8=Q"), "{text}");
    }

    #[test]
    fn moves_after_the_end_are_left_out() {
        let text = "[FEN \"4k3/8/8/8/8/8/4p3/4K2B w - - 0 1\"]\n\n1. Kxe2 Kd7 2. Kd3 1/2-1/2";
        let (_, back, game) = again(text);
        assert_eq!(game.state().end.map(|end| end.reason), Some(EndReason::InsufficientMaterial));
        assert_eq!(back.line.len(), 1);
    }
}
