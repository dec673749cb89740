//! The map of an act: rows of up to three nodes, a boss at the end.

use serde::{Deserialize, Serialize};
use turnstone::dice::Draw;

/// What waits at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NodeKind {
    /// An ordinary fight.
    Fight,
    /// A hard fight with a better reward.
    Elite,
    /// Pieces, abilities and a relic for money.
    Shop,
    /// Something happens.
    Event,
    /// The last fight of the act.
    Boss,
}

/// A place on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// How far from the start.
    pub row: u8,
    /// Which of the places in the row.
    pub column: u8,
    /// What waits there.
    pub kind: NodeKind,
    /// A bit for each column of the next row that can be reached.
    pub next: u8,
}

impl Node {
    /// Can that column of the next row be reached from here?
    pub const fn leads_to(&self, column: u8) -> bool {
        column < 8 && self.next >> column & 1 != 0
    }
}

/// Rows before the boss.
pub(super) const ROWS: u8 = 6;
const COLUMNS: u8 = 3;

/// Draws the map of an act.
pub(super) fn draw(dice: &mut impl Draw) -> Vec<Node> {
    let mut map = Vec::new();
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            map.push(Node { row, column, kind: kind(row, dice), next: roads(row, column, dice) });
        }
    }
    map.push(Node { row: ROWS, column: 0, kind: NodeKind::Boss, next: 0 });
    map
}

/// It starts with fights and rests in shops before the boss; elites come late.
fn kind(row: u8, dice: &mut impl Draw) -> NodeKind {
    let weights: [u32; 4] = match row {
        0 => [1, 0, 0, 0],
        1 | 2 => [5, 0, 2, 3],
        3 | 4 => [4, 3, 1, 2],
        _ => [0, 0, 1, 0],
    };
    const KINDS: [NodeKind; 4] = [NodeKind::Fight, NodeKind::Elite, NodeKind::Shop, NodeKind::Event];
    KINDS[dice.weighted(&weights).unwrap_or(0)]
}

/// Straight on always, and aside by chance; all roads end at the boss.
fn roads(row: u8, column: u8, dice: &mut impl Draw) -> u8 {
    if row + 1 == ROWS {
        return 1;
    }
    let mut next = 1 << column;
    for aside in [column.checked_sub(1), Some(column + 1)].into_iter().flatten() {
        if aside < COLUMNS && dice.chance(2, 5) {
            next |= 1 << aside;
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone::dice::{Dice, Stream};

    #[test]
    fn every_road_leads_to_the_boss() {
        for seed in 0..200 {
            let map = draw(&mut Dice::new(seed, Stream::named("test"), 0));
            assert_eq!(map.len(), usize::from(ROWS * COLUMNS) + 1);
            for node in &map[..map.len() - 1] {
                let on =
                    map.iter().filter(|next| next.row == node.row + 1 && node.leads_to(next.column)).count();
                assert!(on > 0, "seed {seed}: dead end in row {}", node.row);
            }
        }
    }
}
