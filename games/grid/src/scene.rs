//! What a player sees: the board, who has what, and what can be done.

use turnstone::{Game, Input, InputOf, Outcome, Told};
use turnstone_host::Motion;
use turnstone_host::scene::{
    Badge, Board, Cell, Choice, Counter, Figure, Gauge, Ground, Ink, Item, Lie, Panel, Pick, Scene,
};

use crate::action::{Action, Deed};
use crate::component::Mask;
use crate::event::Event;
use crate::game::Grid;
use crate::geometry::{Point, Spot};
use crate::label::Company;
use crate::moves::MoveRule;
use crate::observe::describe_entity;
use crate::render::{CellPlan, Drawing, Plan};
use crate::ruleset::Order;
use crate::state::State;
use crate::tell;
use crate::world::{Slot, World};

/// The scene of a state.
pub(crate) fn scene(game: &Grid, state: &State, inputs: &[InputOf<Grid>]) -> Scene {
    let world = &state.world;
    let agents: Vec<Slot> = world.agents().collect();
    let mut panels = vec![level_panel(game, world)];
    if agents.len() > 1 {
        panels.push(agents_panel(game, state, &agents));
    }
    panels.extend(agents.iter().map(|agent| agent_panel(world, *agent)));
    panels.push(legend_panel(world));
    Scene {
        title: title(game, state),
        board: Some(board(game, state)),
        panels,
        options: inputs.iter().map(|input| option(game, state, &agents, input)).collect(),
        question: None,
        counters: counters(world),
        ..Scene::default()
    }
}

/// Turn, points, and what is still to be done.
fn counters(world: &World) -> Vec<Counter> {
    let turn = Counter::new("turn", "turn", world.live.turn);
    let turn = match world.cast.turn_limit {
        Some(limit) => turn.of(limit),
        None => turn,
    };
    let mut counters = vec![turn, Counter::new("points", "points", world.live.score)];
    if world.live.required_left > 0 {
        counters.push(Counter::new("gem", "still to collect", world.live.required_left));
    }
    if world.live.locks_left > 0 {
        counters.push(Counter::new("lock", "locks still shut", world.live.locks_left));
    }
    counters
}

/// Which level, how far, whose turn, and how it ended.
fn title(game: &Grid, state: &State) -> String {
    let world = &state.world;
    let limit = world.cast.turn_limit.map_or(String::new(), |limit| format!(" of {limit}"));
    let mut parts = vec![format!("turn {}{limit}", world.live.turn), format!("{} points", world.live.score)];
    if !world.cast.label.name.is_empty() {
        parts.insert(0, world.cast.label.name.clone());
    }
    match game.outcome(state) {
        Some(Outcome::Won(_)) if world.cast.company == Company::Rivals => {
            parts.push(format!("{} has won", tell::name(world, state.winner)));
        }
        Some(Outcome::Won(_) | Outcome::WonByAll) => parts.push("won".into()),
        Some(Outcome::Lost) => parts.push("lost".into()),
        Some(Outcome::Drawn) => parts.push("drawn".into()),
        None => {
            parts
                .extend(whose_turn(game, state).map(|agent| format!("{} to move", tell::name(world, agent))));
        }
    }
    parts.extend(world.cast.message.as_ref().map(|text| format!("“{text}”")));
    parts.join(" · ")
}

/// Who is to move, where there are several.
fn whose_turn(game: &Grid, state: &State) -> Option<Slot> {
    let several = state.world.cast.agents.len() > 1;
    game.expected(state).filter(|_| several && game.rules.order == Order::Rotation)
}

fn board(game: &Grid, state: &State) -> Board {
    let world = &state.world;
    let bounds = world.cast.bounds;
    let empty = Cell { ground: Ground::Plain, ..Cell::default() };
    let mut cells = vec![empty; bounds.area()];
    if let Ok(plan) = Plan::new(world, bounds.width as u32) {
        for cell in &plan.cells {
            if let Some(place) = bounds.cell(cell.at) {
                cells[place.index()] = draw(game, state, cell);
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
        focus: game.expected(state).and_then(|agent| Option::from(world.spot(world.cell(agent)))),
        ..Board::default()
    }
}

fn draw(game: &Grid, state: &State, plan: &CellPlan) -> Cell {
    let world = &state.world;
    let shown = plan.main.as_ref().or(plan.icons.first());
    let mut text =
        shown.map_or_else(|| ground_mark(&plan.background).to_string(), |drawing| mark(world, drawing));
    if let Some(icon) = plan.icons.first().filter(|_| plan.main.is_some() && text.chars().count() < 2) {
        text.push(glyph(icon.texture));
    }
    let things = world.cast.bounds.cell(plan.at).into_iter().flat_map(|cell| world.at(cell));
    let notes: Vec<String> = things.map(|slot| describe_entity(world, slot)).collect();
    Cell {
        text,
        ink: shown.map_or(Ink::Faint, |drawing| ink(game, state, drawing)),
        ground: ground(world, plan),
        note: notes.join("; "),
        tile: plan.background.texture.to_owned(),
        figures: plan
            .icons
            .iter()
            .rev()
            .chain(&plan.main)
            .map(|drawing| figure(game, state, drawing))
            .collect(),
        ..Cell::default()
    }
}

/// A thing of the world, with the colour group it shares with its lock, key or other end.
fn figure(game: &Grid, state: &State, drawing: &Drawing) -> Figure {
    let world = &state.world;
    let who = drawing.who;
    if !who.is_some() {
        return Figure { icon: drawing.texture.to_owned(), name: drawing.name.clone(), ..Figure::default() };
    }
    let agent = world.cast.agents.iter().position(|agent| *agent == who);
    let group = drawing.group.as_ref().map(|group| Badge {
        icon: format!("group-{group}"),
        name: format!("belongs to {group}"),
        ..Badge::default()
    });
    let health = world.has(who, Mask::HEALTH).then(|| Gauge {
        name: "health".to_owned(),
        now: world.health(who).into(),
        most: Some(world.cast.of(who).max_health.into()),
    });
    Figure {
        id: format!("e{}", world.cast.id(who)),
        name: drawing.name.clone(),
        icon: drawing.texture.to_owned(),
        owner: agent.map(|rank| rank as u8),
        active: game.expected(state) == Some(who),
        down: world.has(who, Mask::DEAD),
        gauges: health.into_iter().collect(),
        badges: group.into_iter().collect(),
        facing: drawing.arrow.map(|(x, y)| (x as i8, y as i8)),
        ..Figure::default()
    }
}

fn ground_mark(background: &Drawing) -> char {
    if background.texture == "wall" { '#' } else { '·' }
}

/// The letter of a drawing, with the way it heads, or the number of an agent that is not alone.
fn mark(world: &World, drawing: &Drawing) -> String {
    let agents = &world.cast.agents;
    let rank = agents.iter().position(|agent| agents.len() > 1 && *agent == drawing.who);
    if let Some(rank) = rank {
        return format!("{}{}", glyph(drawing.texture), rank + 1);
    }
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

/// What a mark means, for the legend.
fn meaning(texture: &str) -> &'static str {
    match texture {
        "human" => "an agent",
        "sleeping" => "a dead agent",
        "coin" => "a coin: pick it up",
        "gem" => "a core: pick it up",
        "metalbox" => "a box that cannot be pushed",
        "box" => "a box to push",
        "robot" => "a monster",
        "wolf" => "a monster that hunts",
        "key" => "a key: pick it up",
        "portal" => "a portal",
        "locked" => "a locked door: use the key beside it",
        "opened" => "an open door",
        "shield" => "a shield: takes hits for you",
        "ghost" => "a ghost: walks through anything",
        "boots" => "boots: several cells per move",
        "spike" => "a spike: hurts",
        "lava" => "lava: kills",
        "exit" => "an exit",
        "wall" | "floor" => "",
        _ => "something else: look at it",
    }
}

fn ink(game: &Grid, state: &State, drawing: &Drawing) -> Ink {
    let world = &state.world;
    let waits = whose_turn(game, state).is_some_and(|agent| agent != drawing.who);
    let mask = if drawing.who.is_some() { world.mask(drawing.who) } else { Mask::NONE };
    match mask {
        mask if mask.all(Mask::AGENT | Mask::DEAD) => Ink::Faint,
        mask if mask.any(Mask::AGENT) && waits => match world.cast.company {
            Company::Rivals => Ink::Theirs,
            Company::Partners | Company::Strangers => Ink::Neutral,
        },
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
    Item { text, ink, ..Item::default() }
}

fn level_panel(game: &Grid, world: &World) -> Panel {
    let label = &world.cast.label;
    let title = if label.name.is_empty() { "World".to_string() } else { label.name.clone() };
    let mut items = Vec::new();
    if !label.about.is_empty() {
        items.push(item(label.about.clone(), Ink::Plain));
    }
    let objective = match &game.aim {
        Some(aim) => aim.name().to_string(),
        None => world.cast.objective.describe(),
    };
    items.push(item(format!("objective: {objective}"), Ink::Plain));
    items.extend(how_it_is_played(world).into_iter().map(|text| item(text, Ink::Plain)));
    if world.live.required_left > 0 {
        items.push(item(format!("{} still to collect", world.live.required_left), Ink::Good));
    }
    if world.live.locks_left > 0 {
        let locks = if world.live.locks_left == 1 { "lock" } else { "locks" };
        items.push(item(format!("{} {locks} still shut", world.live.locks_left), Ink::Special));
    }
    items.extend(label.par.map(|par| item(par_line(world, par), Ink::Neutral)));
    if let Some(next) = label.next.as_ref().filter(|_| world.live.win) {
        items.push(item(format!("next level: {next}"), Ink::Good));
    }
    Panel { id: "level".into(), title, items, lie: Lie::List }
}

fn how_it_is_played(world: &World) -> Vec<String> {
    let company = match world.cast.company {
        Company::Strangers => None,
        Company::Partners => Some("together: all must get there, and nobody may die"),
        Company::Rivals => Some("rivals: the first to get there wins, and so does the last one alive"),
    };
    let moves = match world.cast.move_rule {
        MoveRule::Cardinal => None,
        MoveRule::Wrap => Some("moves: round the edges"),
        MoveRule::Mirror => Some("moves: left is right and right is left"),
        MoveRule::Slippery => Some("moves: you slide until something stops you"),
        MoveRule::Windy => Some("moves: now and then a gust carries you one further"),
        MoveRule::Gravity => Some("moves: you fall as far as it goes"),
    };
    company.into_iter().chain(moves).map(str::to_string).collect()
}

fn par_line(world: &World, par: i64) -> String {
    let turns = world.live.turn;
    match turns - par {
        _ if !world.live.win => format!("par: {par} steps"),
        ..=0 => format!("par: {par} steps, and you made it in {turns}"),
        1 => format!("par: {par} steps, you took one more"),
        over => format!("par: {par} steps, you took {over} more"),
    }
}

/// What the marks on this board stand for.
fn legend_panel(world: &World) -> Panel {
    let mut seen: Vec<(char, &str)> = Vec::new();
    if let Ok(plan) = Plan::new(world, world.cast.bounds.width as u32) {
        let cells = plan.cells.iter().flat_map(|cell| cell.main.iter().chain(&cell.icons));
        let marks = cells.map(|drawing| (glyph(drawing.texture), meaning(drawing.texture)));
        seen.extend(marks.filter(|(_, words)| !words.is_empty()));
    }
    seen.sort_unstable();
    seen.dedup();
    let line = |(mark, words): (char, &str)| item(format!("{mark} {words}"), Ink::Plain);
    let items = seen.into_iter().map(line).collect();
    Panel { id: "legend".into(), title: "Legend".into(), items, lie: Lie::Aside }
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
    let name = tell::name(world, agent);
    let title = if name == "you" { "You".to_string() } else { name };
    Panel { id: format!("agent {id}"), title, items, lie: Lie::List }
}

fn agents_panel(game: &Grid, state: &State, agents: &[Slot]) -> Panel {
    let (world, up) = (&state.world, whose_turn(game, state));
    let line = |(rank, agent): (usize, &Slot)| {
        let name = format!("@{} {}", rank + 1, tell::name(world, *agent));
        match *agent {
            agent if world.has(agent, Mask::DEAD) => item(format!("  {name}: out"), Ink::Faint),
            agent if up == Some(agent) => item(format!("› {name}: to move"), Ink::Ours),
            _ => item(format!("  {name}{}", holding(world, *agent)), Ink::Plain),
        }
    };
    let items = agents.iter().enumerate().map(line).collect();
    Panel { id: "agents".into(), title: "Agents".into(), items, lie: Lie::List }
}

/// How much of what must be collected an agent has, where that is compared.
fn holding(world: &World, agent: Slot) -> String {
    let gathered = crate::objective::gathered(world, agent);
    match world.cast.company {
        Company::Rivals if gathered > 0 => format!(": has {gathered}"),
        Company::Rivals | Company::Partners | Company::Strangers => String::new(),
    }
}

/// How a fact looks in pictures and replays: the world's own moves together, then every cell that somebody enters.
pub(crate) fn motion(event: &Event) -> Motion {
    match event {
        Event::Walked { .. } | Event::Pushed { .. } | Event::Teleported { .. } | Event::Shifted { .. } => {
            Motion::Own
        }
        Event::Patrolled { .. } | Event::Hunted { .. } => Motion::Along,
        Event::Forgotten
        | Event::PositionsNoted
        | Event::SubstepBegan { .. }
        | Event::Declared { .. }
        | Event::Ticked { .. }
        | Event::Spent { .. }
        | Event::Blew { .. }
        | Event::Bumped { .. }
        | Event::Unlocked { .. }
        | Event::Collected { .. }
        | Event::Tracked { .. }
        | Event::Hurt { .. }
        | Event::Negated { .. }
        | Event::Scored { .. }
        | Event::Won { .. }
        | Event::Lost { .. }
        | Event::TurnEnded { .. }
        | Event::Expired { .. }
        | Event::Resigned { .. }
        | Event::Remembered(_)
        | Event::Swept
        | Event::Vanished { .. } => Motion::Still,
    }
}

/// The cells at which a fact happened.
pub(crate) fn touched(world: &World, event: &Event) -> Vec<(u16, u16)> {
    let known = event.highest_slot() < world.slot_count();
    let of = |slot: Slot| if known { world.spot(world.cell(slot)) } else { Spot::NONE };
    let spots = match *event {
        Event::Walked { to, .. } | Event::Hunted { to, .. } | Event::Shifted { to, .. } => vec![to],
        Event::Teleported { to, portal, .. } => vec![of(portal), to],
        Event::Pushed { from, to, .. } => vec![from, to],
        Event::Bumped { against, .. } => vec![against],
        Event::Hurt { target, .. } | Event::Negated { target, .. } => vec![of(target)],
        Event::Collected { agent, .. } => vec![of(agent)],
        Event::Unlocked { lock, .. } => vec![of(lock)],
        Event::Won { agent } | Event::Lost { agent } | Event::Resigned { agent, .. } => vec![of(agent)],
        Event::Forgotten
        | Event::PositionsNoted
        | Event::SubstepBegan { .. }
        | Event::Declared { .. }
        | Event::Patrolled { .. }
        | Event::Ticked { .. }
        | Event::Spent { .. }
        | Event::Blew { .. }
        | Event::Tracked { .. }
        | Event::Scored { .. }
        | Event::TurnEnded { .. }
        | Event::Expired { .. }
        | Event::Remembered(_)
        | Event::Swept
        | Event::Vanished { .. } => Vec::new(),
    };
    spots.into_iter().filter_map(Option::from).collect()
}

fn word(deed: Deed) -> Pick {
    Pick::Word(deed.name().replace('_', " "))
}

fn option(game: &Grid, state: &State, agents: &[Slot], input: &InputOf<Grid>) -> Choice {
    let Input::Act(action) = input else { return Choice::default() };
    let world = &state.world;
    let in_turn = game.rules.order == Order::Rotation;
    let picks = match action {
        Action::Step { deed, .. } if agents.len() < 2 || in_turn => vec![word(*deed)],
        Action::Step { deed, agent } => {
            let slot = agent.and_then(|id| world.cast.slot(i64::from(id))).or(agents.first().copied());
            let line = agents.iter().position(|other| Some(*other) == slot).unwrap_or(0);
            vec![Pick::Item("agents".into(), line as u16), word(*deed)]
        }
        Action::Together { deeds } => deeds.iter().map(|(_, deed)| word(*deed)).collect(),
        Action::Resign { .. } => Vec::new(),
    };
    let preview = preview(world, game.expected(state), action);
    let grave = matches!(action, Action::Resign { .. });
    Choice { label: game.tell_action(state, action), picks, preview, grave, ..Choice::default() }
}

/// Where a plain step would lead, if it is not into something unseen.
fn preview(world: &World, acting: Option<Slot>, action: &Action) -> String {
    let (Action::Step { deed, agent: None }, Some(agent)) = (action, acting) else {
        return String::new();
    };
    let (Some(direction), true) = (deed.direction(), world.cell(agent).is_some()) else {
        return String::new();
    };
    let path = world.cast.move_rule.path(world, agent, direction);
    // Where the wind will carry somebody is nobody's to know.
    let windy = world.cast.move_rule == MoveRule::Windy;
    let known = if windy { path.first() } else { path.last() };
    let Some(cell) = known.filter(|cell| cell.is_some()) else { return "the edge".into() };
    let Point { x, y } = world.cast.bounds.point(*cell);
    let gust = if windy { ", or a gust further" } else { "" };
    format!("towards ({x}, {y}){gust}")
}
