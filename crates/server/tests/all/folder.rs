//! A folder of a test's own, removed at the end.

use std::path::PathBuf;

/// A folder of our own, removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    /// An empty one; `name` tells it from those of other tests.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("turnstone-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
