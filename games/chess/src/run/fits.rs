//! Whether a fact of a run that comes from outside can be written.

use super::{Node, Run, RunEvent, Stand};
use crate::ability::AbilityId;
use crate::at::At;
use crate::catalog::{Catalog, ROWS_MAX};
use crate::piece::{Kind, Piece};
use crate::state::{Saved, State};
use crate::tile::Tile;

impl Run {
    /// Does the event name only what this run and the catalog have?
    pub(crate) fn fits(&self, catalog: &Catalog, event: &RunEvent) -> bool {
        let member = |index: u8| usize::from(index) < self.roster.len();
        let kind = |kind: Kind| usize::from(kind.0) < catalog.pieces.len();
        let ability = |ability: AbilityId| usize::from(ability.0) < catalog.abilities.len();
        match *event {
            RunEvent::Travelled(node) => usize::from(node) < self.map.len(),
            RunEvent::FightBegan { side, ref pieces, ref tiles, .. } => {
                set_up(side, pieces, tiles).check(catalog).is_ok()
            }
            RunEvent::ShopOpened { ref offers, .. } | RunEvent::FightWon { ref offers, .. } => {
                offers.len() <= 64 && offers.iter().all(|offer| offer.is_known(catalog))
            }
            RunEvent::EventMet { event, .. } | RunEvent::Accepted { event } => {
                catalog.map_event(event).is_some()
            }
            RunEvent::Taken { offer, member: whom, what, .. } => {
                self.offers.get(usize::from(offer)) == Some(&what) && whom.is_none_or(member)
            }
            RunEvent::Sold { member: whom, .. } => member(whom),
            RunEvent::Blessed { member: whom, ability: what, .. } => member(whom) && ability(what),
            RunEvent::Joined { kind: what, .. } => kind(what) && self.roster.len() < 64,
            RunEvent::Became { member: whom, to, .. } => member(whom) && kind(to),
            RunEvent::Survived { relic } => self.has(relic),
            RunEvent::ActBegan { ref map, .. } => map.len() < 256 && map.iter().all(is_place),
            RunEvent::Paid { .. }
            | RunEvent::Earned { .. }
            | RunEvent::Tossed { .. }
            | RunEvent::Left
            | RunEvent::Stalled
            | RunEvent::RunWon
            | RunEvent::RunLost => true,
        }
    }
}

fn is_place(node: &Node) -> bool {
    usize::from(node.row) <= ROWS_MAX && node.column < 3
}

/// The board of a fight that begins.
pub(super) fn set_up(side: u8, pieces: &[Stand], tiles: &[(At, Tile)]) -> Saved {
    let stand =
        |stand: &Stand| Piece { layers: stand.layers, ..Piece::new(stand.kind, stand.owner, stand.at) };
    Saved { pieces: pieces.iter().map(stand).collect(), tiles: tiles.to_vec(), ..Saved::empty(side, side) }
}

/// The state of a fight, and the run around it.
pub(super) fn fight(run: Box<Run>, board: Saved) -> Option<State> {
    State::try_from(Saved { run: Some(run), ..board }).ok()
}
