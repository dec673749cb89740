//! Makes the weights of `worth.rs`: the searcher plays games with itself, and every weight is moved until the worth of
//! the quiet positions on the way foretells best how the games ended and what the searcher thought of them.
//!
//! `TUNE_GAMES=8000 cargo test --release -p turnstone-chess --lib tune -- --ignored --nocapture` prints new weights;
//! `TUNE_FILE` keeps the positions, which are read again if there are any.

use super::weights::WEIGHTS;
use super::worth::{PHASE_MAX, TERMS, Tally, count, phase, scale};
use super::{Orders, Thinker};
use crate::bots::{Budget, Node};
use crate::color::Color;
use crate::plain::{Position, Variant};
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use turnstone::dice::{Draw, Lots, Stream};

/// Positions that a player of these games looks at.
const NODES: u64 = 500;
/// A worth of so much makes winning e times as likely as losing.
const SPREAD: f64 = 190.0;
/// How much the searcher's own opinion counts beside the result.
const OPINION: f64 = 0.5;

/// A quiet position, White's share of the point in the end, and the searcher's opinion for White.
struct Sample {
    fen: String,
    result: f64,
    score: i32,
}

/// How the game went on: who won, if somebody has.
enum Course {
    On,
    Drawn,
    Won(Color),
}

fn course(position: &Position, history: &[u64]) -> Course {
    if !position.has_legal_move() {
        return if position.in_check() { Course::Won(!position.turn()) } else { Course::Drawn };
    }
    let key = Node::key(position);
    let again = history.iter().filter(|other| **other == key).count();
    if again > 1 || position.halfmoves() >= 100 || position.insufficient_material() {
        return Course::Drawn;
    }
    Course::On
}

/// One game from a random beginning; nothing if that was lopsided.
fn play(seed: u64) -> Vec<Sample> {
    let mut lots = Lots::new(seed, Stream::named("chess/tune"));
    let thinker = Thinker::new(2);
    let mut position = Position::start(Variant::Standard);
    for _ in 0..6 + lots.below(5) {
        let moves = position.legal();
        let Some(mv) = lots.pick(&moves) else { return Vec::new() };
        position.play_unchecked(mv);
    }
    let (mut samples, mut history, mut sure) = (Vec::new(), Vec::new(), 0);
    let mut result = 0.5;
    for ply in 0..240 {
        match course(&position, &history) {
            Course::On => {}
            Course::Drawn => break,
            Course::Won(winner) => {
                result = winner.pick(1.0, 0.0);
                break;
            }
        }
        let nodes = NODES + lots.below(NODES / 2);
        let orders = Orders {
            budget: Some(Budget { nodes, depth: 30 }),
            history: history.clone(),
            ..Orders::default()
        };
        let found = thinker.think(&position, &orders, &AtomicBool::new(false), |_| {});
        let Some((best, score)) =
            found.first().and_then(|report| Some((*report.line.first()?, report.score)))
        else {
            break;
        };
        if ply == 0 && score.abs() > 200 {
            return Vec::new();
        }
        let score = score * position.turn().pick(1, -1);
        sure = if score.abs() > 1_200 { sure + 1 } else { 0 };
        if sure > 5 {
            result = if score > 0 { 1.0 } else { 0.0 };
            break;
        }
        if !super::is_loud(&best) && !position.in_check() && score.abs() < 900 {
            samples.push(Sample { fen: position.to_fen(), result: 0.0, score });
        }
        history.push(Node::key(&position));
        position.play_unchecked(&best);
    }
    for sample in &mut samples {
        sample.result = result;
    }
    samples
}

fn read(text: &str) -> Vec<Sample> {
    let line = |line: &str| {
        let mut fields = line.split(';');
        let fen = fields.next()?.to_owned();
        Some(Sample { fen, result: fields.next()?.parse().ok()?, score: fields.next()?.parse().ok()? })
    };
    text.lines().filter_map(line).collect()
}

fn samples() -> Vec<Sample> {
    let path = std::env::var("TUNE_FILE").ok();
    let kept = path.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
    if let Some(text) = kept {
        return read(&text);
    }
    let games = std::env::var("TUNE_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let samples: Vec<Sample> = (0..games).flat_map(play).collect();
    if let Some(path) = path {
        let line = |sample: &Sample| format!("{};{};{}\n", sample.fen, sample.result, sample.score);
        std::fs::write(path, samples.iter().map(line).collect::<String>())
            .expect("a place for the positions");
    }
    samples
}

/// How often each term occurs, and how the two values of a term are mixed.
struct Row {
    terms: Vec<(usize, f64)>,
    middle: f64,
    target: f64,
}

struct Counts(Vec<i32>);

impl Tally for Counts {
    fn add(&mut self, term: usize, count: i32) {
        self.0[term] += count;
    }
}

fn likely(worth: f64) -> f64 {
    1.0 / (1.0 + (-worth / SPREAD).exp())
}

/// What a sample says; nothing where the worth is bent after it was summed up.
fn row(sample: &Sample) -> Option<Row> {
    let position = Position::from_fen(&sample.fen, Variant::Standard).ok()?;
    if scale(&position, true) != 16 || scale(&position, false) != 16 {
        return None;
    }
    let mut counts = Counts(vec![0; TERMS]);
    count(&position, &mut counts);
    let terms = counts.0.iter().enumerate().filter(|(_, count)| **count != 0);
    Some(Row {
        terms: terms.map(|(term, count)| (term, f64::from(*count))).collect(),
        middle: f64::from(phase(&position)) / f64::from(PHASE_MAX),
        target: OPINION * likely(f64::from(sample.score)) + (1.0 - OPINION) * sample.result,
    })
}

impl Row {
    fn worth(&self, weights: &[[f64; 2]]) -> f64 {
        let sum =
            |part: usize| self.terms.iter().map(|(term, count)| weights[*term][part] * count).sum::<f64>();
        self.middle * sum(0) + (1.0 - self.middle) * sum(1)
    }

    fn error(&self, weights: &[[f64; 2]]) -> f64 {
        likely(self.worth(weights)) - self.target
    }
}

fn mean_error(rows: &[Row], weights: &[[f64; 2]]) -> f64 {
    rows.iter().map(|row| row.error(weights).powi(2)).sum::<f64>() / rows.len() as f64
}

/// Moves all weights against the slope of the error (Adam), and a little back to where they were, so that terms that
/// hardly occur stay sane.
fn fit(rows: &[Row], weights: &mut [[f64; 2]], rounds: i32) {
    let start = weights.to_vec();
    let (mut drift, mut swing) = (vec![[0.0; 2]; TERMS], vec![[0.0_f64; 2]; TERMS]);
    for round in 1..=rounds {
        let mut slope = vec![[0.0; 2]; TERMS];
        for row in rows {
            let guess = likely(row.worth(weights));
            let pull = (guess - row.target) * guess * (1.0 - guess);
            for (term, count) in &row.terms {
                slope[*term][0] += pull * count * row.middle;
                slope[*term][1] += pull * count * (1.0 - row.middle);
            }
        }
        for term in 0..TERMS {
            for part in 0..2 {
                let back = 2e-8 * (weights[term][part] - start[term][part]);
                let slope = slope[term][part] / rows.len() as f64 + back;
                drift[term][part] = 0.9 * drift[term][part] + 0.1 * slope;
                swing[term][part] = 0.999 * swing[term][part] + 0.001 * slope * slope;
                let (drift, swing) = (
                    drift[term][part] / (1.0 - 0.9_f64.powi(round)),
                    swing[term][part] / (1.0 - 0.999_f64.powi(round)),
                );
                weights[term][part] -= 0.7 * drift / (swing.sqrt() + 1e-12);
            }
        }
    }
}

fn print(weights: &[[f64; 2]]) -> String {
    let mut text = String::new();
    for line in weights.chunks(8) {
        let pairs: Vec<String> =
            line.iter().map(|[middle, end]| format!("({middle:.0}, {end:.0}),")).collect();
        let _ = writeln!(text, "    {}", pairs.join(" "));
    }
    text
}

/// The rows to fit, those to judge by, and the weights before and after; gives both errors of judgement.
pub(super) fn tune(rounds: i32) -> (f64, f64, String) {
    let rows: Vec<Row> = samples().iter().filter_map(row).collect();
    // Whole games: neighbours tell each other's result.
    let (judged, fitted) = rows.split_at(rows.len() / 10);
    let mut weights: Vec<[f64; 2]> =
        WEIGHTS.iter().map(|(middle, end)| [f64::from(*middle), f64::from(*end)]).collect();
    let before = mean_error(judged, &weights);
    fit(fitted, &mut weights, rounds);
    (before, mean_error(judged, &weights), print(&weights))
}

#[test]
#[ignore = "plays thousands of games"]
fn new_weights() {
    let (before, after, text) = tune(400);
    println!("error {before:.6} before, {after:.6} after\n{text}");
    assert!(after < before);
}

#[test]
fn worth_is_the_sum_of_its_terms() {
    let samples = (0..3).flat_map(play).collect::<Vec<Sample>>();
    let weights: Vec<[f64; 2]> =
        WEIGHTS.iter().map(|(middle, end)| [f64::from(*middle), f64::from(*end)]).collect();
    let mut pawns = super::worth::Pawns::new();
    assert!(samples.len() > 20);
    for (sample, row) in samples.iter().filter_map(|sample| Some((sample, row(sample)?))) {
        let position = Position::from_fen(&sample.fen, Variant::Standard).expect("its own FEN");
        let worth = super::worth::worth(&position, &mut pawns) * position.turn().pick(1, -1);
        assert!((row.worth(&weights) - f64::from(worth)).abs() < 2.0, "{}", sample.fen);
    }
}
