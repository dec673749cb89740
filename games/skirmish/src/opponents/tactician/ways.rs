//! The ways to play a turn: where to go and what to do there, or before going. Each has a score that is quickly found:
//! what the deed should do, less what stays in harm's way, less how far the foes still are.

use super::arms::Arms;
use crate::action::Action;
use crate::board::{Board, Cell};
use crate::queries::reach::Field;
use crate::rules::{Spends, budget, can_act, defend};
use crate::stage::{AbilityId, BodyId};
use crate::state::State;
use smallvec::SmallVec;

/// What a hit point lost is worth, measured by one taken: the less, the bolder.
const CAUTION: f64 = 0.4;
/// What a step nearer to the foes is worth.
const NEARER: f64 = 0.01;
/// What of a foe's worth goes with its hit points; the rest goes with its death.
const HURT: f64 = 0.7;
/// Steps beyond which it does not matter how far it is.
const FARTHEST: u16 = 99;
/// What is left of the harm that a guard meets.
const GUARDED: f64 = 0.9;

/// What a turn's action is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Nothing,
    Defend,
    Attack(BodyId),
    Use(AbilityId, BodyId),
}

/// A way to play the turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Way {
    pub deed: Deed,
    /// Where it ends.
    pub cell: Cell,
    /// Whether the deed comes before the walk.
    pub first: bool,
    pub score: f64,
}

/// A deed that may be possible, from here or after a walk.
#[derive(Clone, Copy)]
struct Chance {
    deed: Deed,
    /// Where its target stands, and from how far it is reached.
    target: Cell,
    range: i64,
    here: bool,
    gain: f64,
}

/// A foe's arm, as it threatens.
struct Threat {
    cell: Cell,
    speed: i64,
    range: i64,
    harm: f64,
    /// Arms of the same foe follow each other; it uses one of them.
    foe: BodyId,
}

/// How far it is from anywhere to somewhere, over ground on which nobody stands; each is found once.
pub(super) struct Far {
    maps: Vec<Option<Box<[u16]>>>,
}

impl Far {
    pub fn new(board: &Board) -> Far {
        Far { maps: (0..board.cells()).map(|_| None).collect() }
    }

    /// Steps to each of these cells, by cell.
    fn to(&mut self, board: &Board, goals: &[Cell]) -> SmallVec<[&[u16]; 8]> {
        for goal in goals {
            self.maps[board.index(*goal)].get_or_insert_with(|| steps_to(board, *goal));
        }
        goals.iter().filter_map(|goal| self.maps[board.index(*goal)].as_deref()).collect()
    }
}

fn steps_to(board: &Board, goal: Cell) -> Box<[u16]> {
    let mut steps = vec![u16::MAX; board.cells()];
    let mut queue = vec![goal];
    steps[board.index(goal)] = 0;
    let mut next = 0;
    while let Some(cell) = queue.get(next).copied() {
        next += 1;
        let further = steps[board.index(cell)] + 1;
        for beside in board.neighbours(cell) {
            let at = board.index(beside);
            if steps[at] == u16::MAX && !board.blocked.has(at) {
                steps[at] = further;
                queue.push(beside);
            }
        }
    }
    steps.into()
}

/// The turn of a body, looked at once.
pub(super) struct Turn<'a> {
    state: &'a State,
    body: BodyId,
    field: Option<Field>,
    chances: Vec<Chance>,
    threats: Vec<Threat>,
    /// What is lost with the whole of its hit points.
    stake: f64,
    foes: SmallVec<[Cell; 8]>,
}

impl<'a> Turn<'a> {
    pub fn new(state: &'a State, body: BodyId, arms: &Arms) -> Turn<'a> {
        let may_move = budget(state, Spends::Movement).is_ok();
        let field = may_move.then(|| Field::this_turn(state, body));
        let stake = arms.worth(body) / state.body(body).hp.max(1) as f64;
        let foes = state.hostiles(body).map(|foe| state.cell(foe)).collect();
        let chances = chances(state, body, arms, may_move);
        Turn { state, body, field, chances, threats: threats(state, body, arms), stake, foes }
    }

    /// Every way.
    pub fn all(&self, far: &mut Far) -> Vec<Way> {
        let mut all = Vec::new();
        self.each(far, &self.chances, |way| all.push(way));
        all
    }

    /// The way that looks best at first sight.
    pub fn best(&self, far: &mut Far) -> Way {
        let here = self.state.cell(self.body);
        let mut best = Way { deed: Deed::Nothing, cell: here, first: false, score: f64::MIN };
        let worth_a_look: Vec<Chance> =
            self.chances.iter().filter(|chance| !self.is_poor(chance)).copied().collect();
        self.each(far, &worth_a_look, |way| {
            if way.score > best.score {
                best = way;
            }
        });
        best
    }

    /// Whether another deed does more wherever this one is possible.
    fn is_poor(&self, chance: &Chance) -> bool {
        let beats = |other: &Chance| {
            other.gain > chance.gain
                && (other.here
                    || !chance.here && other.target == chance.target && other.range >= chance.range)
        };
        chance.deed != Deed::Defend && self.chances.iter().any(beats)
    }

    fn each(&self, far: &mut Far, chances: &[Chance], mut take: impl FnMut(Way)) {
        let far = far.to(&self.state.stage.board, &self.foes);
        let here = self.state.cell(self.body);
        self.ending_at(here, &far, chances, &mut take);
        for cell in self.field.iter().flat_map(|field| field.cells(self.state, self.body)) {
            self.ending_at(cell, &far, chances, &mut take);
        }
    }

    fn ending_at(&self, cell: Cell, far: &[&[u16]], chances: &[Chance], take: &mut impl FnMut(Way)) {
        let moved = cell != self.state.cell(self.body);
        let lost = CAUTION * HURT * self.stake * self.peril(cell);
        let steps = NEARER * self.steps(cell, far);
        for chance in chances {
            if !chance.here && cell.chebyshev(chance.target) > chance.range {
                continue;
            }
            let lost = if chance.deed == Deed::Defend { GUARDED * lost } else { lost };
            let score = chance.gain - lost - steps;
            take(Way { deed: chance.deed, cell, first: chance.here && moved, score });
        }
    }

    /// Hit points that the foes may take in their next turns from who stands there.
    fn peril(&self, cell: Cell) -> f64 {
        let (mut sum, mut worst, mut foe) = (0.0, 0.0, BodyId::MAX);
        for threat in &self.threats {
            if threat.foe != foe {
                sum += worst;
                (worst, foe) = (0.0, threat.foe);
            }
            let gap = |a: u8, b: u8| (i64::from(a.abs_diff(b)) - threat.range).max(0);
            let steps = gap(cell.x, threat.cell.x) + gap(cell.y, threat.cell.y);
            if steps <= threat.speed && threat.harm > worst {
                worst = threat.harm;
            }
        }
        (sum + worst).min(self.state.body(self.body).hp as f64)
    }

    /// Steps to the nearest foe.
    fn steps(&self, cell: Cell, far: &[&[u16]]) -> f64 {
        let at = self.state.stage.board.index(cell);
        let nearest = far.iter().map(|steps| steps[at]).min().unwrap_or(0);
        f64::from(nearest.min(FARTHEST))
    }

    /// The actions of a way, the end of the turn included; `None` if one cannot stop there.
    pub fn actions(&self, way: &Way) -> Option<Vec<Action>> {
        let (state, stage) = (self.state, &self.state.stage);
        let id = &stage.figure(self.body).id;
        let name = |body: BodyId| &stage.figure(body).id;
        let deed = match way.deed {
            Deed::Nothing => None,
            Deed::Defend => Some(Action::defend(id)),
            Deed::Attack(foe) => Some(Action::attack(id, name(foe))),
            Deed::Use(ability, whom) => {
                Some(Action::use_ability(id, &stage.ability_def(ability).id, name(whom)))
            }
        };
        let walk = match way.cell == state.cell(self.body) {
            true => None,
            false => Some(Action::walk(id, self.field.as_ref()?.way(state, self.body, way.cell)?)),
        };
        let (one, two) = if way.first { (deed, walk) } else { (walk, deed) };
        Some(one.into_iter().chain(two).chain([Action::end_turn(id)]).collect())
    }
}

/// Everything that a body might do with its action.
fn chances(state: &State, body: BodyId, arms: &Arms, may_move: bool) -> Vec<Chance> {
    let here = state.cell(body);
    let always = |deed: Deed, gain: f64| Chance { deed, target: here, range: 0, here: true, gain };
    let mut all = vec![always(Deed::Nothing, 0.0)];
    if budget(state, Spends::Action).is_err() {
        return all;
    }
    if state.stage.is_modern() {
        let missing = state.stage.figure(body).hp_max.saturating_sub(state.body(body).hp);
        let back = missing.clamp(0, defend::HEALS) as f64;
        all.push(always(Deed::Defend, healed(state, body, arms, back)));
    }
    if state.stage.is_modern() && can_act(state, body).is_err() {
        return all;
    }
    let speed = if may_move { state.stage.speed(body) } else { 0 };
    for arm in arms.of(body) {
        if arm.ability.is_some_and(|ability| state.cooldown(body, ability) > 0) {
            continue;
        }
        let mut weigh = |whom: BodyId| {
            let target = state.cell(whom);
            if here.chebyshev(target) > arm.range.saturating_add(speed) {
                return;
            }
            let blow = arms.blow(state, body, whom, arm);
            let gain = match arm.heals {
                true => healed(state, whom, arms, blow.harm),
                false => {
                    let share = blow.harm / state.body(whom).hp.max(1) as f64;
                    let lasting = arm.lasting * (blow.hit - blow.kill).max(0.0);
                    arms.worth(whom) * (HURT * share + (1.0 - HURT) * blow.kill + lasting)
                }
            };
            let deed = arm.ability.map_or(Deed::Attack(whom), |ability| Deed::Use(ability, whom));
            all.push(Chance {
                deed,
                target,
                range: arm.range,
                here: here.chebyshev(target) <= arm.range,
                gain,
            });
        };
        match arm.heals {
            true => {
                let hurt = |b: &BodyId| state.body(*b).hp < state.stage.figure(*b).hp_max;
                state.allies(body).chain([body]).filter(hurt).for_each(&mut weigh);
            }
            false => state.hostiles(body).for_each(&mut weigh),
        }
    }
    all
}

/// What it is worth to give hit points back: the more, the fewer there are.
fn healed(state: &State, body: BodyId, arms: &Arms, points: f64) -> f64 {
    HURT * arms.worth(body) * points / (state.body(body).hp.max(1) as f64 + points)
}

/// The arms of all foes, but for those that reach no farther and harm less than another of the same foe.
fn threats(state: &State, body: BodyId, arms: &Arms) -> Vec<Threat> {
    let mut all: Vec<Threat> = Vec::new();
    for foe in state.hostiles(body).filter(|foe| can_act(state, *foe).is_ok()) {
        let ready = |ability: AbilityId| state.cooldown(foe, ability) <= 1;
        let (cell, speed, known) = (state.cell(foe), state.stage.speed(foe), all.len());
        for arm in arms.of(foe).iter().filter(|arm| !arm.heals && arm.ability.is_none_or(ready)) {
            let (harm, range) = (arms.blow(state, foe, body, arm).harm, arm.range);
            if all[known..].iter().any(|other| other.range >= range && other.harm >= harm) {
                continue;
            }
            all.retain(|other| other.foe != foe || other.range > range || other.harm > harm);
            all.push(Threat { cell, speed, range, harm, foe });
        }
    }
    all
}
