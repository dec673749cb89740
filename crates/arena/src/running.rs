//! The programs that run now, so that none outlives us: they are in groups of their own, which a terminal's Ctrl-C does
//! not reach, and nobody can clean up after he was killed. So somebody else does.

use std::io::{self, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A process that is told who runs, and ends all who are left when it hears no more of us: however we end, the pipe
/// between us is closed then.
struct Watcher(Mutex<Child>);

/// `+ GROUP` and `- GROUP`, line by line, until we are gone.
const WATCH: &str = "trap '' INT TERM HUP
live=
while read -r sign group; do
    case $sign in
        +) live=\"$live $group\" ;;
        -) left=
           for one in $live; do [ \"$one\" = \"$group\" ] || left=\"$left $one\"; done
           live=$left ;;
    esac
done
for one in $live; do kill -9 \"-$one\" 2>/dev/null; done";

impl Watcher {
    fn start() -> Option<Self> {
        let mut shell = Command::new("sh");
        shell.args(["-c", WATCH]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        own_group(&mut shell);
        shell.spawn().ok().filter(|_| cfg!(unix)).map(|child| Watcher(Mutex::new(child)))
    }

    /// One that does not listen any more cannot help.
    fn tell(&self, sign: char, group: u32) {
        let mut watcher = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = watcher.stdin.as_mut().map(|pipe| writeln!(pipe, "{sign} {group}"));
    }
}

static WATCHER: OnceLock<Option<Watcher>> = OnceLock::new();

fn tell(sign: char, group: u32) {
    if let Some(watcher) = WATCHER.get_or_init(Watcher::start) {
        watcher.tell(sign, group);
    }
}

/// What it starts ends with it, and what is sent to us by a terminal is not sent to it.
fn own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Starts a program as the leader of a group.
pub(crate) fn start(command: &mut Command) -> io::Result<Child> {
    own_group(command);
    let child = command.spawn()?;
    tell('+', child.id());
    Ok(child)
}

/// Ends a program with everything that it has started, before anybody waits for it: later its number may be another's.
pub(crate) fn end(child: &mut Child) {
    #[cfg(unix)]
    {
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-9", "--", &group]).stderr(Stdio::null()).status();
    }
    let _ = child.kill();
    tell('-', child.id());
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Duration;

    fn sleeper() -> Child {
        let mut command = Command::new("sh");
        own_group(&mut command);
        command.args(["-c", "sleep 600 & sleep 600"]).spawn().unwrap()
    }

    fn ends(child: &mut Child, within: u32) -> bool {
        (0..within).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            child.try_wait().unwrap().is_some()
        })
    }

    #[test]
    fn programs_end_with_us_however_we_end() {
        let (watcher, mut known, mut done) = (Watcher::start().unwrap(), sleeper(), sleeper());
        watcher.tell('+', known.id());
        watcher.tell('+', done.id());
        watcher.tell('-', done.id());
        assert!(!ends(&mut known, 5), "while we live they do");
        // So our death looks to who listens to us.
        let mut watching = watcher.0.into_inner().unwrap();
        drop(watching.stdin.take());
        watching.wait().unwrap();
        assert!(ends(&mut known, 250) && !ends(&mut done, 5), "who was ended already is nobody's any more");
        end(&mut done);
        done.wait().unwrap();
    }
}
