//! The reference part of the author's manual, made from the lists of words.

use super::events::DRAWS;
use super::expr::{ArgKind, Read};
use super::gifts::GIFT_DRAWS;
use super::verb::{Ground, VerbSpec, verbs};
use super::words::{
    Aim, CardType, Color, Counted, DamageKind, Drawn, EventPool, Flag, GiftRow, Intent, Moment, Pool,
    Prevent, Queue, Rank, Rarity, Spot, Stack, Stage, Throw, Until, Who, Zone,
};
use std::fmt::Write;

/// The line of `content/README.md` below which everything is generated.
pub(crate) const MARK: &str = "<!-- generated: everything below comes from the lists in src/catalog -->";

/// All verbs, values and words as Markdown.
pub(crate) fn reference() -> String {
    let mut out = format!("{MARK}\n");
    for ground in [Ground::Fight, Ground::Both, Ground::Way] {
        let _ = writeln!(out, "\n## Verbs: {}", place(ground));
        verbs().filter(|spec| spec.ground == ground).for_each(|spec| verb(&mut out, spec));
    }
    for ground in [Ground::Fight, Ground::Both, Ground::Way] {
        let _ = writeln!(out, "\n## Values: {}\n", place(ground));
        for (_, name, args, about) in Read::ALL.iter().filter(|(read, ..)| read.ground() == ground) {
            let args: Vec<&str> = args.iter().map(|kind| argument(*kind)).collect();
            let call = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
            let _ = writeln!(out, "- `{name}{call}`: {about}");
        }
    }
    words(&mut out, "Moments (`on.…`)", Moment::ALL);
    words(&mut out, "Stages (`alter.…`)", Stage::ALL);
    words(&mut out, "Things to prevent (`prevent.…`)", Prevent::ALL);
    words(&mut out, "Flags", Flag::ALL);
    words(&mut out, "Whom (`to`, and in values)", Who::ALL);
    words(&mut out, "Zones", Zone::ALL);
    words(&mut out, "Spots", Spot::ALL);
    words(&mut out, "Pools", Pool::ALL);
    words(&mut out, "How dice pick cards (`dice`)", Throw::ALL);
    words(&mut out, "Until", Until::ALL);
    words(&mut out, "Queues", Queue::ALL);
    words(&mut out, "Intents", Intent::ALL);
    words(&mut out, "Card types", CardType::ALL);
    words(&mut out, "Rarities and tiers", Rarity::ALL);
    let _ = writeln!(out, "\n## Colors\n\nThose of the characters (`color` in `[character.…]`), and\n");
    for (name, about) in Color::NOBODYS {
        let _ = writeln!(out, "- `{name}`: {about}");
    }
    words(&mut out, "Targets", Aim::ALL);
    words(&mut out, "Ranks", Rank::ALL);
    words(&mut out, "Stacking", Stack::ALL);
    words(&mut out, "Kinds of damage", DamageKind::ALL);
    words(&mut out, "Pools of events (`pool`)", EventPool::ALL);
    let _ = writeln!(out, "\n## What events draw on entry (`draws`)\n");
    for (name, about) in DRAWS {
        let _ = writeln!(out, "- `{name}`: {about}");
    }
    words(&mut out, "Rows of Neow's gifts (`row`)", GiftRow::ALL);
    let _ = writeln!(out, "\n## What Neow's gifts draw (`draws`)\n");
    for (name, kind, about) in GIFT_DRAWS {
        let kind = kind.map(|kind| format!(", `{kind}`")).unwrap_or_default();
        let _ = writeln!(out, "- `{name}`{kind}: {about}");
    }
    words(&mut out, "What was drawn (`drew(…)`, `lose_drawn`)", Drawn::ALL);
    words(&mut out, "What the score counts (`of`)", Counted::ALL);
    out
}

fn place(ground: Ground) -> &'static str {
    match ground {
        Ground::Fight => "in fights",
        Ground::Both => "in fights and between them",
        Ground::Way => "between fights",
    }
}

fn verb(out: &mut String, spec: &VerbSpec) {
    let shape = match spec.shape() {
        "number" => "number",
        "mark" => "true",
        "zone" => "zone, with `choose`, `up_to`, `random` or `top`, and `filter`",
        "lists" => "lists of steps",
        _ => "word",
    };
    let _ = writeln!(out, "\n**`{}`** = {shape}: {}.", spec.name, spec.about);
    for (key, _, about) in spec.keys().filter(|(.., about)| !about.is_empty()) {
        let _ = writeln!(out, "- `{key}`: {about}");
    }
    let _ = writeln!(out, "\n```toml\n{}\n```", spec.example);
}

fn argument(kind: ArgKind) -> &'static str {
    match kind {
        ArgKind::Who => "whom",
        ArgKind::Zone => "zone",
        ArgKind::Filter => "filter",
        ArgKind::FilterOptional => "filter?",
        ArgKind::Power => "power",
        ArgKind::Orb => "orb",
        ArgKind::Stance => "stance",
        ArgKind::Move => "move",
        ArgKind::Var => "variable",
        ArgKind::Card => "card",
        ArgKind::Monster => "monster",
        ArgKind::Relic => "relic",
        ArgKind::Tag => "tag",
        ArgKind::Type => "type",
        ArgKind::Kind => "kind",
        ArgKind::Drawn => "drawn",
        ArgKind::Number => "number",
    }
}

fn words<T>(out: &mut String, title: &str, all: &[(T, &str, &str)]) {
    let _ = writeln!(out, "\n## {title}\n");
    for (_, name, about) in all {
        let _ = writeln!(out, "- `{name}`: {about}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `BLESS=1 cargo test -p turnstone-spire content_manual` rewrites the generated part.
    #[test]
    fn content_manual_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/content/README.md");
        let text = std::fs::read_to_string(path).unwrap();
        let hand = text.split(MARK).next().unwrap();
        let wanted = format!("{hand}{}", reference());
        turnstone_testkit::bless(path, &wanted);
    }
}
