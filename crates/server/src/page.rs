//! The files of the page, out of the binary. Debug builds read them from the folder, so that a reload shows what
//! was changed.

use std::collections::HashMap;
use std::io::Write;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use include_dir::{Dir, include_dir};

static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/page");

/// A file as it is sent.
#[derive(Clone)]
pub struct File {
    /// What it is.
    pub kind: &'static str,
    /// Changes with what is in it.
    pub tag: String,
    /// What is in it.
    pub plain: Vec<u8>,
    /// The same, smaller; none if it would not be.
    pub small: Option<Vec<u8>>,
}

impl File {
    /// What is sent under this name.
    pub fn new(name: &str, plain: Vec<u8>) -> Self {
        let tag = format!("\"{}\"", &blake3::hash(&plain).to_hex()[..16]);
        let small = gzip(&plain, Compression::best());
        File { kind: kind(name), tag, plain, small }
    }
}

/// The same in fewer bytes; none if they would not be fewer.
pub fn gzip(plain: &[u8], effort: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), effort);
    let small = encoder.write_all(plain).and_then(|()| encoder.finish()).ok();
    small.filter(|small| small.len() < plain.len())
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "webmanifest" => "application/json",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn all() -> &'static HashMap<String, File> {
    static ALL: OnceLock<HashMap<String, File>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut found = HashMap::new();
        let mut folders = vec![&PAGE];
        while let Some(folder) = folders.pop() {
            folders.extend(folder.dirs());
            for file in folder.files() {
                let name = file.path().to_string_lossy().replace('\\', "/");
                found.insert(name.clone(), File::new(&name, file.contents().to_vec()));
            }
        }
        found
    })
}

/// The file of that name. Only names that were there when the program was built open anything.
pub fn find(path: &str) -> Option<File> {
    let name = match path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let file = all().get(name)?;
    if cfg!(debug_assertions) {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
        if let Ok(now) = std::fs::read(std::path::Path::new(folder).join(name)) {
            return Some(File::new(name, now));
        }
    }
    Some(file.clone())
}

/// Whether a path is one of the page's own addresses, which all show the page.
pub fn is_view(path: &str) -> bool {
    path == "/" || path == "/m" || path.starts_with("/m/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Modules are asked for together, not one after another as each is found to need the next.
    #[test]
    fn the_page_asks_for_all_its_modules_at_once() {
        let index = String::from_utf8(find("/").unwrap().plain).unwrap();
        for module in crate::replay::MODULES {
            let asked = match module {
                "main.js" => r#"<script type="module" src="/main.js">"#.to_owned(),
                module => format!(r#"<link rel="modulepreload" href="/{module}">"#),
            };
            assert_eq!(index.matches(&asked).count(), 1, "{module}");
        }
        assert_eq!(index.matches(".js").count(), crate::replay::MODULES.len());
    }

    #[test]
    fn files_are_found_by_name_and_nothing_else_is() {
        let index = find("/").unwrap();
        assert!(index.kind.starts_with("text/html") && index.tag.len() == 18);
        for wrong in ["/../Cargo.toml", "/..%2fCargo.toml", "//etc/passwd", "/index.html/", "/nothing.js"] {
            assert!(find(wrong).is_none(), "{wrong}");
        }
        assert!(is_view("/m/abc/at/3") && !is_view("/mabc"));
    }
}
