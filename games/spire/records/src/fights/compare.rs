//! Comparing a state of ours with a canonical one, field by field.

use super::Reader;
use serde_json::{Value, json};
use turnstone_spire::catalog::words::CardType;
use turnstone_spire::state::{Card, Life, NO_COST, Pile, Slot, Stage, State, card_flag};

/// The numbers by which a trace knows cards.
#[derive(Clone, Debug, Default)]
pub struct Uids {
    known: Vec<Option<u32>>,
    next: u32,
}

impl Uids {
    /// The cards of a freshly loaded state by the numbers that the record gives them; one that has none is
    /// known by its place in the list.
    pub fn new(initial: &Value) -> Self {
        let cards = initial["cards"].as_array().map_or(&[][..], Vec::as_slice);
        let uid =
            |(index, card): (usize, &Value)| card["uid"].as_u64().map_or(index as u32 + 1, |uid| uid as u32);
        let known: Vec<Option<u32>> = cards.iter().enumerate().map(uid).map(Some).collect();
        let next = known.iter().flatten().max().map_or(1, |last| last.saturating_add(1));
        Uids { known, next }
    }

    /// Newcomers take the next numbers, in list order.
    pub fn update(&mut self, s: &State) {
        let combat = &s.combat;
        self.known.resize(combat.cards.len(), None);
        let mut fresh: Vec<Slot> = (0..combat.cards.len() as Slot)
            .filter(|&slot| self.known[slot as usize].is_none() && listed(&combat.cards[slot as usize]))
            .collect();
        fresh.sort_by_key(|&slot| combat.order[slot as usize]);
        for slot in fresh {
            self.known[slot as usize] = Some(self.next);
            self.next += 1;
        }
    }

    /// The card of a number.
    pub fn slot(&self, uid: u32) -> Option<Slot> {
        self.known.iter().position(|known| *known == Some(uid)).map(|index| index as Slot)
    }

    /// The number the next newcomer takes.
    pub fn next_uid(&self) -> u32 {
        self.next
    }

    fn uid(&self, slot: Slot) -> u32 {
        self.known.get(slot as usize).copied().flatten().unwrap_or(0)
    }
}

/// Copies and vanished cards are in no list.
fn listed(card: &Card) -> bool {
    card.pile != Pile::Gone && !card.has(card_flag::COPY)
}

impl Reader<'_> {
    /// The first difference, as path, expected and ours.
    pub fn compare_golden(&self, s: &State, expect: &Value, uids: &Uids) -> Result<(), String> {
        if expect.get("cards").is_none() {
            return self.compare_after(s, expect);
        }
        self.compare_player(s, expect)?;
        self.compare_counters(s, expect)?;
        self.compare_piles(s, expect, uids)?;
        self.compare_cards(s, expect, uids)?;
        self.compare_enemies(s, expect)?;
        same("turn", &expect["turn"], json!(s.combat.counts.turn))?;
        let result = match s.combat.stage {
            Stage::Won => json!("victory"),
            Stage::Lost => json!("defeat"),
            _ => Value::Null,
        };
        same("result", expect.get("result").unwrap_or(&Value::Null), result)?;
        self.compare_deck(s, expect)
    }

    fn compare_after(&self, s: &State, expect: &Value) -> Result<(), String> {
        same("player.hp", &expect["player"]["hp"], json!(s.run.hp))?;
        same("player.max_hp", &expect["player"]["max_hp"], json!(s.run.max_hp))?;
        same("player.gold", &expect["player"]["gold"], json!(s.run.gold))?;
        self.compare_deck(s, expect)
    }

    fn compare_player(&self, s: &State, expect: &Value) -> Result<(), String> {
        let player = &expect["player"];
        let body = s.combat.player();
        same("player.hp", &player["hp"], json!(body.hp))?;
        same("player.max_hp", &player["max_hp"], json!(body.max_hp))?;
        same("player.block", &player["block"], json!(body.block))?;
        same("player.energy", &player["energy"], json!(s.combat.energy))?;
        same("player.gold", &player["gold"], json!(s.run.gold))?;
        let stance = &self.catalog.stances[s.combat.stance as usize];
        same("player.stance", &player["stance"], json!(stance.alias.first().unwrap_or(&stance.id)))?;
        let mut status = self.project_powers(s, 0);
        let necronomicon =
            s.run.relics.iter().any(|relic| {
                self.catalog.relics[relic.id as usize].id == "necronomicon" && relic.counter > 0
            });
        if necronomicon {
            status["necronomiconThisTurn"] = json!(true);
        }
        let mut wanted = player["status"].clone();
        if let Some(map) = wanted.as_object_mut() {
            map.retain(|_, value| *value != false);
        }
        same("player.status", &wanted, status)?;
        let orbs: Vec<Value> = s
            .combat
            .orbs
            .iter()
            .map(|orb| {
                let info = &self.catalog.orbs[orb.id as usize];
                let name = info.alias.first().unwrap_or(&info.id);
                if info.stored > 0 { json!({"id": name, "dark": orb.stored}) } else { json!({"id": name}) }
            })
            .collect();
        same("player.orbs", &player["orbs"], json!(orbs))?;
        same("player.max_orbs", &player["max_orbs"], json!(s.combat.orb_slots))?;
        let potions: Vec<&str> = s
            .run
            .potions
            .iter()
            .map(|&id| {
                let info = &self.catalog.potions[id as usize];
                info.alias.first().map_or(info.id.as_str(), String::as_str)
            })
            .collect();
        same("player.potions", &player["potions"], json!(potions))
    }

    fn project_powers(&self, s: &State, who: usize) -> Value {
        let mut map = serde_json::Map::new();
        for power in &s.combat.bodies[who].powers {
            let info = &self.catalog.powers[power.id as usize];
            if power.n != 0 && !info.hidden {
                map.insert(info.alias.first().unwrap_or(&info.id).clone(), json!(power.n));
            }
        }
        Value::Object(map)
    }

    fn compare_counters(&self, s: &State, expect: &Value) -> Result<(), String> {
        let counters = &expect["counters"];
        let counts = &s.combat.counts;
        same("counters.pen_nib", &counters["pen_nib"], json!(counts.attack_count))?;
        same("counters.times_hp_lost", &counters["times_hp_lost"], json!(counts.times_hurt))?;
        same(
            "counters.cards_discarded_this_turn",
            &counters["cards_discarded_this_turn"],
            json!(counts.discarded),
        )?;
        same("counters.powers_played", &counters["powers_played"], json!(counts.powers_played))?;
        same("counters.mantra_gained", &counters["mantra_gained"], json!(counts.mantra))?;
        let played: Vec<String> =
            s.combat.played.iter().map(|&kind| CardType::ALL[kind as usize].1.to_uppercase()).collect();
        same("counters.cards_played_this_turn", &counters["cards_played_this_turn"], json!(played))?;
        for (name, count) in counters["channeled"].as_object().into_iter().flatten() {
            let Some(id) = self.catalog.find("orb", name) else { continue };
            same("counters.channeled", count, json!(counts.channeled[id as usize]))?;
        }
        Ok(())
    }

    fn compare_piles(&self, s: &State, expect: &Value, uids: &Uids) -> Result<(), String> {
        let piles = &expect["piles"];
        let draw: Vec<u32> = s.combat.draw.iter().rev().map(|&slot| uids.uid(slot)).collect();
        same("piles.draw", &piles["draw"], json!(draw))?;
        for (name, pile) in [
            ("hand", Pile::Hand),
            ("discard", Pile::Discard),
            ("exhaust", Pile::Exhaust),
            ("nightmare", Pile::Limbo),
        ] {
            let mut ours: Vec<u32> = s.combat.pile(pile).iter().map(|&slot| uids.uid(slot)).collect();
            let mut theirs: Vec<u32> = piles[name]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|uid| uid.as_u64().map(|uid| uid as u32))
                .collect();
            ours.sort_unstable();
            theirs.sort_unstable();
            same(&format!("piles.{name}"), &json!(theirs), json!(ours))?;
        }
        Ok(())
    }

    fn compare_cards(&self, s: &State, expect: &Value, uids: &Uids) -> Result<(), String> {
        for held in expect["cards"].as_array().into_iter().flatten() {
            let uid = held["uid"].as_u64().unwrap_or(0) as u32;
            let Some(slot) = uids.slot(uid) else { return Err(format!("cards: card {uid} is not there")) };
            let card = &s.combat.cards[slot as usize];
            let info = &self.catalog.cards[card.id as usize];
            let at = |key: &str| format!("cards[{uid}].{key}");
            let name = held["id"].as_str().unwrap_or("");
            if self.catalog.find("card", name) != Some(card.id) {
                return Err(format!("cards[{uid}].id: expected {name}, ours {}", info.id));
            }
            same(&at("up"), &held["up"], json!(card.up > 0))?;
            if let Some((base, key)) = self.golden_number(card.id, card.up)
                && let Some(expected) = held.get(key)
            {
                same(&at(key), expected, json!(base + card.grown))?;
            }
            if let Some(times) = held.get("timesRetained") {
                same(&at("timesRetained"), times, json!(card.kept))?;
            }
            let zero = if card.turn_cost == 0 { json!(1) } else { json!(0) };
            same(&at("costsZeroThisTurn"), held.get("costsZeroThisTurn").unwrap_or(&json!(0)), zero)?;
            if let Some(cost) = held.get("confused") {
                let ours = if card.cost == NO_COST { Value::Null } else { json!(card.cost) };
                same(&at("confused"), cost, ours)?;
            }
            if let Some(cost) = held.get("cost") {
                let ours = match self.cost_now(s, card, slot) {
                    -1 => json!(s.combat.energy),
                    cost => json!(cost.max(0)),
                };
                same(&at("cost"), cost, ours)?;
            }
            if let Some(playable) = held.get("playable") {
                let limit = i32::from(s.combat.counts.cards_played) < self.card_limit(s);
                let ours = limit && self.affordable(s, slot) && self.playable(s, slot).is_ok();
                same(&at("playable"), playable, json!(ours))?;
            }
        }
        Ok(())
    }

    fn grows(&self, card: &Card) -> bool {
        use turnstone_spire::catalog::compile::{Node, Op};
        use turnstone_spire::catalog::expr::Read;
        let program = self.catalog.cards[card.id as usize].forms[card.form()].program;
        let reads = |num: &turnstone_spire::catalog::compile::Num| match num {
            turnstone_spire::catalog::compile::Num::Expr(index) => self.mentions(*index, Read::Grown),
            turnstone_spire::catalog::compile::Num::Const(_) => false,
        };
        let _ = Node::Int(0);
        self.catalog.program(program).iter().any(|op| match op {
            Op::Attack { amount, .. } | Op::Block { amount, .. } => reads(amount),
            _ => false,
        })
    }

    fn mentions(&self, index: u16, wanted: turnstone_spire::catalog::expr::Read) -> bool {
        use turnstone_spire::catalog::compile::Node;
        match &self.catalog.exprs[index as usize] {
            Node::Two(_, a, b) => self.mentions(*a, wanted) || self.mentions(*b, wanted),
            Node::Read(read, ..) => *read == wanted,
            _ => false,
        }
    }

    fn compare_enemies(&self, s: &State, expect: &Value) -> Result<(), String> {
        let theirs: Vec<&Value> = expect["enemies"].as_array().into_iter().flatten().collect();
        // A monster that left by splitting is gone from the list there.
        let ours: Vec<usize> =
            (1..s.combat.bodies.len()).filter(|&who| s.combat.bodies[who].life != Life::Escaped).collect();
        if theirs.len() != ours.len() {
            return Err(format!("enemies: expected {}, ours {}", theirs.len(), ours.len()));
        }
        for (enemy, who) in theirs.into_iter().zip(ours) {
            self.compare_enemy(s, enemy, who)?;
        }
        Ok(())
    }

    fn compare_enemy(&self, s: &State, enemy: &Value, who: usize) -> Result<(), String> {
        let body = &s.combat.bodies[who];
        let info = &self.catalog.monsters[body.kind as usize];
        let at = |key: &str| format!("enemies[{who}].{key}");
        if self.catalog.find("monster", enemy["id"].as_str().unwrap_or("")) != Some(body.kind) {
            return Err(format!("{}: expected {}, ours {}", at("id"), enemy["id"], info.id));
        }
        same(&at("hp"), &enemy["hp"], json!(body.hp))?;
        same(&at("max_hp"), &enemy["max_hp"], json!(body.max_hp))?;
        same(&at("block"), &enemy["block"], json!(body.block))?;
        same(&at("status"), &enemy["status"], self.project_powers(s, who))?;
        same(&at("dead"), &enemy["dead"], json!(body.life == Life::Dead))?;
        same(&at("reviving"), &enemy["reviving"], json!(body.life == Life::HalfDead))?;
        let intent = info.moves.get(body.intent as usize).map(|made| made.name.as_str());
        same(&at("intent"), &enemy["intent"], json!(intent))?;
        let history = enemy["vars"]["history"].as_array().map_or(&[][..], Vec::as_slice);
        if let Some(last) = history.last() {
            let ours = info.moves.get(body.history[0] as usize).map(|made| made.name.as_str());
            same(&at("history"), last, json!(ours))?;
        }
        for (index, (name, ..)) in info.vars.iter().enumerate() {
            if let Some(expected) = enemy["vars"].get(name.as_str()).filter(|value| value.is_number()) {
                same(&at(name), expected, json!(body.vars[index]))?;
            }
        }
        Ok(())
    }

    fn compare_deck(&self, s: &State, expect: &Value) -> Result<(), String> {
        for (index, held) in expect["master_deck"].as_array().into_iter().flatten().enumerate() {
            let Some(card) = s.run.deck.get(index) else { return Err("master_deck: too short".into()) };
            same(&format!("master_deck[{index}].up"), &held["up"], json!(card.up > 0))?;
            let grown = Card { grown: card.grown, ..Card::new(card.id, card.up) };
            if let Some((base, key)) = self.golden_number(card.id, card.up)
                && let Some(expected) = held.get(key)
                && self.grows(&grown)
            {
                same(&format!("master_deck[{index}].{key}"), expected, json!(base + card.grown))?;
            }
        }
        Ok(())
    }
}

fn same(path: &str, expected: &Value, ours: Value) -> Result<(), String> {
    let (a, b) = (expected.as_f64(), ours.as_f64());
    if *expected == ours || a.is_some() && a == b {
        return Ok(());
    }
    // Keys may stand in another order.
    if let (Some(theirs), Some(mine)) = (expected.as_object(), ours.as_object())
        && theirs.len() == mine.len()
        && theirs.iter().all(|(key, value)| {
            mine.get(key).is_some_and(|other| {
                other.as_f64() == value.as_f64() && (other.is_number() || other == value)
            })
        })
    {
        return Ok(());
    }
    Err(format!("{path}: expected {expected}, ours {ours}"))
}
