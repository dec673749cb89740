//! What an option of an event, or an offer of Neow's, does in words: read off its steps, so that no text can lie.

use super::journey::Journey;
use super::rules::drawn_card;
use super::script::{Amount, KindWord, ListNo, Op, OptionScript};
use crate::seeds::{Bonus, CardNo, Drawback};
use crate::state::State;

impl Journey<'_> {
    /// The text of an option, with what it does.
    pub fn option_words(&self, s: &State, option: &OptionScript) -> String {
        match self.list_words(s, option.steps) {
            words if words.is_empty() => option.text.clone(),
            words if words == "a fight" && option.text.to_lowercase().contains("fight") => {
                option.text.clone()
            }
            words => format!("{} ({words})", option.text),
        }
    }

    pub(super) fn list_words(&self, s: &State, list: ListNo) -> String {
        let steps = self.book.list(list).filter_map(|step| self.book.step(step));
        steps.filter_map(|op| self.op_words(s, op)).collect::<Vec<_>>().join(", ")
    }

    fn amount_words(&self, s: &State, amount: Amount) -> String {
        match amount {
            Amount::Roll { roll: [low, high] } => format!("{low} to {high}"),
            fixed => self.fixed_amount(s, fixed).to_string(),
        }
    }

    pub(super) fn op_words(&self, s: &State, op: &Op) -> Option<String> {
        let n = |amount: &Amount| self.amount_words(s, *amount);
        Some(match op {
            Op::Gold(amount) => format!("gain {} gold", n(amount)),
            Op::LoseGold(amount) => format!("pay {} gold", n(amount)),
            Op::LoseAllGold => "lose all gold".into(),
            Op::Heal(amount) => format!("heal {}", n(amount)),
            Op::HealFull => "heal fully".into(),
            Op::Damage(amount) | Op::LoseHp(amount) if self.fixed_amount(s, *amount) == 0 => return None,
            Op::Damage(amount) | Op::LoseHp(amount) => format!("lose {} HP", n(amount)),
            Op::MaxHp(amount) => format!("+{} max HP", n(amount)),
            Op::LoseMaxHp(amount) => format!("−{} max HP", n(amount)),
            Op::Cards { card, count } => match self.fixed_amount(s, *count) {
                1 => format!("gain {}", self.card_name(*card, 0)),
                many => format!("gain {many} × {}", self.card_name(*card, 0)),
            },
            Op::Relic(relic) => format!("gain {}", self.relic_name(*relic)),
            Op::RelicOf { relics, .. } => format!("gain one of {} relics", relics.len()),
            Op::RandomRelic => "gain a random relic".into(),
            Op::LoseRelic(relic) => format!("lose {}", self.relic_name(*relic)),
            Op::Fight(_) => "a fight".into(),
            Op::Chance { percent, hit, miss } => self.chance_words(s, *percent, *hit, *miss),
            Op::OneOf(lists) => {
                let each: Vec<String> = lists.iter().map(|list| self.list_words(s, *list)).collect();
                format!("one of: {}", each.join("; "))
            }
            _ => return self.deck_words(op).or_else(|| self.drawn_words(s, op)),
        })
    }

    fn chance_words(&self, s: &State, percent: Amount, hit: ListNo, miss: ListNo) -> String {
        let otherwise = match self.list_words(s, miss) {
            words if words.is_empty() => String::new(),
            words => format!(", otherwise {words}"),
        };
        let words = match self.list_words(s, hit) {
            words if words.is_empty() => "something happens".to_owned(),
            words => words,
        };
        format!("{} %: {words}{otherwise}", self.amount_words(s, percent))
    }

    fn deck_words(&self, op: &Op) -> Option<String> {
        Some(match op {
            Op::RemoveCard => "remove a card".into(),
            Op::UpgradeCard => "upgrade a card".into(),
            Op::UpgradeRandom { kind, count } => format!("upgrade {count} random {}", kind_words(*kind)),
            Op::UpgradeAll => "upgrade every card".into(),
            Op::UpgradeStarters => "upgrade all Strikes and Defends".into(),
            Op::Transform { count: 1, .. } => "transform a card".into(),
            Op::Transform { count, .. } => format!("transform {count} cards"),
            Op::Duplicate => "copy a card".into(),
            Op::RemoveCurses => "remove all curses".into(),
            Op::ReplaceStrikes { card, count } => {
                format!("{count} × {} for all Strikes", self.card_name(*card, 0))
            }
            Op::Bonfire(_) => "give up a card".into(),
            Op::Colorless(1) => "choose a colorless card".into(),
            Op::Colorless(count) => format!("choose a colorless card {count} times"),
            Op::ColorlessCard => "gain a colorless card".into(),
            Op::Library(count) => format!("choose one of {count} cards"),
            Op::Treasure { gold: 0, potions: 1, cards: 0 } => "a potion".into(),
            Op::Treasure { gold: 0, potions, cards: 0 } => format!("{potions} potions"),
            Op::RelicRewards(tiers) => format!("{} relics", tiers.len()),
            Op::DrawnPotions => "potions".into(),
            Op::ToTheBoss => "go straight to the boss".into(),
            Op::RandomCurse => "gain a curse".into(),
            Op::FoundRelic => "find a relic".into(),
            Op::FillPotions(_) => "fill potion slots".into(),
            Op::PotionSlots(more @ 0..) => format!("gain {more} potion slots"),
            Op::PotionSlots(fewer) => format!("lose {} potion slots", fewer.unsigned_abs()),
            Op::UpgradeCards { count, .. } => format!("upgrade {count} random cards"),
            Op::ReplaceCards(_) => "starter cards become random ones".into(),
            _ => return None,
        })
    }

    /// Words for what was drawn on entering and for how far the event has come.
    fn drawn_words(&self, s: &State, op: &Op) -> Option<String> {
        let event = s.tower.event()?;
        Some(match op {
            Op::GiveDrawnRelic(which) => {
                format!("lose {}", self.relic_name(*event.relics.get(usize::from(*which))?))
            }
            Op::LoseDrawn(what) => {
                let card = s.run.deck.get(usize::from(drawn_card(s, *what)?))?;
                format!("lose {}", self.card_name(CardNo(card.id), card.up))
            }
            Op::GiveDrawnPotion => "lose a potion".into(),
            Op::SearchAdventurer => format!("{} %: a fight", self.search_risk(s)),
            _ => return None,
        })
    }

    /// One of Neow's offers.
    pub fn neow_words(&self, s: &State, bonus: Bonus, drawback: Drawback) -> String {
        let gift = match self.list_words(s, self.book.bonus(bonus)) {
            words if words.is_empty() => seeded_gift(bonus).to_owned(),
            words => words,
        };
        let cost = match self.list_words(s, self.book.drawback(drawback)) {
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

fn kind_words(kind: Option<KindWord>) -> &'static str {
    match kind {
        None => "cards",
        Some(KindWord::Attack) => "attacks",
        Some(KindWord::Skill) => "skills",
        Some(KindWord::Power) => "powers",
    }
}

pub(super) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
