//! Replays as one file: opened without any server, with every moment, every reason and every viewer.

use turnstone_table::Opening;

use crate::chromium::Chromium;

pub fn files(browser: &Chromium) {
    let folder = std::env::temp_dir().join(format!("turnstone-replays-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for host in turnstone_games::games().all() {
        let mut table = host.open(&Opening { seed: 5, ..Opening::default() }).unwrap();
        for step in 0..12 {
            let count = table.inputs(turnstone_table::Viewer::All).len();
            if count == 0 || table.choose(step * 7 % count).is_err() {
                break;
            }
        }
        // A line that was left, and another.
        table.undo();
        table.undo();
        let count = table.inputs(turnstone_table::Viewer::All).len();
        table.choose(count - 1).unwrap();
        let last = table.line().len() - 1;
        // As the command writes it.
        let (played, file) = (folder.join("played.turn"), folder.join(format!("{}.html", host.name())));
        std::fs::write(&played, table.save().unwrap()).unwrap();
        let command = std::process::Command::new(env!("CARGO_BIN_EXE_turnstone"))
            .args(["replay".as_ref(), played.as_os_str(), "--html".as_ref(), file.as_os_str()])
            .output()
            .unwrap();
        assert!(command.status.success(), "{}", String::from_utf8_lossy(&command.stderr));
        let tab = browser.tab("about:blank");
        tab.go(&format!("file://{}", file.display()));
        tab.wait("document.querySelector('.stage-in') && document.querySelector('.strip-in')");
        let name = host.name();
        assert_eq!(tab.eval("performance.getEntriesByType('resource').length"), 0, "{name} asks nobody");
        assert_eq!(
            tab.text("document.querySelector('.strip-in').getAttribute('aria-valuemax')"),
            last.to_string()
        );
        assert_eq!(tab.text("document.querySelector('.strip-in').getAttribute('aria-valuenow')"), "0");
        assert!(tab.is("document.querySelector('.edge.off')"), "{name}: the line that was left is there");
        tab.key("]");
        tab.wait("document.querySelector('.strip-in').getAttribute('aria-valuenow') === '1'");
        tab.picture(&format!("replay-{name}"));
        // A line of the log opens its reasons.
        tab.wait("document.querySelector('.entry .told')");
        tab.click(".entry .told");
        tab.wait("document.querySelector('.why .reason')");
        tab.click("#tab-log");
        let seats = table.seats().len();
        assert_eq!(tab.eval("document.querySelectorAll('.viewer option').length"), seats + 1);
        tab.eval("(() => { const s = document.querySelector('.viewer select'); s.value = '0'; s.dispatchEvent(new Event('change')); })()");
        tab.wait("document.querySelector('.viewer select').value === '0'");
        tab.eval("document.querySelector('.strip-in').focus()");
        tab.key("End");
        tab.wait(&format!("document.querySelector('.strip-in').getAttribute('aria-valuenow') === '{last}'"));
        tab.assert_calm();
    }
    let _ = std::fs::remove_dir_all(&folder);
}
