//! Steps in words: one sentence each.

use super::numbers::{article, zone_name};
use super::{Writer, capital, listed};
use crate::catalog::expr::{Expr, Op, Read};
use crate::catalog::verb::{How, Made, NewCost, Orb, Orbs, Pick, Reward, Step, Verb};
use crate::catalog::words::{Pool, Spot, Until, Who, Zone};

impl Writer<'_> {
    /// All steps, as sentences.
    pub(super) fn steps(&self, steps: &[Step]) -> String {
        let told: Vec<String> = steps.iter().filter_map(|step| self.step(step)).collect();
        told.iter().map(|clause| format!("{}.", capital(clause))).collect::<Vec<_>>().join(" ")
    }

    /// All steps as one clause: `gain 1 energy and draw 1 card`.
    pub(super) fn clause(&self, steps: &[Step]) -> String {
        let told: Vec<String> = steps.iter().filter_map(|step| self.step(step)).collect();
        listed(&told)
    }

    /// The same where something has to be said.
    fn told(&self, steps: &[Step]) -> String {
        let clause = self.clause(steps);
        if clause.is_empty() { "nothing happens".into() } else { clause }
    }

    /// Who does something: `you lose`, `the enemy loses`, `all enemies lose`.
    fn does(&self, who: Who, verb: &str) -> String {
        let many = matches!(who, Who::Enemies | Who::Others) || self.who(who) == "you";
        format!("{} {verb}{}", self.who(who), if many { "" } else { "s" })
    }

    fn is_neutral(&self, stance: &str) -> bool {
        self.content.stances.iter().any(|known| known.neutral && known.common.id == stance)
    }

    fn orbs(&self, which: &Orbs) -> String {
        match which {
            Orbs::Next => "your next orb".into(),
            Orbs::All => "all orbs".into(),
            Orbs::Of(kind) => format!("all {} orbs", self.orb_name(kind)),
        }
    }

    /// What a power given by a card does, if it is not a word everybody knows.
    fn granted(&self, id: &str, amount: &Expr) -> Option<String> {
        let power = self.content.powers.iter().find(|power| power.common.id == id)?;
        let inner = Writer { stacks: self.known(amount), of_card: false, you: true, ..*self };
        let told = match &power.common.text {
            Some(text) => inner.written(text),
            None if self.grants && power.rules.alter.is_empty() => inner.rules(&power.rules),
            None => return None,
        };
        let told = if inner.stacks.is_none() {
            told.replace("N ", &format!("{} ", self.number(amount)))
        } else {
            told
        };
        Some(told.trim_end_matches('.').to_string()).filter(|told| !told.is_empty())
    }

    fn step(&self, step: &Step) -> Option<String> {
        Some(match &step.verb {
            Verb::Attack { amount, to, times, strength, on_kill, any_death } => {
                let mut said = self.attack(amount, *to, times, strength);
                if let Some(times) = self.known(strength).filter(|times| *times != 1) {
                    said += &format!("; Strength counts {times} times");
                }
                if !on_kill.is_empty() {
                    let death = if *any_death { "it dies" } else { "this kills" };
                    said += &format!("; if {death}, {}", self.clause(on_kill));
                }
                said
            }
            Verb::Damage { amount, to: Who::Me, .. } => format!("take {} damage", self.number(amount)),
            Verb::Damage { amount, to, times } => {
                let damage = format!("inflict {} damage on {}", self.number(amount), self.who(*to));
                format!("{damage}{}", self.times(times))
            }
            Verb::LoseHp { amount, to: Who::Me } if self.you => format!("lose {}", self.hp(amount)),
            Verb::LoseHp { amount, to } => format!("{} {}", self.does(*to, "lose"), self.hp(amount)),
            Verb::Kill { to } => self.does(*to, "die"),
            Verb::Heal { amount, to: Who::Me | Who::Player } => format!("heal {}", self.hp(amount)),
            Verb::Heal { amount, to } => format!("{} for {}", self.does(*to, "heal"), self.hp(amount)),
            Verb::MaxHp { amount } => self.signed("max HP", amount),
            Verb::SetHp { amount, to: Who::Me } => format!("HP becomes {}", self.number(amount)),
            Verb::SetHp { amount, to } => {
                format!("the HP of {} becomes {}", self.who(*to), self.number(amount))
            }
            Verb::Block { amount, to, raw } => self.block(amount, *to, *raw),
            Verb::RemoveBlock { to } => format!("{} all Block", self.does(*to, "lose")),
            Verb::Apply { power, amount, to, .. } if self.of_card => {
                self.granted(power, amount).unwrap_or_else(|| self.apply(power, amount, *to))
            }
            Verb::Apply { power, amount, to, .. } => self.apply(power, amount, *to),
            Verb::Reduce { power, by, .. } => self.reduce(power.as_deref(), by.as_ref())?,
            Verb::RemoveDebuffs { to: Who::Me } => "lose all debuffs".into(),
            Verb::RemoveDebuffs { to } => format!("{} all debuffs", self.does(*to, "lose")),
            Verb::RemovePowers { to: Who::Me } => "lose all powers".into(),
            Verb::RemovePowers { to } => format!("{} all powers", self.does(*to, "lose")),
            Verb::Store { .. } | Verb::Counter { .. } => return None,
            Verb::Energy { amount } => self.signed("energy", amount),
            Verb::Draw { amount, .. } => format!("draw {}", self.counted(amount, "card")),
            Verb::Gold { amount } => self.signed("gold", amount),
            Verb::GainPotion { count } => format!("gain {}", self.counted(count, "random potion")),
            Verb::Scry { amount } => format!("scry {}", self.number(amount)),
            Verb::OrbSlots { amount } => self.signed("orb slot", amount),
            Verb::Grow { by, all, permanent } => self.grow(by, *all, *permanent),
            Verb::Stance { to } if self.is_neutral(to) => "leave your stance".into(),
            Verb::Stance { to } => format!("enter {}", self.stance_name(to)),
            Verb::EndTurn { skip_enemies: true } => "end your turn; the enemies do not act".into(),
            Verb::EndTurn { .. } => "end your turn".into(),
            _ => return self.more(&step.verb),
        })
    }

    fn more(&self, verb: &Verb) -> Option<String> {
        Some(match verb {
            Verb::If { condition, then, otherwise } => return self.branch(condition, then, otherwise),
            Verb::Repeat { times, program: steps } => {
                let times = match self.known(times) {
                    Some(1) => return Some(self.clause(steps)),
                    Some(times) => times.to_string(),
                    None if self.number(times) == "as many" => {
                        return Some(format!("{} for each of them", self.clause(steps)));
                    }
                    None => self.number(times),
                };
                format!("{} {times} times", self.clause(steps))
            }
            Verb::ChooseOne { options } => {
                let told: Vec<String> = options.iter().map(|steps| self.told(steps)).collect();
                format!("choose: {}", told.join("; or "))
            }
            Verb::Discard { cards } => format!("discard {}", self.pick(cards)),
            Verb::Exhaust { cards } => format!("exhaust {}", self.pick(cards)),
            Verb::Retain { cards } => format!("retain {}", self.pick(cards)),
            Verb::Upgrade { cards } => {
                let long = if cards.from == Zone::Deck { "" } else { " for this combat" };
                format!("upgrade {}{long}", self.pick(cards))
            }
            Verb::Move { cards, to } => format!("put {} {}", self.pick(cards), spot(*to)),
            Verb::Create { made, count, to, upgraded, cost, offer, .. } => {
                self.create(made, count, *to, upgraded, cost.as_ref(), offer)
            }
            Verb::Cost { cards, price, until } => self.cost(cards, price, *until),
            Verb::Play { cards, times, exhaust, .. } => {
                let often = self.times(times);
                format!("play {}{often}{}", self.pick(cards), if *exhaust { " and exhaust it" } else { "" })
            }
            Verb::Replay => "play it once more".into(),
            Verb::Channel { orb, count } => {
                let orb = match orb {
                    Orb::Kind(kind) => self.orb_name(kind),
                    Orb::Random => "random orb".into(),
                    Orb::LastEvoked => return Some("channel it again".into()),
                };
                match self.known(count) {
                    Some(count) => format!("channel {count} {orb}"),
                    None if self.number(count).starts_with('X') => {
                        format!("channel {} {orb}", self.number(count))
                    }
                    None => format!("channel 1 {orb}{}", self.times(count)),
                }
            }
            Verb::Evoke { which, times } => match self.known(times) {
                Some(0) => format!("remove {}", self.orbs(which)),
                _ => format!("evoke {}{}", self.orbs(which), self.times(times)),
            },
            Verb::Passive { which, times } => format!("trigger {}{}", self.orbs(which), self.times(times)),
            Verb::Flee => "leave the fight".into(),
            Verb::Obtain { card, count } => match self.known(count) {
                Some(1) => format!("{} enters your deck", self.card_name(card)),
                _ => format!("{} {} enter your deck", self.number(count), plural(&self.card_name(card))),
            },
            Verb::ObtainRandom { count, .. } => {
                format!("{} enter your deck", self.counted(count, "random card"))
            }
            Verb::Remove { cards } => format!("remove {}", self.pick(cards)),
            Verb::Transform { cards, .. } => format!("transform {}", self.pick(cards)),
            Verb::Duplicate { cards } => format!("copy {}", self.pick(cards)),
            Verb::Bottle { cards } => format!("{} starts in your hand", self.pick(cards)),
            Verb::Burn { .. } => "give up a card".into(),
            Verb::OfferCards { count } => {
                format!("choose 1 of {} for your deck", self.counted(count, "card"))
            }
            Verb::GainRelic { relics, .. } => match &relics[..] {
                [relic] => format!("gain {}", self.relic_name(relic)),
                several => format!("gain one of {} relics", several.len()),
            },
            Verb::RandomRelic => "gain a random relic".into(),
            Verb::LoseRelic { relic } => format!("lose {}", self.relic_name(relic)),
            Verb::Reward { what, count } => self.reward(what, count),
            Verb::Fight { .. } => "a fight begins".into(),
            Verb::Chance { percent, hit, miss } => {
                let said = format!("with a chance of {} %, {}", self.number(percent), self.told(hit));
                if miss.is_empty() { said } else { format!("{said}; otherwise {}", self.told(miss)) }
            }
            Verb::OneOf { lists } => {
                let told: Vec<String> = lists.iter().map(|steps| self.told(steps)).collect();
                format!("one of these at random: {}", told.join("; "))
            }
            Verb::ToTheBoss => "go straight to the boss".into(),
            // What a monster or an event does is not told by its steps.
            Verb::SetMove { .. }
            | Verb::Reroll
            | Verb::Summon { .. }
            | Verb::Speak { .. }
            | Verb::Search { .. }
            | Verb::Escape { .. }
            | Verb::HalfDie
            | Verb::Appear
            | Verb::Revive { .. }
            | Verb::SetVar { .. }
            | Verb::Steal { .. }
            | Verb::TakeCard
            | Verb::ReturnCard
            | Verb::FaceTarget
            | Verb::Forget
            | Verb::ResetAttackCount
            | Verb::Goto { .. }
            | Verb::DrawRelics { .. }
            | Verb::LoseDrawn { .. }
            | Verb::SearchFinds { .. }
            | Verb::Pairs => return None,
            // Told before.
            Verb::Attack { .. }
            | Verb::Damage { .. }
            | Verb::LoseHp { .. }
            | Verb::Kill { .. }
            | Verb::Heal { .. }
            | Verb::MaxHp { .. }
            | Verb::SetHp { .. }
            | Verb::Block { .. }
            | Verb::RemoveBlock { .. }
            | Verb::Apply { .. }
            | Verb::Reduce { .. }
            | Verb::RemoveDebuffs { .. }
            | Verb::RemovePowers { .. }
            | Verb::Store { .. }
            | Verb::Counter { .. }
            | Verb::Energy { .. }
            | Verb::Draw { .. }
            | Verb::Gold { .. }
            | Verb::GainPotion { .. }
            | Verb::Scry { .. }
            | Verb::OrbSlots { .. }
            | Verb::Grow { .. }
            | Verb::Stance { .. }
            | Verb::EndTurn { .. } => return None,
        })
    }

    /// Something on a screen of rewards.
    fn reward(&self, what: &Reward, count: &Expr) -> String {
        let noun = match what {
            Reward::Cards => "card reward".to_owned(),
            Reward::Colorless => "reward of colorless cards".to_owned(),
            Reward::Potion => "random potion".to_owned(),
            Reward::Relic(None) => "relic".to_owned(),
            Reward::Relic(Some(tier)) => format!("{} relic", tier.name()),
            Reward::Gold(amount) => return format!("find {} gold", self.number(amount)),
            Reward::Drawn => return "find potions".to_owned(),
        };
        format!("find {}", self.counted(count, &noun))
    }

    fn branch(&self, condition: &Expr, then: &[Step], otherwise: &[Step]) -> Option<String> {
        if let Some(holds) = self.known(condition) {
            let steps = if holds != 0 { then } else { otherwise };
            return (!steps.is_empty()).then(|| self.clause(steps));
        }
        if let Expr::Two(Op::Gt, left, _) = self.form(condition)
            && matches!(**left, Expr::Read(Read::X, _))
        {
            return Some(self.clause(then));
        }
        let mut said = format!("if {}, {}", self.condition(condition), self.told(then));
        if !otherwise.is_empty() {
            said += &format!("; otherwise {}", self.told(otherwise));
        }
        Some(said)
    }

    fn attack(&self, amount: &Expr, to: Who, times: &Expr, strength: &Expr) -> String {
        let number = match self.known(amount) {
            Some(base) if self.of_card => {
                format!("{} damage", (self.live.attack)(base, self.known(strength).unwrap_or(1)))
            }
            Some(base) => format!("{base} damage"),
            None => format!("damage equal to {}", self.number(amount)),
        };
        let whom = if to == Who::Target { String::new() } else { format!(" to {}", self.who(to)) };
        format!("deal {number}{whom}{}", self.times(times))
    }

    fn times(&self, times: &Expr) -> String {
        match self.known(times) {
            Some(1) => String::new(),
            Some(2) => " twice".into(),
            Some(times) => format!(" {times} times"),
            None => match self.number(times).as_str() {
                plain if plain.starts_with(['X', 'N']) => format!(" {plain} times"),
                "as many" => " once for each of them".into(),
                "the number of orbs" => " once for each orb".into(),
                "the number of enemies" => " once for each enemy".into(),
                noun => format!(" once for each of {noun}"),
            },
        }
    }

    /// `3 HP`, `HP equal to …`.
    fn hp(&self, amount: &Expr) -> String {
        match (self.known(amount), self.number(amount)) {
            (Some(number), _) => format!("{number} HP"),
            (None, plain) if plain == "N" => "N HP".into(),
            (None, noun) => format!("HP equal to {noun}"),
        }
    }

    fn block(&self, amount: &Expr, to: Who, raw: bool) -> String {
        let number = match self.known(amount) {
            Some(base) if self.of_card && !raw => format!("{} Block", (self.live.block)(base)),
            Some(base) => format!("{base} Block"),
            None if self.number(amount) == "N" => "N Block".into(),
            None => format!("Block equal to {}", self.number(amount)),
        };
        match to {
            Who::Me if self.you => format!("gain {number}"),
            Who::Player => format!("you gain {number}"),
            Who::Me => format!("gain {number}"),
            other => format!("{} {number}", self.does(other, "gain")),
        }
    }

    fn apply(&self, power: &str, amount: &Expr, to: Who) -> String {
        let name = self.power_name(power);
        let found = self.content.powers.iter().find(|known| known.common.id == power);
        let flag = found.is_some_and(|known| known.range == (0, 1) || known.range == (1, 1));
        let negative = self.known(amount).is_some_and(|number| number < 0) || negated(self.form(amount));
        let number = match self.known(amount) {
            Some(number) => number.abs().to_string(),
            None => self.number(amount).trim_start_matches('-').to_string(),
        };
        let much = match number.as_str() {
            _ if flag => name,
            "N" | "X" => format!("{number} {name}"),
            _ if self.known(amount).is_some() => format!("{number} {name}"),
            _ => format!("{name} equal to {number}"),
        };
        match (to, negative) {
            (Who::Me, false) => format!("gain {much}"),
            (Who::Me, true) => format!("lose {much}"),
            (Who::Target, false) => format!("apply {much}"),
            (to, true) => format!("{} {much}", self.does(to, "lose")),
            (Who::Player, false) => format!("you gain {much}"),
            (to, false) => format!("apply {much} to {}", self.who(to)),
        }
    }

    /// The part of `[base, upgraded]` that counts.
    fn form<'e>(&self, expr: &'e Expr) -> &'e Expr {
        match expr {
            Expr::Upgrade(base, upgraded) => {
                if self.live.upgrades > 0 {
                    upgraded
                } else {
                    base
                }
            }
            other => other,
        }
    }

    fn reduce(&self, power: Option<&str>, by: Option<&Expr>) -> Option<String> {
        // What a power does to itself is told by how it fades.
        let name = self.power_name(power?);
        Some(match by.map(|by| (self.known(by), by)) {
            None => format!("lose all {name}"),
            Some((Some(by), _)) if by < 0 => format!("gain {} {name}", -by),
            Some((Some(by), _)) => format!("lose {by} {name}"),
            Some((None, by)) => format!("{name} rises by {}", self.number(by)),
        })
    }

    /// `gain 2 energy`, `lose 1 energy`.
    fn signed(&self, noun: &str, amount: &Expr) -> String {
        let plural = |number: i32| if noun == "orb slot" && number != 1 { "s" } else { "" };
        match self.known(amount) {
            Some(number) if number < 0 => format!("lose {} {noun}{}", -number, plural(-number)),
            Some(number) => format!("gain {number} {noun}{}", plural(number)),
            None if negated(self.form(amount)) => format!("lose {} {noun}", self.number(amount)),
            None => match self.number(amount).as_str() {
                "N" => format!("gain N {noun}"),
                "as many" => format!("gain as much {noun}"),
                number => format!("gain {noun} equal to {number}"),
            },
        }
    }

    /// `1 card`, `2 cards`.
    fn counted(&self, amount: &Expr, noun: &str) -> String {
        match self.known(amount) {
            Some(1) => format!("1 {noun}"),
            Some(number) => format!("{number} {noun}s"),
            None => match self.number(amount).as_str() {
                plain @ ("N" | "X" | "as many") => format!("{plain} {noun}s"),
                number => format!("{noun}s equal to {number}"),
            },
        }
    }

    fn grow(&self, by: &Expr, all: bool, permanent: bool) -> String {
        let whose = if all { "all cards of this name" } else { "this card" };
        let long = if permanent { "for good" } else { "this combat" };
        match self.known(by) {
            Some(by) if by < 0 => format!("the number of {whose} falls by {} {long}", -by),
            _ => format!("the number of {whose} rises by {} {long}", self.number(by)),
        }
    }

    /// The cards a verb handles.
    pub(super) fn pick(&self, cards: &Pick) -> String {
        match cards.from {
            Zone::This => return "this card".into(),
            Zone::Chosen => return "it".into(),
            Zone::Trigger => return "that card".into(),
            Zone::Drawn => return self.filtered(cards, "all drawn cards", "drawn"),
            _ => {}
        }
        let noun = |many: bool| {
            cards.filter.as_ref().map_or_else(
                || if many { "cards".to_string() } else { "card".to_string() },
                |filter| self.cards(filter, many),
            )
        };
        let from = zone_name(cards.from);
        let few = |number: &Expr, kind: &str| match self.known(number) {
            Some(1) => format!("{kind} {} in {from}", noun(false)),
            Some(number) => format!("{number} {} in {from}", noun(true)),
            None => format!("{} {} in {from}", self.number(number), noun(true)),
        };
        match &cards.how {
            How::All => match cards.from {
                Zone::Hand if cards.filter.is_none() => "your hand".into(),
                _ => format!("all {} in {from}", noun(true)),
            },
            How::Choose(number) => few(number, "1"),
            How::UpTo(Expr::Int(99)) => format!("any number of {} in {from}", noun(true)),
            How::UpTo(number) => format!("up to {}", few(number, "1")),
            How::Random(number) => match self.known(number) {
                Some(1) => format!("a random {} in {from}", noun(false)),
                _ => format!("{} random {} in {from}", self.number(number), noun(true)),
            },
            How::Top(number) => match self.known(number) {
                Some(1) => format!("the top card of {from}"),
                _ => format!("the top {} cards of {from}", self.number(number)),
            },
        }
    }

    fn filtered(&self, cards: &Pick, all: &str, which: &str) -> String {
        match &cards.filter {
            Some(filter) => format!("all {which} {}", self.cards(filter, true)),
            None => all.into(),
        }
    }

    fn create(
        &self,
        made: &Made,
        count: &Expr,
        to: Spot,
        upgraded: &Expr,
        cost: Option<&(NewCost, Until)>,
        offer: &Expr,
    ) -> String {
        let better = if self.known(upgraded).unwrap_or(0) != 0 { "upgraded " } else { "" };
        let shown = self.known(offer).unwrap_or(0);
        let noun = match made {
            Made::Card(id) => format!("{better}{}", self.card_name(id)),
            Made::CopyOf(Pick { from: Zone::This, .. }) => "copy of this card".into(),
            Made::CopyOf(pick) => {
                let from = self.pick(pick);
                format!("copy of {}", from.strip_prefix("1 ").map_or(from.clone(), article))
            }
            Made::From(pool, filter) => {
                let (before, behind) = match pool {
                    Pool::Class => ("", ""),
                    Pool::AnyClass => ("", " of any character"),
                    Pool::Colorless => ("colorless ", ""),
                    Pool::Curse => ("curse ", ""),
                };
                let card = filter.as_ref().map_or("card".into(), |filter| self.cards(filter, false));
                format!("random {better}{before}{card}{behind}")
            }
        };
        let many = shown > 0 || self.known(count) != Some(1);
        let cheap = match cost {
            Some((NewCost::Set(cost), until)) => {
                let verb = if many { "cost" } else { "costs" };
                format!(" that {verb} {} {}", self.number(cost), until_words(*until))
            }
            _ => String::new(),
        };
        if shown > 0 {
            return format!("choose 1 of {shown} {}{cheap} and put it {}", plural(&noun), spot(to));
        }
        let cards = match self.known(count) {
            Some(1) => article(&noun),
            Some(count) => format!("{count} {}", plural(&noun)),
            None => format!("{} {}", self.number(count), plural(&noun)),
        };
        format!("put {cards}{cheap} {}", spot(to))
    }

    fn cost(&self, cards: &Pick, new: &NewCost, until: Until) -> String {
        let (cards, verb) = match self.pick(cards) {
            hand if hand == "your hand" => ("all cards in hand".to_string(), "cost"),
            many if many.starts_with("all") => (many, "cost"),
            one => (one, "costs"),
        };
        let until = until_words(until);
        match new {
            NewCost::Set(number) => format!("{cards} {verb} {} {until}", self.number(number)),
            NewCost::Add(number) => match self.known(number) {
                Some(number) if number < 0 => format!("{cards} {verb} {} less {until}", -number),
                Some(number) => format!("{cards} {verb} {number} more {until}"),
                None if negated(self.form(number)) => {
                    format!("{cards} {verb} less {until} by {}", self.number(number))
                }
                None => format!("{cards} {verb} more {until} by {}", self.number(number)),
            },
            NewCost::Random => format!("{cards} {verb} 0 to 3 at random {until}"),
        }
    }

    /// `Costs 1 less for …`.
    pub(super) fn cost_change(&self, change: &Expr) -> String {
        match self.known(change) {
            Some(number) if number < 0 => return format!("Costs {} less.", -number),
            Some(number) => return format!("Costs {number} more."),
            None => {}
        }
        let noun = self.number(change);
        let noun = noun.trim_start_matches("the ");
        let way = if negated(change) { "less" } else { "more" };
        format!("Costs 1 {way} for each of the {noun}.")
    }
}

/// Whether a value is written with a minus in front.
fn negated(expr: &Expr) -> bool {
    match expr {
        Expr::Two(Op::Sub, left, _) => **left == Expr::Int(0) || negated(left),
        _ => false,
    }
}

fn plural(noun: &str) -> String {
    match noun.split_once(" of ") {
        Some(("copy", rest)) => format!("copies of {rest}"),
        Some((noun, rest)) => format!("{noun}s of {rest}"),
        _ => format!("{noun}s"),
    }
}

fn until_words(until: Until) -> &'static str {
    match until {
        Until::Turn => "this turn",
        Until::Combat => "this combat",
        Until::Played => "until played",
    }
}

/// Where cards are put.
fn spot(to: Spot) -> &'static str {
    match to {
        Spot::Hand => "into your hand",
        Spot::Discard => "into the discard pile",
        Spot::Exhaust => "into the exhaust pile",
        Spot::DrawTop => "on top of the draw pile",
        Spot::DrawBottom => "at the bottom of the draw pile",
        Spot::DrawRandom | Spot::DrawShuffled => "into the draw pile",
        Spot::Limbo => "into your hand next turn",
        Spot::Deck => "into your deck",
    }
}
