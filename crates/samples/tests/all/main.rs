//! All tests of the samples in one program: it is linked once.

mod couriers;
mod defaults;
mod promises;
