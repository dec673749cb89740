//! The numbers of a scene that belong to something that lasts: gold, somebody's hit points, a heap of cards. Each has
//! a name by which one can ask where it comes from.

use crate::scene::{Badge, Counter, Figure, Scene, Thing};

/// A number on a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The same through a match: `gold`, `enemy1/hp`.
    pub id: String,
    /// In words: `gold`, `Jaw Worm hp`.
    pub name: String,
    /// The value now.
    pub now: i64,
    /// The seat whose it is.
    pub owner: Option<u8>,
}

impl Number {
    fn counted(counter: &Counter) -> Self {
        Number { id: counter.id.clone(), name: counter.name.clone(), now: counter.now, owner: None }
    }

    fn of(figure: &Figure, part: &str, word: &str, now: i64) -> Self {
        let (id, name) = (format!("{}/{part}", figure.id), format!("{} {word}", figure.name));
        Number { id, name, now, owner: figure.owner }
    }

    /// Whether somebody who writes this means it.
    pub fn is_called(&self, text: &str) -> bool {
        self.id == text || self.name.eq_ignore_ascii_case(text)
    }

    /// Whether it is somebody's number of this name: `Jaw Worm hp` is an `hp`.
    fn is_somebodys(&self, text: &str) -> bool {
        let end = self.name.len().checked_sub(text.len()).filter(|_| !text.is_empty());
        let parts = end.and_then(|end| self.name.split_at_checked(end));
        parts.is_some_and(|(owner, word)| owner.ends_with(' ') && word.eq_ignore_ascii_case(text))
    }
}

impl Scene {
    /// Every number of something that lasts, each once, in the order in which they are shown.
    pub fn numbers(&self) -> Vec<Number> {
        let mut found: Vec<Number> = self.counters.iter().map(Number::counted).collect();
        let cells = self.board.iter().flat_map(|board| &board.cells);
        cells.flat_map(|cell| &cell.figures).for_each(|figure| numbers_of(figure, &mut found));
        let items = self.panels.iter().flat_map(|panel| &panel.items);
        for thing in items.filter_map(|item| item.thing.as_deref()) {
            match thing {
                Thing::Figure(figure) => numbers_of(figure, &mut found),
                Thing::Counter(counter) => found.push(Number::counted(counter)),
                Thing::Pile(pile) => found.push(Number {
                    id: pile.id.clone(),
                    name: pile.name.clone(),
                    now: pile.count.into(),
                    owner: None,
                }),
                // What a card or a relic says of itself it explains itself.
                Thing::Card(_) | Thing::Badge(_) => {}
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        found.retain(|number| seen.insert(number.id.clone()));
        found
    }

    /// The number that somebody means who writes its id or its name, or what it is called with everybody: then that of
    /// the first seat.
    pub fn number(&self, called: &str) -> Option<Number> {
        let numbers = self.numbers();
        let whole = numbers.iter().find(|number| number.is_called(called));
        let somebodys = numbers.iter().filter(|number| number.is_somebodys(called));
        let first = || somebodys.min_by_key(|number| number.owner.unwrap_or(u8::MAX));
        whole.or_else(first).cloned()
    }
}

fn numbers_of(figure: &Figure, found: &mut Vec<Number>) {
    if figure.id.is_empty() {
        return;
    }
    let gauges = figure.gauges.iter();
    found.extend(gauges.map(|gauge| Number::of(figure, &gauge.name, &gauge.name, gauge.now)));
    let counted = |badge: &Badge| badge.count.parse().ok();
    let badges = figure.badges.iter().filter_map(|badge| Some((badge, counted(badge)?)));
    found.extend(badges.map(|(badge, now)| Number::of(figure, &badge.icon, &badge.name, now)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Board, Cell, Gauge, Item, Panel, Pile};

    #[test]
    fn a_number_that_everybody_has_is_first_of_all_ones_own() {
        let figure = |id: &str, name: &str, owner, now| Figure {
            id: id.into(),
            name: name.into(),
            owner: Some(owner),
            gauges: vec![Gauge { name: "block".into(), now, most: None }],
            ..Figure::default()
        };
        let item = |figure| Item { thing: Some(Box::new(Thing::Figure(figure))), ..Item::default() };
        let items = vec![item(figure("e1", "Jaw Worm", 1, 6)), item(figure("you", "Ironclad", 0, 5))];
        let scene = Scene { panels: vec![Panel { items, ..Panel::default() }], ..Scene::default() };
        let called = |name: &str| scene.number(name).map(|number| number.id);
        assert_eq!(called("block").as_deref(), Some("you/block"));
        assert_eq!(called("Worm BLOCK").as_deref(), Some("e1/block"));
        assert_eq!(called("e1/block").as_deref(), Some("e1/block"));
        assert_eq!((called("lock"), called("")), (None, None));
    }

    #[test]
    fn numbers_are_found_on_cells_in_panels_and_above_each_once() {
        let hp = Gauge { name: "hp".into(), now: 7, most: Some(9) };
        let strength =
            Badge { icon: "strength".into(), name: "Strength".into(), count: "2".into(), ..Badge::default() };
        let hits =
            Badge { icon: "attack".into(), name: "Attack".into(), count: "6×2".into(), ..Badge::default() };
        let ada = Figure {
            id: "ada".into(),
            name: "Ada".into(),
            gauges: vec![hp],
            badges: vec![strength, hits],
            ..Figure::default()
        };
        let pile = Pile { id: "draw".into(), name: "draw pile".into(), count: 5, ..Pile::default() };
        let cell = Cell { figures: vec![ada.clone()], ..Cell::default() };
        let items = vec![Item::default().with(ada), Item::default().with(pile)];
        let scene = Scene {
            board: Some(Board { cells: vec![cell], ..Board::default() }),
            panels: vec![Panel { items, ..Panel::default() }],
            counters: vec![Counter::new("gold", "gold", 99)],
            ..Scene::default()
        };
        let ids: Vec<(String, i64)> = scene.numbers().into_iter().map(|one| (one.id, one.now)).collect();
        let wanted = [("gold", 99), ("ada/hp", 7), ("ada/strength", 2), ("draw", 5)];
        assert_eq!(ids, wanted.map(|(id, now)| (id.to_owned(), now)));
        assert_eq!(scene.number("ADA STRENGTH").map(|one| one.now), Some(2));
        assert_eq!(scene.number("silver"), None);
    }
}
