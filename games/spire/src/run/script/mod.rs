//! Scripts: what events, relics, potions and Neow do outside of combat, as data.
//!
//! `content/events/*.toml` is written in the words of [`StepText`]; [`Book::load`] turns names into numbers
//! and lists of steps into one dense table, so that an effect is a step's number.

mod text;
mod write;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
pub use text::*;

use self::write::Writer;
use super::score::Counted;
use crate::catalog::{Content, Problem};
use crate::seeds::{Bonus, CardNo, Drawback, EventNo, FightNo, PotionNo, RelicNo, Tables, Tier};

/// The number of a step in the book.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct StepNo(pub u16);

/// A list of steps in the book.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct ListNo(pub u16);

/// A fight with its pay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PaidFight {
    /// The fight, if it is fixed.
    pub fight: Option<FightNo>,
    /// Gold.
    pub gold: Option<Amount>,
    /// Relics by name.
    pub relics: Vec<RelicNo>,
    /// Relics by tier.
    pub tiers: Vec<Tier>,
    /// Nothing at all.
    pub unpaid: bool,
}

/// A step with its names turned into numbers. The variants are those of [`StepText`], and those that only entries
/// of the catalog ask for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// Gain gold.
    Gold(Amount),
    /// Lose gold.
    LoseGold(Amount),
    /// Lose all gold.
    LoseAllGold,
    /// Heal.
    Heal(Amount),
    /// Heal everything.
    HealFull,
    /// Take damage; relics that soften blows help.
    Damage(Amount),
    /// Lose hit points.
    LoseHp(Amount),
    /// Gain most and present hit points.
    MaxHp(Amount),
    /// Lose most hit points.
    LoseMaxHp(Amount),
    /// Copies of a card enter the deck.
    Cards {
        /// Which.
        card: CardNo,
        /// How many.
        count: Amount,
    },
    /// A relic by name.
    Relic(RelicNo),
    /// One of these relics, at random.
    RelicOf {
        /// These.
        relics: Vec<RelicNo>,
        /// Only those that are not owned yet.
        new: bool,
    },
    /// A random relic.
    RandomRelic,
    /// A relic is taken away.
    LoseRelic(RelicNo),
    /// Choose a card to remove.
    RemoveCard,
    /// Choose a card to upgrade.
    UpgradeCard,
    /// Upgrade random cards.
    UpgradeRandom {
        /// Only of this kind.
        kind: Option<KindWord>,
        /// How many.
        count: u8,
    },
    /// Upgrade every card.
    UpgradeAll,
    /// Upgrade starter strikes and defends.
    UpgradeStarters,
    /// Choose cards to transform.
    Transform {
        /// How many.
        count: u8,
        /// The results are upgraded.
        upgraded: bool,
        /// By Neow's own numbers.
        neow: bool,
    },
    /// Choose a card to copy.
    Duplicate,
    /// Every removable curse leaves the deck.
    RemoveCurses,
    /// All strikes are replaced.
    ReplaceStrikes {
        /// By this card.
        card: CardNo,
        /// So often.
        count: u8,
    },
    /// Choose a card that will always begin in hand.
    Bottle(KindWord),
    /// So many empty slots get a potion.
    FillPotions(Amount),
    /// More potion slots, or fewer.
    PotionSlots(i8),
    /// A reward screen.
    Treasure {
        /// Gold.
        gold: u32,
        /// Random potions.
        potions: u8,
        /// Card rewards.
        cards: u8,
    },
    /// Relics of these tiers are offered.
    RelicRewards(Vec<Tier>),
    /// So many offers of colorless cards.
    Colorless(u8),
    /// A random uncommon colorless card.
    ColorlessCard,
    /// Choose one of so many class cards.
    Library(u8),
    /// A fight.
    Fight(PaidFight),
    /// One thing or another.
    Chance {
        /// Percent of a hit.
        percent: Amount,
        /// If it hits.
        hit: ListNo,
        /// If it misses.
        miss: ListNo,
    },
    /// One list of steps, each equally likely.
    OneOf(Vec<ListNo>),
    /// One more on that count of the event.
    Count(u8),
    /// The event goes on at that node.
    Goto(u8),
    /// The potions drawn on entry are offered.
    DrawnPotions,
    /// Draws two relics of the player's.
    DrawTwoRelics,
    /// Gives away one of the two.
    GiveDrawnRelic(u8),
    /// Gives away the potion drawn on entry.
    GiveDrawnPotion,
    /// A card drawn on entry leaves the deck.
    LoseDrawn(Drawn),
    /// The next room is the boss.
    ToTheBoss,
    /// The game of pairs.
    MemoryGame,
    /// Give a card to the flames, which thank for a curse with this relic.
    Bonfire(RelicNo),
    /// Search the dead adventurer.
    SearchAdventurer,
    /// The counter of a relic changes.
    Counter {
        /// The relic.
        relic: RelicNo,
        /// What it shows then.
        to: Amount,
    },
    /// A random curse enters the deck.
    RandomCurse,
    /// A relic as an elite would leave it.
    FoundRelic,
    /// Cards that pass a filter of the catalog leave the deck.
    RemoveCards(Option<u16>),
    /// Cards that pass a filter of the catalog become random cards of the character.
    ReplaceCards(Option<u16>),
    /// Random cards that pass a filter of the catalog are upgraded.
    UpgradeCards {
        /// Which cards.
        filter: Option<u16>,
        /// How many.
        count: u8,
    },
}

/// The node that ends an event.
pub const END: u8 = u8::MAX;

/// An option of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionScript {
    /// Its name in traces and match files.
    pub id: String,
    /// What the player reads.
    pub text: String,
    /// What it needs.
    pub needs: Needs,
    /// The relic that must be owned, or must not.
    pub relic: Option<(RelicNo, bool)>,
    /// What it does.
    pub steps: ListNo,
    /// The node it leads to.
    pub then: u8,
}

/// A node of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeScript {
    /// Its name.
    pub id: String,
    /// What the player reads.
    pub text: String,
    /// What happens on reaching it.
    pub enter: ListNo,
    /// What can be chosen.
    pub options: Vec<OptionScript>,
}

/// An event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventScript {
    /// Its name.
    pub name: String,
    /// Its nodes, `start` first.
    pub nodes: Vec<NodeScript>,
}

/// What a line of the score is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Worth {
    /// Points for each.
    Each(i32),
    /// The n-th counts n times this.
    Rising(i32),
    /// From so many on, so many points; ascending.
    Steps(Vec<[i32; 2]>),
    /// Percent of all other lines for each.
    Percent(i32),
}

/// A line of the score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreRule {
    /// What the player reads.
    pub text: String,
    /// What is counted.
    pub of: Counted,
    /// What it is worth.
    pub worth: Worth,
    /// Only in a run that was won.
    pub won: bool,
}

/// All scripts, ready to run.
#[derive(Clone, Debug, Default)]
pub struct Book {
    steps: Vec<Op>,
    lists: Vec<(u16, u16)>,
    events: BTreeMap<EventNo, EventScript>,
    drink: BTreeMap<PotionNo, ListNo>,
    neow: BTreeMap<String, ListNo>,
    score: Vec<(String, ScoreRule)>,
}

impl Book {
    /// The scripts of a content, by the numbers of its tables.
    ///
    /// # Errors
    /// Every name that is not known, and every number that makes no sense.
    pub fn load(content: &Content, tables: &Tables) -> Result<Book, Vec<Problem>> {
        Writer::new(tables).book(content)
    }

    /// A step.
    pub fn step(&self, step: StepNo) -> Option<&Op> {
        self.steps.get(usize::from(step.0))
    }

    /// The steps of a list.
    pub fn list(&self, list: ListNo) -> impl Iterator<Item = StepNo> + use<> {
        let (from, to) = self.lists.get(usize::from(list.0)).copied().unwrap_or((0, 0));
        (from..to).map(StepNo)
    }

    /// The script of an event.
    pub fn event(&self, event: EventNo) -> Option<&EventScript> {
        self.events.get(&event)
    }

    /// How many events have scripts.
    pub fn event_count(&self) -> usize {
        self.events.len()
    }

    /// The lines of the score.
    pub fn score(&self) -> impl Iterator<Item = &ScoreRule> + Clone {
        self.score.iter().map(|(_, rule)| rule)
    }

    /// What a potion does outside of combat; `None` if it cannot be drunk there.
    pub fn drink(&self, potion: PotionNo) -> Option<ListNo> {
        self.drink.get(&potion).copied()
    }

    /// Lets a potion be drunk outside of combat.
    pub(super) fn set_drink(&mut self, potion: PotionNo, steps: ListNo) {
        self.drink.insert(potion, steps);
    }

    /// Adds a list of steps.
    pub(super) fn append(&mut self, ops: Vec<Op>) -> ListNo {
        if ops.is_empty() {
            return ListNo(0);
        }
        let from = self.steps.len() as u16;
        self.steps.extend(ops);
        self.lists.push((from, self.steps.len() as u16));
        ListNo(self.lists.len() as u16 - 1)
    }

    /// What a gift of Neow's does, beside what the seed decides.
    pub fn bonus(&self, bonus: Bonus) -> ListNo {
        self.neow.get(bonus.word()).copied().unwrap_or_default()
    }

    /// What a gift of Neow's costs, beside what the seed decides.
    pub fn drawback(&self, drawback: Drawback) -> ListNo {
        self.neow.get(drawback.word()).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Sources;

    fn load(text: &str) -> Result<(Tables, Book), Vec<Problem>> {
        let content = Content::load(&Sources::builtin("classic").with_text("x.toml", text))?;
        let tables = Tables::new(&content);
        let book = Book::load(&content, &tables)?;
        Ok((tables, book))
    }

    fn problems(text: &str) -> Vec<String> {
        load(text).err().unwrap_or_default().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_event_has_a_script() {
        let (tables, book) = load("").expect("sound");
        assert_eq!(book.event_count(), 51);
        let listed = tables.acts.iter().flat_map(|a| a.events.iter().chain(&a.shrines));
        for event in listed.chain(&tables.one_time) {
            assert!(book.event(*event).is_some(), "{}", tables.events.name(*event));
        }
    }

    #[test]
    fn every_event_can_be_left() {
        let (_, book) = load("").expect("sound");
        for script in book.events.values() {
            let ends = script.nodes.iter().flat_map(|n| &n.options).any(|o| o.then == END);
            assert!(ends, "{}", script.name);
        }
    }

    #[test]
    fn mistakes_in_scripts_are_told_all_at_once_with_place_and_nearest_name() {
        assert_eq!(
            problems(
                "[neow.remove_card]\ndo = [{ max_hq = 7 }]\n\n[event.lab]\npol = \"once\"\n\n\
                 [score.floors]\nof = \"flors\"\n"
            ),
            [
                "x.toml:2:9: unknown word `max_hq`; did you mean `max_hp`?",
                "x.toml:5:1: unknown key `pol`; did you mean `pool`?",
                "x.toml:8:6: unknown word `flors`; did you mean `floors`?",
            ]
        );
        assert_eq!(
            problems("[neow.remove_card]\ndo = [{ card = \"regrett\" }, { relic = \"ankor\" }]\n"),
            [
                "x.toml:2:16: no card `regrett`; did you mean `regret`?",
                "x.toml:2:39: no relic `ankor`; did you mean `anchor`?",
            ]
        );
        let told = problems("[neow.remove_crad]\ndo = []\n");
        assert_eq!(
            told,
            ["x.toml:1:7: no gift or drawback of Neow's `remove_crad`; did you mean `remove_card`?"]
        );
    }

    #[test]
    fn a_line_of_the_score_says_once_what_it_is_worth() {
        let line = "[score.x]\ntext = \"x\"\nof = \"relics\"\n";
        assert!(load(&format!("{line}each = 3\n")).is_ok());
        for wrong in ["", "each = 3\npercent = 2\n", "steps = [[5, 10], [2, 5]]\n"] {
            let told = problems(&format!("{line}{wrong}"));
            assert!(told.len() == 1 && told[0].contains("score `x`"), "{told:?}");
        }
    }

    #[test]
    fn a_new_event_says_where_it_may_be_met() {
        let node =
            "[event.well.node.start]\ntext = \"A well.\"\noptions = [{ id = \"leave\", text = \"Leave\" }]\n";
        assert_eq!(problems(&format!("[event.well]\n{node}")), ["x.toml:1:8: the key `pool` is missing"]);
        let (tables, book) = load(&format!("[event.well]\npool = \"act2\"\n{node}")).expect("loads");
        let well: EventNo = tables.events.find("well").expect("a number");
        assert_eq!(tables.acts[1].events.last(), Some(&well));
        assert_eq!(book.event(well).map(|e| e.name.as_str()), Some("Well"));
    }
}
