//! How much memory a program holds, with everything that it has started: its group is looked at again and again, and
//! ended if it holds too much. A limit of the system would be one for each process, and whoever met it would seem to have
//! crashed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// How long nobody looks.
const PAUSE: Duration = Duration::from_millis(100);

/// A group that is looked at for as long as this is kept.
pub(crate) struct Watch {
    group: u32,
    found: Arc<AtomicU64>,
}

/// The same for who looks.
struct Watched {
    group: u32,
    most: u64,
    found: Arc<AtomicU64>,
}

static WATCHED: Mutex<Vec<Watched>> = Mutex::new(Vec::new());
static COME: Condvar = Condvar::new();
static LOOKING: OnceLock<()> = OnceLock::new();

fn watched() -> MutexGuard<'static, Vec<Watched>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether this system tells what its processes hold.
pub(crate) fn is_told() -> bool {
    Path::new("/proc/self/status").exists()
}

impl Watch {
    /// Holds a group of processes to so many kilobytes.
    pub fn start(group: u32, most: u64) -> Self {
        let found = Arc::new(AtomicU64::new(0));
        watched().push(Watched { group, most, found: Arc::clone(&found) });
        COME.notify_one();
        LOOKING.get_or_init(|| drop(std::thread::spawn(look)));
        Watch { group, found }
    }

    /// How many kilobytes it held, if it was ended for that.
    pub fn exceeded(&self) -> Option<u64> {
        Some(self.found.load(Ordering::Acquire)).filter(|found| *found > 0)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        watched().retain(|watched| watched.group != self.group);
    }
}

fn look() {
    loop {
        let mut groups = watched();
        while groups.is_empty() {
            groups = COME.wait(groups).unwrap_or_else(PoisonError::into_inner);
        }
        // Nobody lets go of a group meanwhile, so its number is not another's yet.
        let members = members();
        groups.iter().for_each(|watched| watched.look(&members));
        drop(groups);
        std::thread::sleep(PAUSE);
    }
}

impl Watched {
    /// Ends the group if it holds too much.
    fn look(&self, members: &[(u32, u32)]) {
        let own = members.iter().filter(|(_, group)| *group == self.group).map(|(process, _)| *process);
        let held = held(&own.collect::<Vec<_>>(), self.most);
        if held > self.most && self.found.swap(held, Ordering::Release) == 0 {
            let group = format!("-{}", self.group);
            let _ = Command::new("kill").args(["-9", "--", &group]).stderr(Stdio::null()).status();
        }
    }
}

/// Every process with its group.
fn members() -> Vec<(u32, u32)> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter_map(|process| Some((process, group_of(process)?))).collect()
}

/// The group stands third behind the name, which may hold anything, also brackets.
fn group_of(process: u32) -> Option<u32> {
    let stat = std::fs::read(format!("/proc/{process}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat).into_owned();
    stat.rsplit(')').next()?.split_whitespace().nth(2)?.parse().ok()
}

/// The kilobytes of these processes together. What was held for a moment only is known of single ones: the most that
/// each held at any time.
fn held(processes: &[u32], most: u64) -> u64 {
    let sum = |what: fn(u32) -> u64| processes.iter().map(|process| what(*process)).sum::<u64>();
    let peak = processes.iter().map(|process| kilobytes(*process, "status", "VmHWM:").unwrap_or(0)).max();
    // What several share is counted for each of them at first; to share it out takes long.
    let now = match sum(resident) {
        rough if rough <= most => rough,
        _ => sum(share),
    };
    peak.unwrap_or(0).max(now)
}

fn resident(process: u32) -> u64 {
    kilobytes(process, "status", "VmRSS:").unwrap_or(0)
}

fn share(process: u32) -> u64 {
    kilobytes(process, "smaps_rollup", "Pss:").unwrap_or_else(|| resident(process))
}

fn kilobytes(process: u32, file: &str, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/{file}")).ok()?;
    text.lines().find_map(|line| line.strip_prefix(key))?.split_whitespace().next()?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_holds_is_found() {
        let own = std::process::id();
        let before = held(&[own], u64::MAX);
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        assert!(held(&[own], u64::MAX) >= before.max(64 << 10));
        assert!(resident(own) >= 64 << 10 && share(own) >= 64 << 10);
        drop(block);
        assert!(held(&[own], u64::MAX) >= 64 << 10, "what was held for a moment counts");
        assert!(members().contains(&(own, group_of(own).unwrap())));
        assert_eq!(held(&[], 0), 0);
    }
}
