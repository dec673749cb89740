//! Facts, effects, actions and questions in words.

use crate::action::Action;
use crate::catalog::compile::{ANY_KIND, Op, Program, Voice};
use crate::catalog::face::{self, Live, capital};
use crate::catalog::verb::Purpose;
use crate::catalog::words::{DamageKind, Moment, Spot};
use crate::effect::{Listener, Origin, Source, Way};
use crate::event::{Choice, Event, Worn};
use crate::game::Spire;
use crate::question::{Answer, Question};
use crate::reason::Reason;
use crate::state::{NO_CARD, NOBODY, PLAYER, Pile, Slot, State};
use turnstone::Note;

impl Spire {
    /// The name of a body.
    pub fn body_name(&self, s: &State, who: u8) -> String {
        match s.combat.body(who) {
            _ if who == PLAYER => match self.catalog.characters.get(s.run.character as usize) {
                Some(character) => format!("the {}", character.name),
                None => "you".into(),
            },
            Some(body) => {
                let name = self.monster(body.kind).map_or("somebody", |info| info.name.as_str());
                let twins = s.combat.bodies.iter().skip(1).filter(|other| other.kind == body.kind).count();
                if twins > 1 { format!("{name} {who}") } else { name.to_string() }
            }
            None => "somebody".into(),
        }
    }

    /// The name of a card in the fight, `+` if upgraded.
    pub(crate) fn card_name(&self, s: &State, slot: Slot) -> String {
        s.combat
            .cards
            .get(slot as usize)
            .map_or_else(|| "a card".into(), |card| self.card_label(card.id, card.up))
    }

    /// The name of a kind of card.
    pub(crate) fn card_label(&self, id: u16, up: u8) -> String {
        let info = &self.catalog.cards[id as usize];
        match up {
            0 => info.name.clone(),
            1 => format!("{}+", info.name),
            n => format!("{}+{n}", info.name),
        }
    }

    pub(crate) fn power_name(&self, id: u16) -> &str {
        self.catalog.powers.get(id as usize).map_or("a power", |info| info.name.as_str())
    }

    /// One sentence about a fact.
    pub fn tell_event(&self, s: &State, event: &Event, reasons: &[&Note<Reason>]) -> String {
        self.tell_body(s, event, reasons)
            .or_else(|| self.tell_foe(s, event))
            .or_else(|| self.tell_card(s, event))
            .or_else(|| self.tell_pile(s, event))
            .or_else(|| self.tell_orb(s, event))
            .or_else(|| self.tell_turn(s, event))
            .unwrap_or_else(|| self.tell_bookkeeping(s, event))
    }

    /// What happens to a body: damage, block, healing, powers.
    fn tell_body(&self, s: &State, event: &Event, reasons: &[&Note<Reason>]) -> Option<String> {
        let body = |who| self.body_name(s, who);
        Some(match *event {
            Event::Hit { .. } => self.tell_hit(s, event, reasons),
            Event::Blocked { to, amount } | Event::Guarded { to, amount, .. } => {
                format!("{} gains {amount} block", body(to))
            }
            Event::BlockCleared { to, .. } => format!("{} loses its block", body(to)),
            Event::Healed { to, amount } => format!("{} heals {amount}", body(to)),
            Event::HpSet { to, hp } => format!("{} has {hp} HP", body(to)),
            Event::MaxHpChanged { amount } => format!("max HP {amount:+}"),
            Event::Applied { to, power, amount, .. } if amount < 0 => {
                format!("{} loses {} {}", body(to), -i32::from(amount), self.power_name(power))
            }
            Event::Applied { to, power, amount, .. } => {
                format!("{} gets {amount} {}", body(to), self.power_name(power))
            }
            Event::Reduced { to, power, gone: true, .. } => {
                format!("{} loses {}", body(to), self.power_name(power))
            }
            Event::Reduced { to, power, by, .. } => {
                format!("{}: {} {:+}", body(to), self.power_name(power), -i32::from(by))
            }
            Event::Stripped { to } => format!("{} loses all powers", body(to)),
            Event::Cleansed { to, .. } => format!("{} loses all debuffs", body(to)),
            Event::Died { who, .. } => format!("{} dies", body(who)),
            Event::Spared { who } => format!("{} does not die", body(who)),
            _ => return None,
        })
    }

    /// Damage that somebody takes, with how its number came about.
    fn tell_hit(&self, s: &State, event: &Event, reasons: &[&Note<Reason>]) -> String {
        let Event::Hit { by, to, kind, amount, blocked, lost, .. } = *event else {
            return String::new();
        };
        let who = self.body_name(s, to);
        let past = match (blocked, lost) {
            (0, lost) if lost == amount => String::new(),
            (0, lost) => format!(", {lost} lost"),
            (blocked, lost) => format!(", {blocked} blocked, {lost} lost"),
        };
        match kind {
            DamageKind::Normal => {
                let sum = self.tell_sum(s, amount, reasons);
                format!("{} hits {who} for {sum}{past}", self.body_name(s, by))
            }
            DamageKind::Thorns => format!("{who} takes {amount}{past}"),
            // A loss beyond all measure is a death.
            DamageKind::HpLoss if amount >= 9999 && lost > 0 => format!("{who} loses all HP"),
            DamageKind::HpLoss if amount >= 9999 => format!("{who} would lose all HP, 0 lost"),
            DamageKind::HpLoss => format!("{who} loses {amount} HP{past}"),
        }
    }

    /// What enemies do: moves, comings and goings.
    fn tell_foe(&self, s: &State, event: &Event) -> Option<String> {
        let body = |who| self.body_name(s, who);
        let made = |kind, mv| self.move_of(kind, mv).map_or("nothing", |made| made.name.as_str());
        Some(match *event {
            Event::Intended { who, kind, mv, .. } => format!("{} intends {}", body(who), made(kind, mv)),
            Event::Acted { who, kind, mv } => format!("{}: {}", body(who), made(kind, mv)),
            Event::HalfDied { who } => format!("{} falls, but is not dead", body(who)),
            Event::Revived { who, hp } => format!("{} revives with {hp} HP", body(who)),
            Event::Escaped { who } => format!("{} escapes", body(who)),
            Event::Spawned { .. } => {
                format!("{} joins the fight", body(s.combat.bodies.len() as u8 - 1))
            }
            Event::Stole { who, amount } => format!("{} steals {amount} gold", body(who)),
            Event::CardTaken { who, .. } => {
                format!("{} takes {}", body(who), self.card_name(s, s.combat.bodies[who as usize].held))
            }
            Event::CardReturned { who, slot, .. } => {
                format!("{} gives {} back", body(who), self.card_name(s, slot))
            }
            _ => return None,
        })
    }

    /// What becomes of a single card.
    fn tell_card(&self, s: &State, event: &Event) -> Option<String> {
        let card = |slot| self.card_name(s, slot);
        Some(match *event {
            Event::Played { slot, target, way, .. } => {
                let at = match target {
                    NOBODY => String::new(),
                    target => format!(" at {}", self.body_name(s, target)),
                };
                let at = at + &self.tell_counts(s, Moment::CardUsed, self.kind_at(s, slot));
                match way {
                    Way::Hand => format!("plays {}{at}", card(slot)),
                    Way::Auto => format!("{} is played by itself{at}", card(slot)),
                    Way::Copy => format!("{} is played once more{at}", card(slot)),
                }
            }
            Event::Aimed { target: NOBODY, .. } => "there is nobody to aim at".into(),
            Event::Aimed { target, .. } => {
                format!("the next card is meant for {}", self.body_name(s, target))
            }
            Event::Taken { slot, .. } => format!("{} is taken from the draw pile", card(slot)),
            Event::Discarded { slot, .. } => format!("{} is discarded", card(slot)),
            Event::Exhausted { slot, .. } => format!("{} is exhausted", card(slot)),
            Event::Created { card, up, .. } => format!("{} is created", self.card_label(card, up)),
            Event::Copied { of, .. } => format!("a copy of {} is created", card(of)),
            Event::Upgraded { slot, .. } => match s.combat.cards.get(slot as usize) {
                Some(held) => {
                    let before = self.card_label(held.id, held.up.saturating_sub(1));
                    format!("{before} becomes {}", card(slot))
                }
                None => format!("{} is upgraded", card(slot)),
            },
            Event::Moved { slot, spot, .. } => format!("{} {}", card(slot), place(spot)),
            Event::Priced { slot, .. } => {
                let cost = s.combat.cards.get(slot as usize).map_or(0, |held| self.cost_now(s, held, slot));
                format!("{} now costs {cost}", card(slot))
            }
            Event::Grew { slot, by, all, deck, .. } => {
                let whose = if all { "all of " } else { "" };
                let long = if deck.is_some() { " for good" } else { "" };
                format!("{whose}{} grows by {by:+}{long}", card(slot))
            }
            Event::Retained { slot } => format!("{} will be kept", card(slot)),
            Event::Kept { slot } => format!("{} is kept", card(slot)),
            Event::Obtained { slot } => format!("{} enters the deck", card(slot)),
            Event::Found { card } => format!("{} turns up", self.card_label(card, 0)),
            Event::DeckUpgraded { index, .. } => match s.run.deck.get(index as usize) {
                Some(held) => format!("{} in the deck is upgraded", self.card_label(held.id, held.up)),
                None => "a card in the deck is upgraded".into(),
            },
            _ => return None,
        })
    }

    /// The relics that have just counted a moment, with their counts: ` (Kunai 2, Nunchaku 7)`.
    fn tell_counts(&self, s: &State, moment: Moment, kind: u8) -> String {
        let counts = s.run.relics.iter().filter_map(|relic| {
            let tally = self.catalog.tallies.get(relic.id as usize)?;
            let counted = tally.moment == moment && tally.kinds & kind != 0;
            counted.then(|| format!("{} {}", self.catalog.relics[relic.id as usize].name, relic.counter))
        });
        let counts: Vec<String> = counts.collect();
        if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) }
    }

    fn card_names(&self, s: &State, cards: &[Slot]) -> String {
        let names: Vec<String> = cards.iter().map(|&slot| self.card_name(s, slot)).collect();
        names.join(", ")
    }

    /// What happens to whole piles.
    fn tell_pile(&self, s: &State, event: &Event) -> Option<String> {
        Some(match *event {
            Event::Drew { ref cards, .. } => {
                format!("draws {}: {}", cards.as_slice().len(), self.card_names(s, cards.as_slice()))
            }
            Event::Shuffled { .. } => "the discard pile is shuffled into the draw pile".into(),
            Event::DrawShuffled { .. } => "the draw pile is shuffled".into(),
            Event::HandKept { ref discarded } => match discarded.as_slice() {
                _ if s.combat.hand.is_empty() => "the hand is discarded".into(),
                [] => "the hand is kept".into(),
                cards => format!("discards {}, the rest is kept", self.card_names(s, cards)),
            },
            Event::LimboReturned { .. } => "cards set aside come into the hand".into(),
            _ => return None,
        })
    }

    /// Orbs and stances.
    fn tell_orb(&self, s: &State, event: &Event) -> Option<String> {
        let kind = |id: u16| self.catalog.orbs[id as usize].name.as_str();
        let orb = |index: u8| s.combat.orbs.get(index as usize).map_or("an orb", |orb| kind(orb.id));
        Some(match *event {
            Event::StanceChanged { to, .. } => format!("enters {}", self.catalog.stances[to as usize].name),
            Event::Channeled { orb, .. } => format!("channels {}", kind(orb)),
            Event::Evoked { orb, silent: false, .. } => format!("evokes {}", kind(orb)),
            Event::Evoked { orb, .. } => format!("{} is removed", kind(orb)),
            Event::SlotsChanged { slots, .. } => format!("{slots} orb slots"),
            Event::PassiveFired { index } => format!("{} triggers", orb(index)),
            Event::OrbStored { index, amount } => format!("{} holds {amount}", orb(index)),
            _ => return None,
        })
    }

    /// One sentence about facts that only keep the books.
    fn tell_bookkeeping(&self, s: &State, event: &Event) -> String {
        let body = |who| self.body_name(s, who);
        let potion = |id: u16| self.catalog.potions.get(id as usize).map_or("a potion", |it| &it.name);
        match *event {
            Event::Stored { to, power, amount } => {
                format!("{}: {} remembers {amount}", body(to), self.power_name(power))
            }
            Event::Counted { relic, amount, .. } => match self.catalog.relics.get(relic as usize) {
                // What is below nothing only marks that a relic waits or is used up.
                Some(relic) if amount < 0 => format!("{} makes a note", relic.name),
                Some(relic) => format!("{} counts {amount}", relic.name),
                None => "a relic makes a note".into(),
            },
            Event::PotionUsed { potion: id, target: NOBODY, .. } => format!("uses {}", potion(id)),
            Event::PotionUsed { potion: id, target, .. } => {
                format!("uses {} on {}", potion(id), body(target))
            }
            Event::PotionTossed { potion: id, .. } => format!("{} is gone", potion(id)),
            Event::PotionGained { potion: id, .. } => format!("gets {}", potion(id)),
            Event::Conjured { card, up, .. } => format!("{} is coming", self.card_label(card, up)),
            Event::Spoke { .. } => "dice are rolled that mean nothing".into(),
            Event::VarSet { who, .. } => format!("{} takes note", body(who)),
            Event::Faced { who, .. } => format!("turns to {}", body(who)),
            Event::Forgot { who } => format!("{} forgets its moves", body(who)),
            Event::EnemyStarted { who, .. } => format!("{}'s turn", body(who)),
            Event::Selected(ref selected) => match &selected.choice {
                Choice::Cards { cards, .. } if !cards.is_empty() => {
                    format!("chosen: {}", self.card_names(s, cards))
                }
                _ => "the choice is made".into(),
            },
            Event::Offered(ref offered) => {
                let names: Vec<String> =
                    offered.cards.iter().map(|&(card, up)| self.card_label(card, up)).collect();
                format!("on offer: {}", names.join(", "))
            }
            Event::OfferClosed => "the offer ends".into(),
            Event::Ran { slot, .. } => format!("{} takes effect", self.card_name(s, slot)),
            Event::WornOff { ref worn, .. } => self.tell_worn(s, worn),
            Event::Decayed { .. } => "powers wear off".into(),
            Event::RoundBlock { .. } => "the enemies' block goes".into(),
            Event::MonstersStarted { .. } => "the enemies' turn begins".into(),
            Event::TurnCardsReset => "costs of this turn end".into(),
            Event::TurnMarked | Event::TurnHurt => "HP are noted".into(),
            Event::Began => "the fight begins".into(),
            Event::Left => "the fight is over".into(),
            Event::AttackCountReset => "the attacks are counted anew".into(),
            _ => "a note in the books".into(),
        }
    }

    /// Turns, energy, gold, and how the fight ends.
    fn tell_turn(&self, s: &State, event: &Event) -> Option<String> {
        Some(match *event {
            Event::TurnStarted { energy, .. } => {
                format!("turn {} begins with {energy} energy", s.combat.counts.turn)
            }
            Event::TurnEnding { .. } => "the turn ends".into(),
            Event::EndMarked { .. } => "the turn will end".into(),
            Event::EnergyChanged { amount } => format!("energy {amount:+}"),
            Event::GoldChanged { amount } => format!("gold {amount:+}"),
            Event::Won => "the fight is won".into(),
            Event::Lost => "the fight is lost".into(),
            Event::Fled => "the fight is left".into(),
            Event::Moment { moment: Moment::TurnStart, owner: PLAYER, .. } => {
                let counts = self.tell_counts(s, Moment::TurnStart, ANY_KIND);
                format!("({}){counts}", face::moment(&self.content, Moment::TurnStart, true))
            }
            Event::Moment { moment, owner, .. } => {
                format!("({})", face::moment(&self.content, moment, owner == PLAYER))
            }
            _ => return None,
        })
    }

    /// How a number came about, by the notes that were left when it was made: `6 +2 Strength +4 Vulnerable = 12`.
    fn tell_sum(&self, s: &State, number: i16, reasons: &[&Note<Reason>]) -> String {
        let made = reasons.iter().rposition(|note| note.to == i64::from(number)).unwrap_or(0);
        let Some((first, changes)) = reasons.get(..=made).and_then(<[_]>::split_first) else {
            return number.to_string();
        };
        if changes.is_empty() {
            return number.to_string();
        }
        let change = |note: &&Note<Reason>| {
            let by = note.to - note.from.unwrap_or(0);
            format!(" {by:+} {}", self.reason_in_short(s, note.who))
        };
        let changes: String = changes.iter().map(change).collect();
        format!("{}{changes} = {number}", first.to)
    }

    /// Who changed a number, where there is little room.
    fn reason_in_short(&self, s: &State, who: Reason) -> String {
        match who {
            Reason::Changed { source, .. } => match source.origin() {
                Origin::Power(id) => self.power_name(id).to_owned(),
                _ => self.reason_name(s, who),
            },
            _ => self.reason_name(s, who),
        }
    }

    /// Where something comes from, with whose it is.
    pub(crate) fn tell_source_for(&self, s: &State, owner: u8, card: Slot, source: Source) -> String {
        self.tell_listener_of(s, Listener { owner, hook: 0, source, card, moment: None })
    }

    /// The name of a listener.
    pub(crate) fn tell_listener_of(&self, s: &State, listener: Listener) -> String {
        match listener.source.origin() {
            Origin::Power(id) => format!("{} of {}", self.power_name(id), self.body_name(s, listener.owner)),
            Origin::Relic(index) => s.run.relics.get(index as usize).map_or_else(
                || "a relic".into(),
                |relic| self.catalog.relics[relic.id as usize].name.clone(),
            ),
            Origin::Potion(id) => self.catalog.potions[id as usize].name.clone(),
            Origin::Card | Origin::Copy => self.card_name(s, listener.card),
            Origin::Monster => self.body_name(s, listener.owner),
            Origin::Orb(_) => "an orb".into(),
            Origin::Stance(id) => self.catalog.stances[id as usize].name.clone(),
            Origin::Rules => "the rules".into(),
        }
    }

    /// An action in words.
    pub(crate) fn tell_action_of(&self, s: &State, action: &Action) -> String {
        let at = |target: Option<u8>| {
            target.map_or(String::new(), |who| format!(" at {}", self.body_name(s, who)))
        };
        match *action {
            Action::Begin => "begin the fight".into(),
            Action::Play { card, target } => format!("play {}{}", self.card_name(s, card), at(target)),
            Action::Potion { index, target } => format!("use {}{}", self.potion_name(s, index), at(target)),
            Action::Toss { index } => format!("throw away {}", self.potion_name(s, index)),
            Action::EndTurn => "end the turn".into(),
            Action::Leave => "leave the fight".into(),
        }
    }

    fn potion_name(&self, s: &State, index: u8) -> String {
        let id = s.run.potions.get(index as usize).copied().unwrap_or(NO_CARD);
        self.catalog.potions.get(id as usize).map_or_else(|| "an empty slot".into(), |info| info.name.clone())
    }

    /// A question in words.
    pub(crate) fn tell_question_of(&self, s: &State, question: &Question) -> String {
        match *question {
            Question::Cards { min, max, program, pc, .. } => {
                let left = (max as usize).saturating_sub(s.combat.picks.len());
                let most = if min == max { "" } else { "up to " };
                let cards = if left == 1 { "card" } else { "cards" };
                let step = self.catalog.program(program).get(usize::from(pc));
                let goal = step.and_then(Op::purpose).map_or("", Purpose::words);
                format!("Choose {most}{left} {cards}{goal}")
            }
            Question::Offer { skippable: true } => "Take one of these cards, or none".into(),
            Question::Offer { .. } => "Take one of these cards".into(),
            Question::Option { .. } => "Choose one".into(),
        }
    }

    /// An answer in words.
    pub(crate) fn tell_answer_of(&self, s: &State, question: &Question, answer: &Answer) -> String {
        match (*question, *answer) {
            (_, Answer::Pick(slot)) => self.card_name(s, slot),
            (Question::Offer { .. }, Answer::Option(index)) => match s.combat.offer.get(index as usize) {
                Some(&(id, up)) => self.card_label(id, up),
                None => "nothing".into(),
            },
            (Question::Option { program, pc, .. }, Answer::Option(index)) => {
                self.tell_option(s, program, pc, index)
            }
            (_, Answer::Option(index)) => format!("option {}", index + 1),
            (_, Answer::Done) => "no more".into(),
        }
    }

    /// One of several lists of steps, told by them: `gain 25 gold`.
    fn tell_option(&self, s: &State, program: Program, pc: u8, index: u8) -> String {
        let list = match self.catalog.program(program).get(usize::from(pc)) {
            Some(Op::ChooseOne { options }) => options.get(usize::from(index)),
            _ => None,
        };
        let steps = list.and_then(|list| self.catalog.alternatives.get(list)).map_or(&[][..], Vec::as_slice);
        // The card that asks is being played; its numbers are those of the steps.
        let played = s.combat.cards.iter().rposition(|card| card.pile == Pile::Play);
        let told = match (self.catalog.voices.get(usize::from(program)), played) {
            (Some(Voice::Potion(id)), _) => {
                let kept = i32::from(self.potency(s, *id));
                let live = Live { kept, ascension: Some(s.run.ascension), ..Live::base() };
                face::choice(&self.content, steps, &live, false)
            }
            (Some(Voice::Other), Some(slot)) => self.choice_said(s, slot as Slot, steps),
            (Some(Voice::Other | Voice::Relic(_)) | None, _) => {
                let live = Live { ascension: Some(s.run.ascension), ..Live::base() };
                face::choice(&self.content, steps, &live, false)
            }
        };
        capital(&told)
    }
}

impl Spire {
    /// Whose powers wore off.
    fn tell_worn(&self, s: &State, worn: &[Worn]) -> String {
        let one = |worn: &Worn| {
            let whose = format!("{}: {}", self.body_name(s, worn.who), self.power_name(worn.power));
            if worn.by == 0 { format!("{whose} is no longer fresh") } else { format!("{whose} -{}", worn.by) }
        };
        match worn {
            [] => "no power wears off".into(),
            worn => format!("powers wear off: {}", worn.iter().map(one).collect::<Vec<_>>().join(", ")),
        }
    }
}

/// Whether a fact only keeps the books.
pub(crate) fn is_quiet(event: &Event) -> bool {
    match event {
        Event::Moment { .. } | Event::VarSet { .. } | Event::Ran { .. } | Event::Stored { .. } => true,
        Event::WornOff { .. }
        | Event::Decayed { .. }
        | Event::RoundBlock { .. }
        | Event::EnemyStarted { .. } => true,
        Event::TurnMarked | Event::TurnHurt | Event::AttackCountReset | Event::TurnCardsReset => true,
        Event::MonstersStarted { .. } => true,
        Event::Selected(_) | Event::Offered(_) | Event::OfferClosed | Event::Faced { .. } => true,
        Event::Spoke { .. } | Event::Conjured { .. } | Event::Aimed { .. } | Event::Taken { .. } => true,
        Event::Forgot { .. } | Event::EndMarked { .. } | Event::Left | Event::Counted { .. } => true,
        // What is intended stands beside who intends it.
        Event::Intended { .. } => true,
        // The action says it already, or the fight that was announced.
        Event::Played { way: Way::Hand, .. } | Event::PotionUsed { .. } => true,
        Event::TurnEnding { .. } | Event::Began => true,
        // Where a card goes once it is played.
        Event::Discarded { effect: false, .. } | Event::Moved { spot: Spot::Deck, .. } => true,
        _ => false,
    }
}

/// Where a card goes.
fn place(spot: Spot) -> &'static str {
    match spot {
        Spot::Hand => "comes into the hand",
        Spot::Discard => "goes to the discard pile",
        Spot::Exhaust => "goes to the exhaust pile",
        Spot::DrawTop => "goes on top of the draw pile",
        Spot::DrawBottom => "goes to the bottom of the draw pile",
        Spot::DrawRandom | Spot::DrawShuffled => "goes into the draw pile",
        Spot::Limbo => "is set aside",
        Spot::Deck => "leaves play",
    }
}
