//! Fights recorded with their dice: set up from a seed, played action by action, compared after every step with
//! the counters of the streams.
//!
//! What the simulator behind the records does otherwise than the original is not compared: each case is named where
//! it is met here, and those that end a record in `departures`.

use serde_json::{Map, Value, json};
use turnstone::{EntryOf, Fact, Game, Input, InputOf, Log, Off, Position, Resolver};
use turnstone_spire::action::Action;
use turnstone_spire::catalog::words::{Moment, Rank};
use turnstone_spire::event::Event;
use turnstone_spire::game::Spire;
use turnstone_spire::question::{Answer, Question};
use turnstone_spire::setup::{Fight, Setup};
use turnstone_spire::state::{Card, Life, NO_COST, NONE, PLAYER, Slot, Stage, State, card_flag};
use turnstone_spire::{Asked, Deed, Reply};

use super::Reader;
use super::departures::{self, Step};
use super::trace::Divergence;

/// Whether a record is a fight with its dice.
pub fn is_dice_fight(record: &Value) -> bool {
    record["start"]["counters"].is_array() && record["steps"].is_array()
}

/// Powers that the records do not list: their monsters have them by nature there.
const UNLISTED: &[&str] = &["explosive", "split", "unawakened", "minion_leader", "reactive"];

/// Powers that are flags there.
const FLAGS: &[&str] =
    &["stasis", "minion", "regrow", "barricade", "shifting", "asleep", "painful_stabs", "surrounded"];

impl Reader<'_> {
    /// Plays one record, to its end or to a step at which the simulator departs from the game: then where, and
    /// what the game does.
    ///
    /// # Errors
    /// The first divergence.
    pub fn run_dice_fight(&self, record: &Value) -> Result<Option<String>, Divergence> {
        let at_start = |text: String| ("start".to_string(), text);
        let mut position = self.open_dice_fight(record).map_err(at_start)?;
        let masked =
            record["relics"].as_array().is_some_and(|relics| relics.iter().any(|name| name == "red_mask"));
        let mut mask = masked;
        let mut resolver = Resolver::default();
        let mut expect = record["start"].clone();
        self.compare_fight(&position, &expect, false).map_err(at_start)?;
        let steps = record["steps"].as_array().map_or(&[][..], Vec::as_slice);
        for (index, step) in steps.iter().enumerate() {
            let at = |text: String| (format!("step {} {}", index + 1, step["action"]), text);
            let last = index + 1 == steps.len() && !record["outcome"].is_null();
            if mask && position.pending().is_none() {
                position = self.mask_lasts(position);
                mask = false;
            }
            // There one is asked with an empty hand, too.
            if step["action"]["do"] == "choose" && position.pending().is_none() && skips(&expect) {
                merge(&mut expect, &step["state"]);
                continue;
            }
            let input = self.dice_inputs(&position, &expect, &step["action"]).map_err(at)?;
            let mut log = Log::<Spire>::default();
            for input in input {
                let done = resolver.act(self.0, &mut position, &input, &mut log);
                done.map_err(|refusal| at(format!("refused: {refusal}")))?;
            }

            if self.split_of_a_slime(&log, position.state()) {
                return Ok(None);
            }
            merge(&mut expect, &step["state"]);
            if !last && position.pending().is_none() {
                position = self.upgraded_costs(position, &log, &expect);
            }
            if step["action"]["do"] == "potion" && position.pending().is_none() && !last {
                position = self.costs_as_there(position, &step["action"], &expect);
            }
            // With nothing left to do the simulator calls a defeat; the game goes on.
            if last && record["outcome"] == "defeat" && position.state().combat.stage != Stage::Lost {
                return if stranded(&expect) { Ok(None) } else { Err(at("not lost here".into())) };
            }
            if last && position.state().combat.stage == Stage::Won {
                let hp = expect["hp"].as_i64().unwrap_or(0);
                expect["hp"] = json!(hp + healed_after(&log));
            }
            if let Err(text) = self.compare_fight(&position, &expect, last) {
                let told = self.departure(&position, &log, (record, index), &expect);
                return told.map(Some).ok_or_else(|| at(text));
            }
            if last {
                compare_outcome(position.state(), &record["outcome"]).map_err(at)?;
            }
        }
        Ok(None)
    }

    /// Why a step differs from its record, if that is known and all the rest of it agrees.
    fn departure(
        &self,
        position: &Position<Spire>,
        log: &Log<Spire>,
        (record, index): (&Value, usize),
        theirs: &Value,
    ) -> Option<String> {
        let s = position.state();
        let before = state_before(record, index);
        let place_of = |who: u8| shown(s).position(|other| other == who);
        let facts = || {
            log.entries().iter().filter_map(|entry| match &entry.fact {
                Fact::Event(event) => Some(event),
                _ => None,
            })
        };
        let upgraded = facts().filter_map(|event| match event {
            Event::Upgraded { slot, .. } => s.combat.hand.iter().position(|other| other == slot),
            _ => None,
        });
        let hits = facts().filter_map(|event| match event {
            Event::Hit { to, amount, lost, .. } => place_of(*to).map(|place| (place, *amount, *lost)),
            _ => None,
        });
        let step = Step {
            action: &record["steps"][index]["action"],
            before: &before,
            ours: &self.project_fight(position),
            upgraded: &upgraded.collect::<Vec<_>>(),
            hits: &hits.collect::<Vec<_>>(),
        };
        let (told, mended) = departures::explain(&step, theirs);
        let agrees = !told.is_empty() && self.compare_fight(position, &mended, false).is_ok();
        agrees.then(|| format!("compared up to step {}: in the game {}", index + 1, told.join("; ")))
    }

    /// The fight as its record sets it up, begun.
    fn open_dice_fight(&self, record: &Value) -> Result<Position<Spire>, String> {
        let text = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
        let names = |key: &str| -> Vec<String> {
            let list = record[key].as_array().map_or(&[][..], Vec::as_slice);
            list.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
        };
        let number = |key: &str| record[key].as_i64().unwrap_or(0);
        let seed: u64 = text("seed").parse().map_err(|_| "the seed is no number".to_string())?;
        let fight = Fight {
            character: record["character"].as_str().unwrap_or("ironclad").to_owned(),
            ascension: number("ascension").clamp(0, 20) as u8,
            encounter: Some(text("encounter")),
            deck: Some(names("deck")),
            relics: Some(in_their_order(names("relics"))),
            hp: Some(number("hp").clamp(0, 9999) as i16),
            max_hp: Some(number("max_hp").clamp(0, 9999) as i16),
            act: Some(number("act").clamp(1, 4) as u8),
            floor: Some(number("floor").clamp(0, 99) as u8),
            ..Fight::default()
        };
        let mut s = self.0.start(&Setup::fight(fight), seed).map_err(|refusal| refusal.to_string())?;
        s.combat.rank = match record["room"].as_str() {
            Some("elite") => Rank::Elite,
            Some("boss") => Rank::Boss,
            _ => Rank::Normal,
        } as u8;
        s.run.potions = self.dice_potions(&record["potions"])?;
        s.run.potion_slots = s.run.potions.len() as u8;
        let mut position = Position::<Spire>::new(s);
        Resolver::default()
            .act(self.0, &mut position, &Input::Act(Deed::Fight(Action::Begin)), &mut Off)
            .map_err(|refusal| format!("refused: {refusal}"))?;
        Ok(position)
    }

    fn dice_potions(&self, list: &Value) -> Result<Vec<u16>, String> {
        let slot = |name: &Value| match name.as_str() {
            Some(name) => self.named("potion", name).map_err(|refusal| refusal.to_string()),
            None => Ok(NONE),
        };
        list.as_array().map_or(&[][..], Vec::as_slice).iter().map(slot).collect()
    }

    /// What an action of a record is here.
    fn dice_inputs(
        &self,
        position: &Position<Spire>,
        before: &Value,
        action: &Value,
    ) -> Result<Vec<InputOf<Spire>>, String> {
        let s = position.state();
        let index = |key: &str| action[key].as_u64().map(|index| index as usize);
        let target = || match index("target") {
            Some(place) => {
                let there = shown(s).nth(place);
                there.map(Some).ok_or_else(|| format!("there is no monster {place}"))
            }
            None => Ok(None),
        };
        match action["do"].as_str() {
            Some("play") => {
                let hand = &s.combat.hand;
                let card = index("index").and_then(|index| hand.get(index)).copied();
                let card = card.ok_or_else(|| "no such card in the hand".to_string())?;
                Ok(vec![Input::Act(Deed::Fight(Action::Play { card, target: target()? }))])
            }
            Some("potion") => {
                let slot = index("index").unwrap_or(0) as u8;
                Ok(vec![Input::Act(Deed::Fight(Action::Potion { index: slot, target: target()? }))])
            }
            Some("end_turn") => Ok(vec![Input::Act(Deed::Fight(Action::EndTurn))]),
            Some("choose") => self.dice_answers(position, &before["choice"], action),
            other => Err(format!("unknown action {other:?}")),
        }
    }

    fn dice_answers(
        &self,
        position: &Position<Spire>,
        choice: &Value,
        action: &Value,
    ) -> Result<Vec<InputOf<Spire>>, String> {
        let s = position.state();
        let Some(pending) = position.pending() else { return Err("nothing is asked here".into()) };
        if let Asked::Fight(Question::Offer { .. }) = pending.question {
            let answer = action["index"].as_u64().map_or(Answer::Done, |index| Answer::Option(index as u8));
            return Ok(vec![Input::Choose(Reply::Fight(answer))]);
        }
        let Asked::Fight(Question::Cards { max, .. }) = pending.question else {
            return Err("another question is asked here".into());
        };
        let combat = &s.combat;
        let zone: Vec<Slot> = match choice["task"].as_str().unwrap_or_default() {
            "headbutt" | "liquid_memories_potion" => combat.discard.clone(),
            "exhume" => combat.exhaust.clone(),
            "secret_technique" | "secret_weapon" => combat.draw.iter().rev().copied().collect(),
            _ => combat.hand.clone(),
        };
        let one = action["index"].as_u64().into_iter();
        let several = action["indices"].as_array().map_or(&[][..], Vec::as_slice);
        let picks: Vec<u64> = one.chain(several.iter().filter_map(Value::as_u64)).collect();
        let mut inputs = Vec::new();
        // The exhaust pile has no order there that could be relied on.
        if choice["task"] == "exhume" {
            let named = |slot: &&Slot| action["card"] == self.record_card(&combat.cards[**slot as usize]);
            let slot = zone.iter().find(named).ok_or_else(|| "no such card is exhausted".to_string())?;
            return Ok(vec![Input::Choose(Reply::Fight(Answer::Pick(*slot)))]);
        }
        for &pick in &picks {
            let slot = zone.get(pick as usize).ok_or_else(|| format!("no card {pick} there"))?;
            inputs.push(Input::Choose(Reply::Fight(Answer::Pick(*slot))));
        }
        if picks.len() < usize::from(max) {
            inputs.push(Input::Choose(Reply::Fight(Answer::Done)));
        }
        Ok(inputs)
    }

    fn compare_fight(&self, position: &Position<Spire>, expect: &Value, last: bool) -> Result<(), String> {
        let ours = self.project_fight(position);
        let keys: &[&str] = match last {
            true if expect["hp"] == 0 => &["hp"],
            true if position.state().combat.stage == Stage::Won => &["hp"],
            true => &["hp", "monsters"],
            false if position.pending().is_none() && skips(expect) => &["turn", "hp"],
            // What waits behind a question has happened there or not: it is compared once the question is answered.
            false if !expect["choice"].is_null() => &["choice", "turn", "hp", "draw"],
            false => &[
                "turn", "counters", "hp", "max_hp", "block", "energy", "gold", "powers", "hand", "draw",
                "discard", "exhaust", "monsters", "potions", "choice",
            ],
        };
        for &key in keys {
            let (theirs, ours) = (normal(key, &expect[key]), normal(key, &ours[key]));
            if theirs != ours {
                return Err(first_difference(key, &theirs, &ours));
            }
        }
        Ok(())
    }

    /// There the Weak of the Red Mask lasts a round longer: in the game only what monsters give on their turn does.
    fn mask_lasts(&self, position: Position<Spire>) -> Position<Spire> {
        let mut s = position.state().clone();
        let Some(weak) = self.catalog.power("weak").filter(|_| s.combat.counts.turn == 1) else {
            return position;
        };
        let held = s.combat.bodies.iter_mut().skip(1).flat_map(|body| &mut body.powers);
        held.filter(|power| power.id == weak).for_each(|power| power.fresh = true);
        Position::new(s)
    }

    /// There Snecko Oil ends a cost of this turn even if it rolls the cost that the card has, and Liquid Memories
    /// leaves the only card of the discard pile its cost.
    fn costs_as_there(&self, position: Position<Spire>, action: &Value, expect: &Value) -> Position<Spire> {
        if !matches!(action["potion"].as_str(), Some("snecko_oil" | "liquid_memories")) {
            return position;
        }
        let mut s = position.state().clone();
        let hand = expect["hand"].as_array().map_or(&[][..], Vec::as_slice);
        for (slot, theirs) in s.combat.hand.clone().into_iter().zip(hand) {
            self.cost_as_there(&mut s, slot, theirs);
        }
        Position::new(s)
    }

    /// There a card that costs nothing this turn loses that when it is upgraded to another cost.
    fn upgraded_costs(&self, position: Position<Spire>, log: &Log<Spire>, expect: &Value) -> Position<Spire> {
        let upgraded = |entry: &EntryOf<Spire>| match entry.fact {
            Fact::Event(Event::Upgraded { slot, .. }) => Some(slot),
            _ => None,
        };
        let mut s = position.state().clone();
        for slot in log.entries().iter().filter_map(upgraded) {
            let place = s.combat.hand.iter().position(|&other| other == slot);
            let Some(theirs) = place.and_then(|place| expect["hand"].get(place)) else { continue };
            self.cost_as_there(&mut s, slot, theirs);
        }
        if s == *position.state() { position } else { Position::new(s) }
    }

    fn cost_as_there(&self, s: &mut State, slot: Slot, theirs: &Value) {
        let kept = s.combat.cards[slot as usize].turn_cost;
        s.combat.cards[slot as usize].turn_cost = NO_COST;
        if *theirs != self.hand_card(s, slot) {
            s.combat.cards[slot as usize].turn_cost = kept;
        }
    }

    /// A large slime splits: there the two halves roll twice each. Sources disagree, and records end there.
    fn split_of_a_slime(&self, log: &Log<Spire>, s: &State) -> bool {
        log.entries().iter().any(|entry| match entry.fact {
            Fact::Event(Event::Spawned { by, .. }) => {
                let parent = s.combat.body(by).and_then(|body| self.monster(body.kind));
                parent.is_some_and(|info| matches!(info.id.as_str(), "acid_slime_l" | "spike_slime_l"))
            }
            _ => false,
        })
    }

    /// A position in the words of the records.
    fn project_fight(&self, position: &Position<Spire>) -> Value {
        let s = position.state();
        let combat = &s.combat;
        let player = combat.player();
        let names = |list: &mut dyn Iterator<Item = Slot>| -> Vec<String> {
            list.map(|slot| self.record_card(&combat.cards[slot as usize])).collect()
        };
        let hand: Vec<String> = combat.hand.iter().map(|&slot| self.hand_card(s, slot)).collect();
        let monsters: Vec<Value> = shown(s).map(|who| self.record_monster(s, who)).collect();
        let potion = |&id: &u16| self.catalog.potions.get(id as usize).map(|info| info.id.as_str());
        json!({
            "turn": combat.counts.turn,
            "hp": player.hp,
            "max_hp": player.max_hp,
            "block": player.block,
            "energy": combat.energy,
            "gold": s.run.gold,
            "powers": self.record_powers(s, PLAYER),
            "hand": hand,
            "draw": names(&mut combat.draw.iter().rev().copied()),
            "discard": names(&mut combat.discard.iter().copied()),
            "exhaust": names(&mut combat.exhaust.iter().copied()),
            "monsters": monsters,
            "potions": s.run.potions.iter().map(potion).collect::<Vec<_>>(),
            "counters": s.run.dice.map(|dice| dice.counters()),
            "choice": self.record_choice(position),
        })
    }

    fn record_card(&self, card: &Card) -> String {
        let id = &self.catalog.cards[card.id as usize].id;
        match card.up {
            0 => id.clone(),
            1 => format!("{id}+"),
            // Searing Blow counts on.
            n => format!("{id}+{n}"),
        }
    }

    fn hand_card(&self, s: &State, slot: Slot) -> String {
        let card = &s.combat.cards[slot as usize];
        let form = &self.catalog.cards[card.id as usize].forms[card.form()];
        let cost = match form.cost {
            cost if Spire::is_x(cost) => "x".to_owned(),
            cost if cost < 0 => "-".to_owned(),
            _ if card.has(card_flag::FREE_ONCE) => "0".to_owned(),
            _ => self.cost_now(s, card, slot).to_string(),
        };
        format!("{}/{cost}", self.record_card(card))
    }

    fn record_powers(&self, s: &State, who: u8) -> Value {
        let mut map = Map::new();
        let body = &s.combat.bodies[who as usize];
        for power in &body.powers {
            let info = &self.catalog.powers[power.id as usize];
            let id = info.id.as_str();
            if UNLISTED.contains(&id) {
                continue;
            }
            let amount = if FLAGS.contains(&id) { 1 } else { power.n };
            map.insert(id.to_owned(), json!(amount));
        }
        if who != PLAYER && body.minion {
            map.entry("minion").or_insert(json!(1));
        }
        Value::Object(map)
    }

    fn record_monster(&self, s: &State, who: u8) -> Value {
        let body = &s.combat.bodies[who as usize];
        let made = self.move_of(body.kind, body.intent).map(|made| made.id.as_str());
        let mut monster = json!({
            "name": self.monster(body.kind).map(|info| info.id.as_str()),
            "hp": body.hp,
            "max_hp": body.max_hp,
            "block": body.block,
            "move": made,
            "powers": self.record_powers(s, who),
        });
        if body.life == Life::HalfDead {
            monster["half_dead"] = json!(true);
        }
        monster
    }

    /// Whether something is asked, and what is on offer.
    fn record_choice(&self, position: &Position<Spire>) -> Value {
        let s = position.state();
        match position.pending().map(|pending| pending.question) {
            None => Value::Null,
            Some(Asked::Fight(Question::Offer { .. })) => {
                let name = |&(id, up): &(u16, u8)| self.record_card(&Card::new(id, up));
                json!({ "offer": s.combat.offer.iter().map(name).collect::<Vec<_>>() })
            }
            Some(_) => json!({}),
        }
    }
}

/// The monsters that a record lists, from left to right.
fn shown(s: &State) -> impl Iterator<Item = u8> + '_ {
    let there = |who: &u8| matches!(s.combat.bodies[*who as usize].life, Life::Alive | Life::HalfDead);
    s.combat.board.iter().copied().filter(there)
}

/// There relics act in an order of their own. It matters for two pairs: Mutagenic Strength gives its Strength for a
/// turn before the Clockwork Souvenir could stop that it goes again, and the Pocketwatch draws before the Warped
/// Tongs upgrade.
fn in_their_order(mut relics: Vec<String>) -> Vec<String> {
    for (first, second) in [("clockwork_souvenir", "mutagenic_strength"), ("pocketwatch", "warped_tongs")] {
        let place = |name: &str| relics.iter().position(|relic| relic == name);
        if let (Some(first), Some(second)) = (place(first), place(second))
            && first > second
        {
            relics.swap(first, second);
        }
    }
    relics
}

/// A choice among none.
fn skips(expect: &Value) -> bool {
    expect["choice"].is_object() && expect["hand"].as_array().is_none_or(Vec::is_empty)
}

/// The state before a step.
fn state_before(record: &Value, index: usize) -> Value {
    let mut state = record["start"].clone();
    let steps = record["steps"].as_array().map_or(&[][..], Vec::as_slice);
    steps.iter().take(index).for_each(|step| merge(&mut state, &step["state"]));
    state
}

/// A step names only what has changed.
fn merge(state: &mut Value, changed: &Value) {
    for (key, value) in changed.as_object().into_iter().flatten() {
        state[key.as_str()] = value.clone();
    }
}

/// What is compared of a key: the exhaust pile without its order, of a question whether there is one and the offer.
fn normal(key: &str, value: &Value) -> Value {
    match (key, value) {
        ("exhaust", Value::Array(cards)) => {
            let mut names: Vec<&str> = cards.iter().filter_map(Value::as_str).collect();
            names.sort_unstable();
            json!(names)
        }
        ("choice", Value::Object(choice)) => json!({ "offer": choice.get("offer") }),
        ("powers", Value::Object(powers)) => listed(powers),
        ("monsters", Value::Array(monsters)) => {
            let one = |monster: &Value| {
                let mut monster = monster.clone();
                // The fallen keep or get powers there.
                if monster["half_dead"] == true {
                    monster["powers"] = json!({});
                }
                if let Some(powers) = monster["powers"].as_object() {
                    monster["powers"] = listed(powers);
                }
                monster
            };
            monsters.iter().map(one).collect()
        }
        _ => value.clone(),
    }
}

/// Powers in the order of their names; some may stand with 0.
fn listed(powers: &Map<String, Value>) -> Value {
    let counts = |(name, amount): &(&String, &Value)| **amount != 0 && !UNLISTED.contains(&name.as_str());
    let mut list: Vec<(&String, &Value)> = powers.iter().filter(counts).collect();
    list.sort_by_key(|(name, _)| *name);
    list.into_iter().map(|(name, amount)| (name.clone(), amount.clone())).collect::<Map<_, _>>().into()
}

/// What the player was healed by once the fight was won: the records stop before that.
fn healed_after(log: &Log<Spire>) -> i64 {
    let (mut over, mut healed) = (false, 0);
    for entry in log.entries() {
        match &entry.fact {
            Fact::Event(Event::Moment { moment: Moment::VictoryFirst | Moment::Victory, .. }) => over = true,
            Fact::Event(Event::Healed { to: PLAYER, amount }) if over => healed += i64::from(*amount),
            _ => {}
        }
    }
    healed
}

/// The simulator ends a fight in which no card is left.
fn stranded(state: &Value) -> bool {
    ["hand", "draw", "discard"].iter().all(|pile| state[pile].as_array().is_none_or(Vec::is_empty))
}

fn compare_outcome(s: &State, outcome: &Value) -> Result<(), String> {
    let ours = match s.combat.stage {
        Stage::Won => "victory",
        Stage::Lost => "defeat",
        _ => "none yet",
    };
    if outcome == ours { Ok(()) } else { Err(format!("outcome: expected {outcome}, ours {ours}")) }
}

/// The first place where two values differ, with both.
fn first_difference(path: &str, theirs: &Value, ours: &Value) -> String {
    match (theirs, ours) {
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let differs = a.iter().zip(b).enumerate().find(|(_, (a, b))| a != b);
            differs.map_or_else(String::new, |(i, (a, b))| first_difference(&format!("{path}[{i}]"), a, b))
        }
        (Value::Object(a), Value::Object(_)) if !path.ends_with("powers") => {
            let differs = a.iter().find(|(key, value)| **value != ours[key.as_str()]);
            match differs {
                Some((key, value)) => first_difference(&format!("{path}.{key}"), value, &ours[key.as_str()]),
                None => format!("{path}: expected {theirs}, ours {ours}"),
            }
        }
        _ => format!("{path}: expected {theirs}, ours {ours}"),
    }
}
