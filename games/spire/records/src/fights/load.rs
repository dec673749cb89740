//! Canonical states of golden traces become states of ours.

use super::Reader;
use serde_json::Value;
use turnstone_spire::catalog::compile::{Alteration, Id, Node, Num, Op, Val};
use turnstone_spire::catalog::expr::Read;
use turnstone_spire::eval::Env;
use turnstone_spire::state::{
    Body, Card, Combat, DeckCard, Life, NO_CARD, NONE, Orb, OwnedRelic, Pile, Power, Run, Slot, Stage, State,
    card_flag,
};

/// A name that the content does not know, or a field of the wrong shape.
pub type Trouble = String;

fn number(value: &Value, key: &str) -> i64 {
    value.get(key).and_then(Value::as_i64).unwrap_or(0)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or("")
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

impl Reader<'_> {
    fn golden_id(&self, kind: &'static str, name: &str) -> Result<Id, Trouble> {
        self.catalog.find(kind, name).ok_or_else(|| format!("no {kind} named {name}"))
    }

    /// Loads a canonical state.
    ///
    /// # Errors
    /// What could not be understood.
    pub fn load_golden(&self, value: &Value) -> Result<State, Trouble> {
        let mut state = State { run: self.golden_run(value)?, ..State::default() };
        state.combat = self.golden_combat(value, &state.run)?;
        let combat = &mut state.combat;
        combat.bodies.iter_mut().for_each(|body| self.refresh_body(body));
        self.refresh_cards(&mut state);
        self.refresh_relics(&mut state);
        self.refresh_decided(&mut state);
        self.golden_cards(value, &mut state)?;
        Ok(state)
    }

    fn golden_run(&self, value: &Value) -> Result<Run, Trouble> {
        let player = &value["player"];
        let mut relics = Vec::new();
        for name in list(player, "relics") {
            let id = self.golden_id("relic", name.as_str().unwrap_or(""))?;
            relics.push(OwnedRelic { id, counter: self.golden_counter(id, value) });
        }
        let potions = list(player, "potions")
            .iter()
            .map(|name| self.golden_id("potion", name.as_str().unwrap_or("")))
            .collect::<Result<Vec<_>, _>>()?;
        let mut deck = Vec::new();
        for held in list(value, "master_deck") {
            let id = self.golden_id("card", text(held, "id"))?;
            let up = u8::from(held["up"] == true);
            let grown = self.golden_grown(id, up, held);
            deck.push(DeckCard { id, up, bottled: false, grown });
        }
        Ok(Run {
            seed: 1,
            character: self.catalog.find("character", &text(player, "id").to_lowercase()).unwrap_or(0),
            hp: number(player, "hp") as i16,
            max_hp: number(player, "max_hp") as i16,
            gold: number(player, "gold") as i32,
            energy: number(player, "max_energy") as i16,
            draw: 5,
            orb_slots: 3,
            act: 1,
            floor: 1,
            potion_slots: potions.len() as u8,
            strength: number(player, "permanent_strength") as i16,
            deck,
            relics,
            potions,
            ..Run::default()
        })
    }

    /// Counters of relics that the canonical state keeps elsewhere.
    fn golden_counter(&self, id: Id, value: &Value) -> i16 {
        let info = &self.catalog.relics[id as usize];
        let status = &value["player"]["status"];
        match info.id.as_str() {
            "necronomicon" => i16::from(status["necronomiconThisTurn"] == true),
            "inserter" => (number(value, "turn") % 2) as i16,
            "gambling_chip" => 1,
            "pen_nib" => number(&value["counters"], "pen_nib") as i16,
            _ => info.start,
        }
    }

    fn golden_combat(&self, value: &Value, run: &Run) -> Result<Combat, Trouble> {
        let player = &value["player"];
        let counters = &value["counters"];
        let mut combat = Combat {
            stage: Stage::Player,
            energy: number(player, "energy") as i16,
            energy_max: run.energy,
            encounter: NONE,
            orb_slots: number(player, "max_orbs") as u8,
            stance: self.golden_id("stance", text(player, "stance"))?,
            potion: NONE,
            no_shuffle: true,
            ..Combat::default()
        };
        let counts = &mut combat.counts;
        counts.turn = number(value, "turn") as u16;
        counts.attack_count = number(counters, "pen_nib") as u16;
        counts.times_hurt = number(counters, "times_hp_lost") as u16;
        counts.discarded = number(counters, "cards_discarded_this_turn") as u8;
        counts.powers_played = number(counters, "powers_played") as u16;
        counts.mantra = number(counters, "mantra_gained") as u16;
        counts.hp_at_turn_start = number(player, "hp") as i16;
        (counts.previous, counts.current) = (u8::MAX, u8::MAX);
        for kind in list(counters, "cards_played_this_turn") {
            let kind = self.golden_type(kind.as_str().unwrap_or(""))?;
            combat.played.push(kind);
            (combat.counts.previous, combat.counts.current) = (combat.counts.current, kind);
            combat.counts.cards_played += 1;
        }
        if let Some(channeled) = counters["channeled"].as_object() {
            for (name, count) in channeled {
                let id = self.golden_id("orb", name)?;
                combat.counts.channeled[id as usize] = count.as_u64().unwrap_or(0) as u8;
            }
        }
        for orb in list(player, "orbs") {
            let id = self.golden_id("orb", text(orb, "id"))?;
            let stored = orb.get("dark").and_then(Value::as_i64);
            combat.orbs.push(Orb { id, stored: stored.unwrap_or(0) as i16 });
        }
        let mut body = Body::new(NONE, number(player, "hp") as i16);
        body.max_hp = number(player, "max_hp") as i16;
        body.block = number(player, "block") as i16;
        body.powers = self.golden_powers(&player["status"])?;
        combat.add_body(body);
        for enemy in list(value, "enemies") {
            let mut body = self.golden_enemy(enemy)?;
            body.x = combat.right_end();
            combat.add_body(body);
        }
        Ok(combat)
    }

    /// The number of a card type, by its golden name.
    fn golden_type(&self, name: &str) -> Result<u8, Trouble> {
        let kind = turnstone_spire::catalog::words::CardType::parse(&name.to_lowercase());
        kind.map(|kind| kind as u8).ok_or_else(|| format!("no card type named {name}"))
    }

    fn golden_powers(&self, status: &Value) -> Result<Vec<Power>, Trouble> {
        let mut out = Vec::new();
        for (name, amount) in status.as_object().into_iter().flatten() {
            if let Some(n) = amount.as_i64() {
                let id = self.golden_id("power", name)?;
                out.push(Power { id, n: n as i16, stored: 0, fresh: false });
            }
        }
        out.sort_by_key(|power| power.id);
        Ok(out)
    }

    fn golden_enemy(&self, enemy: &Value) -> Result<Body, Trouble> {
        let kind = self.golden_id("monster", text(enemy, "id"))?;
        let info = &self.catalog.monsters[kind as usize];
        let find = |name: &str| {
            info.moves.iter().position(|made| made.name == name).map_or(255, |index| index as u8)
        };
        let mut body = Body::new(kind, number(enemy, "hp") as i16);
        body.max_hp = number(enemy, "max_hp") as i16;
        body.block = number(enemy, "block") as i16;
        body.life = match (enemy["reviving"] == true, enemy["dead"] == true) {
            (true, _) => Life::HalfDead,
            (false, true) => Life::Dead,
            _ => Life::Alive,
        };
        body.powers = self.golden_powers(&enemy["status"])?;
        body.intent = find(text(enemy, "intent"));
        let vars = &enemy["vars"];
        if let (true, Some(id)) = (vars["is_slow"] == true, self.catalog.power("is_slow")) {
            body.powers.push(Power { id, n: 1, stored: 0, fresh: false });
            body.powers.sort_by_key(|power| power.id);
        }
        for name in list(vars, "history") {
            let made = find(name.as_str().unwrap_or(""));
            body.history = [made, body.history[0], body.history[1]];
            body.moves += 1;
            if let Some(used) = body.used.get_mut(made as usize) {
                *used += 1;
            }
        }
        for (index, (name, ..)) in info.vars.iter().enumerate() {
            body.vars[index] = match &vars[name.as_str()] {
                Value::Bool(flag) => i16::from(*flag),
                Value::String(word) => i16::from(word == "middle"),
                other => other.as_i64().unwrap_or(0) as i16,
            };
        }
        Ok(body)
    }

    fn golden_cards(&self, value: &Value, s: &mut State) -> Result<(), Trouble> {
        for (index, held) in list(value, "cards").iter().enumerate() {
            let id = self.golden_id("card", text(held, "id"))?;
            let upgrades = held.get("numberOfUpgrades").and_then(Value::as_u64).unwrap_or(0) as u8;
            let mut card = Card::new(id, upgrades.max(u8::from(held["up"] == true)));
            card.kept = number(held, "timesRetained") as i16;
            card.cost_add = -(number(held, "retainCostReduction") as i8);
            if let Some(cost) = held.get("confused").and_then(Value::as_i64) {
                (card.cost, card.flags) = (cost as i8, card_flag::CONFUSED);
            }
            if held["retainThisTurn"] == true {
                card.flags |= card_flag::RETAIN;
            }
            if number(held, "costsZeroThisTurn") == 1 {
                card.turn_cost = 0;
            }
            card.grown = self.golden_grown(id, card.up, held);
            s.combat.cards.push(card);
            s.combat.order.push(index as i32);
            let pile = match text(held, "pile") {
                "draw" => Pile::Draw,
                "hand" => Pile::Hand,
                "discard" => Pile::Discard,
                "exhaust" => Pile::Exhaust,
                "nightmare" => Pile::Limbo,
                _ => Pile::Gone,
            };
            s.combat.place(index as Slot, pile);
        }
        self.refresh_cards(s);
        Ok(())
    }

    /// What a card has grown by, from its golden damage or block.
    fn golden_grown(&self, id: Id, up: u8, held: &Value) -> i16 {
        let Some((base, key)) = self.golden_number(id, up) else { return 0 };
        held.get(key).and_then(Value::as_i64).map_or(0, |number| number as i16 - base)
    }

    /// The damage or block a golden card shows, if ours depends on growth or is constant: number and key.
    pub fn golden_number(&self, id: Id, up: u8) -> Option<(i16, &'static str)> {
        let info = &self.catalog.cards[id as usize];
        let program = info.forms[usize::from(up > 0)].program;
        let found = self.catalog.program(program).iter().find_map(|op| match op {
            Op::Attack { amount, .. } => Some((*amount, "damage")),
            Op::Block { amount, .. } => Some((*amount, "block")),
            _ => None,
        });
        let (amount, key) = found?;
        if !self.reads_only_growth(amount) {
            return None;
        }
        let empty = State::default();
        let mut env = Env::new(&empty, self.card_ctx(NO_CARD));
        env.test = Some((Card::new(id, up), NO_CARD));
        Some((self.short(amount, &env), key))
    }

    fn reads_only_growth(&self, num: Num) -> bool {
        let Num::Expr(index) = num else { return true };
        match &self.catalog.exprs[index as usize] {
            Node::Int(_) => true,
            Node::Two(_, a, b) => {
                self.reads_only_growth(Num::Expr(*a)) && self.reads_only_growth(Num::Expr(*b))
            }
            Node::Read(read, Val::Nothing, _) => matches!(read, Read::Grown | Read::Upgrades),
            _ => false,
        }
    }

    /// Whether an alteration multiplies: used by the reader of classic numbers.
    pub fn multiplies(change: &Alteration) -> bool {
        matches!(change, Alteration::Mul(..))
    }
}
