//! turnstone
