//! Any board under search, played through the real resolution.

use crate::ability::Verb;
use crate::action::{Action, How, Play, Raw};
use crate::catalog::{Goal, Safety};
use crate::color::Color;
use crate::game::Chess;
use crate::piece::{Kind, Piece};
use crate::plain::End;
use crate::rules::legality::is_capture;
use crate::state::State;
use turnstone::{Input, Off, Position, Resolver};

/// A walk through the positions that moves lead to: forth with [`make`](Board::make) and
/// [`pass`](Board::pass), back with [`take_back`](Board::take_back).
pub(crate) struct Board<'a> {
    chess: &'a Chess,
    /// Ends nothing itself, asks nothing.
    rules: &'a Chess,
    resolver: Resolver<Chess>,
    /// The positions on the way here; what lies behind `here` is room to copy into.
    way: Vec<Position<Chess>>,
    here: usize,
    /// Whether a move was lawful is seen when it is made, which is once instead of twice.
    tries: bool,
    /// What a side gains by passing is what it could gain by moving.
    passes: bool,
    minds_kings: bool,
}

impl<'a> Board<'a> {
    pub fn new(chess: &'a Chess, state: State) -> Board<'a> {
        let rules = chess.rules();
        let lawful_alone = rules.goal == Goal::Mate && rules.safety == Safety::Resolved;
        Board {
            chess,
            rules: chess.probe.as_deref().unwrap_or(chess),
            resolver: Resolver::default(),
            way: vec![Position::new(state)],
            here: 0,
            tries: lawful_alone && !rules.must_capture,
            minds_kings: matches!(rules.goal, Goal::Mate | Goal::KingCapture) && !rules.fog_of_war,
            passes: !rules.must_capture && !rules.race && rules.goal != Goal::LoseAll,
        }
    }

    /// Material with all layers, for one side against the other; lost kings weigh by themselves.
    pub fn value_for(chess: &Chess, state: &State, color: Color) -> i64 {
        let sign = if chess.rules().goal == Goal::LoseAll { -1 } else { 1 };
        state
            .on_board()
            .map(|(_, piece)| {
                let value = i64::from(chess.catalog().value(piece));
                sign * if piece.owner == color { value } else { -value }
            })
            .sum()
    }

    pub fn state(&self) -> &State {
        self.way[self.here].state()
    }

    /// Who is to move.
    pub fn player(&self) -> Color {
        self.state().player
    }

    /// The moves, in any order; some may turn out to be impossible when they are made.
    pub fn moves(&self, out: &mut Vec<Play>) {
        let state = self.state();
        if self.tries_here() {
            return self.rules.list_candidates(state, |play| out.push(play));
        }
        let mut actions = Vec::with_capacity(48);
        self.rules.list_plays(state, &mut actions);
        out.extend(actions.into_iter().filter_map(|action| match action {
            Action::Play(play) => Some(play),
            _ => None,
        }));
    }

    /// Of plain positions bitboards tell what is lawful.
    fn tries_here(&self) -> bool {
        self.tries && self.chess.plain(self.state()).is_none()
    }

    /// Goes on by a move. False if it cannot be made after all: nothing has changed then.
    pub fn make(&mut self, play: Play) -> bool {
        self.copy();
        let tries = self.tries_here();
        let passed = self.act(Action::Force { play, advance: !tries })
            && (!tries || self.is_lawful() && self.advance());
        self.here += usize::from(passed);
        passed
    }

    /// Lets the other side move, where that is a fair question. False if it is not.
    pub fn pass(&mut self) -> bool {
        if !self.has_choice() {
            return false;
        }
        self.copy();
        let (player, turn) = (self.state().player, self.state().turn);
        let passed = self.act(Action::Raw(Raw::TurnEnd(player, turn))) && self.advance();
        self.here += usize::from(passed);
        passed
    }

    /// Goes back to before the last move or pass.
    pub fn take_back(&mut self) {
        self.here = self.here.saturating_sub(1);
    }

    fn copy(&mut self) {
        if self.way.len() == self.here + 1 {
            self.way.push(self.way[self.here].clone());
            return;
        }
        let (past, future) = self.way.split_at_mut(self.here + 1);
        future[0].clone_from(&past[self.here]);
    }

    fn act(&mut self, action: Action) -> bool {
        let next = &mut self.way[self.here + 1];
        self.resolver.act_unchecked(self.rules, next, &Input::Act(action), &mut Off).is_ok()
    }

    fn is_lawful(&self) -> bool {
        self.chess.is_lawful_after(self.state(), self.way[self.here + 1].state())
    }

    fn advance(&mut self) -> bool {
        let (player, turn) = (self.state().player, self.state().turn);
        self.act(Action::Raw(Raw::TurnAdvanced(!player, turn.saturating_add(1))))
    }

    /// Did the last move give the turn to the other side?
    pub fn has_turned(&self) -> bool {
        self.here == 0 || self.way[self.here - 1].state().player != self.player()
    }

    /// Might the move be made?
    pub fn allows(&self, play: Play) -> bool {
        let mut plays = Vec::new();
        self.moves(&mut plays);
        plays.contains(&play)
    }

    /// Can the side to move nearly always do something better than nothing?
    pub fn has_choice(&self) -> bool {
        if !self.passes {
            return false;
        }
        let free = |piece: &&Piece| {
            let def = self.chess.catalog().piece(piece.kind);
            piece.owner == self.player() && piece.on_board() && !def.royal && !def.pawn
        };
        self.state().pieces.iter().filter(free).nth(1).is_some()
    }

    /// Is a king in check, which must be answered?
    pub fn must_answer(&self) -> bool {
        self.tries && self.is_checked()
    }

    /// Is a king attacked that must not be lost?
    pub fn is_checked(&self) -> bool {
        self.minds_kings && self.chess.is_in_check(self.state(), self.player())
    }

    /// Does the move take something, or make a pawn more than it was?
    pub fn is_loud(&self, play: Play) -> bool {
        let state = self.state();
        let Some((id, mover)) = state.piece_at(play.from) else { return false };
        if mover.kind == Kind::PAWN && self.chess.promotes_on(state, id, play.to) {
            return true;
        }
        is_capture(state, &play) && !self.is_swap(mover, play)
    }

    /// A friend on the target square is no prey, except to a Cannibal.
    fn is_swap(&self, mover: &Piece, play: Play) -> bool {
        let friend = |(_, other): (_, &Piece)| other.owner == mover.owner;
        !mover.has(Verb::Cannibal) && self.state().piece_at(play.to).is_some_and(friend)
    }

    /// How promising a loud move looks.
    pub fn promise(&self, play: Play) -> i32 {
        let value = |at| self.state().piece_at(at).map_or(0, |(_, piece)| self.value(piece).min(1000));
        16 * value(play.to) - value(play.from)
    }

    /// What a loud move can gain at most, if that can be told: blasts and lances reach further than one square.
    pub fn gain(&self, play: Play) -> Option<i32> {
        let state = self.state();
        let bare = |at| state.piece_at(at).is_none_or(|(_, piece)| piece.layers.is_empty());
        let taken = state.piece_at(play.to).map_or(0, |(_, piece)| self.value(piece));
        let tells = play.how != How::EnPassant && bare(play.from) && bare(play.to);
        (tells && state.piece_at(play.from).is_none_or(|(_, piece)| piece.kind != Kind::PAWN))
            .then_some(taken * 100)
    }

    fn value(&self, piece: &Piece) -> i32 {
        self.chess.catalog().value(piece)
    }

    pub fn key(&self) -> u64 {
        self.state().key()
    }

    /// Material, and a little for standing near the middle.
    pub fn worth(&self) -> i32 {
        let state = self.state();
        let (width, height) = (i32::from(state.width()), i32::from(state.height()));
        let mut worth = 0;
        for piece in state.pieces.iter().filter(|piece| piece.on_board()) {
            let (x, y) = (i32::from(piece.at.x), i32::from(piece.at.y));
            let off_centre = (2 * x + 1 - width).abs() + (2 * y + 1 - height).abs();
            let royal = self.chess.catalog().piece(piece.kind).royal;
            let advance = if piece.kind == Kind::PAWN { piece.owner.pick(y, height - 1 - y) * 8 } else { 0 };
            let place = if royal { off_centre } else { -off_centre + advance };
            let value = self.value(piece).min(5000) * 100 + place;
            worth += if piece.owner == state.player { value } else { -value };
        }
        if self.chess.rules().goal == Goal::LoseAll { -worth } else { worth }
    }

    /// The result for the side to move, if the game is over by anything but the lack of moves: positive is
    /// won. In the fog nobody believes in ends.
    pub fn result(&self) -> Option<i32> {
        if self.chess.rules().fog_of_war && self.state().end.is_none() {
            return None;
        }
        Some(self.sign_of(self.chess.end_with_moves(self.state())?))
    }

    /// The result for the side to move if it has no move, where that ends a game.
    pub fn stuck(&self) -> Option<i32> {
        let rules = self.chess.rules();
        let hangs = rules.fog_of_war || !rules.ends && rules.goal != Goal::Mate;
        (!hangs).then(|| self.sign_of(self.chess.end_without_moves(self.state())))
    }

    fn sign_of(&self, end: End) -> i32 {
        end.winner.map_or(0, |winner| if winner == self.player() { 1 } else { -1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use crate::setup::Setup;
    use turnstone::Game as _;
    use turnstone::dice::{Draw, Lots, Stream};

    /// Positions of random games on every board under these rules.
    fn positions(chess: &Chess, plies: usize, mut look: impl FnMut(&State)) {
        for board in &Catalog::builtin().boards {
            let Ok(mut state) = chess.start(&Setup::Board(board.id.clone()), 1) else { continue };
            // The colossus has hundreds of pieces, and nothing that other boards have not.
            if state.pieces.len() > 100 {
                continue;
            }
            let mut lots = Lots::new(7, Stream::named("boards"));
            for _ in 0..plies {
                look(&state);
                let legal = chess.legal_plays(&state);
                let Some(play) = lots.pick(&legal).filter(|_| chess.end_of(&state).is_none()) else { break };
                let Ok(turn) = chess.resolve_turn(&state, play) else { break };
                state = turn.state;
            }
        }
    }

    #[test]
    fn what_can_be_made_is_what_is_legal() {
        for ruleset in
            ["standard", "crazyhouse", "racing-kings", "atomic", "last-piece-standing", "antichess"]
        {
            let chess = Chess::builtin(ruleset).unwrap();
            positions(&chess, 12, |state| {
                let mut board = Board::new(&chess, state.clone());
                let mut plays = Vec::new();
                board.moves(&mut plays);
                let mut can = |play: &Play| {
                    let made = board.make(*play);
                    if made {
                        board.take_back();
                    }
                    made
                };
                plays.retain(&mut can);
                assert_eq!(plays, chess.legal_plays(state), "{ruleset}: {}", chess.to_fen(state));
                assert_eq!(board.state(), state, "what is taken back leaves nothing behind");
            });
        }
    }

    #[test]
    fn a_made_move_leads_where_the_turn_leads() {
        let chess = Chess::builtin("standard").unwrap();
        let rules = chess.probe.as_deref().unwrap();
        positions(&chess, 8, |state| {
            let mut board = Board::new(&chess, state.clone());
            for play in chess.legal_plays(state) {
                let mut whole = Position::<Chess>::new(state.clone());
                let input = Input::Act(Action::Force { play, advance: true });
                Resolver::default().act_unchecked(rules, &mut whole, &input, &mut Off).unwrap();
                assert!(board.make(play));
                assert_eq!(board.state(), whole.state());
                board.take_back();
            }
        });
    }

    #[test]
    fn an_end_is_seen_at_once_or_when_no_move_is_found() {
        for ruleset in
            ["standard", "king-of-the-hill", "three-check", "last-piece", "antichess", "racing-kings"]
        {
            let chess = Chess::builtin(ruleset).unwrap();
            positions(&chess, 60, |state| {
                let board = Board::new(&chess, state.clone());
                let stuck = || chess.legal_plays(state).is_empty().then(|| board.stuck()).flatten();
                let seen = board.result().or_else(stuck);
                let end = chess.end_of(state).map(|end| board.sign_of(end));
                assert_eq!(seen, end, "{ruleset}: {}", chess.to_fen(state));
            });
        }
    }

    #[test]
    fn a_pass_gives_the_turn_away_and_nothing_else() {
        let chess = Chess::builtin("last-piece-standing").unwrap();
        let state = chess.start(&Setup::Board("circus".to_owned()), 0).unwrap();
        let mut board = Board::new(&chess, state.clone());
        assert!(board.pass() && board.has_turned());
        assert_eq!(board.player(), !state.player);
        let places = |state: &State| state.pieces.iter().map(|piece| piece.at).collect::<Vec<_>>();
        assert_eq!(places(board.state()), places(&state));
        board.take_back();
        assert_eq!(board.state(), &state);
        let forced = Chess::builtin("antichess").unwrap();
        assert!(!Board::new(&forced, state).pass(), "who must take may not pass");
    }
}
