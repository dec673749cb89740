//! What a player declares, and is asked, outside of fights.

use serde::{Deserialize, Serialize};

use super::effect::Pick;

/// What a player declares outside of fights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Take one of Neow's offers.
    Neow(u8),
    /// Go to that column of the next row.
    Go(u8),
    /// Choose an option of an event.
    Option(u8),
    /// Take a reward.
    Take(u8),
    /// Take a card of a reward.
    TakeCard {
        /// The reward.
        reward: u8,
        /// The card.
        card: u8,
    },
    /// Turn a card reward into hit points (Singing Bowl).
    Bowl(u8),
    /// Take a relic of the boss chest.
    BossRelic(u8),
    /// Rest.
    Rest,
    /// Upgrade a card at the campfire.
    Smith,
    /// Do what a relic offers at the campfire; its place in the row.
    Offer(u8),
    /// Take the ruby key.
    Recall,
    /// Open the chest.
    OpenChest,
    /// Buy a card.
    BuyCard(u8),
    /// Buy a relic.
    BuyRelic(u8),
    /// Buy a potion.
    BuyPotion(u8),
    /// Pay for the removal of a card.
    BuyRemoval,
    /// Drink a potion outside of a fight.
    Drink(u8),
    /// Throw a potion away.
    Discard(u8),
    /// Leave the screen.
    Proceed,
    /// Give a fight up that neither side can end, and the run with it.
    GiveUp,
    /// A bare change by whoever runs a sandbox; never possible in a run.
    Operator(Verb),
}

/// A bare change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Take damage.
    Damage(i32),
    /// Heal.
    Heal(i32),
    /// Lose gold.
    Spend(i32),
    /// Gain gold.
    Gain(i32),
}

/// What can be bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ware {
    /// A card.
    Card(u8),
    /// A relic.
    Relic(u8),
    /// A potion.
    Potion(u8),
    /// The removal of a card.
    Removal,
}

/// What is asked outside of fights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Choose a card of the deck.
    Deck(Pick),
    /// Choose one of the cards on offer.
    Offer,
    /// Open a cell of the memory game.
    Flip,
}
