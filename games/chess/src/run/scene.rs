//! The run on the screen: the map as a board, offers and roster as lists to point at.

use super::{Node, NodeKind, Phase, Run, RunAction};
use crate::game::Chess;
use turnstone_host::scene::{self, Board, Cell, Graph, Ground, Ink, Item, Lie, Panel, Pick};

/// Columns and rows between the places of the map, for the roads.
const STEP: u8 = 2;

impl Chess {
    /// What is to be done between fights, in a sentence.
    pub(crate) fn run_question(&self, run: &Run) -> Option<String> {
        Some(match run.phase {
            Phase::Map if run.retry && run.drawn => {
                "The fight was drawn and must be fought again. Another draw loses it.".to_owned()
            }
            Phase::Map if run.retry => "The fight must be fought again.".to_owned(),
            Phase::Map => "Where to? Your king leads the way; all roads end at the boss.".to_owned(),
            Phase::Reward => "Take one reward; an ability goes to the piece you point at next.".to_owned(),
            Phase::Shop => {
                let money = run.money;
                format!("The shop. You have {money} coins: buy, sell a piece for half its worth, or leave.")
            }
            Phase::Event(event) => self.event_text(event),
            Phase::Fight | Phase::Won | Phase::Lost => return None,
        })
    }

    /// The map, the boss on top.
    pub(crate) fn map_board(&self, run: &Run) -> Board {
        let rows = run.map.iter().map(|node| node.row).max().unwrap_or(0);
        let columns = run.map.iter().map(|node| node.column).max().unwrap_or(0);
        let (width, height) = (columns * STEP + 1, rows * STEP + 1);
        let open = run.reachable();
        let mut cells = vec![Cell::default(); usize::from(width) * usize::from(height)];
        let mut put = |(x, y): (u16, u16), cell: Cell| {
            if let Some(place) = cells.get_mut(usize::from(y) * usize::from(width) + usize::from(x)) {
                *place = cell;
            }
        };
        for (i, node) in run.map.iter().enumerate() {
            let reached = open.contains(&(i as u8));
            let here = run.here == Some(i as u8);
            put(place_of(run, node), node_cell(node, reached, here));
            for (place, road) in roads(run, node) {
                put(place, Cell { text: road.to_owned(), ink: Ink::Faint, ..Cell::default() });
            }
        }
        let graph = Some(graph(run, &open));
        Board { width: width.into(), height: height.into(), cells, graph, ..Board::default() }
    }

    /// Roster, relics and what is offered.
    pub(crate) fn run_panels(&self, run: &Run) -> Vec<Panel> {
        let item = |text: String, note: String| Item { text, note, ..Item::default() };
        let roster = run.roster.iter().map(|member| item(self.member_text(member), self.member_note(member)));
        let relics = run.relics.iter().map(|relic| item(self.relic_name(*relic), self.relic_note(*relic)));
        let offers = run.offers.iter().map(|offer| {
            let price = run.price(&self.catalog, offer);
            let ink = if price > run.money { Ink::Faint } else { Ink::Plain };
            let price = if price > 0 { format!(" ({price} coins)") } else { String::new() };
            let text = format!("{}{price}", self.offer_text(offer));
            let card = scene::Card {
                title: self.offer_text(offer),
                kind: "offer".to_owned(),
                text: self.offer_note(offer),
                price: price.trim().trim_matches(['(', ')']).to_owned(),
                ..scene::Card::default()
            };
            Item { text, ink, note: self.offer_note(offer), thing: None }.with(card)
        });
        let roster_title = format!("Roster {} of {}", run.roster.len(), run.roster_limit(&self.catalog));
        let panel = |id: &str, title: &str, items: Vec<Item>, lie: Lie| Panel {
            id: id.to_owned(),
            title: title.to_owned(),
            items,
            lie,
        };
        vec![
            panel("offers", "Offers", offers.collect(), Lie::Offer),
            panel("roster", &roster_title, roster.collect(), Lie::List),
            panel("relics", "Relics", relics.collect(), Lie::List),
        ]
        .into_iter()
        .filter(|panel| !panel.items.is_empty())
        .collect()
    }

    /// What one points at for a step of the run.
    pub(crate) fn run_picks(&self, run: &Run, action: RunAction) -> Vec<Pick> {
        let item = |panel: &str, line: u8| Pick::Item(panel.to_owned(), line.into());
        let word = |text: &str| vec![Pick::Word(text.to_owned())];
        match action {
            RunAction::Travel(node) => {
                let place = run.map.get(usize::from(node)).map(|node| place_of(run, node));
                place.map(|(x, y)| Pick::Cell(x, y)).into_iter().collect()
            }
            RunAction::Take(offer) => vec![item("offers", offer)],
            RunAction::Give { offer, member } => vec![item("offers", offer), item("roster", member)],
            // Nobody is sold by a slip of the finger.
            RunAction::Sell(member) => vec![item("roster", member), Pick::Word("sell".to_owned())],
            RunAction::Accept => word("accept"),
            RunAction::Leave => word("leave"),
        }
    }
}

/// Column and row of a place on the board, from the top left. The boss stands in the middle.
fn place_of(run: &Run, node: &Node) -> (u16, u16) {
    let last = run.map.iter().map(|node| node.row).max().unwrap_or(0);
    let column = if node.kind == NodeKind::Boss { 1 } else { node.column };
    (u16::from(column * STEP), u16::from((last - node.row) * STEP))
}

/// The map as places and the ways between them.
fn graph(run: &Run, open: &[u8]) -> Graph {
    let here = run.here.and_then(|here| run.map.get(usize::from(here)));
    let node = |(i, node): (usize, &Node)| scene::Node {
        at: place_of(run, node),
        icon: super::kind_text(node.kind).replace(' ', "_"),
        name: super::kind_text(node.kind).to_owned(),
        visited: false,
        here: run.here == Some(i as u8),
        open: open.contains(&(i as u8)) || here.is_none_or(|here| node.row > here.row),
    };
    let mut edges = Vec::new();
    for (i, from) in run.map.iter().enumerate() {
        let next = run.map.iter().enumerate();
        let next = next.filter(|(_, to)| to.row == from.row + 1 && from.leads_to(to.column));
        edges.extend(next.map(|(k, _)| (i as u16, k as u16)));
    }
    Graph { nodes: run.map.iter().enumerate().map(node).collect(), edges }
}

/// The cells of the roads that lead on from a place. Two that cross share a cell.
fn roads(run: &Run, from: &Node) -> Vec<((u16, u16), &'static str)> {
    let (x, y) = place_of(run, from);
    let next = run.map.iter().filter(|node| node.row == from.row + 1 && from.leads_to(node.column));
    next.filter_map(|node| {
        let above = y.checked_sub(1)?;
        let (to, _) = place_of(run, node);
        let crossed = run.map.iter().any(|other| {
            other.row == from.row && place_of(run, other).0 == to && other.leads_to(from.column)
        });
        Some(match to.cmp(&x) {
            std::cmp::Ordering::Equal => ((x, above), "│"),
            _ if crossed && node.kind != NodeKind::Boss => ((x.midpoint(to), above), "╳"),
            std::cmp::Ordering::Less => ((x - 1, above), "╲"),
            std::cmp::Ordering::Greater => ((x + 1, above), "╱"),
        })
    })
    .collect()
}

fn node_cell(node: &Node, reached: bool, here: bool) -> Cell {
    let (letter, about) = match node.kind {
        NodeKind::Fight => ("F", "A fight; the winner takes coins and a reward."),
        NodeKind::Elite => ("E", "An elite fight: a stronger enemy on a larger board, and a relic to win."),
        NodeKind::Shop => ("$", "A shop: pieces, abilities and a relic for coins."),
        NodeKind::Event => ("?", "An event: something is proposed, and you may decline."),
        NodeKind::Boss => ("B", "The boss of the act."),
    };
    let (text, ink) = match (here, reached) {
        (true, _) => (format!("[{letter}]"), Ink::Ours),
        (false, true) => (letter.to_owned(), Ink::Good),
        (false, false) => (letter.to_owned(), Ink::Plain),
    };
    let state = if here { " You are here." } else { "" };
    let ground = if reached { Ground::Bright } else { Ground::Dark };
    Cell { text, ink, ground, note: format!("{about}{state}"), ..Cell::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;
    use turnstone::{Game as _, Position, Viewer};
    use turnstone_host::Hosted as _;

    #[test]
    fn every_road_of_the_map_is_drawn_and_every_step_can_be_pointed_at() {
        let chess = Chess::builtin("run").unwrap();
        for seed in 0..20 {
            let state = chess.start(&Setup::Run(super::super::RunSetup::default()), seed).unwrap();
            let position = Position::<Chess>::new(state);
            let inputs = position.inputs(&chess);
            let scene = chess.scene(&position, &inputs, Viewer::All);
            let board = scene.board.unwrap();
            assert_eq!((board.width, board.height), (5, 13));
            let nodes = board.cells.iter().filter(|cell| !cell.note.is_empty()).count();
            assert_eq!(nodes, 19, "seed {seed}");
            for option in &scene.options {
                let [Pick::Cell(x, y)] = option.picks[..] else { panic!("{option:?}") };
                let cell = &board.cells[usize::from(y) * 5 + usize::from(x)];
                assert_eq!((cell.ground, y), (Ground::Bright, 12), "seed {seed}");
                assert_eq!(
                    board.cells[11 * 5 + usize::from(x)].text,
                    "│",
                    "straight on there is always a road"
                );
            }
        }
    }
}
