//! Rosters, and how they are set up for a fight.

use super::offer::any_ability;
use super::{Member, NodeKind, Run};
use crate::ability::Stack;
use crate::at::At;
use crate::catalog::{Catalog, FightDef, Ground};
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
    /// What kind of fight waits at the node.
    pub(super) fn fight(&self, catalog: &Catalog) -> FightDef {
        let numbers = &catalog.run.numbers;
        match self.node().map(|node| node.kind) {
            Some(NodeKind::Elite) => numbers.elite,
            Some(NodeKind::Boss) => numbers.boss,
            Some(NodeKind::Fight | NodeKind::Shop | NodeKind::Event) | None => numbers.fight,
        }
    }

    /// The enemy of the node: stronger with every fight won.
    fn enemy(&self, catalog: &Catalog, dice: &mut impl Draw) -> Vec<Member> {
        let (numbers, fight) = (&catalog.run.numbers, self.fight(catalog));
        let grown = i32::from(self.round) - 1;
        let budget =
            numbers.enemy_army + numbers.enemy_growth * grown + fight.army + i32::from(self.setup.difficulty);
        let mut roster = muster(catalog, budget.min(numbers.enemy_limit), dice);
        arm(catalog, &mut roster, grown / 2 + fight.abilities, dice);
        roster
    }

    /// The board of the node's fight.
    pub(super) fn board(&self, catalog: &Catalog, dice: &mut impl Draw) -> Saved {
        let side = self.fight(catalog).side;
        let recruits = self.found(catalog).flat_map(|(_, relic)| &relic.recruits);
        let recruits = recruits.map(|kind| Member { kind: *kind, layers: Stack::default() });
        let ours: Vec<Member> = self.roster.iter().copied().chain(recruits).collect();
        let enemy = self.enemy(catalog, dice);
        let mut saved = Saved::empty(side, side);
        deploy(catalog, &ours, Color::White, &mut saved, dice);
        deploy(catalog, &enemy, Color::Black, &mut saved, dice);
        saved.pieces.sort_by_key(|piece| piece.at);
        self.lay_tiles(catalog, &mut saved, dice);
        saved
    }

    /// A few tiles in the middle, more with every act, and what relics lay.
    fn lay_tiles(&self, catalog: &Catalog, saved: &mut Saved, dice: &mut impl Draw) {
        let kinds = &catalog.run.numbers.tiles;
        let middle = (saved.height - 1) / 2;
        for tile in self.lays(catalog, Ground::Middle) {
            (0..saved.width).for_each(|x| lay(saved, At::new(x, middle), tile));
        }
        for _ in 0..self.act.clamp(1, 3) * 2 - 1 {
            let x = dice.below(u64::from(saved.width)) as u8;
            let at = At::new(x, middle + dice.below(2) as u8);
            let tile = kinds[dice.below(kinds.len() as u64) as usize];
            lay(saved, at, tile);
        }
        let king = saved.pieces.iter().find(|piece| piece.kind == Kind::KING && piece.owner == Color::White);
        if let Some(at) = king.map(|king| king.at) {
            self.lays(catalog, Ground::King).for_each(|tile| lay(saved, at, tile));
        }
        saved.tiles.sort_by_key(|(at, _)| *at);
    }

    /// The tiles that relics lay there.
    fn lays<'a>(&'a self, catalog: &'a Catalog, on: Ground) -> impl Iterator<Item = Tile> + 'a {
        let lays = self.found(catalog).flat_map(|(_, relic)| &relic.lay);
        lays.filter(move |lay| lay.on == on).map(|lay| lay.tile)
    }
}

/// Lays a tile where none lies yet.
fn lay(saved: &mut Saved, at: At, tile: Tile) {
    if tile != Tile::Standard && saved.tiles.iter().all(|(other, _)| *other != at) {
        saved.tiles.push((at, tile));
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
