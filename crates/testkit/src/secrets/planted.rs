//! Leaks that are planted, to see that they are noticed in every game: one secret slips out of a table in one way, or a
//! bot is told it.

use serde_json::{Value, json};
use turnstone::dice::Lots;
use turnstone::digest::Digest;
use turnstone::explain::Explanation;
use turnstone::file::Verified;
use turnstone::{Moment, Outcome, Rejection, Seat, Viewer};
use turnstone_host::scene::Scene;
use turnstone_host::{Bot, Hosted, Sight, TimeOut};
use turnstone_table::{BranchLine, Reasons, Story, Table, Thinking};

/// How a planted secret slips out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A line of the scene tells it.
    Scene,
    /// The words of an option do.
    Label,
    /// What happened is told with it.
    News,
    /// A refusal says it.
    Error,
    /// Nothing is said, but a bot that plays the seat knows it.
    Bot,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 5] = [Way::Scene, Way::Label, Way::News, Way::Error, Way::Bot];
}

/// What is planted, to see that it is noticed. Nothing else is then tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planted {
    /// The secret, by its name in [`secrets`](turnstone_host::Secretive::secrets).
    pub secret: &'static str,
    /// How it slips out.
    pub way: Way,
}

/// A secret of a game and where it lies: at these places of a position as JSON.
#[derive(Clone, Debug)]
pub(super) struct Leak {
    pub way: Way,
    places: Vec<String>,
}

impl Leak {
    /// Lies where two positions differ that differ in nothing else.
    pub fn between(way: Way, one: &dyn Table, other: &dyn Table) -> Self {
        let mut places = Vec::new();
        differing(&truth(one), &truth(other), &mut String::new(), &mut places);
        Leak { way, places }
    }

    /// What the secret is at a table.
    pub fn told(&self, table: &dyn Table) -> String {
        let truth = truth(table);
        let values = self.places.iter().map(|place| truth.pointer(place).unwrap_or(&Value::Null).to_string());
        values.collect::<Vec<_>>().join(" ")
    }
}

/// The position as its keeper knows it.
fn truth(table: &dyn Table) -> Value {
    table.sample(Viewer::All, 0).unwrap_or_default()
}

/// The places at which two values differ, as JSON pointers.
fn differing(one: &Value, other: &Value, place: &mut String, places: &mut Vec<String>) {
    let length = place.len();
    let mut look = |step: &str, one: &Value, other: &Value| {
        *place += "/";
        *place += &step.replace('~', "~0").replace('/', "~1");
        differing(one, other, place, places);
        place.truncate(length);
    };
    match (one, other) {
        (Value::Object(one), Value::Object(other)) if one.keys().eq(other.keys()) => {
            one.iter().for_each(|(key, value)| look(key, value, &other[key]));
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let both = one.iter().zip(other).enumerate();
            both.for_each(|(at, (one, other))| look(&at.to_string(), one, other));
        }
        (one, other) if one != other => places.push(place.clone()),
        _ => {}
    }
}

/// A bot that was told a secret and plays by it.
pub(super) struct Peeker {
    pub secret: String,
}

impl<G: Hosted> Bot<G> for Peeker {
    fn choose(&mut self, sight: &Sight<'_, G>, _: &mut Lots) -> usize {
        let digest = turnstone::digest::digest(&self.secret);
        usize::from(digest.0[0]) % sight.inputs().len()
    }
}

/// A table with a leak. All else it says as it is.
pub(super) struct Leaky {
    pub table: Box<dyn Table>,
    pub leak: Leak,
}

impl Leaky {
    fn slips(&self, way: Way) -> Option<String> {
        (self.leak.way == way).then(|| self.leak.told(&*self.table))
    }
}

macro_rules! as_it_is {
    ($(fn $name:ident(&self $(, $argument:ident: $type:ty)*) -> $what:ty;)*) => {
        $(fn $name(&self $(, $argument: $type)*) -> $what {
            self.table.$name($($argument),*)
        })*
    };
    ($(fn $name:ident(&mut self $(, $argument:ident: $type:ty)*) -> $what:ty;)*) => {
        $(fn $name(&mut self $(, $argument: $type)*) -> $what {
            self.table.$name($($argument),*)
        })*
    };
}

impl Table for Leaky {
    fn scene(&self, viewer: Viewer) -> Scene {
        let mut scene = self.table.scene(viewer);
        scene.title.extend(self.slips(Way::Scene));
        if let Some(option) = scene.options.first_mut() {
            option.label.extend(self.slips(Way::Label));
        }
        scene
    }

    fn news(&self, moment: Moment, viewer: Viewer) -> Vec<Value> {
        let mut news = self.table.news(moment, viewer);
        news.extend(self.slips(Way::News).map(|secret| json!({ "event": secret })));
        news
    }

    fn act_from(&mut self, seat: Seat, input: &Value) -> Result<Moment, Rejection> {
        let slips = self.slips(Way::Error);
        self.table.act_from(seat, input).map_err(|refusal| match slips {
            Some(secret) => Rejection::new(refusal.code().to_owned(), format!("{secret}: {refusal}")),
            None => refusal,
        })
    }

    fn tag(&mut self, tags: &[(String, String)]) {
        self.table.tag(tags);
    }

    as_it_is! {
        fn game(&self) -> &'static str;
        fn seed(&self) -> u64;
        fn seed_text(&self) -> String;
        fn ruleset(&self) -> Value;
        fn seats(&self) -> Vec<String>;
        fn actor(&self) -> Option<Seat>;
        fn outcome(&self) -> Option<Outcome>;
        fn inputs(&self, viewer: Viewer) -> Vec<Value>;
        fn parse(&self, text: &str) -> Option<Value>;
        fn parse_from(&self, seat: Seat, text: &str) -> Result<Value, Rejection>;
        fn question(&self, viewer: Viewer) -> Option<Value>;
        fn view(&self, viewer: Viewer) -> Value;
        fn log(&self, viewer: Viewer) -> Vec<Value>;
        fn hears(&self, moment: Moment, viewer: Viewer) -> bool;
        fn explain(&self, moment: Moment, viewer: Viewer) -> Explanation;
        fn story(&self, number: &str, line: &[Moment], viewer: Viewer) -> Option<Story>;
        fn here(&self) -> Moment;
        fn moments(&self) -> u32;
        fn line(&self) -> Vec<Moment>;
        fn facts(&self, moment: Moment) -> (u32, usize);
        fn told(&self, viewer: Viewer) -> Vec<Moment>;
        fn branches(&self, viewer: Viewer) -> Vec<BranchLine>;
        fn save(&self) -> Result<String, Rejection>;
        fn loaded(&self) -> Option<Verified>;
        fn differs(&self) -> &[String];
        fn digest(&self) -> Digest;
        fn tally(&self) -> Vec<(String, Value)>;
        fn appraise(&self, seat: Seat) -> Option<i32>;
        fn sequel(&self) -> Option<String>;
        fn fork(&self) -> Box<dyn Table>;
        fn branch(&self) -> Result<Box<dyn Table>, Rejection>;
        fn at(&self, moment: Moment) -> Result<Box<dyn Table>, Rejection>;
        fn imagine(&self, moment: Moment, viewer: Viewer, world: u64) -> Result<Box<dyn Table>, Rejection>;
        fn sample(&self, viewer: Viewer, world: u64) -> Result<Value, Rejection>;
        fn hides(&self, viewer: Viewer) -> bool;
        fn steps(&self, moment: Moment) -> Vec<Value>;
        fn parts(&self, moment: Moment, viewer: Viewer) -> Vec<Scene>;
        fn bots(&self) -> Vec<(Seat, String)>;
        fn think(&self) -> Option<Thinking>;
        fn why(&self, moment: Moment, bot: &str) -> Result<Reasons, Rejection>;
        fn time_out(&self, seat: Seat) -> Option<TimeOut<Value>>;
    }

    as_it_is! {
        fn act(&mut self, input: &Value) -> Result<Moment, Rejection>;
        fn choose(&mut self, number: usize) -> Result<Moment, Rejection>;
        fn choose_from(&mut self, seat: Seat, number: usize) -> Result<Moment, Rejection>;
        fn undo(&mut self) -> bool;
        fn redo(&mut self) -> bool;
        fn jump(&mut self, moment: Moment) -> Result<(), Rejection>;
        fn unsaved(&mut self) -> Result<String, Rejection>;
        fn close(&mut self) -> Result<String, Rejection>;
        fn stand(&mut self, position: &Value) -> Result<(), Rejection>;
        fn seat_bot(&mut self, seat: Seat, name: &str, seed: u64) -> Result<(), Rejection>;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_lies_where_two_positions_differ() {
        let one = json!({ "a": [1, { "b/c": 2 }], "d": [1, 2], "e": 5 });
        let other = json!({ "a": [1, { "b/c": 3 }], "d": [1], "e": 5 });
        let mut places = Vec::new();
        differing(&one, &other, &mut String::new(), &mut places);
        assert_eq!(places, ["/a/1/b~1c", "/d"]);
        assert_eq!(
            places.iter().map(|place| one.pointer(place)).collect::<Vec<_>>(),
            [Some(&json!(2)), Some(&json!([1, 2]))]
        );
    }
}
