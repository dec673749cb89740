//! Runs in the words of the recorded files, so that the two can be compared field by field.

use serde_json::{Map as Object, Value, json};

use super::walk::{ActWalk, Beginner, Content, Rewards, Step, walk};
use turnstone_spire::seeds::CardOffer;
use turnstone_spire::seeds::EventDetail;
use turnstone_spire::seeds::Names;
use turnstone_spire::seeds::NeowOption;
use turnstone_spire::seeds::Tables;
use turnstone_spire::seeds::seed_to_text;
use turnstone_spire::seeds::{CardNo, FightNo, PotionNo, RelicNo, Rules, Tier};
use turnstone_spire::seeds::{Fate, RunSetup};
use turnstone_spire::seeds::{HEIGHT, Map, Room};
use turnstone_spire::seeds::{Stock, price, removal_price};

/// A name as the recorded files spell it.
pub fn record_name(name: &str) -> String {
    let spelt = match name {
        "strike_ironclad" => "STRIKE_RED",
        "defend_ironclad" => "DEFEND_RED",
        "strike_silent" => "STRIKE_GREEN",
        "defend_silent" => "DEFEND_GREEN",
        "strike_defect" => "STRIKE_BLUE",
        "defend_defect" => "DEFEND_BLUE",
        "strike_watcher" => "STRIKE_PURPLE",
        "defend_watcher" => "DEFEND_PURPLE",
        other => return other.to_uppercase(),
    };
    spelt.to_owned()
}

/// Writes values with the names of the recorded files.
pub(super) struct Recorder<'t> {
    pub tables: &'t Tables,
}

impl Recorder<'_> {
    fn names<T: Copy + Into<usize>>(&self, names: &Names, list: &[T]) -> Value {
        list.iter().map(|&n| Value::from(record_name(names.name(n)))).collect()
    }

    fn card(&self, card: CardNo) -> String {
        record_name(self.tables.cards.name(card))
    }

    fn relic(&self, relic: RelicNo) -> String {
        record_name(self.tables.relics.name(relic))
    }

    fn potion(&self, potion: PotionNo) -> String {
        record_name(self.tables.potions.name(potion))
    }

    fn fight(&self, fight: FightNo) -> String {
        record_name(self.tables.fights.name(fight))
    }

    fn offer(&self, offer: &CardOffer) -> Value {
        let card = |o: &turnstone_spire::seeds::OfferedCard| json!({ "id": self.card(o.card), "rarity": upper(o.rarity.word()), "upgraded": o.upgraded });
        offer.iter().map(card).collect()
    }

    fn offers(&self, offer: &CardOffer) -> Value {
        if offer.is_empty() { json!([]) } else { json!([self.offer(offer)]) }
    }

    fn rewards(&self, rewards: &Rewards) -> Value {
        json!({
            "gold": rewards.gold.into_iter().collect::<Vec<_>>(),
            "relics": rewards.relic.map(|r| self.relic(r)).into_iter().collect::<Vec<_>>(),
            "potions": rewards.potion.map(|p| self.potion(p)).into_iter().collect::<Vec<_>>(),
            "cards": self.offers(&rewards.cards),
            "emerald_key": rewards.emerald_key,
            "sapphire_key": rewards.sapphire_key,
        })
    }

    /// The set-up record of a seed.
    pub fn setup(&self, seed: u64, rules: Rules) -> Value {
        let character = self.tables.characters.find("ironclad").unwrap_or_default();
        let fate = Fate::new(self.tables, RunSetup { seed, character, ascension: 0, rules });
        let mut record = Object::new();
        record.insert("seed_string".into(), seed_to_text(seed).into());
        record.insert("neow".into(), fate.neow.iter().map(|o| self.option(*o)).collect());
        record.insert("act1_monsters".into(), self.names(&self.tables.fights, &fate.fights.monsters));
        record.insert("act1_elites".into(), self.names(&self.tables.fights, &fate.fights.elites));
        record.insert("act1_boss".into(), self.fight(fate.boss()).into());
        self.pools(&fate, &mut record);
        let maps = (1..=3).flat_map(|act| [(act, 0), (act, 20)]);
        let maps = maps.map(|(act, ascension)| {
            let mut map = map_record(&Map::generate(&self.tables.map_plan(act, ascension), seed, rules));
            map["act"] = act.into();
            map["ascension"] = ascension.into();
            map
        });
        record.insert("maps".into(), maps.collect());
        record.into()
    }

    fn option(&self, option: NeowOption) -> Value {
        let name = |gift| upper(self.tables.gifts.names.name(gift));
        json!({ "bonus": name(option.bonus), "drawback": option.drawback.map_or("NONE".into(), name) })
    }

    fn pools(&self, fate: &Fate, record: &mut Object<String, Value>) {
        for &tier in Tier::ALL {
            let names = self.names(&self.tables.relics, fate.relics.pool(tier));
            record.insert(format!("{}_relics", tier.word()), names);
        }
    }

    /// The whole walk of a run.
    pub fn walk(&self, setup: RunSetup) -> Value {
        let acts = walk(self.tables, setup);
        let mut record = Object::new();
        record.insert("seed_string".into(), seed_to_text(setup.seed).into());
        let fresh = Fate::new(self.tables, setup);
        let neow = fresh.neow.iter().map(|o| self.gift(setup, *o));
        record.insert("neow".into(), neow.collect());
        self.pools(&fresh, &mut record);
        record.insert("acts".into(), acts.iter().map(|a| self.act(a)).collect());
        record.into()
    }

    /// An option with what it would bring, from a fresh run.
    fn gift(&self, setup: RunSetup, option: NeowOption) -> Value {
        let mut fate = Fate::new(self.tables, setup);
        let beginner = Beginner::new(self.tables, setup);
        let gift = fate.neow_gift(self.tables, &beginner.at(1, 0, 0), option);
        let mut value = self.option(option);
        value["relic"] = gift.relics.first().map(|r| self.relic(*r)).into();
        value["card"] = gift.cards.first().map(|c| self.card(*c)).into();
        value["curse"] = gift.curses.first().map(|c| self.card(*c)).into();
        value["offer"] = json!({
            "gold": [], "relics": [], "emerald_key": false, "sapphire_key": false,
            "potions": gift.potions.iter().map(|p| self.potion(*p)).collect::<Vec<_>>(),
            "cards": gift.offers.first().map_or(json!([]), |offer| self.offers(offer)),
        });
        value["card_counter"] = fate.streams.card.counter().into();
        value["neow_counter"] = fate.streams.neow.counter().into();
        value["potion_counter"] = fate.streams.potion.counter().into();
        value
    }

    fn act(&self, act: &ActWalk) -> Value {
        let start = &act.start;
        let mut value = map_record(&start.map);
        value["act"] = start.act.into();
        value["monsters"] = self.names(&self.tables.fights, &start.fights.monsters);
        value["elites"] = self.names(&self.tables.fights, &start.fights.elites);
        value["boss"] = self.fight(start.boss()).into();
        value["second_boss"] = start.second_boss(self.tables).map(|f| self.fight(f)).into();
        value["monster_counter"] = start.streams.monster.counter().into();
        value["card_counter"] = start.streams.card.counter().into();
        value["walk"] = act.steps.iter().map(|s| self.step(s)).collect();
        value["boss_chest"] = act.boss_chest.map(|c| self.names(&self.tables.relics, &c)).into();
        value
    }

    fn step(&self, step: &Step) -> Value {
        let mut value = json!({
            "floor": step.floor, "x": step.place.x, "y": step.place.y,
            "map": upper(step.shown.word()), "room": upper(step.room.word()),
            "after": after(&step.after),
        });
        match &step.content {
            Content::Fight(fight, rewards) => {
                value["encounter"] = self.fight(*fight).into();
                value["rewards"] = rewards.as_ref().map(|r| self.rewards(r)).into();
            }
            Content::Chest(chest, rewards) => {
                value["chest"] = json!({
                    "size": upper(chest.size.word()), "has_gold": chest.has_gold,
                    "tier": capital(chest.tier.word()),
                });
                value["rewards"] = self.rewards(rewards);
            }
            Content::Shop(stock) => value["shop"] = self.shop(stock, &step.after),
            Content::Event(event, detail) => {
                let name = record_name(self.tables.events.name(*event));
                value["event"] = name.into();
                value["detail"] = detail.as_ref().map(|d| self.detail(d)).into();
            }
            Content::Quiet => {}
        }
        value
    }

    fn shop(&self, stock: &Stock, fate: &Fate) -> Value {
        let full = |base: u32| price(base, self.tables.hardship(fate.ascension), fate.rules);
        let cards = stock.cards.iter().map(|c| {
            json!({ "id": self.card(c.card), "rarity": upper(c.rarity.word()),
                "price": full(c.base_price), "base_price": c.base_price })
        });
        let relics = stock.relics.iter().map(
            |r| json!({ "id": self.relic(r.relic), "price": full(r.base_price), "base_price": r.base_price }),
        );
        let potions = stock.potions.iter().map(|p| {
            json!({ "id": self.potion(p.potion), "price": full(p.base_price), "base_price": p.base_price })
        });
        json!({
            "cards": cards.collect::<Value>(), "relics": relics.collect::<Value>(),
            "potions": potions.collect::<Value>(), "sale_slot": stock.sale_slot,
            "remove_price": removal_price(0),
        })
    }

    fn detail(&self, detail: &EventDetail) -> Value {
        let index = |i: &Option<u16>| i.map_or(-1, i32::from);
        match detail {
            EventDetail::GuardedFinds { order, guardian } => {
                json!({ "order": order, "encounter": self.fight(*guardian) })
            }
            EventDetail::TwoServices { upgrade_one, clean_up_removes } => {
                json!({ "upgrade_one": upgrade_one, "clean_up_is_remove": clean_up_removes })
            }
            EventDetail::OneOfEachType { attack, skill, power } => {
                json!({ "attack": index(attack), "skill": index(skill), "power": index(power) })
            }
            EventDetail::Potions { potions } => {
                json!({ "potions": self.names(&self.tables.potions, potions) })
            }
            EventDetail::Belongings { potion, gold, card } => {
                json!({ "potion": potion, "gold": gold, "card": card })
            }
            EventDetail::Gold { gold_loss } => json!({ "gold_loss": gold_loss }),
            EventDetail::Pairs { board } => {
                json!({ "board": self.names(&self.tables.cards, board) })
            }
        }
    }
}

/// A map as the records write it.
pub fn map_record(map: &Map) -> Value {
    let row = |y: u8| -> Value {
        let node = |(place, node): (turnstone_spire::seeds::Place, turnstone_spire::seeds::Node)| {
            let letter = node.room.map_or('?', Room::letter).to_string();
            json!({ "x": place.x, "room": letter, "to": node.targets().collect::<Vec<_>>() })
        };
        map.row(y).map(node).collect()
    };
    json!({
        "rows": (0..HEIGHT as u8).map(row).collect::<Value>(),
        "burning_elite": map.burning.map(|(p, _)| [p.x, p.y]),
        "burning_buff": map.burning.map(|(_, b)| b.0),
    })
}

fn after(fate: &Fate) -> Value {
    let streams = &fate.streams;
    json!({
        "card": streams.card.counter(), "event": streams.event.counter(),
        "merchant": streams.merchant.counter(), "misc": streams.misc.counter(),
        "monster": streams.monster.counter(), "potion": streams.potion.counter(),
        "relic": streams.relic.counter(), "treasure": streams.treasure.counter(),
        "potion_chance": fate.drift.potion_chance, "rarity_offset": fate.drift.rarity_offset,
        "unknown_percent": fate.drift.unknown.percents(),
    })
}

fn upper(word: &str) -> String {
    word.to_uppercase()
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(chars).collect()
}
