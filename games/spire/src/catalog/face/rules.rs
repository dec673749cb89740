//! Hooks, alterations, preventions and flags in words.

use super::numbers::article;
use super::{Writer, capital};
use crate::catalog::defs::{Power, When};
use crate::catalog::expr::{Arg, Expr, Op, Read};
use crate::catalog::hook::{Alter, Change, Hook, Once, Rules, Stop};
use crate::catalog::words::{Flag, Moment, Prevent, Stage};

impl Writer<'_> {
    /// All rules of an entry, as sentences.
    pub(super) fn rules(&self, rules: &Rules) -> String {
        let mut said: Vec<String> = Vec::new();
        said.extend(rules.on.iter().filter_map(|hook| self.hook(hook)));
        said.extend(rules.alter.iter().map(|alter| self.alter(alter)));
        said.extend(rules.prevent.iter().map(|stop| self.stop(stop)));
        said.extend(rules.flags.iter().map(|flag| self.flag(*flag)));
        said.iter().map(|words| format!("{}.", capital(words))).collect::<Vec<_>>().join(" ")
    }

    fn hook(&self, hook: &Hook) -> Option<String> {
        let clause = self.clause(&hook.steps);
        if clause.is_empty() {
            return None;
        }
        let (card, rest) = self.sort_out(hook.when.as_ref());
        let mut said = match hook.every.as_ref().and_then(|every| self.known(every)) {
            Some(every) if hook.moment == Moment::TurnStart => format!("every {} turn", ordinal(every)),
            Some(every) => format!("every {} time {}", ordinal(every), self.moment(hook.moment, card)),
            None => self.opening(hook.moment, card),
        };
        match hook.once {
            Some(Once::Turn) => said = said.replacen("whenever", "the first time each turn", 1),
            Some(Once::Combat) => said = said.replacen("whenever", "the first time each combat", 1),
            None => {}
        }
        for condition in rest {
            // A rule of one certain turn.
            said = match (condition.strip_prefix("the turn is "), said.strip_suffix("your turn")) {
                (Some(turn), Some(time)) if turn.parse::<u8>().is_ok() => format!("{time}turn {turn}"),
                _ => format!("{said}, if {condition}"),
            };
        }
        Some(format!("{said}, {clause}"))
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
                other if technical(other) => {}
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
    fn moment(&self, moment: Moment, card: Option<String>) -> String {
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
            Change::Add(number) => match self.known(number) {
                Some(number) if number < 0 => format!("{what} falls by {}", -number),
                _ => format!("{what} rises by {}", self.number(number)),
            },
            Change::Mul(up, down) => match (self.known(up), self.known(down)) {
                (Some(2), Some(1)) => format!("{what} is doubled"),
                (Some(3), Some(1)) => format!("{what} is tripled"),
                (Some(up), Some(down)) if up > down => {
                    format!("{what} rises by {}%", (up - down) * 100 / down.max(1))
                }
                (Some(up), Some(down)) => format!("{what} falls by {}%", (down - up) * 100 / down.max(1)),
                _ => format!("{what} changes by its rate"),
            },
            Change::Set(number) => format!("{what} becomes {}", self.number(number)),
            Change::AtMost(number) => format!("{what} is at most {}", self.number(number)),
            Change::AtLeast(number) => format!("{what} is at least {}", self.number(number)),
        };
        for condition in rest {
            said += &format!(", if {condition}");
        }
        said
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
        let mut said = match stop.what {
            Prevent::Debuff => "the next debuff is prevented".into(),
            Prevent::Power => "such a power is prevented".into(),
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
        for condition in rest {
            said += &format!(" if {condition}");
        }
        let instead = self.clause(&stop.steps);
        if instead.is_empty() { said } else { format!("{said}; {instead} instead") }
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

/// Conditions that only say what everybody expects.
fn technical(expr: &Expr) -> bool {
    match expr {
        Expr::Read(
            Read::Kind | Read::HasSource | Read::Copy | Read::FromPlayer | Read::FromOwner | Read::Survives,
            _,
        ) => true,
        Expr::Not(inner) => technical(inner),
        Expr::Two(Op::Gt, event, zero) => {
            matches!(**event, Expr::Read(Read::Event, _)) && **zero == Expr::Int(0)
        }
        _ => false,
    }
}

fn ordinal(number: i32) -> String {
    match number {
        1 => "single".into(),
        2 => "second".into(),
        3 => "third".into(),
        other => format!("{other}th"),
    }
}
