//! The unchanging part of a match: map, names, numbers and the rules in force.
//!
//! It sits behind an `Arc`, so that copying a state never copies it.

use crate::board::Board;
use crate::catalog::{AbilityDef, Catalog, ConditionDef, DiceDef, RuleModule, Tick};
use crate::document::{Document, Kind};
use crate::house::House;
use crate::names::christen;
use crate::{Profile, json};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An entity's place in players, then npcs, then objects.
pub type BodyId = u16;
/// A condition's place in the stage's list.
pub type ConditionId = u16;
/// An ability's place in the stage's list.
pub type AbilityId = u16;

/// The condition `dead`, first in every stage.
pub const DEAD: ConditionId = 0;

/// What never changes about one entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its id in documents and actions.
    pub id: Arc<str>,
    /// Its name in documents.
    pub name: Arc<str>,
    /// What it is called: its name, with a number where several share it.
    pub called: Arc<str>,
    /// Its letters on the board, at most three, which no other of its kind has.
    pub mark: Arc<str>,
    /// Which list it stands in.
    pub kind: Kind,
    /// Hit points at most.
    pub hp_max: i64,
    /// Armour class.
    pub ac: i64,
    /// Cells per move.
    pub speed: i64,
    /// Reach of ATTACK.
    pub reach: i64,
    /// Attack bonus, for rule modules that count it.
    pub attack_bonus: i64,
    /// Damage dice, for rule modules that count them.
    pub damage_dice: Option<DiceDef>,
    /// The abilities it lists.
    pub abilities: Vec<AbilityId>,
    /// Its place when ids are sorted by UTF-16 code units.
    pub rank: u16,
}

/// What the difficulty adds to the computer's side under modules that say so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// On attack rolls.
    pub attack: i64,
    /// On damage.
    pub damage: i64,
    /// On armour class.
    pub ac: i64,
}

/// The rules in force, by value, so that a saved match needs no content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// The recorded profile.
    pub profile: Profile,
    /// The numbers of an attack.
    pub module: RuleModule,
    /// The difficulty's modifiers.
    pub edge: Edge,
    /// What a table adds; absent in recorded play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub house: Option<House>,
    /// Conditions that do something.
    pub conditions: Vec<ConditionDef>,
    /// Abilities that exist.
    pub abilities: Vec<AbilityDef>,
}

impl Rules {
    /// The recorded rules of a profile with a catalog's conditions and abilities.
    pub fn recorded(profile: Profile, catalog: &Catalog) -> Rules {
        Rules {
            profile,
            module: RuleModule::default(),
            edge: Edge::default(),
            house: None,
            conditions: catalog.conditions.clone(),
            abilities: catalog.abilities.clone(),
        }
    }
}

/// Which conditions matter where, one bit per condition id below 32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Masks {
    /// They alter the bearer's attacks.
    pub attack: u32,
    /// They alter the bearer's armour class.
    pub ac: u32,
    /// They keep the bearer from acting.
    pub cannot_act: u32,
    /// They hurt when the bearer's turn comes.
    pub damage: u32,
}

/// The unchanging part of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Script", into = "Script")]
pub struct Stage {
    /// The document the match began with.
    pub document: Document,
    /// The rules in force.
    pub rules: Rules,
    /// The map.
    pub board: Board,
    /// The entities: players, then npcs, then objects.
    pub figures: Vec<Figure>,
    /// How many of them are players.
    pub players: u16,
    /// How many are npcs.
    pub npcs: u16,
    /// Condition names: the rules' own first, then the document's others.
    pub conditions: Vec<Arc<str>>,
    /// Which conditions matter where.
    pub masks: Masks,
    /// Ids in byte order, with their bodies.
    index: Vec<(Arc<str>, BodyId)>,
}

/// What a stage is made from, and how it is saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Script {
    rules: Rules,
    document: Document,
}

impl From<Stage> for Script {
    fn from(stage: Stage) -> Script {
        Script { rules: stage.rules, document: stage.document }
    }
}

impl TryFrom<Script> for Stage {
    type Error = String;

    fn try_from(script: Script) -> Result<Stage, String> {
        Ok(Stage::new(script.document, script.rules))
    }
}

impl Stage {
    /// Compiles a document under some rules. The document is trusted.
    pub fn new(document: Document, rules: Rules) -> Stage {
        let mut rules = rules;
        rules.conditions.sort_by_key(|c| &*c.name != "dead");
        if rules.conditions.first().is_none_or(|c| &*c.name != "dead") {
            let dead = ConditionDef { name: "dead".into(), out_of_play: true, ..ConditionDef::default() };
            rules.conditions.insert(0, dead);
        }
        let board = Board::new(&document.map);
        let mut figures: Vec<Figure> = document.entities.iter().map(|e| figure(e, &rules)).collect();
        rank(&mut figures);
        christen(&mut figures);
        let index = index(&figures);
        let conditions = condition_names(&document, &rules);
        Stage {
            players: document.entities.players.len() as u16,
            npcs: document.entities.npcs.len() as u16,
            masks: masks(&rules),
            document,
            rules,
            board,
            figures,
            conditions,
            index,
        }
    }

    /// The recorded profile in force.
    pub fn profile(&self) -> Profile {
        self.rules.profile
    }

    /// True when conditions, abilities, budget and combat end are in force.
    pub fn is_modern(&self) -> bool {
        self.rules.profile.is_modern()
    }

    /// The entity with this id.
    pub fn find(&self, id: &str) -> Option<BodyId> {
        let at = self.index.binary_search_by(|(known, _)| (**known).cmp(id)).ok()?;
        Some(self.index[at].1)
    }

    /// An entity's unchanging part.
    pub fn figure(&self, body: BodyId) -> &Figure {
        &self.figures[usize::from(body)]
    }

    /// Player, npc or object, from the place in the list.
    pub fn kind(&self, body: BodyId) -> Kind {
        if body < self.players {
            Kind::Player
        } else if body < self.players + self.npcs {
            Kind::Npc
        } else {
            Kind::Object
        }
    }

    /// Every entity.
    pub fn bodies(&self) -> std::ops::Range<BodyId> {
        0..self.figures.len() as u16
    }

    /// The players.
    pub fn player_ids(&self) -> std::ops::Range<BodyId> {
        0..self.players
    }

    /// The npcs.
    pub fn npc_ids(&self) -> std::ops::Range<BodyId> {
        self.players..self.players + self.npcs
    }

    /// Players and npcs: everyone who can die, be healed or roll initiative.
    pub fn creature_ids(&self) -> std::ops::Range<BodyId> {
        0..self.players + self.npcs
    }

    /// The condition with this name, if anything in this match can have it.
    pub fn condition(&self, name: &str) -> Option<ConditionId> {
        self.conditions.iter().position(|c| &**c == name).map(|at| at as u16)
    }

    /// What a condition does; `None` for one that is only a word.
    pub fn condition_def(&self, id: ConditionId) -> Option<&ConditionDef> {
        self.rules.conditions.get(usize::from(id))
    }

    /// When a condition's count of turns falls.
    pub fn tick(&self, id: ConditionId) -> Tick {
        self.condition_def(id).map_or(Tick::TurnEnd, |c| c.ticks)
    }

    /// The ability with this id.
    pub fn ability(&self, id: &str) -> Option<AbilityId> {
        self.rules.abilities.iter().position(|a| &*a.id == id).map(|at| at as u16)
    }

    /// What an ability does.
    pub fn ability_def(&self, id: AbilityId) -> &AbilityDef {
        &self.rules.abilities[usize::from(id)]
    }

    /// Cells per move, which a rule module may set for everybody.
    pub fn speed(&self, body: BodyId) -> i64 {
        self.rules.module.speed.unwrap_or(self.figure(body).speed)
    }
}

/// The mask bit of a condition; ids from 31 on share the last one.
pub fn bit(condition: ConditionId) -> u32 {
    1 << condition.min(31)
}

fn figure(entity: &crate::document::EntityDoc, rules: &Rules) -> Figure {
    let ability = |id: &String| rules.abilities.iter().position(|a| *a.id == **id).map(|at| at as u16);
    let dice = entity.stats.damage_dice.as_deref().and_then(|pair| match pair {
        [count, sides] => {
            let (count, sides) = (count.as_f64()? as u16, sides.as_f64()? as u16);
            Some(DiceDef::new(count.clamp(1, 20), sides.clamp(1, 1000)))
        }
        _ => None,
    });
    Figure {
        id: entity.id.as_str().into(),
        name: entity.name.as_str().into(),
        called: entity.name.as_str().into(),
        mark: "".into(),
        kind: entity.kind,
        hp_max: entity.stats.hp_max,
        ac: entity.stats.ac,
        speed: entity.stats.movement_speed,
        reach: entity.stats.attack_range.unwrap_or(1),
        attack_bonus: entity.stats.attack_bonus.unwrap_or(0),
        damage_dice: dice,
        abilities: entity.abilities.iter().flatten().filter_map(ability).collect(),
        rank: 0,
    }
}

fn rank(figures: &mut [Figure]) {
    let mut order: Vec<usize> = (0..figures.len()).collect();
    order.sort_by(|a, b| json::utf16_cmp(&figures[*a].id, &figures[*b].id));
    for (rank, at) in order.into_iter().enumerate() {
        figures[at].rank = rank as u16;
    }
}

fn index(figures: &[Figure]) -> Vec<(Arc<str>, BodyId)> {
    let mut index: Vec<_> = figures.iter().enumerate().map(|(i, f)| (f.id.clone(), i as u16)).collect();
    index.sort();
    index
}

fn condition_names(document: &Document, rules: &Rules) -> Vec<Arc<str>> {
    let mut names: Vec<Arc<str>> = rules.conditions.iter().map(|c| c.name.clone()).collect();
    let applied = rules.abilities.iter().filter_map(|a| a.applies.as_deref());
    let worn = document.entities.iter().flat_map(|e| {
        let timed = e.condition_durations.iter().flat_map(|d| d.keys());
        e.conditions.iter().chain(timed).map(String::as_str)
    });
    for name in applied.chain(worn) {
        if !names.iter().any(|n| &**n == name) {
            names.push(name.into());
        }
    }
    names
}

fn masks(rules: &Rules) -> Masks {
    let mut masks = Masks::default();
    if !rules.profile.is_modern() {
        return masks;
    }
    for (id, def) in rules.conditions.iter().enumerate() {
        let bit = bit(id as u16);
        masks.attack |= if def.alters_attack() { bit } else { 0 };
        masks.ac |= if def.ac != 0 { bit } else { 0 };
        masks.cannot_act |= if def.cannot_act { bit } else { 0 };
        masks.damage |= if def.damage.is_some() { bit } else { 0 };
    }
    masks
}
