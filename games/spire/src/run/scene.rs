//! What a player sees: the map and the screens of a run, and the table of a fight.

use turnstone::scene::{Board, Choice, Pick, Scene};
use turnstone::{Game, Input, InputOf, Position};

use super::effect::{Purpose, Question};
use super::game::{Climb, Of};
use super::score;
use super::screens::{deck_panel, map_board, screen_panels, ware_pick, ware_text};
use super::tell::title;
use super::tower::{End, FightKind, State};
use crate::game::Spire;
use crate::seeds::HEIGHT;
use crate::state::DeckCard;

type Whole = Climb<Spire>;

/// The scene of a position.
pub fn scene(game: &Whole, position: &Position<Whole>, inputs: &[InputOf<Whole>]) -> Scene {
    let s = position.state();
    let fighting = s.tower.fighting.is_some() && s.tower.end.is_none();
    let mut panels = match position.pending() {
        _ if fighting => game.arena.fight_panels(&s.spire),
        // Who chooses from his deck looks at nothing else; the cells of a match are on their screen.
        Some(asked) if !matches!(asked.question, Of::Run(Question::Flip)) => Vec::new(),
        _ => screen_panels(game, s),
    };
    if !fighting {
        panels.push(game.arena.potion_panel(&s.spire));
    }
    panels.push(game.arena.relic_panel(&s.spire));
    panels.push(deck_panel(game, s));
    let ways = columns(inputs);
    let board = Board { aside: ways.is_empty(), ..map_board(s, &ways) };
    Scene {
        title: heading(game, s),
        board: is_run(s).then_some(board),
        panels,
        options: inputs.iter().map(|input| choice(game, position, input)).collect(),
        question: position.pending().map(|p| game.tell_question(s, &p.question)),
    }
}

/// Whether there is a map to climb: not in a fight of its own, and not when all is over.
fn is_run(s: &State) -> bool {
    s.tower.end.is_none() && s.tower.fighting.is_none_or(|fighting| fighting.kind != FightKind::Lone)
}

fn heading(game: &Whole, s: &State) -> String {
    let run = &s.spire.run;
    let hp = if s.spire.combat.bodies.is_empty() { run.hp } else { s.spire.combat.player().hp };
    let character = title(s.tower.fate.character.word());
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
        true => format!(" · boss: {}", title(game.rulebook.tables.fights.name(s.tower.fate.boss()))),
        false => String::new(),
    };
    format!("{character} · {place} · {hp}/{} HP · {} gold{boss}", run.max_hp, run.gold)
}

fn ending(game: &Whole, s: &State, end: End) -> String {
    let killer = s.tower.killer.map(|fight| title(game.rulebook.tables.fights.name(fight)));
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
        },
        (Input::Choose(answer), Some(question)) => Choice {
            label: game.tell_answer(s, &question, answer),
            picks: match answer {
                Of::Fight(answer) => game.arena.answer_picks(&s.spire, answer),
                Of::Run(_) => Vec::new(),
            },
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
            let both = |c: &DeckCard| {
                let text = |up| game.arena.kind_text(c.id, up);
                format!("{} → {}", text(c.up), text(c.up + 1))
            };
            card(*index).map(both).unwrap_or_default()
        }
        (Of::Fight(_), Of::Fight(answer)) => game.arena.answer_preview(&s.spire, answer),
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
        Of::Run(Action::Drink(slot) | Action::Discard(slot)) => {
            vec![Pick::Item("potions".into(), u16::from(*slot))]
        }
        Of::Run(action) => ware_pick(s, *action).into_iter().collect(),
    }
}
