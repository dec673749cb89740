//! A server: listens, serves, and goes down in order.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use turnstone_table::Games;

use crate::hall::Hall;
use crate::http::{answer, operators};
use crate::metrics::{count_panics, log};
use crate::patient::Patient;
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::store::Store;

/// What a server needs.
pub struct Plan {
    /// The games.
    pub games: Games,
    /// All limits.
    pub settings: Settings,
    /// Where matches are kept.
    pub store: Box<dyn Store>,
    /// Where it listens; port 0 for any.
    pub listen: SocketAddr,
    /// Where the operator may ask for metrics; only on this machine.
    pub operate: Option<SocketAddr>,
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken, or not ours.
    #[error("[ADDRESS] cannot listen at {0}: {1}; another --port may be free")]
    Listen(SocketAddr, std::io::Error),
    /// Metrics are not for everybody.
    #[error("[NOT_LOOPBACK] metrics are given on this machine only, not at {0}")]
    NotLoopback(SocketAddr),
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] crate::store::StoreError),
    /// The system does not let us.
    #[error("[SYSTEM] {0}")]
    System(#[from] std::io::Error),
}

/// Serves until it is told to stop, and then lets everybody finish. `ready` hears the address.
///
/// # Errors
/// If it cannot start.
pub fn serve(
    plan: Plan,
    ready: impl FnOnce(SocketAddr) + Send,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    if let Some(own) = plan.operate.filter(|own| !own.ip().is_loopback()) {
        return Err(ServeError::NotLoopback(own));
    }
    count_panics();
    // Stores may block, and one of them may not be let go of inside a runtime: that is done out here.
    let store: Arc<dyn Store> = Arc::from(plan.store);
    let hall = Hall::open(plan.games, plan.settings, Arc::clone(&store))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(run(hall, plan.listen, plan.operate, ready, stop));
    // What still thinks is not waited for: nothing that counts is in memory only.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

async fn run(
    hall: Arc<Hall>,
    listen: SocketAddr,
    operate: Option<SocketAddr>,
    ready: impl FnOnce(SocketAddr) + Send,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let listener = TcpListener::bind(listen).await.map_err(|error| ServeError::Listen(listen, error))?;
    let address = listener.local_addr()?;
    if let Some(own) = operate {
        let listener = TcpListener::bind(own).await.map_err(|error| ServeError::Listen(own, error))?;
        let served = axum::serve(listener, operators(Arc::clone(&hall))).into_future();
        tokio::spawn(served);
    }
    tokio::spawn(Arc::clone(&hall).look_after());
    ready(address);
    log("info", "serving", json!({ "address": address.to_string(), "matches": hall.count() }));
    let (closed, closing) = watch::channel(false);
    let served = tokio::spawn(accept(Arc::clone(&hall), listener, closing));
    stop.await;
    log("info", "closing", json!({ "awake": hall.metrics.awake.get() }));
    let _ = closed.send(true);
    hall.close().await;
    let _ = tokio::time::timeout(Duration::from_secs(3), served).await;
    log("info", "closed", json!({}));
    Ok(())
}

/// So many at once are told why they are not served; others are cut off without a word.
const TURNED_AWAY: usize = 64;

/// Takes in connections until the server closes, and waits for those that are served.
async fn accept(hall: Arc<Hall>, listener: TcpListener, mut closing: watch::Receiver<bool>) {
    let free = Arc::new(Semaphore::new(hall.settings.connections.max(1)));
    let doors = Arc::new(Semaphore::new(TURNED_AWAY));
    let mut served = JoinSet::new();
    loop {
        let taken = tokio::select! {
            taken = listener.accept() => taken,
            _ = closing.wait_for(|closed| *closed) => break,
        };
        while served.try_join_next().is_some() {}
        let Ok((stream, address)) = taken else {
            // Too many files are open, or the other side was quicker: there is nothing to do but wait.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let connected = match hall.connect(address.ip()) {
            Ok(connected) => connected,
            Err(refusal) => {
                if let Ok(door) = Arc::clone(&doors).try_acquire_owned() {
                    served.spawn(async move {
                        turn_away(stream, &refusal).await;
                        drop(door);
                    });
                }
                continue;
            }
        };
        let Ok(place) = Arc::clone(&free).try_acquire_owned() else { continue };
        let (hall, closing) = (Arc::clone(&hall), closing.clone());
        served.spawn(async move {
            attend(hall, stream, address, closing).await;
            drop((place, connected));
        });
    }
    drop(listener);
    while served.join_next().await.is_some() {}
}

/// Says why nothing is answered, whatever was asked. That is taken and forgotten: what lies unread would cut the line
/// before the other side has heard.
async fn turn_away(mut stream: TcpStream, refusal: &Refusal) {
    let body = refusal.json().to_string();
    let after = refusal.retry_ms.unwrap_or(0).div_ceil(1000);
    let answer = format!(
        "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         retry-after: {after}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let said = async {
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await?;
        let mut rest = [0; 1024];
        while stream.read(&mut rest).await? > 0 {}
        Ok::<_, std::io::Error>(())
    };
    let _ = tokio::time::timeout(Duration::from_secs(1), said).await;
}

/// One connection, for all its requests. Who takes too long to say what he wants, or to take what he is sent, is cut off.
async fn attend(hall: Arc<Hall>, stream: TcpStream, address: SocketAddr, mut closing: watch::Receiver<bool>) {
    // What is told goes out at once: nobody waits for the other side to say that it has what came before.
    let _ = stream.set_nodelay(true);
    let mut builder = Builder::new(TokioExecutor::new());
    let patience = Duration::from_secs(hall.settings.head.max(1));
    builder.http1().timer(TokioTimer::new()).header_read_timeout(patience);
    let stream = Patient::new(stream, Duration::from_secs(hall.settings.taking.max(1)));
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let asked = answer(Arc::clone(&hall), address, request.map(Body::new));
        async move { Ok::<_, Infallible>(asked.await) }
    });
    let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = closing.wait_for(|closed| *closed) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Ends when the process is told to: Ctrl-C, or SIGTERM.
pub async fn told_to_stop() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut term) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = term.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
