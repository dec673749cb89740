//! The planner that weighs targets, approaches and abilities.
//!
//! A turn is: an ability at range if one fits, else a walk and a blow or an
//! ability up close, else healing whoever needs it most; then the end of the
//! turn. What a preset leaves to chance is drawn from the bot's own lots, never
//! from the match's dice.

use super::cut_to_speed;
use crate::action::Action;
use crate::board::{Cell, Path};
use crate::catalog::{AbilityKind, DifficultyDef, Movement, TargetChoice};
use crate::queries::path::{Options, find_path};
use crate::queries::reach::{into_range, reach};
use crate::rules::walk::stride;
use crate::rules::{Spends, ability, attack, budget};
use crate::stage::{AbilityId, BodyId};
use crate::state::State;
use turnstone::dice::Draw;

/// Rounds without blood after which a bot that cannot get at anybody walks elsewhere.
const PATIENCE: u16 = 4;

/// Plans a whole turn for a body, in a position as its side sees it: a bot knows no more than its
/// player would.
pub fn plan(state: &State, body: BodyId, preset: &DifficultyDef, lots: &mut impl Draw) -> Vec<Action> {
    let mut turn = Turn { state: state.clone(), body, preset, lots, actions: Vec::new() };
    if !state.is_dead(body) {
        turn.take();
    }
    turn.actions.push(Action::end_turn(&state.stage.figure(body).id));
    turn.actions
}

struct Turn<'a, D> {
    /// The position as it will be after the planned walk.
    state: State,
    body: BodyId,
    preset: &'a DifficultyDef,
    lots: &'a mut D,
    actions: Vec<Action>,
}

impl<D: Draw> Turn<'_, D> {
    fn take(&mut self) {
        let may_act = budget(&self.state, Spends::Action).is_ok();
        let may_move = budget(&self.state, Spends::Movement).is_ok();
        if may_act && self.hurt_badly() && self.heal() {
            return self.step_back(may_move);
        }
        let Some(target) = self.target() else {
            return self.search(may_act, may_move);
        };
        if may_act && !self.beside(target) && self.cast_at(target) {
            return self.step_back(may_move);
        }
        if may_move && !self.in_reach(target) {
            self.approach(target);
            self.give_ground();
        }
        if may_act {
            self.strike(target);
        }
    }

    fn chance(&mut self, percent: u32) -> bool {
        percent >= 100 || self.lots.chance(percent.into(), 100)
    }

    /// Nobody in sight: heal, or look around.
    fn search(&mut self, may_act: bool, may_move: bool) {
        if may_act && self.heal() {
            return;
        }
        if may_move {
            self.wander();
        }
        if may_act && self.state.stage.is_modern() {
            self.actions.push(Action::defend(&self.state.stage.figure(self.body).id));
        }
    }

    /// Far away, wherever that is.
    fn wander(&mut self) {
        let far: Vec<Path> = reach(&self.state, self.body).into_iter().map(|(_, path)| path).collect();
        let longest = far.iter().map(|p| p.len()).max().unwrap_or(0);
        let ways: Vec<&Path> = far.iter().filter(|p| p.len() + 1 >= longest).collect();
        if let Some(path) = self.lots.pick(&ways).map(|p| (*p).clone()) {
            self.walk(&path);
        }
    }

    /// Where nobody gets any further, somebody must make room.
    fn give_ground(&mut self) {
        let stuck = self.actions.is_empty() && self.state.combat.calm >= PATIENCE;
        if stuck && self.lots.chance(1, 2) {
            self.wander();
        }
    }

    /// Whom to attack: those in reach come before the others, then by preset.
    fn target(&mut self) -> Option<BodyId> {
        let all: Vec<BodyId> = self.state.hostiles(self.body).collect();
        let near: Vec<BodyId> = all.iter().copied().filter(|f| self.can_get_to(*f)).collect();
        let foes = if near.is_empty() { all } else { near };
        if self.preset.movement == Movement::Nearest {
            let here = self.state.cell(self.body);
            if self.preset.targets != TargetChoice::Random || self.lots.chance(1, 2) {
                return foes.into_iter().min_by_key(|f| here.manhattan(self.state.cell(*f)));
            }
        }
        match self.preset.targets {
            TargetChoice::Random => self.lots.pick(&foes).copied(),
            TargetChoice::Weakest => foes.into_iter().min_by_key(|f| self.state.body(*f).hp),
            TargetChoice::LowestHp => foes.into_iter().rev().min_by_key(|f| self.state.body(*f).hp),
        }
    }

    fn can_get_to(&self, foe: BodyId) -> bool {
        if self.in_reach(foe) || self.best_ability(foe).is_some() {
            return true;
        }
        let figure = self.state.stage.figure(self.body);
        let way = into_range(&self.state, self.body, self.state.cell(foe), figure.reach);
        way.is_some_and(|path| cut_to_speed(&self.state, self.body, &path).len() == path.len())
    }

    fn beside(&self, foe: BodyId) -> bool {
        self.state.cell(self.body).chebyshev(self.state.cell(foe)) <= 1
    }

    fn in_reach(&self, foe: BodyId) -> bool {
        attack::allowed(&self.state, self.body, foe).is_ok()
    }

    /// The attack ability with the highest expected damage that can be used on a foe now.
    fn best_ability(&self, foe: BodyId) -> Option<AbilityId> {
        let stage = &self.state.stage;
        let usable = |a: &AbilityId| {
            stage.ability_def(*a).kind == AbilityKind::Attack
                && ability::allowed(&self.state, self.body, foe, *a).is_ok()
        };
        let worth = |a: &AbilityId| {
            let def = stage.ability_def(*a);
            let lasting = if def.applies.is_some() { 3 } else { 0 };
            i64::from(def.dice.count) * (i64::from(def.dice.sides) + 1) + 2 * def.bonus + lasting
        };
        stage.figure(self.body).abilities.iter().copied().filter(usable).max_by_key(worth)
    }

    fn cast_at(&mut self, foe: BodyId) -> bool {
        let Some(ability) = self.best_ability(foe) else { return false };
        if !self.chance(self.preset.ability_percent) {
            return false;
        }
        self.cast(ability, foe);
        true
    }

    fn cast(&mut self, ability: AbilityId, target: BodyId) {
        let stage = &self.state.stage;
        let (who, whom) = (&stage.figure(self.body).id, &stage.figure(target).id);
        let action = Action::use_ability(who, &stage.ability_def(ability).id, whom);
        self.actions.push(action);
    }

    /// A blow or an ability at a foe in reach.
    fn strike(&mut self, foe: BodyId) {
        if self.cast_at(foe) {
            return;
        }
        if self.in_reach(foe) && self.chance(self.preset.attack_percent) {
            let stage = &self.state.stage;
            let action = Action::attack(&stage.figure(self.body).id, &stage.figure(foe).id);
            self.actions.push(action);
            return;
        }
        if !self.heal() && self.state.stage.is_modern() && !self.in_reach(foe) {
            // Out of reach with nothing better to do: raise a guard.
            self.actions.push(Action::defend(&self.state.stage.figure(self.body).id));
        }
    }

    fn approach(&mut self, foe: BodyId) {
        let reach = self.state.stage.figure(self.body).reach;
        let path = self.flanking_path(foe).or_else(|| {
            let way = into_range(&self.state, self.body, self.state.cell(foe), reach)?;
            // Whoever blocks the last step today may be gone tomorrow.
            Some(cut_to_speed(&self.state, self.body, &way)).filter(|path| !path.is_empty())
        });
        let Some(path) = path.or_else(|| self.crowd_path(foe)) else { return };
        self.walk(&path);
    }

    /// With everybody in the way, at least towards the foe.
    fn crowd_path(&self, foe: BodyId) -> Option<Path> {
        let goal = self.state.cell(foe);
        let here = self.state.cell(self.body);
        let cells = reach(&self.state, self.body);
        let nearer = cells.into_iter().filter(|(cell, _)| cell.manhattan(goal) < here.manhattan(goal));
        nearer.min_by_key(|(cell, _)| cell.manhattan(goal)).map(|(_, path)| path)
    }

    /// The cell behind the foe, opposite to a comrade who stands beside it.
    fn flanking_path(&self, foe: BodyId) -> Option<Path> {
        if self.preset.movement != Movement::Flank {
            return None;
        }
        let goal = self.state.cell(foe);
        let speed = self.state.stage.speed(self.body);
        let comrades = self.state.allies(self.body).filter(|a| self.state.cell(*a).manhattan(goal) == 1);
        let behind = comrades.filter_map(|a| {
            let beside = self.state.cell(a);
            let mirror = |from: u8, at: u8| 2 * i64::from(at) - i64::from(from);
            self.state.stage.board.cell(mirror(beside.x, goal.x), mirror(beside.y, goal.y))
        });
        let options = Options { mover: Some(self.body), max_cost: Some(speed), ..Options::default() };
        let here = self.state.cell(self.body);
        behind.into_iter().find_map(|cell| find_path(&self.state, here, cell, options)).map(|r| r.path)
    }

    fn walk(&mut self, path: &[Cell]) {
        let path = cut_to_speed(&self.state, self.body, path);
        if path.is_empty() {
            return;
        }
        let action = Action::walk(&self.state.stage.figure(self.body).id, path.iter().copied());
        self.actions.push(action);
        stride(&mut self.state, self.body, &path);
    }

    /// After a shot, away from whoever is close: only the stronger presets think of it.
    fn step_back(&mut self, may_move: bool) {
        if !may_move || self.preset.movement == Movement::Nearest {
            return;
        }
        let distance = |cell: Cell| {
            self.state.hostiles(self.body).map(|f| cell.manhattan(self.state.cell(f))).min().unwrap_or(99)
        };
        let here = self.state.cell(self.body);
        let cells = reach(&self.state, self.body);
        let best = cells.into_iter().max_by_key(|(cell, path)| (distance(*cell), -(path.len() as i64)));
        if let Some((cell, path)) = best
            && distance(cell) > distance(here)
            && distance(here) <= 3
        {
            self.walk(&path);
        }
    }

    fn hurt_badly(&self) -> bool {
        let hurt = |b: BodyId| 2 * self.state.body(b).hp < self.state.stage.figure(b).hp_max;
        hurt(self.body) || self.state.allies(self.body).any(hurt)
    }

    /// Heals whoever on this side has lost the largest share, if an ability can.
    fn heal(&mut self) -> bool {
        let stage = self.state.stage.clone();
        let heals: Vec<AbilityId> = stage.figure(self.body).abilities.clone();
        let missing = |b: &BodyId| {
            let (hp, max) = (self.state.body(*b).hp, stage.figure(*b).hp_max);
            (max - hp) * 1000 / max.max(1)
        };
        let allies = self.state.allies(self.body).chain([self.body]);
        let mut wounded: Vec<BodyId> = allies.filter(|b| missing(b) > 0).collect();
        wounded.sort_by_key(|b| -missing(b));
        for ability in heals {
            let fits = |b: &&BodyId| {
                stage.ability_def(ability).kind == AbilityKind::Heal
                    && ability::allowed(&self.state, self.body, **b, ability).is_ok()
            };
            if let Some(target) = wounded.iter().find(fits).copied() {
                self.cast(ability, target);
                return true;
            }
        }
        false
    }
}
