//! No card, relic, potion, event, monster, encounter, character, power, orb, stance or gift of Neow's is named in the
//! rules: what they do stands in their entries. If a rule needs a name, a verb, a moment or a stage is missing.

use std::path::{Path, PathBuf};

use turnstone_spire::catalog::{Content, Sources};

/// A comment that begins so says why the lines below it name content, up to the next empty one: benchmarks time named
/// fights, bots have tastes, help has examples.
const MAY_NAME: &str = "// Names content: ";

/// Ids that are also words of the language of content, or of the screens, and where they are.
const WORDS: [(&str, &str); 19] = [
    ("asleep", "scene.rs"),
    ("boss_relic", "run/"),
    ("boss_relic", "waiting.rs"),
    ("burn", ""),
    ("chosen", ""),
    ("confused", "view.rs"),
    ("curse", ""),
    ("decay", ""),
    ("focus", "catalog/"),
    ("mantra", "run/gym.rs"),
    ("mark", "catalog/"),
    ("metallicize", ""),
    ("minion", "catalog/"),
    ("minion", "run/gym.rs"),
    ("neutral", "catalog/"),
    ("stack", ""),
    ("strength", "catalog/"),
    ("thorns", "catalog/words.rs"),
    ("weak", "catalog/words.rs"),
];

fn ids() -> Vec<String> {
    let content = Content::load(&Sources::builtin("classic")).expect("content");
    let mut ids: Vec<String> = Vec::new();
    ids.extend(content.cards.iter().map(|entry| entry.common.id.clone()));
    ids.extend(content.relics.iter().map(|entry| entry.common.id.clone()));
    ids.extend(content.potions.iter().map(|entry| entry.common.id.clone()));
    ids.extend(content.monsters.iter().map(|entry| entry.common.id.clone()));
    ids.extend(content.encounters.iter().map(|entry| entry.common.id.clone()));
    ids.extend(content.characters.iter().map(|entry| entry.common.id.clone()));
    ids.extend(content.events.iter().map(|event| event.common.id.clone()));
    ids.extend(content.powers.iter().map(|entry| entry.common.id.clone()));
    ids.extend(content.orbs.iter().map(|entry| entry.common.id.clone()));
    ids.extend(content.stances.iter().map(|entry| entry.common.id.clone()));
    ids.extend(content.gifts.iter().map(|entry| entry.common.id.clone()));
    ids
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push(path);
        }
    }
}

/// `ResetPenNib` as `reset_pen_nib`.
fn snake(line: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in line.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
        before = c;
    }
    out
}

/// Whether a line names an id: any as a string, one of several words also as a name of the code.
fn names(line: &str, id: &str) -> bool {
    if line.contains(&format!("\"{id}\"")) {
        return true;
    }
    let part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let mut found = line.match_indices(id).filter(|(at, _)| {
        !part(line[..*at].chars().next_back()) && !part(line[at + id.len()..].chars().next())
    });
    id.contains('_') && found.next().is_some()
}

#[test]
fn rules_name_no_content() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (ids, mut files, mut faults) = (ids(), Vec::new(), Vec::new());
    sources(&root, &mut files);
    for path in files {
        let name = path.strip_prefix(&root).expect("below src").display().to_string().replace('\\', "/");
        if name.ends_with("tests.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a file");
        let rules = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let is_word = |id: &str| WORDS.iter().any(|(word, file)| *word == id && name.starts_with(file));
        let mut exempt = false;
        for (number, line) in (1..).zip(rules.lines()) {
            exempt = line.trim_start().starts_with(MAY_NAME) || exempt && !line.trim().is_empty();
            // Verbs have examples of content.
            if exempt || name == "catalog/verb.rs" && line.contains("r#\"{") {
                continue;
            }
            let code = snake(line.split("//").next().unwrap_or_default());
            let named = ids.iter().filter(|id| names(&code, id) && !is_word(id));
            faults.extend(named.map(|id| format!("{name}:{number}: {id}")));
        }
    }
    assert!(faults.is_empty(), "content named in rules:\n{}", faults.join("\n"));
}

#[test]
fn names_are_found_in_strings_and_in_code() {
    assert!(names(&snake("relic(\"vajra\")"), "vajra") && names(&snake("Effect::ResetPenNib,"), "pen_nib"));
    assert!(!names(&snake("let open = anchored;"), "anchor") && !names(&snake("self.pen_nibs"), "pen_nib"));
}

/// Files that count in floats of their own: numbers for learners, bots that weigh, benchmarks.
const MAY_FLOAT: [&str; 6] =
    ["floats.rs", "bench.rs", "run/bench.rs", "run/gym.rs", "run/climber/", "run/tactics.rs"];

#[test]
fn rules_have_no_floats_but_in_one_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut files, mut faults) = (Vec::new(), Vec::new());
    sources(&root, &mut files);
    for path in files {
        let name = path.strip_prefix(&root).expect("below src").display().to_string().replace('\\', "/");
        if MAY_FLOAT.iter().any(|may| name.starts_with(may)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a file");
        let rules = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for (number, line) in (1..).zip(rules.lines()) {
            let code = line.split("//").next().unwrap_or_default();
            let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
            if words.any(|word| word.ends_with("f32") || word.ends_with("f64")) {
                faults.push(format!("{name}:{number}: {}", line.trim()));
            }
        }
    }
    assert!(faults.is_empty(), "floats in rules:\n{}", faults.join("\n"));
}
