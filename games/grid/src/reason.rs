//! Why a number is what it is: who made or changed it. Left as notes beside
//! the fact, and told by `explain`.

use serde::{Deserialize, Serialize};
use turnstone::Notes;

use crate::world::{Slot, World};

/// Who changed a number, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The score: what paid or cost.
    Points {
        /// What.
        source: Slot,
    },
    /// Health: the damage of what hit.
    Damage {
        /// What.
        damager: Slot,
    },
    /// Health: what hit takes all of it.
    Lethal {
        /// What.
        damager: Slot,
    },
    /// The steps an effect lasts: one more has passed.
    Time {
        /// Which.
        effect: Slot,
    },
    /// The uses of an effect: it was used once more.
    Use {
        /// Which.
        effect: Slot,
    },
}

/// Notes that points were given or taken.
#[inline]
pub(crate) fn points(world: &World, source: Slot, amount: i32, notes: &mut Notes<Reason>) {
    if notes.are_wanted() {
        let score = world.live.score;
        notes.changed(Reason::Points { source }, score, score.saturating_add(i64::from(amount)));
    }
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn numbers_say_where_they_come_from() {
        let notes = |text: &str, deeds: &str| Trial::new(text).plays(deeds).notes();
        assert_eq!(notes("\n@^E", "right"), ["5 → 2 health: the damage of the spike"]);
        assert_eq!(
            notes("\n@~E\n\n~ = lava damage=2", "right"),
            ["5 → 3 health: the damage of the lava", "3 → 0 health: the lava, which kills",]
        );
        let mud = "\n@m.E\n\nm = thing look=mud background cost=4";
        assert_eq!(notes(mud, "right wait"), ["-4 → -8 points: the mud"]);
        assert_eq!(notes("\n@oE", "right pick_up"), ["0 → 1 points: the coin"]);
        let boots = "\n@...E\n\n@ = agent bears[boots time=4 usage=2]";
        assert_eq!(notes(boots, "right"), ["4 → 3 steps left: the boots", "2 → 1 uses left: the boots"]);
        let shield = "\n@^E\n\n@ = agent bears[shield usage=2]";
        assert_eq!(notes(shield, "right"), ["2 → 1 uses left: the shield"]);
    }
}
