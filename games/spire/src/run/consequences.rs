//! What an option of an event, or an offer of Neow's, does in words: read off its steps, so that no text can lie.

use std::borrow::Cow;

use super::journey::Journey;
use super::rules::drawn::drawn_card;
use crate::catalog::compile::{Gift, Node, Num, Op, OptionInfo, Picking, Program, Select, Val};
use crate::catalog::expr::{Op as Sign, Read};
use crate::catalog::gifts::GiftDraw;
use crate::catalog::verb::only_in_fights;
use crate::catalog::words::{Drawn, Pool};
use crate::eval::Env;
use crate::seeds::{CardNo, GiftNo, NeowOption, Rarity, RelicNo};
use crate::state::State;

impl Journey<'_> {
    /// The text of an option, with what it does.
    pub fn option_words(&self, s: &State, option: &OptionInfo) -> String {
        match self.program_words(s, option.program) {
            words if words.is_empty() => option.text.clone(),
            words if words == "a fight" && option.text.to_lowercase().contains("fight") => {
                option.text.clone()
            }
            words => format!("{} ({words})", option.text),
        }
    }

    pub(super) fn program_words(&self, s: &State, program: Program) -> String {
        let mut words = Vec::new();
        // Each step is told as it will find things: what is certain of those before it has happened by then.
        let mut then = Cow::Borrowed(s);
        let mut unsure = Vec::new();
        let steps = self.steps(program);
        for (nth, op) in steps.iter().enumerate() {
            let at = self.within(&then, program, 0);
            words.extend(match op {
                Op::If { condition, then, otherwise } if self.reads(*condition, &unsure) => {
                    self.either_words(*then, *otherwise, &at)
                }
                op => self.op_words(op, &at),
            });
            self.unsettled(op, &at, &mut unsure);
            if nth + 1 < steps.len() {
                let mut after = then.clone().into_owned();
                self.foresee(&mut after, program, op);
                then = Cow::Owned(after);
            }
        }
        words.join(", ")
    }

    /// Of two branches nobody knows yet which will be taken.
    fn either_words(&self, then: Program, otherwise: Program, at: &Env<'_>) -> Option<String> {
        match (self.program_words(at.s, then), self.program_words(at.s, otherwise)) {
            (then, otherwise) if then == otherwise => Some(then).filter(|words| !words.is_empty()),
            (words, none) | (none, words) if none.is_empty() => Some(format!("perhaps {words}")),
            (then, otherwise) => Some(format!("either {then}, or {otherwise}")),
        }
    }

    fn amount_words(&self, num: Num, at: &Env<'_>) -> String {
        match self.rolled(num, at) {
            Some((least, most)) => format!("{least} to {most}"),
            None => self.game.num(num, at).to_string(),
        }
    }

    fn node(&self, num: Num) -> Option<&Node> {
        match num {
            Num::Expr(index) => self.game.catalog.exprs.get(usize::from(index)),
            Num::Const(_) => None,
        }
    }

    /// Whether a number is the difference of two that are read.
    fn is_difference(&self, num: Num, of: Option<Read>, from: Read) -> bool {
        let Some(Node::Two(Sign::Sub, left, right)) = self.node(num) else { return false };
        let left = match (self.node(Num::Expr(*left)), of) {
            (Some(Node::Int(0)), None) => true,
            (Some(Node::Read(read, ..)), Some(of)) => *read == of,
            _ => false,
        };
        left && matches!(self.node(Num::Expr(*right)), Some(Node::Read(read, ..)) if *read == from)
    }

    /// Every word has its line, so that a new one is not forgotten.
    pub(super) fn op_words(&self, op: &Op, at: &Env<'_>) -> Option<String> {
        let n = |num: &Num| self.amount_words(*num, at);
        let value = |num: &Num| self.game.num(*num, at);
        Some(match op {
            Op::Gold { amount } if self.is_difference(*amount, None, Read::Gold) => "lose all gold".into(),
            Op::Gold { amount } => return self.gold_words(*amount, at),
            Op::Heal { amount, .. } if self.is_difference(*amount, Some(Read::MaxHp), Read::Hp) => {
                "heal fully".into()
            }
            Op::Heal { amount, .. } => format!("heal {}", n(amount)),
            Op::Damage { amount, .. } | Op::LoseHp { amount, .. } if value(amount) == 0 => return None,
            Op::Damage { amount, times, .. } if value(times) != 1 => {
                format!("lose {} HP {} times", n(amount), n(times))
            }
            Op::Damage { amount, .. } | Op::LoseHp { amount, .. } => format!("lose {} HP", n(amount)),
            Op::MaxHp { amount } if value(amount) < 0 => format!("−{} max HP", -value(amount)),
            Op::MaxHp { amount } => format!("+{} max HP", n(amount)),
            Op::Obtain { count, .. }
            | Op::ObtainRandom { count, .. }
            | Op::GainPotion { count }
            | Op::Reward { count, .. }
                if self.is_nothing(*count, at) =>
            {
                return None;
            }
            Op::Remove { cards }
            | Op::Upgrade { cards }
            | Op::Transform { cards, .. }
            | Op::Duplicate { cards }
            | Op::Bottle { cards }
                if cards.how.count().is_some_and(|count| self.is_nothing(count, at)) =>
            {
                return None;
            }
            Op::Obtain { card, count } => match value(count) {
                1 => format!("gain {}", self.card_name(CardNo(*card), 0)),
                many => format!("gain {many} × {}", self.card_name(CardNo(*card), 0)),
            },
            Op::ObtainRandom { pool, count, filter } => {
                let noun = filter.map_or(String::new(), |filter| self.noun(filter));
                let noun = match (pool, noun.as_str()) {
                    (Pool::Class, "") => "random card".into(),
                    (Pool::AnyClass, "") => "random card of any character".into(),
                    (Pool::Colorless, "") => "colorless card".into(),
                    (Pool::Curse, _) => "curse".into(),
                    (Pool::Colorless, _) => format!("random colorless {}", singular(&noun)),
                    (Pool::Class | Pool::AnyClass, _) => format!("random {}", singular(&noun)),
                };
                several(value(count), "gain", &noun)
            }
            Op::GainPotion { count } => several(value(count), "gain", "random potion"),
            Op::GainRelic { relics, .. } => match relics[..] {
                [relic] => format!("gain {}", self.relic_name(RelicNo(relic))),
                _ => format!("gain one of {} relics", relics.len()),
            },
            Op::RandomRelic => "gain a random relic".into(),
            Op::LoseRelic { relic: None } => "lose your first relic".into(),
            Op::LoseRelic { relic: Some(relic) } => format!("lose {}", self.relic_name(RelicNo(*relic))),
            Op::Remove { cards } => self.cards_words("remove", cards, at),
            Op::Upgrade { cards } => self.cards_words("upgrade", cards, at),
            Op::Transform { cards, upgraded: true, .. } => {
                format!("{} into something upgraded", self.cards_words("transform", cards, at))
            }
            Op::Transform { cards, .. } => self.cards_words("transform", cards, at),
            Op::Duplicate { cards } => self.cards_words("copy", cards, at),
            Op::Bottle { cards } => self.cards_words("bottle", cards, at),
            Op::Burn { .. } => "give up a card".into(),
            Op::OfferCards { count } => format!("choose one of {} cards", n(count)),
            Op::Reward { what, count } => self.prize_words(*what, value(count), at),
            Op::Fight { gold, relics, tiers, .. } => {
                let mut prizes: Vec<String> = gold.iter().map(|gold| format!("{} gold", n(gold))).collect();
                prizes.extend(relics.iter().map(|relic| self.relic_name(RelicNo(*relic))));
                prizes.extend(
                    tiers.iter().map(|tier| format!("{} {} relic", article(tier.name()), tier.name())),
                );
                match prizes.is_empty() {
                    true => "a fight".into(),
                    false => format!("a fight for {}", prizes.join(" and ")),
                }
            }
            Op::Chance { percent, hit, miss } => self.chance_words(*percent, *hit, *miss, at),
            Op::OneOf { lists } => {
                let each: Vec<String> = lists.iter().map(|list| self.list_words(at.s, *list)).collect();
                format!("one of: {}", each.join("; "))
            }
            Op::If { condition, then, otherwise } => {
                let holds = self.game.eval(*condition, at) != 0;
                let words = self.program_words(at.s, if holds { *then } else { *otherwise });
                return Some(words).filter(|words| !words.is_empty());
            }
            Op::Repeat { times, program } => match (value(times), self.program_words(at.s, *program)) {
                (..=0, _) => return None,
                (_, words) if words.is_empty() => return None,
                (1, words) => words,
                (_, words) => format!("{words}, {} times", n(times)),
            },
            Op::LoseDrawn { what } => return self.drawn_words(at.s, *what),
            Op::SearchFinds { percent } => format!("{} %: a fight", n(percent)),
            Op::ToTheBoss => "go straight to the boss".into(),
            // What is written down, or seen at once.
            Op::Counter { .. } | Op::SetVar { .. } | Op::Goto { .. } | Op::DrawRelics { .. } | Op::Pairs => {
                return None;
            }
            only_in_fights!() => return None,
        })
    }

    /// What a list of steps does, if only that it does nothing.
    pub(super) fn list_words(&self, s: &State, list: Program) -> String {
        match self.program_words(s, list) {
            words if words.is_empty() => "nothing".to_owned(),
            words => words,
        }
    }

    /// Whether there is none of it.
    fn is_nothing(&self, count: Num, at: &Env<'_>) -> bool {
        self.rolled(count, at).is_none() && self.game.num(count, at) <= 0
    }

    /// Nobody pays more than he has.
    fn gold_words(&self, amount: Num, at: &Env<'_>) -> Option<String> {
        Some(match self.rolled(amount, at) {
            Some((least, most)) if most <= 0 => format!("pay {} to {} gold", -most, -least),
            Some((least, most)) if least < 0 => format!("pay up to {} gold or gain up to {most}", -least),
            Some((least, most)) => format!("gain {least} to {most} gold"),
            None => match self.game.num(amount, at) {
                0 => return None,
                paid if paid < 0 => format!("pay {} gold", (-paid).min(at.s.run.gold)),
                gained => format!("gain {gained} gold"),
            },
        })
    }

    fn chance_words(&self, percent: Num, hit: Program, miss: Program, at: &Env<'_>) -> String {
        let otherwise = match self.program_words(at.s, miss) {
            words if words.is_empty() => String::new(),
            words => format!(", otherwise {words}"),
        };
        let words = match self.program_words(at.s, hit) {
            words if words.is_empty() => "something happens".to_owned(),
            words => words,
        };
        format!("{} %: {words}{otherwise}", self.amount_words(percent, at))
    }

    fn prize_words(&self, what: Gift, count: i32, at: &Env<'_>) -> String {
        match (what, count) {
            (Gift::Colorless, 1) => "choose a colorless card".into(),
            (Gift::Colorless, count) => format!("choose a colorless card {count} times"),
            (Gift::Cards, 1) => "choose a card".into(),
            (Gift::Cards, count) => format!("choose a card {count} times"),
            (Gift::Potion, 1) => "a potion".into(),
            (Gift::Potion, count) => format!("{count} potions"),
            (Gift::Gold(amount), _) => format!("{} gold", self.amount_words(amount, at)),
            (Gift::Relic(None), 1) => "find a relic".into(),
            (Gift::Relic(None), count) => format!("find {count} relics"),
            (Gift::Relic(Some(tier)), 1) => format!("{} {} relic", article(tier.name()), tier.name()),
            (Gift::Relic(Some(tier)), count) => format!("{count} {} relics", tier.name()),
            (Gift::Drawn, _) => "potions".into(),
        }
    }

    /// What is done with cards of the deck.
    fn cards_words(&self, verb: &str, cards: &Select, at: &Env<'_>) -> String {
        let noun = cards.filter.map(|filter| self.noun(filter)).filter(|noun| !noun.is_empty());
        let nouns = noun.unwrap_or_else(|| "cards".into());
        let nouns = if nouns.ends_with('s') { nouns } else { format!("{nouns} cards") };
        match cards.how {
            Picking::All if nouns == "cards" => format!("{verb} every card"),
            Picking::All => format!("{verb} all {nouns}"),
            Picking::Random(count) => match self.amount_words(count, at).as_str() {
                "1" => format!("{verb} a random {}", singular(&nouns)),
                count => format!("{verb} {count} random {nouns}"),
            },
            Picking::Choose(count) | Picking::UpTo(count) | Picking::Top(count) => {
                match self.game.num(count, at) {
                    1 if nouns == "cards" => format!("{verb} a card"),
                    1 => format!("{verb} one of your {nouns}"),
                    count => format!("{verb} {count} {nouns}"),
                }
            }
        }
    }

    /// What cards that pass a filter are called; whether something can be done with them goes without saying.
    fn noun(&self, filter: u16) -> String {
        let both = |a: &u16, b: &u16| (self.noun(*a), self.noun(*b));
        match self.node(Num::Expr(filter)) {
            Some(Node::Read(Read::IsAttack, ..)) => "attacks".into(),
            Some(Node::Read(Read::IsSkill, ..)) => "skills".into(),
            Some(Node::Read(Read::IsPower, ..)) => "powers".into(),
            Some(Node::Read(Read::IsCurse, ..)) => "curses".into(),
            Some(Node::Read(Read::IsStatus, ..)) => "status cards".into(),
            Some(Node::Read(Read::IsBasic, ..)) => "basic".into(),
            Some(Node::Read(Read::IsCommon, ..)) => "common".into(),
            Some(Node::Read(Read::IsUncommon, ..)) => "uncommon".into(),
            Some(Node::Read(Read::IsRare, ..)) => "rare".into(),
            Some(Node::Read(Read::Upgraded, ..)) => "upgraded".into(),
            Some(Node::Read(Read::IsCard, Val::Id(card), _)) => {
                format!("{}s", self.card_name(CardNo(*card), 0))
            }
            Some(Node::Not(inner)) => match self.noun(*inner) {
                noun if noun.is_empty() => noun,
                noun => format!("non-{noun}"),
            },
            Some(Node::Read(Read::HasTag, Val::Id(tag), _)) => {
                let name = self.game.catalog.tags.get(usize::from(*tag)).map_or("card", String::as_str);
                format!("{}s", capital(name))
            }
            Some(Node::Two(Sign::Or, a, b)) => match both(a, b) {
                (a, b) if a.is_empty() || b.is_empty() => a + &b,
                (a, b) => format!("{a} and {b}"),
            },
            Some(Node::Two(Sign::And, a, b)) => match both(a, b) {
                (a, b) if a.is_empty() || b.is_empty() => a + &b,
                // What they are called comes last: `rare attacks`.
                (a, b) if a.ends_with('s') => format!("{b} {a}"),
                (a, b) => format!("{a} {b}"),
            },
            _ => String::new(),
        }
    }

    /// Words for what was drawn on entering.
    fn drawn_words(&self, s: &State, what: Drawn) -> Option<String> {
        let event = s.tower.event()?;
        // Where none is drawn yet, an earlier step of the same option draws it.
        let relic = |nth: usize| {
            let drawn = event.relics.get(nth).map(|relic| format!("lose {}", self.relic_name(*relic)));
            drawn.or_else(|| Some("lose a random relic".to_owned()))
        };
        match what {
            Drawn::FirstRelic => relic(0),
            Drawn::SecondRelic => relic(1),
            Drawn::Potion => Some("lose a potion".into()),
            Drawn::Gold => Some(format!("pay {} gold", super::rules::drawn::drawn_gold(s))),
            _ => {
                let card = s.run.deck.get(usize::from(drawn_card(s, what)?))?;
                Some(format!("lose {}", self.card_name(CardNo(card.id), card.up)))
            }
        }
    }

    /// One of Neow's offers.
    pub(crate) fn neow_words(&self, s: &State, offer: &NeowOption) -> String {
        let gift = capital(&self.gift_words(s, offer.bonus));
        match offer.drawback.map(|cost| self.gift_words(s, cost)) {
            Some(cost) if !cost.is_empty() => format!("{gift}, but {cost}"),
            Some(_) | None => gift,
        }
    }

    /// A gift of Neow's, or its cost: as its author tells it, or by its steps and what is drawn of it.
    fn gift_words(&self, s: &State, gift: GiftNo) -> String {
        let Some(info) = self.game.catalog.gifts.get(usize::from(gift)) else { return String::new() };
        if let Some(text) = &info.text {
            return text.clone();
        }
        let steps = Some(self.program_words(s, info.program)).filter(|words| !words.is_empty());
        let all: Vec<String> = steps.into_iter().chain(info.draws.iter().map(draw_words)).collect();
        all.join(" and ")
    }
}

/// What the seed decides of a gift.
fn draw_words(draw: &GiftDraw) -> String {
    let choice = |count: u8, kind: &str| match count {
        1 => format!("a {kind}card to take"),
        count => format!("choose one of {} {kind}cards", count_word(count)),
    };
    let gain = |count: u8, kind: String| match count {
        1 => format!("gain {} {kind}", article(&kind)),
        count => format!("gain {} {kind}s", count_word(count)),
    };
    match draw {
        GiftDraw::ClassCards(count, None) => choice(*count, ""),
        GiftDraw::ClassCards(count, Some(rarity)) => choice(*count, &format!("{} ", rarity.word())),
        GiftDraw::ColorlessCards(count, Rarity::Rare) => choice(*count, "rare colorless "),
        GiftDraw::ColorlessCards(count, Rarity::Common | Rarity::Uncommon) => choice(*count, "colorless "),
        GiftDraw::Cards(count, rarity) => gain(*count, format!("random {} card", rarity.word())),
        GiftDraw::Potions(1) => "a potion".into(),
        GiftDraw::Potions(count) => format!("{} potions", count_word(*count)),
        GiftDraw::Relics(count, tier) => gain(*count, format!("{} relic", tier.word())),
        GiftDraw::Curses(count) => gain(*count, "curse".into()),
    }
}

/// A small number as a word.
fn count_word(count: u8) -> &'static str {
    const WORDS: [&str; 10] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    WORDS.get(usize::from(count)).unwrap_or(&"many")
}

/// `gain a curse`, `gain 3 curses`.
fn several(count: i32, verb: &str, noun: &str) -> String {
    match count {
        1 => format!("{verb} a {noun}"),
        count => format!("{verb} {count} {noun}s"),
    }
}

pub(super) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// One of them: `attacks` are of the kind `attack`.
fn singular(nouns: &str) -> String {
    match nouns.strip_suffix('s') {
        Some(noun) => noun.to_owned(),
        None => format!("{nouns} card"),
    }
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}
