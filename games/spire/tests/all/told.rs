//! What content says of itself, as it is known: the texts in `tests/told`.

/// Compares a text with the one of that name.
#[track_caller]
pub fn bless(name: &str, text: &str) {
    turnstone_testkit::bless(format!("{}/tests/told/{name}.txt", env!("CARGO_MANIFEST_DIR")), text);
}
