//! Lines of the protocol, from everybody or from one seat: every line is answered, and a wrong one changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnstone_fuzz::room;
use turnstone_table::protocol::{Door, Terms};

fuzz_target!(|bytes: &[u8]| {
    let [choice, stage, who, rest @ ..] = bytes else { return };
    let mut table = room(*choice).table(*stage);
    // A seat that is not there is refused; that is tried as well.
    let seat = who.checked_sub(1).map(|seat| seat % 5);
    for other in (0..table.seats().len() as u8).filter(|other| seat.is_some_and(|own| own != *other)) {
        let _ = table.seat_bot(other, "random", 1);
    }
    let terms = Terms { practice: who % 2 == 0, ..Terms::default() };
    let Ok(mut door) = Door::new(table, seat, terms) else { return };
    door.greet();
    for line in String::from_utf8_lossy(rest).lines().take(16) {
        let before = door.table().digest();
        let lines = door.hear(line);
        assert_eq!(lines.is_empty(), line.trim().is_empty());
        if lines.iter().any(|line| line["type"] == "error") {
            assert_eq!(door.table().digest(), before);
        }
    }
});
