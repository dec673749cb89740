//! The `turnstone` command.
fn main() {}
