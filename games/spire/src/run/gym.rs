//! The spire as numbers, for learners: fights alone and whole runs, of every character.
//!
//! | part | what |
//! |---|---|
//! | `you` | hit points, block, energy, gold, turn, where you are: named one by one |
//! | `hand` | a row for each card in the hand: which, upgrades, cost now, kind, aims, grown, kept, flags |
//! | `enemies` | a row for each living enemy, left to right: which, hit points, block, what it intends; then those that lie there and may rise |
//! | `powers`, `stored` | stacks of every power, and their second numbers: a row for you, then for each enemy as above |
//! | `relics` | 0 without it, else 1 and its counter · `potions` which in each slot · `orbs` which and how much, `channeled` how often in this fight |
//! | `screen` | which screen, event and node, what is asked and for what, what the event counts · `wares` what lies before you, and its price; what of yours an event is about |
//! | `asked` | the cards that may be picked now, in the order of their numbers: which, upgrades, grown |
//! | `piles` | how often each card lies in draw pile, discard pile, exhaust pile and deck, plain and upgraded |
//! | `marked` | the cards of these piles that are unlike others of their name: what they have grown by, cost, keep |
//! | `next` | the cards that are drawn next, for whom they are seen |
//! | `deck` | a row for each card of the deck: which, upgrades, bottled, grown |
//! | `map` | rows from the bottom: what each room is, where its ways lead, which elite burns, where you are |
//!
//! [`Part::columns`], [`Part::meanings`] and [`Part::codes`] name every number. Codes of cards, powers, relics and others
//! count from 1 in the order of the content's names; 0 is nothing. What content of one's own adds stands behind all that
//! comes with the game: it renumbers nothing, unless it deletes something. Left out of what a view shows: what the rules keep at
//! hand for themselves, what counts for the score alone, and the numbers in the texts of cards and of events, which
//! follow from the rest. Numbers of inputs count places: of a card in the hand and of an enemy among the living, of an
//! answer among those offered.
//!
//! Rewards: `outcome` (default), 1 for a victory and -1 for a defeat; `progress`, besides that 1 for every floor;
//! `health`, besides the outcome the change of the share of hit points left.

use turnstone::{Input, InputOf, Position, Rejection, Seat};
use turnstone_gym::{Coder, Layout, Learned, Part, Sheet, Taste, result, word};

use super::Setup;
use super::action::{Action, Question as Asking, Ware};
use super::effect::Purpose;
use super::host::built_in;
use super::tower::{EventScreen, Reward, Screen};
use crate::State;
use crate::action::Action as FightAction;
use crate::action::Deed;
use crate::catalog::compile::{Catalog, Op};
use crate::catalog::verb::Purpose as Goal;
use crate::catalog::words::{CardType, Intent, Spot};
use crate::game::Spire;
use crate::question::Answer;
use crate::question::{Asked, Question, Reply};
use crate::seeds::{ChestSize, EventDetail, HEIGHT, Map, NeowOption, Place, Shared, Tables, WIDTH};
use crate::state::{self, Card, DeckCard, Life, NO_COST, NONE, PLAYER};

const HAND: usize = 10;
const ENEMIES: usize = 8;
const POTIONS: usize = 6;
const ORBS: usize = 10;
const WARES: usize = 24;
/// Answers that have numbers: so many cards of a deck or pile.
const PICKS: usize = 128;
/// Rewards on a screen, options of an event.
const ROWS: usize = 12;

/// Cards in piles that have rows of their own.
const MARKED: usize = 24;
/// Cards of the draw pile that are seen, where they are.
const NEXT: usize = 10;
/// Kinds of orbs that are counted.
const CHANNELED: usize = 8;

const YOU: [(&str, &str); 34] = [
    ("hp", "hit points"),
    ("max hp", ""),
    ("block", ""),
    ("energy", "left in this turn"),
    ("energy per turn", ""),
    ("gold", ""),
    ("character", ""),
    ("ascension", ""),
    ("act", ""),
    ("floor", ""),
    ("turn", "of the fight"),
    ("stance", ""),
    ("orb slots", ""),
    ("potion slots", ""),
    ("cards played", "in this turn"),
    ("attacks played", "in this turn"),
    ("skills played", "in this turn"),
    ("discarded", "cards discarded in this turn"),
    ("powers played", "in this fight"),
    ("mantra", "gained in this fight"),
    ("draw pile", "how many cards lie there"),
    ("hand", "how many cards you hold"),
    ("discard pile", "how many cards lie there"),
    ("exhaust pile", "how many cards lie there"),
    ("deck", "how many cards it has"),
    ("keys", "1 for the ruby, 2 for the emerald, 4 for the sapphire key, added up"),
    ("boss", "who waits at the end of the act"),
    ("in a fight", ""),
    ("encounter", "whom you fight"),
    ("cards per turn", "drawn at the beginning of each"),
    ("times hurt", "how often you have lost hit points in this fight"),
    ("hurt last turn", ""),
    ("card before", "the kind of the card that was played before"),
    ("removals", "cards that merchants have removed: it makes the next one dearer"),
];
const CARD: [(&str, &str); 8] = [
    ("card", ""),
    ("upgraded", "how often"),
    ("cost", "what it costs now; less than 0 if it has none or takes all there is"),
    ("kind", ""),
    ("aims", "1 if it is played at an enemy"),
    ("grown", "what it has grown by in this fight"),
    ("kept", "a number that it keeps"),
    ("flags", FLAGS),
];
const FLAGS: &str = "1 kept at the end of this turn, 2 free until played, 4 a copy that vanishes, 8 exhausts this time, 16 its \
                     cost was rolled, 32 bottled, 64 being played, added up";
const ENEMY: [(&str, &str); 14] = [
    ("enemy", ""),
    ("hp", "hit points"),
    ("max hp", ""),
    ("block", ""),
    ("intends", "which move; 0 if that is hidden"),
    ("damage", "of each hit that it intends"),
    ("hits", "that it intends"),
    ("moves made", ""),
    ("last move", ""),
    ("minion", "1 if it leaves with its master"),
    ("intent", "what kind of move; 0 if that is hidden"),
    ("move before", "the one before the last"),
    ("holds", "a card that it took"),
    ("life", ""),
];
/// Whether an enemy lives.
const LIVES: [&str; 3] = ["nothing", "alive", "may rise"];
const SCREEN: [(&str, &str); 12] = [
    ("screen", "what is before you"),
    ("event", "which event"),
    ("node", "where in the event, from 0"),
    ("asked", "what kind of question waits"),
    ("asked for", "what becomes of what is picked"),
    ("chest", "how large the chest is"),
    ("tries", "left in a game of pairs"),
    ("count 1", "of the event: what was searched, or which cell was turned up first"),
    ("count 2", "of the event"),
    ("count 3", "of the event"),
    (
        "services",
        "1 if one card is upgraded and not two, 2 if one is removed and not two transformed, added up",
    ),
    ("max hp before", "yours when you came, of which an event takes its shares"),
];
const SCREENS: [&str; 10] =
    ["nothing", "neow", "event", "rewards", "boss chest", "rest", "chest", "shop", "unused", "fight"];
const QUESTIONS: [&str; 7] = [
    "nothing",
    "cards of the fight",
    "one of an offer in the fight",
    "one of several things",
    "cards of the deck",
    "one of an offer",
    "a cell that is face down",
];
/// What cards are asked for in a fight, as [`goal`] counts it; behind these come the spots where they may be put, and
/// behind those the purposes for which cards of the deck are asked.
const GOALS: [&str; 8] = ["nothing", "discard", "exhaust", "upgrade", "keep", "play", "copy", "reprice"];
const PURPOSES: [&str; 6] =
    ["remove from the deck", "upgrade in the deck", "transform", "duplicate", "bottle", "burn"];
const PICK: [(&str, &str); 3] = [("card", ""), ("upgraded", "how often"), ("grown", "what it has grown by")];
const WARE: [(&str, &str); 12] = [
    ("kind", "what it is; the columns behind say which"),
    ("card", ""),
    ("upgraded", "how often the card is"),
    ("relic", ""),
    ("potion", ""),
    ("gold", "how much"),
    ("key", ""),
    ("gift", "what Neow gives"),
    ("drawback", "what that costs"),
    ("cell", "where the card lies face up, from 1"),
    ("price", "0 if it costs nothing or is sold"),
    ("place", "of a card of yours in the deck, of a potion of yours among those you carry, from 1"),
];
const WARES_KINDS: [&str; 12] = [
    "nothing",
    "card",
    "relic",
    "potion",
    "gold",
    "key",
    "gift",
    "removal of a card",
    "card face up",
    "card of yours",
    "potion of yours",
    "gold of yours",
];
const MARK: [(&str, &str); 7] = [
    ("pile", ""),
    ("card", ""),
    ("upgraded", "how often"),
    ("cost", "what it costs in this fight"),
    ("grown", "what it has grown by in this fight"),
    ("kept", "a number that it keeps"),
    ("flags", FLAGS),
];
const PILES: [&str; 4] = ["nothing", "draw pile", "discard pile", "exhaust pile"];
const DECK: [(&str, &str); 4] = [
    ("card", ""),
    ("upgraded", "how often"),
    ("bottled", "1 if it is"),
    ("grown", "what it has grown by for good"),
];
const ROOM: [(&str, &str); 12] = [
    ("monster", ""),
    ("elite", ""),
    ("rest", ""),
    ("shop", ""),
    ("treasure", ""),
    ("event", ""),
    ("boss", ""),
    ("leads left", "1 if a way leads to the room above on the left"),
    ("leads on", "to the room above"),
    ("leads right", "to the room above on the right"),
    ("here", "1 where you are"),
    ("burns", "what the elite there gains, who has the emerald key"),
];

/// The numbers of the spire.
#[derive(Clone, Debug)]
pub struct SpireCoder {
    powers: usize,
    cards: usize,
    /// The code of each monster's moves.
    moves: Vec<Vec<i16>>,
    /// The code of everything that a burning elite may gain.
    burnings: Vec<u8>,
    layout: Layout,
    reward: Worth,
}

/// Names of codes: nothing is 0, the others follow.
fn coded<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Vec<String> {
    std::iter::once("nothing".to_owned()).chain(names.into_iter().map(Into::into)).collect()
}

/// Those that come with the game, then those that are there besides.
fn added(usual: Vec<String>, all: Vec<String>) -> Vec<String> {
    let more = all.into_iter().filter(|name| !usual.contains(name)).collect::<Vec<_>>();
    usual.into_iter().chain(more).collect()
}

/// The code of something that may have been added: its place among all names, from 1.
fn code(names: &[String], name: &str) -> i16 {
    names.iter().position(|known| known == name).map_or(0, |place| word(place as i64 + 1))
}

/// The moves of every monster, by the names of both.
fn moves_of(catalog: &Catalog) -> Vec<Vec<String>> {
    let named = |monster: &crate::catalog::compile::MonsterInfo| {
        monster.moves.iter().map(|made| format!("{}: {}", monster.id, made.id)).collect()
    };
    catalog.monsters.iter().map(named).collect()
}

/// What burning elites may gain.
fn burnings_of(tables: &Tables) -> Vec<String> {
    let name = |n| tables.burning_name(crate::seeds::Burning(n as u8)).to_owned();
    (0..tables.burnings.len()).map(name).collect()
}

/// What an observation is made of; of what content of one's own may add to, the names are given.
fn parts(catalog: &Catalog, tables: &Tables, moves: &[String], burnings: &[String]) -> Vec<Part> {
    let ids = |ids: &mut dyn Iterator<Item = &String>| ids.cloned().collect::<Vec<String>>();
    let cards = ids(&mut catalog.cards.iter().map(|card| &card.id));
    let powers = ids(&mut catalog.powers.iter().map(|power| &power.id));
    let relics = ids(&mut catalog.relics.iter().map(|relic| &relic.id));
    let orbs = ids(&mut catalog.orbs.iter().map(|orb| &orb.id));
    let (card, potion) = (coded(cards.clone()), coded(catalog.potions.iter().map(|potion| &*potion.id)));
    let encounters = coded(catalog.encounters.iter().map(|encounter| &*encounter.id));
    let kinds = coded(CardType::ALL.iter().map(|(_, name, _)| *name));
    let moves = coded(moves.iter().cloned());
    let spots = Spot::ALL.iter().map(|(_, name, _)| format!("put to {name}"));
    let goals: Vec<String> =
        GOALS.map(String::from).into_iter().chain(spots).chain(PURPOSES.map(String::from)).collect();
    let gifts = coded(tables.gifts.names.iter());
    vec![
        Part::words("you", &[YOU.len()])
            .saying("how you stand, one by one")
            .with_meanings(YOU)
            .with_codes("character", coded(catalog.characters.iter().map(|character| &*character.id)))
            .with_codes("stance", coded(catalog.stances.iter().map(|stance| &*stance.id)))
            .with_codes("boss", encounters.clone())
            .with_codes("encounter", encounters)
            .with_codes("card before", kinds.clone()),
        Part::words("hand", &[HAND, CARD.len()])
            .saying("a row for each card in the hand, from left to right, in the order of their numbers")
            .with_meanings(CARD)
            .with_codes("card", card.clone())
            .with_codes("kind", kinds),
        Part::words("enemies", &[ENEMIES, ENEMY.len()])
            .saying("a row for each living enemy, from left to right, in the order of their numbers; then those that may rise")
            .with_meanings(ENEMY)
            .with_codes("enemy", coded(catalog.monsters.iter().map(|monster| &*monster.id)))
            .with_codes("intends", moves.clone())
            .with_codes("last move", moves.clone())
            .with_codes("move before", moves)
            .with_codes("intent", coded(Intent::ALL.iter().map(|(_, name, _)| *name)))
            .with_codes("holds", card.clone())
            .with_codes("life", LIVES),
        Part::words("powers", &[1 + ENEMIES, powers.len()])
            .saying("how much of each power is there: a row for you, then one for each row of `enemies`; what has no number counts 1")
            .with_columns(powers.clone()),
        Part::words("stored", &[1 + ENEMIES, powers.len()])
            .saying("the second number of each power, for those that have one, in the rows of `powers`")
            .with_columns(powers),
        Part::words("relics", &[relics.len()])
            .saying("0 without the relic, else its counter and 1; less than 0 is the counter itself")
            .with_columns(relics.clone()),
        Part::words("potions", &[POTIONS])
            .saying("which potion is in each slot, in the order of their numbers")
            .with_codes("potions", potion.clone()),
        Part::words("orbs", &[ORBS, 2])
            .saying("a row for each orb, the next to be evoked first")
            .with_meanings([("orb", ""), ("stored", "what it has gathered")])
            .with_codes("orb", coded(orbs.clone())),
        Part::words("channeled", &[CHANNELED])
            .saying("how many orbs of each kind were channeled in this fight")
            .with_columns(
                orbs.into_iter().chain((0..CHANNELED).map(|n| format!("orb {}", n + 1))).take(CHANNELED),
            ),
        Part::words("screen", &[SCREEN.len()])
            .saying("where you are, and what is asked")
            .with_meanings(SCREEN)
            .with_codes("screen", SCREENS)
            .with_codes("event", coded(catalog.events.iter().map(|event| &*event.id)))
            .with_codes("asked", QUESTIONS)
            .with_codes("asked for", goals)
            .with_codes("chest", coded(ChestSize::ALL.iter().map(|size| size.word()))),
        Part::words("wares", &[WARES, WARE.len()])
            .saying("what lies before you: rewards, goods of a shop, gifts, in the order of their numbers; of an event the relics that it drew and what of yours it is about")
            .with_meanings(WARE)
            .with_codes("kind", WARES_KINDS)
            .with_codes("card", card.clone())
            .with_codes("relic", coded(relics))
            .with_codes("potion", potion)
            .with_codes("key", ["nothing", "ruby", "emerald", "sapphire"])
            .with_codes("gift", gifts.clone())
            .with_codes("drawback", gifts),
        Part::words("asked", &[PICKS, PICK.len()])
            .saying("the cards that may be picked now, in the order of their numbers")
            .with_meanings(PICK)
            .with_codes("card", card.clone()),
        Part::words("marked", &[MARKED, MARK.len()])
            .saying("the cards in draw pile, discard pile and exhaust pile that are unlike others of their name, in no order")
            .with_meanings(MARK)
            .with_codes("pile", PILES)
            .with_codes("card", card.clone()),
        Part::words("next", &[NEXT, 2])
            .saying("the cards that are drawn next, the first one first, if you see the order of the draw pile")
            .with_meanings([("card", ""), ("upgraded", "how often")])
            .with_codes("card", card.clone()),
        Part::words("deck", &[PICKS, DECK.len()])
            .saying("a row for each card of the deck, as it lies")
            .with_meanings(DECK)
            .with_codes("card", card),
        Part::bytes("piles", &[4, 2, cards.len()])
            .saying("how often each card lies in draw pile, discard pile, exhaust pile and deck, plain and upgraded")
            .with_columns(cards),
        Part::bytes("map", &[HEIGHT, WIDTH, ROOM.len()])
            .saying("the rooms of the act, row by row from the bottom")
            .with_meanings(ROOM)
            .with_codes("burns", coded(burnings.iter().cloned())),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worth {
    Outcome,
    Progress,
    Health,
}

impl Learned for Spire {
    type Coder = SpireCoder;

    fn coder(&self, _: &Setup, _: &Position<Self>, taste: &Taste) -> Result<SpireCoder, Rejection> {
        taste.observation(&["all"])?;
        let reward = match taste.reward(&["outcome", "progress", "health"])? {
            "progress" => Worth::Progress,
            "health" => Worth::Health,
            _ => Worth::Outcome,
        };
        let (catalog, tables) = (&self.catalog, &self.rulebook.tables);
        // A monster's moves and what elites gain may be added to in the middle: other things stand behind already.
        let usual = built_in(self.ruleset)?;
        let (moves, burnings) = (moves_of(catalog), burnings_of(tables));
        let all_moves = added(moves_of(&usual.catalog).concat(), moves.concat());
        let all_burnings = added(burnings_of(&usual.rulebook.tables), burnings.clone());
        let own = |moves: &Vec<String>| moves.iter().map(|made| code(&all_moves, made)).collect();
        Ok(SpireCoder {
            powers: catalog.powers.len(),
            cards: catalog.cards.len(),
            moves: moves.iter().map(own).collect(),
            burnings: burnings.iter().map(|gained| code(&all_burnings, gained) as u8).collect(),
            layout: Layout::new(parts(catalog, tables, &all_moves, &all_burnings), taste)?,
            reward,
        })
    }
}

/// Where each group of numbers begins.
struct Groups {
    play: usize,
    potion: usize,
    toss: usize,
    pick: usize,
    done: usize,
    option: usize,
    run: usize,
}

const GROUPS: Groups = {
    let play = 3;
    let potion = play + HAND * (1 + ENEMIES);
    let toss = potion + POTIONS * (1 + ENEMIES);
    let pick = toss + POTIONS;
    let done = pick + PICKS;
    let option = done + 1;
    Groups { play, potion, toss, pick, done, option, run: option + ROWS }
};

/// The numbers of a run's own steps, counted from the first of them.
mod step {
    use super::{PICKS, POTIONS, ROWS};
    pub(super) const NEOW: usize = 0;
    pub(crate) const GO: usize = NEOW + 4;
    pub(crate) const OPTION: usize = GO + 8;
    pub(crate) const TAKE: usize = OPTION + ROWS;
    pub(crate) const CARDS: usize = 6;
    pub(crate) const TAKE_CARD: usize = TAKE + ROWS;
    pub(crate) const BOWL: usize = TAKE_CARD + ROWS * CARDS;
    pub(crate) const BOSS_RELIC: usize = BOWL + ROWS;
    pub(super) const REST: usize = BOSS_RELIC + 3;
    pub(super) const SMITH: usize = REST + 1;
    pub(super) const RECALL: usize = SMITH + 1;
    pub(crate) const OPEN: usize = RECALL + 1;
    pub(crate) const OFFER: usize = OPEN + 1;
    /// A relic may offer something from any place in the row.
    pub(crate) const RELICS: usize = 64;
    pub(crate) const BUY_CARD: usize = OFFER + RELICS;
    pub(crate) const BUY_RELIC: usize = BUY_CARD + 7;
    pub(crate) const BUY_POTION: usize = BUY_RELIC + 3;
    pub(crate) const BUY_REMOVAL: usize = BUY_POTION + 3;
    pub(crate) const DRINK: usize = BUY_REMOVAL + 1;
    pub(crate) const DISCARD: usize = DRINK + POTIONS;
    pub(crate) const PROCEED: usize = DISCARD + POTIONS;
    pub(crate) const GIVE_UP: usize = PROCEED + 1;
    pub(crate) const ANSWER: usize = GIVE_UP + 1;
    pub(super) const COUNT: usize = ANSWER + PICKS;
}

fn within(number: impl Into<usize>, most: usize) -> Option<usize> {
    Some(number.into()).filter(|number| *number < most)
}

/// 0 for nobody, else the place among the living enemies, from 1.
fn aim(s: &State, target: Option<u8>) -> Option<usize> {
    let Some(target) = target else { return Some(0) };
    let place = s.combat.enemies().position(|who| who == target)?;
    within(place, ENEMIES).map(|place| place + 1)
}

fn fight_number(s: &State, action: &FightAction) -> Option<usize> {
    Some(match *action {
        FightAction::Begin => 0,
        FightAction::EndTurn => 1,
        FightAction::Leave => 2,
        FightAction::Play { card, target } => {
            let place = within(s.combat.hand.iter().position(|slot| *slot == card)?, HAND)?;
            GROUPS.play + place * (1 + ENEMIES) + aim(s, target)?
        }
        FightAction::Potion { index, target } => {
            GROUPS.potion + within(index, POTIONS)? * (1 + ENEMIES) + aim(s, target)?
        }
        FightAction::Toss { index } => GROUPS.toss + within(index, POTIONS)?,
    })
}

fn step_number(action: &Action) -> Option<usize> {
    Some(match *action {
        Action::Neow(n) => step::NEOW + within(n, 4)?,
        Action::Go(n) => step::GO + within(n, 8)?,
        Action::Option(n) => step::OPTION + within(n, ROWS)?,
        Action::Take(n) => step::TAKE + within(n, ROWS)?,
        Action::TakeCard { reward, card } => {
            step::TAKE_CARD + within(reward, ROWS)? * step::CARDS + within(card, step::CARDS)?
        }
        Action::Bowl(n) => step::BOWL + within(n, ROWS)?,
        Action::BossRelic(n) => step::BOSS_RELIC + within(n, 3)?,
        Action::Rest => step::REST,
        Action::Smith => step::SMITH,
        Action::Recall => step::RECALL,
        Action::OpenChest => step::OPEN,
        Action::Offer(n) => step::OFFER + within(n, step::RELICS)?,
        Action::BuyCard(n) => step::BUY_CARD + within(n, 7)?,
        Action::BuyRelic(n) => step::BUY_RELIC + within(n, 3)?,
        Action::BuyPotion(n) => step::BUY_POTION + within(n, 3)?,
        Action::BuyRemoval => step::BUY_REMOVAL,
        Action::Drink(n) => step::DRINK + within(n, POTIONS)?,
        Action::Discard(n) => step::DISCARD + within(n, POTIONS)?,
        Action::Proceed => step::PROCEED,
        Action::GiveUp => step::GIVE_UP,
        Action::Operator(_) => return None,
    })
}

/// What a number of a fight stands for in general.
fn fight_meaning(number: usize) -> Option<String> {
    let aimed = |what: String, aim: usize| match aim {
        0 => what,
        enemy => format!("{what} at enemy {enemy}"),
    };
    let each = 1 + ENEMIES;
    Some(match number {
        0 => "begin the fight".into(),
        1 => "end the turn".into(),
        2 => "leave the fight".into(),
        _ if number < GROUPS.potion => {
            let (card, aim) = ((number - GROUPS.play) / each, (number - GROUPS.play) % each);
            aimed(format!("play card {} of the hand", card + 1), aim)
        }
        _ if number < GROUPS.toss => {
            let (potion, aim) = ((number - GROUPS.potion) / each, (number - GROUPS.potion) % each);
            aimed(format!("use potion {}", potion + 1), aim)
        }
        _ if number < GROUPS.pick => format!("throw away potion {} in the fight", number - GROUPS.toss + 1),
        _ if number < GROUPS.done => format!("pick card {} of those asked for", number - GROUPS.pick + 1),
        _ if number == GROUPS.done => "pick no more cards".into(),
        _ if number < GROUPS.run => format!("choose thing {} of those offered", number - GROUPS.option + 1),
        _ => return None,
    })
}

/// What a step of a run stands for in general.
fn step_meaning(step: usize) -> Option<String> {
    let kinds: [(usize, &str); 21] = [
        (step::NEOW, "take gift # of Neow's"),
        (step::GO, "go to column # of the map"),
        (step::OPTION, "choose option # of the event"),
        (step::TAKE, "take reward #"),
        (step::TAKE_CARD, ""),
        (step::BOWL, "take hit points in place of the cards of reward #"),
        (step::BOSS_RELIC, "take relic # of the boss chest"),
        (step::REST, "rest"),
        (step::SMITH, "upgrade a card at the fire"),
        (step::RECALL, "take the ruby key"),
        (step::OPEN, "open the chest"),
        (step::OFFER, "use what relic # offers"),
        (step::BUY_CARD, "buy card #"),
        (step::BUY_RELIC, "buy relic #"),
        (step::BUY_POTION, "buy potion #"),
        (step::BUY_REMOVAL, "have a card removed"),
        (step::DRINK, "drink potion #"),
        (step::DISCARD, "throw away potion #"),
        (step::PROCEED, "go on"),
        (step::GIVE_UP, "give up"),
        (step::ANSWER, "pick card or cell # of those asked for between fights"),
    ];
    let (first, words) = kinds.into_iter().rev().find(|(first, _)| *first <= step && step < step::COUNT)?;
    let place = step - first;
    if first == step::TAKE_CARD {
        let (reward, card) = (place / step::CARDS + 1, place % step::CARDS + 1);
        return Some(format!("take card {card} of reward {reward}"));
    }
    Some(words.replace('#', &(place + 1).to_string()))
}

/// Which of a kind, from 1; 0 for none.
fn which(id: u16) -> i16 {
    if id == NONE { 0 } else { word(i64::from(id) + 1) }
}

impl SpireCoder {
    fn you(&self, state: &State, out: &mut [i16]) {
        let (run, combat, tower) = (&state.run, &state.combat, &state.tower);
        let fighting = state.is_fighting() && !combat.bodies.is_empty();
        let (hp, max_hp, block) = match combat.bodies.first() {
            Some(body) if fighting => (body.hp, body.max_hp, body.block),
            _ => (run.hp, run.max_hp, 0),
        };
        let counts = &combat.counts;
        let pile = |list: &[u16]| word(list.len() as i64);
        let numbers: [i16; YOU.len()] = [
            hp,
            max_hp,
            block,
            combat.energy,
            run.energy,
            word(run.gold),
            which(run.character),
            run.ascension.into(),
            run.act.into(),
            run.floor.into(),
            word(counts.turn),
            which(combat.stance),
            combat.orb_slots.into(),
            run.potion_slots.into(),
            counts.cards_played.into(),
            counts.attacks_played.into(),
            counts.skills_played.into(),
            counts.discarded.into(),
            word(counts.powers_played),
            word(counts.mantra),
            pile(&combat.draw),
            pile(&combat.hand),
            pile(&combat.discard),
            pile(&combat.exhaust),
            word(run.deck.len() as i64),
            tower.keys.into(),
            which(tower.fate.boss().0),
            fighting.into(),
            if fighting { which(combat.encounter) } else { 0 },
            run.draw,
            word(counts.times_hurt),
            counts.hurt_last_turn.into(),
            if usize::from(counts.previous) < CardType::ALL.len() {
                i16::from(counts.previous) + 1
            } else {
                0
            },
            tower.removals.into(),
        ];
        out.copy_from_slice(&numbers);
    }

    fn hand(&self, spire: &Spire, s: &State, out: &mut [i16]) {
        out.fill(0);
        for (slot, row) in s.combat.hand.iter().zip(out.chunks_exact_mut(CARD.len())) {
            let Some(card) = s.combat.cards.get(usize::from(*slot)) else { continue };
            let brief = spire.catalog.brief(card);
            let cost =
                if card.cost_is_own() && brief.plain() { brief.cost } else { spire.cost_now(s, card, *slot) };
            let kind = spire.catalog.cards[usize::from(card.id)].kind as i16 + 1;
            let [grown, kept, flags] = [card.grown, card.kept, card.flags.into()];
            let numbers =
                [which(card.id), card.up.into(), cost.into(), kind, brief.aims().into(), grown, kept, flags];
            row.copy_from_slice(&numbers);
        }
    }

    /// The living, from left to right, then those that may rise.
    fn rows(s: &State) -> impl Iterator<Item = u8> + '_ {
        let lying = |who: &u8| s.combat.bodies[usize::from(*who)].life == Life::HalfDead;
        s.combat.enemies().chain(s.combat.board.iter().copied().filter(lying))
    }

    fn powers(&self, s: &State, mut out: Sparse<'_, i16>, number: impl Fn(&state::Power) -> i16) {
        let player = s.combat.bodies.get(usize::from(PLAYER));
        let enemies = SpireCoder::rows(s).map(|who| &s.combat.bodies[usize::from(who)]);
        for (row, body) in player.into_iter().chain(enemies).enumerate().take(1 + ENEMIES) {
            for power in body.powers.iter().filter(|power| usize::from(power.id) < self.powers) {
                out.put(row * self.powers + usize::from(power.id), number(power));
            }
        }
    }

    fn enemies(&self, spire: &Spire, s: &State, out: &mut [i16]) {
        out.fill(0);
        let hidden = spire.hides_intents(s);
        for (who, row) in SpireCoder::rows(s).zip(out.as_chunks_mut::<{ ENEMY.len() }>().0) {
            let body = &s.combat.bodies[usize::from(who)];
            let moves = self.moves.get(usize::from(body.kind)).map_or(&[][..], Vec::as_slice);
            let made = |number: u8| moves.get(usize::from(number)).copied().unwrap_or_default();
            let (damage, hits) = match hidden || !body.alive() {
                true => (0, 0),
                false => spire.intended_hits(s, who).into_iter().next().unwrap_or_default(),
            };
            let announced = spire.move_of(body.kind, body.intent).filter(|_| !hidden);
            let held = s.combat.cards.get(usize::from(body.held));
            *row = [
                which(body.kind),
                body.hp,
                body.max_hp,
                body.block,
                if hidden { 0 } else { made(body.intent) },
                word(damage),
                word(hits),
                body.moves.into(),
                made(body.history[0]),
                body.minion.into(),
                announced.map_or(0, |made| made.intent as i16 + 1),
                made(body.history[1]),
                held.map_or(0, |card| which(card.id)),
                if body.alive() { 1 } else { 2 },
            ];
        }
    }

    fn relics(s: &State, mut out: Sparse<'_, i16>) {
        for relic in &s.run.relics {
            let counter = relic.counter;
            out.put(relic.id.into(), if counter < 0 { counter } else { counter.saturating_add(1) });
        }
    }

    fn potions(s: &State, out: &mut [i16]) {
        out.fill(0);
        out.iter_mut().zip(&s.run.potions).for_each(|(slot, id)| *slot = which(*id));
    }

    fn orbs(s: &State, out: &mut [i16]) {
        out.fill(0);
        for (orb, row) in s.combat.orbs.iter().zip(out.as_chunks_mut().0) {
            *row = [which(orb.id), orb.stored];
        }
    }

    /// Which screen, what is asked and for what.
    fn screen(game: &Spire, position: &Position<Spire>, out: &mut [i16]) {
        let state = position.state();
        let [asked, goal] = position.pending().map_or([0, 0], |pending| question(game, &pending.question));
        let (kind, event, chest) = match state.tower.screen() {
            _ if state.is_fighting() => (9, None, 0),
            None => (0, None, 0),
            Some(Screen::Neow) => (1, None, 0),
            Some(Screen::Event(event)) => (2, Some(event), 0),
            Some(Screen::Rewards(_)) => (3, None, 0),
            Some(Screen::BossChest(_)) => (4, None, 0),
            Some(Screen::Rest) => (5, None, 0),
            Some(Screen::Chest(chest)) => (6, None, chest.size as i16 + 1),
            Some(Screen::Shop(_)) => (7, None, 0),
        };
        let [event, node, tries, first, second, third, services, max_hp] = event.map_or([0; 8], told_of);
        out.copy_from_slice(&[
            kind, event, node, asked, goal, chest, tries, first, second, third, services, max_hp,
        ]);
    }

    /// What lies before the player.
    fn wares(game: &Spire, position: &Position<Spire>, mut out: Sparse<'_, i16>) {
        let (state, mut row) = (position.state(), 0);
        let mut lay = |ware: Laid| {
            ware.write(row, &mut out);
            row += 1;
        };
        if position.pending().is_some() {
            state.combat.offer.iter().for_each(|(id, up)| lay(Laid::card(*id, *up)));
            state.tower.offer.iter().for_each(|card| lay(Laid::card(card.0, 0)));
        }
        match state.tower.screen() {
            _ if state.is_fighting() => {}
            None | Some(Screen::Rest | Screen::Chest(_)) => {}
            Some(Screen::Neow) => {
                let offers = &state.tower.fate.neow;
                offers.iter().for_each(|offer| lay(Laid::gift(offer)));
            }
            Some(Screen::Event(event)) => lay_event(state, event, &mut lay),
            Some(Screen::Rewards(list)) => list.iter().for_each(|reward| lay_reward(reward, &mut lay)),
            Some(Screen::BossChest(relics)) => relics.iter().for_each(|relic| lay(Laid::relic(relic.0))),
            Some(Screen::Shop(shop)) => {
                let price = |ware| game.journey().price(state, ware).map_or(0, word);
                for (number, card) in shop.stock.cards.iter().enumerate() {
                    let up = u8::from(game.journey().comes_upgraded(state, card.card));
                    lay(Laid::card(card.card.0, up).at(price(Ware::Card(number as u8))));
                }
                for (number, relic) in shop.stock.relics.iter().enumerate() {
                    lay(Laid::relic(relic.relic.0).at(price(Ware::Relic(number as u8))));
                }
                for (number, potion) in shop.stock.potions.iter().enumerate() {
                    lay(Laid::potion(potion.potion.0).at(price(Ware::Potion(number as u8))));
                }
                lay(Laid::of(7).at(price(Ware::Removal)));
            }
        }
    }

    /// The cards that may be picked, in the order in which they are offered, which is that of their numbers.
    fn asked(game: &Spire, position: &Position<Spire>, mut out: Sparse<'_, i16>) {
        let Some(pending) = position.pending() else { return };
        let (s, mut row) = (position.state(), 0);
        let mut lay = |id: u16, up: u8, grown: i16| {
            out.put_row(row, &[which(id), up.into(), grown]);
            row += 1;
        };
        match &pending.question {
            Asked::Fight(question) => game.offered_answers(s, question, |answer| {
                if let Answer::Pick(slot) = answer
                    && let Some(card) = s.combat.cards.get(usize::from(slot))
                {
                    lay(card.id, card.up, card.grown);
                }
            }),
            Asked::Run(question @ Asking::Deck(_)) => {
                let cards = game.journey().answers(s, *question);
                cards
                    .iter()
                    .filter_map(|&at| s.run.deck.get(usize::from(at)))
                    .for_each(|c| lay(c.id, c.up, c.grown));
            }
            Asked::Run(Asking::Offer) => s.tower.offer.iter().for_each(|card| lay(card.0, 0, 0)),
            Asked::Run(Asking::Flip) => {}
        }
    }

    /// How often each card lies where.
    fn piles(&self, s: &State, mut out: Sparse<'_, u8>) {
        let combat = &s.combat;
        let mut add = |pile: usize, id: u16, up: u8| {
            let at = (2 * pile + usize::from(up > 0)) * self.cards + usize::from(id);
            let before = out.numbers.get(at).copied().unwrap_or_default();
            out.put(at, before.saturating_add(1));
        };
        for (pile, list) in [&combat.draw, &combat.discard, &combat.exhaust].into_iter().enumerate() {
            for card in list.iter().filter_map(|slot| combat.cards.get(usize::from(*slot))) {
                add(pile, card.id, card.up);
            }
        }
        s.run.deck.iter().for_each(|card| add(3, card.id, card.up));
    }

    /// The cards in piles that are unlike others of their name. Those of the draw pile stand in an order of their own,
    /// which tells nothing of that in which they lie.
    fn marked(spire: &Spire, s: &State, mut out: Sparse<'_, i16>) {
        let combat = &s.combat;
        let odd = |card: &Card| {
            card.up > 1 || card.grown != 0 || card.kept != 0 || card.flags != 0 || !card.cost_is_own()
        };
        let mut row = 0;
        for (pile, list) in [&combat.draw, &combat.discard, &combat.exhaust].into_iter().enumerate() {
            let known = |slot: &&u16| combat.cards.get(usize::from(**slot)).is_some_and(odd);
            let mut slots: Vec<u16> = list.iter().filter(known).copied().collect();
            slots.sort_unstable_by_key(|slot| (combat.cards[usize::from(*slot)].id, *slot));
            for card in slots.iter().map(|slot| &combat.cards[usize::from(*slot)]) {
                let own = if card.cost == NO_COST { spire.catalog.brief(card).cost } else { card.cost };
                let cost = own.saturating_add(card.cost_add);
                let [pile, up, cost, flags] =
                    [pile as i16 + 1, card.up.into(), cost.into(), card.flags.into()];
                out.put_row(row, &[pile, which(card.id), up, cost, card.grown, card.kept, flags]);
                row += 1;
            }
        }
    }

    /// The cards that are drawn next, if they are seen.
    fn next(spire: &Spire, s: &State, out: &mut [i16]) {
        out.fill(0);
        if !spire.sees_order(s) {
            return;
        }
        let cards = s.combat.draw.iter().rev().filter_map(|slot| s.combat.cards.get(usize::from(*slot)));
        for (card, row) in cards.zip(out.as_chunks_mut().0) {
            *row = [which(card.id), card.up.into()];
        }
    }

    fn deck(s: &State, mut out: Sparse<'_, i16>) {
        for (row, card) in s.run.deck.iter().enumerate() {
            out.put_row(row, &[which(card.id), card.up.into(), card.bottled.into(), card.grown]);
        }
    }

    /// The map of the act.
    fn map(&self, map: &Map, place: Option<Place>, out: &mut [u8]) {
        out.fill(0);
        for (y, row) in map.rows.iter().enumerate() {
            for (x, node) in row.iter().enumerate().filter(|(_, node)| node.exists()) {
                let cell = &mut out[(y * WIDTH + x) * ROOM.len()..][..ROOM.len()];
                if let Some(room) = node.room {
                    cell[room as usize] = 1;
                }
                for (way, mark) in cell[7..10].iter_mut().enumerate() {
                    let column = (x + way).checked_sub(1).filter(|column| *column < WIDTH);
                    *mark = column.map_or(0, |column| node.edges >> column & 1);
                }
                let here = Some(Place { x: x as u8, y: y as u8 });
                cell[10] = u8::from(place == here);
                cell[11] = match map.burning {
                    Some((elite, burning)) if Some(elite) == here => {
                        self.burnings.get(usize::from(burning.0)).copied().unwrap_or_default()
                    }
                    _ => 0,
                };
            }
        }
    }

    fn write(&self, game: &Spire, position: &Position<Spire>, drawn: &mut Drawn, sheet: &mut Sheet<'_>) {
        let (state, mut desk) = (position.state(), self.layout.desk(sheet.again()));
        if let Some(out) = desk.words() {
            self.you(state, out);
        }
        if let Some(out) = desk.words() {
            self.hand(game, state, out);
        }
        if let Some(out) = desk.words() {
            self.enemies(game, state, out);
        }
        if let Some(out) = desk.words() {
            // A power that is there without a number counts one.
            self.powers(state, drawn.powers.clear(out), |power| if power.n == 0 { 1 } else { power.n });
        }
        if let Some(out) = desk.words() {
            self.powers(state, drawn.stored.clear(out), |power| power.stored);
        }
        if let Some(out) = desk.words() {
            SpireCoder::relics(state, drawn.relics.clear(out));
        }
        if let Some(out) = desk.words() {
            SpireCoder::potions(state, out);
        }
        if let Some(out) = desk.words() {
            SpireCoder::orbs(state, out);
        }
        if let Some(out) = desk.words() {
            let counts = state.combat.counts.channeled.iter();
            out.iter_mut().zip(counts).for_each(|(slot, count)| *slot = (*count).into());
        }
        if let Some(out) = desk.words() {
            SpireCoder::screen(game, position, out);
        }
        if let Some(out) = desk.words() {
            SpireCoder::wares(game, position, drawn.wares.clear(out));
        }
        if let Some(out) = desk.words() {
            SpireCoder::asked(game, position, drawn.asked.clear(out));
        }
        if let Some(out) = desk.words() {
            SpireCoder::marked(game, state, drawn.marked.clear(out));
        }
        if let Some(out) = desk.words() {
            SpireCoder::next(game, state, out);
        }
        if let Some(out) = desk.words()
            && drawn.deck.1.as_ref() != Some(&state.run.deck)
        {
            SpireCoder::deck(state, drawn.deck.0.clear(out));
            drawn.deck.1.get_or_insert_default().clone_from(&state.run.deck);
        }
        if let Some(out) = desk.bytes() {
            self.piles(state, drawn.piles.clear(out));
        }
        let tower = &state.tower;
        let known = drawn.map.as_ref().is_some_and(|(map, at)| *at == tower.place && *map == tower.fate.map);
        if let Some(out) = desk.bytes().filter(|_| !known) {
            self.map(&tower.fate.map, tower.place, out);
            drawn.map = Some((tower.fate.map.clone(), tower.place));
        }
    }
}

/// Something that lies before the player, as a row of `wares`.
struct Laid([i16; WARE.len()]);

impl Laid {
    fn of(kind: i16) -> Self {
        let mut row = [0; WARE.len()];
        row[0] = kind;
        Laid(row)
    }

    fn with(mut self, column: usize, number: i16) -> Self {
        self.0[column] = number;
        self
    }

    fn card(id: u16, up: u8) -> Self {
        Laid::of(1).with(1, which(id)).with(2, up.into())
    }

    fn relic(id: u16) -> Self {
        Laid::of(2).with(3, which(id))
    }

    fn potion(id: u16) -> Self {
        Laid::of(3).with(4, which(id))
    }

    fn gift(offer: &NeowOption) -> Self {
        Laid::of(6).with(7, which(offer.bonus.0)).with(8, offer.drawback.map_or(0, |cost| which(cost.0)))
    }

    fn face_up(id: u16, cell: usize) -> Self {
        Laid::of(8).with(1, which(id)).with(9, word(cell as i64 + 1))
    }

    /// A card of the deck.
    fn own_card(s: &State, place: u16) -> Self {
        let (id, up) = s.run.deck.get(usize::from(place)).map_or((NONE, 0), |card| (card.id, card.up));
        Laid::of(9).with(1, which(id)).with(2, up.into()).with(11, word(i64::from(place) + 1))
    }

    /// One of the potions that are carried.
    fn own_potion(s: &State, nth: u8) -> Self {
        let mut carried = s.run.potions.iter().filter(|potion| **potion != NONE);
        let potion = carried.nth(nth.into()).map_or(0, |potion| which(*potion));
        Laid::of(10).with(4, potion).with(11, i16::from(nth) + 1)
    }

    fn own_gold(gold: u32) -> Self {
        Laid::of(11).with(5, word(gold))
    }

    /// For so much.
    fn at(self, price: i16) -> Self {
        self.with(10, price)
    }

    fn write(&self, row: usize, out: &mut Sparse<'_, i16>) {
        out.put_row(row, &self.0);
    }
}

/// What is asked, and for what.
fn question(game: &Spire, asked: &Asked) -> [i16; 2] {
    match asked {
        Asked::Fight(Question::Cards { program, pc, .. }) => {
            [1, game.catalog.step(*program, *pc).and_then(Op::purpose).map_or(0, goal)]
        }
        Asked::Fight(Question::Offer { .. }) => [2, 0],
        Asked::Fight(Question::Option { .. }) => [3, 0],
        Asked::Run(Asking::Deck(pick)) => {
            let purpose = match pick.purpose {
                Purpose::Remove => 0,
                Purpose::Upgrade => 1,
                Purpose::Transform { .. } => 2,
                Purpose::Duplicate => 3,
                Purpose::Bottle => 4,
                Purpose::Burn { .. } => 5,
            };
            [4, (GOALS.len() + Spot::ALL.len()) as i16 + purpose]
        }
        Asked::Run(Asking::Offer) => [5, 0],
        Asked::Run(Asking::Flip) => [6, 0],
    }
}

/// What a step asks cards for: to discard, exhaust, upgrade, keep, play, copy or reprice them, to put them somewhere, or
/// 0 for what no fight asks.
fn goal(purpose: Goal) -> i16 {
    match purpose {
        Goal::Discard => 1,
        Goal::Exhaust => 2,
        Goal::Upgrade => 3,
        Goal::Keep => 4,
        Goal::Play => 5,
        Goal::Copy => 6,
        Goal::Reprice => 7,
        Goal::Put(spot) => GOALS.len() as i16 + spot as i16,
        Goal::Search | Goal::Remove | Goal::Transform | Goal::Bottle => 0,
    }
}

/// What stands on the screen of an event, in the order of the columns: which, where in it, tries, counts, services, and
/// the most hit points on entry.
fn told_of(event: &EventScreen) -> [i16; 8] {
    let services = match &event.detail {
        Some(EventDetail::TwoServices { upgrade_one, clean_up_removes }) => {
            i16::from(*upgrade_one) + 2 * i16::from(*clean_up_removes)
        }
        Some(
            EventDetail::GuardedFinds { .. }
            | EventDetail::OneOfEachType { .. }
            | EventDetail::Potions { .. }
            | EventDetail::Belongings { .. }
            | EventDetail::Gold { .. }
            | EventDetail::Pairs { .. },
        )
        | None => 0,
    };
    let [first, second, third] = event.counts.map(i16::from);
    let (node, tries) = (event.node.into(), event.tries.into());
    [which(event.event.0), node, tries, first, second, third, services, event.max_hp]
}

/// What an event has drawn and shows: relics, things of the player's, cards that lie face up.
fn lay_event(s: &State, event: &EventScreen, lay: &mut impl FnMut(Laid)) {
    event.relics.iter().for_each(|relic| lay(Laid::relic(relic.0)));
    match &event.detail {
        Some(EventDetail::Pairs { board }) => {
            let shown = board.iter().enumerate().filter(|(cell, _)| event.shows(*cell));
            shown.for_each(|(cell, card)| lay(Laid::face_up(card.0, cell)));
        }
        Some(EventDetail::OneOfEachType { attack, skill, power }) => {
            [attack, skill, power].into_iter().flatten().for_each(|place| lay(Laid::own_card(s, *place)));
        }
        Some(EventDetail::Belongings { potion, gold, card }) => {
            potion.iter().for_each(|nth| lay(Laid::own_potion(s, *nth)));
            gold.iter().for_each(|gold| lay(Laid::own_gold(*gold)));
            card.iter().for_each(|place| lay(Laid::own_card(s, *place)));
        }
        Some(EventDetail::Gold { gold_loss }) => lay(Laid::own_gold(*gold_loss)),
        // Services have a column on the screen; the others are found out later.
        Some(
            EventDetail::TwoServices { .. } | EventDetail::GuardedFinds { .. } | EventDetail::Potions { .. },
        )
        | None => {}
    }
}

fn lay_reward(reward: &Reward, lay: &mut impl FnMut(Laid)) {
    match reward {
        Reward::Gold(gold) | Reward::StolenGold(gold) => lay(Laid::of(4).with(5, word(*gold))),
        Reward::Relic(relic) => lay(Laid::relic(relic.0)),
        Reward::Potion(potion) => lay(Laid::potion(potion.0)),
        Reward::Cards(offer) => {
            offer.iter().for_each(|card| lay(Laid::card(card.card.0, card.upgraded.into())));
        }
        Reward::Key(key) => lay(Laid::of(5).with(6, *key as i16 + 1)),
    }
}

/// What a buffer shows: where those parts hold something of which most is 0; the map, and where the player stands.
#[derive(Clone, Default)]
pub struct Drawn {
    powers: Written,
    stored: Written,
    relics: Written,
    wares: Written,
    asked: Written,
    marked: Written,
    /// And which deck that was.
    deck: (Written, Option<Vec<DeckCard>>),
    piles: Written,
    map: Option<(Shared<Map>, Option<Place>)>,
}

/// The places of a part that may hold something else than 0; `None` while nobody knows what it holds.
#[derive(Clone, Default)]
struct Written(Option<Vec<usize>>);

/// A part that holds nothing yet, and the places at which something is written.
struct Sparse<'a, T> {
    numbers: &'a mut [T],
    places: &'a mut Vec<usize>,
}

impl<T: Copy + Default + PartialEq> Sparse<'_, T> {
    fn put(&mut self, place: usize, number: T) {
        if let Some(slot) = self.numbers.get_mut(place).filter(|_| number != T::default()) {
            *slot = number;
            self.places.push(place);
        }
    }

    fn put_row(&mut self, row: usize, numbers: &[T]) {
        let first = row * numbers.len();
        numbers.iter().enumerate().for_each(|(at, number)| self.put(first + at, *number));
    }
}

impl Written {
    /// Takes away what was written there: little, where the whole is thousands of numbers.
    fn clear<'a, T: Copy + Default>(&'a mut self, numbers: &'a mut [T]) -> Sparse<'a, T> {
        match &mut self.0 {
            Some(places) => {
                for place in places.drain(..) {
                    if let Some(slot) = numbers.get_mut(place) {
                        *slot = T::default();
                    }
                }
            }
            None => numbers.fill(T::default()),
        }
        Sparse { numbers, places: self.0.get_or_insert_default() }
    }
}

impl Coder<Spire> for SpireCoder {
    type Canvas = Drawn;

    fn parts(&self) -> Vec<Part> {
        self.layout.parts()
    }

    fn numbers(&self) -> usize {
        GROUPS.run + step::COUNT
    }

    #[inline]
    fn number(
        &self,
        _game: &Spire,
        position: &Position<Spire>,
        input: &InputOf<Spire>,
        place: usize,
    ) -> Option<usize> {
        match input {
            Input::Act(Deed::Fight(action)) => fight_number(position.state(), action),
            Input::Act(Deed::Run(action)) => step_number(action).map(|number| GROUPS.run + number),
            Input::Choose(Reply::Fight(Answer::Pick(_))) => {
                within(place, PICKS).map(|place| GROUPS.pick + place)
            }
            Input::Choose(Reply::Fight(Answer::Done)) => Some(GROUPS.done),
            Input::Choose(Reply::Fight(Answer::Option(n))) => within(*n, ROWS).map(|n| GROUPS.option + n),
            Input::Choose(Reply::Run(_)) => {
                within(place, PICKS).map(|place| GROUPS.run + step::ANSWER + place)
            }
        }
    }

    fn meaning(&self, _: &Spire, number: usize) -> Option<String> {
        match number.checked_sub(GROUPS.run) {
            None => fight_meaning(number),
            Some(step) => step_meaning(step),
        }
    }

    fn observe(&self, game: &Spire, position: &Position<Spire>, _seat: Seat, sheet: &mut Sheet<'_>) {
        self.write(game, position, &mut Drawn::default(), sheet);
    }

    fn update(
        &self,
        game: &Spire,
        position: &Position<Spire>,
        _seat: Seat,
        drawn: &mut Drawn,
        sheet: &mut Sheet<'_>,
    ) {
        self.write(game, position, drawn, sheet);
    }

    #[inline]
    fn standing(&self, game: &Spire, position: &Position<Spire>, seat: Seat) -> f32 {
        let ended = result(game, position, seat);
        let s = position.state();
        match self.reward {
            Worth::Outcome => ended,
            Worth::Progress => ended + f32::from(s.run.floor),
            Worth::Health => {
                let body = s.combat.bodies.first().filter(|_| position.state().is_fighting());
                let (hp, most) = body.map_or((s.run.hp, s.run.max_hp), |body| (body.hp, body.max_hp));
                ended + f32::from(hp) / f32::from(most.max(1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone_gym::oracles::{nothing_hidden_shows, prove};
    use turnstone_gym::{Actions, Autoreset, Batch, OFFERS, Plan};
    use turnstone_host::{Hosted, Opening};

    type Runs = Spire;

    fn opening(setup: &str) -> Opening {
        Opening { setup: Some(setup.into()), ..Opening::default() }
    }

    #[test]
    fn the_promises_hold_for_every_character_and_in_fights() {
        for setup in Runs::setups() {
            let plan = Plan { autoreset: Autoreset::SameStep, seed: 9, ..Plan::default() };
            prove::<Runs>(&opening(&setup.id), &plan, 120);
        }
    }

    /// By their places in the offered list, with the words of each: the numbers that every game has.
    #[test]
    fn the_promises_hold_for_offers() {
        for setup in ["silent", "fight:jaw_worm"] {
            let plan = Plan { actions: Actions::Offered(OFFERS), seed: 6, ..Plan::default() };
            prove::<Runs>(&opening(setup), &plan, 60);
        }
    }

    #[test]
    fn nothing_hidden_is_in_the_observation() {
        for setup in Runs::setups().iter().take(4) {
            nothing_hidden_shows::<Runs>(&opening(&setup.id), &Plan { seed: 2, ..Plan::default() }, 200);
        }
    }

    /// Who is asked for a card sees which one each number means, and what becomes of it.
    #[test]
    fn what_may_be_picked_is_seen() {
        let seen = |discard: &str, card: &str| {
            let setup = format!(
                "situation:hand: {card}, strike_ironclad, defend_ironclad; draw: strike_ironclad*3; discard: {discard}; enemy: jaw_worm 40/44"
            );
            let (game, setup) = Runs::open_table(&opening(&setup)).expect("a situation");
            let first = Position::<Runs>::new(turnstone::Game::start(&*game, &setup, 1).expect("it starts"));
            let coder = game.coder(&setup, &first, &Taste::default()).expect("a coder");
            let (mut position, mut resolver) = (first, turnstone::Resolver::<Runs>::default());
            let hand = |position: &Position<Runs>| position.state().combat.hand.first().copied();
            let target = position.state().combat.enemies().next();
            let card = hand(&position).expect("a hand");
            let aimed = Deed::Fight(FightAction::Play { card, target });
            let plain = Deed::Fight(FightAction::Play { card, target: None });
            let played = [aimed, plain].into_iter().any(|deed| {
                resolver.act(&*game, &mut position, &Input::Act(deed), &mut turnstone::Off).is_ok()
            });
            assert!(played && position.pending().is_some(), "{card}: a card is asked for");
            let length = |sort| coder.parts().iter().filter(|part| part.sort == sort).map(Part::length).sum();
            let (mut bytes, mut words) =
                (vec![0; length(turnstone_gym::Sort::U8)], vec![0; length(turnstone_gym::Sort::I16)]);
            coder.observe(&game, &position, 0, &mut Sheet { bytes: &mut bytes, words: &mut words });
            words
        };
        let [one, other] =
            ["bash, defend_ironclad", "defend_ironclad, bash"].map(|discard| seen(discard, "headbutt"));
        assert_ne!(one, other, "number 153 is another card");
        assert_ne!(seen("bash", "armaments"), seen("bash", "warcry"), "to upgrade, or to put back");
    }

    /// What is seen of a situation, by the names of parts and columns.
    fn seen(text: &str) -> impl Fn(&str, usize, &str) -> i16 + use<> {
        let (game, setup) = Runs::open_table(&opening(text)).expect("a situation");
        let batch = Batch::new(game, setup, Plan::default()).expect("a batch");
        let (parts, (_, words)) = (batch.parts().to_vec(), batch.see(0, 0).expect("it is seen"));
        move |part, row, column| {
            let mut first = 0;
            for known in parts.iter().filter(|known| known.sort == turnstone_gym::Sort::I16) {
                if known.name == part {
                    let at = known.columns.iter().position(|name| name == column).expect("a column");
                    return words[first + row * known.columns.len() + at];
                }
                first += known.length();
            }
            panic!("there is no {part}")
        }
    }

    /// Upgrades, what a card has grown by and what is bottled were once told of cards in the hand alone.
    #[test]
    fn cards_unlike_others_of_their_name_are_seen_in_piles_and_deck() {
        let told =
            seen("situation:hand: strike_ironclad; discard: searing_blow+3, bash; enemy: jaw_worm 40/44");
        assert_eq!([told("marked", 0, "pile"), told("marked", 0, "upgraded")], [2, 3]);
        assert_eq!(
            [told("marked", 1, "pile"), told("marked", 1, "card")],
            [0, 0],
            "and nothing else is marked"
        );
    }

    /// Something in every list, before everything else in the alphabet, and a move before the others of a monster.
    const PACK: &str = r#"
[card.aaa]
color = "ironclad"
type = "attack"
rarity = "common"
cost = 1
do = [{ attack = 1 }]
[power.aaa]
text = "Nothing."
[relic.aaa]
tier = "uncommon"
on.card_used = { when = "card(curse)", do = [{ lose_hp = 1 }] }
[potion.aaa]
rarity = "uncommon"
potency = 1
do = [{ apply = "artifact", amount = "potency" }]
[orb.aaa]
passive = 1
evoke = 1
on_passive = [{ block = "n" }]
on_evoke = [{ block = "n" }]
[stance.aaa]
on_exit = [{ energy = 1 }]
[monster.aaa]
hp = [5, 6]
cycle = ["hit"]
[monster.aaa.move]
hit = { intent = "attack", do = [{ attack = 1 }] }
[monster.jaw_worm.move]
aaa = { intent = "attack", do = [{ attack = 1 }] }
chomp = { intent = "attack", do = [{ attack = 11 }] }
thrash = { intent = "attack_defend", do = [{ attack = 7 }, { block = 5 }] }
bellow = { intent = "defend_buff", do = [{ apply = "strength", amount = 3 }, { block = 6 }] }
[encounter.aaa]
act = 1
rank = "weak"
monsters = ["aaa"]
[event.aaa]
name = "Nothing"
pool = "shrine"
[event.aaa.node.start]
text = "Nothing happens."
options = [{ id = "leave", text = "Leave" }]
[neow.aaa]
row = "third"
do = [{ gold = 30 }]
[burning.aaa]
max_hp = 25
"#;

    /// Cards, powers and all the others are numbered behind what is built in; moves of monsters were not.
    #[test]
    fn a_pack_renumbers_nothing() {
        let fight = "situation:relics: frozen_eye, anchor; potions: fire_potion; hand: bash, zap; \
                     draw: strike_ironclad*9; discard: inflame; enemy: jaw_worm 40/44; enemy: red_louse 10/12";
        let text = turnstone_host::Source::new("mine.toml", PACK);
        let [(usual, own), (packed, other)] = [vec![], vec![text]].map(|content| {
            let (game, setup) = Runs::open_table(&Opening { content, ..opening(fight) }).expect("content");
            let mut batch = Batch::new(game, setup, Plan::default()).expect("a batch");
            let mut buffers = turnstone_gym::Buffers::new(1, batch.lengths());
            let first = batch.see(0, 0).expect("it is seen");
            batch.step(&[1], &mut buffers.frame(), None).expect("a turn ends");
            let seen = [first, batch.see(0, 0).expect("it is seen")].map(|seen| told(&batch, seen));
            (batch, seen)
        });
        assert_eq!(usual.numbers(), packed.numbers());
        for (before, after) in usual.parts().iter().zip(packed.parts()) {
            // Of kinds of orbs that are counted, what is left bears numbers.
            let kinds = |name: &&String| before.name != "channeled" || !name.starts_with("orb ");
            let columns = before.columns.iter().filter(kinds);
            assert!(after.columns.starts_with(&columns.cloned().collect::<Vec<_>>()), "{}", before.name);
            for (column, names) in &before.codes {
                assert!(after.codes[column].starts_with(names), "{}: {column}", before.name);
            }
        }
        assert!(packed.parts().iter().any(|part| {
            part.codes.get("enemy").is_some_and(|names| names.last().is_some_and(|name| name == "aaa"))
        }));
        assert!(
            own[1].iter().any(|((_, column, _), number)| column == "last move" && *number > 0),
            "they moved"
        );
        assert_eq!(own, other);
    }

    /// Every number of an observation but 0, by the names of its part and column and by its row.
    fn told(
        batch: &Batch<Runs, SpireCoder>,
        (bytes, words): (Vec<u8>, Vec<i16>),
    ) -> std::collections::BTreeMap<(String, String, usize), i16> {
        let mut small = bytes.into_iter().map(i16::from);
        let mut large = words.into_iter();
        let mut named = std::collections::BTreeMap::new();
        for part in batch.parts() {
            for at in 0..part.length() {
                let number = match part.sort {
                    turnstone_gym::Sort::U8 => small.next(),
                    turnstone_gym::Sort::I16 => large.next(),
                };
                let columns = part.columns.len().max(1);
                let column = part.columns.get(at % columns).cloned().unwrap_or_default();
                named.insert((part.name.clone(), column, at / columns), number.expect("all are there"));
            }
        }
        named.retain(|_, number| *number != 0);
        named
    }

    /// In front of an event, with things of which it may take some.
    fn before_event(game: &Runs, event: &str, seed: u64) -> Position<Runs> {
        let tables = &game.rulebook.tables;
        let mut acts =
            tables.acts.iter().map(|act| act.events.iter().map(|known| tables.events.name(*known)));
        let act = acts.position(|mut known| known.any(|name| name == event)).map_or(1, |act| act + 1);
        let map = format!(
            "[map.one]\nneow = false\nact = {act}\n[map.one.node.room]\nfloor = 1\ncolumn = 1\nroom = \"event\"\nevent = \"{event}\"\nend = true\n"
        );
        let map = Some(crate::run::plan::MapChoice::Text(map));
        let setup = Setup { map, ..Setup::run("ironclad", 0) };
        let mut state = turnstone::Game::start(game, &setup, seed).expect("it starts");
        state.run.gold = 300;
        let card = |name: &str| tables.cards.find::<crate::seeds::CardNo>(name).expect("a card").0;
        for (id, up) in [("inflame", 0), ("carnage", 1)] {
            state.run.deck.push(DeckCard { id: card(id), up, bottled: false, grown: 0 });
        }
        for relic in ["golden_idol", "blood_vial"] {
            let id = tables.relics.find::<crate::seeds::RelicNo>(relic).expect("a relic").0;
            state.run.relics.push(state::OwnedRelic { id, counter: 0 });
        }
        for (slot, potion) in ["fire_potion", "block_potion"].into_iter().enumerate() {
            state.run.potions[slot] =
                tables.potions.find::<crate::seeds::PotionNo>(potion).expect("a potion").0;
        }
        let mut position = Position::new(state);
        let go = Input::Act(Deed::Run(Action::Go(0)));
        turnstone::Resolver::default().act(game, &mut position, &go, &mut turnstone::Off).expect("allowed");
        position
    }

    /// An event once showed which one it is and nothing of what it had drawn: what looks alike is alike.
    #[test]
    fn whatever_an_event_shows_is_seen() {
        use turnstone::dice::{Draw, Lots, Stream};
        let game = built_in(crate::game::Ruleset::Classic).expect("sound content");
        let (mut seen, mut drawn) = (std::collections::BTreeMap::new(), std::collections::BTreeMap::new());
        for event in game.rulebook.tables.events.iter() {
            for seed in 0..12 {
                let (mut position, mut resolver) =
                    (before_event(&game, event, seed), turnstone::Resolver::default());
                let coder =
                    game.coder(&Setup::run("ironclad", 0), &position, &Taste::default()).expect("a coder");
                let length =
                    |sort| coder.parts().iter().filter(|part| part.sort == sort).map(Part::length).sum();
                let [small, large] = [turnstone_gym::Sort::U8, turnstone_gym::Sort::I16].map(length);
                let mut lots = Lots::new(seed, Stream::named("events"));
                for _ in 0..8 {
                    let state = position.state();
                    let Some(Screen::Event(_)) = state.tower.screen().filter(|_| !state.is_fighting()) else {
                        break;
                    };
                    let (mut bytes, mut words) = (vec![0; small], vec![0; large]);
                    coder.observe(&game, &position, 0, &mut Sheet { bytes: &mut bytes, words: &mut words });
                    let view = game.view_of(state, turnstone::Viewer::Seat(0));
                    let screens = view["tower"]["screens"].as_array().expect("screens");
                    let shown = screens.last().expect("the event").clone();
                    for kind in
                        shown["event"]["detail"].as_object().into_iter().flat_map(|detail| detail.keys())
                    {
                        *drawn.entry(kind.clone()).or_insert(0) += 1;
                    }
                    let known = seen.entry((bytes, words)).or_insert_with(|| shown.clone());
                    assert_eq!(*known, shown);
                    let Some(input) = lots.pick(&position.inputs(&*game)).cloned() else { break };
                    resolver.act(&*game, &mut position, &input, &mut turnstone::Off).expect("it was offered");
                }
            }
        }
        let kinds: Vec<&str> = drawn.keys().map(String::as_str).collect();
        assert_eq!(kinds, ["belongings", "gold", "one_of_each_type", "pairs", "two_services"]);
        assert!(seen.len() > 500 && drawn.values().all(|times| *times > 10), "{} {drawn:?}", seen.len());
    }

    /// What may be lost, and how many tries are left, by their names.
    #[test]
    fn an_event_tells_what_of_yours_it_takes() {
        let game = built_in(crate::game::Ruleset::Classic).expect("sound content");
        let told_at = |event: &str| {
            let position = before_event(&game, event, 7);
            let batch =
                Batch::new(game.clone(), Setup::run("ironclad", 0), Plan::default()).expect("a batch");
            let length = |sort| batch.parts().iter().filter(|part| part.sort == sort).map(Part::length).sum();
            let [small, large] = [turnstone_gym::Sort::U8, turnstone_gym::Sort::I16].map(length);
            let (mut bytes, mut words) = (vec![0; small], vec![0; large]);
            batch.coder().observe(&game, &position, 0, &mut Sheet { bytes: &mut bytes, words: &mut words });
            let named = told(&batch, (bytes, words));
            move |part: &str, row: usize, column: &str| {
                named.get(&(part.to_owned(), column.to_owned(), row)).copied().unwrap_or_default()
            }
        };
        let belongings = told_at("we_meet_again");
        let kinds = [0, 1, 2].map(|row| belongings("wares", row, "kind"));
        assert_eq!(kinds, [10, 11, 9], "a potion, gold and a card of yours");
        assert!(belongings("wares", 0, "potion") > 0 && belongings("wares", 1, "gold") >= 50);
        assert!(belongings("wares", 2, "card") > 0 && belongings("wares", 2, "place") > 0);
        let falling = told_at("falling");
        assert_eq!([0, 1, 2, 3].map(|row| falling("wares", row, "kind")), [9, 9, 9, 0]);
        assert_eq!(told_at("match_and_keep")("screen", 0, "tries"), 5);
    }

    #[test]
    fn the_order_of_the_draw_pile_is_seen_by_whom_it_is_shown() {
        let pile = "hand: strike_ironclad; draw: bash, defend_ironclad; enemy: jaw_worm 40/44";
        let blind = seen(&format!("situation:{pile}"));
        let eye = seen(&format!("situation:relics: frozen_eye; {pile}"));
        assert_eq!(blind("next", 0, "card"), 0);
        assert!(eye("next", 0, "card") > 0 && eye("next", 1, "card") > 0);
        assert_ne!(eye("next", 0, "card"), eye("next", 1, "card"));
    }

    /// Learned policies depend on them.
    #[test]
    fn numbers_stay_for_ever() {
        assert_eq!(
            [GROUPS.play, GROUPS.potion, GROUPS.toss, GROUPS.pick, GROUPS.run],
            [3, 93, 147, 153, 294]
        );
        let numbers = [step::GO, step::TAKE_CARD, step::REST, step::BUY_CARD, step::PROCEED, step::COUNT];
        assert_eq!(numbers, [4, 36, 123, 191, 217, 347]);
        let (game, setup) = Runs::open_table(&Opening::default()).unwrap();
        let batch = Batch::new(game, setup, Plan::default()).unwrap();
        assert_eq!(batch.numbers(), 641);
        let offers: Vec<usize> = (0..641).filter(|n| batch.describe(0, *n).unwrap().is_some()).collect();
        assert_eq!(offers, [294, 295, 296, 297], "Neow's four gifts");
    }
}
