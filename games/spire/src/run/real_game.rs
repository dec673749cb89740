//! Follows a recorded run of the real game, screen by screen, and compares every fact that the seed decides.
//!
//! The recordings leave out some choices. Facts that depend on them are taken over instead of compared.

use serde_json::{Value, json};

use super::conform::{Divergence, character_of, compare_at, seed_of, unreadable};
use super::fate::{Fate, RunSetup};
use super::holder::{CardKind, DeckCard, Holder};
use super::ids::{CardNo, CardType, FightNo, RelicNo, Rules};
use super::map::{BOSS_ROW, Map, Place, Room};
use super::neow::{Bonus, NeowGift};
use super::record::{map_record, upper};
use super::rewards::{CardOdds, CardOffer};
use super::shop::{Discounts, price};
use super::tables::{Tables, card_type};
use super::unknown::UnknownRelics;
use super::walk::Beginner;

pub(super) fn conform(record: &Value) -> Result<(), Divergence> {
    let setup = RunSetup {
        seed: seed_of(record)?,
        character: character_of(record)?,
        ascension: record["ascension"].as_u64().unwrap_or(0).min(20) as u8,
        rules: Rules::Original,
    };
    compare_maps(record, setup)?;
    let mut follower = Follower::new(setup);
    for (i, option) in record["neow"].as_array().into_iter().flatten().enumerate() {
        let ours = follower.fate.neow.get(i).ok_or_else(|| unreadable(option, "four options only"))?;
        let ours = json!({ "bonus": upper(ours.bonus.word()), "drawback": upper(ours.drawback.word()) });
        compare_at(&format!("neow[{i}]"), option, &ours)?;
    }
    for (i, screen) in record["screens"].as_array().into_iter().flatten().enumerate() {
        follower.screen(&format!("screens[{i}]"), screen)?;
    }
    Ok(())
}

fn compare_maps(record: &Value, setup: RunSetup) -> Result<(), Divergence> {
    for (i, map) in record["maps"].as_array().into_iter().flatten().enumerate() {
        let act = map["act"].as_u64().unwrap_or(1) as u8;
        let ours = map_record(&Map::generate(setup.seed, act, setup.ascension, setup.rules));
        compare_at(&format!("maps[{i}].rows"), &map["rows"], &ours["rows"])?;
    }
    Ok(())
}

struct Follower {
    tables: &'static Tables,
    fate: Fate,
    deck: Vec<DeckCard>,
    relics: Vec<RelicNo>,
    gold: u32,
    floor: u8,
    place: Option<Place>,
    last_room: Room,
    /// The cards that the next card screen must show.
    offer: Option<CardOffer>,
    gift: NeowGift,
}

impl Follower {
    fn new(setup: RunSetup) -> Self {
        let tables = Tables::embedded();
        let beginner = Beginner::new(tables, setup);
        let start = beginner.at(1, 0, 0);
        Follower {
            tables,
            fate: Fate::new(tables, setup),
            deck: start.deck.to_vec(),
            relics: start.relics.to_vec(),
            gold: start.gold,
            floor: 0,
            place: None,
            last_room: Room::Event,
            offer: None,
            gift: NeowGift::default(),
        }
    }

    /// The draws take the player as a value, the state as a mutable one: hence the split.
    fn parts(&mut self) -> (&mut Fate, Holder<'_>) {
        let holder = Holder {
            floor: self.floor,
            act: self.fate.act,
            row: self.place.map_or(0, |p| p.y),
            gold: self.gold,
            hp: 80,
            max_hp: 80,
            relics: &self.relics,
            deck: &self.deck,
            potions: &[],
        };
        (&mut self.fate, holder)
    }

    fn owns(&self, name: &str) -> bool {
        self.tables.relics.find(name).is_some_and(|r: RelicNo| self.relics.contains(&r))
    }

    fn screen(&mut self, path: &str, screen: &Value) -> Result<(), Divergence> {
        self.take_over_relics(screen);
        self.gold = screen["gold"].as_u64().map_or(self.gold, |g| g as u32);
        let floor = screen["floor"].as_u64().unwrap_or(0) as u8;
        if floor > self.floor {
            self.enter(path, floor, screen)?;
        }
        if let Some(cards) = screen.get("cards") {
            self.card_screen(path, cards, &screen["picked"])?;
        } else if screen.get("rewards").is_some() {
            self.reward_screen(path, screen)?;
        } else if let Some(shop) = screen.get("shop") {
            self.shop_screen(path, shop)?;
        } else if let Some(relics) = screen.get("boss_relics") {
            let tables = self.tables;
            let (fate, holder) = self.parts();
            let ours = fate.boss_chest(tables, &holder).map(|r| tables.record_name(tables.relics.name(r)));
            compare_at(&format!("{path}.boss_relics"), relics, &json!(ours))?;
        } else if let Some(picked) = screen["picked"].as_u64() {
            match screen["screen"].as_str() {
                Some("NEOW") => self.neow(picked as usize),
                Some("MAP") => self.choose_node(path, picked as usize)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Relics that appear without a reward of ours came from an event or a shop.
    fn take_over_relics(&mut self, screen: &Value) {
        let tables = self.tables;
        let names = screen["relics"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let owned: Vec<RelicNo> = names.filter_map(|n| tables.relics.find(&n.to_lowercase())).collect();
        for relic in owned.iter().filter(|r| !self.relics.contains(r)).copied().collect::<Vec<_>>() {
            if self.last_room == Room::Event && self.floor > 0 {
                let (fate, holder) = self.parts();
                let mut tried = fate.clone();
                if tried.event_relic(tables, &holder) == relic {
                    *fate = tried;
                }
            }
            self.fate.relics.forget(relic);
        }
        if !owned.is_empty() {
            self.relics = owned;
        }
    }

    fn neow(&mut self, picked: usize) {
        let Some(&option) = self.fate.neow.get(picked) else { return };
        let tables = self.tables;
        if option.bonus == Bonus::BossRelic {
            self.relics.clear();
        }
        let (fate, holder) = self.parts();
        let gift = fate.neow_gift(tables, &holder, option);
        self.offer = (!gift.offer.is_empty()).then(|| gift.offer.clone());
        self.relics.extend(gift.relic);
        self.gift = gift;
    }

    fn choose_node(&mut self, path: &str, picked: usize) -> Result<(), Divergence> {
        let next: Vec<Place> = match self.place {
            None => self.fate.map.row(0).map(|(p, _)| p).collect(),
            Some(place) => {
                let above = |x| Place { x, y: place.y + 1 };
                self.fate.map.node(place).targets().map(above).collect()
            }
        };
        let found = || Divergence {
            path: format!("{path}.picked"),
            expected: picked.to_string(),
            found: format!("one of columns {:?}", next.iter().map(|p| p.x).collect::<Vec<_>>()),
        };
        self.place = Some(next.get(picked).copied().ok_or_else(found)?);
        Ok(())
    }

    fn enter(&mut self, path: &str, floor: u8, screen: &Value) -> Result<(), Divergence> {
        self.floor = floor;
        self.offer = None;
        self.fate.enter_floor(floor);
        let room = match screen["room"].as_str() {
            Some("MonsterRoomElite") => Room::Elite,
            Some("MonsterRoomBoss") => Room::Boss,
            Some("MonsterRoom") => Room::Monster,
            Some("RestRoom") => Room::Rest,
            Some("ShopRoom") => Room::Shop,
            Some("TreasureRoom") => Room::Treasure,
            Some("EventRoom") => Room::Event,
            _ => return Ok(()),
        };
        let place = self.place.unwrap_or(Place { x: 3, y: BOSS_ROW });
        let shown = self.fate.map.node(place).room.unwrap_or(Room::Boss);
        let ours = match shown {
            Room::Event => {
                let relics = UnknownRelics { no_fights: self.owns("juzu_bracelet"), ..Default::default() };
                self.fate.resolve_unknown(self.last_room == Room::Shop, relics)
            }
            other => other,
        };
        compare_at(&format!("{path}.room"), &upper(room.word()).into(), &upper(ours.word()).into())?;
        self.last_room = room;
        self.meet(path, room, screen)
    }

    fn meet(&mut self, path: &str, room: Room, screen: &Value) -> Result<(), Divergence> {
        let tables = self.tables;
        match room {
            Room::Monster | Room::Elite => {
                let fight = match room {
                    Room::Monster => self.fate.next_monster(tables),
                    _ => self.fate.next_elite(tables),
                };
                self.compare_fight(path, fight, &screen["fight"])
            }
            Room::Event => {
                let (fate, holder) = self.parts();
                let event = fate.choose_event(tables, &holder);
                if let Some(event) = event {
                    fate.enter_event(tables, &holder, event);
                }
                let ours = event.map(|e| tables.record_name(tables.events.name(e)));
                match screen.get("event") {
                    Some(name) => compare_at(&format!("{path}.event"), name, &ours.into()),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn compare_fight(&self, path: &str, fight: FightNo, monsters: &Value) -> Result<(), Divergence> {
        let names: Vec<&str> = monsters.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let fight = self.tables.fights.name(fight);
        if names.is_empty() || could_be(fight, &names) {
            return Ok(());
        }
        let path = format!("{path}.fight");
        Err(Divergence { path, expected: monsters.to_string(), found: fight.into() })
    }

    fn card_screen(&mut self, path: &str, cards: &Value, picked: &Value) -> Result<(), Divergence> {
        if self.last_room == Room::Rest && self.offer.is_none() {
            // Dream Catcher: resting brings a card.
            self.offer = Some(self.card_offer(CardOdds::Normal));
        }
        let Some(offer) = self.offer.clone() else { return Ok(()) };
        let ours: Value = offer
            .iter()
            .map(|o| {
                json!({ "id": self.tables.record_name(self.tables.cards.name(o.card)),
                "upgraded": o.upgraded || self.egg_upgrades(o.card) })
            })
            .collect();
        compare_at(&format!("{path}.cards"), cards, &ours)?;
        if let Some(taken) = picked.as_u64().and_then(|i| offer.get(i as usize)) {
            let kind = match self.kind(taken.card) {
                Some(CardType::Attack) => CardKind::Attack,
                Some(CardType::Power) => CardKind::Power,
                _ => CardKind::Skill,
            };
            self.deck.push(DeckCard { card: taken.card, kind, basic: false, removable_curse: false });
        }
        Ok(())
    }

    fn kind(&self, card: CardNo) -> Option<CardType> {
        self.tables.characters.iter().find_map(|c| card_type(c, card))
    }

    fn egg_upgrades(&self, card: CardNo) -> bool {
        match self.kind(card) {
            Some(CardType::Attack) => self.owns("molten_egg"),
            Some(CardType::Skill) => self.owns("toxic_egg"),
            Some(CardType::Power) => self.owns("frozen_egg"),
            None => false,
        }
    }

    fn card_offer(&mut self, odds: CardOdds) -> CardOffer {
        let more = usize::from(self.owns("question_card"));
        let fewer = if self.owns("busted_crown") { 2 } else { 0 };
        let factor = if self.owns("nloths_gift") { 3 } else { 1 };
        self.fate.card_reward(self.tables, odds, (3 + more).saturating_sub(fewer), factor)
    }

    fn reward_screen(&mut self, path: &str, screen: &Value) -> Result<(), Divergence> {
        let tables = self.tables;
        let mut ours = Vec::new();
        let recorded = &screen["rewards"];
        let stolen = |r: &&Value| r["type"] == "STOLEN_GOLD";
        ours.extend(recorded.as_array().into_iter().flatten().filter(stolen).cloned());
        let odds = match self.last_room {
            Room::Monster => CardOdds::Normal,
            Room::Elite => CardOdds::Elite,
            Room::Boss => CardOdds::Boss,
            Room::Treasure => {
                ours.extend(self.chest_rewards());
                return compare_at(&format!("{path}.rewards"), recorded, &ours.into());
            }
            _ => return Ok(()),
        };
        let gold = match odds {
            CardOdds::Normal => self.fate.monster_gold(),
            CardOdds::Elite => self.fate.elite_gold(),
            CardOdds::Boss => self.fate.boss_gold(),
        };
        ours.push(json!({ "type": "GOLD", "gold": self.with_idol(gold) }));
        if odds == CardOdds::Elite {
            let (fate, holder) = self.parts();
            let relic = fate.elite_relic(tables, &holder);
            ours.push(relic_reward(tables, relic));
        }
        let certain = self.owns("white_beast_statue");
        if let Some(potion) = self.fate.potion_drop(tables, certain, ours.len()) {
            let name = tables.record_name(tables.potions.name(potion));
            ours.push(json!({ "type": "POTION", "id": name }));
        }
        self.offer = Some(self.card_offer(odds));
        ours.push(json!({ "type": "CARD" }));
        compare_at(&format!("{path}.rewards"), recorded, &ours.into())
    }

    fn chest_rewards(&mut self) -> Vec<Value> {
        let tables = self.tables;
        let (fate, holder) = self.parts();
        let chest = fate.make_chest();
        let (gold, relic) = fate.open_chest(tables, &holder, chest);
        let gold = gold.map(|g| json!({ "type": "GOLD", "gold": self.with_idol(g) }));
        gold.into_iter().chain([relic_reward(tables, relic)]).collect()
    }

    fn with_idol(&self, gold: u32) -> u32 {
        if self.owns("golden_idol") { gold + super::half_up(gold as f32 * 0.25) as u32 } else { gold }
    }

    fn shop_screen(&mut self, path: &str, shop: &Value) -> Result<(), Divergence> {
        let tables = self.tables;
        let discounts =
            Discounts { courier: self.owns("the_courier"), membership: self.owns("membership_card") };
        let (fate, holder) = self.parts();
        let stock = fate.make_shop(tables, &holder);
        let (ascension, rules) = (fate.ascension, fate.rules);
        let full = |base: u32| price(base, ascension, rules, discounts);
        let named = |name: &str, base: u32| json!({ "id": tables.record_name(name), "price": full(base) });
        let cards = stock.cards.iter().map(|c| named(tables.cards.name(c.card), c.base_price));
        let relics = stock.relics.iter().map(|r| named(tables.relics.name(r.relic), r.base_price));
        let potions = stock.potions.iter().map(|p| named(tables.potions.name(p.potion), p.base_price));
        let ours = json!({
            "cards": cards.collect::<Value>(), "relics": relics.collect::<Value>(),
            "potions": potions.collect::<Value>(),
        });
        for kind in ["cards", "relics", "potions"] {
            let mut recorded = shop[kind].clone();
            // Only a name and a price follow from the seed; eggs upgrade what they like.
            for item in recorded.as_array_mut().into_iter().flatten() {
                if let Some(fields) = item.as_object_mut() {
                    fields.remove("upgraded");
                }
            }
            if recorded != Value::Null {
                compare_at(&format!("{path}.shop.{kind}"), &recorded, &ours[kind])?;
            }
        }
        Ok(())
    }
}

fn relic_reward(tables: &Tables, relic: RelicNo) -> Value {
    json!({ "type": "RELIC", "id": tables.record_name(tables.relics.name(relic)) })
}

/// Whether a group of monsters can be the named fight. Louse and slaver are recorded without a colour.
fn could_be(fight: &str, monsters: &[&str]) -> bool {
    let parts: &[&str] = match fight {
        "two_louse" => &["LOUSE"; 2],
        "three_louse" => &["LOUSE"; 3],
        "small_slimes" => &["SLIME"; 2],
        "lots_of_slimes" => &["SLIME_S"; 5],
        "large_slime" => &["SLIME_L"],
        "gremlin_gang" => &["GREMLIN"; 4],
        "red_slaver" | "blue_slaver" => &["SLAVER"],
        "two_fungi_beasts" => &["FUNGI_BEAST"; 2],
        "three_sentries" => &["SENTRY"; 3],
        "exordium_thugs" | "exordium_wildlife" => return monsters.len() == 2,
        "two_thieves" | "chosen_and_byrds" | "centurion_and_healer" | "cultist_and_chosen" => {
            return monsters.len() == 2;
        }
        "sentry_and_sphere" | "shelled_parasite_and_fungi" => return monsters.len() == 2,
        "three_byrds" => &["BYRD"; 3],
        "three_cultist" => &["CULTIST"; 3],
        "gremlin_leader" => return monsters.iter().any(|m| m.contains("LEADER")),
        "slavers" => return monsters.iter().any(|m| m.contains("TASKMASTER")),
        "shell_parasite" => &["PARASITE"],
        "jaw_worm_horde" => &["JAW_WORM"; 3],
        "three_darklings" => &["DARKLING"; 3],
        "three_shapes" => return monsters.len() == 3,
        "four_shapes" => return monsters.len() == 4,
        "sphere_and_two_shapes" | "reptomancer" => return monsters.len() >= 3,
        single => return monsters.len() == 1 && similar(monsters[0], single),
    };
    monsters.len() == parts.len() && monsters.iter().zip(parts).all(|(m, part)| m.contains(part))
}

fn similar(monster: &str, fight: &str) -> bool {
    let monster = monster.to_lowercase();
    monster.contains(fight) || fight.contains(&monster)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_told_apart() {
        assert!(could_be("small_slimes", &["ACID_SLIME_S", "SPIKE_SLIME_M"]));
        assert!(could_be("jaw_worm", &["JAW_WORM"]));
        assert!(!could_be("jaw_worm", &["CULTIST"]));
        assert!(!could_be("three_louse", &["LOUSE", "LOUSE"]));
    }
}
