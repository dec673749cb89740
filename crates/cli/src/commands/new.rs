//! `new`: a crate with a small working game, to begin with.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::Ended;
use crate::args;
use crate::files::write_whole;
use crate::out::Out;

/// What is written, and where to. The name `my-game` stands for the crate's own.
const FILES: [(&str, &str); 6] = [
    ("Cargo.toml", include_str!("../../template/manifest.toml")),
    ("README.md", include_str!("../../template/README.md")),
    (".gitignore", "/target\n"),
    ("src/lib.rs", include_str!("../../template/lib.rs")),
    ("src/main.rs", include_str!("../../template/main.rs")),
    ("tests/promises.rs", include_str!("../../template/promises.rs")),
];

/// Our packages that a game needs: what it is called there, its package, its folder, and whether only
/// tests need it.
const PACKAGES: [(&str, &str, &str, bool); 5] = [
    ("turnstone", "turnstone-kernel", "crates/kernel", false),
    ("turnstone-host", "turnstone-host", "crates/host", false),
    ("turnstone-table", "turnstone-table", "crates/table", false),
    ("turnstone-cli", "turnstone-cli", "crates/cli", false),
    ("turnstone-testkit", "turnstone-testkit", "crates/testkit", true),
];

/// Writes the crate.
pub fn run(args: &args::New) -> Result<Ended> {
    check_name(&args.name)?;
    let engine = args.engine.as_deref().map_or(Ok(Engine::own()), Engine::read)?;
    let dir = Path::new(&args.name);
    if dir.exists() {
        bail!("[EXISTS] there is already something called {}; choose another name", dir.display());
    }
    for folder in ["src", "tests"] {
        let folder = dir.join(folder);
        fs::create_dir_all(&folder)
            .with_context(|| format!("[NOT_WRITTEN] cannot write {}", folder.display()))?;
    }
    for (path, text) in FILES {
        write_whole(&dir.join(path), &fill(text, &args.name, &engine))?;
    }
    let mut out = Out::new();
    let name = &args.name;
    writeln!(
        out,
        "{name}: a small game to begin with. Try:\n  cd {name}\n  cargo test\n  cargo run -- play {name}"
    )?;
    out.flush()?;
    Ok(Ended::Well)
}

/// Names that make a crate, a library and a game.
fn check_name(name: &str) -> Result<()> {
    let letters =
        name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-');
    let starts = name.starts_with(|letter: char| letter.is_ascii_lowercase());
    let taken = ["test", "core", "std", "alloc", "turnstone", "serde"].contains(&name)
        || name.starts_with("turnstone-");
    if letters && starts && !taken && !name.ends_with('-') {
        return Ok(());
    }
    bail!(
        "[BAD_NAME] \"{name}\" is no name for a crate of your own: use small letters, digits and -, such as my-game"
    )
}

/// Where the engine comes from.
#[derive(Debug, PartialEq, Eq)]
enum Engine {
    Path(PathBuf),
    Git(String),
    Version(String),
}

impl Engine {
    /// The version of this program.
    fn own() -> Self {
        Engine::Version(env!("CARGO_PKG_VERSION").to_owned())
    }

    fn read(text: &str) -> Result<Self> {
        if text.contains("://") || text.starts_with("git@") {
            return Ok(Engine::Git(text.to_owned()));
        }
        if text.starts_with(|letter: char| letter.is_ascii_digit()) && !Path::new(text).exists() {
            return Ok(Engine::Version(text.to_owned()));
        }
        let path = Path::new(text);
        if !path.join("crates/kernel").is_dir() {
            bail!("[NO_ENGINE] {text} holds no engine: give its checkout, a git address or a version");
        }
        let full = path.canonicalize().with_context(|| format!("[UNREADABLE_FILE] cannot read {text}"))?;
        Ok(Engine::Path(full))
    }

    fn line(&self, (name, package, folder, _): (&str, &str, &str, bool)) -> String {
        let from = match self {
            Engine::Path(path) => format!("path = {:?}", path.join(folder).display().to_string()),
            Engine::Git(address) => format!("git = {address:?}"),
            Engine::Version(version) => format!("version = {version:?}"),
        };
        let package = if name == package { String::new() } else { format!(", package = {package:?}") };
        format!("{name} = {{ {from}{package} }}\n")
    }
}

fn fill(text: &str, name: &str, engine: &Engine) -> String {
    let lines = |tests: bool| -> String {
        PACKAGES
            .into_iter()
            .filter(|package| package.3 == tests)
            .map(|package| engine.line(package))
            .collect()
    };
    let text = match text.split_once("ENGINE ") {
        Some((head, rest)) => format!("{head}{}{rest}\n[dev-dependencies]\n{}", lines(false), lines(true)),
        None => text.to_owned(),
    };
    text.replace("my-game", name).replace("my_game", &name.replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_is_a_checkout_an_address_or_a_version() {
        assert_eq!(Engine::read("0.3").unwrap(), Engine::Version("0.3".to_owned()));
        let git = Engine::read("https://example.org/turnstone.git").unwrap();
        assert_eq!(
            git.line(PACKAGES[1]),
            "turnstone-host = { git = \"https://example.org/turnstone.git\" }\n"
        );
        let here = Engine::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
        assert!(here.line(PACKAGES[0]).contains("crates/kernel\", package = \"turnstone-kernel\" }"));
        assert!(Engine::read("nowhere").unwrap_err().to_string().starts_with("[NO_ENGINE]"));
    }

    #[test]
    fn the_name_stands_everywhere() {
        for (path, text) in FILES {
            let text = fill(text, "go-fish", &Engine::own());
            assert!(
                !text.contains("my-game") && !text.contains("my_game") && !text.contains("ENGINE"),
                "{path}"
            );
        }
        assert!(fill(FILES[4].1, "go-fish", &Engine::own()).contains("use go_fish::MyGame;"));
    }

    #[test]
    fn bad_names_are_refused() {
        for name in ["", "My", "9men", "a_b", "test", "x-", "turnstone-x", "a/b"] {
            assert!(check_name(name).is_err(), "{name}");
        }
        assert!(check_name("go-fish").is_ok());
    }
}
