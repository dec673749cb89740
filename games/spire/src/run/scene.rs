//! What a player sees: the map and the screens of a run, and the table of a fight.

use turnstone::scene::{Board, Cell, Choice, Ground, Ink, Item, Panel, Pick, Scene};
use turnstone::{Game, Input, InputOf, Position};

use super::game::{Climb, Of};
use super::rulebook::Rulebook;
use super::score;
use super::tell::title;
use super::tower::{End, Screen, State};
use crate::game::Spire;
use crate::seeds::{CardNo, HEIGHT, Place, Room, WIDTH};

type Whole = Climb<Spire>;

/// The scene of a position.
pub fn scene(game: &Whole, position: &Position<Whole>, inputs: &[InputOf<Whole>]) -> Scene {
    let s = position.state();
    let fighting = s.tower.fighting.is_some() && s.tower.end.is_none();
    let mut panels =
        if fighting { game.arena.fight_panels(&s.spire) } else { screen_panels(&game.rulebook, s) };
    panels.push(game.arena.relic_panel(&s.spire));
    panels.push(game.arena.potion_panel(&s.spire));
    if !fighting {
        panels.push(deck_panel(game, s));
    }
    Scene {
        title: heading(game, s),
        board: (!fighting && s.tower.end.is_none()).then(|| map_board(s)),
        panels,
        options: inputs.iter().map(|input| choice(game, position, input)).collect(),
        question: position.pending().map(|p| game.tell_question(s, &p.question)),
    }
}

fn heading(game: &Whole, s: &State) -> String {
    let run = &s.spire.run;
    let hp = if s.spire.combat.bodies.is_empty() { run.hp } else { s.spire.combat.player().hp };
    let place = match s.tower.end {
        Some(End::Died) => format!("Dead on floor {}, {} points", run.floor, score::total(s)),
        Some(_) => format!("Won, {} points", score::total(s)),
        None => format!("Act {}, floor {}", run.act, run.floor),
    };
    let character = title(s.tower.fate.character.word());
    let boss = game.rulebook.tables.fights.name(s.tower.fate.boss());
    format!("{character} · {place} · {hp}/{} HP · {} gold · boss: {}", run.max_hp, run.gold, title(boss))
}

fn choice(game: &Whole, position: &Position<Whole>, input: &InputOf<Whole>) -> Choice {
    let s = position.state();
    let (label, picks) = match input {
        Input::Act(action) => (game.tell_action(s, action), picks(game, s, action)),
        Input::Choose(answer) => {
            let question = position.pending().map(|p| p.question);
            (question.map(|q| game.tell_answer(s, &q, answer)).unwrap_or_default(), Vec::new())
        }
    };
    let preview = match input {
        Input::Act(Of::Fight(action)) => game.arena.fight_preview(&s.spire, action),
        _ => String::new(),
    };
    Choice { label, picks, preview }
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

/// The map with the boss in the top row and the way so far.
fn map_board(s: &State) -> Board {
    let tower = &s.tower;
    let mut cells = vec![Cell::default(); WIDTH * (HEIGHT + 1)];
    cells[3] = Cell { text: "B".into(), ink: Ink::Bad, ground: Ground::Plain, note: "the boss".into() };
    for (place, node) in tower.fate.map.nodes() {
        let room = node.room.unwrap_or(Room::Monster);
        let burning = tower.fate.map.burning.is_some_and(|(p, _)| p == place);
        let ink = match room {
            Room::Monster => Ink::Plain,
            Room::Elite | Room::Boss => Ink::Bad,
            Room::Rest => Ink::Good,
            Room::Shop | Room::Treasure => Ink::Special,
            Room::Event => Ink::Neutral,
        };
        let walked = tower.path.contains(&place);
        let edges: Vec<String> = node.targets().map(|t| (t + 1).to_string()).collect();
        cells[cell_index(place)] = Cell {
            text: format!("{}{}", room.letter(), if burning { "*" } else { "" }),
            ink: if tower.place == Some(place) { Ink::Ours } else { ink },
            ground: if walked { Ground::Recent } else { Ground::Plain },
            note: format!("{} → columns {}", room.word(), edges.join(", ")),
        };
    }
    Board {
        width: WIDTH as u16,
        height: HEIGHT as u16 + 1,
        cells,
        columns: (1..=WIDTH).map(|c| c.to_string()).collect(),
        rows: (1..=HEIGHT + 1).rev().map(|r| r.to_string()).collect(),
    }
}

fn cell_index(place: Place) -> usize {
    (HEIGHT - usize::from(place.y)) * WIDTH + usize::from(place.x)
}

fn item(text: impl Into<String>) -> Item {
    Item { text: text.into(), ink: Ink::Plain, note: String::new() }
}

fn panel(id: &str, title: &str, items: Vec<Item>) -> Panel {
    Panel { id: id.into(), title: title.into(), items }
}

fn screen_panels(rulebook: &Rulebook, s: &State) -> Vec<Panel> {
    let mut panels = Vec::new();
    match s.tower.screen() {
        Some(Screen::Event(event)) => {
            if let Some(script) = rulebook.book.event(event.event) {
                let text =
                    script.nodes.get(usize::from(event.node)).map(|n| n.text.clone()).unwrap_or_default();
                panels.push(panel("event", &script.name, vec![item(text)]));
            }
        }
        Some(Screen::Rewards(list)) => {
            let items = list.iter().map(|r| item(rulebook.reward_name(r))).collect();
            panels.push(panel("rewards", "Rewards", items));
        }
        Some(Screen::Neow) => {
            let text = "A whale older than the spire looks at you and offers a gift.";
            panels.push(panel("neow", "Neow", vec![item(text)]));
        }
        Some(Screen::Rest) => panels.push(panel("rest", "Campfire", vec![item("The fire is warm.")])),
        Some(Screen::Chest(chest)) => {
            panels.push(panel("chest", "Chest", vec![item(format!("A {} chest.", chest.size.word()))]));
        }
        Some(Screen::BossChest(_)) => {
            panels.push(panel("chest", "The boss's chest", vec![item("Three relics; take one.")]));
        }
        Some(Screen::Shop(_)) => {
            panels.push(panel("shop", "Merchant", vec![item("Everything has its price.")]));
        }
        None => {}
    }
    if s.tower.end.is_some() {
        let lines = score::score(s).into_iter().map(|l| item(format!("{:>5}  {}", l.points, l.what)));
        panels.push(panel("score", "Score", lines.collect()));
    }
    panels
}

fn deck_panel(game: &Whole, s: &State) -> Panel {
    let deck = &s.spire.run.deck;
    let one = |card: &crate::state::DeckCard| Item {
        note: game.arena.kind_text(card.id, card.up),
        ..item(game.rulebook.card_name(CardNo(card.id), card.up))
    };
    panel("deck", &format!("Deck ({})", deck.len()), deck.iter().map(one).collect())
}
