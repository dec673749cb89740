//! The words of a legend: what a letter on a map stands for. A word for the
//! thing, then how it differs from the usual one:
//!
//! ```text
//! monster damage=2 moves=right pace=2
//! agent health=3 bears[shield usage=2] carries[key id=red]
//! thing look=statue blocking health=4 reward=10
//! ```

use std::ops::RangeInclusive;

use super::factory::{Lasting, Patrol};
use super::{Blueprint, factory as make};
use crate::component::{Appearance, Hunt, Mask, Pathfinding};
use crate::document::Entity;
use crate::error::{GridError, Result, unknown};
use crate::geometry::Direction;

/// A blueprint, and the letters of the objects it refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub blueprint: Blueprint,
    pub target: Option<char>,
    pub pair: Option<char>,
}

/// The words that begin a spec.
pub(crate) const THINGS: [&str; 18] = [
    "agent", "boots", "box", "coin", "core", "door", "exit", "floor", "ghost", "hazard", "key", "lava",
    "monster", "portal", "shield", "spike", "thing", "wall",
];

/// The words that may follow it, besides the names of markers.
const TRAITS: [&str; 20] = [
    "background",
    "bounce",
    "cost",
    "damage",
    "health",
    "hunts",
    "icon",
    "id",
    "lethal",
    "look",
    "moves",
    "multiplier",
    "optional",
    "pace",
    "pair",
    "priority",
    "reward",
    "target",
    "time",
    "usage",
];

fn wrong(message: String) -> GridError {
    GridError::new("BAD_SPEC", message)
}

/// Several pieces, separated by `;`.
pub(crate) fn parse_all(text: &str) -> Result<Vec<Piece>> {
    split(text, ';')?.into_iter().map(|part| parse(&part)).collect()
}

/// Every word that makes no sense, and why.
pub(crate) fn faults(text: &str) -> Vec<(String, String)> {
    let parts = match split(text, ';') {
        Ok(parts) => parts,
        Err(error) => return vec![(text.trim().to_owned(), error.message)],
    };
    parts.iter().flat_map(|part| faults_of(part)).collect()
}

fn faults_of(text: &str) -> Vec<(String, String)> {
    let words = split(text, ' ').unwrap_or_default();
    let Some((thing, rest)) = words.split_first() else { return Vec::new() };
    let mut wrong = Vec::new();
    let mut note = |word: &str, error: GridError| wrong.push((word.to_owned(), error.message));
    let blueprint = usual(thing).unwrap_or_else(|error| {
        note(thing, error);
        Blueprint::default()
    });
    let mut piece = Piece { blueprint, target: None, pair: None };
    for word in rest {
        describe(&mut piece, word).unwrap_or_else(|error| note(word, error));
    }
    wrong
}

fn parse(text: &str) -> Result<Piece> {
    let words = split(text, ' ')?;
    let Some((thing, rest)) = words.split_first() else {
        return Err(wrong(format!("an empty description; begin with one of {}", THINGS.join(", "))));
    };
    let mut piece = Piece { blueprint: usual(thing)?, target: None, pair: None };
    for word in rest {
        describe(&mut piece, word)?;
    }
    finish(&mut piece);
    Ok(piece)
}

/// Splits at a letter, but not inside brackets; parts are trimmed and empty ones left out.
fn split(text: &str, at: char) -> Result<Vec<String>> {
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for letter in text.chars() {
        depth += i32::from(letter == '[') - i32::from(letter == ']');
        if letter == at && depth == 0 {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    if depth != 0 {
        return Err(wrong(format!("the brackets in `{text}` do not match")));
    }
    let trimmed = parts.iter().map(|part| part.trim().to_string());
    Ok(trimmed.filter(|part| !part.is_empty()).collect())
}

fn usual(thing: &str) -> Result<Blueprint> {
    let lasting = Lasting::default();
    Ok(match thing {
        "agent" => make::agent(5),
        "boots" => make::boots(2, lasting),
        "box" => make::crate_box(true, None),
        "coin" => make::coin(None),
        "core" => make::core(None, true),
        "door" => make::door(""),
        "exit" => make::exit(),
        "floor" => make::floor(1),
        "ghost" => make::ghost(lasting),
        "hazard" => make::hazard("spike", 1, false, 7),
        "key" => make::key(""),
        "lava" => make::hazard("lava", 5, true, 7),
        "monster" => make::monster(3, false, None),
        "portal" => make::portal(),
        "shield" => make::shield(lasting),
        "spike" => make::hazard("spike", 3, false, 7),
        "thing" => Blueprint::default(),
        "wall" => make::wall(),
        _ => return Err(wrong(format!("no thing begins so: {}", unknown(thing, &THINGS)))),
    })
}

fn describe(piece: &mut Piece, word: &str) -> Result<()> {
    if let Some((name, inside)) = word.strip_suffix(']').and_then(|word| word.split_once('[')) {
        let nested = parse_all(inside)?.into_iter().map(|piece| piece.blueprint);
        match name {
            "carries" => piece.blueprint.inventory.extend(nested),
            "bears" => piece.blueprint.status.extend(nested),
            _ => return Err(wrong(format!("`{name}[…]` is unknown; use carries[…] or bears[…]"))),
        }
        return Ok(());
    }
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    let entity = &mut piece.blueprint.entity;
    match name {
        "health" => entity.health = Some((number(name, value)?, number(name, value)?)),
        "cost" => entity.cost = Some(number(name, value)?),
        "damage" => entity.damage = Some(number(name, value)?),
        "reward" => entity.rewardable = Some(number(name, value)?),
        "time" => entity.time_limit = Some(number(name, value)?),
        "usage" => entity.usage_limit = Some(number(name, value)?),
        "multiplier" => entity.speed = Some(number(name, value)?),
        "lethal" => entity.markers |= Mask::LETHAL,
        "optional" => entity.markers = entity.markers.without(Mask::REQUIRABLE),
        "id" if entity.locked.is_some() => entity.locked = Some(value.into()),
        "id" => entity.key = Some(value.into()),
        "moves" => entity.moving = Some(Patrol::new(direction(value)?).moving()),
        "pace" => walker(entity)?.speed = number(name, value)?,
        "bounce" => walker(entity)?.bounce = value != "no",
        "hunts" => piece.blueprint.hunt = Some(hunt(value)?),
        "target" => piece.target = Some(letter(name, value)?),
        "pair" => piece.pair = Some(letter(name, value)?),
        "look" => look(entity).name = value.into(),
        "priority" => look(entity).priority = number(name, value)?,
        "icon" => look(entity).icon = true,
        "background" => look(entity).background = true,
        _ => marker(entity, name, value)?,
    }
    Ok(())
}

fn marker(entity: &mut Entity, name: &str, value: &str) -> Result<()> {
    match Mask::named(name).filter(|mask| Mask::MARKERS.without(Mask::DEAD).any(*mask)) {
        Some(mask) if value == "no" => entity.markers = entity.markers.without(mask),
        Some(mask) if value.is_empty() => entity.markers |= mask,
        Some(_) => return Err(wrong(format!("`{name}={value}`: a marker stands alone, or says `=no`"))),
        None => {
            let markers: Vec<&str> = Mask::MARKERS.without(Mask::DEAD).names().collect();
            return Err(wrong(unknown(name, &[&TRAITS[..], &markers].concat())));
        }
    }
    Ok(())
}

/// Bearers and carriers need a place for what they have.
fn finish(piece: &mut Piece) {
    let blueprint = &mut piece.blueprint;
    if blueprint.hunt.is_some() && piece.target.is_none() {
        piece.target = Some('@');
    }
    if let (None, Some(hunt)) = (piece.target, blueprint.hunt) {
        blueprint.entity.pathfinding = Some(Pathfinding { target: None, hunt });
    }
}

fn walker(entity: &mut Entity) -> Result<&mut crate::component::Moving> {
    entity.moving.as_mut().ok_or_else(|| wrong("say `moves=…` before pace and bounce".into()))
}

fn look(entity: &mut Entity) -> &mut Appearance {
    let plain = || Appearance { name: "thing".into(), priority: 5, icon: false, background: false };
    entity.appearance.get_or_insert_with(plain)
}

fn number(name: &str, value: &str) -> Result<i32> {
    let number = value.parse().map_err(|_| wrong(format!("`{name}={value}` wants a whole number")))?;
    let range = possible(name);
    if range.contains(&number) {
        return Ok(number);
    }
    let (least, most) = (range.start(), range.end());
    Err(wrong(format!("`{name}={value}`: expected a number from {least} to {most}, found {number}")))
}

/// The numbers that can be played: the dead do not act, and what is hurt by less than nothing is healed.
fn possible(name: &str) -> RangeInclusive<i32> {
    match name {
        "health" => 1..=MOST,
        "damage" | "time" | "usage" => 0..=MOST,
        // Each is a move of its own.
        "multiplier" | "pace" => 0..=100,
        _ => -MOST..=MOST,
    }
}

const MOST: i32 = 1_000_000;

fn letter(name: &str, value: &str) -> Result<char> {
    let mut letters = value.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Ok(letter),
        _ => Err(wrong(format!("`{name}={value}` wants one letter of the map"))),
    }
}

fn direction(value: &str) -> Result<Direction> {
    match value {
        "up" => Ok(Direction::Up),
        "down" => Ok(Direction::Down),
        "left" => Ok(Direction::Left),
        "right" => Ok(Direction::Right),
        _ => Err(wrong(format!("`moves={value}` wants up, down, left or right"))),
    }
}

fn hunt(value: &str) -> Result<Hunt> {
    match value {
        "path" => Ok(Hunt::Path),
        "straight_line" | "straight" => Ok(Hunt::StraightLine),
        _ => Err(wrong(format!("`hunts={value}` wants path or straight"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_change_the_usual_thing() {
        let pieces = parse_all("monster damage=2 moves=left pace=3 bounce=no; key id=red").unwrap();
        let moving = pieces[0].blueprint.entity.moving.unwrap();
        assert_eq!((moving.direction, moving.speed, moving.bounce), (-1, 3, false));
        assert_eq!(pieces[1].blueprint.entity.key.as_deref(), Some("red"));
    }

    #[test]
    fn nested_things_are_carried_and_borne() {
        let agent = &parse_all("agent health=3 bears[shield usage=2; ghost] carries[key id=a]").unwrap()[0];
        assert_eq!((agent.blueprint.status.len(), agent.blueprint.inventory.len()), (2, 1));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("dragon", "no thing begins so"),
            ("monstre", "did you mean `monster`?"),
            ("wall blocknig", "did you mean `blocking`?"),
            ("wall hight=2", "`hight` is unknown"),
            ("coin reward=lots", "whole number"),
            ("monster pace=2", "moves"),
            ("agent bears[shield", "brackets"),
            ("box pushable=maybe", "stands alone"),
            ("portal pair=ab", "one letter"),
        ] {
            let error = parse_all(text).unwrap_err();
            assert!(error.code == "BAD_SPEC" && error.message.contains(part), "{error}");
        }
    }
}
