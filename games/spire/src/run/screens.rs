//! What the screens of a run show: events, rewards, shops, the deck, and the map with its ways.

use turnstone_host::scene::{self, Badge, Board, Cell, Graph, Ink, Item, Lie, Panel, Pick, Thing};

use super::action::{Action, Ware};
use super::apply::purpose_word;
use super::consequences::capital;
use super::effect::Purpose;
use super::score;
use super::tell::{key_word, room_word};
use super::tower::{EventScreen, Key, Reward, Screen, Shop};
use crate::catalog::compile::{Op, Program};
use crate::catalog::words::Prevent;
use crate::game::Spire;
use crate::scene::face_cost;
use crate::seeds::{CardNo, EventDetail, HEIGHT, Map, Place, PotionNo, RelicNo, Room, WIDTH};
use crate::state::DeckCard;
use crate::state::State;

fn item(text: impl Into<String>) -> Item {
    Item { text: text.into(), ..Item::default() }
}

fn noted(text: impl Into<String>, ink: Ink, note: impl Into<String>) -> Item {
    Item { text: text.into(), ink, note: note.into(), thing: None }
}

fn panel(id: &str, title: &str, items: Vec<Item>) -> Panel {
    let lie = match id {
        "rewards" | "shop" | "offer" => Lie::Offer,
        "chest" if items.iter().any(|item| item.thing.is_some()) => Lie::Offer,
        "deck" | "legend" => Lie::Aside,
        _ => Lie::List,
    };
    Panel { id: id.into(), title: title.into(), items, lie }
}

/// What the thing does that an action takes or buys.
pub(crate) fn ware_text(game: &Spire, s: &State, action: Action) -> String {
    let card = |card: CardNo, up: u8| game.kind_text(card.0, up);
    let relic = |relic: RelicNo| game.relic_text(relic.0);
    let potion = |potion: PotionNo| game.potion_text(s, potion.0);
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
        (Action::Drink(slot) | Action::Discard(slot), _) => game.journey().potion_at(s, slot).map(potion),
        (Action::Option(at), Some(Screen::Event(_))) => game.journey().option(s, at).map(|option| {
            let told = [things_of(game, option.program), game.journey().event_odds_words(s, option.program)];
            told.join("\n").trim().to_owned()
        }),
        (Action::Go(x), None) if is_unknown(s, x) => Some(game.journey().unknown_words(s)),
        (Action::Neow(at), _) => s.tower.fate.neow.get(usize::from(at)).map(|offer| {
            let way = game.journey();
            let both = std::iter::once(offer.bonus).chain(offer.drawback);
            let things: Vec<String> = both.map(|gift| things_of(game, way.gift(gift))).collect();
            things.join("\n").trim().to_owned()
        }),
        _ => None,
    };
    text.unwrap_or_default()
}

/// Whether nobody knows what the room of that column in the next row will be.
fn is_unknown(s: &State, x: u8) -> bool {
    let y = s.tower.place.map_or(0, |place| place.y + 1);
    let shown = s.tower.fate.map.node(Place { x, y }).room == Some(Room::Event);
    shown && s.tower.hand_made.is_none()
}

/// The cards and relics that steps name, explained.
fn things_of(game: &Spire, program: Program) -> String {
    let relic =
        |relic: u16| format!("{}: {}", game.journey().relic_name(RelicNo(relic)), game.relic_text(relic));
    let all = |programs: &[Program]| {
        programs.iter().map(|program| things_of(game, *program)).collect::<Vec<_>>().join("\n")
    };
    let about = |op: &Op| match op {
        Op::GainRelic { relics, .. } if relics.len() == 1 => relic(relics[0]),
        Op::Obtain { card, .. } => {
            format!("{}: {}", game.journey().card_name(CardNo(*card), 0), game.kind_text(*card, 0))
        }
        Op::Chance { hit, miss, .. } => all(&[*hit, *miss]),
        Op::If { then, otherwise, .. } => all(&[*then, *otherwise]),
        Op::Repeat { program, .. } => things_of(game, *program),
        Op::OneOf { lists } => all(lists),
        _ => String::new(),
    };
    let told = game.journey().steps(program).iter().map(about).collect::<Vec<_>>().join("\n");
    let mut lines: Vec<&str> = Vec::new();
    for line in told.lines().filter(|line| !line.is_empty()) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// The line of a panel that shows what an action takes or buys.
pub(crate) fn ware_pick(s: &State, action: Action) -> Option<Pick> {
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
pub(crate) fn screen_panels(game: &Spire, s: &State) -> Vec<Panel> {
    if s.tower.end.is_some() || s.is_single_fight() {
        return end_panels(game, s);
    }
    match s.tower.screen() {
        None => vec![panel("legend", "Map", legend(s))],
        Some(Screen::Event(event)) => event_panels(game, event),
        Some(Screen::Rewards(list)) => vec![panel("rewards", "Rewards", reward_items(game, s, list))],
        Some(Screen::Neow) => {
            let text = "A whale older than the spire looks at you and offers a gift.";
            vec![panel("neow", "Neow", vec![item(text)])]
        }
        Some(Screen::Rest) => vec![panel("rest", "Campfire", rest_items(game, s))],
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

/// The fire, and what resting at it heals.
fn rest_items(game: &Spire, s: &State) -> Vec<Item> {
    let fire = item("The fire is warm.");
    if game.journey().prevents(s, Prevent::Rest) {
        return vec![fire];
    }
    let (heals, why) = (game.journey().rest_amount(s), game.journey().rest_reasons(s));
    let (icon, name, note) = ("rest".to_owned(), "Rest".to_owned(), why.join("\n"));
    let badge = Badge { icon, name, count: heals.to_string(), why, ..Badge::default() };
    vec![fire, noted(format!("Resting heals {heals} HP."), Ink::Good, note).with(badge)]
}

/// What came of it: points for a run, wounds for a fight of its own.
fn end_panels(game: &Spire, s: &State) -> Vec<Panel> {
    if s.is_single_fight() {
        let left = format!("{} of {} HP left", s.run.hp.max(0), s.run.max_hp);
        let blow = format!("hardest blow: {}", s.combat.counts.hardest_blow);
        return vec![panel("fight", "The fight", vec![item(left), item(blow)])];
    }
    let line = |line: score::ScoreLine| {
        let count = if line.count > 1 { format!(": {}", line.count) } else { String::new() };
        item(format!("{:>5}  {}{count}", line.points, line.what))
    };
    vec![panel("score", "Score", score::score(&game.rulebook, s).into_iter().map(line).collect())]
}

fn legend(s: &State) -> Vec<Item> {
    let mut lines = vec![
        item("M monster  E elite  R rest  $ merchant"),
        item("T treasure  ? unknown  B boss"),
        item("↖ ↑ ↗ where a room leads"),
    ];
    if s.tower.fate.map.burning.is_some() {
        lines.push(item("E* burns: has the emerald key"));
    }
    lines
}

fn event_panels(game: &Spire, event: &EventScreen) -> Vec<Panel> {
    let Some(script) = game.journey().event(event.event) else { return Vec::new() };
    let text = script.nodes.get(usize::from(event.node)).map(|n| n.text.clone()).unwrap_or_default();
    let mut panels = vec![panel("event", &script.name, vec![item(text)])];
    if let Some(names) = cell_names(game, event) {
        let up =
            |(cell, name): (usize, Option<String>)| Some(item(format!("{}: {}", cell_word(cell), name?)));
        let mut items: Vec<Item> = names.into_iter().enumerate().filter_map(up).collect();
        if items.is_empty() {
            items.push(item("all face down"));
        }
        panels.push(panel("cells", &format!("Cards · {} tries left", event.tries), items));
    }
    panels
}

/// Where a cell of a match is.
pub(crate) fn cell_word(cell: usize) -> String {
    format!("row {}, column {}", cell / CELLS.0 + 1, cell % CELLS.0 + 1)
}

/// Columns and rows of a match.
const CELLS: (usize, usize) = (4, 3);

/// The cards of a match that are face up, by cell.
fn cell_names(game: &Spire, event: &EventScreen) -> Option<Vec<Option<String>>> {
    let Some(EventDetail::Pairs { board }) = &event.detail else { return None };
    let name = |(cell, card): (usize, &CardNo)| event.shows(cell).then(|| game.journey().card_name(*card, 0));
    Some(board.iter().enumerate().map(name).collect())
}

/// The cells of a match as a board, while one is to be opened.
pub(crate) fn match_board(game: &Spire, s: &State) -> Option<Board> {
    let names = cell_names(game, s.tower.event()?)?;
    let cell = |name: Option<String>| match name {
        Some(name) => {
            Cell { text: name.chars().take(3).collect(), ink: Ink::Good, note: name, ..Cell::default() }
        }
        None => Cell { text: "?".into(), note: "face down".into(), ..Cell::default() },
    };
    Some(Board {
        width: CELLS.0 as u16,
        height: CELLS.1 as u16,
        cells: names.into_iter().map(cell).collect(),
        columns: (1..=CELLS.0).map(|column| column.to_string()).collect(),
        rows: (1..=CELLS.1).map(|row| row.to_string()).collect(),
        ..Board::default()
    })
}

/// The cell of the board that an answer opens.
pub(crate) fn match_cell(answer: u16) -> Pick {
    Pick::Cell(answer % CELLS.0 as u16, answer / CELLS.0 as u16)
}

fn card_item(game: &Spire, card: CardNo, up: u8) -> Item {
    let (text, cost) = (game.kind_text(card.0, up), card_cost(game, card, up));
    let terms = game.terms(&text).join("\n");
    let face = game.card_face(card.0, up, &text);
    noted(format!("[{cost}] {}: {text}", game.journey().card_name(card, up)), Ink::Ours, terms).with(face)
}

fn relic_item(game: &Spire, relic: RelicNo) -> Item {
    let text = game.relic_text(relic.0);
    let terms = game.terms(&text).join("\n");
    let name = game.journey().relic_name(relic);
    let icon = game.catalog.relics.get(usize::from(relic.0)).map(|info| info.id.clone());
    let badge =
        Badge { icon: icon.unwrap_or_default(), name: name.clone(), note: text.clone(), ..Badge::default() };
    noted(format!("{name}: {text}"), Ink::Special, terms).with(badge)
}

fn potion_item(game: &Spire, s: &State, potion: PotionNo) -> Item {
    let text = game.potion_text(s, potion.0);
    let terms = game.terms(&text).join("\n");
    let name = game.journey().potion_name(potion);
    let (icon, why) = ("potion".to_owned(), game.potion_reasons(s, potion.0));
    let badge = Badge { icon, name: name.clone(), note: text.clone(), why, ..Badge::default() };
    noted(format!("{name}: {text}"), Ink::Special, terms).with(badge)
}

fn reward_items(game: &Spire, s: &State, list: &[Reward]) -> Vec<Item> {
    let mut items = Vec::new();
    for (at, reward) in list.iter().enumerate() {
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
            // Whoever takes the key of a chest leaves its relic behind, and the other way round.
            Reward::Key(Key::Sapphire) => {
                let relic = list[..at].iter().rev().find_map(|reward| match reward {
                    Reward::Relic(relic) => Some(game.journey().relic_name(*relic)),
                    _ => None,
                });
                let instead = relic.map_or(String::new(), |name| format!(" (instead of {name})"));
                items.push(item(format!("{}{instead}", key_word(Key::Sapphire))));
            }
            Reward::Gold(gold) => items.push(gold_item(game, s, reward, *gold)),
            other => items.push(item(game.journey().reward_name(other))),
        }
    }
    items
}

/// Gold that lies there, and how it came to be so much.
fn gold_item(game: &Spire, s: &State, reward: &Reward, gold: u32) -> Item {
    let (name, why) = (game.journey().reward_name(reward), game.journey().reward_reasons(s, gold));
    let note = why.join("\n");
    let badge = Badge { icon: "gold".into(), name: name.clone(), why, ..Badge::default() };
    noted(name, Ink::Plain, note).with(badge)
}

/// The cost printed on a card.
fn card_cost(game: &Spire, card: CardNo, up: u8) -> String {
    let info = game.catalog.cards.get(usize::from(card));
    info.map(|info| face_cost(info.forms[usize::from(up > 0)].cost)).unwrap_or_default()
}

/// Every ware with its price; what is sold or too dear is faint.
fn shop_items(game: &Spire, s: &State, shop: &Shop) -> Vec<Item> {
    let ware = |ware: Ware, of: Item| {
        let (price, sale) = (game.journey().price(s, ware), ware == Ware::Card(shop.stock.sale_slot));
        let text = match price {
            Some(price) => format!("{price:>4}  {}{}", of.text, if sale { "  (on sale)" } else { "" }),
            None => format!("sold  {}", of.text),
        };
        let ink = if price.is_some_and(|p| p <= s.run.gold) { of.ink } else { Ink::Faint };
        let label = price.map_or("sold".to_owned(), |price| price.to_string());
        let why = price.map(|_| game.journey().price_reasons(s, ware)).unwrap_or_default();
        let note = std::iter::once(of.note).chain(why.iter().map(|line| format!("price · {line}")));
        let note = note.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
        let thing = of.thing.map(|thing| Box::new(priced(*thing, label, why)));
        Item { text, ink, thing, note }
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

/// A ware with its price: the price of what is no card stands where its count would.
fn priced(thing: Thing, price: String, why: Vec<String>) -> Thing {
    match thing {
        Thing::Card(card) => Thing::Card(scene::Card { price, why, ..card }),
        Thing::Badge(badge) => Thing::Badge(Badge { count: price, why, ..badge }),
        other => other,
    }
}

/// The keys that were found, as lines below the relics.
pub(crate) fn key_items(s: &State) -> Vec<Item> {
    let found = [Key::Ruby, Key::Emerald, Key::Sapphire].into_iter().filter(|key| s.tower.has_key(*key));
    let line = |key| noted(capital(key_word(key)), Ink::Good, "All three keys open the way to the heart.");
    found.map(line).collect()
}

/// Cards of the deck that are told in one line, and how many there are.
type Alike = (DeckCard, usize);

/// The deck, equal cards together.
fn alike(s: &State) -> Vec<Alike> {
    let mut groups: Vec<Alike> = Vec::new();
    for card in &s.run.deck {
        match groups.iter_mut().find(|(group, _)| group == card) {
            Some((_, count)) => *count += 1,
            None => groups.push((*card, 1)),
        }
    }
    groups
}

/// The deck, a line for equal cards. While one is to be chosen, those that can be stand out, and an upgrade is
/// shown with what comes of it.
pub(crate) fn deck_panel(game: &Spire, s: &State, choosing: Option<Purpose>, open: &[u16]) -> Panel {
    let deck = &s.run.deck;
    let can_be = |card: &DeckCard| open.iter().any(|index| deck.get(usize::from(*index)) == Some(card));
    let line = |(card, count): &Alike| {
        let many = if *count > 1 { format!("{count} × ") } else { String::new() };
        let bottle = if card.bottled { " (bottled)" } else { "" };
        let name = game.journey().card_name(CardNo(card.id), card.up);
        let text = match choosing {
            Some(Purpose::Upgrade) if can_be(card) => upgrade_text(game, card),
            _ => game.deck_text(card),
        };
        let cost = card_cost(game, CardNo(card.id), card.up);
        let ink = match choosing {
            Some(_) if can_be(card) => Ink::Ours,
            Some(_) => Ink::Faint,
            None => Ink::Plain,
        };
        let terms = game.terms(&text).join("\n");
        let after = match choosing {
            Some(Purpose::Upgrade) if can_be(card) => game.deck_text(&DeckCard { up: card.up + 1, ..*card }),
            _ => String::new(),
        };
        let why = game.deck_reasons(card);
        let terms = [terms, why.join("\n")].concat();
        let face = scene::Card {
            copies: *count as u16,
            after,
            why,
            ..game.card_face(card.id, card.up, &game.deck_text(card))
        };
        noted(format!("{many}[{cost}] {name}: {text}{bottle}"), ink, terms).with(face)
    };
    let title = match choosing {
        Some(purpose) => format!("Deck {}: a card to {}", deck.len(), purpose_word(purpose)),
        None => format!("Deck {}", deck.len()),
    };
    let lie = if choosing.is_some() { Lie::Offer } else { Lie::Aside };
    Panel { lie, ..panel("deck", &title, alike(s).iter().map(line).collect()) }
}

/// The line of the deck's panel that shows a card.
pub(crate) fn deck_line(s: &State, index: u16) -> Option<Pick> {
    let card = s.run.deck.get(usize::from(index))?;
    let line = alike(s).iter().position(|(group, _)| group == card)?;
    Some(Pick::Item("deck".into(), line as u16))
}

/// What an upgrade changes: the text, the cost, or both.
pub(crate) fn upgrade_text(game: &Spire, card: &DeckCard) -> String {
    let better = DeckCard { up: card.up + 1, ..*card };
    let text = |card: &DeckCard| game.deck_text(card);
    let cost = |card: &DeckCard| card_cost(game, CardNo(card.id), card.up);
    let (before, after) = (text(card), text(&better));
    let price = match cost(&better) {
        same if same == cost(card) => String::new(),
        price => format!("costs {price}"),
    };
    match (before == after, price.is_empty()) {
        (true, _) => format!("{before} → {price}"),
        (false, true) => format!("{before} → {after}"),
        (false, false) => format!("{before} → {after} ({price})"),
    }
}

/// The cards on offer.
pub(crate) fn offer_panel(game: &Spire, s: &State) -> Panel {
    let items = s.tower.offer.iter().map(|card| card_item(game, *card, 0)).collect();
    panel("offer", "Cards to choose from", items)
}

/// The highest row that is drawn: a map that was made by hand ends where its rooms do.
pub(crate) fn map_top(s: &State) -> u16 {
    let rooms = s.tower.fate.map.nodes().map(|(place, _)| u16::from(place.y)).max().unwrap_or(0);
    match s.tower.hand_made {
        Some(_) => rooms,
        None => rooms.max(u16::from(s.tower.fate.boss_row())),
    }
}

/// The map with the boss in the top row, the way so far, and arrows that tell where each room leads. Rooms that
/// cannot be reached any more are faint.
pub(crate) fn map_board(s: &State, choices: &[u8]) -> Board {
    let map = &s.tower.fate.map;
    let (reach, top) = (reachable(s, choices), usize::from(map_top(s)));
    let mut cells = vec![Cell::default(); WIDTH * (top + 1)];
    let mut put = |place: Place, cell: Cell| {
        let at = top.checked_sub(usize::from(place.y)).map(|row| row * WIDTH + usize::from(place.x));
        if let Some(slot) = at.and_then(|at| cells.get_mut(at)) {
            *slot = cell;
        }
    };
    // The boss of a hand-made map is one of its rooms, if it has one.
    if s.tower.hand_made.is_none() {
        let place = Place { x: 3, y: s.tower.fate.boss_row() };
        put(place, Cell { text: "B".into(), ink: Ink::Bad, note: "the boss".into(), ..Cell::default() });
    }
    for (place, _) in map.nodes() {
        let open = reach[usize::from(place.y).min(HEIGHT - 1)] >> place.x & 1 == 1;
        put(place, map_cell(s, map, place, open));
    }
    Board {
        width: WIDTH as u16,
        height: top as u16 + 1,
        cells,
        columns: (1..=WIDTH).map(|c| c.to_string()).collect(),
        rows: (1..=top + 1).rev().map(|r| r.to_string()).collect(),
        graph: Some(map_graph(s, &reach, top)),
        ..Board::default()
    }
}

/// The map as rooms and the ways between them; the last rooms all lead to the boss.
fn map_graph(s: &State, reach: &[u8; HEIGHT], top: usize) -> Graph {
    let (tower, map) = (&s.tower, &s.tower.fate.map);
    let cell = |place: Place| (u16::from(place.x), (top as u16).saturating_sub(u16::from(place.y)));
    let places: Vec<Place> = map.nodes().map(|(place, _)| place).collect();
    let mut nodes: Vec<scene::Node> = Vec::new();
    for place in &places {
        let room = map.node(*place).room.unwrap_or(Room::Monster);
        let burning = map.burning.is_some_and(|(burning, _)| burning == *place);
        nodes.push(scene::Node {
            at: cell(*place),
            icon: format!("{room:?}").to_lowercase(),
            name: if burning { format!("{} (burning)", room_word(room)) } else { room_word(room).to_owned() },
            visited: tower.path.contains(place),
            here: tower.place == Some(*place),
            open: reach[usize::from(place.y).min(HEIGHT - 1)] >> place.x & 1 == 1,
        });
    }
    let mut edges = Vec::new();
    for (from, place) in places.iter().enumerate() {
        for x in map.node(*place).targets() {
            let to = places.iter().position(|other| other.x == x && other.y == place.y + 1);
            edges.extend(to.map(|to| (from as u16, to as u16)));
        }
    }
    if tower.hand_made.is_none() {
        let boss = Place { x: 3, y: tower.fate.boss_row() };
        let last = places.iter().map(|place| place.y).max().unwrap_or(0);
        let number = nodes.len() as u16;
        edges.extend(
            places
                .iter()
                .enumerate()
                .filter(|(_, place)| place.y == last)
                .map(|(from, _)| (from as u16, number)),
        );
        let (icon, name) = ("boss".to_owned(), "the boss".to_owned());
        nodes.push(scene::Node { at: cell(boss), icon, name, open: true, ..scene::Node::default() });
    }
    Graph { nodes, edges }
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
        recent: tower.path.contains(&place),
        note: match edges.as_slice() {
            [] => format!("{}, the end of the way", room_word(room)),
            [one] => format!("{} → column {one}", room_word(room)),
            several => format!("{} → columns {}", room_word(room), several.join(", ")),
        },
        ..Cell::default()
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
    use crate::game::Ruleset;
    use crate::run::Setup;
    use crate::run::plan::MapChoice;
    use turnstone::Game;

    #[test]
    fn the_map_tells_where_each_room_leads() {
        let game = Spire::builtin(Ruleset::Classic).expect("content");
        let mut s = game.start(&Setup::run("ironclad", 0), 7).expect("start");
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

    #[test]
    fn a_map_made_by_hand_is_drawn_as_high_as_its_rooms() {
        let game = Spire::builtin(Ruleset::Classic).expect("content");
        let map = Some(MapChoice::Name("six_rooms".into()));
        let setup = Setup { map, ..Setup::run("ironclad", 0) };
        let s = game.start(&setup, 7).expect("start");
        let highest = s.tower.fate.map.nodes().map(|(place, _)| u16::from(place.y)).max().expect("rooms");
        let board = map_board(&s, &[]);
        assert_eq!((map_top(&s), board.height), (highest, highest + 1));
        assert_eq!(board.cells.len(), usize::from(board.width * board.height));
        assert_eq!(board.rows.len(), usize::from(board.height));
        let shown = board.cells.iter().filter(|cell| !cell.text.is_empty()).count();
        assert_eq!(shown, s.tower.fate.map.nodes().count(), "every room is drawn, and nothing else");
    }

    #[test]
    fn an_upgrade_tells_what_changes() {
        let game = Spire::builtin(Ruleset::Classic).expect("content");
        let card = |id: &str| DeckCard {
            id: game.named("card", id).expect("a card"),
            up: 0,
            bottled: false,
            grown: 0,
        };
        let told = |id: &str| upgrade_text(&game, &card(id));
        assert_eq!(told("strike_ironclad"), "Deal 6 damage. → Deal 9 damage.");
        assert_eq!(told("zap"), "Channel 1 Lightning. → costs 0", "only the cost changes");
        let grown = DeckCard { grown: 6, ..card("ritual_dagger") };
        assert_ne!(game.deck_text(&grown), game.deck_text(&card("ritual_dagger")));
    }

    #[test]
    fn the_deck_is_pointed_at_group_by_group() {
        let game = Spire::builtin(Ruleset::Classic).expect("content");
        let s = game.start(&Setup::run("ironclad", 0), 7).expect("start");
        // Only the last card, Bash, may be chosen.
        let last = s.run.deck.len() as u16 - 1;
        let panel = deck_panel(&game, &s, Some(Purpose::Upgrade), &[last]);
        let inks: Vec<Ink> = panel.items.iter().map(|item| item.ink).collect();
        assert_eq!(inks, [Ink::Faint, Ink::Faint, Ink::Ours]);
        assert_eq!(panel.items[0].text, "5 × [1] Strike: Deal 6 damage.");
        assert_eq!(
            panel.items[2].text,
            "[2] Bash: Deal 8 damage. Apply 2 Vulnerable. → Deal 10 damage. Apply 3 Vulnerable."
        );
        assert_eq!(deck_line(&s, last), Some(Pick::Item("deck".into(), 2)));
        assert_eq!(deck_line(&s, 4), Some(Pick::Item("deck".into(), 0)));
        assert_eq!(deck_line(&s, 99), None);
    }
}
