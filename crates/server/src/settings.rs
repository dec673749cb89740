//! Every limit there is, in one place. Each has a clear answer when it is reached; a file of settings may change
//! any of them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnstone_table::nearest;

/// The limits of a server. `GET /api/limits` shows them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Bytes in a frame that is heard (`TOO_LONG`, and the socket is closed with 1009).
    pub frame: usize,
    /// Bytes in a body of HTTP (`TOO_LONG`).
    pub body: usize,
    /// Bytes in a match file that is imported (`TOO_LONG`).
    pub file: usize,
    /// Characters of something said (`TOO_LONG`).
    pub text: usize,
    /// Characters of a name (`TOO_LONG`).
    pub name: usize,
    /// Messages a second that a socket may send for long (`TOO_FAST`).
    pub messages_per_second: u32,
    /// Messages that a socket may send at once (`TOO_FAST`).
    pub messages_at_once: u32,
    /// Messages that wait for a slow reader before its socket is closed with 4008.
    pub outbox: usize,
    /// Sockets and streams of one address (`TOO_MANY`).
    pub sockets_per_address: usize,
    /// Sockets and streams of all (`TOO_MANY`).
    pub sockets: usize,
    /// Connections that are open and no sockets yet; more are cut at once.
    pub connections: usize,
    /// Connections of one address that are open and no sockets yet, streams among them (`TOO_MANY`); not counted behind
    /// a proxy, whose connections they all are.
    pub connections_per_address: usize,
    /// Seconds in which the head of a request must come; else the connection is cut.
    pub head: u64,
    /// Seconds in which something of an answer or a stream must be taken; else the connection is cut.
    pub taking: u64,
    /// Matches that one address may open in a minute (`TOO_FAST`).
    pub matches_per_minute: u32,
    /// Requests over HTTP that one address may make in a second for long (`TOO_FAST`).
    pub requests_per_second: u32,
    /// Matches that are kept (`TOO_MANY`).
    pub matches: usize,
    /// Matches that are awake at once (`BUSY`).
    pub awake: usize,
    /// Spectators of a match (`TOO_MANY`).
    pub spectators: usize,
    /// Moments of a match (`TOO_MANY`).
    pub moments: u32,
    /// Things said in a match (`TOO_MANY`).
    pub chat: usize,
    /// Inputs of one what-if (`TOO_MANY`).
    pub tries: usize,
    /// Changes that are told one by one to who sends (`POST …/send`) what is `STALE`; of more only the newest.
    pub missed: usize,
    /// Thoughts that may wait for the pool (`BUSY`).
    pub thoughts: usize,
    /// Hints, reviews, forecasts and what-ifs that a socket may have under way at once (`BUSY`).
    pub studies: usize,
    /// Threads for thinking; 0 for one less than there are cores.
    pub thinkers: usize,
    /// Seconds without anybody after which a match sleeps.
    pub idle: u64,
    /// Seconds in which the first message must come.
    pub hello: u64,
    /// Seconds between pings.
    pub ping: u64,
    /// Seconds of silence after which a socket is closed.
    pub silence: u64,
    /// Days for which a finished match is kept; 0 for ever.
    pub keep_finished_days: u32,
    /// Days for which a match is kept in which nothing is done any more; 0 for ever.
    pub keep_idle_days: u32,
    /// The server stands behind a proxy that appends the true address to `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// Sites, such as `https://table.example`, whose pages may talk to this server besides its own.
    pub origins: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            frame: 8 * 1024,
            body: 64 * 1024,
            file: 8 * 1024 * 1024,
            text: 500,
            name: 40,
            messages_per_second: 10,
            messages_at_once: 40,
            outbox: 64,
            sockets_per_address: 50,
            sockets: 20_000,
            connections: 10_000,
            connections_per_address: 200,
            head: 10,
            taking: 30,
            matches_per_minute: 20,
            requests_per_second: 50,
            matches: 1_000_000,
            awake: 5_000,
            spectators: 500,
            moments: 20_000,
            chat: 2_000,
            tries: 64,
            missed: 200,
            thoughts: 1024,
            studies: 4,
            thinkers: 0,
            idle: 300,
            hello: 10,
            ping: 15,
            silence: 45,
            keep_finished_days: 0,
            keep_idle_days: 0,
            behind_proxy: false,
            origins: Vec::new(),
        }
    }
}

impl Settings {
    /// Reads a file of settings; what it does not name stays as it is.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(text: &str) -> Result<Self, String> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
        let Value::Object(known) = json!(Settings::default()) else { return Err("no settings".to_owned()) };
        let names = || known.keys().map(String::as_str);
        match table.keys().find(|name| !known.contains_key(*name)) {
            Some(name) => Err(no_such_setting(name, nearest(name, names()))),
            None => toml::from_str(text).map_err(|error| error.to_string()),
        }
    }
}

fn no_such_setting(name: &str, meant: Option<&str>) -> String {
    let meant = meant.map_or_else(
        || "GET /api/limits lists all there are".to_owned(),
        |meant| format!("did you mean \"{meant}\"?"),
    );
    format!("there is no setting \"{name}\"; {meant}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_changes_what_it_names_and_nothing_else() {
        let read = Settings::read("frame = 100\norigins = [\"https://a.example\"]\n").unwrap();
        assert_eq!((read.frame, read.body), (100, Settings::default().body));
        assert!(Settings::read("frame = 1 2\n").is_err() && Settings::read("frame = \"x\"\n").is_err());
    }

    #[test]
    fn an_unknown_setting_is_refused_with_the_nearest_name() {
        let refusal = |text: &str| Settings::read(text).unwrap_err();
        assert_eq!(refusal("fraem = 100\n"), "there is no setting \"fraem\"; did you mean \"frame\"?");
        assert_eq!(
            refusal("colour_of_the_page = 3\n"),
            "there is no setting \"colour_of_the_page\"; GET /api/limits lists all there are"
        );
    }
}
