//! Monsters and hero classes as data, and the entities made from them.

use super::DiceDef;
use crate::document::{
    ControllerDoc, ControllerKind, EntityDoc, Kind, PositionDoc, Size, StatsDoc, TokenDoc, TokenStyle,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// How dangerous a monster is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Falls in a blow or two.
    Minion,
    /// A fair opponent.
    Standard,
    /// Worth several.
    Elite,
    /// Worth a party.
    Boss,
}

impl Tier {
    /// All tiers, weakest first.
    pub const ALL: [Tier; 4] = [Tier::Minion, Tier::Standard, Tier::Elite, Tier::Boss];
}

/// A kind of monster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MonsterDef {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How dangerous it is.
    pub tier: Tier,
    /// Hit points.
    pub hp: i64,
    /// Armour class.
    pub ac: i64,
    /// Cells per move.
    pub speed: i64,
    /// Attack bonus.
    pub attack: i64,
    /// Damage dice.
    pub dice: DiceDef,
    /// Size of the token.
    pub size: Size,
    /// Abilities it may use.
    #[serde(default)]
    pub abilities: Vec<String>,
    /// Free words.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// A hero's class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassDef {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Hit points.
    pub hp: i64,
    /// Armour class.
    pub ac: i64,
    /// Cells per move.
    pub speed: i64,
    /// Attack bonus.
    pub attack: i64,
    /// Damage dice.
    pub dice: DiceDef,
    /// Reach of ATTACK.
    pub reach: i64,
    /// Abilities it may use.
    #[serde(default)]
    pub abilities: Vec<String>,
}

impl MonsterDef {
    /// An opponent of this kind, its attack numbers and abilities included.
    pub fn instance(&self, id: &str, x: i64, y: i64) -> EntityDoc {
        EntityDoc {
            size: self.size,
            stats: stats(self.hp, self.ac, self.speed, self.attack, self.dice, None),
            abilities: (!self.abilities.is_empty()).then(|| self.abilities.clone()),
            ..blank(id, &self.name, Kind::Npc, x, y)
        }
    }
}

impl ClassDef {
    /// A hero of this class.
    pub fn instance(&self, id: &str, name: &str, x: i64, y: i64) -> EntityDoc {
        EntityDoc {
            stats: stats(self.hp, self.ac, self.speed, self.attack, self.dice, Some(self.reach)),
            abilities: Some(self.abilities.clone()),
            ..blank(id, name, Kind::Player, x, y)
        }
    }
}

fn stats(hp: i64, ac: i64, speed: i64, attack: i64, dice: DiceDef, reach: Option<i64>) -> StatsDoc {
    StatsDoc {
        hp_current: hp,
        hp_max: hp,
        ac,
        movement_speed: speed,
        attack_bonus: Some(attack),
        damage_dice: Some(vec![json!(dice.count), json!(dice.sides)]),
        attack_range: reach,
    }
}

/// An entity with nothing but a name and a place.
pub fn blank(id: &str, name: &str, kind: Kind, x: i64, y: i64) -> EntityDoc {
    let human = kind == Kind::Player;
    EntityDoc {
        id: id.to_string(),
        name: name.to_string(),
        kind,
        position: PositionDoc { x, y, facing: None },
        size: Size::M,
        stats: StatsDoc {
            hp_current: 10,
            hp_max: 10,
            ac: 10,
            movement_speed: 0,
            attack_bonus: None,
            damage_dice: None,
            attack_range: None,
        },
        conditions: Vec::new(),
        inventory: Vec::new(),
        token: TokenDoc { style: TokenStyle::Mini, sprite_key: None },
        controller: ControllerDoc {
            kind: if human { ControllerKind::Human } else { ControllerKind::Ai },
            player_id: human.then(|| id.to_string()),
        },
        abilities: None,
        ability_cooldowns: None,
        condition_durations: None,
    }
}
