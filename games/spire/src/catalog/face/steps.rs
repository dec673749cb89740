//! Steps in words: one sentence each.

use super::numbers::{article, negated, zone_name};
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
        let mut told: Vec<String> = steps.iter().filter_map(|step| self.step(step)).collect();
        // What a power does to itself comes last, whenever it happens: what it does to others is the point of it.
        told.sort_by_key(|words| words.starts_with("this "));
        listed(&told)
    }

    /// The same where something has to be said.
    pub(super) fn told(&self, steps: &[Step]) -> String {
        let clause = self.clause(steps);
        if clause.is_empty() { "nothing happens".into() } else { clause }
    }

    /// Who does something: `you lose`, `the enemy loses`, `all enemies lose`.
    fn does(&self, who: Who, verb: &str) -> String {
        format!("{} {verb}{}", self.who(who), if self.several(who) { "" } else { "s" })
    }

    /// Somebody does something; who reads is only told what: `gain 3 Block`, `the enemy gains 3 Block`.
    fn act(&self, who: Who, verb: &str, what: &str) -> String {
        match who {
            Who::Me | Who::Player if self.you => format!("{verb} {what}"),
            other => format!("{} {what}", self.does(other, verb)),
        }
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
    fn granted(&self, id: &str, amount: &Expr, to: Who) -> Option<String> {
        let power = self.content.powers.iter().find(|power| power.common.id == id)?;
        let mine = matches!(to, Who::Me | Who::Player);
        let inner = Writer { stacks: self.known(amount), of_card: false, you: true, ..*self };
        let told = match &power.common.text {
            Some(text) if mine => inner.written(text),
            Some(text) => self.of_others(&inner.written(text), to)?,
            None if mine && self.grants && power.rules.alter.is_empty() => {
                [inner.rules(&power.rules), inner.fades(power).unwrap_or_default()].join(" ")
            }
            None => return None,
        };
        let told = if inner.stacks.is_none() {
            told.replace("N ", &format!("{} ", self.number(amount)))
        } else {
            told
        };
        Some(told.trim_end().trim_end_matches('.').to_string()).filter(|told| !told.is_empty())
    }

    /// The text of a power that somebody else gets: only if it says that it is about an enemy. Any other would be
    /// read as if it were the reader's.
    fn of_others(&self, text: &str, to: Who) -> Option<String> {
        let about = ["the enemy", "The enemy"].iter().any(|words| text.contains(words));
        let told = match self.several(to) {
            true => text
                .replace("The enemy's", "Their")
                .replace("the enemy's", "their")
                .replace("The enemy", "Each enemy")
                .replace("the enemy", "each enemy"),
            false => text.to_owned(),
        };
        about.then_some(told)
    }

    fn step(&self, step: &Step) -> Option<String> {
        Some(match &step.verb {
            Verb::Attack { amount, to, times, strength, on_kill, any_death } => {
                let mut said = self.attack(amount, *to, times, strength);
                if self.known(strength) != Some(1) {
                    said += &match self.number(strength) {
                        times if self.known(strength).is_some() || times == "X" => {
                            format!("; Strength counts {times} times")
                        }
                        _ => format!("; Strength is multiplied by {}", self.operand(strength)),
                    };
                }
                if !on_kill.is_empty() {
                    let death = if *any_death { "it dies" } else { "this kills" };
                    said += &format!("; if {death}, {}", self.told(on_kill));
                }
                said
            }
            Verb::Damage { amount, to: to @ (Who::Me | Who::Player), times } => {
                self.act(*to, "take", &self.amount(amount, "damage")) + &self.times(times)
            }
            Verb::Damage { amount, to, times } => {
                let damage = format!("inflict {} on {}", self.amount(amount, "damage"), self.who(*to));
                damage + &self.times(times)
            }
            Verb::LoseHp { amount, to } => self.act(*to, "lose", &self.amount(amount, "HP")),
            Verb::Kill { to } => self.does(*to, "die"),
            Verb::Heal { amount, to } => self.act(*to, "heal", &self.amount(amount, "HP")),
            Verb::MaxHp { amount } => self.signed("max HP", amount),
            Verb::SetHp { amount, to } => {
                format!("{} HP becomes {}", self.possessive(*to), self.operand(amount))
            }
            Verb::Block { amount, to, raw } => self.block(amount, *to, *raw),
            Verb::RemoveBlock { to } => self.act(*to, "lose", "all Block"),
            Verb::Apply { power, amount, to, only, .. } => {
                let granted = if self.of_card { self.granted(power, amount, *to) } else { None };
                let said = granted.unwrap_or_else(|| self.apply(power, amount, *to));
                said + &self.only(*to, only.as_ref())
            }
            Verb::Reduce { power, by, to } => self.reduce(power.as_deref(), by.as_ref(), *to),
            Verb::RemoveDebuffs { to } => self.act(*to, "lose", "all debuffs"),
            Verb::RemovePowers { to } => self.act(*to, "lose", "all powers"),
            Verb::Store { .. } | Verb::Counter { .. } => return None,
            Verb::Energy { amount } => self.signed("energy", amount),
            Verb::Draw { amount, .. } => format!("draw {}", self.counted(amount, "card")),
            Verb::Gold { amount } => self.signed("gold", amount),
            Verb::GainPotion { count } => {
                self.act(Who::Player, "gain", &self.counted(count, "random potion"))
            }
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
                if let Some(said) = self.taken_off_the_top(times, steps) {
                    return Some(said);
                }
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
                let lasts = cards.from == Zone::Deck || self.for_good;
                let long = if lasts { "" } else { " for this combat" };
                let cards = match self.pick(&needless(cards, Read::Upgradable)) {
                    hand if hand == "your hand" => "all cards in hand".into(),
                    cards => cards,
                };
                format!("upgrade {cards}{long}")
            }
            Verb::Move { cards, to } => format!("put {} {}", self.pick(cards), spot(*to)),
            Verb::Create { .. } => self.create(verb),
            Verb::Cost { cards, price, until } => self.cost(cards, price, *until),
            Verb::Play { cards, times, exhaust, .. } => {
                let them = if self.are_many(cards) { "them" } else { "it" };
                let gone = if *exhaust { format!(" and exhaust {them}") } else { String::new() };
                format!("play {}{}{gone}", self.pick(cards), self.times(times))
            }
            Verb::Replay => "play it once more".into(),
            Verb::Channel { orb, count } => {
                let orb = match orb {
                    Orb::Kind(kind) => self.orb_name(kind),
                    Orb::Random => "random orb".into(),
                    Orb::LastEvoked => return Some("channel it again".into()),
                };
                let orbs = if orb == "random orb" { "random orbs".into() } else { orb.clone() };
                match self.known(count) {
                    Some(1) => format!("channel 1 {orb}"),
                    Some(count) => format!("channel {count} {orbs}"),
                    None if self.number(count).starts_with(['X', 'N']) => {
                        format!("channel {} {orbs}", self.number(count))
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
            Verb::Escape { to } => format!("{} the fight", self.does(*to, "leave")),
            Verb::Obtain { card, count } => self.put(&self.card_name(card), count, "into your deck"),
            Verb::ObtainRandom { pool, count, filter } => {
                self.put(&self.random_card(*pool, filter.as_ref(), ""), count, "into your deck")
            }
            Verb::Remove { cards } => {
                format!("remove {}", self.pick(&needless(cards, Read::Removable)))
            }
            Verb::Transform { cards, upgraded, .. } => {
                let them = if self.are_many(cards) { "them" } else { "it" };
                let better = if *upgraded { format!(" and upgrade {them}") } else { String::new() };
                format!("transform {}{better}", self.pick(cards))
            }
            Verb::Duplicate { cards } => format!("copy {}", self.pick(cards)),
            Verb::Bottle { cards } => {
                let start = if self.are_many(cards) { "start" } else { "starts" };
                format!("{} {start} each combat in your hand", self.pick(cards))
            }
            Verb::Burn { .. } => "give up a card".into(),
            Verb::OfferCards { count } => {
                format!("choose 1 of {} for your deck", self.counted(count, "card"))
            }
            Verb::GainRelic { relics, .. } => match &relics[..] {
                [relic] => format!("gain {}", self.relic_name(relic)),
                several => {
                    let names: Vec<String> = several.iter().map(|relic| self.relic_name(relic)).collect();
                    format!("gain one of these at random: {}", names.join(", "))
                }
            },
            Verb::RandomRelic => "gain a random relic".into(),
            Verb::LoseRelic { relic: None } => "lose your first relic".into(),
            Verb::LoseRelic { relic: Some(relic) } => format!("lose {}", self.relic_name(relic)),
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

    fn block(&self, amount: &Expr, to: Who, raw: bool) -> String {
        let number = match self.known(amount) {
            Some(base) if self.of_card && !raw && to == Who::Me => {
                format!("{} Block", (self.live.block)(base))
            }
            _ => self.amount(amount, "Block"),
        };
        self.act(to, "gain", &number)
    }

    /// The condition on each of those whom a step is aimed at.
    fn only(&self, to: Who, only: Option<&Expr>) -> String {
        let each = if self.several(to) { "each only" } else { "only" };
        only.map_or(String::new(), |only| {
            format!(", {each} if {}", self.condition(only).replace("their ", "its "))
        })
    }

    /// Steps that take one card after the other from the top are told as one: `play the top 3 cards`.
    fn taken_off_the_top(&self, times: &Expr, program: &[Step]) -> Option<String> {
        let [Step { verb, place }] = program else { return None };
        let Verb::Play { cards, times: often, exhaust, late } = verb else { return None };
        let alone = matches!(cards.how, How::Top(Expr::Int(1))) && cards.filter.is_none();
        let cards = Pick { how: How::Top(times.clone()), ..cards.clone() };
        let verb = Verb::Play { cards, times: often.clone(), exhaust: *exhaust, late: *late };
        alone.then(|| self.step(&Step { verb, place: place.clone() })).flatten()
    }

    fn apply(&self, power: &str, amount: &Expr, to: Who) -> String {
        let name = self.power_name(power);
        let found = self.content.powers.iter().find(|known| known.common.id == power);
        let flag = found.is_some_and(|known| known.range == (0, 1) || known.range == (1, 1));
        let negative = self.magnitude(amount).0;
        let much = if flag { name } else { self.amount(amount, &name) };
        match (to, negative) {
            (to, true) => self.act(to, "lose", &much),
            (Who::Me | Who::Player, false) => self.act(to, "gain", &much),
            (Who::Target, false) => format!("apply {much}"),
            (to, false) => format!("apply {much} to {}", self.who(to)),
        }
    }

    /// The part of `[base, upgraded]` that counts.
    pub(super) fn form<'e>(&self, expr: &'e Expr) -> &'e Expr {
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

    fn reduce(&self, power: Option<&str>, by: Option<&Expr>, to: Who) -> String {
        let by = by.map(|by| (self.magnitude(by), by));
        let Some(power) = power else {
            // The power speaks of itself.
            return match by {
                None => "this goes".into(),
                Some((_, by)) if matches!(self.form(by), Expr::Read(Read::N, _)) => "this goes".into(),
                Some(((false, much), _)) => format!("this falls by {much}"),
                Some(((true, much), _)) => format!("this rises by {much}"),
            };
        };
        let name = self.power_name(power);
        match by {
            None => self.act(to, "lose", &format!("all {name}")),
            Some(((false, _), by)) => self.act(to, "lose", &self.amount(by, &name)),
            Some(((true, _), by)) => self.act(to, "gain", &self.amount(by, &name)),
        }
    }

    /// `gain 2 energy`, `lose 1 energy`: always the player's.
    fn signed(&self, noun: &str, amount: &Expr) -> String {
        let (negative, _) = self.magnitude(amount);
        let one = self.known(amount).is_some_and(|number| number.abs() == 1);
        let noun = if noun == "orb slot" && !one { "orb slots" } else { noun };
        self.act(Who::Player, if negative { "lose" } else { "gain" }, &self.amount(amount, noun))
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
            How::Top(number) if cards.filter.is_some() => {
                let top = Pick { how: How::Top(number.clone()), filter: None, ..cards.clone() };
                format!("all {} among {}", noun(true), self.pick(&top))
            }
            How::Top(number) => match self.known(number) {
                Some(1) => format!("the top card of {from}"),
                _ => format!("the top {} cards of {from}", self.number(number)),
            },
        }
    }

    /// Whether it may be more than one card.
    fn are_many(&self, cards: &Pick) -> bool {
        match (cards.from, &cards.how) {
            (Zone::This | Zone::Chosen | Zone::Trigger, _) => false,
            (_, How::All) => true,
            (_, How::Choose(number) | How::UpTo(number) | How::Random(number) | How::Top(number)) => {
                self.known(number) != Some(1)
            }
        }
    }

    fn filtered(&self, cards: &Pick, all: &str, which: &str) -> String {
        match &cards.filter {
            Some(filter) => format!("all {which} {}", self.cards(filter, true)),
            None => all.into(),
        }
    }

    /// A random card of a pool, as a noun.
    fn random_card(&self, pool: Pool, filter: Option<&Expr>, better: &str) -> String {
        let card = filter.map_or("card".into(), |filter| self.cards(filter, false));
        match pool {
            Pool::Class => format!("random {better}{card}"),
            Pool::AnyClass => format!("random {better}{card} of any character"),
            Pool::Colorless => format!("random {better}colorless {card}"),
            Pool::Curse if filter.is_none() => format!("random {better}curse"),
            Pool::Curse => format!("random {better}curse {card}"),
        }
    }

    /// `put 2 Shivs into your hand`.
    fn put(&self, noun: &str, count: &Expr, place: &str) -> String {
        let cards = match self.known(count) {
            Some(1) => article(noun),
            Some(count) => format!("{count} {}", plural(noun)),
            None => format!("{} {}", self.number(count), plural(noun)),
        };
        format!("put {cards} {place}")
    }

    /// What cards are copied: one of them, or each.
    fn copied(&self, pick: &Pick) -> String {
        let one = |noun: &str| format!("copy of {noun}");
        match (&pick.how, pick.from) {
            (_, Zone::This) => one("this card"),
            (How::All, Zone::Chosen | Zone::Trigger | Zone::Drawn) => one(&self.pick(pick)),
            (How::All, from) => {
                let noun = pick.filter.as_ref().map_or("card".into(), |filter| self.cards(filter, false));
                one(&format!("each {noun} in {}", zone_name(from)))
            }
            (How::Choose(_) | How::UpTo(_) | How::Random(_) | How::Top(_), _) => {
                let from = self.pick(pick);
                one(&from.strip_prefix("1 ").map_or(from.clone(), article))
            }
        }
    }

    fn create(&self, verb: &Verb) -> String {
        let Verb::Create { made, count, to, upgraded, cost, offer, skippable, kept, late: _ } = verb else {
            return String::new();
        };
        let better = if self.known(upgraded).unwrap_or(0) != 0 { "upgraded " } else { "" };
        let shown = self.known(offer).unwrap_or(0);
        let noun = match made {
            Made::Card(id) => format!("{better}{}", self.card_name(id)),
            Made::CopyOf(pick) => self.copied(pick),
            Made::From(pool, filter) => self.random_card(*pool, filter.as_ref(), better),
        };
        let many = shown > 0 || self.known(count) != Some(1);
        let price = match cost {
            Some((NewCost::Set(cost), until)) => {
                let verb = if many { "cost" } else { "costs" };
                format!(" that {verb} {} {}", self.number(cost), until_words(*until))
            }
            Some((NewCost::Add(_) | NewCost::Random, _)) | None => String::new(),
        };
        let kept =
            kept.as_ref().map_or(String::new(), |kept| format!(" with an X of {}", self.operand(kept)));
        let behind = format!("{kept}{price}");
        if shown > 0 {
            let may = if *skippable { "you may choose" } else { "choose" };
            return format!("{may} 1 of {shown} {}{behind} and put it {}", plural(&noun), spot(*to));
        }
        let place = format!("{behind} {}", spot(*to));
        self.put(&noun, count, place.trim_start())
    }

    fn cost(&self, cards: &Pick, new: &NewCost, until: Until) -> String {
        let verb = if self.are_many(cards) { "cost" } else { "costs" };
        let cards = match self.pick(cards) {
            hand if hand == "your hand" => "all cards in hand".to_string(),
            cards => cards,
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

/// Several of them: `copies of it`, `random cards of any character`, `Strikes that cost 0`.
pub(super) fn plural(noun: &str) -> String {
    for cut in [" of ", " that "] {
        if let Some((noun, rest)) = noun.split_once(cut) {
            let rest = rest.strip_prefix("costs ").map_or(rest.to_owned(), |much| format!("cost {much}"));
            return format!("{}{cut}{rest}", plural(noun));
        }
    }
    match noun {
        "copy" => "copies".into(),
        // A word that is no noun stays as it is, and what ends in a hiss would be hissed twice.
        noun if noun.ends_with("ed") => noun.into(),
        noun if ["s", "x", "sh", "ch"].iter().any(|end| noun.ends_with(end)) => format!("{noun}es"),
        noun => format!("{noun}s"),
    }
}

/// The same cards without a word that goes without saying: what is upgraded can be upgraded.
fn needless(cards: &Pick, word: Read) -> Pick {
    fn without(filter: &Expr, word: Read) -> Option<Expr> {
        match filter {
            Expr::Read(read, _) if *read == word => None,
            Expr::Two(Op::And, a, b) => match (without(a, word), without(b, word)) {
                (Some(a), Some(b)) => Some(Expr::Two(Op::And, a.into(), b.into())),
                (one, other) => one.or(other),
            },
            other => Some(other.clone()),
        }
    }
    Pick { filter: cards.filter.as_ref().and_then(|filter| without(filter, word)), ..cards.clone() }
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
