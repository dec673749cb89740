//! Facts and questions as other programs read them: kinds of things by name, and nothing where there is nothing.
//!
//! Match files have the numbers, and the names to them in their head. What else leaves a table goes through here.

use crate::effect::{Origin, Source, attack_flag};
use crate::event::Event;
use crate::game::Spire;
use crate::question::Asked;
use crate::rules::select::way;
use crate::rules::turn::time;
use crate::state::{NO_CARD, NO_COST, NOBODY};
use serde_json::{Map, Value, json};

/// What the numbers of a field stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Means {
    /// An entry of this kind.
    Entry(&'static str),
    /// Cards with their upgrades, in pairs.
    CardsWithUpgrades,
    /// A list of steps.
    Program,
    /// What a program belongs to.
    Source,
    /// Somebody in the fight, or nobody.
    Body,
    /// A card in the fight, or none.
    Card,
    /// A cost, or the one that is written on the card.
    Cost,
    /// Marks of an attack.
    Marks,
    /// How a cost is set.
    Way,
    /// A time of the round.
    Time,
    /// Places in lists, whatever they are called: nothing in there is an entry.
    Places,
}

/// What the numbers of a field of a fact about a fight stand for, if they are no plain numbers.
fn in_fights(fact: &str, field: &str) -> Option<Means> {
    Some(match (fact, field) {
        ("created" | "conjured" | "found", "card") => Means::Entry("card"),
        ("offered", "cards") => Means::CardsWithUpgrades,
        (_, "power" | "powers" | "spent") => Means::Entry("power"),
        ("stance_changed", "from" | "to") => Means::Entry("stance"),
        (_, "orb") => Means::Entry("orb"),
        (_, "potion") => Means::Entry("potion"),
        (_, "relic") => Means::Entry("relic"),
        ("spawned" | "intended" | "acted", "kind") => Means::Entry("monster"),
        (_, "on_kill" | "program") => Means::Program,
        (_, "source") => Means::Source,
        (_, "by") if !matches!(fact, "reduced" | "grew" | "worn_off") => Means::Body,
        (_, "other" | "target") => Means::Body,
        (_, "card") => Means::Card,
        ("created" | "conjured" | "priced", "cost" | "price") => Means::Cost,
        ("hit", "flags") => Means::Marks,
        ("priced", "way") => Means::Way,
        ("worn_off" | "decayed", "when") => Means::Time,
        _ => return None,
    })
}

/// The same of a fact about the way between fights.
fn on_the_way(fact: &str, field: &str) -> Option<Means> {
    Some(match (fact, field) {
        (_, "ware" | "belongings" | "one_of_each_type") => Means::Places,
        ("curse_drawn", "instead_of") => return None,
        ("card_transformed", "from" | "into") => Means::Entry("card"),
        (_, "card" | "cards" | "curses" | "offer" | "board" | "colorless") => Means::Entry("card"),
        (_, "relic" | "relics" | "boss_chest" | "gift" | "instead_of") => Means::Entry("relic"),
        (_, "potion" | "potions") => Means::Entry("potion"),
        (_, "fight" | "guardian") => Means::Entry("encounter"),
        (_, "event" | "events") => Means::Entry("event"),
        ("fight_began", "kind") => Means::Entry("monster"),
        (_, "program") => Means::Program,
        _ => return None,
    })
}

impl Spire {
    /// A fact as other programs read it.
    pub(crate) fn named_event(&self, event: &Event) -> Value {
        let mut value = serde_json::to_value(event).unwrap_or_default();
        match event {
            Event::Run(_) => self.name_fact(&mut value["run"], on_the_way),
            Event::Intended { kind, mv, .. } | Event::Acted { kind, mv, .. } => {
                self.name_fact(&mut value, in_fights);
                let called = self.move_of(*kind, *mv).map(|made| &made.id);
                each_row(&mut value, |rows| _ = rows.insert("mv".into(), json!(called)));
            }
            _ => self.name_fact(&mut value, in_fights),
        }
        value
    }

    /// A question as other programs read it.
    pub(crate) fn named_question(&self, question: &Asked) -> Value {
        let mut value = serde_json::to_value(question).unwrap_or_default();
        match question {
            Asked::Run(_) => self.name_rows("", &mut value, on_the_way),
            Asked::Fight(_) => self.name_rows("", &mut value, in_fights),
        }
        value
    }

    /// A fact is an object of one row: its name, and what it says.
    fn name_fact(&self, value: &mut Value, means: fn(&str, &str) -> Option<Means>) {
        for (fact, rows) in value.as_object_mut().into_iter().flatten() {
            self.name_rows(fact, rows, means);
        }
    }

    fn name_rows(&self, fact: &str, value: &mut Value, means: fn(&str, &str) -> Option<Means>) {
        match value {
            Value::Object(rows) => {
                for (field, value) in rows.iter_mut() {
                    match means(fact, field) {
                        Some(Means::Places) => {}
                        Some(means) if has_numbers(value) => self.name_value(value, means),
                        Some(_) | None => self.name_rows(fact, value, means),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.name_rows(fact, item, means)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// A number, or each of a list.
    fn name_value(&self, value: &mut Value, means: Means) {
        if let Value::Array(items) = value {
            return items.iter_mut().for_each(|item| match means {
                Means::CardsWithUpgrades => self.rename(&mut item[0], "card"),
                means => self.name_value(item, means),
            });
        }
        let Some(number) = value.as_i64() else { return };
        let unless = |nothing: i64| if number == nothing { Value::Null } else { json!(number) };
        *value = match means {
            Means::Entry(kind) => return self.rename(value, kind),
            Means::Program => json!(self.catalog.program_names.get(number as usize).filter(|_| number != 0)),
            Means::Source => named_source(self, Source(number as u16)),
            Means::Body => unless(NOBODY.into()),
            Means::Card => unless(NO_CARD.into()),
            Means::Cost => unless(NO_COST.into()),
            Means::Marks => marks(number as u8),
            Means::Way => json!(way::word(number as u8)),
            Means::Time => json!(time::word(number as u8)),
            Means::CardsWithUpgrades | Means::Places => return,
        };
    }
}

/// Whether it is a number, or a list with numbers in it.
fn has_numbers(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::Array(items) => items.iter().any(|item| item.is_number() || item[0].is_number()),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Object(_) => false,
    }
}

fn each_row(value: &mut Value, mut change: impl FnMut(&mut Map<String, Value>)) {
    value.as_object_mut().into_iter().flatten().filter_map(|(_, rows)| rows.as_object_mut()).for_each(
        |rows| {
            change(rows);
        },
    );
}

fn named_source(spire: &Spire, source: Source) -> Value {
    let entry = |id: u16, kind: &'static str| {
        let mut value = json!(id);
        spire.rename(&mut value, kind);
        json!({ kind: value })
    };
    match source.origin() {
        Origin::Card => json!("card"),
        Origin::Copy => json!("copy"),
        Origin::Power(id) => entry(id, "power"),
        Origin::Potion(id) => entry(id, "potion"),
        Origin::Stance(id) => entry(id, "stance"),
        // Relics and orbs stand in rows.
        Origin::Relic(place) => json!({ "relic_at": place }),
        Origin::Orb(place) => json!({ "orb_at": place }),
        Origin::Monster => json!("monster"),
        Origin::Rules => json!("rules"),
    }
}

fn marks(flags: u8) -> Value {
    let all =
        [(attack_flag::FIXED, "fixed"), (attack_flag::FIRST, "first"), (attack_flag::ANY_DEATH, "any_death")];
    all.into_iter().filter(|(flag, _)| flags & flag != 0).map(|(_, word)| word).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use turnstone::dice::{Draw, Lots, Stream};
    use turnstone::{Fact, Game, Log, Position, Resolver};

    use super::*;
    use crate::run::event::Event as RunEvent;
    use crate::{Fight, Ruleset, Setup};

    fn named(spire: &Spire, event: &Event) -> String {
        spire.named_event(event).to_string()
    }

    /// Whoever reads the facts of a table need know no catalog.
    #[test]
    fn facts_name_kinds_of_things() {
        let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
        let number = |kind: &'static str, name: &str| spire.named(kind, name).expect("an entry");
        let rolls = crate::dice::Rolls::NONE;
        let applied = Event::Applied {
            by: NOBODY,
            to: 1,
            power: number("power", "vulnerable"),
            amount: 2,
            stored: 0,
            rolls,
        };
        let value = spire.named_event(&applied);
        assert_eq!(
            (&value["applied"]["power"], &value["applied"]["by"]),
            (&json!("vulnerable"), &Value::Null)
        );
        let kind = number("monster", "jaw_worm");
        let mv = spire.move_named(kind, "chomp").expect("a move");
        let value = spire.named_event(&Event::Acted { who: 1, kind, mv });
        assert_eq!(value, json!({ "acted": { "who": 1, "kind": "jaw_worm", "mv": "chomp" } }));
        let made = Event::Created {
            card: number("card", "wound"),
            up: 0,
            spot: crate::catalog::words::Spot::Hand,
            cost: NO_COST,
            combat_cost: false,
            kept: 0,
            place: 0,
            rolls,
        };
        let value = spire.named_event(&made);
        assert_eq!((&value["created"]["card"], &value["created"]["cost"]), (&json!("wound"), &Value::Null));
        let lost =
            RunEvent::PotionLost { slot: 1, potion: crate::seeds::PotionNo(number("potion", "fire_potion")) };
        assert_eq!(
            named(&spire, &lost.into()),
            r#"{"run":{"potion_lost":{"slot":1,"potion":"fire_potion"}}}"#
        );
    }

    /// The fields of facts that hold numbers, with the fact they are of.
    fn numbers(path: &str, value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(rows) => {
                rows.iter().for_each(|(field, value)| numbers(&format!("{path} {field}"), value, found));
            }
            Value::Array(items) => items.iter().for_each(|item| numbers(path, item, found)),
            Value::Number(_) => _ = found.insert(path.trim().to_owned()),
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }

    /// What is left of numbers in facts counts something or is a place: every such field was looked at, and a new one
    /// will be.
    #[test]
    fn what_is_left_of_numbers_is_no_kind_of_thing() {
        let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
        let mut found = BTreeSet::new();
        for seed in 0..24 {
            let who = ["ironclad", "silent", "defect", "watcher"][seed as usize % 4];
            let setup = match seed % 3 {
                0 => Setup::run(who, 20),
                _ => Setup::fight(Fight {
                    character: who.into(),
                    encounter: Some(["gremlin_gang", "the_heart", "automaton"][seed as usize % 3].into()),
                    potions: vec!["fire_potion".into(), "entropic_brew".into()],
                    hp: Some(400),
                    max_hp: Some(400),
                    ..Fight::default()
                }),
            };
            let mut position = Position::<Spire>::new(spire.start(&setup, seed).expect("a start"));
            let (mut log, mut resolver) = (Log::<Spire>::default(), Resolver::default());
            let mut lots = Lots::new(seed, Stream::named("named"));
            for _ in 0..150 {
                let Some(input) = lots.pick(&position.inputs(&spire)).cloned() else { break };
                resolver.act(&spire, &mut position, &input, &mut log).expect("a legal input");
            }
            for entry in log.entries() {
                match &entry.fact {
                    Fact::Event(event) => {
                        let seen = turnstone::Seen::redact(
                            &spire,
                            position.state(),
                            position.state(),
                            event,
                            turnstone::Viewer::Seat(0),
                        );
                        seen.iter().for_each(|event| numbers("", &spire.named_event(event), &mut found));
                    }
                    Fact::Asked(pending) => {
                        numbers("asked", &spire.named_question(&pending.question), &mut found);
                    }
                    Fact::Answered(_) | Fact::ActionRejected { .. } => {}
                }
            }
        }
        let strange: Vec<&String> = found.iter().filter(|path| !is_plain(path)).collect();
        assert!(strange.is_empty(), "numbers of what? {strange:#?}");
    }

    /// Facts whose `card` or `cards` are those of the fight, by their slots; beside cards on offer stand their upgrades.
    const SLOTS: [&str; 10] =
        ["moment", "hit", "died", "drew", "grew", "limbo_returned", "selected", "offered", "asked", "moved"];

    /// Fields with amounts, places, bodies and slots.
    const PLAIN: &str = "amount base blocked lost stored to by who owner other target slot of place x y hp vars var up \
                         kept cost price turn fight added left energy block index slots gone behind deck cell pair \
                         chosen reward spoiled number value n min max count pc option floor healed stolen counter to \
                         node counts max_hp open tries gold stolen_gold cards_sold relics_sold potions_sold base_price \
                         sale_slot discarded places act amount old cost gold_loss order attack skill relics_left";

    fn is_plain(path: &str) -> bool {
        let words: Vec<&str> = path.split(' ').collect();
        let place = words.contains(&"ware") || words.contains(&"belongings");
        match words.last().copied().unwrap_or_default() {
            "card" | "cards" => place || SLOTS.contains(&words[0]),
            "relic" | "potion" => place,
            "event" => words.contains(&"ctx"),
            // Of which a fight or an event of the run is called, it is called by its name.
            "fight" => words.contains(&"costs"),
            field => PLAIN.split_whitespace().any(|plain| plain == field),
        }
    }
}
