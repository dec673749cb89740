//! A world as SVG: the plan, drawn with our shapes, and a strip below with
//! turn, score, health and what the agent bears and carries.

use std::fmt::Write;

use super::plan::{CellPlan, Drawing, Plan};
use super::shapes::{number, shape, tint};
use crate::component::Mask;
use crate::error::Result;
use crate::geometry::Cell;
use crate::world::{Slot, World};

/// How to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Pixels across.
    pub resolution: u32,
    /// Whether the strip is drawn below the board.
    pub strip: bool,
    /// Cells to mark as walked on, oldest first.
    pub trail: Vec<Cell>,
}

impl Default for Style {
    fn default() -> Self {
        Self { resolution: 640, strip: true, trail: Vec::new() }
    }
}

/// The picture as SVG text.
///
/// # Errors
/// `BAD_RESOLUTION` if a cell would have no pixel.
pub fn svg(world: &World, style: &Style) -> Result<String> {
    let plan = Plan::new(world, style.resolution)?;
    let bounds = world.cast.bounds;
    let (columns, rows) = (f64::from(bounds.width) * 100.0, f64::from(bounds.height) * 100.0);
    let strip = if style.strip { strip_height(columns) } else { 0.0 };
    let height = f64::from(plan.image.1) + (strip * f64::from(plan.image.0) / columns).round();
    let mut out = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{height}" viewBox="0 0 {columns} {}" preserveAspectRatio="none"><rect width="{columns}" height="{}" fill="#808080"/>"##,
        plan.image.0,
        rows + strip,
        rows + strip,
    );
    for cell in &plan.cells {
        draw_cell(&mut out, world, cell, &plan);
    }
    draw_trail(&mut out, world, &style.trail);
    if style.strip {
        draw_strip(&mut out, world, (columns, rows), strip);
    }
    out.push_str("</svg>");
    Ok(out)
}

fn strip_height(columns: f64) -> f64 {
    (columns / 8.0).clamp(60.0, 140.0)
}

fn put(out: &mut String, x: f64, y: f64, size: f64, inside: &str) {
    let _ = write!(out, r#"<g transform="translate({x} {y}) scale({})">{inside}</g>"#, size / 100.0);
}

fn draw(out: &mut String, drawing: &Drawing, x: f64, y: f64, size: f64) {
    put(out, x, y, size, &shape(drawing.texture, &tint(drawing.group.as_deref())));
    if let Some(arrow) = drawing.arrow {
        put(out, x, y, size, &arrows(arrow, drawing.arrows));
    }
}

fn draw_cell(out: &mut String, world: &World, cell: &CellPlan, plan: &Plan) {
    let (x, y) = (f64::from(cell.at.x) * 100.0, f64::from(cell.at.y) * 100.0);
    let all = std::iter::once(&cell.background).chain(&cell.others).chain(&cell.main);
    for drawing in all {
        draw(out, drawing, x, y, 100.0);
    }
    let size = f64::from(plan.icon_size.max(1)) / f64::from(plan.cell_size) * 100.0;
    let far = 100.0 - size;
    for (icon, (dx, dy)) in cell.icons.iter().zip([(0.0, 0.0), (far, 0.0), (0.0, far), (far, far)]) {
        draw(out, icon, x + dx, y + dy, size);
    }
    if let Some(main) = &cell.main {
        health_bar(out, world, main.who, x, y);
    }
}

/// As many triangles as the mover has speed, in its direction, side by side.
fn arrows((dx, dy): (i32, i32), count: i32) -> String {
    let count = count.clamp(0, 5);
    let turn = match (dx, dy) {
        (1, _) => 0,
        (-1, _) => 180,
        (_, 1) => 90,
        _ => 270,
    };
    let mut inside = String::new();
    for place in 0..count {
        let x = 50.0 + (f64::from(place) - f64::from(count - 1) / 2.0) * 18.0;
        let _ = write!(inside, r##"<path d="M{} 38L{} 50L{} 62Z"/>"##, x - 8.0, x + 8.0, x - 8.0);
    }
    format!(
        r##"<g transform="rotate({turn} 50 50)" fill="#fff" fill-opacity="0.86" stroke="#000" stroke-width="3">{inside}</g>"##
    )
}

fn health_bar(out: &mut String, world: &World, who: Slot, x: f64, y: f64) {
    if !who.is_some() || !world.has(who, Mask::HEALTH) {
        return;
    }
    let (health, most) = (world.health(who).max(0), world.cast.of(who).max_health.max(1));
    let share = (f64::from(health) / f64::from(most)).min(1.0);
    let colour = if share > 0.34 { "#36b24a" } else { "#d8363c" };
    let _ = write!(
        out,
        r##"<rect x="{}" y="{}" width="84" height="8" fill="#1f2329"/><rect x="{}" y="{}" width="{:.1}" height="6" fill="{colour}"/>"##,
        x + 8.0,
        y + 90.0,
        x + 9.0,
        y + 91.0,
        82.0 * share,
    );
}

fn draw_trail(out: &mut String, world: &World, trail: &[Cell]) {
    let points: Vec<(f64, f64)> = trail
        .iter()
        .filter(|cell| cell.index() < world.cast.bounds.area())
        .map(|cell| world.cast.bounds.point(*cell))
        .map(|point| (f64::from(point.x) * 100.0 + 50.0, f64::from(point.y) * 100.0 + 50.0))
        .collect();
    for (place, (x, y)) in points.iter().enumerate() {
        let faint = 0.15 + 0.5 * (place + 1) as f64 / points.len() as f64;
        let _ =
            write!(out, r##"<circle cx="{x}" cy="{y}" r="9" fill="#2f6fde" fill-opacity="{faint:.2}"/>"##);
    }
}

/// Below the board: turn, health and score, then what the first agent bears and carries, and how it
/// ended.
fn draw_strip(out: &mut String, world: &World, (columns, rows): (f64, f64), height: f64) {
    let _ = write!(out, r##"<rect y="{rows}" width="{columns}" height="{height}" fill="#f7f4ec"/>"##);
    let agent = world.first_agent();
    let health = agent.filter(|agent| world.has(*agent, Mask::HEALTH)).map(|agent| world.health(agent));
    let counters = [
        Some(("hourglass", world.live.turn)),
        health.map(|health| ("heart", i64::from(health))),
        Some(("coin", world.live.score)),
    ];
    let size = height * 0.27;
    for (line, (icon, value)) in counters.into_iter().flatten().enumerate() {
        let (x, y) = (height * 0.1, rows + height * (0.1 + 0.29 * line as f64));
        put(out, x, y, size, &shape(icon, ""));
        put(out, x + size * 1.3, y + size * 0.12, size * 4.7, &number(value));
    }
    if let Some(agent) = agent {
        draw_belongings(out, world, agent, ((height * 0.1 + size * 6.0).min(columns * 0.4), rows), height);
    }
    let end = match (world.live.win, world.live.lose) {
        (true, _) => "#2f9e5b",
        (false, true) => "#d8363c",
        _ => return,
    };
    let _ = write!(out, r##"<rect y="{rows}" width="{columns}" height="{}" fill="{end}"/>"##, height * 0.06);
}

/// Effects and items side by side, each with the uses or steps it has left.
fn draw_belongings(out: &mut String, world: &World, agent: Slot, (mut x, y): (f64, f64), height: f64) {
    let (side, size) = (height * 0.5, height * 0.27);
    let things = world.status(agent).iter().chain(world.inventory(agent));
    for &thing in things.filter(|thing| world.mask(**thing) != Mask::NONE) {
        let picture = shape(texture(world, thing), &tint(group(world, thing).as_deref()));
        put(out, x, y + height * 0.12, side, &picture);
        if let Some(left) = world.uses_left(thing).or(world.time_left(thing)) {
            put(out, x + side * 0.3, y + height * 0.7, size * 4.0, &number(i64::from(left)));
        }
        x += side * 1.3;
    }
}

fn texture(world: &World, slot: Slot) -> &'static str {
    let name = world.cast.look(slot).map_or("thing", |look| &look.name);
    super::plan::texture(name, world.mask(slot))
}

fn group(world: &World, slot: Slot) -> Option<String> {
    world.cast.key_id(slot).map(|id| format!("key:{id}"))
}
