//! Recorded visits of the hand-made map: moves, campfires, a merchant, a cleric.
//!
//! The recording engine rolled its own stock, relics and fights; those outcomes are taken from the record.

use serde_json::{Value, json};
use turnstone::{Game, Input, InputOf, Off, Position, Resolver};

use super::effect::{Action, Verb};
use super::game::{Climb, Of, Setup};
use super::plan::MapChoice;
use super::rulebook::Keepsake;
use super::tower::{Key, Reward, Screen, Shared, State};
use crate::game::Spire;
use crate::seeds::{CardNo, Character, Place, Rarity, RelicNo, ShopCard, ShopRelic};
use crate::state::{Combat, NONE};

type Whole = Climb<Spire>;
type Divergence = (String, String);

/// Whether a record is a visit of the map.
pub fn is_map_trace(record: &Value) -> bool {
    record["initial"].get("node").is_some() && record["initial"].get("piles").is_none()
}

/// Replays a visit.
pub fn conform(game: &Whole, record: &Value) -> Result<(), Divergence> {
    let initial = &record["initial"];
    let state = load(game, initial).map_err(|text| ("initial".to_owned(), text))?;
    let mut visit = Visit { game, position: Position::new(state), resolver: Resolver::default() };
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

fn load(game: &Whole, initial: &Value) -> Result<State, String> {
    let mut spire = game.arena.load_golden(initial)?;
    spire.combat = Combat::default();
    spire.run.act = 1;
    spire.run.floor = initial["floor"].as_u64().unwrap_or(0) as u8;
    let map = Some(MapChoice::Name(MAP.to_owned()));
    let setup = Setup { map, ..Setup::run(Character::Ironclad, 0) };
    let mut state = game.start(&setup, 1).map_err(|r| r.to_string())?;
    state.spire = spire;
    set_counter(game, &mut state, Keepsake::WingBoots, &initial["counters"]["winged_boots"]);
    set_counter(game, &mut state, Keepsake::Girya, &initial["counters"]["girya"]);
    let mut tower = (*state.tower).clone();
    tower.screens.clear();
    tower.place = place_of(&initial["node"]);
    tower.sandbox = true;
    if initial["counters"]["ruby_key"] == true {
        tower.keys |= 1 << Key::Ruby as u8;
    }
    state.tower = Shared::new(tower);
    Ok(state)
}

fn set_counter(game: &Whole, state: &mut State, keepsake: Keepsake, value: &Value) {
    let id = game.rulebook.relic(keepsake).0;
    if let Some(owned) = state.spire.run.relics.iter_mut().find(|r| r.id == id) {
        owned.counter = value.as_i64().unwrap_or(0) as i16;
    }
}

struct Visit<'g> {
    game: &'g Whole,
    position: Position<Whole>,
    resolver: Resolver<Whole>,
}

impl Visit<'_> {
    fn act(&mut self, input: InputOf<Whole>) -> Result<(), String> {
        let done = self.resolver.act(self.game, &mut self.position, &input, &mut Off);
        done.map_err(|refusal| refusal.to_string())
    }

    fn run(&mut self, action: Action) -> Result<(), String> {
        self.act(Input::Act(Of::Run(action)))
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
            Some("map_event") => {
                let amount = action["amount"].as_i64().unwrap_or(0) as i32;
                let verb = match action["event"].as_str() {
                    Some("MAP_RECEIVE_DAMAGE") => Verb::Damage(amount),
                    Some("MAP_HEAL") => Verb::Heal(amount),
                    Some("MAP_SPEND_GOLD") => Verb::Spend(amount),
                    Some("MAP_GAIN_GOLD") => Verb::Gain(amount),
                    other => return Err(format!("unknown verb {other:?}")),
                };
                self.run(Action::Operator(verb))
            }
            other => Err(format!("unknown action {other:?}")),
        }
    }

    fn go(&mut self, action: &Value, expect: &Value) -> Result<(), String> {
        let accepted = action["accepted"] != false;
        let target = place_of(&action["node"]).ok_or("no such node")?;
        let here = self.position.state().tower.place;
        let next_row = here.map_or(0, |p| p.y + 1);
        let moved = if target.y == next_row {
            self.run(Action::Go(target.x))
        } else {
            Err(format!("row {} does not follow row {next_row}", target.y + 1))
        };
        match (moved, accepted) {
            (Ok(()), true) => {}
            (Err(_), false) => return Ok(()),
            (Ok(()), false) => return Err("accepted, but was refused there".into()),
            (Err(text), true) => return Err(text),
        }
        self.stock(&action["stock"])?;
        for pick in action["picks"].as_array().into_iter().flatten() {
            self.pick(pick, expect)?;
        }
        Ok(())
    }

    /// The recorded stock in place of ours.
    fn stock(&mut self, stock: &Value) -> Result<(), String> {
        let Some(cards) = stock["cards"].as_array() else { return Ok(()) };
        let find = |kind: &'static str, name: &Value| {
            let name = name.as_str().unwrap_or_default();
            self.game.arena.catalog.find(kind, name).ok_or_else(|| format!("no {kind} named {name}"))
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
            let selling = matches!(self.position.state().tower.screen(), Some(Screen::Shop(_)));
            self.act(Input::Choose(Of::Run(index as u16)))?;
            // The removal of a card ends a visit of the merchant.
            return if selling { self.run(Action::Proceed) } else { Ok(()) };
        }
        let word = pick.as_str().unwrap_or_default();
        let Some(action) = self.action_named(word) else { return Ok(()) };
        let locked = action == Action::Recall && expect["counters"]["ruby_key"] != true;
        if locked || self.run(action).is_err() {
            return Ok(());
        }
        if action == Action::Dig {
            self.dig(expect)?;
        }
        Ok(())
    }

    fn action_named(&self, word: &str) -> Option<Action> {
        let slot =
            |prefix: &str| -> Option<u8> { word.strip_prefix(prefix)?.parse::<u8>().ok()?.checked_sub(1) };
        if let Some(Screen::Event(event)) = self.position.state().tower.screen() {
            let script = self.game.rulebook.book.event(event.event)?;
            let options = &script.nodes.get(usize::from(event.node))?.options;
            let found = options.iter().position(|o| o.id.eq_ignore_ascii_case(word))?;
            return Some(Action::Option(found as u8));
        }
        Some(match word {
            "REST" => Action::Rest,
            "SMITH" => Action::Smith,
            "LIFT" => Action::Lift,
            "TOKE" => Action::Toke,
            "DIG" => Action::Dig,
            "RECALL" => Action::Recall,
            "LEAVE" => Action::Proceed,
            "REMOVE_CARD" => Action::BuyRemoval,
            _ => match (slot("BUY_CARD_"), slot("BUY_RELIC_")) {
                (Some(i), _) => Action::BuyCard(i),
                (_, Some(i)) => Action::BuyRelic(i),
                _ => return None,
            },
        })
    }

    /// The relic that was dug up there.
    fn dig(&mut self, expect: &Value) -> Result<(), String> {
        let relics = expect["player"]["relics"].as_array().and_then(|r| r.last());
        let name = relics.and_then(Value::as_str).unwrap_or_default();
        let id =
            self.game.arena.catalog.find("relic", name).ok_or_else(|| format!("no relic named {name}"))?;
        self.edit(|state| {
            if let Some(Screen::Rewards(list)) = state.tower.edit().screens.last_mut() {
                *list = vec![Reward::Relic(RelicNo(id))];
            }
        });
        self.run(Action::Take(0))
    }

    fn compare(&self, expect: &Value) -> Result<(), String> {
        let ours = self.project();
        for (key, value) in ours.as_object().into_iter().flatten() {
            let recorded = expect.pointer(key).unwrap_or(&Value::Null);
            let recorded = if key == "/master_deck" { self.deck(recorded) } else { recorded.clone() };
            if !recorded.is_null() && recorded != *value {
                return Err(format!("{key}: recorded {recorded}, ours {value}"));
            }
        }
        Ok(())
    }

    /// The recorded deck by our names.
    fn deck(&self, recorded: &Value) -> Value {
        let card = |c: &Value| {
            let id = self.game.arena.catalog.find("card", c["id"].as_str().unwrap_or_default());
            json!([id, c["up"] == true])
        };
        recorded.as_array().into_iter().flatten().map(card).collect()
    }

    fn project(&self) -> Value {
        let s = self.position.state();
        let run = &s.spire.run;
        let rulebook = &self.game.rulebook;
        let counter = |k: Keepsake| rulebook.counter(run, k).unwrap_or(0);
        let tea = if counter(Keepsake::AncientTeaSet) == -2 { 2 } else { 0 };
        let place = s.tower.place.map(|p| format!("floor{}-{}", p.y + 1, p.x + 1));
        let relics: Vec<&str> = run.relics.iter().map(|r| self.recorded_relic(r.id)).collect();
        let potions = run.potions.iter().filter(|p| **p != NONE).count();
        json!({
            "/player/hp": run.hp, "/player/max_hp": run.max_hp, "/player/gold": run.gold,
            "/player/relics": relics, "/player/permanent_strength": counter(Keepsake::Girya),
            "/counters/girya": counter(Keepsake::Girya),
            "/counters/winged_boots": counter(Keepsake::WingBoots),
            "/counters/rest_energy": tea,
            "/counters/ruby_key": s.tower.has_key(Key::Ruby),
            "/floor": run.floor, "/node": place,
            "/pending_combat": s.tower.fighting.is_some(),
            "/master_deck": run.deck.iter().map(|c| json!([c.id, c.up > 0])).collect::<Value>(),
            "/potion_count": potions,
        })
    }

    /// The name a relic has in the records.
    fn recorded_relic(&self, id: u16) -> &str {
        let info = &self.game.arena.catalog.relics[usize::from(id)];
        info.alias.first().unwrap_or(&info.id)
    }
}
