//! Everything a player reads in a run is words: no identifiers, no debug output, no empty options.

use std::collections::BTreeSet;
use std::sync::Arc;

use turnstone::{Match, Viewer};
use turnstone_host::scene::Scene;
use turnstone_host::{Hosted, Player};
use turnstone_spire::run::Setup;
use turnstone_spire::{Ruleset, Spire};

use crate::players::{CHARACTERS, heuristic, random};

/// Whether a sentence looks like something from inside the program: `Hit { to: 1 }`, `jaw_worm`, `RewardTaken(2)`.
fn raw(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let camel = letters.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase());
    let call = letters.windows(2).any(|pair| pair[0].is_alphabetic() && "([".contains(pair[1]));
    camel || call || text.contains(['{', '}', '_', '`']) || text.contains("::")
}

/// Sentences that no player should see.
#[derive(Default)]
pub struct Poor(pub BTreeSet<String>);

impl Poor {
    pub fn read(&mut self, what: &str, text: &str) {
        if raw(text) {
            self.0.insert(format!("{what}: {text}"));
        }
    }

    /// A text that has to say something.
    pub fn need(&mut self, what: &str, text: &str) {
        if text.trim().is_empty() {
            self.0.insert(format!("{what}: nothing"));
        }
        self.read(what, text);
    }

    pub fn look(&mut self, scene: &Scene) {
        self.need("title", &scene.title);
        scene.question.iter().for_each(|question| self.need("question", question));
        for option in &scene.options {
            self.need("option", &option.label);
            self.read("preview", &option.preview);
        }
        for panel in &scene.panels {
            self.need("panel", &panel.title);
            for item in &panel.items {
                self.read(&panel.title, &item.text);
                self.read(&panel.title, &item.note);
            }
        }
        for cell in scene.board.iter().flat_map(|board| &board.cells) {
            self.read("map", &cell.note);
        }
    }

    /// Plays a run and reads all of it.
    fn play(&mut self, game: &Arc<Spire>, setup: Setup, seed: u64, bot: &mut Player<Spire>) {
        let mut run = Match::<Spire>::new(game.clone(), setup, seed).expect("a run");
        for _ in 0..INPUTS {
            let inputs = run.inputs();
            if inputs.is_empty() {
                break;
            }
            self.look(&game.scene(run.position(), &inputs, Viewer::Seat(0)));
            let chosen = bot.choose(game, run.position(), &inputs, run.depth());
            let moment = run.act(inputs[chosen].clone()).expect("an offered input");
            for line in &run.explain(moment).lines {
                self.need("line", &line.text);
            }
        }
        self.look(&game.scene(run.position(), &[], Viewer::Seat(0)));
    }
}

/// As much of a run as is read.
const INPUTS: usize = 2_000;

#[test]
fn everything_that_is_told_in_a_run_is_words() {
    let game = Arc::new(Spire::builtin(Ruleset::Classic).expect("content"));
    let mut poor = Poor::default();
    for character in CHARACTERS {
        for seed in 0..25 {
            poor.play(&game, Setup::run(character, 0), seed, &mut random(seed));
        }
        for seed in 0..5 {
            poor.play(&game, Setup::run(character, 20), seed, &mut heuristic());
        }
    }
    assert!(poor.0.is_empty(), "{:#?}", poor.0);
}

#[test]
fn what_is_raw_is_seen() {
    for text in ["Hit { to: 1 }", "jaw_worm", "RewardTaken", "Take Some(3)", "`x`", "tower::End"] {
        assert!(raw(text), "{text}");
    }
    for text in
        ["Take 15 gold", "J.A.X. is created", "6 +2 Strength ×1.5 Vulnerable = 12 (9 lost)", "To floor 3"]
    {
        assert!(!raw(text), "{text}");
    }
}
