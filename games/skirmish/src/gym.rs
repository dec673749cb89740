//! Skirmish as numbers, for learners.
//!
//! | part | what |
//! |---|---|
//! | `map` | planes `[7][rows][columns]`: blocked, opaque, difficult, one's own side, the other, things, seen |
//! | `entities` | a row for each entity, in the order of the document: what and where it is, its numbers and dice, its conditions and how long they last, its abilities and when they are ready |
//! | `status` | combat or not, rounds and their limits, what was spent of this turn, what the difficulty adds |
//! | `abilities` | a row for each ability: whom it is for, how far it reaches, its dice |
//!
//! [`Part::columns`], [`Part::meanings`] and [`Part::codes`] name every number; kinds of creatures, conditions and
//! abilities are those of the content, what a pack adds behind what comes with the game.
//!
//! What lies in fog is in none of them. Numbers of inputs: for whoever's turn it is first all cells to walk to, then
//! whom to attack, defending, and each ability on each entity; outside of combat the same once more for each who may
//! act; then the end of the turn and rolling initiative. Abilities that content of one's own adds have their numbers
//! behind all these: adding one renumbers nothing.
//!
//! Rewards: `outcome` (default), 1 for a victory and -1 for a defeat; `health`, besides that the change of one's own
//! side's share of hit points.

use crate::action::{Action, Verb};
use crate::catalog::{AbilityKind, Catalog};
use crate::document::Kind;
use crate::game::{FOES, HEROES, Skirmish};
use crate::rules::attack::weapon;
use crate::rules::known;
use crate::setup::Setup;
use crate::sight::seen;
use crate::stage::{BodyId, Stage};
use crate::state::{StageRef, State};
use crate::view::Sight;
use turnstone::{Input, InputOf, Position, Rejection, Seat, Viewer};
use turnstone_gym::{Coder, Layout, Learned, Part, Sheet, Taste, result, word};

/// Entities that have rows and numbers, if a fight is drawn from the seed.
const ENTITIES: usize = 24;
/// Who may act outside of combat under the rules of the house.
const HEROES_MOST: usize = 8;
/// Conditions and abilities that have columns of their own at least.
const CONDITIONS: usize = 16;
const ABILITIES: usize = 8;

const PLANES: [&str; 7] = ["blocked", "opaque", "difficult", "own", "other", "things", "seen"];
const TERRAIN: usize = 3;
const ENTITY: [(&str, &str); 18] = [
    ("there", "1 if there is such an entity and you see it"),
    ("side", "1 for your own, -1 for the other, 0 for things"),
    ("x", ""),
    ("y", ""),
    ("hp", "hit points"),
    ("max hp", ""),
    ("armour", "what an attack roll must reach"),
    ("speed", "cells per move"),
    ("reach", "cells that an attack reaches"),
    ("dead", ""),
    ("acts now", ""),
    ("place in order", "its place in the order of initiative, from 1; 0 outside of it"),
    ("attack bonus", "added to its attack rolls, if the rules count that"),
    ("kind", "which creature"),
    ("damage dice", "how many dice a hit of its own rolls; 0 where damage is flat"),
    ("damage sides", "the faces of each; where damage is flat, the damage"),
    ("expected damage", "what a hit of its own takes on average, in tenths"),
    ("number", "its number among those of its side, from 1"),
];
const STATUS: [(&str, &str); 14] = [
    ("combat", "1 in combat, 0 outside of it"),
    ("round", ""),
    ("calm rounds", "rounds since a blow between the sides drew blood"),
    ("rounds fought", ""),
    ("strolled", "actions outside of combat"),
    ("moves spent", "of this turn"),
    ("actions spent", "of this turn"),
    ("side", "your seat: 0 for the heroes, 1 for their foes"),
    ("calm limit", "calm rounds after which the fight is drawn; 0 without such a rule"),
    ("round limit", "rounds after which the fight is drawn; likewise"),
    ("stroll limit", "actions outside of combat after which initiative is rolled; likewise"),
    ("foes' attack", "added to the foes' attack rolls by the difficulty"),
    ("foes' damage", "added to their damage"),
    ("foes' armour", "added to their armour"),
];
const ABILITY: [(&str, &str); 8] = [
    ("for", "whom it is for"),
    ("range", "cells that it reaches"),
    ("dice", "how many dice it rolls for damage or healing"),
    ("sides", "the faces of each"),
    ("bonus", "added to its attack roll"),
    ("cooldown", "turns until it may be used again, this one included"),
    ("applies", "the condition of whom it hits"),
    ("turns", "how long that lasts"),
];

/// The numbers of skirmish.
#[derive(Clone, Debug)]
pub struct SkirmishCoder {
    width: usize,
    height: usize,
    entities: usize,
    actors: usize,
    /// Abilities that come with the game, and those that were added.
    abilities: usize,
    added: usize,
    fog: bool,
    health: bool,
    /// The names of conditions and abilities that have columns.
    conditions: Vec<String>,
    skills: Vec<String>,
    kinds: Kinds,
    layout: Layout,
}

/// What creatures are called, each by its number: first those that come with the game, then those that were added.
#[derive(Clone, Debug)]
struct Kinds {
    names: Vec<String>,
    catalog: std::sync::Arc<Catalog>,
}

/// What has no entry in the content: nothing at all, a thing, a hero, a creature.
const UNLISTED: [&str; 4] = ["nothing", "thing", "hero", "creature"];

impl Kinds {
    fn new(catalog: &std::sync::Arc<Catalog>) -> Self {
        let mut names: Vec<String> = UNLISTED.map(String::from).to_vec();
        for content in [&Catalog::built_in(), catalog] {
            let classes = content.classes.iter().map(|class| &class.id);
            for id in classes.chain(content.monsters.iter().map(|monster| &monster.id)) {
                if !names.contains(id) {
                    names.push(id.clone());
                }
            }
        }
        Kinds { names, catalog: catalog.clone() }
    }

    /// Which creature every entity is: monsters are called by their names, heroes are known by what they can do.
    fn of(&self, stage: &Stage) -> Vec<i16> {
        stage.bodies().map(|body| self.kind(stage, body)).collect()
    }

    fn kind(&self, stage: &Stage, body: BodyId) -> i16 {
        let figure = stage.figure(body);
        let (id, unlisted) = match stage.kind(body) {
            Kind::Object => (None, 1),
            Kind::Player => {
                let knows = |ids: &[String]| {
                    let own = figure.abilities.iter().map(|ability| &*stage.ability_def(*ability).id);
                    own.eq(ids.iter().map(String::as_str))
                };
                let alike = self.catalog.classes.iter().find(|class| {
                    [class.hp, class.ac, class.reach] == [figure.hp_max, figure.ac, figure.reach]
                        && knows(&class.abilities)
                });
                (alike.map(|class| &class.id), 2)
            }
            Kind::Npc => {
                let named = self.catalog.monsters.iter().find(|monster| *monster.name == *figure.name);
                (named.map(|monster| &monster.id), 3)
            }
        };
        let listed = id.and_then(|id| self.names.iter().position(|name| name == id));
        word(listed.unwrap_or(unlisted) as i64)
    }
}

/// Names with so many columns at least.
fn columns<'n>(names: impl Iterator<Item = &'n str>, what: &str, least: usize) -> Vec<String> {
    let mut columns: Vec<String> = names.map(|name| format!("{what} {name}")).collect();
    columns.extend((columns.len()..least).map(|number| format!("{what} {}", number + 1)));
    columns
}

impl Learned for Skirmish {
    type Coder = SkirmishCoder;

    fn coder(&self, _: &Setup, first: &Position<Self>, taste: &Taste) -> Result<SkirmishCoder, Rejection> {
        taste.observation(&["all"])?;
        let stage = &first.state().stage;
        let entities = stage.figures.len().max(ENTITIES);
        let usual = Catalog::built_in().abilities.len();
        let actors = if stage.rules.house.is_some() { HEROES_MOST } else { entities };
        let (width, height) = (stage.board.width.into(), stage.board.height.into());
        let conditions = columns(stage.conditions.iter().map(|name| &**name), "condition", CONDITIONS);
        let skills = columns(stage.rules.abilities.iter().map(|known| &*known.id), "ability", ABILITIES);
        let kinds = Kinds::new(&self.catalog);
        let all = parts([height, width], entities, &conditions, &skills, &kinds, stage);
        Ok(SkirmishCoder {
            width,
            height,
            entities,
            actors,
            abilities: usual,
            added: stage.rules.abilities.len().saturating_sub(usual),
            fog: stage.document.map.fog_of_war_enabled,
            health: taste.reward(&["outcome", "health"])? == "health",
            conditions,
            skills,
            kinds,
            layout: Layout::new(all, taste)?,
        })
    }
}

/// What an observation is made of.
fn parts(
    [height, width]: [usize; 2],
    entities: usize,
    conditions: &[String],
    skills: &[String],
    kinds: &Kinds,
    stage: &Stage,
) -> Vec<Part> {
    let mut rows = Part::words("entities", &[entities, ENTITY.len() + conditions.len() + skills.len()])
        .saying("a row for each entity that you see, in the order of their numbers; 0 for the others")
        .with_meanings(ENTITY)
        .with_codes("kind", kinds.names.clone());
    for name in conditions {
        let meaning = "turns that it lasts, -1 without an end, 0 without the condition";
        rows.meanings.insert(name.clone(), meaning.to_owned());
    }
    for name in skills {
        let meaning = "0 if it has no such ability, 1 if it is ready, 1 more for every turn until it is";
        rows.meanings.insert(name.clone(), meaning.to_owned());
    }
    rows.columns.extend(conditions.iter().chain(skills).cloned());
    let worn = stage.conditions.iter().map(|name| name.to_string());
    vec![
        Part::bytes("map", &[PLANES.len(), height, width])
            .saying(
                "planes of the map, row by row: the ground, who stands where (2 for the dead), what you see",
            )
            .with_planes(PLANES),
        rows,
        Part::words("status", &[STATUS.len()])
            .saying("how the fight stands, and what was spent of this turn")
            .with_meanings(STATUS),
        Part::words("abilities", &[skills.len(), ABILITY.len()])
            .saying("a row for each ability, in the order of their columns in `entities`: what it does")
            .with_meanings(ABILITY)
            .with_codes("for", ["nothing", "attack", "heal"])
            .with_codes("applies", std::iter::once("nothing".to_owned()).chain(worn)),
    ]
}

impl SkirmishCoder {
    fn area(&self) -> usize {
        self.width * self.height
    }

    /// How many numbers one actor has.
    fn block(&self) -> usize {
        self.area() + self.entities + 1 + self.abilities * self.entities
    }

    fn row(&self) -> usize {
        ENTITY.len() + self.conditions.len() + self.skills.len()
    }

    /// The first number of whoever acts: outside of combat each has his own.
    fn actor(&self, state: &State, body: BodyId) -> Option<usize> {
        if state.combat.fighting {
            return Some(0);
        }
        let rank = usize::from(body);
        (rank < self.actors).then(|| (1 + rank) * self.block())
    }

    fn entity(&self, body: BodyId) -> Option<usize> {
        Some(usize::from(body)).filter(|body| *body < self.entities)
    }

    fn deed(&self, state: &State, action: &Action) -> Option<usize> {
        let last = (1 + self.actors) * self.block();
        match &action.verb {
            Verb::EndTurn { .. } => Some(last),
            Verb::RollInitiative => Some(last + 1),
            Verb::Move { entity, path } => {
                let (body, goal) = (known(state, entity)?, path.last()?);
                let cell = usize::try_from(goal.y).ok()? * self.width + usize::try_from(goal.x).ok()?;
                Some(self.actor(state, body)? + cell)
            }
            Verb::Attack { attacker, target } => {
                let (body, target) = (known(state, attacker)?, known(state, target)?);
                Some(self.actor(state, body)? + self.area() + self.entity(target)?)
            }
            Verb::Defend { entity } => {
                Some(self.actor(state, known(state, entity)?)? + self.area() + self.entities)
            }
            Verb::UseAbility { caster, ability, target } => {
                let (body, target) = (known(state, caster)?, known(state, target)?);
                let name = ability.text()?;
                let number = state.stage.rules.abilities.iter().position(|known| &*known.id == name)?;
                let (actor, target) = (self.actor(state, body)?, self.entity(target)?);
                Some(match number.checked_sub(self.abilities) {
                    None => actor + self.area() + self.entities + 1 + number * self.entities + target,
                    Some(added) => {
                        last + 2 + (actor / self.block() * self.added + added) * self.entities + target
                    }
                })
            }
            Verb::Surrender { .. } | Verb::SetSeed { .. } | Verb::Malformed { .. } => None,
        }
    }

    fn terrain(&self, state: &State, out: &mut [u8]) {
        let board = &state.stage.board;
        for (plane, set) in [&board.blocked, &board.opaque, &board.difficult].into_iter().enumerate() {
            for (cell, slot) in out[plane * self.area()..][..self.area()].iter_mut().enumerate() {
                let at = crate::board::Cell::new((cell % self.width) as u8, (cell / self.width) as u8);
                *slot = u8::from(set.has(board.index(at)));
            }
        }
    }

    /// Who stands where, and what is seen.
    fn figures(&self, state: &State, sight: Option<&Sight>, seat: Seat, out: &mut [u8]) {
        let area = self.area();
        out.fill(0);
        for body in state.stage.bodies().filter(|body| !state.is_absent(*body)) {
            let cell = state.cell(body);
            let plane = match side(state, body, seat) {
                1 => 0,
                -1 => 1,
                _ => 2,
            };
            if let Some(slot) =
                out.get_mut(plane * area + usize::from(cell.y) * self.width + usize::from(cell.x))
            {
                *slot = if state.is_dead(body) { 2 } else { 1 };
            }
        }
        let lit = &mut out[3 * area..];
        match sight {
            None => lit.fill(1),
            Some(sight) => {
                for (cell, slot) in lit.iter_mut().enumerate() {
                    let at = crate::board::Cell::new((cell % self.width) as u8, (cell / self.width) as u8);
                    *slot = u8::from(sight.cell(state, at));
                }
            }
        }
    }

    fn entities(&self, state: &State, seat: Seat, kinds: &[i16], out: &mut [i16]) {
        out.fill(0);
        let bodies = state.stage.bodies().zip(kinds).zip(out.chunks_exact_mut(self.row()));
        for ((body, kind), row) in bodies.filter(|((body, _), _)| !state.is_absent(*body)) {
            self.entity_row(state, seat, body, *kind, row);
        }
        let mut put = |body: BodyId, column: usize, number: i16| {
            if let Some(slot) = out.get_mut(usize::from(body) * self.row() + ENTITY.len() + column) {
                *slot = number;
            }
        };
        for mark in state.conditions.iter().filter(|mark| usize::from(mark.condition) < self.conditions.len())
        {
            put(mark.body, mark.condition.into(), -1);
        }
        for timer in state.timers.iter().filter(|timer| timer.left > 0) {
            let worn = state.has(timer.body, timer.condition);
            if worn && usize::from(timer.condition) < self.conditions.len() {
                put(timer.body, timer.condition.into(), word(timer.left));
            }
        }
        let first = self.conditions.len();
        for body in state.stage.bodies().filter(|body| !state.is_absent(*body)) {
            let own = state.stage.figure(body).abilities.iter();
            own.for_each(|ability| put(body, first + usize::from(*ability), 1));
        }
        for cooldown in &state.cooldowns {
            let crate::state::CooldownKey::Ability(ability) = &cooldown.key else { continue };
            put(cooldown.body, first + usize::from(*ability), word(cooldown.left.saturating_add(1)));
        }
    }

    fn entity_row(&self, state: &State, seat: Seat, body: BodyId, kind: i16, row: &mut [i16]) {
        let (stage, figure) = (&state.stage, state.stage.figure(body));
        let (now, cell, module) = (state.body(body), state.cell(body), &stage.rules.module);
        let place = state.combat.order.iter().position(|other| *other == body);
        let (dice, sides, tenths) = match weapon(state, body) {
            Some(dice) => {
                let [count, sides] = [dice.count, dice.sides].map(i64::from);
                (count, sides, count * (sides + 1) * 5)
            }
            None => {
                let flat = module.flat_damage.unwrap_or_default();
                (0, flat, flat.saturating_mul(10))
            }
        };
        let first = match stage.kind(body) {
            Kind::Player => 0,
            Kind::Npc => stage.players,
            Kind::Object => stage.players + stage.npcs,
        };
        row[..ENTITY.len()].copy_from_slice(&[
            1,
            side(state, body, seat),
            cell.x.into(),
            cell.y.into(),
            word(now.hp),
            word(figure.hp_max),
            word(figure.ac),
            word(stage.speed(body)),
            word(figure.reach),
            state.is_dead(body).into(),
            (state.combat.active == Some(body)).into(),
            place.map_or(0, |place| word(place as i64 + 1)),
            word(if module.attack_bonus { figure.attack_bonus } else { 0 }),
            kind,
            word(dice),
            word(sides),
            word(tenths),
            word(i64::from(body - first) + 1),
        ]);
    }

    /// What abilities do, which never changes.
    fn skills(&self, stage: &Stage, out: &mut [i16]) {
        out.fill(0);
        for (ability, row) in stage.rules.abilities.iter().zip(out.as_chunks_mut::<{ ABILITY.len() }>().0) {
            let applies = ability.applies.as_ref().and_then(|name| stage.condition(name));
            *row = [
                match ability.kind {
                    AbilityKind::Attack => 1,
                    AbilityKind::Heal => 2,
                },
                word(ability.range),
                word(ability.dice.count),
                word(ability.dice.sides),
                word(ability.bonus),
                word(ability.cooldown),
                applies.map_or(0, |condition| word(i64::from(condition) + 1)),
                word(ability.turns),
            ];
        }
    }

    fn status(&self, state: &State, seat: Seat, out: &mut [i16]) {
        let (combat, rules) = (&state.combat, &state.stage.rules);
        let (house, edge) = (rules.house, rules.edge);
        let spent = combat.budget.map_or((0, 0), |budget| (budget.movement_used, budget.action_used));
        out.copy_from_slice(&[
            combat.fighting.into(),
            word(combat.round),
            word(combat.calm),
            word(combat.fought),
            word(state.strolled),
            word(spent.0),
            word(spent.1),
            seat.into(),
            house.map_or(0, |house| word(house.calm)),
            house.map_or(0, |house| word(house.rounds)),
            house.map_or(0, |house| word(house.stroll)),
            word(edge.attack),
            word(edge.damage),
            word(edge.ac),
        ]);
    }

    /// Writes what a seat sees; what never changes in a fight only if it is `new`.
    fn write(&self, state: &State, seat: Seat, kinds: &[i16], new: bool, sheet: &mut Sheet<'_>) {
        let sight = self.fog.then(|| Sight::new(state, Viewer::Seat(seat)));
        let shown =
            if self.fog { seen(state, Viewer::Seat(seat)) } else { std::borrow::Cow::Borrowed(state) };
        let mut desk = self.layout.desk(sheet.again());
        if let Some(map) = desk.bytes() {
            let (ground, figures) = map.split_at_mut(TERRAIN * self.area());
            if new {
                self.terrain(state, ground);
            }
            self.figures(&shown, sight.as_ref(), seat, figures);
        }
        if let Some(entities) = desk.words() {
            self.entities(&shown, seat, kinds, entities);
        }
        if let Some(status) = desk.words() {
            self.status(&shown, seat, status);
        }
        if let Some(skills) = desk.words().filter(|_| new) {
            self.skills(&state.stage, skills);
        }
    }
}

/// 1 for one's own, -1 for the other side's, 0 for things.
fn side(state: &State, body: BodyId, seat: Seat) -> i16 {
    let own = if state.stage.player_ids().contains(&body) {
        HEROES
    } else if state.stage.npc_ids().contains(&body) {
        FOES
    } else {
        return 0;
    };
    if own == seat { 1 } else { -1 }
}

/// The stage that a buffer shows, and which creatures there are.
#[derive(Clone, Default)]
pub struct Drawn(Option<(StageRef, Vec<i16>)>);

impl Coder<Skirmish> for SkirmishCoder {
    type Canvas = Drawn;

    fn parts(&self) -> Vec<Part> {
        self.layout.parts()
    }

    fn numbers(&self) -> usize {
        (1 + self.actors) * (self.block() + self.added * self.entities) + 2
    }

    #[inline]
    fn number(
        &self,
        _: &Skirmish,
        position: &Position<Skirmish>,
        input: &InputOf<Skirmish>,
        _: usize,
    ) -> Option<usize> {
        match input {
            Input::Act(action) => self.deed(position.state(), action),
            Input::Choose(never) => match *never {},
        }
    }

    fn meaning(&self, game: &Skirmish, number: usize) -> Option<String> {
        let last = (1 + self.actors) * self.block();
        let who = |actor: usize| match actor.checked_sub(1) {
            None => "whoever's turn it is".to_owned(),
            Some(entity) => format!("entity {entity}, outside of combat,"),
        };
        let uses = |actor: usize, skill: usize, target: usize| {
            let name = game.catalog.abilities.get(skill).map_or("ability", |ability| &*ability.name);
            format!("{} uses {name} on entity {target}", who(actor))
        };
        if number >= self.numbers() {
            return None;
        }
        Some(match number.checked_sub(last) {
            Some(0) => "the turn ends".to_owned(),
            Some(1) => "initiative is rolled".to_owned(),
            Some(behind) => {
                let (place, target) = ((behind - 2) / self.entities, (behind - 2) % self.entities);
                uses(place / self.added, self.abilities + place % self.added, target)
            }
            None => {
                let (actor, deed) = (number / self.block(), number % self.block());
                match deed.checked_sub(self.area()) {
                    None => format!("{} walks to {},{}", who(actor), deed % self.width, deed / self.width),
                    Some(target) if target < self.entities => {
                        format!("{} attacks entity {target}", who(actor))
                    }
                    Some(more) if more == self.entities => format!("{} defends", who(actor)),
                    Some(more) => {
                        let place = more - self.entities - 1;
                        uses(actor, place / self.entities, place % self.entities)
                    }
                }
            }
        })
    }

    fn admits(&self, _: &Skirmish, first: &Position<Skirmish>) -> Result<(), Rejection> {
        let stage = &first.state().stage;
        let same =
            [usize::from(stage.board.width), usize::from(stage.board.height)] == [self.width, self.height];
        if same && stage.figures.len() <= self.entities {
            return Ok(());
        }
        Err(Rejection::new(
            "SIZES_DIFFER",
            "these fights differ in size: open each map as a batch of its own",
        ))
    }

    fn observe(&self, _: &Skirmish, position: &Position<Skirmish>, seat: Seat, sheet: &mut Sheet<'_>) {
        let state = position.state();
        self.write(state, seat, &self.kinds.of(&state.stage), true, sheet);
    }

    fn update(
        &self,
        _: &Skirmish,
        position: &Position<Skirmish>,
        seat: Seat,
        canvas: &mut Drawn,
        sheet: &mut Sheet<'_>,
    ) {
        let state = position.state();
        let new = canvas.0.as_ref().is_none_or(|(drawn, _)| *drawn != state.stage);
        if new {
            canvas.0 = Some((state.stage.clone(), self.kinds.of(&state.stage)));
        }
        let kinds = canvas.0.as_ref().map_or(&[][..], |(_, kinds)| kinds);
        self.write(state, seat, kinds, new, sheet);
    }

    #[inline]
    fn standing(&self, game: &Skirmish, position: &Position<Skirmish>, seat: Seat) -> f32 {
        let ended = result(game, position, seat);
        if !self.health {
            return ended;
        }
        let state = position.state();
        let own = if seat == FOES { state.stage.npc_ids() } else { state.stage.player_ids() };
        let sum = |of: &dyn Fn(BodyId) -> i64| own.clone().map(of).sum::<i64>();
        let (now, most) =
            (sum(&|body| state.body(body).hp.max(0)), sum(&|body| state.stage.figure(body).hp_max));
        ended + now as f32 / most.max(1) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone_gym::oracles::{nothing_hidden_shows, prove, prove_opponents};
    use turnstone_gym::{Actions, Autoreset, OFFERS, Plan};
    use turnstone_host::{Hosted, Opening};

    fn opening(setup: &str, wishes: &[(&str, &str)]) -> Opening {
        let wishes = wishes.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        Opening { setup: Some(setup.into()), wishes, ..Opening::default() }
    }

    #[test]
    fn the_promises_hold_on_every_map() {
        for (number, setup) in Skirmish::setups().iter().enumerate() {
            let (seat, autoreset) = match number % 3 {
                0 => (Some(0), Autoreset::NextStep),
                1 => (Some(1), Autoreset::SameStep),
                _ => (None, Autoreset::SameStep),
            };
            let plan = Plan { seat, autoreset, time_limit: 60, seed: number as u64, ..Plan::default() };
            prove::<Skirmish>(&opening(&setup.id, &[]), &plan, 24);
        }
    }

    /// By their places in the offered list, with the words of each: the numbers that every game has.
    #[test]
    fn the_promises_hold_for_offers() {
        let plan = Plan { actions: Actions::Offered(OFFERS), time_limit: 60, seed: 6, ..Plan::default() };
        prove::<Skirmish>(&opening("dungeon", &[("fog", "on")]), &plan, 24);
    }

    /// A plan of one match was once carried on in the next.
    #[test]
    fn whoever_plays_against_learners_knows_one_world() {
        let setup = &Skirmish::setups()[0].id;
        let plan = Plan { autoreset: Autoreset::SameStep, time_limit: 8, ..Plan::default() };
        let bots = ["easy", "hard", "deadly", "slips=35:hard", "flat:4,trees=1,longest=4"];
        prove_opponents::<Skirmish>(&opening(setup, &[]), &plan, &bots, 20);
    }

    /// What stands for what in the first arena, by words.
    fn numbered(opening: &Opening) -> (usize, Vec<(usize, String)>) {
        let (game, setup) = Skirmish::open_table(opening).unwrap();
        let batch = turnstone_gym::Batch::new(game, setup, Plan { seat: None, ..Plan::default() }).unwrap();
        let told = |number| Some((number, batch.describe(0, number).unwrap()?));
        (batch.numbers(), (0..batch.numbers()).filter_map(told).collect())
    }

    /// Learned policies depend on them.
    #[test]
    fn numbers_stay_for_ever() {
        let (game, setup) = Skirmish::open_table(&opening("arena", &[])).unwrap();
        let batch = turnstone_gym::Batch::new(game, setup, Plan::default()).unwrap();
        let shapes: Vec<(String, Vec<usize>)> =
            batch.parts().iter().map(|part| (part.name.to_string(), part.shape.clone())).collect();
        let coder = batch.coder();
        let (area, block) = (coder.area(), coder.area() + 24 + 1 + 5 * 24);
        assert_eq!((coder.entities, coder.abilities, coder.block()), (24, 5, block));
        assert_eq!(batch.numbers(), (1 + coder.actors) * block + 2);
        let map = ("map".to_owned(), vec![7, coder.height, coder.width]);
        let [entities, status, abilities] =
            [("entities", vec![24, 42]), ("status", vec![14]), ("abilities", vec![8, 8])]
                .map(|(name, shape)| (name.to_owned(), shape));
        assert_eq!(shapes, [map, entities, status, abilities]);
        let ends = batch.describe(0, (1 + coder.actors) * block).unwrap();
        let walks = (0..area).any(|number| batch.describe(0, number).unwrap().is_some());
        assert!(ends.is_some() || walks, "somebody may walk, or end his turn");
    }

    /// A pack once pushed everything behind its abilities to other numbers.
    #[test]
    fn a_pack_renumbers_nothing() {
        let pack = "[ability.acid]\nname = \"Acid\"\nkind = \"attack\"\nrange = 5\ndice = \"1d4\"\n";
        let usual = opening("arena", &[]);
        let content = vec![turnstone_host::Source::new("mine.toml", pack)];
        let (few, first) = numbered(&usual);
        let (many, second) = numbered(&Opening { content, ..usual });
        assert!(many > few && !first.is_empty());
        assert_eq!(first, second);
    }

    /// Which creature stands there, what its blows do and what it can do were once to be guessed.
    #[test]
    fn creatures_are_known_by_kind_dice_and_abilities() {
        let (game, setup) = Skirmish::open_table(&opening("arena", &[])).unwrap();
        let batch = turnstone_gym::Batch::new(game, setup, Plan::default()).unwrap();
        let entities = &batch.parts()[1];
        let (bytes, words) = batch.see(0, 0).unwrap();
        assert!(!bytes.is_empty());
        let column = |name: &str| entities.columns.iter().position(|known| known == name).unwrap();
        let rows = words[..entities.length()].chunks_exact(entities.columns.len());
        let state = batch.position(0).unwrap().state();
        for (body, row) in state.stage.bodies().zip(rows).filter(|(body, _)| !state.is_absent(*body)) {
            let figure = state.stage.figure(body);
            let kind = &entities.codes["kind"][row[column("kind")] as usize];
            assert_ne!(kind, "nothing", "{}", figure.name);
            if let Some(dice) = weapon(state, body) {
                let told = [row[column("damage dice")], row[column("damage sides")]];
                assert_eq!(told, [dice.count, dice.sides].map(|number| number as i16));
            }
            for ability in &figure.abilities {
                let id = &state.stage.ability_def(*ability).id;
                assert_eq!(row[column(&format!("ability {id}"))], 1, "{} is ready to use {id}", figure.name);
            }
        }
    }

    #[test]
    fn the_fog_is_not_in_the_observation() {
        // A scenario has fog of its own.
        let foggy = [opening("dungeon", &[("fog", "on")]), opening("crypt-of-lanterns", &[])];
        foggy.iter().for_each(|opening| nothing_hidden_shows::<Skirmish>(opening, &Plan::default(), 120));
    }
}
