//! All tests of the game in one program: it is linked once.

mod cards;
mod climb;
mod climber;
mod events;
mod faces;
mod fights;
mod keepsakes;
mod maps;
mod mended;
mod modding;
mod names;
mod packs;
mod players;
mod reasons;
mod run;
mod stories;
mod table;
mod things;
mod tidy;
mod told;
mod tower;
mod way;
mod words;
mod writers;
