//! Hooks, alterations, preventions and flags in words.

use super::numbers::article;
use super::{Writer, capital};
use crate::catalog::defs::{Power, When};
use crate::catalog::expr::{Arg, Expr, Op, Read};
use crate::catalog::hook::{Alter, Change, Hook, Once, Rules, Stop};
use crate::catalog::verb::{Step, Verb};
use crate::catalog::words::{DamageKind, Flag, Moment, Prevent, Stage};

impl Writer<'_> {
    /// All rules of an entry, as sentences.
    pub(super) fn rules(&self, rules: &Rules) -> String {
        let mut said: Vec<String> = Vec::new();
        // How a power wears off comes behind what it does.
        let (fading, acting): (Vec<&Hook>, Vec<&Hook>) = rules.on.iter().partition(|hook| only_fades(hook));
        said.extend(acting.iter().filter_map(|hook| self.hook(hook)));
        said.extend(rules.alter.iter().map(|alter| self.alter(alter)));
        said.extend(rules.prevent.iter().map(|stop| self.stop(stop)));
        said.extend(rules.flags.iter().map(|flag| self.flag(*flag)));
        said.extend(fading.iter().filter_map(|hook| self.hook(hook)));
        said.iter().map(|words| format!("{}.", capital(words))).collect::<Vec<_>>().join(" ")
    }

    fn hook(&self, hook: &Hook) -> Option<String> {
        if self.never(hook.when.as_ref()) {
            return None;
        }
        let for_good = hook.moment == Moment::CardObtaining;
        let clause = Writer { for_good, ..*self }.clause(&hook.steps);
        if clause.is_empty() {
            return None;
        }
        let (card, rest) = self.sort_out(hook.when.as_ref());
        let moment = self.narrowed(hook).unwrap_or_else(|| self.moment(hook.moment, card.clone()));
        let mut said = match &hook.every {
            Some(every) => self.every(hook.moment, every, &moment),
            None if self.narrowed(hook).is_some() => format!("whenever {moment}"),
            None => self.opening(hook.moment, card),
        };
        let first = match hook.once {
            Some(Once::Turn) => Some("each turn"),
            Some(Once::Combat) => Some("each combat"),
            None => None,
        };
        if let Some(each) = first {
            said = match said.strip_prefix("whenever") {
                Some(moment) => format!("the first time {each}{moment}"),
                None => format!("{said}, once {each}"),
            };
        }
        // A rule of one certain turn.
        let turn = |condition: &String| condition.strip_prefix("the turn is ")?.parse::<u8>().ok();
        let (turns, rest): (Vec<String>, Vec<String>) = rest.into_iter().partition(|it| turn(it).is_some());
        for condition in turns {
            said = match (turn(&condition), said.strip_suffix("your turn")) {
                (Some(turn), Some(time)) => format!("{time}turn {turn}"),
                _ => format!("{said}, if {condition}"),
            };
        }
        Some(format!("{said}{}, {clause}", conditions(", if ", &rest)))
    }

    fn every(&self, moment: Moment, every: &Expr, said: &str) -> String {
        match self.known(every) {
            Some(every) if moment == Moment::TurnStart => format!("every {} turn", ordinal(every)),
            Some(every) => format!("every {} time {said}", ordinal(every)),
            None => format!("once for every {} times {said}", self.operand(every)),
        }
    }

    /// What is hit by an attack, and whether it must take HP, is said where a rule asks for it.
    fn narrowed(&self, hook: &Hook) -> Option<String> {
        let (mut attack, mut hurts) = (false, false);
        hook.when.iter().for_each(|when| {
            when.walk(&mut |part| match part {
                Expr::Read(Read::Kind, args) => attack |= args == &[Arg::Kind(DamageKind::Normal)],
                Expr::Two(Op::Gt, left, right) => {
                    hurts |= matches!(**left, Expr::Read(Read::Event, _)) && **right == Expr::Int(0);
                }
                _ => {}
            });
        });
        let owner = if self.you { "you" } else { "its owner" };
        match hook.moment {
            Moment::Attacked if attack && hurts => Some(format!("an attack takes HP from {owner}")),
            Moment::HpLost if attack => Some(format!("an attack takes HP from {owner}")),
            _ => None,
        }
    }

    /// Whether a condition cannot hold for this owner.
    fn never(&self, when: Option<&Expr>) -> bool {
        match when {
            Some(Expr::Two(Op::And, a, b)) => self.never(Some(a)) || self.never(Some(b)),
            Some(other) => self.about_owner(other) == Some(false),
            None => false,
        }
    }

    /// Whether the owner is who a condition asks for, where it is known.
    fn about_owner(&self, expr: &Expr) -> Option<bool> {
        match expr {
            Expr::Read(Read::IsPlayer, _) => self.player,
            Expr::Not(inner) => self.about_owner(inner).map(|so| !so),
            _ => None,
        }
    }

    /// Takes a condition apart: the filter of the card, and what is worth telling of the rest.
    fn sort_out(&self, when: Option<&Expr>) -> (Option<String>, Vec<String>) {
        let (mut card, mut rest) = (None, Vec::new());
        let mut open: Vec<&Expr> = when.into_iter().collect();
        while let Some(expr) = open.pop() {
            match expr {
                Expr::Two(Op::And, a, b) => open.extend([&**b, &**a]),
                Expr::Read(Read::CardIs, args) => {
                    if let [Arg::Expr(filter)] = args.as_slice() {
                        card = Some(self.cards(filter, false));
                    }
                }
                other if technical(other) || self.about_owner(other).is_some() => {}
                other => rest.push(self.condition(other)),
            }
        }
        (card, rest)
    }

    /// The moment as the beginning of a sentence.
    fn opening(&self, moment: Moment, card: Option<String>) -> String {
        let your = if self.you { "your" } else { "its owner's" };
        match moment {
            Moment::Draw => "when drawn".into(),
            Moment::Discard => "when discarded".into(),
            Moment::Exhaust => "when exhausted".into(),
            Moment::Retain => "when retained".into(),
            Moment::TurnEndInHand => "at the end of your turn in hand".into(),
            Moment::RemovedFromDeck => "when removed from your deck".into(),
            Moment::Obtained => "when you get it".into(),
            Moment::Lost => "when you lose it".into(),
            Moment::CombatPrep | Moment::CombatStartPreDraw | Moment::CombatStart => {
                "at the start of each combat".into()
            }
            Moment::TurnStart | Moment::TurnStartPostDraw | Moment::EnergyRefilled => {
                format!("at the start of {your} turn")
            }
            Moment::TurnEndRelics | Moment::TurnEndPreCards | Moment::TurnEnd => {
                format!("at the end of {your} turn")
            }
            Moment::RoundEnd => "at the end of the round".into(),
            Moment::Victory | Moment::VictoryFirst => "at the end of combat".into(),
            Moment::OwnerDied => "when the owner dies".into(),
            Moment::MonsterMoved => "after its move".into(),
            Moment::PlanCopies => match card {
                Some(card) => format!("the next {card} is played again"),
                None => "the next card is played again".into(),
            },
            _ => format!("whenever {}", self.moment(moment, card)),
        }
    }

    /// The moment as a clause.
    pub(super) fn moment(&self, moment: Moment, card: Option<String>) -> String {
        let one = |noun: &Option<String>| noun.as_deref().map_or("a card".to_string(), article);
        let (you, your, lose, gain) = match self.you {
            true => ("you", "your", "lose", "gain"),
            false => ("its owner", "its owner's", "loses", "gains"),
        };
        match moment {
            Moment::CardUsed | Moment::AfterCard | Moment::BeforeCard | Moment::AfterOtherCard => {
                format!("you play {}", one(&card))
            }
            Moment::OtherCardPlayed => "another card is played while this is in hand".into(),
            Moment::StanceChange => "your stance changes while this is in the discard pile".into(),
            Moment::Scry => "you scry while this is in the discard pile".into(),
            Moment::CardDrawn => format!("you draw {}", one(&card)),
            Moment::CardDiscarded => format!("you discard {}", one(&card)),
            Moment::CardExhausted => format!("{} is exhausted", one(&card)),
            Moment::CardRetained => format!("{} is retained", one(&card)),
            Moment::CardCreated => format!("{} is created", one(&card)),
            Moment::CardObtaining | Moment::CardObtained => format!("{} enters your deck", one(&card)),
            Moment::Shuffled => "your draw pile is shuffled anew".into(),
            Moment::Scried => "you scry".into(),
            Moment::StanceChanged => "your stance changes".into(),
            Moment::Attacking | Moment::Inflicted => {
                let whose = if self.you { "your attack" } else { "its attack" };
                format!("{whose} takes HP")
            }
            Moment::Attacked => if self.you { "you are attacked" } else { "its owner is attacked" }.into(),
            Moment::HpLost => format!("{you} {lose} HP"),
            Moment::Bloodied => "your HP falls to half or lower".into(),
            Moment::NotBloodied => "your HP rises above half".into(),
            Moment::BlockGained => format!("{you} {gain} Block"),
            Moment::BlockBroken => "you break an enemy's Block".into(),
            Moment::DebuffGiven => "you give an enemy a debuff".into(),
            Moment::PowerGained => "this grows".into(),
            Moment::PowerRemoved => "this goes".into(),
            Moment::MonsterDied => "an enemy dies".into(),
            Moment::MonsterSpawned => "an enemy joins the fight".into(),
            Moment::PotionUsed => "you use a potion".into(),
            Moment::OrbEvoked => "an orb is evoked".into(),
            Moment::OrbChanneled => "you channel an orb".into(),
            Moment::TargetChosen => "you aim at an enemy".into(),
            Moment::QueueIdle => "nothing else happens".into(),
            Moment::RestSiteEntered => "you enter a rest site".into(),
            Moment::RestDone => "you rest".into(),
            Moment::ShopEntered => "you enter a shop".into(),
            Moment::RoomEntered => "you enter a room".into(),
            Moment::GoldSpent => "you spend gold".into(),
            Moment::GoldGained => "you gain gold".into(),
            Moment::ChestOpened => "you open a chest".into(),
            Moment::QuestionRoom | Moment::QuestionAnswered => "you enter a ? room".into(),
            Moment::Flown => "you reach a room without a way".into(),
            Moment::Draw => "this is drawn".into(),
            Moment::Discard => "this is discarded".into(),
            Moment::Exhaust => "this is exhausted".into(),
            Moment::Retain => "this is retained".into(),
            Moment::TurnEndInHand => "your turn ends with this in hand".into(),
            Moment::RemovedFromDeck => "this leaves your deck".into(),
            Moment::CombatPrep | Moment::CombatStartPreDraw | Moment::CombatStart => "a fight begins".into(),
            Moment::TurnStart | Moment::TurnStartPostDraw | Moment::BeforeDraw | Moment::EnergyRefilled => {
                format!("{your} turn begins")
            }
            Moment::TurnEndRelics | Moment::TurnEndPreCards | Moment::TurnEnd => format!("{your} turn ends"),
            Moment::BeforeDiscard => "your hand is about to be discarded".into(),
            Moment::PlanCopies => format!("you pay for {}", one(&card)),
            Moment::MonsterMoved => "it has moved".into(),
            Moment::RoundEnd => "a round ends".into(),
            Moment::OwnerDied => "the owner dies".into(),
            Moment::VictoryFirst | Moment::Victory => "a fight is won".into(),
            Moment::Obtained => "you get it".into(),
            Moment::Lost => "you lose it".into(),
        }
    }

    fn alter(&self, alter: &Alter) -> String {
        let (card, rest) = self.sort_out(alter.when.as_ref());
        let what = self.stage(alter.stage, card);
        let mut said = match &alter.change {
            Change::Add(number) => match self.magnitude(number) {
                (true, much) => format!("{what} falls by {much}"),
                (false, much) => format!("{what} rises by {much}"),
            },
            Change::Mul(up, down) => match (self.known(up), self.known(down)) {
                (Some(2), Some(1)) => format!("{what} is doubled"),
                (Some(3), Some(1)) => format!("{what} is tripled"),
                (Some(up), Some(down)) if up > down => {
                    format!("{what} rises by {}%", (up - down) * 100 / down.max(1))
                }
                (Some(up), Some(down)) => format!("{what} falls by {}%", (down - up) * 100 / down.max(1)),
                _ => format!("{what} is multiplied by ({}) / {}", self.number(up), self.number(down)),
            },
            Change::Set(number) => format!("{what} becomes {}", self.number(number)),
            Change::AtMost(number) => format!("{what} is at most {}", self.number(number)),
            Change::AtLeast(number) => format!("{what} is at least {}", self.number(number)),
        };
        said += &conditions(", if ", &rest);
        if alter.nearest {
            said += ", rounded to the nearest whole number";
        }
        said + &self.spent(alter.spend.as_ref())
    }

    /// What it costs a power or relic to act.
    fn spent(&self, spend: Option<&Expr>) -> String {
        let what = if self.you && self.stacks.is_none() { "the counter" } else { "this" };
        spend.map_or(String::new(), |spend| format!("; each time {what} falls by {}", self.operand(spend)))
    }

    /// An option that a relic adds somewhere.
    pub(super) fn offered(&self, place: &str, name: &str, when: Option<&Expr>, steps: &[Step]) -> String {
        let when = when.map_or(String::new(), |when| format!(", if {},", self.condition(when)));
        let does = self.clause(steps);
        let does = if does.is_empty() { String::new() } else { format!(": {does}") };
        format!("{place}{when} you may choose {name}{does}.")
    }

    fn stage(&self, stage: Stage, card: Option<String>) -> String {
        let of = card.map_or(String::new(), |card| format!(" of each {card}"));
        let owner = if self.you { "you" } else { "its owner" };
        match stage {
            Stage::AttackBase => format!("the damage{of}"),
            Stage::AttackDealt => format!("attack damage dealt by {owner}"),
            Stage::AttackTaken | Stage::AttackTakenFinal => format!("attack damage taken by {owner}"),
            Stage::DamageTaken => format!("all damage taken by {owner}"),
            Stage::UnblockedDealt => "unblocked attack damage dealt".into(),
            Stage::UnblockedTaken | Stage::HpLoss => format!("HP lost by {owner}"),
            Stage::CardBlock => "Block from cards".into(),
            Stage::AnyBlock => "all Block gained".into(),
            Stage::BlockLost => "the Block lost at the start of the turn".into(),
            Stage::Heal => "healing".into(),
            Stage::DrawPerTurn => "the number of cards drawn each turn".into(),
            Stage::EnergyPerTurn => "the energy of each turn".into(),
            Stage::EnergyKept => "the energy kept from turn to turn".into(),
            Stage::CardCost => format!("the cost{of}"),
            Stage::CardLimit => "the number of cards you may play each turn".into(),
            Stage::XValue => "X".into(),
            Stage::OrbValue => "the number of each orb".into(),
            Stage::OrbDamage => format!("orb damage taken by {owner}"),
            Stage::OrbPassives => "the first orb's passive count".into(),
            Stage::ScryCount => "each scry".into(),
            Stage::PowerGiven => "each such power you give".into(),
            Stage::Potency => "the potency of potions".into(),
            Stage::HandRetained => "the hand kept at the end of the turn".into(),
            Stage::RateVulnerable => "what Vulnerable adds to attacks on enemies, in percent,".into(),
            Stage::RateVulnerableSelf => "what Vulnerable adds to attacks on you, in percent,".into(),
            Stage::RateWeak => "what Weak takes from attacks of enemies, in percent,".into(),
            Stage::RestHeal => "the HP healed by resting".into(),
            Stage::ShopPrice => "every price in shops".into(),
            Stage::RemovalPrice => "the price of removing a card".into(),
            Stage::GoldReward => "the gold of a won fight".into(),
            Stage::PotionChance => "the chance of a potion after a fight, in percent,".into(),
            Stage::CardRewardSize => "the number of cards in a card reward".into(),
            Stage::RareChance => "the chance of rare cards".into(),
            Stage::PotionSlots => "the number of potion slots".into(),
            Stage::OrbSlots => "the number of orb slots at the start of each combat".into(),
            Stage::TreasureDue => "the treasure due in the next ? room".into(),
            Stage::CardRewards => "the number of card rewards of an ordinary fight".into(),
            Stage::EliteRelics => "the number of relics of an elite".into(),
            Stage::ChestRelics => "the number of relics in a chest besides its own".into(),
            Stage::MapReach => "your reach on the map".into(),
        }
    }

    fn stop(&self, stop: &Stop) -> String {
        let (card, rest) = self.sort_out(stop.when.as_ref());
        let owner = if self.you { "" } else { " on its owner" };
        let mut said = match stop.what {
            Prevent::Debuff => self.debuffs(stop, owner),
            Prevent::Power => format!("such a power{owner} is prevented"),
            Prevent::Draw => "you cannot draw cards".into(),
            Prevent::StanceChange => "your stance cannot change".into(),
            Prevent::Play => {
                format!("you cannot play {}", card.map_or("cards".into(), |card| format!("{card}s")))
            }
            Prevent::Death => "death is prevented".into(),
            Prevent::Gold => "you cannot gain gold".into(),
            Prevent::Potion => "you cannot gain potions".into(),
            Prevent::Rest => "you cannot rest".into(),
            Prevent::Smith => "you cannot smith".into(),
            Prevent::ExhaustOnPlay => "a card that would be exhausted when played is discarded".into(),
            Prevent::CardObtained => match card {
                Some(card) => format!("{} cannot enter your deck", article(&card)),
                None => "cards cannot enter your deck".into(),
            },
            Prevent::Intents => "you cannot see intents".into(),
            Prevent::HiddenOrder => "you see the order of the draw pile".into(),
            Prevent::QuestionFight => "no ? room is a fight".into(),
            Prevent::ChestRelic => "chests do not hold their relic".into(),
        };
        said += &conditions(" if ", &rest);
        if stop.chance != 100 {
            said = format!("with a chance of {} %, {said}", stop.chance);
        }
        let instead = self.clause(&stop.steps);
        if !instead.is_empty() {
            said = format!("{said}; {instead} instead");
        }
        // The next so many debuffs say already what it costs.
        let told = stop.what == Prevent::Debuff && stop.spend == Some(Expr::Int(1));
        if told { said } else { said + &self.spent(stop.spend.as_ref()) }
    }

    /// The debuffs that are stopped: as many as there are stacks to spend, or all.
    fn debuffs(&self, stop: &Stop, owner: &str) -> String {
        match (&stop.spend, self.stacks) {
            (None, _) => format!("debuffs{owner} are prevented"),
            (Some(Expr::Int(1)), Some(1)) => format!("the next debuff{owner} is prevented"),
            (Some(Expr::Int(1)), Some(stacks)) => format!("the next {stacks} debuffs{owner} are prevented"),
            (Some(Expr::Int(1)), None) => format!("the next N debuffs{owner} are prevented"),
            (Some(_), _) => format!("the next debuff{owner} is prevented"),
        }
    }

    fn flag(&self, flag: Flag) -> String {
        let (.., about) = Flag::ALL[flag as usize];
        about.split(" (").next().unwrap_or(about).to_string()
    }

    /// How a power wears off.
    pub(super) fn fades(&self, power: &Power) -> Option<String> {
        let time = |when: When| match when {
            When::RoundEnd => "at the end of the round",
            When::TurnStart => "at the start of its owner's turn",
            When::TurnEnd => "at the end of its owner's turn",
        };
        power
            .decay
            .map(|when| format!("Falls by 1 {}.", time(when)))
            .or_else(|| power.removed.map(|when| format!("Goes {}.", time(when))))
    }
}

/// Whether a power only lowers itself there.
fn only_fades(hook: &Hook) -> bool {
    hook.steps.iter().all(|step| matches!(step.verb, Verb::Reduce { power: None, .. }))
}

/// Conditions that only say what everybody expects.
fn technical(expr: &Expr) -> bool {
    match expr {
        Expr::Read(
            Read::Kind
            | Read::HasSource
            | Read::Copy
            | Read::FromPlayer
            | Read::FromOwner
            | Read::Survives
            | Read::Fresh,
            _,
        ) => true,
        Expr::Not(inner) => technical(inner),
        Expr::Two(Op::Gt, event, zero) => {
            matches!(**event, Expr::Read(Read::Event, _)) && **zero == Expr::Int(0)
        }
        _ => false,
    }
}

/// Conditions behind one word: `, if this and that`.
fn conditions(lead: &str, all: &[String]) -> String {
    if all.is_empty() { String::new() } else { format!("{lead}{}", all.join(" and ")) }
}

fn ordinal(number: i32) -> String {
    match number {
        1 => "single".into(),
        2 => "second".into(),
        3 => "third".into(),
        other => format!("{other}th"),
    }
}
