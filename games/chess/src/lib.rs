//! turnstone-chess
