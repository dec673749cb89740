//! Follows a recorded run of the real game, screen by screen, and compares every fact that the seed decides.
//!
//! The recordings leave out some choices. Facts that depend on them are taken over instead of compared. What is
//! drawn is drawn by the rules of the run itself, so that every relic has its say.

use serde_json::{Value, json};
use turnstone::{Game, Rejection, Settled};

use crate::seeds::{
    Divergence, act_of, ascension_of, character_of, compare_at, entries, map_record, record_name, require,
    seed_of,
};
use turnstone_spire::Spire;
use turnstone_spire::State;
use turnstone_spire::catalog::compile::Op;
use turnstone_spire::catalog::words::{Moment, Pool, Stage};
use turnstone_spire::run::Journey;
use turnstone_spire::run::Setup;
use turnstone_spire::run::action::Ware;
use turnstone_spire::run::effect::Effect;
use turnstone_spire::run::event::Event;
use turnstone_spire::run::tower::{FightKind, Reward, Screen, Shop};
use turnstone_spire::seeds::{
    BOSS_ROW, CardNo, CardOdds, CardOffer, Chest, EventDetail, Fate, FightNo, Map, NeowGift, NeowOption,
    Place, RelicNo, Room, Rules, Tables,
};
use turnstone_spire::state::{DeckCard, OwnedRelic};

/// Whether a record is a run of the real game.
pub fn is_real_game(record: &Value) -> bool {
    record.get("screens").is_some() && record.get("bosses").is_some()
}

/// Follows a run.
///
/// # Errors
/// The first difference, or what is wrong with the record.
pub fn conform(game: &Spire, record: &Value) -> Result<(), Divergence> {
    require("", record, &["neow", "maps", "screens"])?;
    let (seed, ascension) = (seed_of(record)?, ascension_of(record)?);
    let tables = &game.rulebook.tables;
    compare_maps(tables, record, seed, ascension)?;
    let setup = Setup::run(tables.characters.name(character_of(tables, record)?), ascension);
    let refused = |refusal: Rejection| Divergence::unreadable("(record)", &refusal.to_string());
    let mut follower = Follower::new(game, game.start(&setup, seed).map_err(refused)?, record);
    for (i, offered) in entries(&record["neow"]) {
        let ours = follower.state.tower.fate.neow.get(i).map(|offer| option(tables, offer));
        compare_at(&format!("neow[{i}]"), offered, &ours.into())?;
    }
    if entries(&record["screens"]).next().is_none() {
        return Err(Divergence::unreadable("screens", "the record holds no screen"));
    }
    for (i, screen) in entries(&record["screens"]) {
        follower.screen(&format!("screens[{i}]"), screen)?;
    }
    Ok(())
}

fn option(tables: &Tables, option: &NeowOption) -> Value {
    let name = |gift| tables.gifts.names.name(gift).to_uppercase();
    json!({ "bonus": name(option.bonus), "drawback": option.drawback.map_or("NONE".into(), name) })
}

fn compare_maps(tables: &Tables, record: &Value, seed: u64, ascension: u8) -> Result<(), Divergence> {
    for (i, map) in entries(&record["maps"]) {
        let path = format!("maps[{i}]");
        require(&path, map, &["rows"])?;
        let ours = {
            let act = act_of(&path, map)?;
            map_record(&Map::generate(&tables.map_plan(act, ascension), seed, Rules::Original))
        };
        compare_at(&format!("{path}.rows"), &map["rows"], &ours["rows"])?;
    }
    Ok(())
}

/// What the recording calls the rooms.
fn room_named(name: &str) -> Option<Room> {
    Some(match name {
        "MonsterRoomElite" => Room::Elite,
        "MonsterRoomBoss" => Room::Boss,
        "MonsterRoom" => Room::Monster,
        "RestRoom" => Room::Rest,
        "ShopRoom" => Room::Shop,
        "TreasureRoom" => Room::Treasure,
        "EventRoom" => Room::Event,
        _ => return None,
    })
}

struct Follower<'g> {
    game: &'g Spire,
    state: State,
    /// The room the screens are in; none before Neow and at the boss's chest.
    room: Option<Room>,
    /// Card rewards that were not shown yet.
    offers: Vec<CardOffer>,
    /// What lies on the reward screen was drawn.
    rewarded: bool,
    gift: NeowGift,
}

impl<'g> Follower<'g> {
    fn new(game: &'g Spire, mut state: State, record: &Value) -> Self {
        let tower = state.tower.edit();
        tower.screens.clear();
        let keys = |text: String| text.contains("EMERALD_KEY") || text.contains("SAPPHIRE_KEY");
        if !keys(record["screens"].to_string()) {
            // A profile that has not won yet knows no keys.
            tower.keys = 7;
        }
        Follower { game, state, room: None, offers: Vec::new(), rewarded: false, gift: NeowGift::default() }
    }

    fn rulebook(&self) -> Journey<'g> {
        self.game.journey()
    }

    fn draw<T>(&mut self, draw: impl FnOnce(Journey<'g>, &State, &mut Fate) -> T) -> T {
        let mut fate = self.state.tower.fate.clone();
        let drawn = draw(self.rulebook(), &self.state, &mut fate);
        self.state.tower.edit().fate = fate;
        drawn
    }

    /// What an effect of the run becomes; only what it drew is written.
    fn happen(&mut self, effect: &Effect) -> Option<Event> {
        let Settled::Event(mut event) = self.rulebook().settle(&self.state, effect) else { return None };
        if let Some(change) = event.change_mut() {
            change.apply(&mut self.state.tower.edit().fate);
        }
        Some(event)
    }

    fn opened(&mut self, effect: &Effect) -> Option<Screen> {
        match self.happen(effect)? {
            Event::Opened { screen, .. } => Some(*screen),
            _ => None,
        }
    }

    fn screen(&mut self, path: &str, screen: &Value) -> Result<(), Divergence> {
        require(path, screen, &["floor", "room"])?;
        self.take_over(screen);
        let floor = screen["floor"].as_u64().and_then(|floor| u8::try_from(floor).ok());
        let floor = floor.ok_or_else(|| Divergence::unreadable(&format!("{path}.floor"), "no such floor"))?;
        if floor > self.state.run.floor {
            self.enter(path, floor, screen)?;
        }
        if let Some(cards) = screen.get("cards") {
            self.card_screen(path, cards, &screen["picked"])
        } else if let Some(rewards) = screen.get("rewards") {
            self.reward_screen(path, rewards)
        } else if let Some(shop) = screen.get("shop") {
            self.shop_screen(path, shop)
        } else if let Some(relics) = screen.get("boss_relics") {
            self.boss_chest(path, relics)
        } else {
            match (screen["screen"].as_str(), screen["picked"].as_u64()) {
                (Some("NEOW"), Some(picked)) => self.neow(path, picked),
                (Some("MAP"), Some(picked)) => self.choose_node(path, picked),
                _ => Ok(()),
            }
        }
    }

    /// Gold and relics as they were. A relic that no reward of ours explains came from an event or a shop.
    fn take_over(&mut self, screen: &Value) {
        if let Some(gold) = screen["gold"].as_i64().and_then(|gold| i32::try_from(gold).ok()) {
            self.state.run.gold = gold;
        }
        let tables = &self.game.rulebook.tables;
        let names = screen["relics"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let owned: Vec<RelicNo> = names.filter_map(|n| tables.relics.find(&n.to_lowercase())).collect();
        if owned.is_empty() {
            return;
        }
        let before = std::mem::take(&mut self.state.run.relics);
        for relic in &owned {
            let known = before.iter().find(|r| r.id == relic.0).copied();
            let counter = self.rulebook().first_counter(*relic);
            self.state.run.relics.push(known.unwrap_or(OwnedRelic { id: relic.0, counter }));
            if known.is_none() {
                self.explain(*relic);
                self.state.tower.edit().fate.relics.forget(*relic);
            }
        }
    }

    /// Draws an event's relic if that is what it was.
    fn explain(&mut self, relic: RelicNo) {
        if self.room != Some(Room::Event) {
            return;
        }
        let mut tried = self.state.tower.fate.clone();
        let tables = &self.game.rulebook.tables;
        let drawn = self.rulebook().with_holder(&self.state, |holder| tried.event_relic(tables, holder));
        if drawn == relic {
            self.state.tower.edit().fate = tried;
        }
    }

    fn neow(&mut self, path: &str, picked: u64) -> Result<(), Divergence> {
        let option = u8::try_from(picked).unwrap_or(u8::MAX);
        let offer = self.state.tower.fate.neow.get(usize::from(option)).copied();
        let (Some(offer), Some(Event::Gifted { gift, .. })) = (offer, self.happen(&Effect::Gift(option)))
        else {
            return Err(Divergence::unreadable(&format!("{path}.picked"), "Neow has four options"));
        };
        let run = &mut self.state.run;
        let gifts = &self.game.rulebook.tables.gifts;
        if offer.drawback.is_some_and(|cost| gifts.entry(cost).takes_the_starter) {
            run.relics.clear();
        }
        let relic =
            |relic: RelicNo| OwnedRelic { id: relic.0, counter: self.game.journey().first_counter(relic) };
        run.relics.extend(gift.relics.iter().copied().map(relic));
        run.deck.extend(gift.curses.iter().chain(&gift.cards).copied().map(plain));
        self.offers = gift.offers.to_vec();
        self.gift = *gift;
        Ok(())
    }

    fn choose_node(&mut self, path: &str, picked: u64) -> Result<(), Divergence> {
        if self.state.tower.place.is_some_and(|place| place.y >= BOSS_ROW) {
            let tables = &self.game.rulebook.tables;
            let tower = self.state.tower.edit();
            tower.fate.next_act(tables);
            (tower.place, tower.room) = (None, None);
            self.state.run.act += 1;
        }
        let columns = self.rulebook().next_columns(&self.state);
        let Some((x, _)) = usize::try_from(picked).ok().and_then(|picked| columns.get(picked)) else {
            let found = json!(columns.iter().map(|(x, _)| *x).collect::<Vec<_>>());
            return Err(Divergence::between(&format!("{path}.picked"), &picked.into(), &found));
        };
        let y = self.state.tower.place.map_or(0, |place| place.y + 1);
        self.state.tower.edit().place = Some(Place { x: *x, y });
        Ok(())
    }

    fn enter(&mut self, path: &str, floor: u8, screen: &Value) -> Result<(), Divergence> {
        self.offers.clear();
        self.rewarded = false;
        self.state.run.floor = floor;
        let tower = self.state.tower.edit();
        tower.fate.enter_floor(floor);
        tower.screens.clear();
        self.room = screen["room"].as_str().and_then(room_named);
        let Some(room) = self.room else { return Ok(()) };
        let place = tower.place.get_or_insert(Place { x: 3, y: BOSS_ROW });
        if room == Room::Boss {
            place.y = BOSS_ROW;
        }
        if let Some(arrived @ Event::Arrived { room: ours, .. }) = self.happen(&Effect::Arrive) {
            let (recorded, ours) = (room.word().to_uppercase(), ours.word().to_uppercase());
            compare_at(&format!("{path}.room"), &recorded.into(), &ours.into())?;
            self.rulebook().apply(&mut self.state, &arrived);
        }
        self.meet(path, room, screen)
    }

    fn meet(&mut self, path: &str, room: Room, screen: &Value) -> Result<(), Divergence> {
        match room {
            Room::Monster => self.meet_fight(path, FightKind::Monster, &screen["fight"]),
            Room::Elite => self.meet_fight(path, FightKind::Elite, &screen["fight"]),
            Room::Event => self.meet_event(path, screen.get("event")),
            Room::Shop => {
                let shop = self.opened(&Effect::OpenShop);
                self.state.tower.edit().screens.extend(shop);
                Ok(())
            }
            Room::Treasure => self.meet_chest(path, screen.get("chest")),
            // Who waits at the top depends on the profile, and a campfire draws nothing.
            Room::Boss | Room::Rest => Ok(()),
        }
    }

    fn meet_fight(&mut self, path: &str, kind: FightKind, monsters: &Value) -> Result<(), Divergence> {
        let Some(Event::FightBegan { fight, .. }) = self.happen(&Effect::Fight(kind)) else { return Ok(()) };
        self.compare_fight(path, fight, monsters)
    }

    fn compare_fight(&self, path: &str, fight: FightNo, monsters: &Value) -> Result<(), Divergence> {
        let names: Vec<&str> = monsters.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let fight = self.game.rulebook.tables.fights.name(fight);
        if names.is_empty() || could_be(fight, &names) {
            return Ok(());
        }
        Err(Divergence::between(&format!("{path}.fight"), monsters, &fight.into()))
    }

    /// Which event it is may hang on a curse that an unrecorded choice brought.
    fn meet_event(&mut self, path: &str, name: Option<&Value>) -> Result<(), Divergence> {
        let before = self.state.clone();
        let ours = self.open_event();
        let Some(name) = name.filter(|name| **name != ours) else { return Ok(()) };
        self.state = before;
        let curse = self.game.rulebook.tables.curses[0];
        self.state.run.deck.push(plain(curse));
        let cursed = self.open_event();
        if *name == cursed {
            return Ok(());
        }
        Err(Divergence::between(&format!("{path}.event"), name, &ours))
    }

    fn open_event(&mut self) -> Value {
        let Some(Screen::Event(event)) = self.opened(&Effect::OpenEvent) else { return Value::Null };
        let tables = &self.game.rulebook.tables;
        let name = record_name(tables.events.name(event.event));
        self.state.tower.edit().screens.push(Screen::Event(event));
        name.into()
    }

    fn meet_chest(&mut self, path: &str, name: Option<&Value>) -> Result<(), Divergence> {
        let Some(Screen::Chest(chest)) = self.opened(&Effect::OpenChest) else { return Ok(()) };
        self.state.tower.edit().screens.push(Screen::Chest(chest));
        match name {
            Some(name) => compare_at(&format!("{path}.chest"), name, &chest_name(chest).into()),
            None => Ok(()),
        }
    }

    fn card_screen(&mut self, path: &str, cards: &Value, picked: &Value) -> Result<(), Divergence> {
        if self.room == Some(Room::Rest) && self.offers.is_empty() {
            // Dream Catcher: resting brings a card.
            self.offers = vec![self.draw(|rules, s, fate| rules.card_offer(s, fate, CardOdds::Normal))];
        }
        let tables = &self.game.rulebook.tables;
        let named = |offer: &CardOffer| -> Value {
            let card = |o: &turnstone_spire::seeds::OfferedCard| json!({ "id": record_name(tables.cards.name(o.card)), "upgraded": o.upgraded });
            offer.iter().map(card).collect()
        };
        let Some(first) = self.offers.first() else { return Ok(()) };
        let path = format!("{path}.cards");
        let shown = self.offers.iter().position(|offer| compare_at(&path, cards, &named(offer)).is_ok());
        let Some(shown) = shown else { return compare_at(&path, cards, &named(first)) };
        let offer = self.offers.remove(shown);
        let taken = picked.as_u64().and_then(|i| offer.get(usize::try_from(i).ok()?));
        let deck = &mut self.state.run.deck;
        deck.extend(taken.map(|o| DeckCard { up: u8::from(o.upgraded), ..plain(o.card) }));
        Ok(())
    }

    /// The first reward screen of a room; later ones hold what was left.
    fn reward_screen(&mut self, path: &str, recorded: &Value) -> Result<(), Divergence> {
        if std::mem::replace(&mut self.rewarded, true) {
            return Ok(());
        }
        let ours = match self.room {
            Some(Room::Monster) => self.fight_rewards(FightKind::Monster, recorded),
            Some(Room::Elite) => self.fight_rewards(FightKind::Elite, recorded),
            Some(Room::Boss) => self.fight_rewards(FightKind::Boss, recorded),
            Some(Room::Treasure) => self.chest_rewards(),
            Some(Room::Rest) => self.dug_up(),
            Some(Room::Event) => return self.event_rewards(path, recorded),
            Some(Room::Shop) => return Ok(()),
            None => return self.gift_rewards(path, recorded),
        };
        self.compare_rewards(path, recorded, ours)
    }

    fn compare_rewards(&mut self, path: &str, recorded: &Value, ours: Vec<Reward>) -> Result<(), Divergence> {
        let named: Value = ours.iter().map(|reward| self.named(reward)).collect();
        self.offers.extend(ours.into_iter().filter_map(|reward| match reward {
            Reward::Cards(offer) => Some(offer),
            _ => None,
        }));
        compare_at(&format!("{path}.rewards"), recorded, &named)
    }

    fn named(&self, reward: &Reward) -> Value {
        let tables = &self.game.rulebook.tables;
        let id = |name: &str| record_name(name);
        match reward {
            Reward::Gold(gold) => json!({ "type": "GOLD", "gold": gold }),
            Reward::StolenGold(gold) => json!({ "type": "STOLEN_GOLD", "gold": gold }),
            Reward::Relic(relic) => json!({ "type": "RELIC", "id": id(tables.relics.name(*relic)) }),
            Reward::Potion(potion) => json!({ "type": "POTION", "id": id(tables.potions.name(*potion)) }),
            Reward::Cards(_) => json!({ "type": "CARD" }),
            Reward::Key(key) => json!({ "type": format!("{key:?}_KEY").to_uppercase() }),
        }
    }

    fn fight_rewards(&mut self, kind: FightKind, recorded: &Value) -> Vec<Reward> {
        let stolen = entries(recorded).find(|(_, reward)| reward["type"] == "STOLEN_GOLD");
        let stolen = stolen.and_then(|(_, reward)| reward["gold"].as_u64()).unwrap_or(0);
        self.state.tower.edit().stolen = u32::try_from(stolen).unwrap_or(0);
        let opened = self.opened(&Effect::Reward(kind));
        self.state.tower.edit().stolen = 0;
        rewards_of(opened)
    }

    fn chest_rewards(&mut self) -> Vec<Reward> {
        let Some(unlocked) = self.happen(&Effect::Unlock) else { return Vec::new() };
        self.rulebook().apply(&mut self.state, &unlocked);
        let screen = self.state.tower.edit().screens.pop();
        let rules = self.rulebook();
        for relic in self.state.run.relics.clone() {
            let deeds = rules.deeds(&self.state, RelicNo(relic.id), Moment::ChestOpened, 0, None);
            for op in deeds.into_iter().flat_map(|program| rules.steps(program)) {
                if matches!(op, Op::ObtainRandom { pool: Pool::Curse, .. }) {
                    self.happen(&Effect::RandomCurse);
                }
            }
        }
        rewards_of(screen)
    }

    fn dug_up(&mut self) -> Vec<Reward> {
        let relic = self
            .draw(|rules, s, fate| rules.with_holder(s, |holder| fate.found_relic(&rules.tables, holder)));
        vec![Reward::Relic(relic)]
    }

    /// An event says itself what it gives; after a fight a potion and cards follow as after any other.
    fn event_rewards(&mut self, path: &str, recorded: &Value) -> Result<(), Divergence> {
        let kind = |kind: &'static str| move |reward: &&Value| reward["type"] == kind;
        let list = || recorded.as_array().into_iter().flatten();
        if list().any(|reward| kind("CARD")(&reward)) {
            let given = list().filter(|reward| !kind("CARD")(reward) && !kind("POTION")(reward)).count();
            let (potion, cards) = self.draw(|rules, s, fate| {
                let chance = rules.altered(s, Stage::PotionChance, fate.potion_chance());
                let potion = fate.potion_drop(&rules.tables, chance, given);
                (potion.map(Reward::Potion), Reward::Cards(rules.card_offer(s, fate, CardOdds::Normal)))
            });
            let found: Value =
                list().filter(kind("POTION")).chain(list().filter(kind("CARD"))).cloned().collect();
            return self.compare_rewards(path, &found, potion.into_iter().chain([cards]).collect());
        }
        match self.state.tower.event().and_then(|event| event.detail.clone()) {
            Some(EventDetail::Potions { potions }) => {
                self.compare_rewards(path, recorded, potions.into_iter().map(Reward::Potion).collect())
            }
            _ => Ok(()),
        }
    }

    /// What lies before Neow, or what a relic of a boss brings.
    fn gift_rewards(&mut self, path: &str, recorded: &Value) -> Result<(), Divergence> {
        if !self.gift.potions.is_empty() {
            let potions = std::mem::take(&mut self.gift).potions;
            return self.compare_rewards(path, recorded, potions.into_iter().map(Reward::Potion).collect());
        }
        let mut ours = Vec::new();
        for (_, reward) in entries(recorded) {
            match reward["type"].as_str() {
                Some("POTION") => {
                    let potion = self.draw(|rules, _, fate| fate.roll_potion(&rules.tables));
                    ours.push((reward.clone(), Reward::Potion(potion)));
                }
                Some("CARD") => {
                    let cards = self.draw(|rules, s, fate| rules.card_offer(s, fate, CardOdds::Normal));
                    ours.push((reward.clone(), Reward::Cards(cards)));
                }
                _ => {}
            }
        }
        let (recorded, ours): (Vec<Value>, Vec<Reward>) = ours.into_iter().unzip();
        self.compare_rewards(path, &recorded.into(), ours)
    }

    fn boss_chest(&mut self, path: &str, recorded: &Value) -> Result<(), Divergence> {
        let relics =
            self.draw(|rules, s, fate| rules.with_holder(s, |holder| fate.boss_chest(&rules.tables, holder)));
        let tables = &self.game.rulebook.tables;
        let ours = relics.map(|relic| record_name(tables.relics.name(relic)));
        compare_at(&format!("{path}.boss_relics"), recorded, &json!(ours))
    }

    /// The first look at the wares; later ones hold what was left.
    fn shop_screen(&mut self, path: &str, recorded: &Value) -> Result<(), Divergence> {
        let Some(Screen::Shop(shop)) = self.state.tower.screen().cloned() else { return Ok(()) };
        let ours = self.named_wares(&shop);
        self.state.tower.edit().screens.clear();
        for kind in ["cards", "relics", "potions"] {
            let mut wares = recorded[kind].clone();
            // Only a name and a price follow from the seed; eggs upgrade what they like.
            for ware in wares.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
                ware.remove("upgraded");
            }
            if wares != Value::Null {
                compare_at(&format!("{path}.shop.{kind}"), &wares, &ours[kind])?;
            }
        }
        Ok(())
    }

    fn named_wares(&self, shop: &Shop) -> Value {
        let (rules, tables) = (self.rulebook(), &self.game.rulebook.tables);
        let ware = |name: &str, ware: Ware| json!({ "id": record_name(name), "price": rules.price(&self.state, ware) });
        let cards = shop.stock.cards.iter().zip(0..);
        let relics = shop.stock.relics.iter().zip(0..);
        let potions = shop.stock.potions.iter().zip(0..);
        json!({
            "cards": cards.map(|(c, i)| ware(tables.cards.name(c.card), Ware::Card(i))).collect::<Value>(),
            "relics": relics.map(|(r, i)| ware(tables.relics.name(r.relic), Ware::Relic(i))).collect::<Value>(),
            "potions": potions.map(|(p, i)| ware(tables.potions.name(p.potion), Ware::Potion(i))).collect::<Value>(),
        })
    }
}

fn plain(card: CardNo) -> DeckCard {
    DeckCard { id: card.0, up: 0, bottled: false, grown: 0 }
}

fn rewards_of(screen: Option<Screen>) -> Vec<Reward> {
    match screen {
        Some(Screen::Rewards(list)) => list,
        _ => Vec::new(),
    }
}

/// `SmallChest`, `MediumChest`, `LargeChest`.
fn chest_name(chest: Chest) -> String {
    format!("{:?}Chest", chest.size)
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
