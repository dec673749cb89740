use crate::error::Result;
use crate::world::World;
use serde::{Deserialize, Serialize};
/// x
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe;
impl Recipe { pub fn world(&self, _s: u64) -> Result<World> { unimplemented!() } }
