//! turnstone-grid
