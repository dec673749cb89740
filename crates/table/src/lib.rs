//! turnstone-table
