//! The page as it lies in the tree.

use std::path::Path;

/// The scripts of the page: their names and texts.
fn scripts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let scripts = files.filter(|path| path.extension().is_some_and(|end| end == "js"));
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    scripts.map(|path| (name(&path), std::fs::read_to_string(&path).unwrap())).collect()
}

/// The names of the texts in `words.js`: those of the outermost braces.
fn names(words: &str) -> Vec<String> {
    let (mut names, mut depth, mut quote, mut word) = (Vec::new(), 0, None, String::new());
    let mut letters = words[words.find("W = {").unwrap()..].chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(_), '\\') => _ = letters.next(),
            (Some(open), _) => quote = Some(open).filter(|open| *open != letter),
            (None, '\'' | '`') => quote = Some(letter),
            (None, '{' | '[' | '(') => depth += 1,
            (None, '}' | ']' | ')') => depth -= 1,
            (None, ':') if depth == 1 && !word.is_empty() => names.push(std::mem::take(&mut word)),
            (None, _) if letter.is_alphanumeric() => {
                word.push(letter);
                continue;
            }
            (None, _) => {}
        }
        word.clear();
    }
    names
}

/// What is said anywhere is in one place, and what is there is said somewhere.
#[test]
fn every_word_of_the_page_is_used() {
    let scripts = scripts();
    let words = &scripts.iter().find(|(name, _)| name == "words.js").unwrap().1;
    let names = names(words);
    assert!(names.len() > 100 && names.iter().any(|name| name == "yourTurn"), "{names:?}");
    let used = |name: &str| {
        let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        let wanted = format!("W.{name}");
        scripts.iter().any(|(_, text)| text.split(&wanted).skip(1).any(ends))
    };
    let dead: Vec<&String> = names.iter().filter(|name| !used(name)).collect();
    assert!(dead.is_empty(), "nobody says {dead:?}");
    for (file, text) in &scripts {
        for part in text.split("W.").skip(1) {
            let name: String = part.chars().take_while(|letter| letter.is_alphanumeric()).collect();
            assert!(names.contains(&name), "{file} says W.{name}, which is nowhere");
        }
    }
}
