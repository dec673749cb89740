//! The vocabulary of the parser.

use super::intent::Direction;

/// Words that stand for numbers.
pub fn number_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "a" | "an" | "single" | "one" => "1",
        "two" | "couple" => "2",
        "three" | "few" => "3",
        "four" | "several" => "4",
        "five" => "5",
        "six" => "6",
        "seven" => "7",
        "eight" => "8",
        "nine" => "9",
        "ten" => "10",
        _ => return None,
    })
}

/// Whole sentences that begin a fight.
pub const START: [&str; 9] = [
    "roll initiative",
    "start combat",
    "initiative",
    "begin combat",
    "begin battle",
    "start battle",
    "start the fight",
    "let's fight",
    "lets fight",
];
/// Whole sentences that end a turn.
pub const END: [&str; 9] =
    ["end turn", "end my turn", "end the turn", "end", "next", "pass", "done", "skip", "wait"];
/// Words of flight.
pub const FLEE: [&str; 8] =
    ["flee", "retreat", "escape", "run away", "back off", "disengage", "withdraw", "fall back"];
/// Words of defence.
pub const DEFEND: [&str; 7] = ["defend", "dodge", "block", "brace", "hunker", "guard", "protect"];
/// Attack verbs whose object is the target.
pub const ATTACK: [&str; 30] = [
    "attack", "hit", "strike", "shoot", "fight", "kill", "slay", "stab", "slash", "smash", "punch", "charge",
    "hack", "chop", "cleave", "club", "whack", "smite", "pierce", "lunge", "engage", "assault", "pummel",
    "maul", "destroy", "murder", "clobber", "thrash", "skewer", "bludgeon",
];
/// Forms that tell of an attack without naming a target in a way we trust.
pub const ATTACK_FORMS: [&str; 14] = [
    "attacks", "hits", "strikes", "shoots", "fights", "kills", "slays", "stabs", "slashes", "smashes",
    "punches", "charges", "kick", "kicks",
];
/// Verbs of movement.
pub const MOVE: [&str; 12] =
    ["move", "go", "walk", "run", "step", "head", "advance", "approach", "travel", "send", "dash", "come"];
/// Third-person forms that follow a name: `Ada moves north`.
pub const MOVE_FORMS: [&str; 9] =
    ["moves", "goes", "walks", "runs", "steps", "heads", "advances", "approaches", "travels"];
/// Verbs of casting.
pub const CAST: [&str; 4] = ["cast", "use", "casts", "uses"];
/// Verbs that hand an order to somebody: `tell Ada attack the imp`.
pub const ORDER: [&str; 6] = ["have", "tell", "make", "let", "order", "ask"];
/// Words between a verb and its object.
pub const LINKS: [&str; 12] =
    ["the", "to", "toward", "towards", "at", "on", "onto", "against", "up", "near", "with", "over"];
/// Words for the previous target.
pub const PRONOUNS: [&str; 5] = ["him", "her", "it", "them", "that"];

/// Abilities and the words that name them, longest first.
pub const ABILITIES: [(&str, &str); 10] = [
    ("healing word", "healing_word"),
    ("shield bash", "shield_bash"),
    ("sneak attack", "sneak_attack"),
    ("poison strike", "poison_strike"),
    ("fire bolt", "firebolt"),
    ("firebolt", "firebolt"),
    ("poison", "poison_strike"),
    ("backstab", "sneak_attack"),
    ("bash", "shield_bash"),
    ("heal", "healing_word"),
];

/// A direction word, its short forms included.
pub fn direction(word: &str) -> Option<Direction> {
    Some(match word {
        "north" | "up" | "n" | "northward" | "northwards" => Direction::North,
        "south" | "down" | "s" | "southward" | "southwards" => Direction::South,
        "east" | "right" | "e" | "eastward" | "eastwards" => Direction::East,
        "west" | "left" | "w" | "westward" | "westwards" => Direction::West,
        _ => return None,
    })
}
