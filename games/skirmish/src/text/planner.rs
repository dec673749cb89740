//! From an intent to the actions that would carry it out.

use super::intent::{Direction, Intent, Want};
use super::names::{default_subject, most_injured, resolve};
use crate::action::Action;
use crate::board::{Cell, Path};
use crate::catalog::AbilityKind;
use crate::queries::path::{Options, find_path, path_beside};
use crate::rules::attack::allowed;
use crate::rules::walk::stride;
use crate::stage::BodyId;
use crate::state::State;

/// The actions for an intent; none if it cannot be carried out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IntentPlan {
    /// Whether there is anything to do.
    pub ok: bool,
    /// The actions, in order.
    pub actions: Vec<Action>,
}

/// Plans an intent. Nothing is checked against the rules: the engine is the only authority.
pub fn plan(state: &State, intent: &Intent) -> IntentPlan {
    let actions = Planner { state: state.clone() }.plan(intent).unwrap_or_default();
    IntentPlan { ok: !actions.is_empty(), actions }
}

/// Plans with positions as they will be after the actions planned so far.
struct Planner {
    state: State,
}

impl Planner {
    fn plan(&mut self, intent: &Intent) -> Option<Vec<Action>> {
        match &intent.want {
            Want::StartCombat => return Some(vec![Action::roll_initiative()]),
            Want::Compound { steps } => return Some(self.compound(steps)),
            Want::Unknown => return None,
            _ => {}
        }
        let subject = match intent.subject.as_deref() {
            None => default_subject(&self.state)?,
            Some(word) => resolve(&self.state, word, default_subject(&self.state))?,
        };
        let id = self.state.stage.figure(subject).id.clone();
        match &intent.want {
            Want::MoveTo { x, y } => self.move_to(subject, *x, *y),
            Want::MoveDirection { direction, distance } => {
                self.move_direction(subject, *direction, *distance)
            }
            Want::Approach { target } => {
                let target = resolve(&self.state, target, Some(subject))?;
                let path = self.beside(subject, target)?;
                self.walk(subject, path).map(|action| vec![action])
            }
            Want::Flee { from } => self.flee(subject, from.as_deref().unwrap_or("nearest_hostile")),
            Want::Attack { target } => self.attack(subject, target),
            Want::UseAbility { ability, target } => {
                self.use_ability(subject, ability, target.as_deref().unwrap_or("nearest_hostile"))
            }
            Want::EndTurn => Some(vec![Action::end_turn(&id)]),
            Want::Defend => Some(vec![Action::defend(&id)]),
            Want::Compound { .. } | Want::StartCombat | Want::Unknown => None,
        }
    }

    /// Steps that cannot be planned are left out.
    fn compound(&mut self, steps: &[Intent]) -> Vec<Action> {
        steps.iter().filter_map(|step| self.plan(step)).flatten().collect()
    }

    /// A walk along at most as many cells as the speed; the walker is then there.
    fn walk(&mut self, subject: BodyId, mut path: Path) -> Option<Action> {
        path.truncate(self.state.stage.speed(subject).clamp(0, 1000) as usize);
        let id = self.state.stage.figure(subject).id.clone();
        if path.is_empty() {
            return None;
        }
        stride(&mut self.state, subject, &path);
        Some(Action::walk(&id, path))
    }

    fn beside(&self, subject: BodyId, target: BodyId) -> Option<Path> {
        let (from, to) = (self.state.cell(subject), self.state.cell(target));
        path_beside(&self.state, subject, from, to).map(|(_, route)| route.path)
    }

    fn route(&self, subject: BodyId, goal: Cell) -> Option<Path> {
        let options = Options { mover: Some(subject), ..Options::default() };
        find_path(&self.state, self.state.cell(subject), goal, options).map(|route| route.path)
    }

    fn move_to(&mut self, subject: BodyId, x: i64, y: i64) -> Option<Vec<Action>> {
        let goal = self.state.stage.board.cell(x, y)?;
        let path = self.route(subject, goal)?;
        self.walk(subject, path).map(|action| vec![action])
    }

    /// Straight on, to the edge of the map at most; obstacles are the engine's business.
    fn move_direction(
        &mut self,
        subject: BodyId,
        direction: Direction,
        distance: Option<i64>,
    ) -> Option<Vec<Action>> {
        let speed = self.state.stage.speed(subject);
        let cells = distance.unwrap_or(speed).min(speed).max(0);
        let mut here = self.state.cell(subject);
        let mut path = Path::new();
        for _ in 0..cells {
            let Some(next) = self.state.stage.board.step(here, direction.step()) else { break };
            path.push(next);
            here = next;
        }
        self.walk(subject, path).map(|action| vec![action])
    }

    /// Straight away from the threat along the longer axis, x on ties.
    fn flee(&mut self, subject: BodyId, from: &str) -> Option<Vec<Action>> {
        let threat = self.state.cell(resolve(&self.state, from, Some(subject))?);
        let here = self.state.cell(subject);
        let (dx, dy) = (i64::from(here.x) - i64::from(threat.x), i64::from(here.y) - i64::from(threat.y));
        let speed = self.state.stage.speed(subject).min(200);
        let away = |d: i64| if d < 0 { -speed } else { speed };
        let (mut x, mut y) = (i64::from(here.x), i64::from(here.y));
        if dx.abs() >= dy.abs() {
            x += away(dx);
        } else {
            y += away(dy);
        }
        let board = &self.state.stage.board;
        let goal =
            board.cell(x.clamp(0, i64::from(board.width) - 1), y.clamp(0, i64::from(board.height) - 1))?;
        let path = self.route(subject, goal)?;
        self.walk(subject, path).map(|action| vec![action])
    }

    /// Walks up if need be, and attacks if then next to the target.
    fn attack(&mut self, subject: BodyId, target: &str) -> Option<Vec<Action>> {
        let target = resolve(&self.state, target, Some(subject))?;
        let mut actions = Vec::new();
        let stage = &self.state.stage;
        // Recorded plans walk until they stand side by side; at a table whoever can strike strikes.
        if stage.rules.house.is_some() && allowed(&self.state, subject, target).is_ok() {
            return Some(vec![Action::attack(&stage.figure(subject).id, &stage.figure(target).id)]);
        }
        if self.state.cell(subject).manhattan(self.state.cell(target)) != 1 {
            let path = self.beside(subject, target)?;
            actions.extend(self.walk(subject, path));
        }
        if self.state.cell(subject).manhattan(self.state.cell(target)) == 1 {
            let stage = &self.state.stage;
            actions.push(Action::attack(&stage.figure(subject).id, &stage.figure(target).id));
        }
        Some(actions)
    }

    /// Walks into range if need be, and uses the ability if then in range.
    fn use_ability(&mut self, subject: BodyId, ability: &str, target: &str) -> Option<Vec<Action>> {
        let ability = self.state.stage.ability(ability)?;
        let def = self.state.stage.ability_def(ability).clone();
        let mut target = resolve(&self.state, target, Some(subject))?;
        if def.kind == AbilityKind::Heal && self.state.stage.kind(target) != self.state.stage.kind(subject) {
            // `heal` without a name means whoever needs it most.
            target = most_injured(&self.state, subject).unwrap_or(subject);
        }
        let mut actions = Vec::new();
        let distance = |s: &State| s.cell(subject).chebyshev(s.cell(target));
        if distance(&self.state) > def.range {
            let path = self.beside(subject, target)?;
            actions.extend(self.walk(subject, path));
        }
        if distance(&self.state) <= def.range {
            let stage = &self.state.stage;
            let ids = (&stage.figure(subject).id, &stage.figure(target).id);
            actions.push(Action::use_ability(ids.0, &def.id, ids.1));
        }
        Some(actions)
    }
}
