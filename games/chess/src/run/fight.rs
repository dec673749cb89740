//! Rosters, and how they are set up for a fight.

use super::offer::any_ability;
use super::{Member, NodeKind, Relic, Run};
use crate::ability::Stack;
use crate::at::At;
use crate::catalog::Catalog;
use crate::color::Color;
use crate::piece::{Kind, Piece};
use crate::state::Saved;
use crate::tile::Tile;
use turnstone::dice::Draw;

/// A king, two pawns, and pieces that can be afforded until the budget is spent.
pub(super) fn muster(catalog: &Catalog, budget: i32, dice: &mut impl Draw) -> Vec<Member> {
    let member = |kind| Member { kind, layers: Stack::default() };
    let mut roster = vec![member(Kind::KING), member(Kind::PAWN), member(Kind::PAWN)];
    let mut left = budget - 2 * catalog.piece(Kind::PAWN).value;
    loop {
        let affordable: Vec<Kind> =
            (0..5).map(Kind).filter(|kind| catalog.piece(*kind).value <= left).collect();
        let Some(index) = dice.index(affordable.len()) else { return roster };
        left -= catalog.piece(affordable[index]).value;
        roster.push(member(affordable[index]));
    }
}

/// Abilities that can be afforded, for random pieces.
fn arm(catalog: &Catalog, roster: &mut [Member], mut budget: i32, dice: &mut impl Draw) {
    for _ in 0..40 {
        let ability = any_ability(catalog, dice);
        let cost = catalog.ability(ability).value;
        let Some(index) = dice.index(roster.len()).filter(|_| cost > 0 && cost <= budget) else { continue };
        if roster[index].layers.push_outermost(catalog.layer(ability)) {
            budget -= cost;
        }
    }
}

impl Run {
    /// The enemy of the node: stronger with every fight won.
    fn enemy(&self, catalog: &Catalog, dice: &mut impl Draw) -> Vec<Member> {
        let round = i32::from(self.round);
        let (pieces, abilities) = match self.node().map(|node| node.kind) {
            Some(NodeKind::Elite) => (3, 3),
            Some(NodeKind::Boss) => (6, 5),
            _ => (0, 0),
        };
        let budget = 8 + 2 * (round - 1) + pieces + i32::from(self.setup.difficulty);
        let mut roster = muster(catalog, budget.min(60), dice);
        arm(catalog, &mut roster, (round - 1) / 2 + abilities, dice);
        roster
    }

    /// The board of the node's fight.
    pub(super) fn board(&self, catalog: &Catalog, dice: &mut impl Draw) -> Saved {
        let side = match self.node().map(|node| node.kind) {
            Some(NodeKind::Boss) => 8,
            Some(NodeKind::Elite) => 7,
            _ => 6,
        };
        let mut ours = self.roster.clone();
        if self.has(Relic::Levy) {
            ours.extend([Member { kind: Kind::PAWN, layers: Stack::default() }; 2]);
        }
        let enemy = self.enemy(catalog, dice);
        let mut saved = Saved::empty(side, side);
        deploy(catalog, &ours, Color::White, &mut saved, dice);
        deploy(catalog, &enemy, Color::Black, &mut saved, dice);
        saved.pieces.sort_by_key(|piece| piece.at);
        self.lay_tiles(&mut saved, dice);
        saved
    }

    /// A few tiles in the middle, more with every act.
    fn lay_tiles(&self, saved: &mut Saved, dice: &mut impl Draw) {
        const KINDS: [Tile; 4] = [Tile::Slippery, Tile::Wall, Tile::Guardian, Tile::Fog];
        let middle = (saved.height - 1) / 2;
        if self.has(Relic::FrozenMoat) {
            saved.tiles.extend((0..saved.width).map(|x| (At::new(x, middle), Tile::Slippery)));
        }
        for _ in 0..self.act.clamp(1, 3) * 2 - 1 {
            let x = dice.below(u64::from(saved.width)) as u8;
            let at = At::new(x, middle + dice.below(2) as u8);
            let tile = KINDS[dice.below(4) as usize];
            if saved.tiles.iter().all(|(other, _)| *other != at) {
                saved.tiles.push((at, tile));
            }
        }
        if self.has(Relic::RoyalGuard) {
            let king =
                saved.pieces.iter().find(|piece| piece.kind == Kind::KING && piece.owner == Color::White);
            if let Some(at) = king.map(|king| king.at)
                && saved.tiles.iter().all(|(other, _)| *other != at)
            {
                saved.tiles.push((at, Tile::Guardian));
            }
        }
        saved.tiles.sort_by_key(|(at, _)| *at);
    }
}

/// Places a roster in its half: the king in the middle of the back row, pawns
/// one per column in front, the others behind them where there is room.
fn deploy(catalog: &Catalog, roster: &[Member], owner: Color, saved: &mut Saved, dice: &mut impl Draw) {
    let height = saved.height;
    let rows: Vec<u8> = match owner {
        Color::White => (0..=(height - 1) / 2).collect(),
        Color::Black => (height.div_ceil(2)..height).rev().collect(),
    };
    let mut field = Field { saved, owner, rows };
    let mut columns: Vec<u8> = (0..field.saved.width).collect();
    dice.shuffle(&mut columns);
    let (kings, rest): (Vec<Member>, Vec<Member>) = roster.iter().partition(|m| catalog.piece(m.kind).royal);
    let (pawns, mut others): (Vec<Member>, Vec<Member>) =
        rest.iter().partition(|m| catalog.piece(m.kind).pawn);
    for king in kings {
        let middle = field.saved.width / 2;
        let x = if field.saved.width.is_multiple_of(2) && dice.chance(1, 2) { middle - 1 } else { middle };
        field.put(&king, x, 0);
    }
    for (pawn, x) in pawns.iter().zip(&columns) {
        let front = field.rows.len() as u64 - 1;
        let depth = 1 + dice.below(front.max(1)) as usize;
        let _ = field.put(pawn, *x, depth) || field.put(pawn, *x, 0);
    }
    dice.shuffle(&mut others);
    let mut start = 0;
    for piece in &others {
        for k in 0..columns.len() {
            let x = columns[(start + k) % columns.len()];
            if field.put_behind(catalog, piece, x) {
                start = (start + k + 1) % columns.len();
                break;
            }
        }
    }
}

struct Field<'a> {
    saved: &'a mut Saved,
    owner: Color,
    /// From the back row to the front.
    rows: Vec<u8>,
}

impl Field<'_> {
    fn put(&mut self, member: &Member, x: u8, depth: usize) -> bool {
        let Some(y) = self.rows.get(depth) else { return false };
        let at = At::new(x, *y);
        if self.saved.pieces.iter().any(|piece| piece.at == at) {
            return false;
        }
        let mut piece = Piece::new(member.kind, self.owner, at);
        piece.layers = member.layers;
        self.saved.pieces.push(piece);
        true
    }

    /// In a column with a pawn only behind it.
    fn put_behind(&mut self, catalog: &Catalog, member: &Member, x: u8) -> bool {
        let pawn_row = self
            .saved
            .pieces
            .iter()
            .find(|p| p.owner == self.owner && p.at.x == x && catalog.piece(p.kind).pawn);
        let pawn_row = pawn_row.map(|pawn| pawn.at.y);
        let limit = self.rows.iter().position(|y| Some(*y) == pawn_row).unwrap_or(self.rows.len());
        (0..limit).any(|depth| self.put(member, x, depth))
    }
}
