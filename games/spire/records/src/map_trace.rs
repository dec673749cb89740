//! Recorded visits of the hand-made map: moves, campfires, a merchant, a cleric.
//!
//! The recording engine rolled its own stock, relics and fights; those outcomes are taken from the record.

use crate::fights::Reader;
use serde_json::{Value, json};
use turnstone::{Game, Input, InputOf, Off, Position, Resolver};

use crate::seeds::compare_at;
use turnstone_spire::Spire;
use turnstone_spire::State;
use turnstone_spire::run::Setup;
use turnstone_spire::run::action::{Action, Question, Verb};
use turnstone_spire::run::effect::{Pick, Purpose};
use turnstone_spire::run::plan::MapChoice;
use turnstone_spire::run::tower::{Around, Key, Reward, Screen};
use turnstone_spire::seeds::{CardNo, OfferedCard, Place, Rarity, RelicNo, ShopCard, ShopRelic};
use turnstone_spire::state::Combat;
use turnstone_spire::{Asked, Deed, Reply};

type Divergence = (String, String);

/// Whether a record is a visit of the map.
pub fn is_map_trace(record: &Value) -> bool {
    record["initial"].get("node").is_some() && record["initial"].get("piles").is_none()
}

/// Replays a visit.
pub fn conform(game: &Spire, record: &Value) -> Result<(), Divergence> {
    let initial = &record["initial"];
    let state = load(game, initial).map_err(|text| ("initial".to_owned(), text))?;
    let mut visit = Visit { game, initial, position: Position::new(state), resolver: Resolver::default() };
    visit.compare(initial).map_err(|text| ("initial".to_owned(), text))?;
    for (index, step) in record["steps"].as_array().into_iter().flatten().enumerate() {
        let here = |text: String| (format!("step {}", index + 1), text);
        visit.step(step).map_err(here)?;
        visit.compare(&step["expect"]).map_err(here)?;
    }
    Ok(())
}

/// The hand-made map that the visits were recorded on.
const MAP: &str = "six_rooms";

/// `floor3-2` is the second node of the third floor.
fn place_of(name: &Value) -> Option<Place> {
    let (floor, node) = name.as_str()?.strip_prefix("floor")?.split_once('-')?;
    let (floor, node): (u8, u8) = (floor.parse().ok()?, node.parse().ok()?);
    Some(Place { x: node.checked_sub(1)?, y: floor.checked_sub(1)? })
}

fn load(game: &Spire, initial: &Value) -> Result<State, String> {
    if !(initial["player"].is_object() && initial["counters"].is_object()) {
        return Err("[BAD_RECORD] the state needs a player and counters".into());
    }
    let mut run = Reader(game).load_golden(initial)?.run;
    run.act = 1;
    run.floor = initial["floor"].as_u64().and_then(|floor| u8::try_from(floor).ok()).unwrap_or(0);
    let map = Some(MapChoice::Name(MAP.to_owned()));
    let setup = Setup { map, ..Setup::run("ironclad", 0) };
    let mut state = game.start(&setup, 1).map_err(|r| r.to_string())?;
    state.run = run;
    set_counter(game, &mut state, "wing_boots", &initial["counters"]["winged_boots"]);
    set_counter(game, &mut state, "girya", &initial["counters"]["girya"]);
    let mut tower = (*state.tower).clone();
    tower.screens.clear();
    tower.place = place_of(&initial["node"]);
    tower.sandbox = true;
    if initial["counters"]["ruby_key"] == true {
        tower.keys |= 1 << Key::Ruby as u8;
    }
    state.tower = Around::new(tower);
    Ok(state)
}

fn set_counter(game: &Spire, state: &mut State, relic: &str, value: &Value) {
    let id: Option<RelicNo> = game.rulebook.tables.relics.find(relic);
    if let Some(owned) = state.run.relics.iter_mut().find(|r| Some(RelicNo(r.id)) == id) {
        owned.counter = value.as_i64().unwrap_or(0) as i16;
    }
}

struct Visit<'g> {
    game: &'g Spire,
    initial: &'g Value,
    position: Position<Spire>,
    resolver: Resolver<Spire>,
}

impl Visit<'_> {
    fn act(&mut self, input: InputOf<Spire>) -> Result<(), String> {
        let done = self.resolver.act(self.game, &mut self.position, &input, &mut Off);
        done.map_err(|refusal| refusal.to_string())
    }

    fn run(&mut self, action: Action) -> Result<(), String> {
        self.act(Input::Act(Deed::Run(action)))
    }

    fn edit(&mut self, change: impl FnOnce(&mut State)) {
        let mut state = self.position.state().clone();
        change(&mut state);
        self.position = Position::new(state);
    }

    fn step(&mut self, step: &Value) -> Result<(), String> {
        let action = &step["action"];
        match action["type"].as_str() {
            Some("move") => self.go(action, &step["expect"]),
            Some("map_event") => self.verb(action),
            other => Err(format!("unknown action {other:?}")),
        }
    }

    /// A bare verb. Its amount is rounded down, and one below 0 does nothing.
    fn verb(&mut self, action: &Value) -> Result<(), String> {
        let amount = action["amount"].as_f64().ok_or("the verb needs an `amount`")?;
        let amount = amount.floor().clamp(0.0, i32::MAX.into()) as i32;
        let verb = match action["event"].as_str() {
            Some("MAP_RECEIVE_DAMAGE") => Verb::Damage(amount),
            Some("MAP_HEAL") => Verb::Heal(amount),
            Some("MAP_SPEND_GOLD") => Verb::Spend(amount),
            Some("MAP_GAIN_GOLD") => Verb::Gain(amount),
            other => return Err(format!("unknown verb {other:?}")),
        };
        self.run(Action::Operator(verb))?;
        // Nobody died of a bare verb there: at 0 HP the visit went on.
        self.edit(|state| state.tower.edit().end = None);
        Ok(())
    }

    fn go(&mut self, action: &Value, expect: &Value) -> Result<(), String> {
        let accepted = action["accepted"] != false;
        let before = self.position.clone();
        let moved = self.move_to(&action["node"]);
        match (moved, accepted) {
            (Ok(()), true) => {}
            (Err(_), false) => {
                self.position = before;
                return Ok(());
            }
            (Ok(()), false) => return Err("accepted, but was refused there".into()),
            (Err(text), true) => return Err(text),
        }
        self.stock(&action["stock"])?;
        for pick in action["picks"].as_array().into_iter().flatten() {
            self.pick(pick, expect)?;
        }
        self.dream(expect)
    }

    fn move_to(&mut self, node: &Value) -> Result<(), String> {
        let target = place_of(node).ok_or("no such node")?;
        let tower = &self.position.state().tower;
        let Some(here) = tower.place else { return self.set_out(target) };
        if target.y != here.y + 1 {
            return Err(format!("row {} does not follow row {}", target.y + 1, here.y + 1));
        }
        if tower.fighting.is_some() {
            // A fight was left to whoever drove the engine there; a move did not wait for it.
            self.edit(|state| {
                state.tower.edit().fighting = None;
                state.combat = Combat::default();
            });
        }
        self.run(Action::Go(target.x))
    }

    /// Who stands nowhere may begin at any node, and nothing happens there.
    fn set_out(&mut self, target: Place) -> Result<(), String> {
        if !self.position.state().tower.fate.map.node(target).exists() {
            return Err("no such node".into());
        }
        self.edit(|state| {
            state.tower.edit().place = Some(target);
            state.run.floor = target.y + 1;
        });
        Ok(())
    }

    /// The recorded stock in place of ours.
    fn stock(&mut self, stock: &Value) -> Result<(), String> {
        let Some(cards) = stock["cards"].as_array() else { return Ok(()) };
        let find = |kind: &'static str, name: &Value| {
            let name = name.as_str().unwrap_or_default();
            self.game.catalog.find(kind, name).ok_or_else(|| format!("no {kind} named {name}"))
        };
        let cards: Vec<u16> = cards.iter().map(|c| find("card", c)).collect::<Result<_, _>>()?;
        let relics = stock["relics"].as_array().into_iter().flatten();
        let relics: Vec<u16> = relics.map(|r| find("relic", r)).collect::<Result<_, _>>()?;
        let price = |card: u16| match self.game.rulebook.card(CardNo(card)).rarity {
            Some(Rarity::Uncommon) => 75,
            Some(Rarity::Rare) => 150,
            _ => 50,
        };
        let cards: Vec<(u16, u32)> = cards.into_iter().map(|c| (c, price(c))).collect();
        self.edit(|state| {
            if let Some(Screen::Shop(shop)) = state.tower.edit().screens.last_mut() {
                for (slot, (card, base_price)) in shop.stock.cards.iter_mut().zip(cards) {
                    *slot = ShopCard { card: CardNo(card), rarity: slot.rarity, base_price };
                }
                for (slot, relic) in shop.stock.relics.iter_mut().zip(relics) {
                    *slot = ShopRelic { relic: RelicNo(relic), base_price: 150 };
                }
            }
        });
        Ok(())
    }

    /// A pick that is refused returns to the menu, as it did there.
    fn pick(&mut self, pick: &Value, expect: &Value) -> Result<(), String> {
        if let Some(index) = pick["index"].as_u64() {
            return self.choose(index);
        }
        let word = pick.as_str().ok_or_else(|| format!("{pick} is neither an option nor a card"))?;
        let action = self.action_named(word).ok_or_else(|| format!("no option is called {word}"))?;
        let locked = action == Action::Recall && expect["counters"]["ruby_key"] != true;
        if locked || self.run(action).is_err() {
            return Ok(());
        }
        match self.position.state().tower.screen() {
            Some(Screen::Rewards(list)) if matches!(list[..], [Reward::Relic(_)]) => self.dig(expect),
            _ => Ok(()),
        }
    }

    /// Chooses a card of the deck.
    fn choose(&mut self, index: u64) -> Result<(), String> {
        let selling = matches!(self.position.state().tower.screen(), Some(Screen::Shop(_)));
        // What leaves no choice is not asked here.
        if let Some(pending) = self.position.pending() {
            let deck = &self.position.state().run.deck;
            let chosen = usize::try_from(index).ok().and_then(|index| Some((index, deck.get(index)?)));
            let (at, card) = chosen.ok_or_else(|| format!("the deck has no card {index}"))?;
            let at = match pending.question {
                // A card left by its name there: the first of that name.
                Asked::Run(Question::Deck(Pick { purpose: Purpose::Remove, .. })) => {
                    deck.iter().position(|c| c.id == card.id)
                }
                _ => Some(at),
            };
            self.act(Input::Choose(Reply::Run(at.unwrap_or_default() as u16)))?;
        }
        // The removal of a card ends a visit of the merchant.
        if selling { self.run(Action::Proceed) } else { Ok(()) }
    }

    /// The card that was dreamt of there, which nobody was asked about.
    fn dream(&mut self, expect: &Value) -> Result<(), String> {
        let state = self.position.state();
        let Some(Screen::Rewards(list)) = state.tower.screen() else { return Ok(()) };
        if !matches!(list[..], [Reward::Cards(_)]) {
            return Ok(());
        }
        let recorded = expect["master_deck"].as_array().map_or(&[][..], Vec::as_slice);
        let Some(dreamt) = recorded.get(state.run.deck.len()) else {
            return self.run(Action::Proceed);
        };
        let name = dreamt["id"].as_str().unwrap_or_default();
        let id = self.game.catalog.find("card", name).ok_or_else(|| format!("no card named {name}"))?;
        let offered =
            OfferedCard { card: CardNo(id), rarity: Rarity::Common, upgraded: dreamt["up"] == true };
        self.edit(|state| {
            if let Some(Screen::Rewards(list)) = state.tower.edit().screens.last_mut() {
                *list = vec![Reward::Cards([offered].into_iter().collect())];
            }
        });
        self.run(Action::TakeCard { reward: 0, card: 0 })
    }

    fn action_named(&self, word: &str) -> Option<Action> {
        let slot =
            |prefix: &str| -> Option<u8> { word.strip_prefix(prefix)?.parse::<u8>().ok()?.checked_sub(1) };
        if let Some(Screen::Event(event)) = self.position.state().tower.screen() {
            let script = self.game.journey().event(event.event)?;
            let options = &script.nodes.get(usize::from(event.node))?.options;
            let found = options.iter().position(|o| o.id.eq_ignore_ascii_case(word))?;
            return Some(Action::Option(found as u8));
        }
        Some(match word {
            "REST" => Action::Rest,
            "SMITH" => Action::Smith,
            "RECALL" => Action::Recall,
            "LEAVE" => Action::Proceed,
            "REMOVE_CARD" => Action::BuyRemoval,
            _ => match (slot("BUY_CARD_"), slot("BUY_RELIC_")) {
                (Some(i), _) => Action::BuyCard(i),
                (_, Some(i)) => Action::BuyRelic(i),
                _ => return self.offer_named(word),
            },
        })
    }

    /// What a relic offers at campfires; who lacks the relic, or has used it up, is refused.
    fn offer_named(&self, word: &str) -> Option<Action> {
        let (s, journey) = (self.position.state(), self.game.journey());
        let mut offers = journey.fire_offers(s);
        let offered = offers.find(|(_, name, _)| name.eq_ignore_ascii_case(word)).map(|(place, ..)| place);
        let relics = &self.game.catalog.relics;
        let known = relics.iter().filter_map(|relic| relic.rest_option.as_ref());
        let known = known.into_iter().any(|(name, ..)| name.eq_ignore_ascii_case(word));
        offered.or(known.then_some(u8::MAX)).map(Action::Offer)
    }

    /// The relic that was dug up there.
    fn dig(&mut self, expect: &Value) -> Result<(), String> {
        let relics = expect["player"]["relics"].as_array().and_then(|r| r.last());
        let name = relics.and_then(Value::as_str).unwrap_or_default();
        let id = self.game.catalog.find("relic", name).ok_or_else(|| format!("no relic named {name}"))?;
        self.edit(|state| {
            if let Some(Screen::Rewards(list)) = state.tower.edit().screens.last_mut() {
                *list = vec![Reward::Relic(RelicNo(id))];
            }
        });
        self.run(Action::Take(0))
    }

    /// Compares every recorded field. What no visit changes must be as it was at first; which enemies wait was
    /// rolled there.
    fn compare(&self, expect: &Value) -> Result<(), String> {
        let ours = self.project();
        let fields = expect.as_object().ok_or("there is no state to compare with")?;
        for (key, recorded) in fields.iter().filter(|(key, _)| *key != "pending_enemies") {
            let recorded = if key == "master_deck" { &self.deck(recorded) } else { recorded };
            compare_at(key, recorded, ours.get(key).unwrap_or(&Value::Null))
                .map_err(|divergence| divergence.to_string())?;
        }
        Ok(())
    }

    /// The recorded deck by our names; a card's numbers follow from its name and whether it is upgraded.
    fn deck(&self, recorded: &Value) -> Value {
        let card = |c: &Value| {
            let id = self.game.catalog.find("card", c["id"].as_str().unwrap_or_default());
            json!([id, c["up"] == true])
        };
        recorded.as_array().into_iter().flatten().map(card).collect()
    }

    /// The state in the words of the records.
    fn project(&self) -> Value {
        let s = self.position.state();
        let run = &s.run;
        let mut value = self.initial.clone();
        value["floor"] = run.floor.into();
        value["node"] = s.tower.place.map(|p| format!("floor{}-{}", p.y + 1, p.x + 1)).into();
        value["pending_combat"] = s.tower.fighting.is_some().into();
        value["event"] = Value::Null;
        value["master_deck"] = run.deck.iter().map(|card| json!([card.id, card.up > 0])).collect();
        let player = &mut value["player"];
        player["hp"] = run.hp.into();
        player["max_hp"] = run.max_hp.into();
        player["gold"] = run.gold.into();
        player["relics"] = run.relics.iter().map(|r| self.recorded_relic(r.id)).collect();
        self.project_counters(&mut value);
        value
    }

    /// Counters that belong to relics; without the relic they stay as they were.
    fn project_counters(&self, value: &mut Value) {
        let s = self.position.state();
        let counter = |name: &str| {
            let id: RelicNo = self.game.rulebook.tables.relics.find(name)?;
            s.run.relics.iter().find(|owned| owned.id == id.0).map(|owned| owned.counter)
        };
        let counters = &mut value["counters"];
        if let Some(lifts) = counter("girya") {
            let more = i64::from(lifts) - counters["girya"].as_i64().unwrap_or(0);
            counters["girya"] = lifts.into();
            let strength = self.initial["player"]["permanent_strength"].as_i64().unwrap_or(0);
            value["player"]["permanent_strength"] = (strength + more).into();
        }
        let counters = &mut value["counters"];
        if let Some(charges) = counter("wing_boots") {
            counters["winged_boots"] = charges.into();
        }
        if counter("ancient_tea_set") == Some(-2) {
            let stored = counters["rest_energy"].as_i64().unwrap_or(0);
            counters["rest_energy"] = (stored + 2).into();
        }
        counters["ruby_key"] = s.tower.has_key(Key::Ruby).into();
    }

    /// The name a relic has in the records.
    fn recorded_relic(&self, id: u16) -> Value {
        let info = &self.game.catalog.relics[usize::from(id)];
        info.alias.first().unwrap_or(&info.id).as_str().into()
    }
}
