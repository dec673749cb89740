//! What is shown: the map with its tokens, whose turn it is, reach and targets.

use crate::action::{Action, Id, Verb};
use crate::board::Cell;
use crate::catalog::AbilityKind;
use crate::document::Kind;
use crate::effect::Effect;
use crate::game::Skirmish;
use crate::queries::reach::reach;
use crate::rules::walk::{Footing, footing};
use crate::rules::{Spends, ability, attack, budget, defend, limits};
use crate::sight::seen;
use crate::stage::BodyId;
use crate::state::State;
use crate::view::Sight;
use crate::{listeners, tell};
use turnstone::{Game, Input, InputOf, Outcome, Viewer};
use turnstone_host::scene::{
    self, Badge, Board, Choice, Counter, Figure, Forecast, Gauge, Ground, Ink, Item, Lie, Panel, Pick, Scene,
};

/// Draws a position for a viewer.
pub fn draw(game: &Skirmish, state: &State, inputs: &[InputOf<Skirmish>], viewer: Viewer) -> Scene {
    let sight = Sight::new(state, viewer);
    let seen = seen(state, viewer);
    let state = &*seen;
    Scene {
        title: title(game, state),
        board: Some(board(state, &sight)),
        panels: vec![
            panel(state, "heroes", "Heroes", state.stage.player_ids()),
            panel(state, "foes", "Foes", state.stage.npc_ids()),
            order(state),
        ],
        options: inputs.iter().map(|input| option(state, input)).collect(),
        question: None,
        counters: counters(state),
        ..Scene::default()
    }
}

fn counters(state: &State) -> Vec<Counter> {
    let fighting = state.combat.fighting;
    fighting.then(|| Counter::new("round", "round", state.combat.round)).into_iter().collect()
}

fn title(game: &Skirmish, state: &State) -> String {
    let place = &state.stage.document.map.name;
    match game.outcome(state) {
        Some(Outcome::Won(crate::game::HEROES)) => return format!("{place}: the heroes have won"),
        Some(Outcome::Won(_)) if state.living[0] > 0 => return format!("{place}: the heroes have given up"),
        Some(Outcome::Won(_)) => return format!("{place}: the heroes have fallen"),
        Some(_) if state.living == [0, 0] => return format!("{place}: nobody is left"),
        Some(_) => return format!("{place}: drawn"),
        None => {}
    }
    if !state.combat.fighting {
        return format!("{place}: exploring");
    }
    let round = state.combat.round;
    let near = limits::nearest(state).filter(|(_, left)| *left <= 5);
    let near = near.map_or(String::new(), |(limit, left)| format!(" · {}", tell::warning(limit, left)));
    let Some(active) = state.combat.active else {
        return format!("{place}: round {round}, somebody unseen{near}");
    };
    let left =
        |spends, word: &str| if budget(state, spends).is_ok() { word.to_string() } else { "—".to_string() };
    let (step, act) = (left(Spends::Movement, "move"), left(Spends::Action, "action"));
    format!("{place}: round {round}, {} ({step}, {act}){near}", state.stage.figure(active).called)
}

fn board(state: &State, sight: &Sight) -> Board {
    let ground = &state.stage.board;
    let mut cells: Vec<scene::Cell> =
        (0..ground.cells()).map(|at| terrain(state, sight, ground.at(at))).collect();
    if let Some(active) = active_with_move(state) {
        for (cell, _) in reach(state, active) {
            cells[ground.index(cell)].ground = Ground::Bright;
        }
    }
    // The dead first, so that the living are drawn over nobody.
    for body in state.stage.bodies().filter(|b| !state.is_absent(*b)) {
        token(state, body, &mut cells[ground.index(state.cell(body))]);
    }
    if let Some(active) = state.combat.active {
        let cell = &mut cells[ground.index(state.cell(active))];
        (cell.ground, cell.recent) = (Ground::Plain, true);
    }
    Board {
        width: ground.width.into(),
        height: ground.height.into(),
        cells,
        columns: (0..ground.width).map(|x| x.to_string()).collect(),
        rows: (0..ground.height).map(|y| y.to_string()).collect(),
        ..Board::default()
    }
}

fn active_with_move(state: &State) -> Option<BodyId> {
    let active = state.combat.active.filter(|_| state.combat.fighting)?;
    (budget(state, Spends::Movement).is_ok() && !state.is_dead(active)).then_some(active)
}

fn terrain(state: &State, sight: &Sight, cell: Cell) -> scene::Cell {
    let ground = &state.stage.board;
    let at = ground.index(cell);
    let tile = state.stage.document.map.terrain.iter().find(|t| (t.x, t.y) == (cell.x.into(), cell.y.into()));
    let word = tile.map_or("open ground", |t| t.kind.as_str());
    let (text, shade) = match word {
        "water" => ("~", Ground::Water),
        "pit" => ("o", Ground::Hot),
        _ if ground.blocked.has(at) => ("#", Ground::Wall),
        "difficult" => (":", Ground::Rough),
        _ => ("·", Ground::Plain),
    };
    // The map lies open; fog hides what stands on it.
    let (text, shade, dark) = match (sight.cell(state, cell), text) {
        (true, text) => (text, shade, ""),
        (false, "·") => ("", Ground::Hidden, ", out of sight"),
        (false, text) => (text, Ground::Hidden, ", out of sight"),
    };
    scene::Cell {
        text: text.to_string(),
        ink: Ink::Faint,
        ground: shade,
        note: format!("{},{}: {word}{dark}", cell.x, cell.y),
        tile: if word == "open ground" { String::new() } else { word.to_owned() },
        ..scene::Cell::default()
    }
}

fn token(state: &State, body: BodyId, cell: &mut scene::Cell) {
    let (text, ink) = match state.stage.kind(body) {
        _ if state.is_dead(body) => ("†".to_string(), Ink::Faint),
        Kind::Player => (letters(state, body), Ink::Ours),
        Kind::Npc => (letters(state, body), Ink::Theirs),
        Kind::Object => (letters(state, body), Ink::Neutral),
    };
    cell.text = text;
    cell.ink = ink;
    cell.note = sheet(state, body);
    cell.figures.push(figure(state, body));
}

/// What somebody looks like: heroes by what they know, others by their name.
fn look(state: &State, body: BodyId) -> String {
    let figure = state.stage.figure(body);
    let named = figure.name.to_lowercase().replace(' ', "_");
    if state.stage.kind(body) != Kind::Player {
        return named;
    }
    let knows = |kind: AbilityKind, word: &str| {
        figure.abilities.iter().any(|ability| {
            let def = state.stage.ability_def(*ability);
            def.kind == kind && def.name.to_lowercase().contains(word)
        })
    };
    let class = match () {
        () if knows(AbilityKind::Heal, "") => "cleric",
        () if knows(AbilityKind::Attack, "bash") => "fighter",
        () if knows(AbilityKind::Attack, "sneak") => "rogue",
        () if knows(AbilityKind::Attack, "bolt") || knows(AbilityKind::Attack, "fire") => "wizard",
        () if figure.reach > 1 => "ranger",
        () => "fighter",
    };
    class.to_owned()
}

/// Somebody with hit points and conditions. Many of a kind are called by its name and a number, so that the name
/// without it is the kind.
fn figure(state: &State, body: BodyId) -> Figure {
    let figure = state.stage.figure(body);
    let badge = |text: String| {
        let (name, count) = text.split_once(" (").unwrap_or((&text, ""));
        Badge {
            icon: name.to_lowercase().replace(' ', "_"),
            name: name.to_owned(),
            count: count.trim_end_matches(')').to_owned(),
            ..Badge::default()
        }
    };
    let hp = Gauge { name: "hp".to_owned(), now: state.body(body).hp, most: Some(figure.hp_max) };
    Figure {
        id: figure.id.to_string(),
        name: figure.called.to_string(),
        icon: look(state, body),
        owner: match state.stage.kind(body) {
            Kind::Player => Some(crate::game::HEROES),
            Kind::Npc => Some(1 - crate::game::HEROES),
            Kind::Object => None,
        },
        active: state.combat.fighting && state.combat.active == Some(body),
        down: state.is_dead(body),
        gauges: vec![hp],
        badges: conditions(state, body).into_iter().map(badge).collect(),
        ..Figure::default()
    }
}

/// The letters of a figure on the board: heroes in capitals.
fn letters(state: &State, body: BodyId) -> String {
    let mark = &state.stage.figure(body).mark;
    match state.stage.kind(body) {
        Kind::Player => mark.to_uppercase(),
        Kind::Npc => mark.to_string(),
        Kind::Object => "□".to_string(),
    }
}

/// A line about somebody: name, hit points, armour, speed, conditions, abilities.
fn sheet(state: &State, body: BodyId) -> String {
    let figure = state.stage.figure(body);
    let mut text = format!(
        "{} ({}): {} of {} hp, AC {}, speed {}, reach {}",
        figure.called,
        figure.mark,
        state.body(body).hp,
        figure.hp_max,
        figure.ac,
        state.stage.speed(body),
        figure.reach
    );
    for (label, list) in [("", conditions(state, body)), ("knows ", abilities(state, body))] {
        if !list.is_empty() {
            text.push_str(&format!("; {label}{}", list.join(", ")));
        }
    }
    text
}

fn conditions(state: &State, body: BodyId) -> Vec<String> {
    let left = |condition| {
        let timer = state.timers.iter().find(|t| t.body == body && t.condition == condition && t.left > 0);
        timer.map_or(String::new(), |t| format!(" ({})", t.left))
    };
    state
        .conditions_of(body)
        .map(|c| format!("{}{}", state.stage.conditions[usize::from(c)], left(c)))
        .collect()
}

fn abilities(state: &State, body: BodyId) -> Vec<String> {
    let name = |a: &u16| {
        let wait = state.cooldown(body, *a);
        let waiting = if wait > 0 { format!(" (in {wait})") } else { String::new() };
        format!("{}{waiting}", state.stage.ability_def(*a).name)
    };
    state.stage.figure(body).abilities.iter().map(name).collect()
}

fn panel(state: &State, id: &str, title: &str, bodies: std::ops::Range<BodyId>) -> Panel {
    let items = bodies.filter(|b| !state.is_absent(*b)).map(|b| line(state, b)).collect();
    Panel { id: id.to_string(), title: title.to_string(), items, lie: Lie::Row }
}

fn line(state: &State, body: BodyId) -> Item {
    let figure = state.stage.figure(body);
    let (hp, max) = (state.body(body).hp, figure.hp_max.max(1));
    let marks = conditions(state, body).join(", ");
    let ink = match state.stage.kind(body) {
        _ if state.is_dead(body) => Ink::Faint,
        Kind::Player => Ink::Ours,
        Kind::Npc => Ink::Theirs,
        Kind::Object => Ink::Neutral,
    };
    let text = format!("{:<3} {hp:>3}/{max:<3} {} {marks}", letters(state, body), figure.called);
    let item = Item { text: text.trim_end().to_string(), ink, note: sheet(state, body), thing: None };
    item.with(self::figure(state, body))
}

fn order(state: &State) -> Panel {
    let order = state.combat.order.iter();
    let items = order
        .map(|b| {
            let mark = if Some(*b) == state.combat.active { "▶" } else { " " };
            let ink = if state.is_dead(*b) { Ink::Faint } else { Ink::Plain };
            let text = format!("{mark} {:<3} {}", letters(state, *b), state.stage.figure(*b).called);
            Item { text, ink, note: sheet(state, *b), thing: None }.with(figure(state, *b))
        })
        .collect();
    let title = format!("Round {}", state.combat.round);
    Panel { id: "order".to_string(), title, items, lie: Lie::Row }
}

fn option(state: &State, input: &InputOf<Skirmish>) -> Choice {
    let action = match input {
        Input::Act(action) => action,
        Input::Choose(never) => match *never {},
    };
    Choice {
        label: tell::action(state, action),
        picks: picks(state, action),
        preview: preview(state, action),
        grave: is_grave(state, action),
        forecast: forecast(state, action),
    }
}

/// Giving up, and striking a friend.
fn is_grave(state: &State, action: &Action) -> bool {
    let body = |id: &Id| id.text().and_then(|text| state.stage.find(text));
    match &action.verb {
        Verb::Surrender { .. } => true,
        Verb::Attack { attacker, target } => {
            body(attacker).zip(body(target)).is_some_and(|(a, t)| tell::own_side(state, a, t))
        }
        _ => false,
    }
}

/// What a blow, a spell or a potion would do to whom it is meant for.
fn forecast(state: &State, action: &Action) -> Vec<Forecast> {
    let target = match &action.verb {
        Verb::Attack { target, .. } | Verb::UseAbility { target, .. } => target,
        _ => return Vec::new(),
    };
    let found = target.text().and_then(|text| state.stage.find(text));
    let on = found.map(|body| state.stage.figure(body).id.to_string());
    let text = preview(state, action);
    on.map(|on| Forecast { on, text, why: Vec::new() }).into_iter().collect()
}

/// In combat one points at the goal or the target; outside it, at the actor first.
fn picks(state: &State, action: &Action) -> Vec<Pick> {
    let body = |id: &Id| id.text().and_then(|text| state.stage.find(text));
    let cell = |id: &Id| body(id).map(|b| state.cell(b)).map(|c| Pick::Cell(c.x.into(), c.y.into()));
    let word = |text: &str| Some(Pick::Word(text.to_string()));
    let actor = |id: &Id| if state.combat.fighting { None } else { cell(id) };
    let picks = match &action.verb {
        Verb::Move { entity, path } => {
            let goal = path.last().map(|s| Pick::Cell(s.x.max(0) as u16, s.y.max(0) as u16));
            vec![actor(entity), goal]
        }
        // A friend is struck only by who says so first: pointing at him is not enough.
        Verb::Attack { attacker, target } => match (body(attacker), body(target)) {
            (Some(a), Some(t)) if tell::own_side(state, a, t) => {
                vec![actor(attacker), word("strike a friend"), cell(target)]
            }
            _ => vec![actor(attacker), cell(target), word("attack")],
        },
        Verb::UseAbility { caster, ability, target } => {
            let known = ability.text().and_then(|id| state.stage.ability(id));
            let name = known.map(|a| state.stage.ability_def(a).name.to_lowercase());
            vec![actor(caster), cell(target), word(name.as_deref().unwrap_or("ability"))]
        }
        Verb::Defend { entity } => vec![actor(entity), word("defend")],
        Verb::EndTurn { .. } => vec![word("end turn")],
        Verb::RollInitiative => vec![word("fight")],
        Verb::Surrender { .. } => vec![word("surrender")],
        Verb::SetSeed { .. } | Verb::Malformed { .. } => Vec::new(),
    };
    picks.into_iter().flatten().collect()
}

/// What an action would do, as the rules themselves have it.
fn preview(state: &State, action: &Action) -> String {
    let body = |id: &Id| id.text().and_then(|text| state.stage.find(text));
    match &action.verb {
        Verb::Attack { attacker, target } => match attack::open(state, attacker, target) {
            Some(effect) => strike_preview(state, listeners::weigh(state, effect)),
            None => String::new(),
        },
        Verb::UseAbility { ability, target, .. } => {
            let known = ability.text().and_then(|id| state.stage.ability(id));
            match (known, body(target)) {
                (Some(ability), Some(target)) => ability_preview(state, ability, target),
                _ => String::new(),
            }
        }
        Verb::Move { entity, path } => {
            let shoves = body(entity).zip(path.last()).is_some_and(|(walker, last)| {
                let cell = state.stage.board.cell(last.x.into(), last.y.into());
                cell.is_some_and(|cell| footing(state, walker, cell) == Footing::Corpse)
            });
            let plural = if path.len() == 1 { "" } else { "s" };
            format!("{} step{plural}{}", path.len(), if shoves { ", shoves the corpse back" } else { "" })
        }
        Verb::Defend { .. } => defend_preview(state),
        Verb::Surrender { .. } => "ends the match".to_string(),
        Verb::EndTurn { .. } | Verb::RollInitiative | Verb::SetSeed { .. } | Verb::Malformed { .. } => {
            String::new()
        }
    }
}

fn defend_preview(state: &State) -> String {
    let turns = match defend::turns(state) {
        1 => "your next turn".to_string(),
        turns => format!("your turn in {turns} rounds"),
    };
    format!("AC {:+} until {turns}, regain up to {}", defend::ac_bonus(state), defend::HEALS)
}

fn strike_preview(state: &State, effect: Effect) -> String {
    let Effect::Strike(strike) = effect else { return String::new() };
    let worse = if strike.disadvantage { ", lower of two rolls" } else { "" };
    let dice = match attack::weapon(state, strike.attacker) {
        Some(die) => die.to_string(),
        None => state.stage.rules.module.flat_damage.unwrap_or(0).to_string(),
    };
    let more = if strike.damage == 0 { String::new() } else { format!("{:+}", strike.damage) };
    format!("hits on {}+{worse} for {dice}{more}", attack::needed(state, &strike))
}

fn ability_preview(state: &State, ability: u16, target: BodyId) -> String {
    let def = state.stage.ability_def(ability);
    match def.kind {
        AbilityKind::Heal => format!("heals {}", def.dice),
        AbilityKind::Attack => {
            let need = ability::needed(state, target, ability);
            let mark = def.applies.as_deref().map_or(String::new(), |c| format!(", {c} for {}", def.turns));
            format!("hits on {need}+ for {}{mark}", def.dice)
        }
    }
}
