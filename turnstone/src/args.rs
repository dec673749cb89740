//! What can be typed for the tools of single games.

use std::path::PathBuf;

use clap::{Args, Parser};

/// Count the move tree of a chess position
#[derive(Debug, Parser)]
#[command(
    name = "perft",
    after_help = "Examples:\n  turnstone perft --depth 5\n  \
    turnstone perft 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' --depth 4 --divide\n  \
    turnstone perft --variant atomic --depth 4"
)]
pub struct Perft {
    /// The position [default: the one the variant starts from]
    pub fen: Vec<String>,
    /// How deep
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=20))]
    pub depth: u32,
    /// Which rules: chess, chess960, atomic, …
    #[arg(long, value_name = "NAME", default_value = "chess")]
    pub variant: String,
    /// Print the share of each move
    #[arg(long)]
    pub divide: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Speak UCI, so that chess programs can play against us
#[derive(Debug, Parser)]
#[command(
    name = "uci",
    after_help = "Example:\n  (echo position startpos; echo go depth 3; sleep 1) | turnstone uci\n\n\
    Variants are chosen with `setoption name UCI_Variant value atomic`, strength with\n\
    `setoption name UCI_LimitStrength value true` and `setoption name UCI_Elo value 1600`;\n\
    the command `uci` lists all options, and docs/uci.md tells what they do."
)]
pub struct Uci {}

/// Turn chess matches into FEN and PGN, and PGN into matches
#[derive(Debug, Parser)]
#[command(name = "chess")]
pub enum Chess {
    /// Print where a match stands as FEN, abilities and tiles included
    #[command(after_help = "Examples:\n  turnstone chess fen match.turn\n  turnstone chess fen chess-1")]
    Fen(ChessFile),
    /// Print a match as PGN
    #[command(after_help = "Example:\n  turnstone chess pgn match.turn --tag White=Anna > match.pgn")]
    Pgn {
        /// Which match
        #[command(flatten)]
        file: ChessFile,
        /// A tag to add or to replace, such as White=Anna or Date=2026.01.31
        #[arg(long = "tag", value_name = "NAME=VALUE")]
        tags: Vec<String>,
    },
    /// Make match files of the games of a PGN file; one that cannot be read is named and left out
    #[command(after_help = "Example:\n  turnstone chess import games.pgn --out matches")]
    Import {
        /// A PGN file; - is standard input
        file: PathBuf,
        /// The directory the match files go to
        #[arg(long, value_name = "DIR", default_value = ".")]
        out: PathBuf,
    },
}

/// A chess match.
#[derive(Debug, Args)]
pub struct ChessFile {
    /// A match file, or the name of a saved match
    pub file: String,
    /// The content the match was played with
    #[arg(long, value_name = "DIR")]
    pub content: Option<PathBuf>,
}

/// Solve and draw grid levels
#[derive(Debug, Parser)]
#[command(name = "grid")]
pub enum Grid {
    /// Find a shortest way to win a level
    #[command(
        after_help = "Examples:\n  turnstone grid solve first-steps\n  turnstone grid solve my-level.toml --limit 5000000\n  turnstone grid solve maze --option width=21 --option height=9"
    )]
    Solve {
        /// A level or generator from `turnstone games grid`, or a level file
        level: String,
        /// The seed of a generator
        #[arg(long, value_name = "N", default_value_t = 0)]
        seed: u64,
        /// Give up after looking at this many moments
        #[arg(long, value_name = "N", default_value_t = 1_000_000)]
        limit: usize,
        /// A further wish to a generator, such as width=21
        #[arg(long = "option", value_name = "KEY=VALUE", value_parser = key_value)]
        options: Vec<(String, String)>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Draw a level, or a match as an animation
    #[command(
        after_help = "Examples:\n  turnstone grid render first-steps -o level.png\n  turnstone grid render match.turn -o match.gif"
    )]
    Render {
        /// A level or generator, a level file, or a match file (.turn)
        level: String,
        /// Where to: .svg; with the feature `pictures` also .png, and .gif or .png (animated) for a match
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
        /// The seed of a generator
        #[arg(long, value_name = "N", default_value_t = 0)]
        seed: u64,
        /// Pixels across
        #[arg(long, value_name = "N", default_value_t = 640)]
        pixels: u32,
        /// Hundredths of a second between the pictures of a match
        #[arg(long, value_name = "N", default_value_t = 30)]
        delay: u16,
        /// One picture per action, without the parts of long moves
        #[arg(long)]
        whole_steps: bool,
        /// A further wish to a generator, such as width=21
        #[arg(long = "option", value_name = "KEY=VALUE", value_parser = key_value)]
        options: Vec<(String, String)>,
    },
}

/// Turn skirmish matches into documents and tales
#[derive(Debug, Parser)]
#[command(name = "skirmish")]
pub enum Skirmish {
    /// Write the state, the event log, a replay bundle and the hash of a match
    #[command(after_help = "Examples:\n  turnstone skirmish export match.turn --out documents\n  \
        turnstone skirmish export skirmish-1 --json")]
    Export {
        /// The match
        #[command(flatten)]
        played: SkirmishFile,
        /// The directory the documents go to
        #[arg(long, value_name = "DIR", default_value = ".")]
        out: PathBuf,
        /// Print everything as one JSON object instead
        #[arg(long)]
        json: bool,
    },
    /// Tell a match, one sentence for every fact
    #[command(after_help = "Example:\n  turnstone skirmish narrate match.turn")]
    Narrate(SkirmishFile),
}

/// A skirmish match.
#[derive(Debug, Args)]
pub struct SkirmishFile {
    /// A match file, or the name of a saved match
    pub file: String,
    /// The content the match was played with
    #[arg(long, value_name = "DIR")]
    pub content: Option<PathBuf>,
}

/// Look into spire
#[derive(Debug, Parser)]
#[command(name = "spire")]
pub enum Spire {
    /// Print what a seed holds: offers, maps, fights, relics, rewards
    #[command(after_help = "Examples:\n  turnstone spire seed 1ABCD\n  \
        turnstone spire seed 1ABCD --character silent --ascension 20 --json")]
    Seed {
        /// The seed: a number, also a negative one, or as players write it
        #[arg(allow_hyphen_values = true)]
        text: String,
        /// Who climbs: ironclad, silent, defect, watcher, or one of the content's
        #[arg(long, value_name = "NAME", default_value = "ironclad")]
        character: String,
        /// Ascension, 0 to 20
        #[arg(long, value_name = "N", default_value_t = 0)]
        ascension: u8,
        /// Content that overlays what is built in
        #[arg(long, value_name = "DIR")]
        content: Option<PathBuf>,
        /// Whose rules: original or simulator
        #[arg(long, value_name = "NAME", default_value = "original")]
        rules: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Tell how your own runs went: by character, and the ladder of ascension
    #[command(after_help = "Examples:\n  turnstone spire runs\n  turnstone spire runs --json\n\n\
        Runs that were played to the end count, with the rules as they are: no map, modifiers, beginning or bot of \
        your own.\nWho wins a level of ascension may try the next one.")]
    Runs {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("write it as KEY=VALUE".to_owned()),
    }
}
