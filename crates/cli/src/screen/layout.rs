//! Who gets which part of the screen. Pure arithmetic, so that any size can be tested.

use ratatui::layout::Rect;
use turnstone_table::scene::{Board, Scene};

use super::desk::Focus;
use crate::render::{cell_width, row_names_width};

/// The parts of the screen. A part without room is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    pub title: Rect,
    pub board: Rect,
    pub panels: Vec<Rect>,
    pub options: Rect,
    pub log: Rect,
    pub info: Rect,
    pub footer: Rect,
}

/// Columns that panels and options need beside a board.
const BESIDE: u16 = 28;
/// Columns from which the log stands beside the scene.
const WIDE: u16 = 96;

/// Divides the screen.
pub fn parts(area: Rect, scene: &Scene, focus: Focus) -> Parts {
    let (title, rest) = cut_top(area, 1);
    let (rest, footer) = cut_bottom(rest, 1);
    let (body, info) = cut_bottom(rest, if area.height >= 20 { 5 } else { 3 });
    let mut parts = Parts { title, footer, info, ..Parts::default() };
    match &scene.board {
        Some(board) => place_board(body, board, scene, focus, &mut parts),
        None => place_panels(body, scene, focus, &mut parts),
    }
    parts
}

/// Board, panels and log side by side; or the log below the panels; or everything below the board.
fn place_board(body: Rect, board: &Board, scene: &Scene, focus: Focus, parts: &mut Parts) {
    let (width, height) = board_size(board, body.width.saturating_sub(BESIDE));
    if body.width < width + BESIDE || height > body.height + 2 && body.width < WIDE {
        return place_narrow(body, board, scene, focus, parts);
    }
    let (left, mut right) = cut_left(body, width);
    let (shown, below) = cut_top(left, height);
    parts.board = shown;
    let panels: u16 = wants(scene).iter().fold(0, |sum, want| sum.saturating_add(*want));
    let wide = panels > 0 && right.width >= BESIDE + 36;
    if wide {
        let (rest, log) = cut_right(right, (right.width * 3 / 5).clamp(36, right.width - BESIDE));
        (right, parts.log) = (rest, log);
    }
    if below.height >= 5 && width >= BESIDE {
        parts.options = below;
    } else {
        let options = (scene.options.len() as u16).saturating_add(2).clamp(4, (right.height / 3).max(4));
        (right, parts.options) = cut_bottom(right, options);
    }
    if !wide {
        (right, parts.log) = cut_top(right, panels.min(right.height * 3 / 5));
    }
    parts.panels = stack(right, &wants(scene));
}

fn place_narrow(body: Rect, board: &Board, scene: &Scene, focus: Focus, parts: &mut Parts) {
    let stage = place_log(body, focus, parts);
    let (_, height) = board_size(board, stage.width);
    let (shown, below) =
        cut_top(stage, height.min((stage.height * 3 / 5).max(stage.height.saturating_sub(10))));
    parts.board = shown;
    let (panels, options) =
        if below.width >= 60 { cut_right(below, below.width / 2) } else { divide(below, scene) };
    parts.options = options;
    parts.panels = stack(panels, &wants(scene));
}

fn place_panels(body: Rect, scene: &Scene, focus: Focus, parts: &mut Parts) {
    let stage = place_log(body, focus, parts);
    let wanted = (scene.options.len() as u16).saturating_add(2).clamp(3, (stage.height / 3).max(3));
    let (above, options) = cut_bottom(stage, wanted);
    parts.options = options;
    parts.panels = columns(above, scene);
}

fn place_log(body: Rect, focus: Focus, parts: &mut Parts) -> Rect {
    if body.width >= WIDE {
        let (stage, log) = cut_right(body, (body.width * 2 / 5).clamp(34, 70));
        parts.log = log;
        return stage;
    }
    if focus == Focus::Log {
        parts.log = body;
        return Rect { height: 0, ..body };
    }
    let (stage, log) = cut_bottom(body, if body.height >= 20 { body.height / 4 } else { 0 });
    parts.log = log;
    stage
}

/// Panels above, options below: what the panels leave, and never less than a third.
fn divide(area: Rect, scene: &Scene) -> (Rect, Rect) {
    let panels: u16 = wants(scene).iter().fold(0, |sum, want| sum.saturating_add(*want));
    let options = (scene.options.len() as u16).saturating_add(2);
    let left = area.height.saturating_sub(panels).max(area.height / 3);
    cut_bottom(area, left.min(options.max(3)))
}

/// The size of a board with its frame and names; no wider than `room`.
fn board_size(board: &Board, room: u16) -> (u16, u16) {
    let margin = row_names_width(board) as u16 + u16::from(!board.rows.is_empty());
    let names = u16::from(!board.columns.is_empty());
    let width = (board.width.saturating_mul(cell_columns(board, room)) + margin).saturating_add(2);
    (width.min(room), board.height.saturating_add(names + 2))
}

/// Columns for a cell: with air around it if there is room, without any if there is none.
pub fn cell_columns(board: &Board, room: u16) -> u16 {
    let margin = row_names_width(board) as u16 + 3;
    let fits = |columns: u16| board.width.saturating_mul(columns).saturating_add(margin) <= room;
    let tight = cell_width(board) as u16;
    let airy = tight + u16::from(tight == 2);
    if fits(airy) {
        airy
    } else if fits(tight) {
        tight
    } else {
        tight - 1
    }
}

fn wants(scene: &Scene) -> Vec<u16> {
    let want = |items: usize| if items == 0 { 0 } else { (items as u16).saturating_add(2) };
    scene.panels.iter().map(|panel| want(panel.items.len())).collect()
}

/// One below the other; when they want too much, the greediest give way first.
fn stack(area: Rect, wants: &[u16]) -> Vec<Rect> {
    let mut heights = wants.to_vec();
    let total = |heights: &[u16]| heights.iter().map(|&height| u32::from(height)).sum::<u32>();
    while total(&heights) > u32::from(area.height) {
        let Some(greediest) = heights.iter_mut().max().filter(|height| **height > 0) else { break };
        *greediest = if *greediest > 3 { *greediest - 1 } else { 0 };
    }
    let mut rest = area;
    heights
        .iter()
        .map(|&height| {
            let (top, below) = cut_top(rest, height);
            rest = below;
            top
        })
        .collect()
}

/// Panels in as many columns as fit, each panel in the column that is shortest so far.
fn columns(area: Rect, scene: &Scene) -> Vec<Rect> {
    let wants = wants(scene);
    let shown = wants.iter().filter(|&&want| want > 0).count() as u16;
    let count = (area.width / 36).clamp(1, 3).min(shown.max(1));
    let width = area.width / count;
    let mut filled: Vec<Vec<usize>> = vec![Vec::new(); usize::from(count)];
    let height = |column: &Vec<usize>| column.iter().map(|&index| u32::from(wants[index])).sum::<u32>();
    for index in 0..wants.len() {
        let shortest = (0..filled.len()).min_by_key(|&column| height(&filled[column])).unwrap_or(0);
        filled[shortest].push(index);
    }
    let mut rects = vec![Rect::default(); wants.len()];
    for (number, column) in (0..count).zip(&filled) {
        let place = Rect { x: area.x + number * width, width, ..area };
        let wanted: Vec<u16> = column.iter().map(|&index| wants[index]).collect();
        for (&index, rect) in column.iter().zip(stack(place, &wanted)) {
            rects[index] = rect;
        }
    }
    rects
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
                for focus in [Focus::Board, Focus::Log] {
                    let area = Rect::new(0, 0, width, height);
                    let parts = parts(area, scene, focus);
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
        let parts = parts(Rect::new(0, 0, 80, 24), &scene(Some((8, 8)), &[4], 20), Focus::Board);
        assert!(parts.board.height >= 11, "{parts:?}");
    }
}
