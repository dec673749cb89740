//! The content files are built into the program: a changed one must rebuild it.

fn main() {
    println!("cargo:rerun-if-changed=content");
    println!("cargo:rerun-if-changed=build.rs");
}
