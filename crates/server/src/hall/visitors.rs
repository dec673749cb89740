//! Who comes from where, and how much of it is enough.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Hall, locked};
use crate::refusal::Refusal;

/// What one address does.
#[derive(Default)]
pub(super) struct Visitor {
    pub(super) sockets: usize,
    connections: usize,
    opened: Vec<Instant>,
    budget: f64,
    seen: Option<Instant>,
}

/// A connection that is counted, until it is let go of.
pub struct Connected {
    hall: Arc<Hall>,
    from: IpAddr,
}

impl Drop for Connected {
    fn drop(&mut self) {
        if let Some(visitor) = locked(&self.hall.visitors).get_mut(&self.from) {
            visitor.connections = visitor.connections.saturating_sub(1);
        }
    }
}

impl Hall {
    /// Counts a connection of an address, which may be a stream and is no socket yet. Behind a proxy they are all its own,
    /// and none is counted.
    ///
    /// # Errors
    /// If it has enough.
    pub fn connect(self: &Arc<Self>, from: IpAddr) -> Result<Option<Connected>, Refusal> {
        if self.settings.behind_proxy {
            return Ok(None);
        }
        let mut visitors = locked(&self.visitors);
        let visitor = visitors.entry(from).or_default();
        if visitor.connections >= self.settings.connections_per_address {
            let most = self.settings.connections_per_address;
            let text = format!("one address may have {most} connections at once");
            return Err(Refusal::new("TOO_MANY", text).retry(10_000));
        }
        visitor.connections += 1;
        Ok(Some(Connected { hall: Arc::clone(self), from }))
    }

    /// Counts a socket of an address in.
    ///
    /// # Errors
    /// If it has enough, or all have.
    pub fn arrive(&self, address: IpAddr) -> Result<(), Refusal> {
        if self.metrics.sockets.get() >= self.settings.sockets as i64 {
            return Err(Refusal::new("TOO_MANY", "so many are connected already").retry(10_000));
        }
        let mut visitors = locked(&self.visitors);
        let visitor = visitors.entry(address).or_default();
        if visitor.sockets >= self.settings.sockets_per_address {
            let most = self.settings.sockets_per_address;
            let text = format!("one address may have {most} sockets and streams");
            return Err(Refusal::new("TOO_MANY", text).retry(10_000));
        }
        visitor.sockets += 1;
        self.metrics.sockets.add(1);
        Ok(())
    }

    /// Counts it out.
    pub fn depart(&self, address: IpAddr) {
        if let Some(visitor) = locked(&self.visitors).get_mut(&address) {
            visitor.sockets = visitor.sockets.saturating_sub(1);
        }
        self.metrics.sockets.add(-1);
    }

    /// Counts a new match of an address.
    ///
    /// # Errors
    /// If there were too many in the last minute.
    pub fn may_open(&self, address: IpAddr) -> Result<(), Refusal> {
        let mut visitors = locked(&self.visitors);
        let visitor = visitors.entry(address).or_default();
        visitor.opened.retain(|at| at.elapsed() < Duration::from_secs(60));
        if visitor.opened.len() >= self.settings.matches_per_minute as usize {
            let text = format!("one address may open {} matches a minute", self.settings.matches_per_minute);
            return Err(Refusal::new("TOO_FAST", text).retry(10_000));
        }
        visitor.opened.push(Instant::now());
        Ok(())
    }

    /// Counts a request of an address.
    ///
    /// # Errors
    /// If there are too many.
    pub fn may_ask(&self, address: IpAddr) -> Result<(), Refusal> {
        let rate = f64::from(self.settings.requests_per_second);
        let mut visitors = locked(&self.visitors);
        let visitor = visitors.entry(address).or_default();
        let now = Instant::now();
        let passed = visitor.seen.map_or(10.0, |seen| now.duration_since(seen).as_secs_f64());
        visitor.budget = (visitor.budget + passed * rate).min(4.0 * rate);
        visitor.seen = Some(now);
        if visitor.budget < 1.0 {
            let text = format!("one address may ask {} times a second", self.settings.requests_per_second);
            return Err(Refusal::new("TOO_FAST", text).retry(500));
        }
        visitor.budget -= 1.0;
        Ok(())
    }

    /// Whoever has not been here for a minute is forgotten.
    pub(super) fn forget_visitors(&self) {
        locked(&self.visitors).retain(|_, visitor| {
            visitor.opened.retain(|at| at.elapsed() < Duration::from_secs(60));
            visitor.sockets > 0
                || visitor.connections > 0
                || !visitor.opened.is_empty()
                || visitor.seen.is_some_and(|seen| seen.elapsed() < Duration::from_secs(60))
        });
    }

    /// Origins that are this server's own, besides that of the address it was asked at.
    pub fn set_origins(&self, origins: Vec<String>) {
        *locked(&self.own_origin) = origins;
    }

    /// Whether pages of that origin may talk to a server that was asked by that name.
    pub fn allows_origin(&self, origin: &str, host: &str) -> bool {
        let bare = origin.split_once("://").map_or(origin, |(_, rest)| rest);
        bare == host
            || self.settings.origins.iter().any(|one| one == origin)
            || locked(&self.own_origin).iter().any(|one| one == origin)
    }
}
