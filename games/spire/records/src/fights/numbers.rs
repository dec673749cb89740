//! Golden numbers of the original: damage and block with their modifiers, under the ruleset `classic`.

use super::Reader;
use serde_json::{Value, json};
use turnstone_spire::catalog::words::DamageKind;
use turnstone_spire::state::{Body, Card, NONE, OwnedRelic, PLAYER, Pile, Stage, State};

const MONSTER: u8 = 1;

impl Reader<'_> {
    /// Checks one record.
    ///
    /// # Errors
    /// The first number that differs: its name, and both values.
    pub fn check_number(&self, record: &Value) -> Result<(), (String, String)> {
        let (given, wanted) = (&record["in"], &record["out"]);
        let kind = record["kind"].as_str().unwrap_or("");
        let ours = match kind {
            "player_attack_on_enemy" => self.number_of_attack(given),
            "enemy_attack_on_player" => self.number_of_defence(given),
            "card_block" => self.number_of_block(given),
            other => Err(format!("unknown kind {other}")),
        }
        .map_err(|text| ("record".to_string(), text))?;
        for (name, expected) in wanted.as_object().into_iter().flatten() {
            let got = ours.get(name).unwrap_or(&Value::Null);
            if got != expected {
                return Err((name.clone(), format!("expected {expected}, ours {got}")));
            }
        }
        Ok(())
    }

    /// Two bodies, and what the record gives them.
    fn bench_state(&self, given: &Value, relics: &[&str]) -> Result<State, String> {
        let mut s = State::default();
        s.run.max_hp = 9999;
        for name in relics.iter().filter(|name| given[**name] == true) {
            let id = self.catalog.find("relic", name).ok_or(format!("no relic {name}"))?;
            s.run.relics.push(OwnedRelic { id, counter: 0 });
        }
        s.combat.stage = Stage::Player;
        s.combat.add_body(Body::new(NONE, 9999));
        s.combat.add_body(Body::new(0, 9999));
        let stance = given["stance"].as_str().unwrap_or("NO_STANCE").to_lowercase();
        s.combat.stance = self.catalog.find("stance", &stance).unwrap_or(self.known.neutral);
        let strike = self.catalog.find("card", "strike_ironclad").ok_or("no Strike")?;
        let mut card = Card::new(strike, 0);
        (card.turn_cost, card.pile) = (0, Pile::Hand);
        s.combat.cards.push(card);
        s.combat.hand.push(0);
        self.refresh_relics(&mut s);
        Ok(s)
    }

    fn give(&self, s: &mut State, given: &Value, to: u8, names: &[&str]) -> Result<(), String> {
        for name in names {
            let amount = match &given[*name] {
                Value::Bool(true) => 1,
                other => other.as_i64().unwrap_or(0),
            };
            if amount != 0 {
                let id = self.catalog.power(name).ok_or(format!("no power {name}"))?;
                self.apply_power(s, PLAYER, to, id, amount as i16, amount as i16);
            }
        }
        Ok(())
    }

    fn number_of_attack(&self, given: &Value) -> Result<Value, String> {
        let mut s = self.bench_state(given, &["strike_dummy", "wrist_blade", "paper_phrog", "the_boot"])?;
        self.give(&mut s, given, PLAYER, &["strength", "vigor", "pen_nib", "double_damage", "weak"])?;
        self.give(&mut s, given, MONSTER, &["slow", "vulnerable", "flight", "intangible", "invincible"])?;
        let monster = &mut s.combat.bodies[MONSTER as usize];
        monster.block = given["block"].as_i64().unwrap_or(0) as i16;
        monster.hp = given["hp"].as_i64().unwrap_or(1) as i16;
        let base = given["base"].as_i64().unwrap_or(0) as i32;
        let number = self.attack_number(&s, PLAYER, MONSTER, base, 0, 1);
        let hit = self.arrive(&s, PLAYER, MONSTER, number, DamageKind::Normal);
        let monster = &s.combat.bodies[MONSTER as usize];
        let left = given["invincible"].as_i64().map(|n| n - i64::from(hit.rest));
        Ok(json!({
            "calculated": number,
            "block_left": monster.block - hit.blocked,
            "damage_after_block": hit.rest,
            "hp_left": monster.hp - hit.lost,
            "hand_drill": hit.blocked > 0 && hit.blocked == monster.block,
            "invincible_left": left,
        }))
    }

    fn number_of_defence(&self, given: &Value) -> Result<Value, String> {
        let mut s = self.bench_state(given, &["odd_mushroom", "paper_krane", "torii", "tungsten_rod"])?;
        self.give(&mut s, given, MONSTER, &["strength", "weak"])?;
        self.give(&mut s, given, PLAYER, &["vulnerable", "intangible", "buffer"])?;
        if given["back_attack"] == true {
            self.give(&mut s, given, MONSTER, &["back_attack"])?;
        }
        s.combat.bodies[0].block = given["block"].as_i64().unwrap_or(0) as i16;
        let base = given["base"].as_i64().unwrap_or(0) as i32;
        let number = self.attack_number(&s, MONSTER, PLAYER, base, turnstone_spire::state::NO_CARD, 1);
        let hit = self.arrive(&s, MONSTER, PLAYER, number, DamageKind::Normal);
        let buffer = given["buffer"].as_i64().unwrap_or(0) - i64::from(hit.spent != NONE);
        Ok(json!({
            "calculated": number,
            "block_left": s.combat.bodies[0].block - hit.blocked,
            "buffer_left": buffer,
            "hp_lost": hit.lost,
            "hp_lost_hooks": hit.lost > 0,
            "plated_armor_loses": hit.lost > 0,
        }))
    }

    fn number_of_block(&self, given: &Value) -> Result<Value, String> {
        let mut s = self.bench_state(given, &[])?;
        self.give(&mut s, given, PLAYER, &["dexterity", "frail", "no_block"])?;
        let base = given["base"].as_i64().unwrap_or(0) as i32;
        Ok(json!({ "block": self.card_block(&s, PLAYER, base, 0) }))
    }
}
