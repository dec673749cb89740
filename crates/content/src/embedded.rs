//! The files that a program has inside.

use include_dir::Dir;
use turnstone_host::Source;

/// The files below a folder whose names end so, in the order of their names.
pub fn embedded(folder: &Dir<'_>, ending: &str) -> Vec<Source> {
    let mut files = Vec::new();
    walk(folder, ending, &mut files);
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

fn walk(folder: &Dir<'_>, ending: &str, files: &mut Vec<Source>) {
    for file in folder.files() {
        let name = file.path().to_string_lossy().replace('\\', "/");
        if let (true, Some(text)) = (name.ends_with(ending), file.contents_utf8()) {
            files.push(Source { name, text: text.to_owned() });
        }
    }
    folder.dirs().for_each(|inner| walk(inner, ending, files));
}
