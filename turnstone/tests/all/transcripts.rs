//! The transcripts in the documents are true.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Runs the binary with that input and gives its standard output.
fn answer(arguments: &str, input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnstone"))
        .args(arguments.split_whitespace())
        .env("TURNSTONE_DATA", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("the input is read");
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    assert!(output.status.success(), "{arguments}");
    String::from_utf8(output.stdout).expect("text")
}

fn document(name: &str) -> String {
    let path = format!("{}/../{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The blocks after `<!-- transcript: ARGUMENTS -->`, each with its arguments.
fn transcripts(text: &str) -> Vec<(String, String)> {
    let marked = text.split("<!-- transcript: ").skip(1);
    marked
        .map(|rest| {
            let (arguments, rest) = rest.split_once(" -->").expect("the mark is closed");
            let body = rest.split("```").nth(1).expect("a block follows the mark");
            let body = body.split_once('\n').expect("the block has lines").1;
            (arguments.to_owned(), body.to_owned())
        })
        .collect()
}

#[test]
fn the_conversation_in_the_protocol_document() {
    let found = transcripts(&document("docs/protocol.md"));
    assert_eq!(found.len(), 1);
    for (arguments, body) in found {
        let sent: String =
            body.lines().filter_map(|line| line.strip_prefix("> ")).map(|line| format!("{line}\n")).collect();
        let answers: Vec<Value> =
            answer(&arguments, &sent).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let told: Vec<Value> = body
            .lines()
            .filter(|line| !line.starts_with("> "))
            .map(|line| serde_json::from_str(line).expect("the document shows JSON"))
            .collect();
        assert_eq!(told.len(), answers.len(), "{answers:#?}");
        for (told, answer) in told.iter().zip(&answers) {
            for (key, value) in told.as_object().expect("an object") {
                assert_eq!(&answer[key], value, "{key} of {answer}");
            }
        }
    }
}

#[test]
fn the_turn_on_the_first_screen_of_the_readme() {
    let found = transcripts(&document("README.md"));
    assert!(!found.is_empty());
    for (arguments, body) in found {
        let sent: String =
            body.lines().filter_map(|line| line.strip_prefix("> ")).map(|line| format!("{line}\n")).collect();
        let said = answer(&arguments, &sent);
        for line in body.lines().filter(|line| !line.starts_with("> ") && !line.trim().is_empty()) {
            assert!(said.contains(line.trim_end()), "\"{line}\" is not in\n{said}");
        }
    }
}

/// A line with its numbers left out: they follow the content, and are measured anew by the command that stands above them.
fn without_numbers(line: &str) -> String {
    let mut out = String::new();
    for word in line.split_whitespace() {
        let mut number = false;
        for letter in word.chars() {
            if letter.is_ascii_digit() || (number && letter == '.') {
                out.extend((!number).then_some('#'));
                number = true;
            } else {
                out.push(letter);
                number = false;
            }
        }
        out.push(' ');
    }
    out
}

/// Two documents show what a boss with twice its hit points changes: what the program no longer says, they may not say.
#[test]
fn what_a_changed_boss_changes_is_told_as_the_documents_have_it() {
    let folder = format!("{}/boss-of-the-transcript", env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(format!("{folder}/boss.toml"), "[monster.hexaghost]\nhp = { 0 = 500, 9 = 528 }\n")
        .expect("a file");
    let mark =
        "$ turnstone balance spire --setup ironclad --bot heuristic --games 800 --seed 1 --compare boss\n";
    let arguments = mark.trim_start_matches("$ turnstone ").trim_end().replace("boss", &folder);
    let said: Vec<String> = answer(&arguments, "").lines().map(without_numbers).collect();
    for name in ["README.md", "docs/arena.md"] {
        let text = document(name);
        let block = text.split_once(mark).expect("the command stands there").1;
        let block = block.split_once("```").expect("the block has an end").0;
        assert!(block.lines().count() > 3, "{name}");
        for line in block.lines() {
            let parts: Vec<String> = line.split('…').map(without_numbers).collect();
            let told = |said: &String| parts.iter().all(|part| said.contains(part.trim()));
            assert!(said.iter().any(told), "{name}: \"{line}\" is not in\n{}", said.join("\n"));
        }
    }
}
