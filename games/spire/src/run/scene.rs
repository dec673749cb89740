//! What a player sees: the map and the screens of a run, and the table of a fight.

use turnstone::scene::{Choice, Pick, Scene};
use turnstone::{Game, Input, InputOf, Position};

use super::effect::{Purpose, Question};
use super::game::{Climb, Of};
use super::score;
use super::screens::{deck_panel, map_board, screen_panels, ware_text};
use super::tell::title;
use super::tower::{End, State};
use crate::game::Spire;
use crate::seeds::HEIGHT;

type Whole = Climb<Spire>;

/// The scene of a position.
pub fn scene(game: &Whole, position: &Position<Whole>, inputs: &[InputOf<Whole>]) -> Scene {
    let s = position.state();
    let fighting = s.tower.fighting.is_some() && s.tower.end.is_none();
    let mut panels = if fighting { game.arena.fight_panels(&s.spire) } else { screen_panels(game, s) };
    panels.push(game.arena.relic_panel(&s.spire));
    panels.push(game.arena.potion_panel(&s.spire));
    if !fighting {
        panels.push(deck_panel(game, s));
    }
    Scene {
        title: heading(game, s),
        board: (!fighting && s.tower.end.is_none()).then(|| map_board(s, &columns(inputs))),
        panels,
        options: inputs.iter().map(|input| choice(game, position, input)).collect(),
        question: position.pending().map(|p| game.tell_question(s, &p.question)),
    }
}

fn heading(game: &Whole, s: &State) -> String {
    let run = &s.spire.run;
    let hp = if s.spire.combat.bodies.is_empty() { run.hp } else { s.spire.combat.player().hp };
    let place = match s.tower.end {
        Some(End::Died) => format!("Dead on floor {}, {} points", run.floor, score::total(&game.rulebook, s)),
        Some(_) => format!("Won, {} points", score::total(&game.rulebook, s)),
        None => match &s.tower.hand_made {
            Some(map) => format!("{}, floor {}", map.name, run.floor),
            None => format!("Act {}, floor {}", run.act, run.floor),
        },
    };
    let character = title(s.tower.fate.character.word());
    let boss = match s.tower.has_boss() {
        true => format!(" · boss: {}", title(game.rulebook.tables.fights.name(s.tower.fate.boss()))),
        false => String::new(),
    };
    format!("{character} · {place} · {hp}/{} HP · {} gold{boss}", run.max_hp, run.gold)
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
        },
        (Input::Choose(answer), Some(question)) => Choice {
            label: game.tell_answer(s, &question, answer),
            picks: Vec::new(),
            preview: preview(game, s, &question, answer),
        },
        (Input::Choose(_), None) => {
            Choice { label: String::new(), picks: Vec::new(), preview: String::new() }
        }
    }
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
            card(*index).map(|c| game.arena.kind_text(c.id, c.up + 1)).unwrap_or_default()
        }
        (Of::Run(Question::Deck(_)), Of::Run(index)) => {
            card(*index).map(|c| game.arena.kind_text(c.id, c.up)).unwrap_or_default()
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
            let row = HEIGHT as u16 - u16::from(y).min(HEIGHT as u16);
            vec![Pick::Cell(u16::from(*x), row)]
        }
        Of::Fight(action) => game.arena.fight_picks(&s.spire, action),
        Of::Run(Action::Proceed) => vec![Pick::Word("go on".into())],
        _ => Vec::new(),
    }
}
