//! The test kit tried on itself, as one program.

mod counter;
mod faults;
mod files;
mod flaws;
mod secrets;
