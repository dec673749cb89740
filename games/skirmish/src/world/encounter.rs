//! Encounters: a budget spent on monsters, and places for them.
//!
//! Every decision takes one draw in 0..65536, so an encounter is a pure
//! function of its inputs and its draws.

use crate::catalog::{Catalog, MonsterDef, Tier};
use crate::document::EntityDoc;
use serde::{Deserialize, Serialize};

/// One part in 65536 of a whole: what a draw counts in.
pub const WHOLE: u32 = 1 << 16;
/// Most monsters in one encounter.
const MOST: usize = 8;

/// Where draws come from: each a number below [`WHOLE`].
pub trait Draws {
    /// The next draw.
    fn draw(&mut self) -> u32;

    /// One of `count` things.
    fn pick(&mut self, count: usize) -> usize {
        (self.draw() as usize * count) >> 16
    }
}

impl<F: FnMut() -> u32> Draws for F {
    fn draw(&mut self) -> u32 {
        self().min(WHOLE - 1)
    }
}

/// How the monsters stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Placement {
    /// In one group.
    #[default]
    Clustered,
    /// In two groups at two corners.
    Flanking,
    /// On an ellipse around the middle.
    Spread,
}

/// What an encounter is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The difficulty preset.
    pub difficulty: String,
    /// Heroes; counted as 1 to 6.
    pub party: i64,
    /// Map columns.
    pub width: i64,
    /// Map rows.
    pub height: i64,
    /// How the monsters stand.
    pub placement: Placement,
}

/// One monster of an encounter.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot<'c> {
    /// Which monster.
    pub monster: &'c MonsterDef,
    /// Where it stands.
    pub x: i64,
    /// Where it stands.
    pub y: i64,
}

/// An encounter.
#[derive(Clone, Debug, PartialEq)]
pub struct Encounter<'c> {
    /// Experience points to spend.
    pub budget: i64,
    /// The template's name.
    pub template: &'static str,
    /// The monsters.
    pub slots: Vec<Slot<'c>>,
}

impl Encounter<'_> {
    /// The monsters as entities with ids `goblin-1`, `rat-2` and so on.
    pub fn entities(&self) -> Vec<EntityDoc> {
        let entity = |(n, slot): (usize, &Slot)| {
            let id = format!("{}-{}", slot.monster.id, n + 1);
            slot.monster.instance(&id, slot.x, slot.y)
        };
        self.slots.iter().enumerate().map(entity).collect()
    }
}

/// Makes an encounter. `taken` says which cells cannot be used.
pub fn encounter<'c>(
    catalog: &'c Catalog,
    request: &Request,
    taken: impl Fn(i64, i64) -> bool,
    draws: &mut impl Draws,
) -> Encounter<'c> {
    let tables = &catalog.encounters;
    let per_player = tables.budget.get(&request.difficulty).or_else(|| tables.budget.get("normal"));
    let budget = per_player.copied().unwrap_or(0) * request.party.clamp(1, 6);
    let template = template(&request.difficulty, draws);
    let monsters = choose(catalog, budget, template, draws);
    let slots = place(monsters, request, &taken, draws);
    Encounter { budget, template, slots }
}

/// Easy and deadly are fixed; the others take one draw.
fn template(difficulty: &str, draws: &mut impl Draws) -> &'static str {
    match difficulty {
        "easy" => "swarm",
        "deadly" => "boss_fight",
        "hard" if draws.draw() > WHOLE / 2 => "elite_guard",
        "hard" => "balanced",
        _ => {
            draws.draw();
            "balanced"
        }
    }
}

fn choose<'c>(
    catalog: &'c Catalog,
    budget: i64,
    template: &str,
    draws: &mut impl Draws,
) -> Vec<&'c MonsterDef> {
    let weights = catalog.encounters.templates.get(template).copied().unwrap_or_default();
    let mut chosen = Vec::new();
    let mut left = budget;
    for (tier, weight) in weights.by_weight() {
        left -= spend(catalog, tier, budget * weight / 10, &mut chosen, draws);
    }
    spend(catalog, Tier::Minion, left, &mut chosen, draws);
    chosen
}

/// Buys monsters of a tier while the share lasts; gives what was spent.
fn spend<'c>(
    catalog: &'c Catalog,
    tier: Tier,
    share: i64,
    chosen: &mut Vec<&'c MonsterDef>,
    draws: &mut impl Draws,
) -> i64 {
    let kinds: Vec<&MonsterDef> = catalog.monsters.iter().filter(|m| m.tier == tier).collect();
    let price = catalog.encounters.xp.get(&tier).copied().unwrap_or(i64::MAX).max(1);
    let mut spent = 0;
    while !kinds.is_empty() && share - spent >= price && chosen.len() < MOST {
        chosen.push(kinds[draws.pick(kinds.len())]);
        spent += price;
    }
    spent
}

fn place<'c>(
    monsters: Vec<&'c MonsterDef>,
    request: &Request,
    taken: &impl Fn(i64, i64) -> bool,
    draws: &mut impl Draws,
) -> Vec<Slot<'c>> {
    let mut slots: Vec<Slot> = Vec::new();
    let count = monsters.len();
    for (n, monster) in monsters.into_iter().enumerate() {
        let (x, y, radius) = anchor(request, n, count);
        let free = |x: i64, y: i64| !taken(x, y) && !slots.iter().any(|s| (s.x, s.y) == (x, y));
        if let Some((x, y)) = free_cell(request, (x, y), radius, free, draws) {
            slots.push(Slot { monster, x, y });
        }
    }
    slots
}

/// The cell around which the n-th of `count` monsters is put, and how far from it.
fn anchor(request: &Request, n: usize, count: usize) -> (i64, i64, i64) {
    // Shares of the map were recorded as products of doubles.
    let share = |part: f64, whole: i64| (part * whole as f64).floor() as i64;
    let (w, h) = (request.width, request.height);
    match request.placement {
        Placement::Clustered => (share(0.7, w), h / 2, 3),
        Placement::Flanking if n < count.div_ceil(2) => (share(0.6, w), share(0.8, h), 3),
        Placement::Flanking => (share(0.8, w), share(0.2, h), 3),
        Placement::Spread => {
            let angle = n as f64 / count as f64 * std::f64::consts::PI * 2.0;
            (share(0.5 + 0.3 * angle.cos(), w), share(0.5 + 0.3 * angle.sin(), h), 4)
        }
    }
}

/// Tries ever wider squares around a cell, then every cell.
fn free_cell(
    request: &Request,
    (x, y): (i64, i64),
    radius: i64,
    free: impl Fn(i64, i64) -> bool,
    draws: &mut impl Draws,
) -> Option<(i64, i64)> {
    for r in 0..=radius + 5 {
        for _ in 0..8 + 4 * r {
            let mut offset = || draws.pick((2 * r + 1) as usize) as i64 - r;
            let (dx, dy) = (offset(), offset());
            let cell = ((x + dx).clamp(0, request.width - 1), (y + dy).clamp(0, request.height - 1));
            if free(cell.0, cell.1) {
                return Some(cell);
            }
        }
    }
    let cells = (0..request.width).flat_map(|x| (0..request.height).map(move |y| (x, y)));
    cells.into_iter().find(|(x, y)| free(*x, *y))
}
