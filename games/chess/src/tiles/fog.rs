//! **Fog tile**: who stands in it cannot be taken; blasts still reach it.

use crate::at::At;
use crate::effect::Effect;
use crate::state::State;
use turnstone::Verdict;

pub(crate) fn before(state: &State, here: At, effect: &Effect) -> Verdict {
    match *effect {
        Effect::Capture { at, target, .. } if at == here && state.id_at(here) == target => Verdict::Cancelled,
        _ => Verdict::Pass,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    fn misty() -> Board {
        let mut board = Board::new(8, 8);
        board
            .white("king a1")
            .white("rook d1")
            .black("king h8")
            .black("knight d5")
            .tile("fog d5")
            .tile("fog c1");
        board
    }

    #[test]
    fn captures_into_fog_are_not_even_legal() {
        let mut board = misty();
        assert!(!board.can("d1d5") && board.can("d1c1"));
        assert_eq!(board.force("d1d5"), Vec::<String>::new());
        assert_eq!(board.at("d5"), "knight");
    }
}
