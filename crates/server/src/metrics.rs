//! What a server counts, as Prometheus reads it, and its log lines.

use std::sync::Once;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

/// Something that only grows.
#[derive(Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// More of it.
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    /// How much.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Something that comes and goes.
#[derive(Default)]
pub struct Gauge(AtomicI64);

impl Gauge {
    /// More or less of it.
    pub fn add(&self, more: i64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    /// How much.
    pub fn get(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Upper bounds of the classes of durations, in microseconds.
const BOUNDS: [u64; 14] =
    [100, 250, 500, 1000, 2000, 3000, 5000, 10_000, 20_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000];

/// How long something takes.
#[derive(Default)]
pub struct Durations {
    classes: [AtomicU64; BOUNDS.len()],
    count: AtomicU64,
    micros: AtomicU64,
}

impl Durations {
    /// It took so long.
    pub fn observe(&self, took: Duration) {
        let micros = took.as_micros() as u64;
        if let Some(class) = BOUNDS.iter().position(|bound| micros <= *bound) {
            self.classes[class].fetch_add(1, Ordering::Relaxed);
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    fn write(&self, name: &str, help: &str, out: &mut String) {
        out.push_str(&format!("# HELP {name} {help}\n# TYPE {name} histogram\n"));
        let mut sum = 0;
        for (bound, class) in BOUNDS.iter().zip(&self.classes) {
            sum += class.load(Ordering::Relaxed);
            out.push_str(&format!("{name}_bucket{{le=\"{}\"}} {sum}\n", *bound as f64 / 1e6));
        }
        let count = self.count.load(Ordering::Relaxed);
        let seconds = self.micros.load(Ordering::Relaxed) as f64 / 1e6;
        out.push_str(&format!(
            "{name}_bucket{{le=\"+Inf\"}} {count}\n{name}_sum {seconds}\n{name}_count {count}\n"
        ));
    }
}

/// Everything that is counted.
#[derive(Default)]
pub struct Metrics {
    /// Inputs that were accepted.
    pub inputs: Counter,
    /// Messages that were heard.
    pub heard: Counter,
    /// Messages that were refused.
    pub refused: Counter,
    /// Messages that were sent.
    pub told: Counter,
    /// Readers that were too slow.
    pub slow: Counter,
    /// Requests over HTTP.
    pub requests: Counter,
    /// Lines that were appended.
    pub lines: Counter,
    /// Appends that the store could not do.
    pub storage_errors: Counter,
    /// Matches that were opened.
    pub opened: Counter,
    /// Matches that were woken.
    pub woken: Counter,
    /// Sockets and streams.
    pub sockets: Gauge,
    /// Matches that are awake.
    pub awake: Gauge,
    /// From an input heard to its durable broadcast.
    pub acts: Durations,
    /// One durable step of the store.
    pub commits: Durations,
}

impl Metrics {
    /// As Prometheus reads it.
    pub fn text(&self, extra: &[(&str, &str, i64)]) -> String {
        let mut out = String::new();
        let counters = [
            ("turnstone_inputs_total", "Inputs that were accepted", &self.inputs),
            ("turnstone_heard_total", "Messages that were heard", &self.heard),
            ("turnstone_refused_total", "Messages that were refused", &self.refused),
            ("turnstone_told_total", "Messages that were sent", &self.told),
            ("turnstone_slow_total", "Readers that were too slow", &self.slow),
            ("turnstone_requests_total", "Requests over HTTP", &self.requests),
            ("turnstone_lines_total", "Lines that were appended", &self.lines),
            ("turnstone_storage_errors_total", "Appends that failed", &self.storage_errors),
            ("turnstone_matches_opened_total", "Matches that were opened", &self.opened),
            ("turnstone_matches_woken_total", "Matches that were woken", &self.woken),
        ];
        let counted = counters.map(|(name, help, counter)| (name, help, counter.get()));
        let panics = ("turnstone_panics_total", "Faults of this program that ended a task", PANICS.get());
        for (name, help, count) in counted.into_iter().chain([panics]) {
            out.push_str(&format!("# HELP {name} {help}\n# TYPE {name} counter\n{name} {count}\n"));
        }
        let own = [
            ("turnstone_sockets", "Sockets and streams", self.sockets.get()),
            ("turnstone_matches_awake", "Matches that are awake", self.awake.get()),
        ];
        for (name, help, value) in own.iter().chain(extra) {
            out.push_str(&format!("# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}\n"));
        }
        self.acts.write("turnstone_act_seconds", "From an input to its durable broadcast", &mut out);
        self.commits.write("turnstone_commit_seconds", "One durable step of the store", &mut out);
        out
    }
}

/// Panics of this process, wherever they were caught.
static PANICS: Counter = Counter(AtomicU64::new(0));

/// Counts panics from now on, and tells them as before.
pub fn count_panics() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            PANICS.add(1);
            tell(panic);
        }));
    });
}

/// Milliseconds since 1970.
pub fn wall_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_millis() as i64)
}

/// Writes a structured line to standard error.
pub fn log(level: &str, what: &str, facts: Value) {
    let mut line = json!({ "at": wall_ms(), "level": level, "what": what });
    if let (Some(line), Value::Object(facts)) = (line.as_object_mut(), facts) {
        line.extend(facts);
    }
    eprintln!("{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_counted_also_where_it_is_caught() {
        count_panics();
        let before = PANICS.get();
        assert!(std::thread::spawn(|| panic!("on purpose")).join().is_err());
        assert!(PANICS.get() > before);
        assert!(
            Metrics::default().text(&[]).contains(&format!("\nturnstone_panics_total {}\n", PANICS.get()))
        );
    }
}
