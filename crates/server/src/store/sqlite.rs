//! Matches in an SQLite file: the usual store.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::{Append, Head, Store, StoreError};

/// What makes each version of the schema out of the one before. Only ever extended.
const STEPS: [&str; 1] = ["create table heads (
        id text primary key,
        length integer not null,
        at integer not null,
        note text not null
     ) without rowid;
     create index heads_by_time on heads (at, id);
     create table lines (
        id text not null,
        i integer not null,
        line text not null,
        primary key (id, i)
     ) without rowid;"];

/// After so many appends what they wrote is carried from the log of SQLite into its file.
const CARRY_AFTER: usize = 256;
/// A log of more pages than this is to begin anew.
const LONG_LOG: i64 = 4096;

/// A store in a file. Every append is on the disk when it returns.
pub struct Sqlite {
    path: PathBuf,
    writer: Mutex<Writer>,
    reader: Mutex<Connection>,
}

/// Who appends. He never waits while what is written already is carried from the log into the file: another thread
/// does that. Only the last few pages, without which a log cannot begin anew, he carries himself.
struct Writer {
    connection: Connection,
    appends: usize,
    carry: Option<SyncSender<()>>,
    carrier: Option<JoinHandle<()>>,
    finish: Arc<AtomicBool>,
}

/// A store that is gone has closed its files: whoever carries is waited for.
impl Drop for Writer {
    fn drop(&mut self) {
        self.carry = None;
        if let Some(carrier) = self.carrier.take() {
            // It has nothing to say, even if it died.
            let _ = carrier.join();
        }
    }
}

impl Writer {
    fn new(connection: Connection, carrier: Connection) -> Result<Self, StoreError> {
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        let (carry, asked) = sync_channel(1);
        let finish = Arc::new(AtomicBool::new(false));
        let done = Arc::clone(&finish);
        let carrier = std::thread::spawn(move || carry_along(&carrier, &asked, &done));
        Ok(Writer { connection, appends: 0, carry: Some(carry), carrier: Some(carrier), finish })
    }

    /// Something was appended.
    fn appended(&mut self, count: usize) {
        self.appends += count;
        if self.appends >= CARRY_AFTER {
            self.appends = 0;
            // If it is busy with it, it need not be asked.
            let _ = self.carry.as_ref().map(|carry| carry.try_send(()));
        }
        if self.finish.swap(false, Ordering::Relaxed) {
            // What cannot be carried now is carried later; it is durable in the log.
            let _ = carry(&self.connection);
        }
    }
}

/// Carries what it can; gives how many pages the log has, and how many of them are in the file.
fn carry(connection: &Connection) -> Result<(i64, i64), rusqlite::Error> {
    connection.query_row("pragma wal_checkpoint(passive)", [], |row| Ok((row.get(1)?, row.get(2)?)))
}

fn carry_along(connection: &Connection, asked: &Receiver<()>, finish: &AtomicBool) {
    while asked.recv().is_ok() {
        if let Ok((pages, carried)) = carry(connection)
            && pages > LONG_LOG
            && carried < pages
        {
            finish.store(true, Ordering::Relaxed);
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        StoreError::Unavailable(format!("SQLite says: {error}"))
    }
}

impl Sqlite {
    /// Opens a file, makes it if it is not there, and brings its schema up to date.
    ///
    /// # Errors
    /// If it cannot be opened, is no database, or was made by a newer program.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let told = |error: StoreError| match error {
            StoreError::Unavailable(text) => StoreError::Unavailable(format!("{}: {text}", path.display())),
            other => other,
        };
        let mut writer = connect(path).map_err(told)?;
        migrate(&mut writer).map_err(told)?;
        let reader = connect(path).map_err(told)?;
        let writer = Writer::new(writer, connect(path).map_err(told)?).map_err(told)?;
        Ok(Sqlite { path: path.to_owned(), writer: Mutex::new(writer), reader: Mutex::new(reader) })
    }

    fn reader(&self) -> MutexGuard<'_, Connection> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append_all(&self, parts: &[Append]) -> Result<Vec<Result<u64, StoreError>>, StoreError> {
        let mut writer = self.writer();
        let transaction = writer.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = parts.iter().map(|part| append(&transaction, part)).collect::<Result<Vec<_>, _>>()?;
        transaction.commit()?;
        writer.appended(parts.len());
        Ok(done)
    }
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "cache_size", -8000)?;
    Ok(connection)
}

fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    migrate_by(connection, &STEPS)
}

/// Takes the steps that a file has not taken yet, all of them or none.
fn migrate_by(connection: &mut Connection, steps: &[&str]) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = steps.len() as i64;
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    for step in &steps[found.max(0) as usize..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", known)?;
    Ok(transaction.commit()?)
}

/// The inner result is this part's; the outer one fails them all.
fn append(transaction: &Transaction<'_>, part: &Append) -> Result<Result<u64, StoreError>, StoreError> {
    let mut length = transaction.prepare_cached("select length from heads where id = ?1")?;
    let actual: Option<i64> = length.query_row([&part.id], |row| row.get(0)).optional()?;
    let actual = actual.unwrap_or(0) as u64;
    if actual != part.expected {
        return Ok(Err(StoreError::Conflict { actual }));
    }
    let mut insert = transaction.prepare_cached("insert into lines (id, i, line) values (?1, ?2, ?3)")?;
    for (i, line) in (part.expected as i64..).zip(&part.lines) {
        insert.execute(params![part.id, i, line])?;
    }
    let new = part.expected + part.lines.len() as u64;
    let mut head = transaction.prepare_cached(
        "insert into heads (id, length, at, note) values (?1, ?2, ?3, ?4)
         on conflict (id) do update set length = ?2, at = ?3, note = ?4",
    )?;
    head.execute(params![part.id, new as i64, part.at, part.note])?;
    Ok(Ok(new))
}

impl Store for Sqlite {
    fn append(&self, parts: &[Append]) -> Vec<Result<u64, StoreError>> {
        match self.append_all(parts) {
            Ok(done) => done,
            Err(error) => parts.iter().map(|_| Err(error.clone())).collect(),
        }
    }

    fn read(&self, id: &str, from: u64, limit: usize) -> Result<Vec<String>, StoreError> {
        let reader = self.reader();
        let mut lines =
            reader.prepare_cached("select line from lines where id = ?1 and i >= ?2 order by i limit ?3")?;
        let rows = lines.query_map(params![id, from as i64, limit as i64], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn list(&self, since: i64, after: &str, limit: usize) -> Result<Vec<Head>, StoreError> {
        let reader = self.reader();
        let mut heads = reader.prepare_cached(
            "select id, length, at, note from heads where (at, id) > (?1, ?2) order by at, id limit ?3",
        )?;
        let rows = heads.query_map(params![since, after, limit as i64], |row| {
            let length: i64 = row.get(1)?;
            Ok(Head { id: row.get(0)?, length: length as u64, at: row.get(2)?, note: row.get(3)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn forget(&self, id: &str) -> Result<bool, StoreError> {
        let mut writer = self.writer();
        let transaction = writer.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute("delete from lines where id = ?1", [id])?;
        let gone = transaction.execute("delete from heads where id = ?1", [id])?;
        transaction.commit()?;
        Ok(gone > 0)
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of the first version, with one match in it.
    fn old() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate_by(&mut connection, &STEPS[..1]).unwrap();
        connection.execute("insert into heads values ('a', 1, 7, 'note')", []).unwrap();
        connection
    }

    fn version(connection: &Connection) -> i64 {
        connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
    }

    fn length(connection: &Connection) -> i64 {
        connection.query_row("select length from heads where id = 'a'", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn an_older_file_takes_the_steps_that_it_lacks_and_keeps_what_it_holds() {
        let (mut connection, steps) = (old(), [STEPS[0], "alter table heads add column colour text"]);
        for _ in 0..2 {
            migrate_by(&mut connection, &steps).unwrap();
            assert_eq!((version(&connection), length(&connection)), (2, 1));
            assert!(connection.prepare("select colour from heads").is_ok());
        }
        let refused = migrate_by(&mut connection, &STEPS[..1]);
        assert_eq!(refused, Err(StoreError::Newer { found: 2, known: 1 }));
    }

    #[test]
    fn a_step_that_fails_takes_none() {
        let mut connection = old();
        let steps = [STEPS[0], "alter table heads add column colour text", "this is no step"];
        assert!(migrate_by(&mut connection, &steps).is_err());
        assert_eq!((version(&connection), length(&connection)), (1, 1));
        assert!(connection.prepare("select colour from heads").is_err());
    }
}
