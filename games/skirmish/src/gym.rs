//! Skirmish as numbers, for learners.
//!
//! | part | what |
//! |---|---|
//! | `map` | planes `[7][rows][columns]`: blocked, opaque, difficult, one's own side, the other, things, seen |
//! | `entities` | a row for each entity, in the order of the document: what and where it is, its numbers, conditions |
//! | `status` | combat or not, rounds, what was spent of this turn |
//!
//! What lies in fog is in none of them. Numbers of inputs: for whoever's turn it is first all cells to walk to, then
//! whom to attack, defending, and each ability on each entity; outside of combat the same once more for each who may
//! act; then the end of the turn and rolling initiative. Abilities that content of one's own adds have their numbers
//! behind all these: adding one renumbers nothing.
//!
//! Rewards: `outcome` (default), 1 for a victory and -1 for a defeat; `health`, besides that the change of one's own
//! side's share of hit points.

use crate::action::{Action, Verb};
use crate::content::Catalog;
use crate::fog::Sight;
use crate::game::{FOES, HEROES, Skirmish};
use crate::rules::known;
use crate::setup::Setup;
use crate::sight::seen;
use crate::stage::BodyId;
use crate::state::{StageRef, State};
use turnstone::{Input, InputOf, Position, Rejection, Seat, Viewer};
use turnstone_gym::{Coder, Learned, Part, Sheet, Taste, result, word};

/// Entities that have rows and numbers, if a fight is drawn from the seed.
const ENTITIES: usize = 24;
/// Who may act outside of combat under the rules of the house.
const HEROES_MOST: usize = 8;
/// Conditions and abilities that have columns of their own.
const CONDITIONS: usize = 16;
const COOLDOWNS: usize = 8;

const PLANES: [&str; 7] = ["blocked", "opaque", "difficult", "own", "other", "things", "seen"];
const TERRAIN: usize = 3;
const ENTITY: [&str; 13] = [
    "there",
    "side",
    "x",
    "y",
    "hp",
    "max hp",
    "armour",
    "speed",
    "reach",
    "dead",
    "acts now",
    "place in order",
    "attack bonus",
];
const STATUS: [&str; 8] =
    ["combat", "round", "calm rounds", "rounds fought", "strolled", "moves spent", "actions spent", "side"];

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
}

impl Learned for Skirmish {
    type Coder = SkirmishCoder;

    fn coder(&self, _: &Setup, first: &Position<Self>, taste: &Taste) -> Result<SkirmishCoder, Rejection> {
        taste.observation(&["all"])?;
        let stage = &first.state().stage;
        let entities = stage.figures.len().max(ENTITIES);
        let usual = Catalog::built_in().abilities.len();
        let actors = if stage.rules.house.is_some() { HEROES_MOST } else { entities };
        Ok(SkirmishCoder {
            width: stage.board.width.into(),
            height: stage.board.height.into(),
            entities,
            actors,
            abilities: usual,
            added: stage.rules.abilities.len().saturating_sub(usual),
            fog: stage.document.map.fog_of_war_enabled,
            health: taste.reward(&["outcome", "health"])? == "health",
        })
    }
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
        ENTITY.len() + CONDITIONS + COOLDOWNS
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

    fn entities(&self, state: &State, seat: Seat, out: &mut [i16]) {
        out.fill(0);
        let bodies = state.stage.bodies().zip(out.chunks_exact_mut(self.row()));
        for (body, row) in bodies.filter(|(body, _)| !state.is_absent(*body)) {
            let (figure, now, cell) = (state.stage.figure(body), state.body(body), state.cell(body));
            let place = state.combat.order.iter().position(|other| *other == body);
            row[..ENTITY.len()].copy_from_slice(&[
                1,
                side(state, body, seat),
                cell.x.into(),
                cell.y.into(),
                word(now.hp),
                word(figure.hp_max),
                word(figure.ac),
                word(figure.speed),
                word(figure.reach),
                state.is_dead(body).into(),
                (state.combat.active == Some(body)).into(),
                place.map_or(0, |place| word(place as i64 + 1)),
                word(figure.attack_bonus),
            ]);
        }
        for mark in &state.conditions {
            let at = (usize::from(mark.condition) < CONDITIONS)
                .then(|| usize::from(mark.body) * self.row() + ENTITY.len() + usize::from(mark.condition));
            if let Some(slot) = at.and_then(|at| out.get_mut(at)) {
                *slot = 1;
            }
        }
        for cooldown in &state.cooldowns {
            let crate::state::CooldownKey::Ability(ability) = &cooldown.key else { continue };
            let first = usize::from(cooldown.body) * self.row() + ENTITY.len() + CONDITIONS;
            let at = (usize::from(*ability) < COOLDOWNS).then(|| first + usize::from(*ability));
            if let Some(slot) = at.and_then(|at| out.get_mut(at)) {
                *slot = word(cooldown.left);
            }
        }
    }

    fn status(&self, state: &State, seat: Seat, out: &mut [i16]) {
        let combat = &state.combat;
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
        ]);
    }

    fn write(&self, state: &State, seat: Seat, terrain: bool, sheet: &mut Sheet<'_>) {
        let sight = self.fog.then(|| Sight::new(state, Viewer::Seat(seat)));
        let shown =
            if self.fog { seen(state, Viewer::Seat(seat)) } else { std::borrow::Cow::Borrowed(state) };
        let (ground, figures) = sheet.bytes.split_at_mut(TERRAIN * self.area());
        if terrain {
            self.terrain(state, ground);
        }
        self.figures(&shown, sight.as_ref(), seat, figures);
        let (entities, status) = sheet.words.split_at_mut(self.entities * self.row());
        self.entities(&shown, seat, entities);
        self.status(&shown, seat, status);
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

/// The stage whose terrain a buffer shows.
#[derive(Clone, Default)]
pub struct Drawn(Option<StageRef>);

impl Coder<Skirmish> for SkirmishCoder {
    type Canvas = Drawn;

    fn parts(&self) -> Vec<Part> {
        let conditions = (0..CONDITIONS).map(|number| format!("condition {number}"));
        let cooldowns = (0..COOLDOWNS).map(|number| format!("cooldown {number}"));
        let columns = ENTITY.into_iter().map(String::from).chain(conditions).chain(cooldowns);
        vec![
            Part::bytes("map", &[PLANES.len(), self.height, self.width]).with_columns(PLANES),
            Part::words("entities", &[self.entities, self.row()]).with_columns(columns),
            Part::words("status", &[STATUS.len()]).with_columns(STATUS),
        ]
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
        self.write(position.state(), seat, true, sheet);
    }

    fn update(
        &self,
        _: &Skirmish,
        position: &Position<Skirmish>,
        seat: Seat,
        canvas: &mut Drawn,
        sheet: &mut Sheet<'_>,
    ) {
        let stage = &position.state().stage;
        let known = canvas.0.as_ref().is_some_and(|drawn| drawn == stage);
        self.write(position.state(), seat, !known, sheet);
        if !known {
            canvas.0 = Some(stage.clone());
        }
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
    use turnstone_gym::{Autoreset, Plan};
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
        assert_eq!(shapes, [map, ("entities".to_owned(), vec![24, 37]), ("status".to_owned(), vec![8])]);
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

    #[test]
    fn the_fog_is_not_in_the_observation() {
        nothing_hidden_shows::<Skirmish>(&opening("dungeon", &[("fog", "on")]), &Plan::default(), 120);
    }
}
