//! Many people at one table: roles, messages, and what becomes of an incoming
//! action. Pure data and functions; whoever has a network carries them.

pub mod inbox;
pub mod messages;
pub mod permissions;

pub use inbox::{Client, Refused, admit};
pub use messages::{Envelope, MessageKind};
pub use permissions::{Role, Table};
