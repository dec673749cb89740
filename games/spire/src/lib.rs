//! turnstone-spire
