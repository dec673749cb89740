//! What a player sees: the map and the screens of a run, and the table of a fight.

use turnstone::{Game, Input, InputOf, Position, Told};
use turnstone_host::scene::{Board, Choice, Counter, Panel, Pick, Scene};

use super::effect::{Purpose, Question};
use super::game::{Climb, Of};
use super::score;
use super::screens::{
    deck_line, deck_panel, key_items, map_board, map_top, match_board, match_cell, offer_panel,
    screen_panels, upgrade_text, ware_pick, ware_text,
};
use super::tower::{End, State};
use crate::effect::Answer;
use crate::game::Spire;

type Whole = Climb<Spire>;

/// The scene of a position.
pub fn scene(game: &Whole, position: &Position<Whole>, inputs: &[InputOf<Whole>]) -> Scene {
    let s = position.state();
    Scene {
        title: heading(game, s),
        board: board(game, position, inputs),
        panels: panels(game, position, inputs),
        options: inputs.iter().map(|input| choice(game, position, input)).collect(),
        question: position.pending().map(|p| game.tell_question(s, &p.question)),
        counters: counters(game, s),
        ..Scene::default()
    }
}

/// Health, gold and the floor of a run, and the energy of a fight.
fn counters(game: &Whole, s: &State) -> Vec<Counter> {
    let run = &s.spire.run;
    let hp = if s.spire.combat.bodies.is_empty() { run.hp } else { s.spire.combat.player().hp };
    let mut counters = vec![Counter::new("hp", "HP", i64::from(hp.max(0))).of(i64::from(run.max_hp))];
    if is_run(s) {
        counters.push(Counter::new("gold", "gold", i64::from(run.gold)));
        counters.push(Counter::new("floor", "floor", i64::from(run.floor)));
    }
    if s.tower.fighting.is_some() && s.tower.end.is_none() {
        counters.extend(game.arena.fight_counters(&s.spire));
    }
    counters
}

/// What matters now comes first: what is asked, the fight or the screen; then what one owns.
fn panels(game: &Whole, position: &Position<Whole>, inputs: &[InputOf<Whole>]) -> Vec<Panel> {
    let s = position.state();
    let asked = position.pending().map(|pending| pending.question);
    let fighting = s.tower.fighting.is_some() && s.tower.end.is_none();
    let mut panels = Vec::new();
    let mut choosing = None;
    match asked {
        Some(Of::Run(Question::Deck(purpose))) => choosing = Some(purpose),
        Some(Of::Run(Question::Offer)) => panels.push(offer_panel(game, s)),
        Some(Of::Fight(question)) => {
            panels.extend(game.arena.answer_panel(&s.spire, &question, &answers(inputs)));
        }
        Some(Of::Run(Question::Flip)) | None => {}
    }
    let deck = deck_panel(game, s, choosing, &indices(inputs));
    match (choosing, asked) {
        (Some(_), _) => panels.push(deck.clone()),
        (None, _) if fighting => panels.extend(game.arena.fight_panels(&s.spire)),
        (None, Some(Of::Run(Question::Offer))) => {}
        (None, _) => panels.extend(screen_panels(game, s)),
    }
    if !fighting {
        panels.push(game.arena.potion_panel(&s.spire));
    }
    let mut relics = game.arena.relic_panel(&s.spire);
    relics.items.extend(key_items(s));
    let belongings = std::iter::once(relics).chain(choosing.is_none().then_some(deck));
    // A moment of a fight may have neither.
    panels.extend(belongings.filter(|panel| !panel.items.is_empty()));
    panels
}

/// The answers to a question of a fight.
fn answers(inputs: &[InputOf<Whole>]) -> Vec<Answer> {
    let answer = |input: &InputOf<Whole>| match input {
        Input::Choose(Of::Fight(answer)) => Some(*answer),
        _ => None,
    };
    inputs.iter().filter_map(answer).collect()
}

/// The answers to a question of the run.
fn indices(inputs: &[InputOf<Whole>]) -> Vec<u16> {
    let index = |input: &InputOf<Whole>| match input {
        Input::Choose(Of::Run(index)) => Some(*index),
        _ => None,
    };
    inputs.iter().filter_map(index).collect()
}

/// The map, aside unless one is to move on it; or the cells of a match.
fn board(game: &Whole, position: &Position<Whole>, inputs: &[InputOf<Whole>]) -> Option<Board> {
    let s = position.state();
    if let Some(Of::Run(Question::Flip)) = position.pending().map(|pending| pending.question) {
        return match_board(game, s);
    }
    let ways = columns(inputs);
    is_run(s).then(|| Board { aside: ways.is_empty(), ..map_board(s, &ways) })
}

/// Whether there is a map to climb: not in a fight of its own, and not when all is over.
fn is_run(s: &State) -> bool {
    s.tower.end.is_none() && !s.tower.is_single_fight()
}

fn heading(game: &Whole, s: &State) -> String {
    let run = &s.spire.run;
    let hp = if s.spire.combat.bodies.is_empty() { run.hp } else { s.spire.combat.player().hp };
    let character = &game.rulebook.tables.of(s.tower.fate.character).name;
    if let Some(end) = s.tower.end.filter(|_| s.tower.is_single_fight()) {
        let how = match end {
            End::Died => "the fight is lost",
            End::Fled => "fled from the fight",
            End::Won | End::Heart => "the fight is won",
        };
        return format!("{character} · {how} · {}/{} HP", run.hp.max(0), run.max_hp);
    }
    if let Some(end) = s.tower.end {
        return format!(
            "{character} · {} · {} points",
            ending(game, s, end),
            score::total(&game.rulebook, s)
        );
    }
    if !is_run(s) {
        return format!("{character} · a single fight · {hp}/{} HP", run.max_hp);
    }
    let place = match &s.tower.hand_made {
        Some(map) => format!("{}, floor {}", map.name, run.floor),
        None => format!("Act {}, floor {}", run.act, run.floor),
    };
    let boss = match s.tower.has_boss() {
        true => format!(" · boss: {}", game.rulebook.fight_name(s.tower.fate.boss())),
        false => String::new(),
    };
    format!("{character} · {place} · {hp}/{} HP · {} gold{boss}", run.max_hp, run.gold)
}

fn ending(game: &Whole, s: &State, end: End) -> String {
    let killer = s.tower.killer.map(|fight| game.rulebook.fight_name(fight));
    let by = killer.map_or(String::new(), |name| format!(" by {name}"));
    match end {
        End::Died => format!("Killed{by} on floor {}", s.spire.run.floor),
        _ => format!("Won on floor {}", s.spire.run.floor),
    }
}

fn choice(game: &Whole, position: &Position<Whole>, input: &InputOf<Whole>) -> Choice {
    let s = position.state();
    match (input, position.pending().map(|p| p.question)) {
        (Input::Act(action), _) => Choice {
            label: game.tell_action(s, action),
            picks: picks(game, s, action),
            preview: match action {
                Of::Fight(action) => game.arena.fight_preview(&s.spire, action),
                Of::Run(action) => ware_text(game, s, *action),
            },
            grave: is_grave(action),
            forecast: match action {
                Of::Fight(action) => game.arena.fight_forecast(&s.spire, action),
                Of::Run(_) => Vec::new(),
            },
        },
        (Input::Choose(answer), Some(question)) => Choice {
            label: game.tell_answer(s, &question, answer),
            picks: match (&question, answer) {
                (Of::Fight(question), Of::Fight(answer)) => {
                    game.arena.answer_picks(&s.spire, question, answer)
                }
                (Of::Run(Question::Deck(_)), Of::Run(index)) => deck_line(s, *index).into_iter().collect(),
                (Of::Run(Question::Offer), Of::Run(index)) => vec![Pick::Item("offer".into(), *index)],
                (Of::Run(Question::Flip), Of::Run(cell)) => vec![match_cell(*cell)],
                _ => Vec::new(),
            },
            preview: preview(game, s, &question, answer),
            ..Choice::default()
        },
        (Input::Choose(_), None) => Choice::default(),
    }
}

/// Potions that are thrown away are gone.
fn is_grave(action: &<Whole as Game>::Action) -> bool {
    matches!(
        action,
        Of::Fight(crate::effect::Action::Toss { .. }) | Of::Run(super::effect::Action::Discard(_))
    )
}

/// The text of a card that can be chosen, upgraded if that is what it is chosen for.
fn preview(
    game: &Whole,
    s: &State,
    question: &<Whole as Game>::Question,
    answer: &<Whole as Game>::Answer,
) -> String {
    let card = |index: u16| s.spire.run.deck.get(usize::from(index));
    match (question, answer) {
        (Of::Run(Question::Deck(Purpose::Upgrade)), Of::Run(index)) => {
            card(*index).map(|c| upgrade_text(game, c)).unwrap_or_default()
        }
        (Of::Fight(question), Of::Fight(answer)) => game.arena.answer_preview(&s.spire, question, answer),
        (Of::Run(Question::Deck(_)), Of::Run(index)) => {
            card(*index).map(|c| game.arena.deck_text(c)).unwrap_or_default()
        }
        (Of::Run(Question::Offer), Of::Run(index)) => {
            let offered = s.tower.offer.get(usize::from(*index));
            offered.map(|c| game.arena.kind_text(c.0, 0)).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// The columns that can be gone to.
fn columns(inputs: &[InputOf<Whole>]) -> Vec<u8> {
    let column = |input: &InputOf<Whole>| match input {
        Input::Act(Of::Run(super::effect::Action::Go(x))) => Some(*x),
        _ => None,
    };
    inputs.iter().filter_map(column).collect()
}

fn picks(game: &Whole, s: &State, action: &Of<super::effect::Action, crate::effect::Action>) -> Vec<Pick> {
    use super::effect::Action;
    match action {
        Of::Run(Action::Go(x)) => {
            let y = s.tower.place.map_or(0, |p| p.y + 1);
            vec![Pick::Cell(u16::from(*x), map_top(s).saturating_sub(u16::from(y)))]
        }
        Of::Fight(action) => game.arena.fight_picks(&s.spire, action),
        Of::Run(Action::Proceed) => vec![Pick::Word("go on".into())],
        Of::Run(Action::Drink(slot)) => vec![Pick::Item("potions".into(), u16::from(*slot))],
        // Nobody is to lose a potion by one key.
        Of::Run(Action::Discard(slot)) => {
            vec![Pick::Item("potions".into(), u16::from(*slot)), Pick::Word("throw away".into())]
        }
        Of::Run(action) => ware_pick(s, *action).into_iter().collect(),
    }
}
