//! What was played in a game of chess, from its positions: a program that is told a position alone cannot know what
//! would repeat another one.

/// A position and the moves from there, as a chess program is told them.
#[derive(Debug, Default)]
pub(crate) struct Course {
    start: String,
    moves: Vec<String>,
    /// Where they lead.
    now: String,
}

impl Course {
    /// Takes in the next position, as a FEN. One that does not come of an orthodox move is a new beginning.
    pub fn reach(&mut self, fen: &str) {
        if self.now == fen {
            return;
        }
        match between(&self.now, fen) {
            Some(played) => self.moves.push(played),
            None => {
                self.start = fen.to_owned();
                self.moves.clear();
            }
        }
        self.now = fen.to_owned();
    }

    /// How a program is told.
    pub fn told(&self) -> String {
        let words = if self.moves.is_empty() { "" } else { " moves " };
        format!("position fen {}{words}{}", self.start, self.moves.join(" "))
    }
}

const SIDE: usize = 8;

/// What stands on each square, the eighth rank first; `None` if it is no orthodox board.
fn placed(fen: &str) -> Option<[Option<char>; SIDE * SIDE]> {
    let mut squares = Vec::new();
    for (rank, text) in fen.split(' ').next()?.split('/').enumerate() {
        for letter in text.chars() {
            match letter {
                '1'..='8' => squares.extend(vec![None; letter.to_digit(10)? as usize]),
                _ if "pnbrqk".contains(letter.to_ascii_lowercase()) => squares.push(Some(letter)),
                _ => return None,
            }
        }
        if squares.len() != SIDE * (rank + 1) {
            return None;
        }
    }
    squares.try_into().ok()
}

fn named(square: usize) -> String {
    let (file, rank) = (square % SIDE, SIDE - square / SIDE);
    format!("{}{rank}", char::from(b'a' + file as u8))
}

/// A square that differs: what stood there, and what stands there now.
type Change = (usize, Option<char>, Option<char>);

/// The orthodox move that leads from one position to the other, if it is one.
fn between(before: &str, after: &str) -> Option<String> {
    let (old, new) = (placed(before)?, placed(after)?);
    let (mover, next) = (before.split(' ').nth(1)?, after.split(' ').nth(1)?);
    if mover == next {
        return None;
    }
    let own = |piece: char| piece.is_ascii_uppercase() == (mover == "w");
    let changes: Vec<Change> =
        (0..old.len()).map(|at| (at, old[at], new[at])).filter(|(_, was, is)| was != is).collect();
    let left: Vec<(usize, char)> = changes
        .iter()
        .filter(|(_, _, is)| is.is_none())
        .filter_map(|(at, was, _)| Some((*at, (*was)?)))
        .collect();
    let come: Vec<(usize, char)> = changes.iter().filter_map(|(at, _, is)| Some((*at, (*is)?))).collect();
    if come.iter().any(|(_, piece)| !own(*piece)) {
        return None;
    }
    match (&left[..], &come[..]) {
        ([(from, piece)], [(to, grown)]) if own(*piece) => moved((*from, *piece), (*to, *grown)),
        ([one, other], [(to, 'P' | 'p')]) => {
            let (from, taken) = if own(one.1) { (one, other) } else { (other, one) };
            let passed = taken.0 % SIDE == to % SIDE && taken.0 / SIDE == from.0 / SIDE;
            let pawns = [from, taken].iter().all(|(_, piece)| piece.eq_ignore_ascii_case(&'p'));
            (passed && pawns && own(from.1) && !own(taken.1)).then(|| named(from.0) + &named(*to))
        }
        ([_, _], [_, _]) => castled(&left, &come),
        _ => None,
    }
}

fn moved((from, piece): (usize, char), (to, grown): (usize, char)) -> Option<String> {
    let squares = named(from) + &named(to);
    if piece == grown {
        return Some(squares);
    }
    let promoted = piece.eq_ignore_ascii_case(&'p') && matches!(to / SIDE, 0 | 7);
    let grown = grown.to_ascii_lowercase();
    (promoted && "nbrq".contains(grown)).then(|| format!("{squares}{grown}"))
}

/// King and rook from and to their usual squares.
fn castled(left: &[(usize, char)], come: &[(usize, char)]) -> Option<String> {
    let find = |pieces: &[(usize, char)], wanted: char| {
        pieces.iter().find(|(_, piece)| piece.eq_ignore_ascii_case(&wanted)).map(|(at, _)| *at)
    };
    let (king, to) = (find(left, 'k')?, find(come, 'k')?);
    let (rook, beside) = (find(left, 'r')?, find(come, 'r')?);
    let files = [king, to, rook, beside].map(|at| at % SIDE);
    let ranks = [king, to, rook, beside].map(|at| at / SIDE);
    let usual = files == [4, 6, 7, 5] || files == [4, 2, 0, 3];
    let home = matches!(ranks[0], 0 | 7) && ranks.iter().all(|rank| *rank == ranks[0]);
    (usual && home).then(|| named(king) + &named(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn moves_are_found_between_positions() {
        for (before, after, played) in [
            (START, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", Some("e2e4")),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1", Some("e5d6")),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2", Some("d4e3")),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "1N2k3/8/8/8/8/8/8/4K3 b - - 0 1", Some("a7b8n")),
            ("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "r3k3/8/8/8/8/8/8/5RK1 b q - 1 1", Some("e1g1")),
            ("r3k3/8/8/8/8/8/8/4K2R b Kq - 0 1", "2kr4/8/8/8/8/8/8/4K2R w K - 1 2", Some("e8c8")),
            // Nobody has moved, the blast of a capture, a castling from elsewhere, and boards of other kinds.
            (START, START, None),
            ("4k3/3p4/4p3/8/8/4Q3/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", None),
            ("4k3/8/8/8/8/8/8/3KR3 w E - 0 1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1", None),
            ("3qk3/8/8/8/8/8/8/4K3[P] w - - 0 1", "3qk3/8/8/8/4P3/8/8/4K3[] b - - 0 1", None),
            ("", START, None),
        ] {
            assert_eq!(between(before, after).as_deref(), played, "{before} {after}");
        }
    }

    #[test]
    fn a_course_begins_anew_where_no_move_leads_on() {
        let mut course = Course::default();
        course.reach(START);
        assert_eq!(course.told(), format!("position fen {START}"));
        course.reach("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
        course.reach("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
        course.reach("r1bqkbnr/pppppppp/2n5/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2");
        assert_eq!(course.told(), format!("position fen {START} moves g1f3 b8c6"));
        course.reach("4k3/8/8/8/8/8/8/4K3 b - - 0 9");
        assert_eq!(course.told(), "position fen 4k3/8/8/8/8/8/8/4K3 b - - 0 9");
    }
}
