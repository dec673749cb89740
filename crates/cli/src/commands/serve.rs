//! `serve`: a lobby, a table for everybody with a browser, and matches that survive.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow};
use turnstone_server::serve::{Plan, serve, told_to_stop};
use turnstone_server::settings::Settings;

use crate::Ended;
use crate::args;
use crate::out::Out;
use crate::store::Store;

/// Serves until it is told to stop.
pub fn run(args: &args::Serve, store: &Store) -> Result<Ended> {
    let settings = read_settings(args.settings.as_deref())?;
    let place = match &args.store {
        Some(place) => place.clone(),
        None => {
            std::fs::create_dir_all(store.dir()).with_context(|| {
                format!("[NOT_SAVED] cannot make {}; name a file with --store", store.dir().display())
            })?;
            store.dir().join("matches.db").display().to_string()
        }
    };
    let kept = turnstone_server::store::open(&place).map_err(|error| anyhow!(error))?;
    let listen = address(args.listen.as_deref(), args.port)?;
    let plan = Plan { games: store.games, settings, store: kept, listen, operate: args.metrics };
    let open = args.open;
    serve(plan, move |address| greet(address, &place, open), told_to_stop())
        .map_err(|error| anyhow!(error))?;
    Ok(Ended::Well)
}

/// Reads a file of settings.
fn read_settings(path: Option<&Path>) -> Result<Settings> {
    let Some(path) = path else { return Ok(Settings::default()) };
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Settings::read(&text).map_err(|error| anyhow!("[SETTINGS] {}: {error}", path.display()))
}

/// Where to listen: on this machine only, unless it is asked otherwise.
fn address(listen: Option<&str>, port: u16) -> Result<SocketAddr> {
    let Some(text) = listen else { return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port))) };
    let whole = text.parse::<SocketAddr>().ok();
    let bare = || text.parse::<IpAddr>().ok().map(|ip| SocketAddr::new(ip, port));
    whole.or_else(bare).with_context(|| {
        format!("[USAGE] \"{text}\" is no address: write 0.0.0.0, 192.168.1.5:8000 or [::]:8000")
    })
}

fn greet(address: SocketAddr, place: &str, open: bool) {
    let local = SocketAddr::new(
        if address.ip().is_unspecified() { Ipv4Addr::LOCALHOST.into() } else { address.ip() },
        address.port(),
    );
    let mut out = Out::new();
    let _ = writeln!(out, "The table is open at http://{local}");
    if !address.ip().is_loopback() {
        let ip =
            if address.ip().is_unspecified() { own_address().unwrap_or(local.ip()) } else { address.ip() };
        let _ = writeln!(out, "Share http://{}", SocketAddr::new(ip, address.port()));
    }
    let _ = writeln!(out, "Matches are kept in {}. Ctrl-C closes.", shown(place));
    let _ = out.flush();
    if open {
        browse(&format!("http://{local}"));
    }
}

/// A place as it may be shown: without a password.
fn shown(place: &str) -> String {
    match (place.split_once("://"), place.rsplit_once('@')) {
        (Some((kind, _)), Some((_, rest))) => format!("{kind}://{rest}"),
        _ => place.to_owned(),
    }
}

/// The address by which others in the network see this machine. Nothing is sent.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

fn browse(url: &str) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let started = Command::new(program).arg(url).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if started.is_err() {
        eprintln!("there is no browser to start here: open {url} yourself");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        let read = |text: Option<&str>| address(text, 7878).map(|address| address.to_string()).ok();
        assert_eq!(read(None).as_deref(), Some("127.0.0.1:7878"));
        assert_eq!(read(Some("0.0.0.0")).as_deref(), Some("0.0.0.0:7878"));
        assert_eq!(read(Some("[::]:80")).as_deref(), Some("[::]:80"));
        assert_eq!(read(Some("everywhere")), None);
    }

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(shown("postgres://me:secret@host/db"), "postgres://host/db");
        assert_eq!(shown("a/b.db"), "a/b.db");
    }
}
