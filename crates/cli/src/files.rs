//! Reading files, compressed or not, with errors that say what to do.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use turnstone_table::Source;

/// The largest file that is read, unpacked: what is larger is not one of ours.
const LIMIT: u64 = 256 << 20;

/// The text of a file; `-` is standard input, and what begins like gzip is unpacked.
pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let bytes = error.as_bytes();
        let (before, rest) = bytes.split_at(error.utf8_error().valid_up_to());
        let begun = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = String::from_utf8_lossy(&before[begun..]).chars().count() + 1;
        let byte = rest.first().copied().unwrap_or_default();
        let place = format!("{}:{line}:{column}", path.display());
        anyhow!("[UNREADABLE_FILE] {place}: this is no UTF-8 text (byte {byte:#04x}); save the file as UTF-8")
    })
}

/// The bytes of a file; `-` is standard input, and what begins like gzip is unpacked.
///
/// # Errors
/// If it cannot be read, or is larger than anything of ours, packed or unpacked.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let unreadable = || format!("[UNREADABLE_FILE] cannot read {}", path.display());
    let bytes = if path.as_os_str() == "-" {
        read_limited(std::io::stdin().lock(), path, unreadable)?
    } else {
        let file = fs::File::open(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => anyhow!("[NO_SUCH_FILE] there is no file {}", path.display()),
            _ => anyhow::Error::new(error).context(unreadable()),
        })?;
        read_limited(file, path, unreadable)?
    };
    if !is_packed(&bytes) {
        return Ok(bytes);
    }
    let unsound = || format!("[UNREADABLE_FILE] {} is no sound gzip file", path.display());
    read_limited(MultiGzDecoder::new(&bytes[..]), path, unsound)
}

/// Whether bytes begin as gzip does.
fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// Where a match that was read from a file is written on: there, or beside a packed one without its `.gz`.
///
/// # Errors
/// If it is packed, and the place beside it is taken.
pub fn written_on(path: &Path) -> Result<PathBuf> {
    let mut first = [0; 2];
    let packed =
        fs::File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && is_packed(&first);
    if !packed {
        return Ok(path.to_owned());
    }
    let beside = path.with_file_name(plain_name(path));
    if beside.exists() {
        bail!(
            "[PACKED] {} cannot be written on where it is, and {} is there already; unpack it under another name",
            path.display(),
            beside.display()
        );
    }
    Ok(beside)
}

fn read_limited(source: impl Read, path: &Path, failed: impl Fn() -> String) -> Result<Vec<u8>> {
    read_up_to(LIMIT as usize, source).with_context(failed)?.with_context(|| {
        format!("[TOO_LARGE] {} is larger than {} MiB, unpacked", path.display(), LIMIT >> 20)
    })
}

/// All of a source, or nothing if there is more than so many bytes. It is held in pieces until its length is known: a
/// vector that grows would hold twice the limit, and more while it is copied.
fn read_up_to(most: usize, mut source: impl Read) -> std::io::Result<Option<Vec<u8>>> {
    const PIECE: usize = 1 << 20;
    let (mut pieces, mut length): (Vec<Vec<u8>>, usize) = (Vec::new(), 0);
    loop {
        let mut piece = Vec::with_capacity(PIECE);
        source.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
        length += piece.len();
        if length > most {
            return Ok(None);
        }
        let is_last = piece.len() < PIECE;
        pieces.push(piece);
        if is_last {
            break;
        }
    }
    let mut bytes = Vec::with_capacity(length);
    // Each piece goes as it is taken over.
    pieces.into_iter().for_each(|piece| bytes.extend_from_slice(&piece));
    Ok(Some(bytes))
}

/// The name of a file without `.gz`, which is what readers judge its kind by.
pub fn plain_name(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| "-".into(), |name| name.to_string_lossy());
    name.strip_suffix(".gz").unwrap_or(&name).to_owned()
}

/// Files as given, and for a directory all records in it, in order, at any depth.
pub fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let records = walk(path, &["json", "jsonl"])?;
        if records.is_empty() {
            bail!("[NO_RECORDS] {} holds no .json or .jsonl files", path.display());
        }
        files.extend(records);
    }
    Ok(files)
}

/// Endings of texts that are handed to a game: content, levels, scenarios, positions.
const TEXTS: [&str; 4] = ["toml", "txt", "json", "fen"];

/// The content files of a directory, for a game to read; none without one.
///
/// # Errors
/// If it is no directory, or something in it cannot be read: all that cannot be is named.
pub fn read_content(dir: Option<&Path>) -> Result<Vec<Source>> {
    let (sources, unreadable) = read_content_in_part(dir)?;
    if !unreadable.is_empty() {
        bail!("{}", unreadable.join("\n"));
    }
    Ok(sources)
}

/// The content files of a directory that can be read, and what is wrong with each of the others.
///
/// # Errors
/// If it is no directory, or what is in it is not told.
pub fn read_content_in_part(dir: Option<&Path>) -> Result<(Vec<Source>, Vec<String>)> {
    let Some(dir) = dir else { return Ok((Vec::new(), Vec::new())) };
    if !dir.is_dir() {
        bail!("[NO_SUCH_DIRECTORY] {} is no directory; name one that holds content files", dir.display());
    }
    let (mut sources, mut unreadable) = (Vec::new(), Vec::new());
    for path in walk(dir, &TEXTS)? {
        match read_text(&path) {
            Ok(text) => sources.push(Source::new(path.display().to_string(), text)),
            Err(error) => unreadable.push(format!("{error:#}")),
        }
    }
    Ok((sources, unreadable))
}

/// The files that these values name by their endings. Games open none: what a player names is read
/// here, on his own machine, and handed over.
///
/// # Errors
/// If one cannot be read.
pub fn read_named<'a>(values: impl IntoIterator<Item = &'a str>) -> Result<Vec<Source>> {
    let named = |value: &&str| !value.contains('\n') && has_ending(Path::new(value), &TEXTS);
    values.into_iter().filter(named).map(|name| Ok(Source::new(name, read_text(Path::new(name))?))).collect()
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let name = plain_name(path);
    name.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending))
}

/// The files below a directory that have one of these endings (`.gz` apart), in the order of their
/// names. Links are followed, but never round in a circle.
fn walk(dir: &Path, endings: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    walk_on(dir, endings, &mut Vec::new(), &mut files)?;
    Ok(files)
}

fn walk_on(dir: &Path, endings: &[&str], above: &mut Vec<PathBuf>, files: &mut Vec<PathBuf>) -> Result<()> {
    let context = || format!("[UNREADABLE_FILE] cannot read {}", dir.display());
    let real = dir.canonicalize().with_context(context)?;
    if above.contains(&real) {
        return Ok(());
    }
    above.push(real);
    let entries = fs::read_dir(dir).with_context(context)?;
    let entries = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut entries: Vec<PathBuf> = entries.collect::<Result<_, _>>().with_context(context)?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            walk_on(&entry, endings, above, files)?;
        } else if has_ending(&entry, endings) {
            files.push(entry);
        }
    }
    above.pop();
    Ok(())
}

/// Writes a file so that it is there whole or not at all. A link is followed; a device or a pipe is written to, and
/// never replaced.
///
/// # Errors
/// If the directory is not there, or the file cannot be written.
pub fn write_whole(path: &Path, text: &str) -> Result<()> {
    write_bytes(path, text.as_bytes())
}

/// The same, packed by gzip: whoever reads files here unpacks them.
///
/// # Errors
/// As [`write_whole`].
pub fn write_packed(path: &Path, text: &str) -> Result<()> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    std::io::Write::write_all(&mut packer, text.as_bytes())?;
    write_bytes(path, &packer.finish()?)
}

/// Makes a directory, and a file in it, which goes again: who will have something to write there after long work is told
/// before it begins.
///
/// # Errors
/// If either cannot be made; with the path and the reason.
pub fn make_writable(dir: &Path) -> Result<()> {
    fs::create_dir_all(dir)
        .map_err(|error| anyhow!("[NOT_WRITTEN] cannot make the directory {}: {error}", dir.display()))?;
    let probe = dir.join(format!(".written-{}", std::process::id()));
    fs::write(&probe, "").and_then(|()| fs::remove_file(&probe)).map_err(|error| {
        anyhow!("[NOT_WRITTEN] nothing can be written into the directory {}: {error}", dir.display())
    })
}

/// Bytes as they are, in the same way.
///
/// # Errors
/// As [`write_whole`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    let context = || format!("[NOT_WRITTEN] cannot write {}", path.display());
    let real = followed(path).with_context(context)?;
    let there = fs::metadata(&real).ok();
    if there.as_ref().is_some_and(|there| !there.is_file()) {
        return fs::write(&real, bytes).with_context(context);
    }
    let (part, file) = beside(&real).with_context(context)?;
    let permissions = there.map(|there| there.permissions());
    let written = fill(file, permissions, bytes).and_then(|()| fs::rename(&part, &real));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written.with_context(context)?;
    sync_folder(&real);
    Ok(())
}

/// A new file beside that one, to take its place once it is whole: `FILE.part`, or the next such name that nobody has
/// taken, since what lies there is not ours.
fn beside(file: &Path) -> std::io::Result<(PathBuf, fs::File)> {
    const NAMES: u32 = 100;
    let name = file.file_name().ok_or_else(|| std::io::Error::other("a file name is missing"))?;
    let mut number = 0;
    loop {
        let mut part = name.to_owned();
        part.push(if number == 0 { ".part".to_owned() } else { format!(".part{number}") });
        let part = file.with_file_name(part);
        match fs::File::create_new(&part) {
            Ok(file) => return Ok((part, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < NAMES => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Writes all of a file, to the disk. Who may read what it replaces may read it.
fn fill(mut file: fs::File, permissions: Option<fs::Permissions>, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    std::io::Write::write_all(&mut file, bytes)?;
    file.sync_all()
}

/// That a file is there under its name is to outlive a loss of power too. Some systems cannot say so of folders.
pub fn sync_folder(file: &Path) {
    let folder = file.parent().map(|dir| if dir.as_os_str().is_empty() { Path::new(".") } else { dir });
    if let Some(folder) = folder.and_then(|dir| fs::File::open(dir).ok()) {
        let _ = folder.sync_all();
    }
}

/// Whether a file can be written there, for who will have something to write after long work: a directory that is not
/// there is told before it begins.
///
/// # Errors
/// If the directory is not there, or nothing can be written into it.
pub fn check_place(path: &Path) -> Result<()> {
    let real = followed(path).with_context(|| format!("[NOT_WRITTEN] cannot write {}", path.display()))?;
    let dir = real.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !dir.is_dir() {
        bail!("[NOT_WRITTEN] cannot write {}: there is no directory {}", path.display(), dir.display());
    }
    if real.is_dir() {
        bail!("[NOT_WRITTEN] cannot write {}: it is a directory", path.display());
    }
    if fs::metadata(&real).is_ok_and(|there| !there.is_file()) {
        return Ok(());
    }
    make_writable(dir)
}

/// Where links lead, also if there is nothing yet.
fn followed(path: &Path) -> std::io::Result<PathBuf> {
    let mut real = path.to_owned();
    // As many as the system follows.
    for _ in 0..40 {
        if !real.is_symlink() {
            return Ok(real);
        }
        let target = fs::read_link(&real)?;
        real = real.parent().map_or(target.clone(), |dir| dir.join(&target));
    }
    Err(std::io::Error::other("links lead round in a circle"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_read_in_order_and_a_circle_of_links_once() {
        let dir = std::env::temp_dir().join(format!("turnstone-walk-{}", std::process::id()));
        fs::create_dir_all(dir.join("b")).unwrap();
        for name in ["c.toml", "b/a.txt", "notes.md", "a.toml"] {
            fs::write(dir.join(name), name).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(&dir, dir.join("b/round")).unwrap();
        let texts: Vec<String> =
            read_content(Some(&dir)).unwrap().into_iter().map(|source| source.text).collect();
        fs::remove_dir_all(&dir).unwrap();
        assert_eq!(texts, ["a.toml", "b/a.txt", "c.toml"]);
        assert!(read_content(Some(&dir)).unwrap_err().to_string().starts_with("[NO_SUCH_DIRECTORY]"));
    }

    #[test]
    fn a_file_that_is_no_text_is_named_with_its_place_and_hides_no_other() {
        let dir = std::env::temp_dir().join(format!("turnstone-bytes-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("a.toml"), b"[card.a]\nname = \"\xc3\xa9\xe9\"\n").unwrap();
        fs::write(dir.join("b.toml"), b"\xff").unwrap();
        fs::write(dir.join("c.toml"), "sound").unwrap();
        let (sources, unreadable) = read_content_in_part(Some(&dir)).unwrap();
        let refusal = read_content(Some(&dir)).unwrap_err().to_string();
        fs::remove_dir_all(&dir).unwrap();
        assert_eq!(sources.len(), 1);
        assert!(unreadable[0].contains("a.toml:2:10:") && unreadable[0].contains("0xe9"), "{unreadable:?}");
        assert!(unreadable[1].contains("b.toml:1:1:"), "{unreadable:?}");
        assert!(refusal.contains("a.toml") && refusal.contains("b.toml"), "{refusal}");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_written_goes_where_links_lead_and_keeps_its_readers() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = std::env::temp_dir().join(format!("turnstone-write-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(dir.join("far")).unwrap();
        let own = dir.join("own");
        fs::write(&own, "old").unwrap();
        fs::set_permissions(&own, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("own", dir.join("link")).unwrap();
        symlink("far/new", dir.join("dangling")).unwrap();
        symlink("round", dir.join("round")).unwrap();
        write_whole(&dir.join("link"), "new").unwrap();
        write_whole(&dir.join("dangling"), "new").unwrap();
        assert!(write_whole(&dir.join("round"), "new").unwrap_err().to_string().starts_with("[NOT_WRITTEN]"));
        write_whole(Path::new("/dev/null"), "new").unwrap();
        let mode = fs::metadata(&own).unwrap().permissions().mode() & 0o777;
        let texts = [&own, &dir.join("far/new")].map(|path| fs::read_to_string(path).unwrap());
        assert_eq!((texts, mode), (["new".to_owned(), "new".to_owned()], 0o600));
        assert!(dir.join("link").is_symlink() && dir.join("dangling").is_symlink());
        fs::remove_dir_all(&dir).unwrap();
        assert!(!Path::new("/dev/null").is_file());
    }

    #[test]
    fn somebodys_file_that_is_called_like_ours_in_the_making_stays() {
        let dir = std::env::temp_dir().join(format!("turnstone-part-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("a.turn.part"), "somebody's").unwrap();
        write_whole(&dir.join("a.turn"), "ours").unwrap();
        write_whole(&dir.join("a.turn"), "ours again").unwrap();
        let texts = ["a.turn.part", "a.turn"].map(|name| fs::read_to_string(dir.join(name)).unwrap());
        let count = fs::read_dir(&dir).unwrap().count();
        fs::remove_dir_all(&dir).unwrap();
        assert_eq!((texts, count), (["somebody's".to_owned(), "ours again".to_owned()], 2));
    }

    #[test]
    fn a_packed_file_that_unpacks_without_end_is_refused() {
        let path = std::env::temp_dir().join(format!("turnstone-bomb-{}.gz", std::process::id()));
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        let nothing = vec![0; 1 << 20];
        for _ in 0..=LIMIT >> 20 {
            std::io::Write::write_all(&mut packer, &nothing).unwrap();
        }
        fs::write(&path, packer.finish().unwrap()).unwrap();
        let refusal = read_bytes(&path).unwrap_err().to_string();
        fs::remove_file(&path).unwrap();
        assert!(refusal.starts_with("[TOO_LARGE]"), "{refusal}");
    }

    #[test]
    fn what_is_larger_than_it_may_be_is_dropped_as_soon_as_that_is_known() {
        let whole = vec![7; 3 << 20];
        assert_eq!(read_up_to(3 << 20, &whole[..]).unwrap(), Some(whole.clone()));
        assert_eq!(read_up_to((3 << 20) - 1, &whole[..]).unwrap(), None);
        assert_eq!(read_up_to(5, &b"few"[..]).unwrap().as_deref(), Some(&b"few"[..]));
        assert_eq!(read_up_to(1 << 20, std::io::repeat(1)).unwrap(), None, "an endless one too");
    }

    #[test]
    fn a_place_to_write_to_is_tried_before_there_is_anything_to_write() {
        let scratch = std::env::temp_dir().join(format!("turnstone-place-{}", std::process::id()));
        fs::create_dir_all(&scratch).unwrap();
        let told = check_place(&scratch.join("gone/a.turn")).unwrap_err().to_string();
        check_place(&scratch.join("a.turn")).unwrap();
        let left = fs::read_dir(&scratch).unwrap().count();
        fs::remove_dir_all(&scratch).unwrap();
        assert!(told.starts_with("[NOT_WRITTEN]") && told.contains("gone"), "{told}");
        assert_eq!(left, 0);
        check_place(Path::new("/dev/null")).unwrap();
    }

    #[test]
    fn a_directory_into_which_nothing_can_be_written_is_refused_with_its_name_and_the_reason() {
        let scratch = std::env::temp_dir().join(format!("turnstone-writable-{}", std::process::id()));
        make_writable(&scratch.join("a/b")).unwrap();
        let left = fs::read_dir(scratch.join("a/b")).unwrap().count();
        let file = scratch.join("file");
        fs::write(&file, "").unwrap();
        let refused = [file.clone(), file.join("below")].map(|dir| (make_writable(&dir).unwrap_err(), dir));
        fs::remove_dir_all(&scratch).unwrap();
        assert_eq!(left, 0, "what was tried is gone");
        for (error, dir) in refused {
            let told = error.to_string();
            assert!(told.starts_with("[NOT_WRITTEN]") && told.contains(&*dir.to_string_lossy()), "{told}");
            assert!(told.contains("os error"), "the reason: {told}");
        }
    }

    #[test]
    fn only_what_looks_like_a_file_is_read() {
        assert_eq!(read_named(["hard", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "a\nb.toml"]).unwrap(), []);
        assert!(read_named(["nowhere/at_all.toml"]).unwrap_err().to_string().contains("nowhere/at_all.toml"));
    }
}
