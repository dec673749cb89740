//! turnstone-skirmish
