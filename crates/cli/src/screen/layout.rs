//! Who gets which part of the screen. Pure arithmetic, so that any size can be tested.
//!
//! Lists that something can be picked from are opened first and whole; the others get what is left, and those
//! for which nothing is left are named on the rule of the box below. Whatever has the focus is open.

use std::ops::Range;

use ratatui::layout::Rect;
use turnstone_table::scene::{Board, Scene};

use super::desk::Focus;
use crate::render::{cell_width, last_needed, row_names_width, wrap};

/// The parts of the screen. A part without room is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    pub title: Rect,
    pub board: Rect,
    /// Columns and lines of a cell of the board.
    pub cell: (u16, u16),
    pub panels: Vec<Rect>,
    pub options: Rect,
    pub log: Rect,
    pub info: Rect,
    pub footer: Rect,
    /// What is not shown, in the order of the stops.
    pub closed: Vec<Focus>,
    /// In how many columns the lists stand.
    pub columns: u16,
}

/// The least screen on which anything can be played.
pub const LEAST: (u16, u16) = (30, 10);
/// Columns that lists need beside a board.
const BESIDE: u16 = 28;
/// Columns of a log beside the lists.
const LOG_BESIDE: u16 = 36;
/// Columns from which the log stands beside the scene.
const WIDE: u16 = 96;
/// Columns that a list needs for its texts.
const COLUMN: u16 = 38;
/// Lines of a list that is open without being needed.
const GLIMPSE: u16 = 3;
/// Rows of a log that has no place of its own.
const LOG: Range<u16> = 4..6;
/// Columns before the text of a line: its digit and its mark.
pub const MARGIN: u16 = 2;

/// Divides the screen. The lists stand in at least so many columns, so that they do not jump while they
/// shrink.
pub fn parts(area: Rect, scene: &Scene, focus: Focus, columns: u16) -> Parts {
    let (title, rest) = cut_top(area, 1);
    let (rest, footer) = cut_bottom(rest, 1);
    let (body, info) = cut_bottom(rest, if area.height >= 28 { 6 } else { 4 });
    let mut parts = Parts { title, footer, info, columns, ..Parts::default() };
    parts.panels = vec![Rect::default(); scene.panels.len()];
    let mut division = Division { scene, focus, parts };
    division.divide(body);
    division.parts
}

/// A list that wants rows.
struct Pane {
    focus: Focus,
    /// How many lines it has, one row each.
    lines: u16,
    /// Whether something is picked from it.
    needed: bool,
}

/// A division under way.
struct Division<'a> {
    scene: &'a Scene,
    focus: Focus,
    parts: Parts,
}

impl Division<'_> {
    fn divide(&mut self, body: Rect) {
        match &self.scene.board {
            Some(board) if self.shows(board, body) => self.place_board(body, board),
            Some(_) => {
                self.parts.closed.push(Focus::Board);
                self.place_lists(body);
            }
            None => self.place_lists(body),
        }
    }

    /// A board that is only to be looked up is shown when it is asked for or leaves enough beside it.
    fn shows(&self, board: &Board, stage: Rect) -> bool {
        let log = if stage.width >= WIDE { log_columns(stage.width) } else { 0 };
        let tight = cell_size(board, stage.width);
        let rest = stage.width.saturating_sub(log + board_size(board, tight, stage.width).0);
        !board.aside || self.focus == Focus::Board || rest >= 64
    }

    /// Board, lists and log side by side; or the log below the lists; or everything below the board.
    fn place_board(&mut self, stage: Rect, board: &Board) {
        let room = stage.width.saturating_sub(BESIDE);
        self.parts.cell = large_cell(board, stage).unwrap_or_else(|| cell_size(board, room));
        let (width, height) = board_size(board, self.parts.cell, room);
        if stage.width < width + BESIDE || height > stage.height + 3 && stage.width < WIDE {
            return self.place_narrow(stage, board);
        }
        let (left, mut right) = cut_left(stage, width);
        let (shown, below) = cut_top(left, height);
        self.parts.board = narrowed(shown);
        let panes = self.panes();
        let wide = right.width >= BESIDE + LOG_BESIDE
            && panes.iter().any(|pane| pane.needed || pane.focus != Focus::Options);
        if wide {
            let (rest, log) = cut_right(right, (right.width / 2).clamp(LOG_BESIDE, 70));
            (right, self.parts.log) = (narrowed(rest), log);
        }
        let mut panes = panes;
        if below.height >= 5
            && width >= BESIDE
            && !panes.iter().any(|pane| pane.focus == Focus::Options && pane.needed)
        {
            let count = panes.len();
            panes.retain(|pane| pane.focus != Focus::Options);
            if panes.len() < count {
                self.parts.options = narrowed(below);
            }
        }
        if !wide {
            let wanted: u16 =
                panes.iter().map(|pane| self.need(pane, right.width)).fold(0, u16::saturating_add);
            let lists = wanted.min(right.height.saturating_sub(5).max(right.height * 3 / 5));
            (right, self.parts.log) = cut_top(right, lists);
            self.place_log_at_will(right);
        }
        self.place_panes(right, panes, 1);
    }

    /// Small screens: the log has all the room when it is looked at, and none otherwise.
    fn place_log_at_will(&mut self, lists: Rect) {
        if self.parts.log.height < 3 {
            let all = Rect { height: lists.height + self.parts.log.height, ..lists };
            self.parts.log = if self.focus == Focus::Log { all } else { Rect::default() };
        }
        if self.parts.log.is_empty() {
            self.parts.closed.push(Focus::Log);
        }
    }

    fn place_narrow(&mut self, stage: Rect, board: &Board) {
        let stage = self.place_log(stage);
        self.parts.cell = cell_size(board, stage.width);
        let (width, height) = board_size(board, self.parts.cell, stage.width);
        let (shown, below) =
            cut_top(stage, height.min((stage.height * 3 / 5).max(stage.height.saturating_sub(10))));
        self.parts.board = Rect { width: width.min(shown.width), ..shown };
        self.place_columns(below);
    }

    fn place_lists(&mut self, stage: Rect) {
        let stage = self.place_log(stage);
        self.place_columns(stage);
    }

    /// Puts the log where it does not depend on the lists, and gives what is left.
    fn place_log(&mut self, stage: Rect) -> Rect {
        if stage.width >= WIDE {
            let (rest, log) = cut_right(stage, log_columns(stage.width));
            self.parts.log = log;
            return narrowed(rest);
        }
        if self.focus == Focus::Log {
            self.parts.log = stage;
            return Rect { height: 0, ..stage };
        }
        self.parts.closed.push(Focus::Log);
        stage
    }

    /// The lists in the columns that show most of what is needed. A log that has no place of its own gets what
    /// they leave, and a few rows before those that are not needed.
    fn place_columns(&mut self, area: Rect) {
        let most = (area.width / COLUMN).clamp(1, 3);
        let least = self.parts.columns.clamp(1, most);
        let panes = self.panes();
        let needed: Vec<&Pane> =
            panes.iter().filter(|pane| pane.needed || pane.focus == self.focus).collect();
        // A line that must be scrolled to is worse than one that is cut.
        let lost = |count: u16| -> u32 {
            let over = |height: u16| u32::from(height.saturating_sub(area.height));
            let lines = fill(&needed, count, |pane| self.lines_of(pane, area.width / count));
            let whole = fill(&needed, count, |pane| self.need(pane, area.width / count));
            lines.into_iter().map(|height| 2 * over(height)).chain(whole.into_iter().map(over)).sum()
        };
        let count = (least..=most).min_by_key(|&count| lost(count)).unwrap_or(least);
        let heights = fill(&needed, count, |pane| self.lines_of(pane, area.width / count));
        let spare = area.height.saturating_sub(heights.into_iter().max().unwrap_or(0));
        let homeless = self.parts.log.is_empty();
        let kept = if homeless && spare >= LOG.start { spare.min(LOG.end) } else { 0 };
        self.parts.columns = count;
        let (lists, _) = cut_bottom(area, kept);
        let left = self.place_panes(lists, panes, count).height + kept;
        if homeless && left >= LOG.start {
            self.parts.log = cut_bottom(area, left).1;
            self.parts.closed.retain(|closed| *closed != Focus::Log);
        }
    }

    /// Every list with something in it: panels and options, those that are needed first.
    fn panes(&self) -> Vec<Pane> {
        let scene = self.scene;
        let last = last_needed(scene).unwrap_or(0);
        let panels = scene.panels.iter().enumerate().map(|(index, panel)| Pane {
            focus: Focus::Panel(index),
            lines: panel.items.len() as u16,
            needed: index <= last,
        });
        let listed = scene.options.iter().any(|option| option.picks.is_empty());
        let options = Pane { focus: Focus::Options, lines: scene.options.len() as u16, needed: listed };
        let mut panes: Vec<Pane> = panels.chain([options]).filter(|pane| pane.lines > 0).collect();
        panes.sort_by_key(|pane| !pane.needed);
        panes
    }

    /// Rows for everything in a list, long lines wrapped.
    fn need(&self, pane: &Pane, width: u16) -> u16 {
        let room = usize::from(width.saturating_sub(MARGIN + 1)).max(1);
        let rows = |text: &str| wrap(text, room).len() as u16;
        let rows: u16 = match pane.focus {
            Focus::Panel(index) => self.scene.panels[index].items.iter().map(|item| rows(&item.text)).sum(),
            _ if !pane.needed => pane.lines,
            _ => self.scene.options.iter().map(|option| rows(&option.label)).sum(),
        };
        rows.saturating_add(1)
    }

    /// Rows for a title and every line of a list, cut to one row; a single text must be seen whole.
    fn lines_of(&self, pane: &Pane, width: u16) -> u16 {
        if pane.lines == 1 { self.need(pane, width) } else { pane.lines.saturating_add(1) }
    }

    /// Opens as many lists as there is room for, in that many columns. Gives what they leave below.
    fn place_panes(&mut self, area: Rect, panes: Vec<Pane>, count: u16) -> Rect {
        let width = area.width / count.max(1);
        let modest = |pane: &Pane| match pane.needed || pane.focus == self.focus {
            true => self.need(pane, width),
            false => self.lines_of(pane, width).min(GLIMPSE + 1),
        };
        let mut order: Vec<usize> = (0..panes.len()).collect();
        order.sort_by_key(|&at| (panes[at].focus != self.focus, !panes[at].needed));
        let mut open = vec![false; panes.len()];
        for at in order {
            open[at] = true;
            let chosen: Vec<&Pane> =
                panes.iter().zip(&open).filter(|(_, open)| **open).map(|(pane, _)| pane).collect();
            let full = fill(&chosen, count, modest).into_iter().any(|height| height > area.height);
            // What is needed is open even if only a part of it can be seen.
            let must = panes[at].focus == self.focus || panes[at].needed;
            open[at] =
                !full || must && fill(&chosen, count, |_| 3).into_iter().all(|height| height <= area.height);
        }
        let (chosen, shut): (Vec<_>, Vec<_>) = panes.into_iter().zip(open).partition(|(_, open)| *open);
        self.parts.closed.extend(shut.into_iter().map(|(pane, _)| pane.focus));
        let chosen: Vec<Pane> = chosen.into_iter().map(|(pane, _)| pane).collect();
        self.stack_columns(area, &chosen, count)
    }

    fn stack_columns(&mut self, area: Rect, panes: &[Pane], count: u16) -> Rect {
        let width = area.width / count.max(1);
        let refs: Vec<&Pane> = panes.iter().collect();
        let columns = columns_of(&refs, count, |pane| self.lines_of(pane, width));
        let mut used = 0;
        for (number, column) in (0..count).zip(columns) {
            let last = number + 1 == count;
            let place = Rect {
                x: area.x + number * width,
                width: if last { area.width - number * width } else { width - 1 },
                ..area
            };
            let heights = self.heights(&column, place);
            used = used.max(heights.iter().sum());
            let mut rest = place;
            for (pane, height) in column.iter().zip(heights) {
                let (top, below) = cut_top(rest, height);
                rest = below;
                match pane.focus {
                    Focus::Panel(index) => self.parts.panels[index] = top,
                    _ => self.parts.options = top,
                }
            }
        }
        cut_top(area, used).1
    }

    /// The heights of the lists in a column: a glimpse of each; then what is needed, one row a line and then
    /// wrapped; then the rest likewise.
    fn heights(&self, column: &[&Pane], place: Rect) -> Vec<u16> {
        let mut heights: Vec<u16> = vec![0; column.len()];
        let mut left = place.height;
        let mut order: Vec<usize> = (0..column.len()).collect();
        order.sort_by_key(|&at| column[at].focus != self.focus);
        // Whether lines are wrapped, how many rows at most, and whether only for what is needed.
        let most = u16::MAX;
        let turns = [(false, 3, false), (false, most, true), (true, most, true), (false, most, false)];
        for (wrapped, most, needed) in turns.into_iter().chain([(true, most, false)]) {
            for &at in &order {
                let pane = column[at];
                if needed && !pane.needed && pane.focus != self.focus {
                    continue;
                }
                let rows =
                    if wrapped { self.need(pane, place.width) } else { self.lines_of(pane, place.width) };
                let more = rows.min(most).saturating_sub(heights[at]).min(left);
                heights[at] += more;
                left -= more;
            }
        }
        heights
    }
}

/// Each list in the column that is shortest so far.
fn columns_of<'a>(panes: &[&'a Pane], count: u16, rows: impl Fn(&Pane) -> u16) -> Vec<Vec<&'a Pane>> {
    let mut columns: Vec<(u16, Vec<&Pane>)> = vec![(0, Vec::new()); usize::from(count.max(1))];
    for pane in panes {
        if let Some((height, column)) = columns.iter_mut().min_by_key(|(height, _)| *height) {
            *height = height.saturating_add(rows(pane));
            column.push(pane);
        }
    }
    columns.into_iter().map(|(_, column)| column).collect()
}

/// The heights of the columns that these lists would fill.
fn fill(panes: &[&Pane], count: u16, rows: impl Fn(&Pane) -> u16) -> Vec<u16> {
    let columns = columns_of(panes, count, &rows);
    columns.iter().map(|column| column.iter().map(|pane| rows(pane)).fold(0, u16::saturating_add)).collect()
}

fn log_columns(width: u16) -> u16 {
    (width * 2 / 5).clamp(34, 70)
}

/// The size of a board with its title and names, and a gap; no wider than `room`.
fn board_size(board: &Board, cell: (u16, u16), room: u16) -> (u16, u16) {
    let margin = row_names_width(board) as u16 + u16::from(!board.rows.is_empty());
    let names = u16::from(!board.columns.is_empty());
    let width = board.width.saturating_mul(cell.0).saturating_add(margin + 1);
    (width.min(room), board.height.saturating_mul(cell.1).saturating_add(names + 1))
}

/// A cell of one line: with air around it if there is room, without any if there is none.
fn cell_size(board: &Board, room: u16) -> (u16, u16) {
    let margin = row_names_width(board) as u16 + 2;
    let fits = |columns: u16| board.width.saturating_mul(columns).saturating_add(margin) <= room;
    let tight = cell_width(board) as u16;
    let airy = tight + u16::from(tight == 2);
    let columns = [airy, tight].into_iter().find(|columns| fits(*columns)).unwrap_or(tight - 1);
    (columns, 1)
}

/// A cell of several lines, where the screen has room for the whole board, the lists and the log.
fn large_cell(board: &Board, stage: Rect) -> Option<(u16, u16)> {
    let beside = BESIDE + LOG_BESIDE;
    [(7, 3), (5, 2)].into_iter().filter(|_| !board.aside).find(|cell| {
        let (width, height) = board_size(board, *cell, u16::MAX);
        width.saturating_add(beside) <= stage.width && height <= stage.height
    })
}

/// Without its last column, which sets it apart from what stands on the right.
fn narrowed(area: Rect) -> Rect {
    Rect { width: area.width.saturating_sub(1), ..area }
}

fn cut_top(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    (Rect { height, ..area }, Rect { y: area.y + height, height: area.height - height, ..area })
}

fn cut_bottom(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    cut_top(area, area.height - height)
}

fn cut_left(area: Rect, width: u16) -> (Rect, Rect) {
    let width = width.min(area.width);
    (Rect { width, ..area }, Rect { x: area.x + width, width: area.width - width, ..area })
}

fn cut_right(area: Rect, width: u16) -> (Rect, Rect) {
    let width = width.min(area.width);
    cut_left(area, area.width - width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone_table::scene::{Cell, Choice, Item, Panel};

    fn scene(board: Option<(u16, u16)>, panels: &[usize], options: usize) -> Scene {
        let board = board.map(|(width, height)| Board {
            width,
            height,
            cells: vec![Cell::default(); usize::from(width) * usize::from(height)],
            columns: vec!["a".to_owned(); usize::from(width)],
            rows: vec!["10".to_owned(); usize::from(height)],
            ..Board::default()
        });
        let panel = |items: &usize| Panel { items: vec![Item::default(); *items], ..Panel::default() };
        Scene {
            board,
            panels: panels.iter().map(panel).collect(),
            options: vec![Choice::default(); options],
            ..Scene::default()
        }
    }

    #[test]
    fn nothing_leaves_the_screen_or_overlaps_at_any_size() {
        let scenes = [
            scene(Some((8, 8)), &[3, 9], 20),
            scene(Some((50, 50)), &[], 4),
            scene(Some((300, 200)), &[2], 1),
            scene(None, &[5, 5, 3, 30, 0], 12),
            scene(None, &[], 0),
        ];
        for scene in &scenes {
            for (width, height) in [(1, 1), (10, 5), (40, 12), (80, 24), (100, 30), (160, 50), (300, 80)] {
                for focus in [Focus::Board, Focus::Options, Focus::Log] {
                    let area = Rect::new(0, 0, width, height);
                    let parts = parts(area, scene, focus, 1);
                    let mut all =
                        vec![parts.title, parts.board, parts.options, parts.log, parts.info, parts.footer];
                    all.extend(&parts.panels);
                    all.retain(|part| !part.is_empty());
                    for (i, part) in all.iter().enumerate() {
                        assert_eq!(area.intersection(*part), *part, "{width}x{height}");
                        assert!(
                            all[i + 1..].iter().all(|other| !part.intersects(*other)),
                            "{width}x{height}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_chess_board_fits_a_small_terminal_whole() {
        let parts = parts(Rect::new(0, 0, 80, 24), &scene(Some((8, 8)), &[4], 20), Focus::Board, 1);
        assert!(parts.board.height >= 10, "{parts:?}");
    }
}
