//! What the screens of a run show: events, rewards, shops, the deck, and the map with its ways.

use turnstone::scene::{Board, Cell, Ground, Ink, Item, Panel, Pick};

use super::effect::{Action, Ware};
use super::game::Climb;
use super::score;
use super::tower::{EventScreen, Reward, Screen, Shop, State};
use crate::game::Spire;
use crate::seeds::{CardNo, EventDetail, HEIGHT, Map, Place, PotionNo, RelicNo, Room, WIDTH};

type Whole = Climb<Spire>;

fn item(text: impl Into<String>) -> Item {
    Item { text: text.into(), ink: Ink::Plain, note: String::new() }
}

fn noted(text: impl Into<String>, ink: Ink, note: impl Into<String>) -> Item {
    Item { text: text.into(), ink, note: note.into() }
}

fn panel(id: &str, title: &str, items: Vec<Item>) -> Panel {
    Panel { id: id.into(), title: title.into(), items }
}

/// What the thing does that an action takes or buys.
pub fn ware_text(game: &Whole, s: &State, action: Action) -> String {
    let card = |card: CardNo, up: u8| game.arena.kind_text(card.0, up);
    let relic = |relic: RelicNo| game.arena.relic_text(relic.0);
    let potion = |potion: PotionNo| game.arena.potion_text(&s.spire, potion.0);
    let text = match (action, s.tower.screen()) {
        (Action::TakeCard { reward, card: at }, Some(Screen::Rewards(list))) => {
            match list.get(usize::from(reward)) {
                Some(Reward::Cards(offer)) => {
                    offer.get(usize::from(at)).map(|o| card(o.card, u8::from(o.upgraded)))
                }
                _ => None,
            }
        }
        (Action::Take(at), Some(Screen::Rewards(list))) => match list.get(usize::from(at)) {
            Some(Reward::Relic(it)) => Some(relic(*it)),
            Some(Reward::Potion(it)) => Some(potion(*it)),
            _ => None,
        },
        (Action::BossRelic(at), Some(Screen::BossChest(list))) => {
            list.get(usize::from(at)).map(|it| relic(*it))
        }
        (Action::BuyCard(at), Some(Screen::Shop(shop))) => {
            shop.stock.cards.get(usize::from(at)).map(|it| card(it.card, 0))
        }
        (Action::BuyRelic(at), Some(Screen::Shop(shop))) => {
            shop.stock.relics.get(usize::from(at)).map(|it| relic(it.relic))
        }
        (Action::BuyPotion(at), Some(Screen::Shop(shop))) => {
            shop.stock.potions.get(usize::from(at)).map(|it| potion(it.potion))
        }
        (Action::Drink(slot) | Action::Discard(slot), _) => game.rulebook.potion_at(s, slot).map(potion),
        _ => None,
    };
    text.unwrap_or_default()
}

/// The line of a panel that shows what an action takes or buys.
pub fn ware_pick(s: &State, action: Action) -> Option<Pick> {
    let line = |panel: &str, line: usize| Some(Pick::Item(panel.into(), line as u16));
    let before =
        |list: &[Reward], reward: u8| list.iter().take(usize::from(reward)).map(reward_lines).sum::<usize>();
    match (action, s.tower.screen()) {
        (Action::Take(at), Some(Screen::Rewards(list))) => line("rewards", before(list, at)),
        (Action::TakeCard { reward, card }, Some(Screen::Rewards(list))) => {
            line("rewards", before(list, reward) + 1 + usize::from(card))
        }
        (Action::BossRelic(at), Some(Screen::BossChest(_))) => line("chest", usize::from(at)),
        (Action::BuyCard(at), Some(Screen::Shop(_))) => line("shop", usize::from(at)),
        (Action::BuyRelic(at), Some(Screen::Shop(shop))) => {
            line("shop", shop.stock.cards.len() + usize::from(at))
        }
        (Action::BuyPotion(at), Some(Screen::Shop(shop))) => {
            line("shop", shop.stock.cards.len() + shop.stock.relics.len() + usize::from(at))
        }
        (Action::BuyRemoval, Some(Screen::Shop(shop))) => {
            let stock = &shop.stock;
            line("shop", stock.cards.len() + stock.relics.len() + stock.potions.len())
        }
        _ => None,
    }
}

/// Lines that a reward takes: cards have a heading.
fn reward_lines(reward: &Reward) -> usize {
    match reward {
        Reward::Cards(offer) => 1 + offer.len(),
        _ => 1,
    }
}

/// The panels of what the player looks at.
pub fn screen_panels(game: &Whole, s: &State) -> Vec<Panel> {
    if s.tower.end.is_some() {
        let lines =
            score::score(&game.rulebook, s).into_iter().map(|l| item(format!("{:>5}  {}", l.points, l.what)));
        return vec![panel("score", "Score", lines.collect())];
    }
    match s.tower.screen() {
        None => vec![panel("legend", "Map", legend(s))],
        Some(Screen::Event(event)) => event_panels(game, event),
        Some(Screen::Rewards(list)) => vec![panel("rewards", "Rewards", reward_items(game, s, list))],
        Some(Screen::Neow) => {
            let text = "A whale older than the spire looks at you and offers a gift.";
            vec![panel("neow", "Neow", vec![item(text)])]
        }
        Some(Screen::Rest) => vec![panel("rest", "Campfire", vec![item("The fire is warm.")])],
        Some(Screen::Chest(chest)) => {
            vec![panel("chest", "Chest", vec![item(format!("A {} chest.", chest.size.word()))])]
        }
        Some(Screen::BossChest(relics)) => {
            let items = relics.iter().map(|relic| relic_item(game, *relic)).collect();
            vec![panel("chest", "The boss's chest: take one", items)]
        }
        Some(Screen::Shop(shop)) => vec![panel("shop", "Merchant", shop_items(game, s, shop))],
    }
}

fn legend(s: &State) -> Vec<Item> {
    let mut lines = vec![
        item("M monster  E elite  R rest"),
        item("$ merchant  T treasure"),
        item("? unknown  B boss"),
        item("arrows: where a room leads"),
    ];
    if s.tower.fate.map.burning.is_some() {
        lines.push(item("E* burns: has the emerald key"));
    }
    lines
}

fn event_panels(game: &Whole, event: &EventScreen) -> Vec<Panel> {
    let Some(script) = game.rulebook.book.event(event.event) else { return Vec::new() };
    let text = script.nodes.get(usize::from(event.node)).map(|n| n.text.clone()).unwrap_or_default();
    let mut panels = vec![panel("event", &script.name, vec![item(text)])];
    if let (Some(EventDetail::MatchAndKeep { board }), true) =
        (&event.detail, event.tries < 5 || event.open > 0)
    {
        let seen = |cell: usize| event.open >> cell & 1 == 1 || usize::from(event.counts[0]) == cell + 1;
        let name = |cell: usize| match seen(cell) {
            true => game.rulebook.card_name(board[cell], 0),
            false => "·".to_owned(),
        };
        let row =
            |row: usize| item((0..4).map(|column| name(4 * row + column)).collect::<Vec<_>>().join("  "));
        let mut rows: Vec<Item> = (0..3).map(row).collect();
        rows.push(item(format!("{} tries left", event.tries)));
        panels.push(panel("cells", "Cards", rows));
    }
    panels
}

fn card_item(game: &Whole, card: CardNo, up: u8) -> Item {
    let (text, cost) = (game.arena.kind_text(card.0, up), card_cost(game, card, up));
    let terms = game.arena.terms(&text).join("\n");
    noted(format!("[{cost}] {}: {text}", game.rulebook.card_name(card, up)), Ink::Ours, terms)
}

fn relic_item(game: &Whole, relic: RelicNo) -> Item {
    let text = game.arena.relic_text(relic.0);
    let terms = game.arena.terms(&text).join("\n");
    noted(format!("{}: {text}", game.rulebook.relic_name(relic)), Ink::Special, terms)
}

fn potion_item(game: &Whole, s: &State, potion: PotionNo) -> Item {
    let text = game.arena.potion_text(&s.spire, potion.0);
    let terms = game.arena.terms(&text).join("\n");
    noted(format!("{}: {text}", game.rulebook.potion_name(potion)), Ink::Special, terms)
}

fn reward_items(game: &Whole, s: &State, list: &[Reward]) -> Vec<Item> {
    let mut items = Vec::new();
    for reward in list {
        match reward {
            Reward::Cards(offer) => {
                items.push(item("one of these cards:"));
                for offered in offer {
                    let card = card_item(game, offered.card, u8::from(offered.upgraded));
                    items.push(Item { text: format!("  {}", card.text), ..card });
                }
            }
            Reward::Relic(relic) => items.push(relic_item(game, *relic)),
            Reward::Potion(potion) => items.push(potion_item(game, s, *potion)),
            other => items.push(item(game.rulebook.reward_name(other))),
        }
    }
    items
}

/// The cost printed on a card.
fn card_cost(game: &Whole, card: CardNo, up: u8) -> String {
    let Some(info) = game.arena.catalog.cards.get(usize::from(card)) else { return String::new() };
    match info.forms[usize::from(up > 0)].cost {
        cost if Spire::is_x(cost) => "X".to_owned(),
        cost if cost < 0 => "-".to_owned(),
        cost => cost.to_string(),
    }
}

/// Every ware with its price; what is sold or too dear is faint.
fn shop_items(game: &Whole, s: &State, shop: &Shop) -> Vec<Item> {
    let ware = |ware: Ware, of: Item| {
        let (price, sale) = (game.rulebook.price(s, ware), ware == Ware::Card(shop.stock.sale_slot));
        let text = match price {
            Some(price) => format!("{price:>4}  {}{}", of.text, if sale { "  (on sale)" } else { "" }),
            None => format!("sold  {}", of.text),
        };
        let ink = if price.is_some_and(|p| p <= s.spire.run.gold) { of.ink } else { Ink::Faint };
        Item { text, ink, ..of }
    };
    let card = |i: usize| ware(Ware::Card(i as u8), card_item(game, shop.stock.cards[i].card, 0));
    let mut items: Vec<Item> = (0..shop.stock.cards.len()).map(card).collect();
    let relics = shop.stock.relics.iter().enumerate();
    items.extend(relics.map(|(i, sold)| ware(Ware::Relic(i as u8), relic_item(game, sold.relic))));
    let potions = shop.stock.potions.iter().enumerate();
    items.extend(potions.map(|(i, sold)| ware(Ware::Potion(i as u8), potion_item(game, s, sold.potion))));
    items.push(ware(Ware::Removal, item("the removal of a card")));
    items
}

/// The deck, equal cards together.
pub fn deck_panel(game: &Whole, s: &State) -> Panel {
    let deck = &s.spire.run.deck;
    let mut groups: Vec<((u16, u8, bool), usize)> = Vec::new();
    for card in deck {
        let key = (card.id, card.up, card.bottled);
        match groups.iter_mut().find(|(group, _)| *group == key) {
            Some((_, count)) => *count += 1,
            None => groups.push((key, 1)),
        }
    }
    let line = |&((id, up, bottled), count): &((u16, u8, bool), usize)| {
        let card = card_item(game, CardNo(id), up);
        let many = if count > 1 { format!("{count} × ") } else { String::new() };
        let bottle = if bottled { " (bottled)" } else { "" };
        let text = format!("{many}{}{bottle}", card.text);
        Item { text, ink: Ink::Plain, ..card }
    };
    panel("deck", &format!("Deck {}", deck.len()), groups.iter().map(line).collect())
}

/// The map with the boss in the top row, the way so far, and arrows that tell where each room leads. Rooms that
/// cannot be reached any more are faint.
pub fn map_board(s: &State, choices: &[u8]) -> Board {
    let map = &s.tower.fate.map;
    let reach = reachable(s, choices);
    let mut cells = vec![Cell::default(); WIDTH * (HEIGHT + 1)];
    let boss_row = usize::from(s.tower.fate.boss_row()).min(HEIGHT);
    // The boss of a hand-made map is one of its rooms, if it has one.
    if s.tower.hand_made.is_none() {
        cells[(HEIGHT - boss_row) * WIDTH + 3] =
            Cell { text: "B".into(), ink: Ink::Bad, ground: Ground::Plain, note: "the boss".into() };
    }
    for (place, _) in map.nodes() {
        let open = reach[usize::from(place.y).min(HEIGHT - 1)] >> place.x & 1 == 1;
        cells[(HEIGHT - usize::from(place.y)) * WIDTH + usize::from(place.x)] = map_cell(s, map, place, open);
    }
    Board {
        width: WIDTH as u16,
        height: HEIGHT as u16 + 1,
        cells,
        columns: (1..=WIDTH).map(|c| c.to_string()).collect(),
        rows: (1..=HEIGHT + 1).rev().map(|r| r.to_string()).collect(),
        ..Board::default()
    }
}

fn map_cell(s: &State, map: &Map, place: Place, open: bool) -> Cell {
    let (tower, node) = (&s.tower, map.node(place));
    let room = node.room.unwrap_or(Room::Monster);
    let burning = map.burning.is_some_and(|(p, _)| p == place);
    let arrows: String = node.targets().map(|to| arrow(place.x, to)).collect();
    let edges: Vec<String> = node.targets().map(|t| (t + 1).to_string()).collect();
    let here = tower.place == Some(place);
    Cell {
        text: format!("{}{}{arrows}", room.letter(), if burning { "*" } else { "" }),
        ink: match room {
            _ if here => Ink::Ours,
            _ if !open => Ink::Faint,
            Room::Monster => Ink::Plain,
            Room::Elite | Room::Boss => Ink::Bad,
            Room::Rest => Ink::Good,
            Room::Shop | Room::Treasure => Ink::Special,
            Room::Event => Ink::Neutral,
        },
        ground: if tower.path.contains(&place) { Ground::Recent } else { Ground::Plain },
        note: match edges.is_empty() {
            true => format!("{}, the end of the way", room.word()),
            false => format!("{} → columns {}", room.word(), edges.join(", ")),
        },
    }
}

fn arrow(from: u8, to: u8) -> char {
    match to.cmp(&from) {
        std::cmp::Ordering::Less => '↖',
        std::cmp::Ordering::Equal => '↑',
        std::cmp::Ordering::Greater => '↗',
    }
}

/// The rooms that can still be reached, a bit for each column of each row.
fn reachable(s: &State, choices: &[u8]) -> [u8; HEIGHT] {
    let mut rows = [0_u8; HEIGHT];
    let map = &s.tower.fate.map;
    let next = usize::from(s.tower.place.map_or(0, |p| p.y + 1));
    if next >= HEIGHT {
        return rows;
    }
    let linked = match s.tower.place {
        Some(place) => map.node(place).targets().fold(0, |row, to| row | 1 << to),
        None => u8::MAX,
    };
    rows[next] = choices.iter().fold(linked, |row, x| row | 1 << x);
    for y in next..HEIGHT - 1 {
        for (place, node) in map.row(y as u8) {
            if rows[y] >> place.x & 1 == 1 {
                rows[y + 1] |= node.targets().fold(0, |row, to| row | 1 << to);
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Setup;
    use crate::seeds::Character;
    use turnstone::Game;

    #[test]
    fn the_map_tells_where_each_room_leads() {
        let game = Climb::builtin().expect("content");
        let mut s = game.start(&Setup::run(Character::Ironclad, 0), 7).expect("start");
        let board = map_board(&s, &[]);
        for (place, node) in s.tower.fate.map.nodes() {
            let cell = &board.cells[(HEIGHT - usize::from(place.y)) * WIDTH + usize::from(place.x)];
            let arrows = cell.text.chars().filter(|c| "↖↑↗".contains(*c)).count();
            assert_eq!(arrows, node.targets().count(), "{place:?}: {}", cell.text);
            assert_ne!(cell.ink, Ink::Faint, "everything can be reached from Neow");
        }
        let (first, _) = s.tower.fate.map.row(0).next().expect("a first room");
        let last = s.tower.fate.map.row(0).last().expect("a last room").0;
        s.tower.edit().place = Some(first);
        let board = map_board(&s, &[]);
        assert_eq!(board.cells[HEIGHT * WIDTH + usize::from(last.x)].ink, Ink::Faint, "left behind");
    }
}
