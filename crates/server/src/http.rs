//! HTTP: the page, the API, the streams; and the doors that everybody comes through.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use axum::routing::any;
use flate2::Compression;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::hall::Hall;
use crate::keeper::{Ask, Out, Request as Asked};
use crate::message::{Hello, Join, Message, Mine, PROTOCOL, Wanted, schemas};
use crate::metrics::wall_ms;
use crate::page::File;
use crate::refusal::{Refusal, malformed};
use crate::{page, socket, ws};

/// What a page of ours may do: nothing but talk to where it came from.
const POLICY: &str = "default-src 'self'; connect-src 'self'; img-src 'self' data:; style-src 'self'; \
                      script-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// What the operator may ask, on an address of its own: never the public one.
pub fn operators(hall: Arc<Hall>) -> Router {
    Router::new().fallback(any(operate)).with_state(hall)
}

fn reply(status: u16, kind: &str, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    if let Ok(kind) = HeaderValue::from_str(kind) {
        headers.insert(header::CONTENT_TYPE, kind);
    }
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    response
}

fn told(status: u16, value: &Value) -> Response<Body> {
    let mut response = reply(status, "application/json", value.to_string());
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn refused(refusal: &Refusal) -> Response<Body> {
    let mut response = told(refusal.status(), &refusal.json());
    if let Some(after) = refusal.retry_ms {
        let seconds = after.div_ceil(1000).to_string();
        if let Ok(seconds) = HeaderValue::from_str(&seconds) {
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
    }
    response
}

/// The address that somebody comes from; behind a proxy the last one that it appended.
fn visitor(hall: &Hall, address: SocketAddr, headers: &HeaderMap) -> IpAddr {
    let told = || headers.get("x-forwarded-for")?.to_str().ok()?.rsplit(',').next()?.trim().parse().ok();
    if hall.settings.behind_proxy { told().unwrap_or(address.ip()) } else { address.ip() }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn check_origin(hall: &Hall, headers: &HeaderMap) -> Result<(), Refusal> {
    let origin = text(headers, "origin");
    if origin.is_empty() || hall.allows_origin(origin, text(headers, "host")) {
        return Ok(());
    }
    Err(Refusal::new("ORIGIN", "pages of another site may not talk to this server"))
}

/// The tokens of a request.
fn tokens(headers: &HeaderMap) -> Vec<String> {
    let bearer = text(headers, "authorization").strip_prefix("Bearer ").unwrap_or_default();
    bearer.split_ascii_whitespace().take(64).map(str::to_owned).collect()
}

/// The value of a field of a query; names and values here need no escapes.
fn field<'a>(query: &'a str, name: &str) -> &'a str {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next().unwrap_or_default()
}

/// Everything that a server answers.
pub async fn answer(hall: Arc<Hall>, address: SocketAddr, request: Request) -> Response<Body> {
    hall.metrics.requests.add(1);
    let from = visitor(&hall, address, request.headers());
    let small = request.method() == Method::GET && unpacks(request.headers());
    match route(&hall, from, request).await {
        Ok(response) if small => packed(response).await,
        Ok(response) => response,
        Err(refusal) => refused(&refusal),
    }
}

async fn route(hall: &Arc<Hall>, from: IpAddr, request: Request) -> Result<Response<Body>, Refusal> {
    let path = request.uri().path().to_owned();
    let Some(rest) = path.strip_prefix("/api/") else {
        return match path.as_str() {
            "/ws" => enter(hall, from, request).await,
            "/healthz" => Ok(reply(200, "text/plain", "alive\n")),
            "/readyz" => {
                hall.may_ask(from)?;
                hall.ready().await?;
                Ok(reply(200, "text/plain", "ready\n"))
            }
            _ => file(&path, request.method(), request.headers()),
        };
    };
    check_origin(hall, request.headers())?;
    hall.may_ask(from)?;
    let query = request.uri().query().unwrap_or_default().to_owned();
    let held = tokens(request.headers());
    let parts: Vec<&str> = rest.split('/').collect();
    match (request.method().as_str(), parts.as_slice()) {
        ("GET", ["games"]) => {
            let hall = Arc::clone(hall);
            let games = tokio::task::spawn_blocking(move || hall.games_file().clone()).await;
            let games = games.map_err(|_| malformed("a game has failed to say what it offers"))?;
            Ok(sent(games, request.headers()))
        }
        ("GET", ["schema"]) => Ok(sent(schema_file().clone(), request.headers())),
        ("GET", ["limits"]) => Ok(told(200, &json!(hall.settings))),
        ("GET", ["matches"]) => {
            let limit = field(&query, "limit").parse().unwrap_or(50_usize).clamp(1, 200);
            let (game, state, after) =
                (field(&query, "game"), field(&query, "state"), field(&query, "after"));
            Ok(told(200, &hall.lobby(game, state, after, limit)))
        }
        ("POST", ["matches"]) => {
            let wanted: Wanted = body(hall, request).await?;
            hall.may_open(from)?;
            Ok(told(201, &hall.open_match(wanted).await?))
        }
        ("POST", ["import"]) => {
            hall.may_open(from)?;
            let file = bytes(request, hall.settings.file).await?;
            Ok(told(201, &hall.import(file).await?))
        }
        ("POST", ["mine"]) => mine(hall, body(hall, request).await?).await,
        ("GET", ["matches", id]) => {
            // Nobody is woken to be looked at.
            let asleep = hall.known(id).filter(|_| !hall.is_awake(id));
            match asleep {
                Some(summary) => Ok(told(200, &summary)),
                None => Ok(told(200, &hall.request(id, held, Asked::Summary).await?)),
            }
        }
        ("DELETE", ["matches", id]) => Ok(told(200, &hall.request(id, held, Asked::Delete).await?)),
        ("POST", ["matches", id, "join"]) => {
            let join: Join = body(hall, request).await?;
            Ok(told(200, &hall.request(id, held, Asked::Join(join)).await?))
        }
        ("GET", ["matches", id, "now"]) => Ok(told(200, &hall.request(id, held, Asked::Now).await?)),
        ("GET", ["matches", id, "at", moment]) => {
            let moment = moment.parse().map_err(|_| malformed("a moment is a number"))?;
            Ok(told(200, &hall.request(id, held, Asked::At(moment)).await?))
        }
        ("GET", ["matches", id, "file"]) => {
            let file = hall.request(id, held, Asked::File).await?;
            let mut response =
                reply(200, "application/x-ndjson", file.as_str().unwrap_or_default().to_owned());
            let name = format!("attachment; filename=\"{id}.turn\"");
            if let Ok(name) = HeaderValue::from_str(&name) {
                response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
            }
            Ok(response)
        }
        ("POST", ["matches", id, "send"]) => {
            let message: Message = body(hall, request).await?;
            let sent = hall.request(id, held, Asked::Send(Box::new(message))).await?;
            let status = match sent["code"].as_str() {
                Some(code) if sent["t"] == "error" => Refusal::new(code, "").status(),
                _ => 200,
            };
            Ok(told(status, &sent))
        }
        ("GET", ["matches", id, "stream"]) => {
            let have = field(&query, "from");
            let have = if have.is_empty() {
                None
            } else {
                Some(have.parse().map_err(|_| malformed("from is a number"))?)
            };
            stream(hall, from, id, held, have).await
        }
        _ => Err(Refusal::new("NOT_FOUND", "there is nothing of that name: see docs/server.md")),
    }
}

async fn bytes(request: Request, most: usize) -> Result<Vec<u8>, Refusal> {
    let too_long = || Refusal::new("TOO_LONG", format!("at most {most} bytes are heard"));
    let declared = text(request.headers(), "content-length").parse().unwrap_or(0_usize);
    if declared > most {
        return Err(too_long());
    }
    let body = tokio::time::timeout(Duration::from_secs(30), to_bytes(request.into_body(), most)).await;
    let body = body.map_err(|_| malformed("the body did not come in time"))?;
    Ok(body.map_err(|_| too_long())?.to_vec())
}

async fn body<T: DeserializeOwned>(hall: &Hall, request: Request) -> Result<T, Refusal> {
    let bytes = bytes(request, hall.settings.body).await?;
    serde_json::from_slice(&bytes).map_err(|error| malformed(error.to_string()))
}

async fn mine(hall: &Arc<Hall>, mine: Mine) -> Result<Response<Body>, Refusal> {
    if mine.matches.len() > 100 {
        return Err(Refusal::new("TOO_MANY", "ask about at most 100 matches at once"));
    }
    let mut known = Vec::new();
    for held in mine.matches {
        // What is over is not woken for this.
        let summary = hall.known(&held.id);
        let over = summary.as_ref().is_some_and(|summary| summary["state"] == "over");
        match summary {
            Some(mut summary) if over => {
                summary["turn"] = false.into();
                known.push(summary);
            }
            Some(summary) if mine.asleep && !hall.is_awake(&held.id) => known.push(summary),
            Some(_) | None => known.extend(hall.request(&held.id, held.tokens, Asked::Mine).await.ok()),
        }
    }
    Ok(told(200, &json!({ "matches": known })))
}

fn file(path: &str, method: &Method, headers: &HeaderMap) -> Result<Response<Body>, Refusal> {
    if method != Method::GET && method != Method::HEAD {
        return Err(Refusal::new("NOT_FOUND", "files are only read"));
    }
    let shown = if page::is_view(path) { "/" } else { path };
    let Some(file) = page::find(shown) else { return nothing_there(headers) };
    Ok(sent(file, headers))
}

/// The schemas of what is said and heard; made once.
fn schema_file() -> &'static File {
    static SCHEMAS: OnceLock<File> = OnceLock::new();
    SCHEMAS.get_or_init(|| File::new("schema.json", schemas().to_string().into_bytes()))
}

/// What does not change while the server runs: small for those who can unpack it, and only once for each.
fn sent(file: File, headers: &HeaderMap) -> Response<Body> {
    let mut response = if text(headers, "if-none-match") == file.tag {
        reply(304, file.kind, Body::empty())
    } else {
        let small = file.small.filter(|_| unpacks(headers));
        let packed = small.is_some();
        let mut response = reply(200, file.kind, small.unwrap_or(file.plain));
        if packed {
            response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&file.tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// Whether somebody can unpack what is sent.
fn unpacks(headers: &HeaderMap) -> bool {
    text(headers, "accept-encoding").contains("gzip")
}

/// Answers of this size and more are packed: below it nothing is gained.
const PACKED_FROM: u64 = 1024;
/// From this size on that is left to a thread that nobody waits behind.
const LONG: usize = 64 * 1024;

/// Packs what was asked for and is all there. Quickly, since it is sent once; and only what is read: what is answered
/// to a request that changes something may hold a secret, beside words that somebody else has chosen.
async fn packed(response: Response<Body>) -> Response<Body> {
    let size = response.body().size_hint().exact().unwrap_or(0);
    let json = text(response.headers(), "content-type").contains("json");
    if size < PACKED_FROM || !json || response.headers().contains_key(header::CONTENT_ENCODING) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let plain = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let text = plain.clone();
    let pack = move || page::gzip(&text, Compression::fast());
    let small =
        if plain.len() < LONG { pack() } else { tokio::task::spawn_blocking(pack).await.ok().flatten() };
    let Some(small) = small else { return Response::from_parts(parts, plain.into()) };
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    Response::from_parts(parts, small.into())
}

/// A person who went astray is led home; a program gets a code.
fn nothing_there(headers: &HeaderMap) -> Result<Response<Body>, Refusal> {
    let reads_pages = text(headers, "accept").contains("text/html");
    match page::find("/lost.html").filter(|_| reads_pages) {
        Some(lost) => Ok(reply(404, lost.kind, lost.plain)),
        None => Err(Refusal::new("NOT_FOUND", "there is no such page")),
    }
}

async fn enter(hall: &Arc<Hall>, from: IpAddr, mut request: Request) -> Result<Response<Body>, Refusal> {
    check_origin(hall, request.headers())?;
    let (response, upgrade) = ws::accept(&mut request)?;
    hall.arrive(from)?;
    let guest = Guest { hall: Arc::clone(hall), from };
    let longest = hall.settings.frame;
    tokio::spawn(async move {
        if let Some(socket) = upgrade.await.ok().and_then(|upgraded| ws::Socket::new(upgraded, longest)) {
            socket::converse(guest, socket).await;
        }
    });
    Ok(response)
}

/// Somebody who was counted in, and is counted out when he is gone.
pub struct Guest {
    /// Where.
    pub hall: Arc<Hall>,
    from: IpAddr,
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.hall.depart(self.from);
    }
}

/// A stream's place at a match, given up when nobody reads any more.
struct Place {
    guest: Guest,
    id: String,
    socket: u64,
    inbox: mpsc::Receiver<Out>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let (hall, id, socket) = (Arc::clone(&self.guest.hall), self.id.clone(), self.socket);
        tokio::spawn(async move { hall.ask(&id, Ask::Gone { socket }).await });
    }
}

async fn stream(
    hall: &Arc<Hall>,
    from: IpAddr,
    id: &str,
    tokens: Vec<String>,
    have: Option<u64>,
) -> Result<Response<Body>, Refusal> {
    hall.arrive(from)?;
    let guest = Guest { hall: Arc::clone(hall), from };
    let (out, inbox) = mpsc::channel(hall.settings.outbox);
    let (done, welcomed) = oneshot::channel();
    let hello = Hello {
        t: "hello".into(),
        protocol: PROTOCOL,
        id: Some(id.to_owned()),
        tokens,
        have,
        ..Hello::default()
    };
    let socket = hall.socket_number();
    let lag = Arc::new(AtomicU32::new(0));
    hall.ask(id, Ask::Hello { socket, hello: Box::new(hello), out, lag, done }).await;
    welcomed.await.map_err(|_| Refusal::new("CLOSING", "the server is going down"))??;
    let place = Place { guest, id: id.to_owned(), socket, inbox };
    let lines = futures_util::stream::unfold(place, |mut place| async move {
        let line = match tokio::time::timeout(Duration::from_secs(15), place.inbox.recv()).await {
            Err(_) => "\n".to_owned(),
            Ok(Some(Out::Text(text))) => format!("{text}\n"),
            Ok(Some(Out::Close(..)) | None) => return None,
        };
        Some((Ok::<_, std::convert::Infallible>(line), place))
    });
    let mut response = reply(200, "application/x-ndjson", Body::from_stream(lines));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// Whether a `Host` names this machine to itself.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

async fn operate(State(hall): State<Arc<Hall>>, request: Request) -> Response<Body> {
    if !is_loopback(text(request.headers(), "host")) {
        // A name that leads here for a browser alone: a page of another site asks.
        return refused(&Refusal::new("ORIGIN", "say 127.0.0.1, [::1] or localhost"));
    }
    let path = request.uri().path().to_owned();
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    match (request.method().as_str(), parts.as_slice()) {
        ("GET", ["metrics"]) => {
            let known = [
                ("turnstone_matches", "Matches that are kept", hall.count() as i64),
                ("turnstone_thoughts_waiting", "Thoughts that wait for the pool", hall.pool.waiting() as i64),
                ("turnstone_time_ms", "Milliseconds since 1970", wall_ms()),
            ];
            reply(200, "text/plain; version=0.0.4", hall.metrics.text(&known))
        }
        ("DELETE", ["matches", id]) => match hall.delete(id).await {
            Ok(()) => told(200, &json!({ "match": id, "deleted": true })),
            Err(refusal) => refused(&refusal),
        },
        _ => refused(&Refusal::new("NOT_FOUND", "there are GET /metrics and DELETE /matches/ID")),
    }
}
