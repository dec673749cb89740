//! What a seat may know of a position, and what is kept from it.
//!
//! Everything that leaves a table for a seat (views, scenes, lists of what may be done, refusals,
//! bots' choices) is made from [`seen`], a position in which the unseen are not there. So it cannot
//! tell of them. The map itself lies open: fog hides who and what stands on it, not the ground.
//!
//! Open to everybody: the map, one's own side, whatever stands on a cell that somebody of one's own
//! side sees, the round, that turns pass (and so how many act out of sight), who wins. An attack or
//! ability between somebody seen and somebody unseen names both: that is how one learns who is there.
//! Everything else about the unseen is a [`Secret`], and so are the dice for everybody.

use crate::board::Cell;
use crate::dice::Source;
use crate::document::BudgetDoc;
use crate::event::Event;
use crate::game::{FOES, HEROES, Skirmish};
use crate::rules::conditions;
use crate::stage::{BodyId, ConditionId, DEAD, bit};
use crate::state::State;
use crate::view::Sight;
use std::borrow::Cow;
use turnstone::dice::{Draw, Lots};
use turnstone::{Position, Seat, Viewer};
use turnstone_host::Secretive;

/// Whether what one does not see cannot be acted on: in fog, under the rules of the house.
pub fn binds(state: &State) -> bool {
    state.stage.rules.house.is_some() && state.stage.document.map.fog_of_war_enabled
}

/// The seat whose turn it is; outside combat the heroes'.
pub fn acting(state: &State) -> Seat {
    match state.combat.active {
        Some(body) if !state.stage.player_ids().contains(&body) => FOES,
        _ => HEROES,
    }
}

/// The position by which an action is judged: as the side sees it whose turn it is.
pub fn as_acted(state: &State) -> Cow<'_, State> {
    if binds(state) { without_unseen(state, Viewer::Seat(acting(state))) } else { Cow::Borrowed(state) }
}

/// The position as a viewer sees it: the unseen are nowhere, and the dice are blank.
pub fn seen(state: &State, viewer: Viewer) -> Cow<'_, State> {
    if viewer == Viewer::All {
        return Cow::Borrowed(state);
    }
    let mut position = without_unseen(state, viewer).into_owned();
    let Source { algorithm, mode, .. } = position.dice;
    position.dice = Source { algorithm, mode, seed: None, chain: None, rolls: 0 };
    Cow::Owned(position)
}

fn without_unseen(state: &State, viewer: Viewer) -> Cow<'_, State> {
    let unseen = unseen(state, viewer);
    if unseen.is_empty() {
        return Cow::Borrowed(state);
    }
    let mut position = state.clone();
    for body in &unseen {
        position.occupied.remove(state.stage.board.index(state.cell(*body)));
        let gone = position.body_mut(*body);
        (gone.cell, gone.hp, gone.mask) = (Cell::NOWHERE, 0, bit(DEAD));
        (gone.timed, gone.cooling) = (false, false);
    }
    let there = |body: BodyId| !unseen.contains(&body);
    position.conditions.retain(|m| there(m.body));
    position.timers.retain(|t| there(t.body));
    position.cooldowns.retain(|c| there(c.body));
    position.combat.order.retain(|b| there(*b));
    position.combat.active = position.combat.active.filter(|b| there(*b));
    position.combat.budget = position.combat.budget.filter(|_| position.combat.active.is_some());
    for (count, side) in position.living.iter_mut().zip([state.stage.player_ids(), state.stage.npc_ids()]) {
        // Whether a side still stands is known to all; how many of it are out there is not.
        let counted = side.filter(|b| there(*b) && !state.is_dead(*b)).count() as u16;
        *count = counted.max((*count).min(1));
    }
    Cow::Owned(position)
}

/// The entities that a viewer does not see.
pub fn unseen(state: &State, viewer: Viewer) -> Vec<BodyId> {
    if !state.stage.document.map.fog_of_war_enabled {
        return Vec::new();
    }
    let sight = Sight::new(state, viewer);
    state.stage.bodies().filter(|body| !sight.body(state, *body)).collect()
}

/// Something that a seat may not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secret {
    /// Where the unseen stand.
    Places,
    /// Their hit points.
    Health,
    /// Their conditions and how long those last.
    Conditions,
    /// When their abilities are ready again.
    Cooldowns,
    /// Which of them acts when.
    Order,
    /// What the one whose turn it is has spent, if unseen.
    Spent,
    /// The dice's seed and counters, which would tell the future.
    Dice,
}

impl Secret {
    /// All there are.
    pub const ALL: [Secret; 7] = [
        Secret::Places,
        Secret::Health,
        Secret::Conditions,
        Secret::Cooldowns,
        Secret::Order,
        Secret::Spent,
        Secret::Dice,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Secret::Places => "places",
            Secret::Health => "health",
            Secret::Conditions => "conditions",
            Secret::Cooldowns => "cooldowns",
            Secret::Order => "order",
            Secret::Spent => "spent",
            Secret::Dice => "dice",
        }
    }
}

impl Secretive for Skirmish {
    fn seen<'p>(&self, position: &'p Position<Self>, seat: Seat) -> Cow<'p, Position<Self>> {
        Cow::Owned(position.with_state(seen(position.state(), Viewer::Seat(seat)).into_owned()))
    }

    fn sample(&self, position: &Position<Self>, seat: Seat, lots: &mut Lots) -> Position<Self> {
        position.with_state(sample(position.state(), seat, lots))
    }

    fn secrets() -> Vec<&'static str> {
        Secret::ALL.iter().map(|secret| secret.name()).collect()
    }

    fn vary(
        &self,
        position: &Position<Self>,
        seat: Seat,
        secret: usize,
        lots: &mut Lots,
    ) -> Option<Position<Self>> {
        let state = vary(position.state(), seat, *Secret::ALL.get(secret)?, lots)?;
        Some(position.with_state(state))
    }

    /// Dice lie open once they are rolled, also where nothing came of them; and a blow names who struck it.
    fn reveals(&self, event: &Event) -> bool {
        matches!(
            event,
            Event::Attacked(_)
                | Event::AbilityUsed(_)
                | Event::ConditionDamage { .. }
                | Event::InitiativeRolled { .. }
        )
    }
}

/// A position that this seat cannot tell from the true one: all its secrets drawn anew.
pub fn sample(state: &State, seat: Seat, lots: &mut impl Draw) -> State {
    let mut position = state.clone();
    for secret in Secret::ALL {
        if let Some(changed) = vary(&position, seat, secret, lots) {
            position = changed;
        }
    }
    position
}

/// The position with one secret of a seat changed and nothing else; `None` if it keeps none such.
pub fn vary(state: &State, seat: Seat, secret: Secret, lots: &mut impl Draw) -> Option<State> {
    let hidden = unseen(state, Viewer::Seat(seat));
    let mut position = state.clone();
    match secret {
        Secret::Places => scatter(&mut position, seat, &hidden, lots),
        Secret::Health => heal_or_hurt(&mut position, &hidden, lots),
        Secret::Conditions => mark_or_free(&mut position, &hidden, lots),
        Secret::Cooldowns => ready_or_not(&mut position, &hidden, lots),
        Secret::Order => shuffle(&mut position, &hidden, lots),
        Secret::Spent => spend(&mut position, &hidden, lots),
        Secret::Dice => {
            let seed = format!("lots-{}", lots.next_u64());
            position.dice.seed = Some(seed.as_str().into());
            if position.dice.chain.is_some() {
                position.dice.chain = Some(lots.below(1 << 31) as u32);
                // How many were rolled out of sight is nobody's to know.
                position.dice.rolls = 1 + lots.below(64) as u32;
            }
        }
    }
    (position != *state).then_some(position)
}

/// Every hidden entity to some cell out of sight.
fn scatter(position: &mut State, seat: Seat, hidden: &[BodyId], lots: &mut impl Draw) {
    let stage = position.stage.clone();
    let board = &stage.board;
    let sight = Sight::new(position, Viewer::Seat(seat));
    // All of them leave before the first is placed: where they truly stand must not bear on where they might.
    for body in hidden {
        position.occupied.remove(board.index(position.cell(*body)));
    }
    for body in hidden {
        let open = |at: &usize| !position.occupied.has(*at) && !board.blocked.has(*at);
        let cells = (0..board.cells()).filter(open).map(|at| board.at(at));
        let dark: Vec<Cell> = cells.filter(|cell| !sight.cell(position, *cell)).collect();
        let cell = lots.pick(&dark).copied().unwrap_or(position.cell(*body));
        position.occupied.insert(board.index(cell));
        position.body_mut(*body).cell = cell;
    }
}

fn living<'a>(position: &'a State, hidden: &'a [BodyId]) -> impl Iterator<Item = BodyId> + 'a {
    let creatures = position.stage.creature_ids();
    hidden.iter().copied().filter(move |b| creatures.contains(b) && !position.is_dead(*b))
}

fn heal_or_hurt(position: &mut State, hidden: &[BodyId], lots: &mut impl Draw) {
    let bodies: Vec<BodyId> = living(position, hidden).collect();
    for body in bodies {
        position.body_mut(body).hp = lots.between(1, position.stage.figure(body).hp_max.max(1));
    }
}

/// Some lose their conditions, some get one.
fn mark_or_free(position: &mut State, hidden: &[BodyId], lots: &mut impl Draw) {
    let bodies: Vec<BodyId> = living(position, hidden).collect();
    let known = position.stage.rules.conditions.len() as ConditionId;
    for body in bodies {
        let worn: Vec<ConditionId> = position.conditions_of(body).collect();
        worn.into_iter().for_each(|condition| conditions::remove(position, body, condition));
        // Nor whether it ever had one that ran out.
        position.body_mut(body).timed = false;
        if known > 1 && lots.chance(1, 2) {
            let condition = lots.between(1, i64::from(known) - 1) as ConditionId;
            conditions::add(position, body, condition, 1 + lots.below(3) as u32);
        }
    }
}

fn ready_or_not(position: &mut State, hidden: &[BodyId], lots: &mut impl Draw) {
    let bodies: Vec<BodyId> = living(position, hidden).collect();
    for body in bodies {
        position.cooldowns.retain(|c| c.body != body);
        position.body_mut(body).cooling = false;
        let stage = position.stage.clone();
        for ability in &stage.figure(body).abilities {
            if stage.ability_def(*ability).cooldown > 0 && lots.chance(1, 2) {
                conditions::set_cooldown(position, body, *ability, 1);
            }
        }
    }
}

/// The hidden among the places of the hidden; whose turn it is stays the same place.
fn shuffle(position: &mut State, hidden: &[BodyId], lots: &mut impl Draw) {
    let mut moving: Vec<BodyId> = position
        .combat
        .order
        .iter()
        .copied()
        .filter(|b| hidden.contains(b) && !position.is_dead(*b))
        .collect();
    let places: Vec<usize> =
        (0..position.combat.order.len()).filter(|at| moving.contains(&position.combat.order[*at])).collect();
    let turn = position.combat.active.and_then(|b| position.combat.order.iter().position(|o| *o == b));
    // From an order of its own, so that the true one does not bear on what comes of it.
    moving.sort_unstable();
    lots.shuffle(&mut moving);
    for (at, body) in places.into_iter().zip(moving) {
        position.combat.order[at] = body;
    }
    position.combat.active = turn.map(|at| position.combat.order[at]);
}

fn spend(position: &mut State, hidden: &[BodyId], lots: &mut impl Draw) {
    let out_of_sight = position.combat.active.is_some_and(|b| hidden.contains(&b));
    if let Some(budget) = position.combat.budget.as_mut().filter(|_| out_of_sight) {
        let (movement_used, action_used) = (lots.below(2) as i64, lots.below(2) as i64);
        *budget = BudgetDoc { movement_used, action_used, ..*budget };
    }
}
