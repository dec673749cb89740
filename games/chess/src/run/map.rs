//! The map of an act: rows of up to three nodes, a boss at the end.

use crate::catalog::RowDef;
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

const COLUMNS: u8 = 3;

/// Draws the map of an act: three places in each row, and the boss behind the last.
pub(super) fn draw(rows: &[RowDef], dice: &mut impl Draw) -> Vec<Node> {
    let mut map = Vec::new();
    for (row, def) in (0..).zip(rows) {
        let last = usize::from(row) + 1 == rows.len();
        for column in 0..COLUMNS {
            map.push(Node { row, column, kind: kind(def, dice), next: roads(last, column, dice) });
        }
    }
    map.push(Node { row: rows.len() as u8, column: 0, kind: NodeKind::Boss, next: 0 });
    map
}

fn kind(row: &RowDef, dice: &mut impl Draw) -> NodeKind {
    const KINDS: [NodeKind; 4] = [NodeKind::Fight, NodeKind::Elite, NodeKind::Shop, NodeKind::Event];
    KINDS[dice.weighted(&[row.fight, row.elite, row.shop, row.event]).unwrap_or(0)]
}

/// Straight on always, and aside by chance; all roads end at the boss.
fn roads(last: bool, column: u8, dice: &mut impl Draw) -> u8 {
    if last {
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
        let rows = &crate::catalog::Catalog::builtin().run.numbers.map;
        for seed in 0..200 {
            let map = draw(rows, &mut Dice::new(seed, Stream::named("test"), 0));
            assert_eq!(map.len(), rows.len() * usize::from(COLUMNS) + 1);
            for node in &map[..map.len() - 1] {
                let on =
                    map.iter().filter(|next| next.row == node.row + 1 && node.leads_to(next.column)).count();
                assert!(on > 0, "seed {seed}: dead end in row {}", node.row);
            }
        }
    }
}
