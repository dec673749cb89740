//! What an option of an event, or an offer of Neow's, does in words: read off its steps, so that no text can lie.

use super::journey::Journey;
use super::rules::drawn::drawn_card;
use crate::catalog::compile::{Gift, Node, Num, Op, OptionInfo, Picking, Program, Select, Val};
use crate::catalog::expr::{Op as Sign, Read};
use crate::catalog::verb::only_in_fights;
use crate::catalog::words::{Drawn, Pool};
use crate::eval::Env;
use crate::seeds::{Bonus, CardNo, Drawback, RelicNo};
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
        let at = self.within(s, program, 0);
        let words = self.steps(program).iter().filter_map(|op| self.op_words(op, &at));
        words.collect::<Vec<_>>().join(", ")
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
            Op::Gold { amount } if value(amount) < 0 => format!("pay {} gold", -value(amount)),
            Op::Gold { amount } => format!("gain {} gold", n(amount)),
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
            Op::Obtain { card, count } => match value(count) {
                1 => format!("gain {}", self.card_name(CardNo(*card), 0)),
                many => format!("gain {many} × {}", self.card_name(CardNo(*card), 0)),
            },
            Op::ObtainRandom { pool, count, .. } => several(
                value(count),
                "gain",
                match pool {
                    Pool::Class | Pool::AnyClass => "random card",
                    Pool::Colorless => "colorless card",
                    Pool::Curse => "curse",
                },
            ),
            Op::GainPotion { count } => several(value(count), "gain", "random potion"),
            Op::GainRelic { relics, .. } => match relics[..] {
                [relic] => format!("gain {}", self.relic_name(RelicNo(relic))),
                _ => format!("gain one of {} relics", relics.len()),
            },
            Op::RandomRelic => "gain a random relic".into(),
            Op::LoseRelic { relic } => format!("lose {}", self.relic_name(RelicNo(*relic))),
            Op::Remove { cards } => self.cards_words("remove", cards, at),
            Op::Upgrade { cards } => self.cards_words("upgrade", cards, at),
            Op::Transform { cards, .. } => self.cards_words("transform", cards, at),
            Op::Duplicate { cards } => self.cards_words("copy", cards, at),
            Op::Bottle { cards } => self.cards_words("bottle", cards, at),
            Op::Burn { .. } => "give up a card".into(),
            Op::OfferCards { count } => format!("choose one of {} cards", n(count)),
            Op::Reward { what, count } => self.prize_words(*what, value(count), at),
            Op::Fight { .. } => "a fight".into(),
            Op::Chance { percent, hit, miss } => self.chance_words(*percent, *hit, *miss, at),
            Op::OneOf { lists } => {
                let each: Vec<String> = lists.iter().map(|list| self.program_words(at.s, *list)).collect();
                format!("one of: {}", each.join("; "))
            }
            Op::If { condition, then, otherwise } => {
                let holds = self.game.eval(*condition, at) != 0;
                let words = self.program_words(at.s, if holds { *then } else { *otherwise });
                return Some(words).filter(|words| !words.is_empty());
            }
            Op::Repeat { times, program } => {
                format!("{}, {} times", self.program_words(at.s, *program), n(times))
            }
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
            (Gift::Relic(Some(tier)), _) => format!("a relic: {}", tier.name()),
            (Gift::Drawn, _) => "potions".into(),
        }
    }

    /// What is done with cards of the deck.
    fn cards_words(&self, verb: &str, cards: &Select, at: &Env<'_>) -> String {
        let noun = cards.filter.map(|filter| self.noun(filter)).filter(|noun| !noun.is_empty());
        let nouns = noun.unwrap_or_else(|| "cards".into());
        match cards.how {
            Picking::All if nouns == "cards" => format!("{verb} every card"),
            Picking::All => format!("{verb} all {nouns}"),
            Picking::Random(count) => format!("{verb} {} random {nouns}", self.amount_words(count, at)),
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
            Some(Node::Read(Read::IsBasic, ..)) => "basic".into(),
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
                (a, b) => format!("{a} {b}"),
            },
            _ => String::new(),
        }
    }

    /// Words for what was drawn on entering.
    fn drawn_words(&self, s: &State, what: Drawn) -> Option<String> {
        let event = s.tower.event()?;
        let relic =
            |nth: usize| event.relics.get(nth).map(|relic| format!("lose {}", self.relic_name(*relic)));
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
    pub fn neow_words(&self, s: &State, bonus: Bonus, drawback: Drawback) -> String {
        let gift = match self.program_words(s, self.bonus(bonus)) {
            words if words.is_empty() => seeded_gift(bonus).to_owned(),
            words => words,
        };
        let cost = match self.program_words(s, self.drawback(drawback)) {
            _ if drawback == Drawback::None => return capital(&gift),
            _ if drawback == Drawback::Curse => "gain a curse".to_owned(),
            _ if drawback == Drawback::LoseStarterRelic => "lose your first relic".to_owned(),
            words => words,
        };
        format!("{}, but {cost}", capital(&gift))
    }
}

/// Gifts whose content the seed decides.
fn seeded_gift(bonus: Bonus) -> &'static str {
    match bonus {
        Bonus::ThreeCards => "choose one of three cards",
        Bonus::OneRandomRareCard => "gain a random rare card",
        Bonus::RandomColorless => "choose one of three colorless cards",
        Bonus::RandomColorless2 => "choose one of three rare colorless cards",
        Bonus::ThreeSmallPotions => "three potions",
        Bonus::RandomCommonRelic => "gain a common relic",
        Bonus::OneRareRelic => "gain a rare relic",
        Bonus::ThreeRareCards => "choose one of three rare cards",
        Bonus::BossRelic => "gain a boss relic",
        _ => "a gift",
    }
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
