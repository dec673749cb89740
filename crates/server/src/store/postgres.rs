//! Matches in a PostgreSQL database: several servers may share it.

use std::sync::{Mutex, PoisonError};

use postgres::{Client, Config, NoTls, Transaction};

use super::{Append, Head, Store, StoreError};

/// What makes each version of the schema out of the one before. Only ever extended.
const STEPS: [&str; 1] = ["create table heads (
        id text collate \"C\" primary key,
        length bigint not null,
        at bigint not null,
        note text not null
     );
     create index heads_by_time on heads (at, id);
     create table lines (
        id text collate \"C\" not null,
        i bigint not null,
        line text not null,
        primary key (id, i)
     );"];

/// Held while the schema is brought up to date, so that two servers that start at once do not both do it.
const MIGRATION_LOCK: i64 = 0x7475_726e;

/// A store in a database. Connections are made anew when they are lost.
pub struct Postgres {
    config: Config,
    name: String,
    writer: Mutex<Option<Client>>,
    reader: Mutex<Option<Client>>,
}

impl From<postgres::Error> for StoreError {
    fn from(error: postgres::Error) -> Self {
        let text = error.as_db_error().map_or_else(|| error.to_string(), ToString::to_string);
        StoreError::Unavailable(format!("PostgreSQL says: {text}"))
    }
}

impl Postgres {
    /// Connects to a database and brings its schema up to date.
    ///
    /// # Errors
    /// If it cannot be reached, or was made by a newer program.
    pub fn open(address: &str) -> Result<Self, StoreError> {
        let config: Config = address.parse()?;
        let name = format!("PostgreSQL database {}", config.get_dbname().unwrap_or("of that address"));
        let mut client = config.connect(NoTls)?;
        migrate(&mut client)?;
        Ok(Postgres { config, name, writer: Mutex::new(Some(client)), reader: Mutex::new(None) })
    }

    /// Does something with a connection. One that has failed is not used again.
    fn with<T>(
        &self,
        client: &Mutex<Option<Client>>,
        deed: impl FnOnce(&mut Client) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut slot = client.lock().unwrap_or_else(PoisonError::into_inner);
        let mut client = match slot.take().filter(|client| !client.is_closed()) {
            Some(client) => client,
            None => self.config.connect(NoTls)?,
        };
        let done = deed(&mut client)?;
        *slot = Some(client);
        Ok(done)
    }

    fn append_all(&self, parts: &[Append]) -> Result<Vec<Result<u64, StoreError>>, StoreError> {
        self.with(&self.writer, |client| {
            // Two servers lock the heads of several matches in the same order.
            let mut order: Vec<usize> = (0..parts.len()).collect();
            order.sort_by(|&a, &b| parts[a].id.cmp(&parts[b].id));
            let mut transaction = client.transaction()?;
            let mut done: Vec<Option<Result<u64, StoreError>>> = vec![None; parts.len()];
            for at in order {
                done[at] = Some(append(&mut transaction, &parts[at])?);
            }
            transaction.commit()?;
            Ok(done.into_iter().flatten().collect())
        })
    }
}

fn migrate(client: &mut Client) -> Result<(), StoreError> {
    let mut transaction = client.transaction()?;
    transaction.execute("select pg_advisory_xact_lock($1)", &[&MIGRATION_LOCK])?;
    transaction.batch_execute("create table if not exists schema_version (version bigint not null)")?;
    let found = transaction.query_opt("select version from schema_version", &[])?.map_or(0, |row| row.get(0));
    let known = STEPS.len() as i64;
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    for step in &STEPS[found.max(0) as usize..] {
        transaction.batch_execute(step)?;
    }
    transaction.execute("delete from schema_version", &[])?;
    transaction.execute("insert into schema_version values ($1)", &[&known])?;
    Ok(transaction.commit()?)
}

/// The inner result is this part's; the outer one fails them all. The head's row is the lock: a second writer
/// waits for the first and then sees its length.
fn append(transaction: &mut Transaction<'_>, part: &Append) -> Result<Result<u64, StoreError>, StoreError> {
    let (expected, new) = (part.expected as i64, part.expected as i64 + part.lines.len() as i64);
    let won = if part.expected == 0 {
        let sql =
            "insert into heads (id, length, at, note) values ($1, $2, $3, $4) on conflict (id) do nothing";
        transaction.execute(sql, &[&part.id, &new, &part.at, &part.note])?
    } else {
        let sql = "update heads set length = $2, at = $3, note = $4 where id = $1 and length = $5";
        transaction.execute(sql, &[&part.id, &new, &part.at, &part.note, &expected])?
    };
    if won == 0 {
        let row = transaction.query_opt("select length from heads where id = $1", &[&part.id])?;
        let actual: i64 = row.map_or(0, |row| row.get(0));
        return Ok(Err(StoreError::Conflict { actual: actual as u64 }));
    }
    let sql = "insert into lines (id, i, line) select $1, $2 + n - 1, line from unnest($3::text[]) \
               with ordinality as given (line, n)";
    transaction.execute(sql, &[&part.id, &expected, &part.lines])?;
    Ok(Ok(new as u64))
}

impl Store for Postgres {
    fn append(&self, parts: &[Append]) -> Vec<Result<u64, StoreError>> {
        match self.append_all(parts) {
            Ok(done) => done,
            Err(error) => parts.iter().map(|_| Err(error.clone())).collect(),
        }
    }

    fn read(&self, id: &str, from: u64, limit: usize) -> Result<Vec<String>, StoreError> {
        self.with(&self.reader, |client| {
            let sql = "select line from lines where id = $1 and i >= $2 order by i limit $3";
            let rows = client.query(sql, &[&id, &(from as i64), &(limit as i64)])?;
            Ok(rows.iter().map(|row| row.get(0)).collect())
        })
    }

    fn list(&self, since: i64, after: &str, limit: usize) -> Result<Vec<Head>, StoreError> {
        self.with(&self.reader, |client| {
            let sql =
                "select id, length, at, note from heads where (at, id) > ($1, $2) order by at, id limit $3";
            let rows = client.query(sql, &[&since, &after, &(limit as i64)])?;
            let head = |row: &postgres::Row| Head {
                id: row.get(0),
                length: row.get::<_, i64>(1) as u64,
                at: row.get(2),
                note: row.get(3),
            };
            Ok(rows.iter().map(head).collect())
        })
    }

    fn forget(&self, id: &str) -> Result<bool, StoreError> {
        self.with(&self.writer, |client| {
            let mut transaction = client.transaction()?;
            let gone = transaction.execute("delete from heads where id = $1", &[&id])?;
            transaction.execute("delete from lines where id = $1", &[&id])?;
            transaction.commit()?;
            Ok(gone > 0)
        })
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}
