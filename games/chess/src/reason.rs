//! Why a number is what it is: who made or changed it. Left as notes beside the fact, and told by `explain`.

use crate::ability::AbilityId;
use crate::catalog::RelicId;
use crate::game::Chess;
use crate::piece::{Kind, PieceId};
use crate::run::coins;
use crate::state::State;
use serde::{Deserialize, Serialize};
use turnstone::{Note, Notes};

/// Who made or changed a number, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The charges of an ability: itself.
    Charges {
        /// Which.
        ability: AbilityId,
    },
    /// What a piece is worth: its kind.
    Value {
        /// Which.
        kind: Kind,
    },
    /// What a piece is worth: an ability it has.
    Ability {
        /// Which.
        ability: AbilityId,
    },
    /// The checks that are still to be given: one more was.
    Check,
    /// The coins for a fight won: more with every round.
    Prize {
        /// Which round.
        round: u8,
    },
    /// A price: what the thing is worth.
    Price,
    /// A number of the run: a relic.
    Relic {
        /// Which.
        relic: RelicId,
    },
    /// What a member is worth with all its abilities.
    Worth,
    /// What a shop pays of it.
    Sale,
    /// Your money: a toss.
    Toss,
    /// There is no less.
    Limit,
}

/// Notes that the charges of a layer change, and what the piece is worth with them.
pub(crate) fn charges(
    chess: &Chess,
    state: &State,
    (piece, slot): (PieceId, u8),
    to: u8,
    notes: &mut Notes<Reason>,
) {
    if !notes.are_wanted() {
        return;
    }
    let Some(layer) = state.piece(piece).and_then(|piece| piece.layers.get(slot)) else { return };
    notes.changed(Reason::Charges { ability: layer.ability }, layer.charges, to);
    let Some(before) = state.piece(piece) else { return };
    let mut after = *before;
    after.layers.set_charges(slot, to);
    let reason = Reason::Ability { ability: layer.ability };
    notes.changed(reason, chess.catalog.value(before), chess.catalog.value(&after));
}

/// Notes that a piece becomes another, and is worth more or less.
pub(crate) fn change(chess: &Chess, from: Kind, to: Kind, notes: &mut Notes<Reason>) {
    if notes.are_wanted() {
        let value = |kind| chess.catalog.piece(kind).value;
        notes.changed(Reason::Value { kind: to }, value(from), value(to));
    }
}

impl Chess {
    /// A note in words: `War chest: 5 → 7 coins`.
    pub(crate) fn tell_reason(&self, note: &Note<Reason>) -> String {
        let to = note.to;
        let chain = note.from.map_or(to.to_string(), |from| format!("{from} → {to}"));
        let money = || match note.from {
            Some(_) if to == 1 => format!("{chain} coin"),
            Some(_) => format!("{chain} coins"),
            None => coins(i32::try_from(to).unwrap_or(i32::MAX)),
        };
        match note.who {
            Reason::Charges { ability } => {
                let def = self.catalog.ability(ability);
                let count = |charges: i64| {
                    let charges = u8::try_from(charges).unwrap_or(u8::MAX);
                    def.verb.count(def, charges).unwrap_or_else(|| charges.to_string())
                };
                match note.from {
                    Some(from) => format!("{}: {} → {}", def.name, count(from), count(to)),
                    None => format!("{}: {}", def.name, count(to)),
                }
            }
            Reason::Value { kind } => {
                format!("a {}: worth {chain}", self.catalog.piece(kind).name.to_lowercase())
            }
            Reason::Ability { ability } => {
                format!("{}: the piece is worth {chain}", self.catalog.ability(ability).name)
            }
            Reason::Check => format!("this check: {chain} to go"),
            Reason::Prize { round } => format!("the prize of fight {round}: {}", money()),
            Reason::Price => format!("what it is worth: {}", money()),
            Reason::Relic { relic } => format!("{}: {}", self.relic_name(relic), money()),
            Reason::Worth => format!("with its abilities it is worth {chain}"),
            Reason::Sale => {
                format!("a shop pays {} %: {}", self.catalog.run.numbers.sale_percent, money())
            }
            Reason::Toss => format!("the toss: {}", money()),
            Reason::Limit => format!("no price is lower: {}", money()),
        }
    }
}
