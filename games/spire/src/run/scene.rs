//! What a player sees: the map and the screens of a run, and the table of a fight.

use turnstone::{Game, Input, InputOf, Position, Told};
use turnstone_host::scene::{Board, Choice, Counter, Panel, Pick, Scene};

use super::action::Question;
use super::effect::Purpose;
use super::event::Ending;
use super::score;
use super::screens::{
    deck_line, deck_panel, key_items, map_board, map_top, match_board, match_cell, offer_panel,
    screen_panels, upgrade_text, ware_pick, ware_text,
};
use super::tower::End;
use crate::action::Deed;
use crate::game::Spire;
use crate::question::Answer;
use crate::question::{Asked, Reply};
use crate::seeds::CharacterNo;
use crate::state::State;

/// The scene of a position.
pub(super) fn scene(game: &Spire, position: &Position<Spire>, inputs: &[InputOf<Spire>]) -> Scene {
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
fn counters(game: &Spire, s: &State) -> Vec<Counter> {
    let run = &s.run;
    let hp = if s.combat.bodies.is_empty() { run.hp } else { s.combat.player().hp };
    let mut counters = vec![Counter::new("hp", "HP", i64::from(hp.max(0))).of(i64::from(run.max_hp))];
    if !s.is_single_fight() {
        counters.push(Counter::new("gold", "gold", i64::from(run.gold)));
        counters.push(Counter::new("floor", "floor", i64::from(run.floor)));
    }
    if s.is_fighting() {
        counters.extend(game.fight_counters(s));
    }
    counters
}

/// What matters now comes first: what is asked, the fight or the screen; then what one owns.
fn panels(game: &Spire, position: &Position<Spire>, inputs: &[InputOf<Spire>]) -> Vec<Panel> {
    let s = position.state();
    let asked = position.pending().map(|pending| pending.question);
    let fighting = s.is_fighting();
    let mut panels = Vec::new();
    let mut choosing = None;
    match asked {
        Some(Asked::Run(Question::Deck(pick))) => choosing = Some(pick.purpose),
        Some(Asked::Run(Question::Offer)) => panels.push(offer_panel(game, s)),
        Some(Asked::Fight(question)) => {
            panels.extend(game.answer_panel(s, &question, &answers(inputs)));
        }
        Some(Asked::Run(Question::Flip)) | None => {}
    }
    let deck = deck_panel(game, s, choosing, &indices(inputs));
    match (choosing, asked) {
        (Some(_), _) => panels.push(deck.clone()),
        (None, _) if fighting => panels.extend(game.fight_panels(s)),
        (None, Some(Asked::Run(Question::Offer))) => {}
        (None, _) => panels.extend(screen_panels(game, s)),
    }
    if !fighting {
        panels.push(game.potion_panel(s));
    }
    let mut relics = game.relic_panel(s);
    relics.items.extend(key_items(s));
    let belongings = std::iter::once(relics).chain(choosing.is_none().then_some(deck));
    // A moment of a fight may have neither.
    panels.extend(belongings.filter(|panel| !panel.items.is_empty()));
    panels
}

/// The answers to a question of a fight.
fn answers(inputs: &[InputOf<Spire>]) -> Vec<Answer> {
    let answer = |input: &InputOf<Spire>| match input {
        Input::Choose(Reply::Fight(answer)) => Some(*answer),
        _ => None,
    };
    inputs.iter().filter_map(answer).collect()
}

/// The answers to a question of the run.
fn indices(inputs: &[InputOf<Spire>]) -> Vec<u16> {
    let index = |input: &InputOf<Spire>| match input {
        Input::Choose(Reply::Run(index)) => Some(*index),
        _ => None,
    };
    inputs.iter().filter_map(index).collect()
}

/// The map, aside unless one is to move on it; or the cells of a match.
fn board(game: &Spire, position: &Position<Spire>, inputs: &[InputOf<Spire>]) -> Option<Board> {
    let s = position.state();
    if let Some(Asked::Run(Question::Flip)) = position.pending().map(|pending| pending.question) {
        return match_board(game, s);
    }
    let ways = columns(inputs);
    is_run(s).then(|| Board { aside: ways.is_empty(), ..map_board(s, &ways) })
}

/// Whether there is a map to climb: not in a fight of its own, and not when all is over.
fn is_run(s: &State) -> bool {
    s.tower.end.is_none() && !s.is_single_fight()
}

fn heading(game: &Spire, s: &State) -> String {
    let run = &s.run;
    let hp = if s.combat.bodies.is_empty() { run.hp } else { s.combat.player().hp };
    let character = &game.rulebook.tables.of(CharacterNo(s.run.character)).name;
    if let Some(ending) = s.ending().filter(|_| s.is_single_fight()) {
        let how = match ending {
            Ending::Lost => "the fight is lost",
            Ending::Fled => "fled from the fight",
            Ending::Won => "the fight is won",
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
        true => format!(" · boss: {}", game.journey().fight_name(s.tower.fate.boss())),
        false => String::new(),
    };
    format!("{character} · {place} · {hp}/{} HP · {} gold{boss}", run.max_hp, run.gold)
}

fn ending(game: &Spire, s: &State, end: End) -> String {
    let killer = s.tower.killer.map(|fight| game.journey().fight_name(fight));
    let by = killer.map_or(String::new(), |name| format!(" by {name}"));
    match end {
        End::Died => format!("Killed{by} on floor {}", s.run.floor),
        _ => format!("Won on floor {}", s.run.floor),
    }
}

fn choice(game: &Spire, position: &Position<Spire>, input: &InputOf<Spire>) -> Choice {
    let s = position.state();
    match (input, position.pending().map(|p| p.question)) {
        (Input::Act(action), _) => Choice {
            label: game.tell_action(s, action),
            picks: picks(game, s, action),
            preview: match action {
                Deed::Fight(action) => game.fight_preview(s, action),
                Deed::Run(action) => ware_text(game, s, *action),
            },
            grave: is_grave(action),
            forecast: match action {
                Deed::Fight(action) => game.fight_forecast(s, action),
                Deed::Run(_) => Vec::new(),
            },
        },
        (Input::Choose(answer), Some(question)) => Choice {
            label: game.tell_answer(s, &question, answer),
            picks: match (&question, answer) {
                (Asked::Fight(question), Reply::Fight(answer)) => game.answer_picks(s, question, answer),
                (Asked::Run(Question::Deck(_)), Reply::Run(index)) => {
                    deck_line(s, *index).into_iter().collect()
                }
                (Asked::Run(Question::Offer), Reply::Run(index)) => vec![Pick::Item("offer".into(), *index)],
                (Asked::Run(Question::Flip), Reply::Run(cell)) => vec![match_cell(*cell)],
                _ => Vec::new(),
            },
            preview: preview(game, s, &question, answer),
            ..Choice::default()
        },
        (Input::Choose(_), None) => Choice::default(),
    }
}

/// Potions that are thrown away are gone.
fn is_grave(action: &<Spire as Game>::Action) -> bool {
    matches!(
        action,
        Deed::Fight(crate::action::Action::Toss { .. }) | Deed::Run(super::action::Action::Discard(_))
    )
}

/// The text of a card that can be chosen, upgraded if that is what it is chosen for.
fn preview(
    game: &Spire,
    s: &State,
    question: &<Spire as Game>::Question,
    answer: &<Spire as Game>::Answer,
) -> String {
    let card = |index: u16| s.run.deck.get(usize::from(index));
    match (question, answer) {
        (Asked::Run(Question::Deck(pick)), Reply::Run(index)) if pick.purpose == Purpose::Upgrade => {
            card(*index).map(|c| upgrade_text(game, c)).unwrap_or_default()
        }
        (Asked::Fight(question), Reply::Fight(answer)) => game.answer_preview(s, question, answer),
        (Asked::Run(Question::Deck(_)), Reply::Run(index)) => {
            card(*index).map(|c| game.deck_text(c)).unwrap_or_default()
        }
        (Asked::Run(Question::Offer), Reply::Run(index)) => {
            let offered = s.tower.offer.get(usize::from(*index));
            offered.map(|c| game.kind_text(c.0, 0)).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// The columns that can be gone to.
fn columns(inputs: &[InputOf<Spire>]) -> Vec<u8> {
    let column = |input: &InputOf<Spire>| match input {
        Input::Act(Deed::Run(super::action::Action::Go(x))) => Some(*x),
        _ => None,
    };
    inputs.iter().filter_map(column).collect()
}

fn picks(game: &Spire, s: &State, action: &Deed) -> Vec<Pick> {
    use super::action::Action;
    match action {
        Deed::Run(Action::Go(x)) => {
            let y = s.tower.place.map_or(0, |p| p.y + 1);
            vec![Pick::Cell(u16::from(*x), map_top(s).saturating_sub(u16::from(y)))]
        }
        Deed::Fight(action) => game.fight_picks(s, action),
        Deed::Run(Action::Proceed) => vec![Pick::Word("go on".into())],
        Deed::Run(Action::Drink(slot)) => vec![Pick::Item("potions".into(), u16::from(*slot))],
        // Nobody is to lose a potion by one key.
        Deed::Run(Action::Discard(slot)) => {
            vec![Pick::Item("potions".into(), u16::from(*slot)), Pick::Word("throw away".into())]
        }
        Deed::Run(action) => ware_pick(s, *action).into_iter().collect(),
    }
}
