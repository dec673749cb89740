//! What a seat may not know: in the fog of war what its pieces do not see, in a run the dice.
//!
//! Known to everybody: whose turn it is, offers, checks that were given, who is in a pocket, and that so
//! many pieces are left.

use crate::at::At;
use crate::color::Color;
use crate::game::{Chess, seat};
use crate::piece::{Kind, Memory, Piece, PieceId};
use crate::state::{Saved, State};
use crate::tile::Tile;
use std::borrow::Cow;
use turnstone::dice::{Draw, Lots};
use turnstone::{Position, Seat, Viewer};
use turnstone_host::Secretive;

/// Something that a seat may not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Secret {
    /// Where the unseen stand.
    Places,
    /// How often the other side's pieces have moved, which one is which, and where it may castle.
    Past,
    /// For how long nothing was taken, and which positions there have been.
    Clock,
    /// What the unseen ground is.
    Ground,
    /// The dice of a run, which would tell its future.
    Dice,
}

impl Secret {
    const ALL: [Secret; 5] = [Secret::Places, Secret::Past, Secret::Clock, Secret::Ground, Secret::Dice];

    const fn name(self) -> &'static str {
        match self {
            Secret::Places => "places",
            Secret::Past => "past",
            Secret::Clock => "clock",
            Secret::Ground => "ground",
            Secret::Dice => "dice",
        }
    }
}

/// A position taken apart, with what a seat sees of it.
struct Veil {
    saved: Saved,
    own: Seat,
    /// The squares that are seen; `None` if nothing is hidden.
    seen: Option<Vec<At>>,
}

impl Veil {
    fn over(chess: &Chess, state: &State, own: Seat) -> Veil {
        Veil { saved: state.clone().into(), own, seen: chess.visible(state, Viewer::Seat(own)) }
    }

    fn sees(&self, at: At) -> bool {
        is_seen(&self.seen, at)
    }

    fn is_own(&self, piece: &Piece) -> bool {
        seat(piece.owner) == self.own
    }

    /// Put together again; what cannot be put together was no position, and the true one stays.
    fn lift(self, position: &Position<Chess>) -> Position<Chess> {
        match State::try_from(self.saved) {
            Ok(state) => position.with_state(state),
            Err(_) => position.clone(),
        }
    }

    /// Nothing of what is hidden is left.
    fn blank(&mut self) {
        self.blank_run();
        if self.seen.is_some() {
            self.blank_pieces();
            self.blank_ground();
            self.blank_past();
        }
    }

    fn blank_run(&mut self) {
        if let Some(run) = &mut self.saved.run {
            (run.seed, run.rolled) = (0, 0);
        }
    }

    /// The other side's pieces by what they look like, in the order of their squares, those in tombs that are seen
    /// too; the unseen nowhere.
    fn blank_pieces(&mut self) {
        self.saved.tombs.retain(|tomb| is_seen(&self.seen, tomb.at));
        let numbers = 0..self.saved.pieces.len();
        let foes: Vec<usize> = numbers.filter(|n| !self.is_own(&self.saved.pieces[*n])).collect();
        let mut faces: Vec<(At, Piece)> = foes.iter().filter_map(|n| self.face(*n)).collect();
        faces.sort_by_key(|(place, piece)| (piece.in_pocket, *place, piece.kind));
        let mut faces = faces.into_iter();
        for n in foes {
            let owner = self.saved.pieces[n].owner;
            let (place, face) =
                faces.next().unwrap_or((At::NOWHERE, Piece::new(Kind::PAWN, owner, At::NOWHERE)));
            self.saved.pieces[n] = face;
            if let Some(tomb) = self.saved.tombs.iter_mut().find(|tomb| tomb.at == place && !face.on_board())
            {
                tomb.piece = PieceId(n as u16 + 1);
            }
        }
    }

    /// Where a piece of the other side is seen, and what it looks like.
    fn face(&self, n: usize) -> Option<(At, Piece)> {
        let piece = self.saved.pieces[n];
        let tomb = self.saved.tombs.iter().find(|tomb| usize::from(tomb.piece.0) == n + 1);
        let place = tomb.map_or(piece.at, |tomb| tomb.at);
        let known = piece.in_pocket || place.is_somewhere() && self.sees(place);
        let Piece { kind, owner, at, in_pocket, promoted, layers, .. } = piece;
        known.then(|| (place, Piece { in_pocket, promoted, layers, ..Piece::new(kind, owner, at) }))
    }

    /// Unseen ground is plain; the shape of the board is known.
    fn blank_ground(&mut self) {
        self.saved.tiles.retain(|(at, tile)| *tile == Tile::Void || is_seen(&self.seen, *at));
    }

    fn blank_past(&mut self) {
        (self.saved.halfmoves, self.saved.stamp) = (0, 0);
        self.saved.keys.clear();
        let own_rook = |veil: &Self, at: &At| {
            veil.saved.pieces.iter().any(|piece| piece.at == *at && veil.is_own(piece))
        };
        let castling = std::mem::take(&mut self.saved.castling);
        self.saved.castling = castling.into_iter().filter(|at| own_rook(self, at)).collect();
        self.saved.en_passant =
            self.saved.en_passant.take().filter(|passed| self.sees(passed.at)).map(|passed| {
                crate::state::Passed { pawn: self.passed_pawn(passed.at).unwrap_or(passed.pawn), ..passed }
            });
    }

    /// The number that the pawn now has which leapt over that square.
    fn passed_pawn(&self, at: At) -> Option<PieceId> {
        let beside = |piece: &Piece| piece.at.x == at.x && piece.at.y.abs_diff(at.y) == 1;
        let found = self.saved.pieces.iter().position(|piece| piece.on_board() && beside(piece))?;
        Some(PieceId(found as u16 + 1))
    }

    /// One secret drawn anew.
    fn vary(&mut self, secret: Secret, lots: &mut Lots) {
        let fog = self.seen.is_some();
        match secret {
            Secret::Places if fog => self.scatter(lots),
            Secret::Past if fog => self.forget(lots),
            Secret::Clock if fog => {
                self.saved.halfmoves = lots.below(20) as u16;
                self.saved.keys.clear();
            }
            Secret::Ground if fog => self.relay(lots),
            Secret::Places | Secret::Past | Secret::Clock | Secret::Ground => {}
            Secret::Dice => {
                if let Some(run) = &mut self.saved.run {
                    run.seed = lots.next_u64();
                }
            }
        }
    }

    /// Takes what is not seen to one place out of sight, in an order of its own, and the other side's rights with
    /// it: whatever is then laid out by lot follows from what is seen alone, not from where things were.
    fn clear_the_dark(&mut self) {
        let Some(away) = self.first_dark() else { return };
        for n in 0..self.saved.pieces.len() {
            let piece = self.saved.pieces[n];
            if !self.is_own(&piece) && piece.on_board() && !self.sees(piece.at) {
                self.saved.en_passant = self.saved.en_passant.filter(|passed| passed.pawn.0 != n as u16 + 1);
                self.saved.pieces[n].at = away;
            }
        }
        let seen = &self.seen;
        let fixed = |(at, tile): &(At, Tile)| matches!(tile, Tile::Tomb | Tile::Void) || is_seen(seen, *at);
        let tiles = std::mem::take(&mut self.saved.tiles);
        let (mut tiles, mut unseen): (Vec<_>, Vec<_>) = tiles.into_iter().partition(fixed);
        unseen.iter_mut().for_each(|(at, _)| *at = away);
        unseen.sort_by_key(|(_, tile)| *tile as u8);
        tiles.extend(unseen);
        self.saved.tiles = tiles.into_iter().collect();
        let rights = std::mem::take(&mut self.saved.castling);
        let own = |at: &At| self.saved.pieces.iter().any(|piece| piece.at == *at && self.is_own(piece));
        self.saved.castling = rights.into_iter().filter(own).collect();
    }

    /// The first square that is out of sight and part of the board.
    fn first_dark(&self) -> Option<At> {
        let void = |at: At| self.saved.tiles.iter().any(|(tile, kind)| *tile == at && *kind == Tile::Void);
        let files = 0..self.saved.width;
        let mut all = files.flat_map(|x| (0..self.saved.height).map(move |y| At::new(x, y)));
        all.find(|at| !self.sees(*at) && !void(*at))
    }

    /// Every unseen piece to some square out of sight that is free, pawns not to either end.
    fn scatter(&mut self, lots: &mut Lots) {
        let last = self.saved.height - 1;
        for n in 0..self.saved.pieces.len() {
            let piece = self.saved.pieces[n];
            if self.is_own(&piece) || !piece.on_board() || self.sees(piece.at) {
                continue;
            }
            let dark = self.dark_squares();
            let fits = |at: &At| piece.kind != Kind::PAWN || (at.y != 0 && at.y != last);
            let dark: Vec<At> = dark.into_iter().filter(fits).collect();
            let Some(to) = lots.pick(&dark).copied() else { continue };
            self.saved.castling.retain(|at| *at != piece.at);
            self.saved.en_passant = self.saved.en_passant.filter(|passed| passed.pawn.0 != n as u16 + 1);
            self.saved.pieces[n].at = to;
        }
    }

    fn dark_squares(&self) -> Vec<At> {
        let taken = |at: At| self.saved.pieces.iter().any(|piece| piece.at == at);
        let special = |at: At| self.saved.tiles.iter().any(|(tile, _)| *tile == at);
        let files = 0..self.saved.width;
        let all = files.flat_map(|x| (0..self.saved.height).map(move |y| At::new(x, y)));
        all.filter(|at| !self.sees(*at) && !taken(*at) && !special(*at)).collect()
    }

    /// The other side's pieces have moved so often, or not at all.
    fn forget(&mut self, lots: &mut Lots) {
        let own = self.own;
        for piece in self.saved.pieces.iter_mut().filter(|piece| seat(piece.owner) != own) {
            piece.moves = lots.below(4) as u16;
        }
        let foe = if own == seat(Color::White) { Color::Black } else { Color::White };
        let rights = std::mem::take(&mut self.saved.castling);
        let theirs = |at: &At| self.saved.pieces.iter().any(|piece| piece.at == *at && piece.owner == foe);
        self.saved.castling = rights.into_iter().filter(|at| !theirs(at) || lots.chance(1, 2)).collect();
    }

    /// What the other side's pieces remember of resolutions that are over counts no more, and tells how often they had
    /// moved by then.
    fn let_go(&mut self) {
        let (own, stamp) = (self.own, self.saved.stamp);
        for piece in self.saved.pieces.iter_mut().filter(|piece| seat(piece.owner) != own) {
            let Memory { touched, hunted, placed, .. } = piece.memory;
            if ![touched, hunted, placed].contains(&stamp) {
                piece.memory = Memory::default();
            }
        }
    }

    /// Special ground that is not seen, laid anew where nobody stands.
    fn relay(&mut self, lots: &mut Lots) {
        for n in 0..self.saved.tiles.len() {
            let (at, tile) = self.saved.tiles[n];
            if matches!(tile, Tile::Tomb | Tile::Void) || self.sees(at) {
                continue;
            }
            if let Some(to) = lots.pick(&self.dark_squares()) {
                self.saved.tiles[n].0 = *to;
            }
        }
    }
}

fn is_seen(seen: &Option<Vec<At>>, at: At) -> bool {
    seen.as_ref().is_none_or(|seen| seen.binary_search(&at).is_ok())
}

impl Secretive for Chess {
    fn seen<'p>(&self, position: &'p Position<Self>, own: Seat) -> Cow<'p, Position<Self>> {
        if self.lies_open(position, own) {
            return Cow::Borrowed(position);
        }
        let mut veil = Veil::over(self, position.state(), own);
        veil.blank();
        Cow::Owned(veil.lift(position))
    }

    fn sample(&self, position: &Position<Self>, own: Seat, lots: &mut Lots) -> Position<Self> {
        let mut veil = Veil::over(self, position.state(), own);
        if veil.seen.is_some() {
            veil.clear_the_dark();
            veil.let_go();
        }
        Secret::ALL.into_iter().for_each(|secret| veil.vary(secret, lots));
        veil.lift(position)
    }

    /// Without fog and without a way ahead everything lies on the board.
    fn lies_open(&self, position: &Position<Self>, _own: Seat) -> bool {
        position.state().run.is_none() && !self.rules.fog_of_war
    }

    fn secrets() -> Vec<&'static str> {
        Secret::ALL.into_iter().map(Secret::name).collect()
    }

    fn vary(
        &self,
        position: &Position<Self>,
        own: Seat,
        secret: usize,
        lots: &mut Lots,
    ) -> Option<Position<Self>> {
        let mut veil = Veil::over(self, position.state(), own);
        veil.vary(*Secret::ALL.get(secret)?, lots);
        let other = veil.lift(position);
        (other != *position).then_some(other)
    }
}

#[cfg(test)]
mod tests {
    use turnstone::dice::Stream;
    use turnstone::{Game, Off, Resolver};
    use turnstone_host::{Hosted, Opening};

    use super::*;

    /// The searchers of any game grow one tree with the whole budget where nothing is hidden.
    #[test]
    fn nothing_is_hidden_where_there_is_no_fog_and_no_run() {
        for (setup, ruleset, open) in [
            ("start", "standard", true),
            ("circus", "last-piece-standing", true),
            ("start", "dark", false),
            ("run", "run", false),
        ] {
            let opening =
                Opening { setup: Some(setup.into()), ruleset: Some(ruleset.into()), ..Opening::default() };
            let (game, setup) = Chess::open_table(&opening).expect("it opens");
            let position = Position::<Chess>::new(game.start(&setup, 1).expect("it starts"));
            assert_eq!(game.lies_open(&position, 0), open, "{ruleset}");
            let sample = game.sample(&position, 0, &mut Lots::new(1, Stream::named("test")));
            assert_eq!(sample == position, open, "{ruleset}");
        }
    }

    /// Two positions that differ in one secret alone look the same, so the same lots must draw the same sample.
    #[test]
    fn a_sample_follows_from_what_is_seen() {
        for (seed, board) in [(1, "circus"), (2, "misty-moor"), (3, "island-bridge")] {
            let opening = Opening {
                setup: Some(board.into()),
                ruleset: Some("dark".into()),
                seed,
                ..Opening::default()
            };
            let (game, setup) = Chess::open_table(&opening).expect("it opens");
            let game: &Chess = &game;
            let mut position = Position::<Chess>::new(game.start(&setup, seed).expect("it starts"));
            let mut lots = Lots::new(seed, Stream::named("test"));
            let mut varied = 0;
            for _ in 0..12 {
                for own in 0..2 {
                    for secret in 0..Secret::ALL.len() {
                        let Some(other) = game.vary(&position, own, secret, &mut lots) else { continue };
                        let drawn =
                            |position| game.sample(position, own, &mut Lots::new(9, Stream::named("same")));
                        let (one, two) = (drawn(&position), drawn(&other));
                        let saved = |sample: &Position<Chess>| Saved::from(sample.state().clone());
                        let (one, two) = (saved(&one), saved(&two));
                        assert_eq!(one.tiles, two.tiles, "{board}");
                        assert_eq!(one.pieces, two.pieces, "{board}: {}", Secret::ALL[secret].name());
                        let theirs = one.pieces.iter().filter(|piece| seat(piece.owner) != own);
                        let told = theirs.filter(|piece| piece.memory != Memory::default());
                        assert!(position.pending().is_some() || told.count() == 0, "{board}: {own}");
                        varied += 1;
                    }
                }
                let inputs = position.inputs(game);
                let Some(input) = lots.pick(&inputs) else { break };
                Resolver::default().act(game, &mut position, input, &mut Off).expect("it was offered");
            }
            assert!(varied > 20, "{board}: {varied}");
        }
    }
}
