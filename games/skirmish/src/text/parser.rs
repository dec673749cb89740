//! From a sentence to an intent, by an ordered list of rules.

use super::intent::{Intent, Want};
use super::words::{
    ABILITIES, ATTACK, ATTACK_FORMS, CAST, DEFEND, END, FLEE, LINKS, MOVE, MOVE_FORMS, ORDER, PRONOUNS,
    START, direction, number_word,
};

/// The default subject: whoever's turn it is.
const ACTIVE: &str = "active";
/// The default target.
const NEAREST: &str = "nearest_hostile";

/// Parses a sentence. What is not understood is `unknown`, never an error.
///
/// ```
/// use turnstone_skirmish::text::parse;
/// let intent = parse("go two steps west").to_json();
/// assert_eq!(intent["direction"], "west");
/// assert_eq!(intent["distance"], 2);
/// ```
pub fn parse(text: &str) -> Intent {
    let words = normal_words(text);
    if words.is_empty() {
        return Intent::unknown();
    }
    parse_words(&words, true)
}

/// Lower case, punctuation off the ends of words, number words as digits.
fn normal_words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace(',', " , ");
    let clean = |word: &str| word.trim_matches(['.', '!', '?', ';', ':', '"', '(', ')']).to_string();
    lower
        .split_whitespace()
        .map(clean)
        .filter(|word| !word.is_empty())
        .map(|word| number_word(&word).map_or(word, str::to_string))
        .collect()
}

fn parse_words(words: &[String], may_split: bool) -> Intent {
    let text = words.join(" ");
    if START.contains(&text.as_str()) {
        return Intent { subject: None, want: Want::StartCombat };
    }
    if END.contains(&text.as_str()) {
        return of(ACTIVE, Want::EndTurn);
    }
    let (subject, rest) = subject(words);
    if let Some(want) = flee(rest).or_else(|| defend(rest)) {
        return of(&subject, want);
    }
    if may_split && let Some(compound) = compound(words) {
        return compound;
    }
    let want = ability(rest, true)
        .or_else(|| attack(rest))
        .or_else(|| coordinates(rest))
        .or_else(|| heading(rest))
        .or_else(|| approach(rest))
        .or_else(|| ability(rest, false));
    want.map_or_else(Intent::unknown, |want| of(&subject, want))
}

fn of(subject: &str, want: Want) -> Intent {
    Intent { subject: Some(subject.to_string()), want }
}

fn is(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}

/// `have Bram move south`, `send Ada to 2,2`, `move Ada to 2,2`, `Ada attacks …`:
/// who is meant, and the words that say what.
fn subject(words: &[String]) -> (String, &[String]) {
    let word = |i: usize| words.get(i).map_or("", String::as_str);
    let name = |i: usize| word(i).to_string();
    if is(&ORDER, word(0)) && words.len() > 2 {
        let skip = if word(2) == "to" { 3 } else { 2 };
        return (name(1), &words[skip.min(words.len())..]);
    }
    let sends = matches!(word(0), "send" | "move") && word(2) == "to" && !is_plain(word(1));
    if sends {
        return (name(1), &words[2..]);
    }
    if words.len() > 1 && !is_plain(word(0)) && (is(&ATTACK_FORMS, word(1)) || is(&MOVE_FORMS, word(1))) {
        return (name(0), &words[1..]);
    }
    (ACTIVE.to_string(), words)
}

/// A word with a meaning of its own, which therefore names nobody.
fn is_plain(word: &str) -> bool {
    is(&LINKS, word)
        || is(&MOVE, word)
        || is(&ATTACK, word)
        || is(&CAST, word)
        || direction(word).is_some()
        || word.parse::<i64>().is_ok()
        || word == ","
}

fn flee(words: &[String]) -> Option<Want> {
    let text = words.join(" ");
    let phrase = FLEE.iter().find(|phrase| contains_phrase(&text, phrase))?;
    let from = match words.iter().position(|w| w == "from") {
        Some(at) => target(&words[at + 1..]),
        // `flee the strongest enemy` says from whom as well.
        None => {
            let length = phrase.split(' ').count();
            let at = words.windows(length).position(|w| w.join(" ") == **phrase)?;
            let rest = &words[at + length..];
            let said = rest.first().is_some_and(|w| w == "the") || selector(&rest.join(" ")).is_some();
            said.then(|| target(rest)).flatten()
        }
    };
    Some(Want::Flee { from: Some(from.unwrap_or_else(|| NEAREST.to_string())) })
}

fn contains_phrase(text: &str, phrase: &str) -> bool {
    format!(" {text} ").contains(&format!(" {phrase} "))
}

fn defend(words: &[String]) -> Option<Want> {
    let attacks = words.iter().any(|w| is(&ATTACK, w) || is(&ATTACK_FORMS, w));
    let defends = words.iter().any(|w| is(&DEFEND, w));
    (defends && !attacks).then_some(Want::Defend)
}

/// `… and then …`, `… then …`, `… and …`, if at least two parts are understood.
fn compound(words: &[String]) -> Option<Intent> {
    let parts = words.split(|w| w == "and" || w == "then").filter(|part| !part.is_empty());
    let mut steps: Vec<Intent> = Vec::new();
    let mut named: Option<String> = None;
    for part in parts {
        let mut intent = parse_words(part, false);
        take_pronoun(part, &mut intent, named.as_deref());
        if let Want::Attack { target } | Want::UseAbility { target: Some(target), .. } = &intent.want {
            named = Some(target.clone());
        }
        if !intent.is_unknown() {
            steps.push(intent);
        }
    }
    (steps.len() >= 2).then_some(Intent { subject: None, want: Want::Compound { steps } })
}

/// `attack it` means the target attacked before.
fn take_pronoun(part: &[String], intent: &mut Intent, named: Option<&str>) {
    let (Want::Attack { target } | Want::UseAbility { target: Some(target), .. }, Some(named)) =
        (&mut intent.want, named)
    else {
        return;
    };
    if part.last().is_some_and(|w| is(&PRONOUNS, w)) {
        *target = named.to_string();
    }
}

/// An ability by name: after a casting verb, or (bare) anywhere.
fn ability(words: &[String], after_verb: bool) -> Option<Want> {
    if after_verb && !words.iter().any(|w| is(&CAST, w)) {
        return None;
    }
    let text = words.join(" ");
    let (phrase, id) = ABILITIES.iter().find(|(phrase, _)| contains_phrase(&text, phrase))?;
    let length = phrase.split(' ').count();
    let at = words.windows(length).position(|w| w.join(" ") == *phrase)?;
    let target = target(&words[at + length..]).unwrap_or_else(|| NEAREST.to_string());
    Some(Want::UseAbility { ability: id.to_string(), target: Some(target) })
}

fn attack(words: &[String]) -> Option<Want> {
    // `poison wolf` and `heal bram` are abilities although no verb says so.
    if let Some(at) = words.iter().position(|w| is(&ATTACK, w)) {
        let target = target(&words[at + 1..]).unwrap_or_else(|| NEAREST.to_string());
        return Some(Want::Attack { target });
    }
    let at = words.iter().position(|w| is(&ATTACK_FORMS, w))?;
    let selected = target(&words[at + 1..]).filter(|t| t.contains('_'));
    Some(Want::Attack { target: selected.unwrap_or_else(|| NEAREST.to_string()) })
}

/// `4,6` or `4 6`.
fn coordinates(words: &[String]) -> Option<Want> {
    let number = |w: &String| w.parse::<i64>().ok();
    for at in 0..words.len() {
        let Some(x) = number(&words[at]) else { continue };
        let comma = words.get(at + 1).is_some_and(|w| w == ",");
        if let Some(y) = words.get(at + 1 + usize::from(comma)).and_then(number) {
            return Some(Want::MoveTo { x, y });
        }
    }
    None
}

/// A direction, with a number before or behind it.
fn heading(words: &[String]) -> Option<Want> {
    let towards = words.iter().position(|w| direction(w).is_some())?;
    let direction = direction(&words[towards])?;
    let distance = words.iter().find_map(|w| w.parse::<i64>().ok()).filter(|n| *n >= 1);
    Some(Want::MoveDirection { direction, distance })
}

fn approach(words: &[String]) -> Option<Want> {
    let moves = |w: &String| is(&MOVE, w) || is(&MOVE_FORMS, w);
    let at = words.iter().position(moves);
    // `send Ada to the wolf` keeps only `to the wolf`.
    let rest = match at {
        Some(at) => &words[at + 1..],
        None if words.first().is_some_and(|w| w == "to") => words,
        None => return None,
    };
    target(rest).map(|target| Want::Approach { target })
}

/// The words that name a target: a selector, or the rest without links.
fn target(words: &[String]) -> Option<String> {
    let rest = skip_links(words);
    let text = rest.join(" ");
    if rest.is_empty() || (rest.len() == 1 && is(&PRONOUNS, &rest[0])) {
        return None;
    }
    Some(selector(&text).map_or(text, str::to_string))
}

fn skip_links(words: &[String]) -> &[String] {
    let start = words.iter().position(|w| !is(&LINKS, w)).unwrap_or(words.len());
    &words[start..]
}

fn selector(text: &str) -> Option<&'static str> {
    let has = |options: &[&str]| options.iter().any(|w| contains_phrase(text, w));
    let foe = has(&FOES);
    let friend = has(&["ally", "friend", "comrade", "companion"]);
    match () {
        () if has(&["me", "myself", "self"]) => Some("self"),
        () if friend && has(&["injured", "wounded", "hurt", "weakest"]) => Some("most_injured_ally"),
        () if friend => Some("nearest_ally"),
        () if foe && has(&WEAKEST) => Some("weakest_hostile"),
        () if foe && has(&STRONGEST) => Some("strongest_hostile"),
        () if WEAKEST.contains(&text) => Some("weakest_hostile"),
        () if STRONGEST.contains(&text) => Some("strongest_hostile"),
        () if foe && plain(text) || text == "nearest" || text == "closest" => Some(NEAREST),
        () => SELECTORS.into_iter().find(|s| *s == text),
    }
}

/// Words for a foe.
const FOES: [&str; 8] = ["enemy", "foe", "hostile", "opponent", "monster", "target", "enemies", "foes"];
/// Words for whoever has the fewest hit points.
const WEAKEST: [&str; 13] = [
    "weakest",
    "lowest hp",
    "lowest health",
    "least hp",
    "least health",
    "fewest hit points",
    "most wounded",
    "most injured",
    "most hurt",
    "worst wounded",
    "sickest",
    "dying",
    "smallest",
];
/// Words for whoever has the most.
const STRONGEST: [&str; 9] = [
    "strongest",
    "toughest",
    "biggest",
    "largest",
    "highest hp",
    "highest health",
    "most hp",
    "most health",
    "healthiest",
];

/// Nothing beside the word for a foe that would say which one: a word passed over might be the one
/// that matters.
fn plain(text: &str) -> bool {
    const SAY_NOTHING: [&str; 16] = [
        "the", "1", "any", "next", "nearest", "closest", "that", "this", "my", "our", "with", "sword", "now",
        "first", "some", "please",
    ];
    text.split(' ').all(|word| FOES.contains(&word) || SAY_NOTHING.contains(&word))
}

const SELECTORS: [&str; 7] =
    [ACTIVE, "self", NEAREST, "weakest_hostile", "strongest_hostile", "most_injured_ally", "nearest_ally"];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn understood(text: &str, expected: serde_json::Value) {
        assert_eq!(parse(text).to_json(), expected, "{text:?}");
    }

    #[test]
    fn subjects_are_taken_from_orders_and_verbs() {
        understood(
            "have Cora go north",
            json!({"subject": "cora", "direction": "north", "type": "move_direction"}),
        );
        understood("send Dell to 3,4", json!({"subject": "dell", "x": 3, "y": 4, "type": "move_to"}));
        understood(
            "Cora attacks the bog ghoul",
            json!({"subject": "cora", "target": "nearest_hostile", "type": "attack"}),
        );
    }

    #[test]
    fn pronouns_mean_the_target_attacked_before() {
        let intent = parse("attack the ghoul and then cast firebolt at it").to_json();
        assert_eq!(intent["steps"][1]["target"], "ghoul");
        // A mere approach names nobody to attack.
        let intent = parse("walk to the ghoul and attack it").to_json();
        assert_eq!(intent["steps"][1]["target"], "nearest_hostile");
    }

    #[test]
    fn numbers_may_be_words() {
        understood("go a few north", json!({"subject": "active", "x": 1, "y": 3, "type": "move_to"}));
        understood(
            "walk ten steps east",
            json!({"subject": "active", "direction": "east", "distance": 10, "type": "move_direction"}),
        );
    }

    #[test]
    fn words_that_say_whom_are_heard() {
        for (text, target) in [
            ("attack the enemy with the lowest hp", "weakest_hostile"),
            ("attack the most wounded foe", "weakest_hostile"),
            ("hack the biggest enemy", "strongest_hostile"),
            ("attack lowest hp", "weakest_hostile"),
            ("cleave the nearest foe", "nearest_hostile"),
            // What is not known is not passed over: nobody is called so, and the order is refused.
            ("attack the ugliest enemy", "ugliest enemy"),
        ] {
            assert_eq!(parse(text).to_json()["target"], target, "{text:?}");
        }
        for (text, from) in [
            ("flee the strongest enemy", "strongest_hostile"),
            ("escape the wolf", "wolf"),
            ("retreat to safety", "nearest_hostile"),
            ("run away from the imp", "imp"),
        ] {
            assert_eq!(parse(text).to_json()["from"], from, "{text:?}");
        }
    }

    #[test]
    fn nonsense_is_unknown_and_never_an_error() {
        for text in ["", "   ", "sing a song", "cast", "and then and", ",,,", "ß ÿ 🐉"] {
            assert!(parse(text).is_unknown(), "{text:?}");
        }
    }
}
