//! What a player may know: everything but the order of the draw pile and the dice.

use crate::catalog::words::{CardType, Prevent, Rank};
use crate::dice::{FightDice, Rolls};
use crate::event::{Event, Order};
use crate::game::Spire;
use crate::seeds::{OUT, columns};
use crate::state::{NO_CARD, NO_COST, NOBODY, State, card_flag};
use serde_json::{Value, json};
use turnstone::Viewer;
use turnstone::dice::{Draw, Lots, Stream};

const HIDDEN: Stream = Stream::named("spire hidden");

impl Spire {
    /// Whether the player sees the order of the draw pile.
    pub(crate) fn sees_order(&self, s: &State) -> bool {
        !s.combat.bodies.is_empty()
            && (s.combat.relic_stops | s.combat.player().stops) >> Prevent::HiddenOrder as u32 & 1 != 0
    }

    /// The state as a viewer may see it.
    pub(crate) fn view_of(&self, s: &State, viewer: Viewer) -> Value {
        let mut value = serde_json::to_value(s).unwrap_or_default();
        if viewer == Viewer::All {
            return value;
        }
        if let Some(run) = value.get_mut("run") {
            run["seed"] = json!(null);
            run["dice"] = json!(null);
        }
        if let Some(combat) = value.get_mut("combat") {
            combat["rolls"] = json!(null);
            combat["tape"] = json!(null);
            if !self.sees_order(s) {
                let mut draw = s.combat.draw.clone();
                draw.sort_by_key(|&slot| (s.combat.cards[slot as usize].id, slot));
                combat["draw"] = json!(draw);
                combat["order"] = json!(null);
            }
            if self.hides_intents(s)
                && let Some(bodies) = combat["bodies"].as_array_mut()
            {
                bodies.iter_mut().for_each(|body| body["intent"] = json!(null));
            }
            // What a monster rolled for itself shows when it acts on it.
            for body in combat["bodies"].as_array_mut().into_iter().flatten() {
                body["vars"] = json!(null);
            }
        }
        self.hide_run(s, &mut value);
        self.name_things(s, &mut value);
        value
    }

    /// An event as a viewer may see it: how many dice were rolled is nobody's business, and a hidden intent is not
    /// to be seen when it is chosen either.
    pub(crate) fn redacted(&self, s: &State, event: &Event, viewer: Viewer) -> Option<Event> {
        let mut event = event.clone();
        if viewer == Viewer::All {
            return Some(event);
        }
        if matches!(event, Event::Intended { .. }) && self.hides_intents(s) {
            return None;
        }
        if let Some(rolls) = event.rolls_mut() {
            *rolls = Rolls::NONE;
        }
        if let Event::Shuffled { order, .. } | Event::DrawShuffled { order, .. } = &mut event {
            *order = Order::Hidden;
        }
        // What a monster rolled for itself shows when it acts on it.
        if let Event::Spawned { vars, .. } = &mut event {
            *vars = [0; 4];
        }
        Some(event)
    }

    /// Whether intents are hidden.
    pub(crate) fn hides_intents(&self, s: &State) -> bool {
        let own = s.combat.bodies.first().map_or(0, |player| player.stops);
        (s.combat.relic_stops | own) >> Prevent::Intents as u32 & 1 != 0
    }

    /// A fight that the player could not tell from this one: the order of the draw pile and the dice to come are
    /// drawn anew. For search; it is a fight of its own, whatever run this one is part of.
    pub(crate) fn resample(&self, s: &State, lots_seed: u64) -> State {
        let mut copy = State { run: s.run.clone(), combat: s.combat.clone(), ..State::default() };
        let mut lots = Lots::new(lots_seed, HIDDEN);
        copy.run.seed = lots.next_u64();
        copy.run.dice = s.run.dice.map(|_| FightDice::on_floor(copy.run.seed, s.run.floor));
        copy.combat.tape.clear();
        self.reshuffle(&mut copy, &mut lots);
        copy
    }

    /// Whether the order of the draw pile is to be guessed.
    fn hides_order(&self, s: &State) -> bool {
        !self.sees_order(s) && s.combat.order.is_empty()
    }

    /// Another order of the draw pile, if it is not seen.
    pub(crate) fn reshuffle(&self, s: &mut State, lots: &mut Lots) {
        if self.hides_order(s) {
            // From an order of its own, so that nothing of the true one is left.
            s.combat.draw.sort_unstable();
            lots.shuffle(&mut s.combat.draw);
        }
    }

    /// Another intent for every monster, if intents are not seen.
    pub(crate) fn reconsider(&self, s: &mut State, lots: &mut Lots) {
        if !self.hides_intents(s) {
            return;
        }
        for body in s.combat.bodies.iter_mut().skip(1).filter(|body| body.intent != u8::MAX) {
            let moves = self.catalog.monsters[usize::from(body.kind)].moves.len();
            body.intent = lots.index(moves).map_or(body.intent, |chosen| chosen as u8);
        }
    }

    /// Nothing of what is hidden is left.
    pub(crate) fn blank(&self, s: &mut State) {
        s.run.seed = 0;
        s.run.dice = s.run.dice.map(|_| FightDice::on_floor(0, s.run.floor));
        s.combat.tape.clear();
        if self.hides_order(s) {
            s.combat.draw.sort_unstable();
        }
        if self.hides_intents(s) {
            s.combat.bodies.iter_mut().skip(1).for_each(|body| body.intent = u8::MAX);
        }
    }
}

/// What the rules keep at hand for themselves.
const INTERNAL: [&str; 11] = [
    "moments",
    "stages",
    "stops",
    "flags",
    "relic_moments",
    "relic_stages",
    "relic_stops",
    "relic_flags",
    "card_moments",
    "card_stages",
    "potion",
];

/// Kinds of things have names for other programs, not numbers: adding content renumbers nothing.
impl Spire {
    fn name_things(&self, s: &State, value: &mut Value) {
        self.rename(&mut value["run"]["character"], "character");
        each(&mut value["run"]["deck"], |card| self.rename(&mut card["id"], "card"));
        each(&mut value["run"]["relics"], |relic| self.rename(&mut relic["id"], "relic"));
        each(&mut value["run"]["potions"], |potion| self.rename(potion, "potion"));
        self.name_in_fight(s, &mut value["combat"]);
        if let Some(tower) = value.get_mut("tower") {
            if let Some((_, burning)) = s.tower.fate.map.burning {
                tower["fate"]["map"]["burning"][1] = json!(self.rulebook.tables.burning_name(burning));
            }
            self.name_on_the_way(tower);
        }
    }

    fn name_in_fight(&self, s: &State, combat: &mut Value) {
        forget(combat);
        // Where nobody fights there is neither an encounter nor a stance, and no rank of either.
        if s.combat.bodies.is_empty() {
            for nothing in ["encounter", "stance", "rank"] {
                combat[nothing] = json!(null);
            }
        } else {
            combat["rank"] = json!(Rank::ALL.get(usize::from(s.combat.rank)).map(|(_, name, _)| *name));
        }
        self.rename(&mut combat["encounter"], "encounter");
        self.rename(&mut combat["stance"], "stance");
        if let Some(orb) = combat["last_orb"].as_object_mut() {
            orb.iter_mut().filter(|(key, _)| *key == "id").for_each(|(_, id)| self.rename(id, "orb"));
        }
        combat["facing"] = nobody(s.combat.facing, NOBODY);
        for (key, kind) in [("previous", s.combat.counts.previous), ("current", s.combat.counts.current)] {
            combat["counts"][key] = json!(type_word(kind));
        }
        each(&mut combat["played"], |kind| {
            *kind = json!(kind.as_u64().and_then(|kind| type_word(kind as u8)));
        });
        each(&mut combat["orbs"], |orb| self.rename(&mut orb["id"], "orb"));
        each(&mut combat["offer"], |offered| self.rename(&mut offered[0], "card"));
        let hand = |slot: usize| s.combat.hand.iter().any(|held| usize::from(*held) == slot);
        for (slot, card) in list(&mut combat["cards"]).enumerate() {
            self.rename(&mut card["id"], "card");
            let here = &s.combat.cards[slot];
            card["cost"] = nobody(here.cost, NO_COST);
            card["turn_cost"] = nobody(here.turn_cost, NO_COST);
            card["of"] = nobody(here.of, NO_CARD);
            card["flags"] = json!(card_flags(here.flags));
            if hand(slot) {
                card["cost_now"] = json!(self.cost_now(s, &s.combat.cards[slot], slot as u16));
                card["text"] = json!(self.card_text(s, slot as u16, None));
            }
        }
        for (who, body) in list(&mut combat["bodies"]).enumerate() {
            forget(body);
            self.name_body(s, who as u8, body);
        }
    }

    /// Whoever it is, its powers, and its moves, which are numbered for each monster.
    fn name_body(&self, s: &State, who: u8, body: &mut Value) {
        each(&mut body["powers"], |power| self.rename(&mut power["id"], "power"));
        body["held"] = nobody(s.combat.bodies[usize::from(who)].held, NO_CARD);
        let kind = s.combat.bodies[usize::from(who)].kind;
        self.rename(&mut body["kind"], "monster");
        let called = |number: &Value| {
            let number = number.as_u64().and_then(|number| u8::try_from(number).ok())?;
            self.move_of(kind, number).map(|made| made.id.clone())
        };
        if !body["intent"].is_null() {
            let hits = self.intended_hits(s, who);
            body["hits"] =
                hits.iter().map(|(damage, times)| json!({ "damage": damage, "times": times })).collect();
        }
        body["intent"] = json!(called(&body["intent"]));
        each(&mut body["history"], |made| *made = json!(called(made)));
    }

    /// Screens, offers and whoever is met; what an event drew of the player's own are places in his lists.
    fn name_on_the_way(&self, value: &mut Value) {
        let kind = |key: &str| match key {
            "card" | "offer" | "board" => Some("card"),
            "relic" | "relics" | "boss_chest" => Some("relic"),
            "potion" | "potions" => Some("potion"),
            "fight" | "boss" | "killer" => Some("encounter"),
            "event" => Some("event"),
            "character" => Some("character"),
            "bonus" | "drawback" => Some("neow"),
            _ => None,
        };
        match value {
            Value::Object(rows) => {
                if let Some(edges) = rows.get_mut("edges") {
                    *edges = ways(edges);
                }
                for (key, value) in rows.iter_mut().filter(|(key, _)| *key != "belongings") {
                    match (kind(key), &*value) {
                        (Some(kind), Value::Number(_)) => self.rename(value, kind),
                        (Some(kind), Value::Array(items)) if items.iter().any(Value::is_number) => {
                            each(value, |item| self.rename(item, kind));
                        }
                        _ => self.name_on_the_way(value),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.name_on_the_way(item)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// The id of an entry instead of its number; nothing for the number that nobody has.
    pub(crate) fn rename(&self, value: &mut Value, kind: &'static str) {
        let Some(number) = value.as_u64().map(|number| number as usize) else { return };
        let catalog = &self.catalog;
        let id = match kind {
            "card" => catalog.cards.get(number).map(|entry| &entry.id),
            "relic" => catalog.relics.get(number).map(|entry| &entry.id),
            "potion" => catalog.potions.get(number).map(|entry| &entry.id),
            "power" => catalog.powers.get(number).map(|entry| &entry.id),
            "orb" => catalog.orbs.get(number).map(|entry| &entry.id),
            "stance" => catalog.stances.get(number).map(|entry| &entry.id),
            "monster" => catalog.monsters.get(number).map(|entry| &entry.id),
            "encounter" => catalog.encounters.get(number).map(|entry| &entry.id),
            "event" => catalog.events.get(number).map(|entry| &entry.id),
            "neow" => catalog.gifts.get(number).map(|entry| &entry.id),
            _ => catalog.characters.get(number).map(|entry| &entry.id),
        };
        *value = json!(id);
    }
}

/// A number that stands for something, or nothing where it is the one that nobody has.
fn nobody<T: PartialEq + serde::Serialize>(number: T, none: T) -> Value {
    if number == none { Value::Null } else { json!(number) }
}

/// The type of a card by its number.
fn type_word(kind: u8) -> Option<&'static str> {
    CardType::ALL.get(usize::from(kind)).map(|(_, name, _)| *name)
}

/// What is marked on a card, in words.
fn card_flags(flags: u8) -> Vec<&'static str> {
    const NAMES: [(u8, &str); 7] = [
        (card_flag::RETAIN, "retain"),
        (card_flag::FREE_ONCE, "free_once"),
        (card_flag::COPY, "copy"),
        (card_flag::EXHAUST, "exhaust"),
        (card_flag::CONFUSED, "confused"),
        (card_flag::BOTTLED, "bottled"),
        (card_flag::AUTO, "auto"),
    ];
    NAMES.iter().filter(|(flag, _)| flags & flag != 0).map(|(_, name)| *name).collect()
}

/// The columns that a room of the map leads to, from left to right; `"out"` where the way ends.
fn ways(edges: &Value) -> Value {
    let bits = edges.as_u64().unwrap_or_default() as u8;
    let out = (bits & OUT != 0).then(|| json!("out"));
    columns(bits & !OUT).map(|column| json!(column)).chain(out).collect()
}

fn list(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    value.as_array_mut().into_iter().flatten()
}

fn each(value: &mut Value, change: impl FnMut(&mut Value)) {
    list(value).for_each(change);
}

/// Leaves out what the rules keep at hand for themselves.
fn forget(value: &mut Value) {
    if let Some(rows) = value.as_object_mut() {
        rows.retain(|key, _| !INTERNAL.contains(&key.as_str()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fight, Ruleset, Setup};
    use turnstone::{Entry, Fact, Game, InputOf, Log, Position, Resolver};

    const ME: Viewer = Viewer::Seat(0);

    /// A fight of a character with a deck that looks into the draw pile in every way.
    fn fight(seed: u64) -> Fight {
        let deck = "seek secret_weapon secret_technique violence apotheosis third_eye havoc armaments+ warcry \
                    headbutt omniscience chrysalis wild_strike deep_breath enlightenment madness pommel_strike \
                    true_grit bouncing_flask sword_boomerang chaos discovery mayhem foresight distraction";
        let relics = ["frozen_eye", "runic_dome", "vajra", "sundial"];
        Fight {
            character: ["ironclad", "silent", "defect", "watcher"][seed as usize % 4].into(),
            encounter: Some(
                ["jaw_worm", "two_louse", "gremlin_gang", "slime_boss"][seed as usize / 4 % 4].into(),
            ),
            deck: Some(deck.split_whitespace().map(str::to_owned).collect()),
            relics: Some(vec![relics[seed as usize % relics.len()].into(), "snecko_eye".into()]),
            hp: Some(300),
            max_hp: Some(300),
            ..Fight::default()
        }
    }

    /// What the viewer learns from an input, up to the first thing that chance or the order of the pile decides.
    fn learnt(spire: &Spire, position: &mut Position<Spire>, input: &InputOf<Spire>) -> Vec<String> {
        let hidden = position.state().combat.draw.clone();
        let mut log = Log::<Spire>::default();
        Resolver::default().act(spire, position, input, &mut log).expect("a legal input");
        let mut told = Vec::new();
        for Entry { fact, .. } in log.entries() {
            let Fact::Event(event) = fact.clone() else { continue };
            let by_chance = event.rolls() != Rolls::NONE;
            let shown = match event {
                Event::Drew { .. } => true,
                Event::Played { slot, .. }
                | Event::Exhausted { slot, .. }
                | Event::Discarded { slot, .. } => hidden.contains(&slot),
                _ => false,
            };
            if by_chance || shown {
                break;
            }
            told.push(format!("{:?}", spire.redacted(position.state(), &event, ME)));
        }
        told
    }

    /// Two worlds that differ in nothing but what is hidden look the same: the same view, the same things to do,
    /// the same news until chance has its say.
    #[test]
    fn hidden_things_do_not_show() {
        let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
        let mut compared = 0;
        for seed in 0..48 {
            let state = spire.start(&Setup::fight(fight(seed)), seed).expect("a fight");
            let mut here = Position::<Spire>::new(state);
            let mut lots = Lots::new(seed, HIDDEN.nth(1));
            for step in 0..40 {
                let inputs = here.inputs(&spire);
                if inputs.is_empty() {
                    break;
                }
                let there = spire.resample(here.state(), step);
                assert_eq!(
                    spire.view_of(here.state(), ME),
                    spire.view_of(&there, ME),
                    "seed {seed} step {step}"
                );
                let index = lots.index(inputs.len()).unwrap_or(0);
                if here.pending().is_none() {
                    let mut there = Position::<Spire>::new(there);
                    assert_eq!(inputs, there.inputs(&spire), "seed {seed} step {step}");
                    let other = learnt(&spire, &mut there, &inputs[index]);
                    assert_eq!(learnt(&spire, &mut here, &inputs[index]), other, "seed {seed} step {step}");
                    compared += 1;
                } else {
                    Resolver::default()
                        .act(&spire, &mut here, &inputs[index], &mut turnstone::Off)
                        .expect("legal");
                }
            }
        }
        assert!(compared > 500, "only {compared} comparisons");
    }

    /// Adding content renumbers nothing: whoever sits at the table is told names, and the numbers he sees on screen.
    #[test]
    fn a_seat_is_told_names_and_the_numbers_of_the_moment() {
        let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
        let situation =
            "hand: bash; potions: fire_potion; relics: vajra; strength 2; enemy: jaw_worm intends chomp";
        let setup = spire.situation(situation).expect("a situation");
        let view = spire.view_of(&spire.start(&setup, 1).expect("opens"), ME);
        let (run, combat) = (&view["run"], &view["combat"]);
        assert_eq!((&run["character"], &run["relics"][0]["id"]), (&json!("ironclad"), &json!("vajra")));
        assert_eq!(run["potions"], json!(["fire_potion", null, null]));
        assert_eq!((&combat["cards"][0]["id"], &combat["cards"][0]["cost_now"]), (&json!("bash"), &json!(2)));
        assert_eq!(combat["cards"][0]["text"], "Deal 10 damage. Apply 2 Vulnerable.");
        let (player, worm) = (&combat["bodies"][0], &combat["bodies"][1]);
        assert_eq!((&player["kind"], &player["powers"][0]["id"]), (&Value::Null, &json!("strength")));
        assert_eq!((&worm["kind"], &worm["intent"]), (&json!("jaw_worm"), &json!("chomp")));
        assert_eq!(worm["hits"], json!([{ "damage": 11, "times": 1 }]));
        assert!(combat.get("relic_moments").is_none() && worm.get("stages").is_none());
        let run = spire.view_of(&spire.start(&Setup::run("silent", 0), 7).expect("a run"), ME);
        let body = (&worm["held"], &combat["rank"], &combat["last_orb"], &combat["cards"][0]["cost"]);
        assert_eq!(body, (&Value::Null, &json!("normal"), &Value::Null, &Value::Null));
        assert_eq!((&combat["cards"][0]["flags"], &combat["counts"]["previous"]), (&json!([]), &Value::Null));
        let nowhere = &run["combat"];
        assert_eq!(
            (&nowhere["encounter"], &nowhere["stance"], &nowhere["rank"]),
            (&Value::Null, &Value::Null, &Value::Null)
        );
        assert_eq!(nowhere["last_orb"], Value::Null);
        let rooms = run["tower"]["fate"]["map"]["rows"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|row| row.as_array().into_iter().flatten());
        let mut rooms = rooms.filter(|room| !room["room"].is_null()).peekable();
        assert!(
            rooms.peek().is_some()
                && rooms.all(|room| room["edges"].as_array().is_some_and(|to| !to.is_empty()))
        );
        assert!(run["tower"]["boss"].is_string() && run["tower"]["fate"]["character"] == "silent", "{run}");
    }

    #[test]
    fn another_world_has_the_same_cards_in_another_order() {
        let spire = Spire::builtin(Ruleset::Classic).expect("sound content");
        let s = spire.start(&Setup::fight(fight(2)), 5).expect("a fight");
        let orders: Vec<_> = (0..8).map(|lots| spire.resample(&s, lots).combat.draw).collect();
        assert!(orders.iter().any(|order| *order != s.combat.draw), "something is drawn anew");
        let sorted = |pile: &[u16]| {
            let mut pile = pile.to_vec();
            pile.sort_unstable();
            pile
        };
        assert!(orders.iter().all(|order| sorted(order) == sorted(&s.combat.draw)));
        assert!((0..8).all(|lots| spire.resample(&s, lots).run.seed != s.run.seed));
        // Frozen Eye shows the order, so it stays.
        let seen = spire.start(&Setup::fight(fight(0)), 5).expect("a fight");
        assert_eq!(spire.resample(&seen, 1).combat.draw, seen.combat.draw);
    }
}
