//! The rules: how moves are found, judged and carried out, one mechanic per file.

pub(crate) mod attack;
pub(crate) mod candidates;
pub(crate) mod castling;
pub(crate) mod check;
pub(crate) mod ending;
pub(crate) mod fits;
pub(crate) mod legality;
pub(crate) mod open;
pub(crate) mod plain;
pub(crate) mod settle;
