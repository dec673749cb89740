//! The content is compiled in: a changed file means a new build.

fn main() {
    println!("cargo:rerun-if-changed=content");
}
