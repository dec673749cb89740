//! What a player sees: the board, who has what, and what can be done.

use turnstone::{Input, InputOf, Told};
use turnstone_host::scene::{Board, Cell, Choice, Ground, Ink, Item, Panel, Pick, Scene};

use crate::action::{Action, Deed};
use crate::component::Mask;
use crate::game::Grid;
use crate::geometry::Point;
use crate::objective::Objective;
use crate::observe::{self, describe_entity};
use crate::render::{CellPlan, Drawing, Plan};
use crate::state::State;
use crate::world::{Slot, World};

/// The scene of a state.
pub(crate) fn scene(game: &Grid, state: &State, inputs: &[InputOf<Grid>]) -> Scene {
    let world = &state.world;
    let agents: Vec<Slot> = world.agents().collect();
    let mut panels = vec![status_panel(world)];
    panels.extend(agents.iter().map(|agent| agent_panel(world, *agent)));
    if agents.len() > 1 {
        panels.push(agents_panel(world, &agents));
    }
    Scene {
        title: title(world),
        board: Some(board(world)),
        panels,
        options: inputs.iter().map(|input| option(game, state, &agents, input)).collect(),
        question: None,
    }
}

fn title(world: &World) -> String {
    let limit = world.cast.turn_limit.map_or(String::new(), |limit| format!(" of {limit}"));
    let end = match observe::phase(world) {
        "win" => " · won",
        "lose" => " · lost",
        _ => "",
    };
    let message = world.cast.message.as_ref().map_or(String::new(), |text| format!(" · “{text}”"));
    format!("turn {}{limit} · {} points{end}{message}", world.live.turn, world.live.score)
}

fn board(world: &World) -> Board {
    let bounds = world.cast.bounds;
    let empty = Cell { ground: Ground::Plain, ..Cell::default() };
    let mut cells = vec![empty; bounds.area()];
    if let Ok(plan) = Plan::new(world, bounds.width as u32) {
        for cell in &plan.cells {
            if let Some(place) = bounds.cell(cell.at) {
                cells[place.index()] = draw(world, cell);
            }
        }
    }
    let name = |number: i32| number.to_string();
    Board {
        width: bounds.width as u16,
        height: bounds.height as u16,
        cells,
        columns: (0..bounds.width).map(name).collect(),
        rows: (0..bounds.height).map(name).collect(),
        ..Board::default()
    }
}

fn draw(world: &World, plan: &CellPlan) -> Cell {
    let shown = plan.main.as_ref().or(plan.icons.first());
    let mut text = shown.map_or_else(|| ground_mark(&plan.background).to_string(), mark);
    if let Some(icon) = plan.icons.first().filter(|_| plan.main.is_some() && text.chars().count() < 2) {
        text.push(glyph(icon.texture));
    }
    let things = world.cast.bounds.cell(plan.at).into_iter().flat_map(|cell| world.at(cell));
    let notes: Vec<String> = things.map(|slot| describe_entity(world, slot)).collect();
    Cell {
        text,
        ink: shown.map_or(Ink::Faint, |drawing| ink(world, drawing)),
        ground: ground(world, plan),
        note: notes.join("; "),
    }
}

fn ground_mark(background: &Drawing) -> char {
    if background.texture == "wall" { '#' } else { '·' }
}

fn mark(drawing: &Drawing) -> String {
    let arrow = match drawing.arrow {
        Some((1, _)) => "→",
        Some((-1, _)) => "←",
        Some((_, 1)) => "↓",
        Some(_) => "↑",
        None => "",
    };
    format!("{}{arrow}", glyph(drawing.texture))
}

fn glyph(texture: &str) -> char {
    match texture {
        "human" => '@',
        "sleeping" => 'x',
        "coin" => 'o',
        "gem" => '*',
        "metalbox" => '■',
        "box" => '□',
        "robot" => 'M',
        "wolf" => 'W',
        "key" => 'k',
        "portal" => 'O',
        "locked" => '+',
        "opened" => '/',
        "shield" => 's',
        "ghost" => 'g',
        "boots" => 'b',
        "spike" => '^',
        "lava" => '~',
        "exit" => 'E',
        "wall" => '#',
        "floor" => '·',
        _ => '?',
    }
}

fn ink(world: &World, drawing: &Drawing) -> Ink {
    let mask = if drawing.who.is_some() { world.mask(drawing.who) } else { Mask::NONE };
    match mask {
        mask if mask.all(Mask::AGENT | Mask::DEAD) => Ink::Faint,
        mask if mask.any(Mask::AGENT) => Ink::Ours,
        mask if mask.any(Mask::DAMAGER) => Ink::Bad,
        mask if mask.any(Mask::COLLECTIBLE | Mask::EXIT) => Ink::Good,
        mask if mask.any(Mask::PORTAL | Mask::LOCKED) => Ink::Special,
        mask if mask.any(Mask::PUSHABLE | Mask::MOVING) => Ink::Neutral,
        _ => Ink::Plain,
    }
}

fn ground(world: &World, plan: &CellPlan) -> Ground {
    let kinds = world.cast.bounds.cell(plan.at).map_or(Mask::NONE, |cell| world.kinds_at(cell));
    match kinds {
        kinds if plan.background.texture == "wall" && kinds.any(Mask::BLOCKING) => Ground::Wall,
        kinds if kinds.any(Mask::DAMAGER) && !kinds.any(Mask::MOVING | Mask::PATHFINDING) => Ground::Hot,
        kinds if kinds.any(Mask::EXIT | Mask::PORTAL) => Ground::Bright,
        _ => Ground::Plain,
    }
}

fn item(text: String, ink: Ink) -> Item {
    Item { text, ink, note: String::new() }
}

fn status_panel(world: &World) -> Panel {
    let objective = match world.cast.objective {
        Objective::CollectExit if world.live.required_left > 0 => "collect everything, then the exit",
        Objective::CollectExit | Objective::Exit => "reach an exit",
        Objective::Collect => "collect everything",
        Objective::Unlock => "open every lock",
        Objective::Push => "push all onto exits",
    };
    let mut items = vec![
        item(format!("objective: {objective}"), Ink::Plain),
        item(format!("moves: {}", world.cast.move_rule.name()), Ink::Plain),
    ];
    if world.live.required_left > 0 {
        items.push(item(format!("{} still to collect", world.live.required_left), Ink::Good));
    }
    if world.live.locks_left > 0 {
        let locks = if world.live.locks_left == 1 { "lock" } else { "locks" };
        items.push(item(format!("{} {locks} still shut", world.live.locks_left), Ink::Special));
    }
    Panel { id: "world".into(), title: "World".into(), items }
}

fn agent_panel(world: &World, agent: Slot) -> Panel {
    let mut items = Vec::new();
    if world.has(agent, Mask::HEALTH) {
        let (health, most) = (world.health(agent), world.cast.of(agent).max_health);
        let ink = if health * 3 <= most { Ink::Bad } else { Ink::Plain };
        items.push(item(format!("health {health} of {most}"), ink));
    }
    if world.has(agent, Mask::DEAD) {
        items.push(item("dead".into(), Ink::Bad));
    }
    items.extend(world.status(agent).iter().map(|slot| item(describe_entity(world, *slot), Ink::Special)));
    items.extend(world.inventory(agent).iter().map(|slot| item(describe_entity(world, *slot), Ink::Good)));
    let id = world.cast.id(agent);
    Panel { id: format!("agent {id}"), title: format!("Agent {id}"), items }
}

fn agents_panel(world: &World, agents: &[Slot]) -> Panel {
    let line = |agent: &Slot| item(world.cast.name(*agent), Ink::Ours);
    Panel { id: "agents".into(), title: "Agents".into(), items: agents.iter().map(line).collect() }
}

fn word(deed: Deed) -> Pick {
    Pick::Word(deed.name().replace('_', " "))
}

fn option(game: &Grid, state: &State, agents: &[Slot], input: &InputOf<Grid>) -> Choice {
    let Input::Act(action) = input else { return Choice::default() };
    let world = &state.world;
    let picks = match action {
        Action::Step { deed, .. } if agents.len() < 2 => vec![word(*deed)],
        Action::Step { deed, agent } => {
            let slot = agent.and_then(|id| world.cast.slot(i64::from(id))).or(agents.first().copied());
            let line = agents.iter().position(|other| Some(*other) == slot).unwrap_or(0);
            vec![Pick::Item("agents".into(), line as u16), word(*deed)]
        }
        Action::Together { deeds } => deeds.iter().map(|(_, deed)| word(*deed)).collect(),
    };
    Choice { label: game.tell_action(state, action), picks, preview: preview(world, agents, action) }
}

/// Where a plain step would lead, if it is not into something unseen.
fn preview(world: &World, agents: &[Slot], action: &Action) -> String {
    let (Action::Step { deed, agent: None }, Some(agent)) = (action, agents.first()) else {
        return String::new();
    };
    let (Some(direction), true) = (deed.direction(), world.cell(*agent).is_some()) else {
        return String::new();
    };
    let path = world.cast.move_rule.path(world, *agent, direction);
    let Some(last) = path.last().filter(|cell| cell.is_some()) else { return "the edge".into() };
    let Point { x, y } = world.cast.bounds.point(*last);
    format!("towards ({x}, {y})")
}
