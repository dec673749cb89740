//! turnstone-testkit
