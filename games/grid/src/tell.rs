//! Facts, effects and actions in words, for those who play: the agent is
//! *you* where there is only one, and a thing is *the* door where it is the
//! only one of its kind.

use turnstone::Note;

use crate::action::{Action, Deed};
use crate::component::Mask;
use crate::effect::Effect;
use crate::event::{Event, Pocket};
use crate::game::Grid;
use crate::geometry::{Cell, Spot};
use crate::label::Company;
use crate::reason::Reason;
use crate::state::at;
use crate::world::{Slot, World};

/// What an entity is called: `you`, `Agent 2`, `the red key`, `a spike`.
pub(crate) fn name(world: &World, slot: Slot) -> String {
    let cast = &world.cast;
    if slot.index() >= cast.ids.len() {
        return "nothing".into();
    }
    if let Some(rank) = cast.agents.iter().position(|agent| *agent == slot) {
        return if cast.agents.len() == 1 { "you".into() } else { format!("Agent {}", rank + 1) };
    }
    let kind = kind(world, slot);
    let alike = (0..cast.ids.len() as u32).map(Slot).filter(|other| kind == self::kind(world, *other));
    match (alike.take(2).count(), kind.starts_with(['a', 'e', 'i', 'o', 'u'])) {
        (..=1, _) => format!("the {kind}"),
        (_, true) => format!("an {kind}"),
        (_, false) => format!("a {kind}"),
    }
}

/// What kind of thing an entity is: `red key`, `locked door`, `spike`.
pub(crate) fn kind(world: &World, slot: Slot) -> String {
    let cast = &world.cast;
    let look = cast.look(slot).map_or("thing", |look| look.name.as_str());
    let id = cast.key_id(slot).or(cast.lock_id(slot)).unwrap_or_default();
    if id.is_empty() { look.into() } else { format!("{id} {look}") }
}

/// Words about a world.
struct Words<'a> {
    game: &'a Grid,
    world: &'a World,
}

impl Words<'_> {
    fn name(&self, slot: Slot) -> String {
        name(self.world, slot)
    }

    fn names(&self, group: &[Slot]) -> String {
        group.iter().map(|slot| self.name(*slot)).collect::<Vec<_>>().join(" and ")
    }

    fn is_you(&self, slot: Slot) -> bool {
        self.world.cast.agents == [slot]
    }

    /// Who does something: `you walk`, `Agent 2 walks`.
    fn does(&self, slot: Slot, you: &str, other: &str) -> String {
        format!("{} {}", self.name(slot), if self.is_you(slot) { you } else { other })
    }

    fn whose(&self, slot: Slot) -> String {
        if self.is_you(slot) { "your".into() } else { format!("{}'s", self.name(slot)) }
    }

    fn held(&self, bearer: Slot, thing: Slot) -> String {
        held(self.world, bearer, thing)
    }

    fn at(&self, cell: Cell) -> String {
        at(self.world, cell)
    }

    fn spot(&self, spot: Spot) -> String {
        self.at(self.world.cast.bounds.at(spot))
    }

    fn bumped(&self, agent: Slot, against: Spot) -> String {
        let against = self.world.cast.bounds.at(against);
        if !against.is_some() {
            return self.does(agent, "cannot leave the grid", "cannot leave the grid");
        }
        let stops = |slot: &Slot| self.world.has(*slot, Mask::BLOCKING | Mask::PUSHABLE);
        let what = self.world.at(against).find(stops).map(|slot| self.name(slot));
        let what = what.unwrap_or_else(|| self.at(against));
        format!("{what} is in {} way", self.whose(agent))
    }

    fn patrolled(&self, mover: Slot, steps: u32, stopped: bool) -> String {
        let (who, here) = (self.name(mover), self.at(self.world.cell(mover)));
        let cells = if steps == 1 { "1 cell".to_string() } else { format!("{steps} cells") };
        match (steps, stopped) {
            (0, _) => format!("{who} at {here} is stopped"),
            (_, true) => format!("{who} walks {cells} to {here} and is stopped"),
            (_, false) => format!("{who} walks {cells} to {here}"),
        }
    }

    fn collected(&self, agent: Slot, item: Slot, pocket: Pocket, reward: i32) -> String {
        let done = match pocket {
            Pocket::Status => self.does(agent, "put on", "puts on"),
            Pocket::Inventory => self.does(agent, "take", "takes"),
            Pocket::Nowhere => self.does(agent, "cash in", "cashes in"),
        };
        let pay = if reward == 0 { String::new() } else { format!(" for {}", points(reward)) };
        format!("{done} {}{pay}", self.name(item))
    }

    fn hurt(&self, target: Slot, damager: Slot, health: i32, died: bool) -> String {
        let hit =
            format!("{} {} {}", self.name(damager), self.verb(damager, "hit", "hits"), self.name(target));
        if died { format!("{hit}, and that is death") } else { format!("{hit}: {health} health left") }
    }

    fn verb<'b>(&self, slot: Slot, you: &'b str, other: &'b str) -> &'b str {
        if self.is_you(slot) { you } else { other }
    }

    fn scored(&self, agent: Slot, source: Slot, amount: i32) -> String {
        let verb = if amount < 0 { "costs" } else { "pays" };
        format!("{} {verb} {} {}", self.name(source), self.name(agent), points(amount))
    }

    fn won(&self, agent: Slot) -> String {
        match self.world.cast.company {
            Company::Partners => "everybody has reached the objective".into(),
            Company::Rivals => format!("{} has won", self.name(agent)),
            Company::Strangers => self.does(agent, "have reached the objective", "has reached the objective"),
        }
    }

    fn lost(&self, agent: Slot) -> String {
        match self.world.cast.company {
            Company::Rivals => "nobody is left".into(),
            Company::Partners | Company::Strangers => {
                format!("{} dead, the level is lost", self.does(agent, "are", "is"))
            }
        }
    }

    fn turn_ended(&self, lost: bool, next: Slot) -> String {
        let late = self.world.is_out_of_time();
        let rivals = self.world.cast.company == Company::Rivals;
        match (lost, next.is_some()) {
            (true, _) if late && rivals => "time is up: nobody has won".into(),
            (true, _) if late => "time is up, the level is lost".into(),
            (true, _) => "nobody can act any more, the level is lost".into(),
            (false, true) => format!("it is the turn of {}", self.name(next)),
            (false, false) => format!("turn {} is over", self.world.live.turn),
        }
    }

    fn event(&self, event: &Event) -> String {
        match *event {
            Event::Patrolled { mover, steps, stopped } => self.patrolled(mover, steps, stopped),
            Event::Hunted { hunter, to } => {
                let prey = self.name(self.world.cast.of(hunter).prey);
                format!("{} after {prey}, to {}", self.does(hunter, "come", "comes"), self.spot(to))
            }
            Event::Walked { agent, to } => {
                format!("{} to {}", self.does(agent, "walk", "walks"), self.spot(to))
            }
            Event::Bumped { agent, against } => self.bumped(agent, against),
            Event::Pushed { agent, ref things, to, .. } => {
                format!("{} {} to {}", self.does(agent, "push", "pushes"), self.names(things), self.spot(to))
            }
            Event::Teleported { portal, ref who, to } => {
                format!("{} sends {} to {}", self.name(portal), self.names(who), self.spot(to))
            }
            Event::Shifted { who, to, system } => {
                let system = self.game.schedule.name_at(system).replace('_', " ");
                format!("{system} moves {} to {}", self.name(who), self.spot(to))
            }
            Event::Ticked { bearer, effect, left } => {
                format!("{} lasts {} more", self.held(bearer, effect), steps(left))
            }
            Event::Spent { bearer, effect, left } => {
                format!("{} {}, {}", self.does(bearer, "use", "uses"), self.name(effect), uses(left))
            }
            Event::Hurt { target, damager, health, died } => self.hurt(target, damager, health, died),
            Event::Negated { target, damager, effect, left } => {
                let left = left.map_or(String::new(), |left| format!(", {}", uses(left)));
                let (effect, target) = (self.name(effect), self.name(target));
                format!("{effect} spares {target} the hit by {}{left}", self.name(damager))
            }
            Event::Scored { agent, source, amount } => self.scored(agent, source, amount),
            Event::Collected { agent, item, pocket, reward } => self.collected(agent, item, pocket, reward),
            Event::Unlocked { agent, lock, key } => {
                format!("{} {} with {}", self.does(agent, "open", "opens"), self.name(lock), self.name(key))
            }
            Event::Won { agent } => self.won(agent),
            Event::Lost { agent } => self.lost(agent),
            Event::Resigned { agent, .. } => self.does(agent, "give up", "gives up"),
            Event::Expired { bearer, effect } => {
                format!("{} has worn off", self.held(bearer, effect))
            }
            Event::Vanished { entity } => format!("{} is gone", self.name(entity)),
            Event::TurnEnded { lost, next } => self.turn_ended(lost, next),
            Event::Forgotten => "the hits of the step before are forgotten".into(),
            Event::PositionsNoted => "positions are noted".into(),
            Event::SubstepBegan { .. } => "one cell of a longer move".into(),
            Event::Declared { ref deeds } => {
                let each =
                    deeds.iter().map(|(agent, deed)| format!("{}: {}", self.name(*agent), word(*deed)));
                each.collect::<Vec<_>>().join(", ")
            }
            Event::Blew { drift } => format!("a gust blows {}", direction(drift)),
            Event::Tracked { agent } => {
                let here = self.at(self.world.cell(agent));
                format!("{} at {here}", self.does(agent, "are", "is"))
            }
            Event::Remembered(ref memo) => {
                format!("{} notes {} for {}", memo.system.replace('_', " "), memo.value, memo.key)
            }
            Event::Swept => "what was taken, dropped or used up is looked through".into(),
        }
    }

    fn effect(&self, effect: &Effect) -> String {
        let name = |slot: Slot| self.name(slot);
        match *effect {
            Effect::Run(cursor) => format!("the lifecycle from `{}`", self.game.schedule.name_at(cursor.at)),
            Effect::Submove { agent, left, .. } => format!("{left} more moves of {}", name(agent)),
            Effect::Attempt { agent, cell } => format!("{} going on to {}", name(agent), self.at(cell)),
            Effect::BeginSubstep => "one cell of a longer move".into(),
            Effect::Forget => "forgetting the step before".into(),
            Effect::NotePositions => "noting positions".into(),
            Effect::Patrol { mover, .. } => format!("{} walking on", name(mover)),
            Effect::Hunt { hunter } => {
                format!("{} hunting {}", name(hunter), name(self.world.cast.of(hunter).prey))
            }
            Effect::Tick { effect, .. } => format!("the time of {} running", name(effect)),
            Effect::Spend { bearer, effect } => format!("{} using {}", name(bearer), name(effect)),
            Effect::Blow { drift } => format!("a gust blowing {}", direction(drift)),
            Effect::Push { agent, cell } => format!("{} pushing what is at {}", name(agent), self.at(cell)),
            Effect::Walk { agent, to, phased } => {
                let how = if phased { " through anything" } else { "" };
                format!("{} walking to {}{how}", name(agent), self.at(to))
            }
            Effect::Unlock { agent, lock } => format!("{} opening {}", name(agent), name(lock)),
            Effect::Collect { agent, item } => format!("{} picking up {}", name(agent), name(item)),
            Effect::Track { agent } => format!("{} leaving a trail", name(agent)),
            Effect::Teleport { portal, ref entrants } => {
                format!("{} sending {}", name(portal), self.names(entrants))
            }
            Effect::Hurt { target, damager } => format!("a hit on {} by {}", name(target), name(damager)),
            Effect::Negate { target, effect, .. } => {
                format!("{} taking a hit for {}", name(effect), name(target))
            }
            Effect::Score { agent, source, amount } => {
                format!("{} for {} from {}", points(amount), name(agent), name(source))
            }
            Effect::Shift { who, to, system } => {
                let system = self.game.schedule.name_at(system).replace('_', " ");
                format!("{system} moving {} to {}", name(who), self.at(to))
            }
            Effect::Win { agent } => format!("{} winning", name(agent)),
            Effect::Lose { agent } => format!("{} losing", name(agent)),
            Effect::EndTurn => "the end of the turn".into(),
            Effect::Shed { bearer, effect } => format!("{} wearing off", self.held(bearer, effect)),
            Effect::Sweep => "looking through what lies nowhere".into(),
            Effect::Erase { entity } => format!("{} ceasing to exist", name(entity)),
            Effect::Resign { agent } => format!("{} giving up", name(agent)),
            Effect::Remember(ref memo) => format!("{} noting {}", memo.system.replace('_', " "), memo.value),
            Effect::Declare { .. } => "everybody choosing".into(),
        }
    }
}

fn points(amount: i32) -> String {
    match amount.unsigned_abs() {
        1 => "1 point".into(),
        many => format!("{many} points"),
    }
}

fn steps(left: i32) -> String {
    if left == 1 { "1 step".into() } else { format!("{left} steps") }
}

fn uses(left: i32) -> String {
    if left == 1 { "1 use left".into() } else { format!("{left} uses left") }
}

fn direction(direction: crate::geometry::Direction) -> &'static str {
    use crate::geometry::Direction;
    match direction {
        Direction::Up => "up",
        Direction::Down => "down",
        Direction::Left => "left",
        Direction::Right => "right",
    }
}

fn word(deed: Deed) -> String {
    deed.name().replace('_', " ")
}

/// With a capital letter in front.
pub(crate) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// One sentence about a fact.
pub(crate) fn event(game: &Grid, world: &World, event: &Event) -> String {
    if event.highest_slot() >= world.slot_count() {
        return "Something happens to what is not in this world".into();
    }
    sentence(&Words { game, world }.event(event))
}

/// Whether a fact is book-keeping, or so common that the board tells it better.
pub(crate) fn is_quiet(event: &Event) -> bool {
    match event {
        Event::Forgotten
        | Event::PositionsNoted
        | Event::SubstepBegan { .. }
        | Event::Tracked { .. }
        | Event::Declared { .. }
        | Event::Remembered(_)
        | Event::Patrolled { .. }
        | Event::Swept
        | Event::Vanished { .. } => true,
        Event::Scored { amount, .. } => *amount < 0,
        Event::Ticked { left, .. } => !(1..=3).contains(left),
        Event::TurnEnded { lost, next } => !lost && !next.is_some(),
        Event::Hunted { .. }
        | Event::Walked { .. }
        | Event::Bumped { .. }
        | Event::Pushed { .. }
        | Event::Teleported { .. }
        | Event::Shifted { .. }
        | Event::Spent { .. }
        | Event::Hurt { .. }
        | Event::Negated { .. }
        | Event::Collected { .. }
        | Event::Unlocked { .. }
        | Event::Won { .. }
        | Event::Lost { .. }
        | Event::Resigned { .. }
        | Event::Expired { .. }
        | Event::Blew { .. } => false,
    }
}

/// Something somebody bears: `your shield`, `Agent 2's boots`.
pub(crate) fn held(world: &World, bearer: Slot, thing: Slot) -> String {
    let whose = match name(world, bearer).as_str() {
        "you" => "your".to_string(),
        name => format!("{name}'s"),
    };
    format!("{whose} {}", kind(world, thing))
}

/// Who changed a number, and how.
pub(crate) fn note(world: &World, note: &Note<Reason>) -> String {
    let (what, who) = match note.who {
        Reason::Points { source } => ("points", name(world, source)),
        Reason::Damage { damager } => ("health", format!("the damage of {}", name(world, damager))),
        Reason::Lethal { damager } => ("health", format!("{}, which kills", name(world, damager))),
        Reason::Time { effect } => ("steps left", name(world, effect)),
        Reason::Use { effect } => ("uses left", name(world, effect)),
    };
    let from = note.from.map_or(String::new(), |from| format!("{from} → "));
    format!("{from}{} {what}: {who}", note.to)
}

/// A few words about an effect.
pub(crate) fn effect(game: &Grid, world: &World, effect: &Effect) -> String {
    Words { game, world }.effect(effect)
}

/// An action in words.
pub(crate) fn action(world: &World, action: &Action) -> String {
    let agent =
        |id: u32| world.cast.slot(i64::from(id)).map_or(format!("agent {id}"), |slot| name(world, slot));
    match action {
        Action::Step { deed, agent: None } => word(*deed),
        Action::Step { deed, agent: Some(id) } => format!("{}: {}", agent(*id), word(*deed)),
        Action::Together { deeds } => {
            let each = deeds.iter().map(|(id, deed)| format!("{}: {}", agent(*id), word(*deed)));
            each.collect::<Vec<_>>().join(", ")
        }
        Action::Resign { agent: None } => "give up".into(),
        Action::Resign { agent: Some(id) } => format!("{}: give up", agent(*id)),
    }
}
