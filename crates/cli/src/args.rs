//! What can be typed: help, man page and completions all come from here.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Args, CommandFactory, Parser, Subcommand};
use turnstone_table::{Answer, Offer, Source};

use crate::Program;
use crate::clock::Control;
use crate::commands::games::brief;
use crate::files::read_content;

/// A deterministic rules engine for turn-based games: play, replay, explain.
#[derive(Debug, Parser)]
#[command(name = "turnstone", version, max_term_width = 100)]
#[command(after_help = "Without a command: a menu of games and saved matches.\n\n\
    Exit codes: 0 done, 1 a check failed, 2 bad usage or input. Errors begin with a code in brackets;\n\
    with --json they are one JSON object on standard error.\n\
    NO_COLOR is honoured. TURNSTONE_DATA names the directory of saved matches.")]
pub struct Cli {
    /// Where saved matches are kept [default: $TURNSTONE_DATA, or turnstone in the user's data directory]
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Everything `turnstone` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Sit down and play
    #[command(after_help = "Examples:\n  \
        turnstone play GAME --seed 7 --plain\n  \
        turnstone play skirmish\n  \
        turnstone play chess --seat black --bot white=greedy\n  \
        turnstone play chess --ruleset atomic --clock 5+3\n  \
        turnstone play grid --seed 7 --plain\n  \
        turnstone play spire --character silent --ascension 5\n  \
        turnstone play spire --daily\n  \
        turnstone play spire --map short_climb\n  \
        turnstone play spire --combat gremlin_nob --deck 'bash+, strike_ironclad*4' --relics vajra\n  \
        turnstone play spire --situation 'hand: bash; enemy: cultist 40/50 intends dark_strike'\n\n\
        Seats that are not yours are played by bots, unless --hotseat is given.\n\
        `turnstone play GAME --help` lists the options of that game.\n\
        The match is saved after every action; `turnstone resume` goes on with it.")]
    Play(Play),
    /// Go on with a saved match
    #[command(after_help = "Examples:\n  turnstone resume\n  turnstone resume my-match\n  \
        turnstone resume ~/a-match.turn --plain")]
    Resume(Resume),
    /// List the matches that were played to the end
    #[command(after_help = "Examples:\n  turnstone history\n  turnstone history spire\n  \
        turnstone history spire --json | jq '.[].tally.floor'\n\n\
        Each line names its match file: `turnstone replay NAME` steps through it.")]
    History(History),
    /// Let bots play many games and report
    #[command(after_help = "Examples:\n  \
        turnstone run skirmish --bot random --games 1000\n  \
        turnstone run chess --bot 0=greedy --bot 1=random --games 100 --json\n  \
        turnstone run spire --bot heuristic --map gauntlet --games 200\n  \
        turnstone run skirmish --bot ismcts:200 --bot 1=easy --games 20\n  \
        turnstone run skirmish --bot easy --bot 0='python3 mine.py' --games 20\n\n\
        The result depends on the seed alone, not on the number of threads.\n\
        `turnstone run GAME --help` lists the options of that game.")]
    Run(Run),
    /// Play a tournament of bots from a file, and say who is better and how sure that is
    #[command(after_help = "Examples:\n  \
        turnstone arena tournament.toml\n  \
        turnstone arena tournament.toml --report report      pictures, too: report/report.html\n  \
        turnstone arena tournament.toml --game 17.0          the match file of one game\n\n\
        Results go to tournament.jsonl. A tournament that was stopped, or killed, is taken up again; the\n\
        results do not depend on the number of threads. docs/arena.md describes the file.")]
    Arena(Arena),
    /// Let bots play many games and say what they show about the game itself
    #[command(after_help = "Examples:\n  \
        turnstone balance spire --bot heuristic --games 20000 --seed 1 --pairs 250 --report report\n  \
        turnstone balance chess --setup circus --bot greedy --games 400 --grafts 400\n  \
        turnstone balance skirmish --setup arena --bot hard --sweep difficulty --sweep 'party=fighter;fighter,cleric'\n  \
        turnstone balance grid --bot solver --games 20 --sweep setup\n  \
        turnstone balance spire --bot heuristic --games 5000 --seed 1 --compare my-cards\n\n\
        What is counted, the game says: wins, how far runs get, what fights cost, what is offered, taken and had.\n\
        With --pairs, decisions are played on both ways with the same dice, so that what a choice itself does is\n\
        seen; with --grafts, changes of the set-up (an ability more, a creature less) are tried on the same seeds.\n\
        --compare tells what differs for sure, corrected for the number of comparisons: with a directory of\n\
        content, KEY=VALUE (ruleset, setup, bot, or an option of the game), or a saved report.json.")]
    Balance(Balance),
    /// Step through a match file
    #[command(after_help = "Examples:\n  turnstone replay match.turn\n  turnstone replay match.turn | less")]
    Replay(Replay),
    /// Check that match files follow from their own set-up by today's rules
    #[command(after_help = "Examples:\n  turnstone verify *.turn\n  turnstone verify --json match.turn\n  \
        turnstone verify match.turn --commitment 9f3a… --salt 07b1…    were these the dice that were promised?\n\n\
        A server promises the seed before the first move, and tells seed and salt when the match is over.")]
    Verify(Verify),
    /// Tell why things happened in a match
    #[command(after_help = "Examples:\n  turnstone explain match.turn\n  \
        turnstone explain match.turn --at 17      the action that led to event #17\n  \
        turnstone explain match.turn --input 3    the third thing that was played\n  \
        turnstone explain match.turn --number gold    every time that the number changed, and by whom\n  \
        turnstone explain match.turn --bot ismcts:400    and what that bot weighed there")]
    Explain(Explain),
    /// Compare with golden records
    #[command(after_help = "Examples:\n  \
        turnstone conform skirmish traces/*.jsonl\n  \
        turnstone conform grid --profile head level.jsonl.gz\n\n\
        Every file may be compressed (.gz); a directory stands for its .json and .jsonl files; - is\n\
        standard input. Options that are not listed above are handed to the game. The last line is\n\
        `N passed, M failed`; the exit code is 1 if any failed.")]
    Conform(Conform),
    /// Speak JSON lines with a bot on standard input and output
    #[command(after_help = "Examples:\n  \
        turnstone protocol skirmish --seed 3\n  \
        turnstone protocol chess --seat 0 --bot 1=random\n  \
        turnstone protocol chess --exec 0=./mine --exec 1=./yours\n\n\
        The protocol is described in docs/protocol.md.")]
    Protocol(Protocol),
    /// Open a lobby: play in the browser, alone, with bots or with people elsewhere
    #[cfg(feature = "server")]
    #[command(after_help = "Examples:\n  \
        turnstone serve --open\n  \
        turnstone serve --listen                       for everybody in the same network\n  \
        turnstone serve --listen 0.0.0.0:80 --store /var/lib/turnstone/matches.db\n  \
        turnstone serve --store memory --settings limits.toml --metrics 127.0.0.1:9187\n\n\
        Matches are kept in a file; whatever was acknowledged survives any crash. docs/operating.md tells\n\
        how to run it behind a proxy, docs/server.md what programs may ask.")]
    Serve(Serve),
    /// Sit a bot or a program at a table of a server
    #[cfg(feature = "server")]
    #[command(after_help = "Examples:\n  \
        turnstone bot --connect http://127.0.0.1:7878 --match 7QkB4cVdyZ0a --token s_… --bot greedy\n  \
        turnstone bot --connect 127.0.0.1:7878 --match 7QkB4cVdyZ0a --join --name robot --exec ./mine\n\n\
        A bot of this program thinks here, about what its seat may know. A program of yours speaks the line\n\
        protocol of docs/protocol.md on its standard input and output.")]
    Bot(Bot),
    /// Measure a server under load, on this machine
    #[cfg(feature = "server")]
    #[command(after_help = "Examples:\n  \
        turnstone stress --matches 100 --seconds 20\n  \
        turnstone stress --matches 1000 --spectators 1000 --seconds 60 --json\n  \
        turnstone stress --matches 0 --idle 10000\n  \
        turnstone stress --matches 100 --seconds 3600 --inputs 60      does its memory grow?\n  \
        turnstone stress --p99 50 --times-commit 3 --memory 600        exit code 1 if it is slower or larger\n\n\
        It starts a server of its own in a temporary folder and ends it afterwards. Every match gets one\n\
        legal input a second; the time is taken until the last of its sockets has heard of it.")]
    Stress(Stress),
    /// Measure speed in CPU time
    #[command(after_help = "Examples:\n  turnstone bench\n  turnstone bench kernel/duel --seconds 3\n  \
        turnstone bench kernel --json")]
    Bench(Bench),
    /// List the games with their set-ups, rulesets and bots
    #[command(after_help = "Examples:\n  turnstone games\n  turnstone games spire\n  \
        turnstone games chess --json")]
    Games(Games),
    /// Check content files or print their schemas
    #[command(
        subcommand,
        after_help = "Examples:\n  turnstone content check\n  \
        turnstone content check my-cards --game spire\n  turnstone content schema spire content"
    )]
    Content(Content),
    /// Write a crate with a small working game, to begin one of your own
    #[command(after_help = "Examples:\n  turnstone new my-game --engine ~/turnstone\n  \
        turnstone new my-game --engine https://example.org/turnstone.git\n  turnstone new my-game --engine 0.1\n\n\
        The crate has rules, a screen, bots, and tests that prove the engine's promises on them.")]
    New(New),
    /// Play a seat of a tournament that another process plays
    #[command(hide = true)]
    PlayApart,
    /// Print the man page
    #[command(after_help = "Example:\n  turnstone man > ~/.local/share/man/man1/turnstone.1")]
    Man,
    /// Print completions for a shell
    #[command(
        after_help = "Example:\n  turnstone completions bash > ~/.local/share/bash-completion/completions/turnstone"
    )]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

/// Which match to open.
#[derive(Debug, Args)]
pub struct Opening {
    /// Which game
    pub game: String,
    /// Which set-up: a name from `turnstone games`, or a text in the game's own notation
    #[arg(long, value_name = "NAME")]
    pub setup: Option<String>,
    /// Which rules: a name from `turnstone games`
    #[arg(long, value_name = "NAME")]
    pub ruleset: Option<String>,
    /// The seed of the dice: a number, or digits and letters as in 1ABCD [default: another one every time]
    #[arg(long, value_name = "SEED", value_parser = turnstone_table::read_seed)]
    pub seed: Option<u64>,
    /// A directory of content that overlays what is built in
    #[arg(long, value_name = "DIR")]
    pub content: Option<PathBuf>,
    #[command(flatten)]
    pub wishes: Wishes,
}

/// What is handed to the game.
#[derive(Debug, Args)]
pub struct Wishes {
    /// A further wish to the game; --KEY VALUE means the same
    #[arg(short, long = "option", value_name = "KEY=VALUE", value_parser = key_value)]
    pub options: Vec<(String, String)>,
    /// An option of the game that was given without a value
    #[arg(long = "switch", value_name = "KEY", hide = true)]
    pub switches: Vec<String>,
}

impl Wishes {
    /// All wishes; a switch is on.
    pub fn all(&self) -> Vec<(String, String)> {
        let switches = self.switches.iter().map(|key| (key.clone(), "true".to_owned()));
        self.options.iter().cloned().chain(switches).collect()
    }
}

#[derive(Debug, Args)]
pub struct Play {
    #[command(flatten)]
    pub opening: Opening,
    /// Seat a bot: SEAT=NAME, or NAME for every seat but yours
    #[arg(long = "bot", value_name = "[SEAT=]NAME")]
    pub bots: Vec<String>,
    /// The seat you play, by number or name [default: the first]
    #[arg(long, value_name = "SEAT", conflicts_with = "hotseat")]
    pub seat: Option<String>,
    /// People play every seat that --bot does not name
    #[arg(long)]
    pub hotseat: bool,
    /// Play by the clock: minutes for each side, and seconds added for every turn
    #[arg(long, value_name = "MINUTES[+SECONDS]")]
    pub clock: Option<Control>,
    /// Lines instead of a screen; this is also what a pipe gets
    #[arg(long)]
    pub plain: bool,
    /// Do not save the match
    #[arg(long)]
    pub no_save: bool,
    /// The match of today, the same for everybody: its seed, and what else a game sets for a day
    #[arg(long, conflicts_with = "seed")]
    pub daily: bool,
}

#[derive(Debug, Args)]
pub struct Resume {
    /// A match file, or the name of a saved match [default: the one played last]
    pub file: Option<String>,
    /// Lines instead of a screen
    #[arg(long)]
    pub plain: bool,
    /// Go on from a match whose rules or content have changed since: in a match of its own, by today's rules
    #[arg(long)]
    pub as_played: bool,
    /// With --as-played: go on from this moment [default: where the match stood]
    #[arg(long, value_name = "MOMENT", requires = "as_played")]
    pub at: Option<u32>,
    /// The content the match was played with, if it is not what is built in
    #[arg(long, value_name = "DIR")]
    pub content: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct History {
    /// Only this game
    pub game: Option<String>,
    /// As JSON, one object for each match, latest first
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Run {
    #[command(flatten)]
    pub opening: Opening,
    /// Who plays: NAME for every seat, SEAT=NAME for one; a name with a space or a slash in it is a command
    /// that speaks the line protocol [default: the weakest bot]
    #[arg(long = "bot", value_name = "[SEAT=]NAME")]
    pub bots: Vec<String>,
    /// How many games; game i has seed SEED + i
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Give a game up after this many inputs
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_inputs: u64,
    /// Threads to use [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Write every game as a match file into this directory
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Arena {
    /// The tournament file (TOML)
    pub file: PathBuf,
    /// Where results are kept [default: the same name with .jsonl]
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// Write the report into this directory: text, JSON, CSV and a page with pictures
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Write the match file of this game
    // Not called `game`: arguments of that name are the games of the program.
    #[arg(long = "game", value_name = "UNIT.GAME")]
    pub unit: Option<String>,
    /// Where to write it [default: UNIT.GAME.turn]
    #[arg(long, short, value_name = "FILE", requires = "unit")]
    pub output: Option<PathBuf>,
    /// Content that overlays what is built in
    #[arg(long, value_name = "DIR")]
    pub content: Option<PathBuf>,
    /// Threads to use [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Balance {
    #[command(flatten)]
    pub opening: Opening,
    /// Who plays: NAME for every seat, SEAT=NAME for one [default: the weakest bot]
    #[arg(long = "bot", value_name = "[SEAT=]NAME")]
    pub bots: Vec<String>,
    /// How many games; game i has seed SEED + i
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Give a game up after this many inputs
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_inputs: u64,
    /// The number of the game's tally that is looked at, such as floor [default: the first]
    #[arg(long, value_name = "NAME")]
    pub measure: Option<String>,
    /// Open matches in several ways: KEY=VALUE;VALUE, or KEY alone for all values; KEY is setup, ruleset, bot or an
    /// option of the game
    #[arg(long = "sweep", value_name = "KEY[=VALUE;…]")]
    pub sweeps: Vec<String>,
    /// Look at choices whose label begins so, in place of those that the game names
    #[arg(long, value_name = "WORDS")]
    pub choices: Option<String>,
    /// Of such a label, only what stands before these words matters
    #[arg(long, value_name = "WORDS", requires = "choices")]
    pub until: Option<String>,
    /// Compare choices with the one of this label [default: with each other]
    #[arg(long, value_name = "LABEL", requires = "choices")]
    pub against: Option<String>,
    /// For each choice, play so many decisions both ways, at most
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub pairs: usize,
    /// Try every change of the set-up that the game names on so many seeds
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub grafts: u64,
    /// Fewer pairs than this are too few to say anything
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub least: u64,
    /// Say what differs: a directory of content, KEY=VALUE as in --sweep, or the JSON of a saved report
    #[arg(long, value_name = "OTHER")]
    pub compare: Vec<String>,
    /// Write the report into this directory: JSON, CSV and a page with pictures
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// So many match files that show what it says, at most [default: one for everything it says]
    #[arg(long, value_name = "N", requires = "report")]
    pub matches: Option<usize>,
    /// Threads to use [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Replay {
    /// A match file, or the name of a saved match
    pub file: String,
    /// Lines instead of a screen
    #[arg(long)]
    pub plain: bool,
    /// One JSON line for each input, with its facts
    #[arg(long)]
    pub json: bool,
    /// With --json: also the state after each input, and what the game counts of it
    #[arg(long, requires = "json")]
    pub states: bool,
    /// Write the whole match as one page that needs no server: every moment, reason and branch
    #[cfg(feature = "server")]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plain", "json"])]
    pub html: Option<PathBuf>,
    /// Show the match as it was played, also if rules or content have changed since
    #[arg(long)]
    pub as_played: bool,
    /// The content the match was played with
    #[arg(long, value_name = "DIR")]
    pub content: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Verify {
    /// Match files
    #[arg(required = true)]
    pub files: Vec<String>,
    /// One JSON line for each file
    #[arg(long)]
    pub json: bool,
    /// The content the matches were played with
    #[arg(long, value_name = "DIR")]
    pub content: Option<PathBuf>,
    /// What was promised of the seed before it was known; with --salt
    #[arg(long, value_name = "HEX", requires = "salt")]
    pub commitment: Option<String>,
    /// What was mixed with the seed in the promise, told when the match was over
    #[arg(long, value_name = "HEX", requires = "commitment", value_parser = salt)]
    pub salt: Option<[u8; 16]>,
}

/// Sixteen bytes in hexadecimal digits.
fn salt(text: &str) -> Result<[u8; 16], String> {
    let number = u128::from_str_radix(text, 16).ok().filter(|_| text.len() == 32);
    number.map(u128::to_be_bytes).ok_or_else(|| "a salt has 32 hexadecimal digits".to_owned())
}

#[derive(Debug, Args)]
pub struct Explain {
    /// A match file, or the name of a saved match
    pub file: String,
    /// The number of an event, as printed after #: explain the action that led to it
    #[arg(long, value_name = "EVENT", conflicts_with = "input")]
    pub at: Option<u32>,
    /// The number of an input, counted from 1, on any branch
    #[arg(long, value_name = "N")]
    pub input: Option<u32>,
    /// Tell how that number came about, as it is shown where the match stands or after --input
    #[arg(long, value_name = "NAME", conflicts_with_all = ["at", "bot"])]
    pub number: Option<String>,
    /// Say also what this bot weighs before each input, and the line it expects: a searcher, such as ismcts:400. Its lots
    /// follow from the seed of the match; bots of a server had others unless the seed was named
    #[arg(long, value_name = "NAME")]
    pub bot: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// The content the match was played with
    #[arg(long, value_name = "DIR")]
    pub content: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Conform {
    /// Which game
    pub game: String,
    /// Files or directories of golden records
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Print one JSON value
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub wishes: Wishes,
}

#[derive(Debug, Args)]
pub struct Protocol {
    #[command(flatten)]
    pub opening: Opening,
    /// The seat played through this connection [default: every seat without a bot]
    #[arg(long, value_name = "SEAT")]
    pub seat: Option<String>,
    /// Seat a bot
    #[arg(long = "bot", value_name = "SEAT=NAME")]
    pub bots: Vec<String>,
    /// Let a program play that seat: its standard input and output are the connection
    #[arg(long = "exec", value_name = "SEAT=COMMAND", conflicts_with = "seat")]
    pub programs: Vec<String>,
    /// Moves may be taken back
    #[arg(long)]
    pub practice: bool,
    /// Write the match file here at the end
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

#[cfg(feature = "server")]
#[derive(Debug, Args)]
pub struct Serve {
    /// Open it beyond this machine; an address of its own may be given
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "0.0.0.0")]
    pub listen: Option<String>,
    /// The port
    #[arg(long, value_name = "N", default_value_t = 7878)]
    pub port: u16,
    /// Where matches are kept: a file, `memory`, or postgres://… [default: matches.db among the saved matches]
    #[arg(long, value_name = "PLACE")]
    pub store: Option<String>,
    /// A file of settings; what it does not name stays as `/api/limits` shows it
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
    /// Give metrics for Prometheus here, on this machine only
    #[arg(long, value_name = "ADDRESS")]
    pub metrics: Option<std::net::SocketAddr>,
    /// Start the browser
    #[arg(long)]
    pub open: bool,
}

#[cfg(feature = "server")]
#[derive(Debug, Args)]
pub struct Bot {
    /// The server
    #[arg(long, value_name = "ADDRESS")]
    pub connect: String,
    /// The match
    #[arg(long = "match", value_name = "ID", allow_hyphen_values = true)]
    pub id: String,
    /// The token of the seat, or an invitation
    #[arg(long, value_name = "TOKEN", required_unless_present = "join", allow_hyphen_values = true)]
    pub token: Option<String>,
    /// Take an open seat
    #[arg(long, conflicts_with = "token")]
    pub join: bool,
    /// The name to join by
    #[arg(long, default_value = "bot")]
    pub name: String,
    /// A bot of this program, as `turnstone games GAME` lists them [default: the strongest]
    #[arg(long, value_name = "NAME", conflicts_with = "exec")]
    pub bot: Option<String>,
    /// A program that plays instead; it is started by `sh -c` and speaks the line protocol
    #[arg(long, value_name = "COMMAND")]
    pub exec: Option<String>,
    /// Print JSON at the end
    #[arg(long)]
    pub json: bool,
}

#[cfg(feature = "server")]
#[derive(Debug, Args)]
pub struct Stress {
    /// Matches, in equal shares of all games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=5000))]
    pub matches: u32,
    /// Spectators, spread over the matches
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=20000))]
    pub spectators: u32,
    /// Sockets that only sit there
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=50000))]
    pub idle: u32,
    /// How long
    #[arg(long, value_name = "S", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=7200))]
    pub seconds: u64,
    /// Leave a match after so many inputs, and open another [default: when it is over]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub inputs: u64,
    /// Where the server keeps its matches [default: a file in a temporary folder]
    #[arg(long, value_name = "PLACE")]
    pub store: Option<String>,
    /// Only this game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Fail if one in a hundred waits longer for an input, in milliseconds
    #[arg(long, value_name = "MS")]
    pub p99: Option<f64>,
    /// Fail if half of all wait longer than so many bare commits beside the load
    #[arg(long, value_name = "N")]
    pub times_commit: Option<f64>,
    /// Fail if the server ever has more memory than so many MB
    #[arg(long, value_name = "MB")]
    pub memory: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Bench {
    /// Only those whose name contains this
    pub filter: Option<String>,
    /// How long to measure each
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    pub seconds: f64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Only list them
    #[arg(long)]
    pub list: bool,
}

#[derive(Debug, Args)]
pub struct Games {
    /// Only this one
    pub game: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct New {
    /// The name of the crate, the game and the directory
    pub name: String,
    /// The engine: a checkout, a git address or a version [default: the version of this program]
    #[arg(long, value_name = "PATH|GIT|VERSION")]
    pub engine: Option<String>,
}

/// Content files.
#[derive(Debug, Subcommand)]
pub enum Content {
    /// Read content and tell everything that is wrong with it
    #[command(after_help = "Examples:\n  turnstone content check\n  \
        turnstone content check my-cards --game spire")]
    Check {
        /// A directory that overlays the built-in content [default: check the built-in content]
        dir: Option<PathBuf>,
        /// Which game it is for [default: all, or the one the directory is named after]
        #[arg(long)]
        game: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schemas of content files, for editors
    #[command(after_help = "Examples:\n  turnstone content schema spire\n  \
        turnstone content schema spire content > spire.schema.json\n  turnstone content schema chess --out schemas")]
    Schema {
        /// Which game
        game: String,
        /// Which kind [default: list them]
        kind: Option<String>,
        /// Write every schema into this directory
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

/// Everything that can be typed in that program.
pub fn command(program: &Program) -> clap::Command {
    let names: Vec<&str> = program.games.names().collect();
    let command = with_examples(with_names(Cli::command(), program.games), &names);
    with_numbers(program.tools.iter().fold(command, |command, tool| command.subcommand(tool.command())))
}

/// The same, with the options of that game, or of all: for help, man page and completions. Where a
/// line is parsed, they are handed on instead ([`hand_on_options`]).
pub fn command_with_options(program: &Program, game: Option<&str>, over: &[Source]) -> clap::Command {
    let hosts = program.games.all().iter().filter(|host| game.is_none_or(|game| game == host.name()));
    let offers: Vec<(&str, Offer)> = hosts
        .flat_map(|host| host.options_with(over).into_iter().map(|offer| (host.name(), offer)))
        .collect();
    command(program).mut_subcommands(|sub| {
        let sub = if OPENING.contains(&sub.get_name()) { with_options(sub, &offers) } else { sub };
        match game {
            Some(game) => with_examples(sub, &[game]),
            None => sub,
        }
    })
}

/// Commands that open a match.
const OPENING: [&str; 3] = ["play", "run", "protocol"];

/// Adds the options that games offer. What several games call the same is one option.
fn with_options(sub: clap::Command, offers: &[(&'static str, Offer)]) -> clap::Command {
    let ours: Vec<String> = sub.get_arguments().filter_map(|own| own.get_long()).map(str::to_owned).collect();
    let mut ids: Vec<&str> = Vec::new();
    for (_, offer) in offers {
        let id = offer.setting.id.as_str();
        if !ids.contains(&id) && !ours.iter().any(|own| own == id) {
            ids.push(id);
        }
    }
    ids.into_iter().fold(sub, |sub, id| {
        let same = offers.iter().filter(|(_, offer)| offer.setting.id == id);
        sub.arg(option(id, &same.collect::<Vec<_>>()))
    })
}

/// One option, as all games that have it tell it.
fn option(id: &str, offers: &[&(&'static str, Offer)]) -> Arg {
    let mut games: Vec<&str> = offers.iter().map(|(game, _)| *game).collect();
    games.dedup();
    let told: Vec<String> = offers.iter().map(|(game, offer)| tell(game, offer, games.len() > 1)).collect();
    let mut values: Vec<PossibleValue> = Vec::new();
    for named in offers.iter().flat_map(|(_, offer)| offer.setting.choices()) {
        if !values.iter().any(|known| known.matches(&named.id, false)) {
            values.push(PossibleValue::new(kept(&named.id)).help(named.about.clone()));
        }
    }
    let value = if values.is_empty() { "VALUE" } else { "NAME" };
    let heading = format!("Options of {}", games.join(" and "));
    let arg = Arg::new(kept(id)).long(kept(id)).value_name(value).help(told.join("\n"));
    let arg = arg.help_heading(kept(&heading));
    if values.is_empty() { arg } else { arg.value_parser(PossibleValuesParser::new(values)) }
}

/// What an option does, for which set-ups, and what stands without it.
fn tell(game: &str, offer: &Offer, shared: bool) -> String {
    let Offer { setting, setups } = offer;
    let game = if shared { format!("{game}: ") } else { String::new() };
    let only = if setups.is_empty() { String::new() } else { format!(" ({})", brief(setups)) };
    let range = match setting.answer {
        Answer::Number { min, max, .. } => format!(", {min} to {max}"),
        Answer::Choices(_) | Answer::Words { .. } => String::new(),
    };
    let usual = match setting.usual() {
        usual if usual.is_empty() => String::new(),
        usual => format!(" [default: {usual}]"),
    };
    format!("{game}{}{range}{only}{usual}", setting.about.trim_end_matches('.'))
}

/// A text that lives as long as the program, as clap wants its names: help is made once.
fn kept(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

/// The content that a line of help names: what it adds is listed as well. What cannot be read adds nothing.
pub fn content_named(arguments: &[String]) -> Vec<Source> {
    let parted = arguments.windows(2).find(|two| two[0] == "--content").map(|two| two[1].as_str());
    let joined = || arguments.iter().find_map(|word| word.strip_prefix("--content="));
    let Some(dir) = parted.or_else(joined) else { return Vec::new() };
    read_content(Some(Path::new(dir))).unwrap_or_default()
}

/// Whether somebody wants to read rather than to play: `--help`, or the commands that print it all.
pub fn wants_help(arguments: &[String]) -> bool {
    let mut words = arguments.iter().skip(1).take_while(|word| *word != "--");
    words.any(|word| word == "-h" || word == "--help") || arguments.get(1).is_some_and(|word| word == "help")
}

/// The game that a line names after the command.
pub fn game_named<'a>(program: &Program, arguments: &'a [String]) -> Option<&'a str> {
    arguments.iter().skip(2).map(String::as_str).find(|word| program.games.find(word).is_some())
}

/// The same command, with examples of these games only.
fn with_examples(command: clap::Command, games: &[&str]) -> clap::Command {
    let command = match command.get_after_help() {
        Some(text) => {
            let text = text.to_string();
            let lines: Vec<&str> = text.lines().filter(|line| is_example_of(line, games)).collect();
            command.after_help(lines.join("\n"))
        }
        None => command,
    };
    command.mut_subcommands(|sub| with_examples(sub, games))
}

/// The same command; its examples call the program by that name.
pub fn called(command: clap::Command, name: &str) -> clap::Command {
    let command = match command.get_after_help() {
        Some(text) => {
            let text = text.to_string().replace("turnstone ", &format!("{name} "));
            command.after_help(text)
        }
        None => command,
    };
    command.mut_subcommands(|sub| called(sub, name))
}

/// Whether a line of help is no example of another game than these.
fn is_example_of(line: &str, games: &[&str]) -> bool {
    const NAMING: [&str; 8] = ["play", "run", "balance", "protocol", "conform", "games", "history", "schema"];
    let mut words = line.trim().trim_start_matches("turnstone content ").split(' ');
    let words = [words.next(), words.next(), words.next()];
    let named = match words {
        [Some("turnstone"), Some(command), Some(game)] if NAMING.contains(&command) => game,
        [Some(command), Some(game), _] if line.contains("turnstone content") && NAMING.contains(&command) => {
            game
        }
        _ => return true,
    };
    named == "GAME" || named.starts_with('-') || games.contains(&named)
}

/// The same command; what names a game takes the names of these.
fn with_names(command: clap::Command, games: turnstone_table::Games) -> clap::Command {
    let names = |argument: Arg| match argument.get_id() == "game" {
        true => argument.value_parser(PossibleValuesParser::new(games.names())),
        false => argument,
    };
    command.mut_args(names).mut_subcommands(|sub| with_names(sub, games))
}

/// The same command; numbers below zero are values, so that whoever wrote one is told what is wrong with it, and not
/// that there is no option of that name.
fn with_numbers(command: clap::Command) -> clap::Command {
    let numbers = |argument: Arg| match argument.get_action().takes_values() {
        true => argument.allow_negative_numbers(true),
        false => argument,
    };
    command.mut_args(numbers).mut_subcommands(with_numbers)
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("write it as KEY=VALUE".to_owned()),
    }
}

/// Leaves `--json` out where a command prints no JSON: there it only says how errors are told, which is known
/// already.
pub fn without_idle_json(command: &clap::Command, mut arguments: Vec<String>) -> Vec<String> {
    let mut named = command;
    for word in arguments.iter().skip(1) {
        named = named.find_subcommand(word).unwrap_or(named);
    }
    let prints_json = named.get_arguments().any(|argument| argument.get_long() == Some("json"));
    if !prints_json && named.get_name() != command.get_name() {
        let end = arguments.iter().position(|word| word == "--").unwrap_or(arguments.len());
        let values = arguments.split_off(end);
        arguments.retain(|word| word != "--json");
        arguments.extend(values);
    }
    arguments
}

/// Commands that hand options they do not know to the game.
const OPEN_COMMANDS: [&str; 5] = ["play", "run", "protocol", "conform", "balance"];

/// Where the command stands: the first word that is neither an option nor the value of one.
fn place_of_command(command: &clap::Command, arguments: &[String]) -> Option<usize> {
    let takes_value = |word: &str| {
        let named =
            |argument: &&Arg| argument.get_long().is_some_and(|long| word.strip_prefix("--") == Some(long));
        command.get_arguments().find(named).is_some_and(|argument| argument.get_action().takes_values())
    };
    let mut words = arguments.iter().enumerate().skip(1);
    while let Some((index, word)) = words.next() {
        if !word.starts_with('-') {
            return Some(index);
        }
        if takes_value(word) {
            words.next();
        }
    }
    None
}

/// Rewrites `--difficulty hard` as `--option difficulty=hard` where `difficulty` is no option of ours,
/// so that every game has options of its own; without a value it is `--switch difficulty`. What looks like a
/// slip of ours is left for clap to name.
pub fn hand_on_options(command: &clap::Command, arguments: Vec<String>) -> Vec<String> {
    let place = place_of_command(command, &arguments);
    let open = place.filter(|index| OPEN_COMMANDS.contains(&arguments[*index].as_str()));
    let Some(start) = open.map(|index| index + 1) else { return arguments };
    let Some(sub) = command.find_subcommand(&arguments[start - 1]) else { return arguments };
    let ours: Vec<String> = sub
        .get_arguments()
        .chain(command.get_arguments())
        .filter_map(|argument| argument.get_long().map(str::to_owned))
        .chain(["help".to_owned(), "version".to_owned()])
        .collect();
    let mut out = arguments[..start].to_vec();
    let mut rest = arguments[start..].iter().cloned().peekable();
    while let Some(word) = rest.next() {
        if word == "--" {
            out.push(word);
            out.extend(rest.by_ref());
            break;
        }
        let Some(option) = word.strip_prefix("--") else {
            out.push(word);
            continue;
        };
        let (key, value) = match option.split_once('=') {
            Some((key, value)) => (key.to_owned(), Some(value.to_owned())),
            None => (option.to_owned(), None),
        };
        if ours.iter().any(|known| turnstone_content::distance(known, &key) <= usize::from(key.len() > 3)) {
            out.push(word);
            continue;
        }
        match value.or_else(|| rest.next_if(|next| !next.starts_with("--"))) {
            Some(value) => out.extend(["--option".to_owned(), format!("{key}={value}")]),
            None => out.extend(["--switch".to_owned(), key]),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand_on(line: &str) -> String {
        hand_on_options(&Cli::command(), line.split(' ').map(str::to_owned).collect()).join(" ")
    }

    #[test]
    fn the_definitions_are_sound() {
        let program = Program::of(turnstone_games::games());
        command(&program).debug_assert();
        command_with_options(&program, None, &[]).debug_assert();
        command_with_options(&program, Some("grid"), &[]).debug_assert();
    }

    #[test]
    fn a_strangers_program_is_called_by_its_name_and_shows_no_other_games() {
        let program = Program::of(turnstone_table::testing::GAMES);
        let command = called(command_with_options(&program, Some("pebbles"), &[]), "marbles");
        for sub in command.get_subcommands() {
            let text = sub.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(!text.contains("turnstone ") && !text.contains("skirmish"), "{text}");
        }
        let play = command.find_subcommand("play").and_then(|play| play.get_after_help());
        assert!(play.expect("examples").to_string().contains("marbles play GAME --seed 7"));
    }

    /// How a line is refused.
    fn refused(line: &str) -> String {
        let program = Program::of(turnstone_games::games());
        let error = command(&program).try_get_matches_from(line.split(' ')).expect_err(line);
        crate::fault::usage_text(&error)
    }

    #[test]
    fn numbers_below_zero_are_told_what_is_wrong_with_them() {
        let values = [
            ("run chess --games -1", "--games"),
            ("run chess --max-inputs -5", "--max-inputs"),
            ("run chess --threads -1", "--threads"),
            ("play chess --clock -1", "--clock"),
            ("balance chess --pairs -3", "--pairs"),
            ("balance chess --grafts -3", "--grafts"),
            ("explain a.turn --at -1", "--at"),
            ("explain a.turn --input -1", "--input"),
        ];
        for (line, option) in values {
            let told = refused(&format!("turnstone {line}"));
            assert!(told.contains("invalid value '-") && told.contains(option), "{line}: {told}");
            let reason = ["not below 0", "is not in", "minutes"].iter().any(|reason| told.contains(reason));
            assert!(reason && !told.contains("-- -"), "{line}: {told}");
        }
        let seed = Cli::try_parse_from(["turnstone", "run", "chess", "--seed", "-1"]);
        assert!(seed.is_err(), "clap alone takes it for an option");
        let program = Program::of(turnstone_games::games());
        assert!(
            command(&program).try_get_matches_from(["turnstone", "run", "chess", "--seed", "-1"]).is_ok()
        );
    }

    #[test]
    fn an_option_is_no_value_of_the_one_before() {
        let told = refused("turnstone run chess --content --json");
        assert!(told.contains("a value is required for '--content <DIR>'"), "{told}");
        let told = refused("turnstone run chess --games --json");
        assert!(told.contains("a value is required for '--games <N>'"), "{told}");
    }

    #[cfg(feature = "server")]
    #[test]
    fn tokens_and_names_of_matches_may_begin_with_a_dash() {
        let line = "turnstone bot --connect here --match -7Qk --token --s_x --bot greedy";
        let cli = Cli::try_parse_from(line.split(' ')).expect(line);
        let Some(Command::Bot(bot)) = cli.command else { panic!("{cli:?}") };
        assert_eq!((bot.id.as_str(), bot.token.as_deref()), ("-7Qk", Some("--s_x")));
    }

    #[test]
    fn every_command_can_be_asked_for_errors_as_json() {
        let left = |line: &str| {
            without_idle_json(&Cli::command(), line.split(' ').map(str::to_owned).collect()).join(" ")
        };
        assert_eq!(left("turnstone play grid --json --setup x"), "turnstone play grid --setup x");
        assert_eq!(left("turnstone resume a --json"), "turnstone resume a");
        assert_eq!(left("turnstone content schema spire --json"), "turnstone content schema spire");
        for line in ["turnstone run grid --json", "turnstone content check --json", "turnstone new -- --json"]
        {
            assert_eq!(left(line), line);
        }
    }

    #[test]
    fn options_of_the_game_are_handed_on() {
        assert_eq!(
            hand_on("turnstone conform grid --profile head a.jsonl"),
            "turnstone conform grid --option profile=head a.jsonl"
        );
        assert_eq!(
            hand_on("turnstone play spire --hard --plain --character=silent"),
            "turnstone play spire --switch hard --plain --option character=silent"
        );
    }

    #[test]
    fn a_value_that_is_called_like_a_command_is_none() {
        let line = "turnstone balance chess --setup run --report x --sweep bot --compare play --games 3";
        assert_eq!(hand_on(line), line);
        assert_eq!(hand_on("turnstone verify run --odd x"), "turnstone verify run --odd x");
        assert_eq!(
            hand_on("turnstone --data run play chess --hard"),
            "turnstone --data run play chess --switch hard"
        );
    }

    #[test]
    fn balance_hands_options_on_as_its_help_says() {
        assert_eq!(
            hand_on("turnstone balance skirmish --difficulty hard --games 3"),
            "turnstone balance skirmish --option difficulty=hard --games 3"
        );
    }

    #[test]
    fn our_own_options_and_slips_of_them_are_not() {
        for line in ["turnstone play grid --seed 3", "turnstone play grid --plan", "turnstone verify --odd x"]
        {
            assert_eq!(hand_on(line), line);
        }
        assert_eq!(hand_on("turnstone play grid -- --odd x"), "turnstone play grid -- --odd x");
    }
}
