//! Who may send what, as recorded: a table of roles that records are held against.

const PLAYER_ACTIONS: [&str; 5] = ["MOVE", "ATTACK", "ROLL_INITIATIVE", "END_TURN", "USE_ABILITY"];

/// Whether a role may send an action of this type at all. An unknown role may do nothing.
pub(crate) fn allows(role: &str, action: &str) -> bool {
    match role {
        "gm" => true,
        "player" => PLAYER_ACTIONS.contains(&action),
        _ => false,
    }
}
