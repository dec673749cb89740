//! Texts on the faces of cards, powers, relics and potions, made from their rules.
//!
//! A hand-written `text` wins; in it `{a|b}` is the base or the upgraded part and, for powers and potions, `{n}`
//! the stacks or the potency, `{n card}` as many cards. Numbers are live where the caller knows better than the entry: [`Live`] tells
//! how often a card is upgraded, what it has grown by, and what an attack or a block is worth right now.
//!
//! ```
//! use turnstone_spire::catalog::face::{Live, card};
//! use turnstone_spire::catalog::{Content, Sources};
//!
//! let content = Content::load(&Sources::builtin("")).expect("the built-in content is sound");
//! let bash = content.cards.iter().find(|card| card.common.id == "bash").unwrap();
//! assert_eq!(card(&content, bash, &Live::base()), "Deal 8 damage. Apply 2 Vulnerable.");
//! let strong = Live { attack: &|base, _| base + 3, ..Live::upgraded() };
//! assert_eq!(card(&content, bash, &strong), "Deal 13 damage. Apply 3 Vulnerable.");
//! ```

mod filters;
mod numbers;
mod reads;
mod rules;
mod steps;

use super::defs::{Card, Cost, Potion, Power, Relic, Stance};
use super::expr::Expr;
use super::load::Content;
use super::verb::Step;
use super::words::{CardType, Moment, Spot};

/// What is known about the card whose text is made.
#[derive(Clone, Copy)]
pub struct Live<'a> {
    /// How often it is upgraded.
    pub upgrades: u8,
    /// What it has grown by.
    pub grown: i32,
    /// The number kept on it.
    pub kept: i32,
    /// The level of ascension, where it is known.
    pub ascension: Option<u8>,
    /// What an attack of that base number deals, Strength counting so many times.
    pub attack: &'a dyn Fn(i32, i32) -> i32,
    /// What a block of that base number gives.
    pub block: &'a dyn Fn(i32) -> i32,
}

impl Live<'_> {
    /// The card as it is printed.
    pub fn base() -> Self {
        Live { upgrades: 0, grown: 0, kept: 0, ascension: None, attack: &|base, _| base, block: &|base| base }
    }

    /// The upgraded card as it is printed.
    pub fn upgraded() -> Self {
        Live { upgrades: 1, ..Live::base() }
    }
}

/// One writer: the content for names, the card's numbers, and who `self` is.
#[derive(Clone, Copy)]
struct Writer<'a> {
    content: &'a Content,
    live: &'a Live<'a>,
    /// The stacks of the power whose rules are told, where known.
    stacks: Option<i32>,
    /// Numbers are those of a card: attack and block are live.
    of_card: bool,
    /// The owner is spoken to; else he is "the owner".
    you: bool,
    /// The card is a power: it tells the rules of what it grants.
    grants: bool,
    /// Whether the owner is the player, where it is known.
    player: Option<bool>,
    /// What is done to a card stays: it is on its way into the deck.
    for_good: bool,
}

impl<'a> Writer<'a> {
    /// A writer who speaks to the player about what is his.
    fn new(content: &'a Content, live: &'a Live<'a>) -> Self {
        Writer {
            content,
            live,
            stacks: None,
            of_card: false,
            you: true,
            grants: false,
            player: Some(true),
            for_good: false,
        }
    }
}

/// The text of a card.
pub fn card(content: &Content, card: &Card, live: &Live<'_>) -> String {
    let grants = card.kind == CardType::Power;
    let writer = Writer { of_card: true, grants, ..Writer::new(content, live) };
    if let Some(text) = &card.common.text {
        return writer.written(text);
    }
    let form = usize::from(live.upgrades > 0);
    let mut said: Vec<String> = Vec::new();
    let mut say = |condition: bool, words: &str| {
        if condition {
            said.push(words.to_string());
        }
    };
    say(card.cost[form] == Cost::None, "Unplayable.");
    say(card.innate[form], "Innate.");
    say(card.ethereal[form], "Ethereal.");
    say(card.retain[form], "Retain.");
    said.extend(card.playable.as_ref().map(|only| format!("Playable only if {}.", writer.condition(only))));
    said.extend(card.cost_change.as_ref().map(|change| writer.cost_change(change)));
    said.push(writer.steps(&card.steps));
    said.push(writer.rules(&card.rules));
    said.extend(card.after_play.map(|spot| match spot {
        Spot::Hand => "Comes back into your hand.".to_string(),
        Spot::Discard => "Goes to the discard pile.".to_string(),
        Spot::Exhaust => "Goes to the exhaust pile.".to_string(),
        Spot::DrawTop => "Goes on top of the draw pile.".to_string(),
        Spot::DrawBottom => "Goes to the bottom of the draw pile.".to_string(),
        Spot::DrawRandom | Spot::DrawShuffled => "Goes back into the draw pile.".to_string(),
        Spot::Limbo => "Comes back into your hand next turn.".to_string(),
        Spot::Deck => "Leaves play.".to_string(),
    }));
    if card.many_upgrades {
        said.push("May be upgraded any number of times.".into());
    }
    if card.exhaust[form] {
        said.push("Exhaust.".into());
    }
    said.retain(|words| !words.is_empty());
    said.join(" ")
}

/// Who has a power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The player, who reads it.
    You,
    /// An enemy.
    Enemy,
    /// Anybody.
    Anybody,
}

/// The text of a power that anybody may have; with its stacks where they are known.
pub fn power(content: &Content, entry: &Power, stacks: Option<i32>) -> String {
    power_of(content, entry, stacks, Holder::Anybody)
}

/// The text of a power that somebody has.
pub fn power_of(content: &Content, power: &Power, stacks: Option<i32>, holder: Holder) -> String {
    let live = Live::base();
    let player = match holder {
        Holder::You => Some(true),
        Holder::Enemy => Some(false),
        Holder::Anybody => None,
    };
    let writer = Writer { stacks, you: holder == Holder::You, player, ..Writer::new(content, &live) };
    if let Some(text) = &power.common.text {
        return writer.written(text);
    }
    let parts = [writer.rules(&power.rules), writer.fades(power).unwrap_or_default()];
    join(parts)
}

/// The text of a relic.
pub fn relic(content: &Content, relic: &Relic) -> String {
    let live = Live::base();
    let writer = Writer::new(content, &live);
    if let Some(text) = &relic.common.text {
        return writer.written(text);
    }
    let option = |place: &str, option: &Option<(String, Option<Expr>, Vec<Step>)>| {
        option
            .as_ref()
            .map_or(String::new(), |(name, when, steps)| writer.offered(place, name, when.as_ref(), steps))
    };
    let options = [
        option("At rest sites", &relic.rest_option),
        option("Instead of a card of a reward", &relic.reward_option),
    ];
    join([writer.rules(&relic.rules), join(options)])
}

/// A moment of the player or of somebody else: `when a fight is won`.
pub(crate) fn moment(content: &Content, moment: Moment, you: bool) -> String {
    let live = Live::base();
    format!("when {}", Writer { you, ..Writer::new(content, &live) }.moment(moment, None))
}

/// One of several lists of steps among which the player chooses, told as the card or potion tells it.
pub(crate) fn choice(content: &Content, steps: &[Step], live: &Live<'_>, of_card: bool) -> String {
    let stacks = Some(live.kept).filter(|kept| !of_card && *kept != 0);
    Writer { of_card, stacks, ..Writer::new(content, live) }.told(steps)
}

/// The text of a stance.
pub fn stance(content: &Content, stance: &Stance) -> String {
    let live = Live::base();
    let writer = Writer::new(content, &live);
    if let Some(text) = &stance.common.text {
        return writer.written(text);
    }
    let at = |when: &str, steps: &[Step]| {
        if steps.is_empty() { String::new() } else { format!("{when}: {}", writer.steps(steps)) }
    };
    let lasts = if stance.one_turn { "Lasts until your next turn." } else { "" };
    let steps = join([at("On entering", &stance.on_enter), at("On leaving", &stance.on_exit)]);
    join([join([steps, writer.rules(&stance.rules)]), lasts.to_string()])
}

/// The text of a potion, with its number doubled or not.
pub fn potion(content: &Content, potion: &Potion, potency: i32) -> String {
    let live = Live { kept: potency, ..Live::base() };
    let writer = Writer { stacks: Some(potency), ..Writer::new(content, &live) };
    if let Some(text) = &potion.common.text {
        return writer.written(text);
    }
    let usable = match &potion.usable {
        // It acts by itself, or may always be used.
        None | Some(Expr::Int(_)) => String::new(),
        Some(usable) => format!("Usable only if {}.", writer.condition(usable)),
    };
    join([usable, join([writer.steps(&potion.steps), writer.rules(&potion.rules)])])
}

fn join(parts: [String; 2]) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

impl Writer<'_> {
    /// A hand-written text: `{a|b}` is the base or the upgraded part, `{n}` the stacks, `{n card}` and
    /// `{next card}` count: `1 card`, `2 cards`; `next card`, `next 2 cards`.
    fn written(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, (mark, after))) =
            rest.split_once('{').and_then(|(before, tail)| Some((before, tail.split_once('}')?)))
        {
            out += before;
            out += &self.mark(mark);
            rest = after;
        }
        out + rest
    }

    fn mark(&self, mark: &str) -> String {
        if let Some((base, upgraded)) = mark.split_once('|') {
            return if self.live.upgrades > 0 { upgraded } else { base }.to_string();
        }
        let Some((lead, noun)) = mark.split_once(' ') else {
            return self.stacks.map_or("N".into(), |stacks| stacks.to_string());
        };
        let many = self.stacks.map_or("N".into(), |stacks| stacks.to_string());
        match (lead, noun, self.stacks) {
            ("n", "time", Some(1)) => "once".into(),
            ("n", "time", Some(2)) => "twice".into(),
            ("n", noun, Some(1)) => format!("1 {noun}"),
            ("n", noun, _) => format!("{many} {noun}s"),
            (lead, noun, Some(1)) => format!("{lead} {noun}"),
            (lead, noun, _) => format!("{lead} {many} {noun}s"),
        }
    }
}

/// The first letter becomes a capital.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// `a, b and c`.
fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests;
