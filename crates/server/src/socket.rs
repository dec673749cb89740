//! One WebSocket: frames in, messages out, and the limits of both.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::hall::Hall;
use crate::http::Guest;
use crate::keeper::{Ask, Out, answer};
use crate::message::{Hello, Message, PROTOCOL};
use crate::refusal::{Refusal, malformed};
use crate::ws::{AT_ONCE, Broken, Frame, Socket, Text};

/// What a socket may still send at once.
struct Bucket {
    left: f64,
    filled: Instant,
}

impl Bucket {
    fn new(hall: &Hall) -> Self {
        Bucket { left: f64::from(hall.settings.messages_at_once), filled: Instant::now() }
    }

    fn take(&mut self, hall: &Hall) -> Result<(), Refusal> {
        let (rate, most) = (f64::from(hall.settings.messages_per_second), hall.settings.messages_at_once);
        let now = Instant::now();
        let more = now.duration_since(self.filled).as_secs_f64() * rate;
        self.left = (self.left + more).min(f64::from(most));
        self.filled = now;
        if self.left < 1.0 {
            let after = ((1.0 - self.left) / rate.max(0.001) * 1000.0).ceil() as u64;
            let text = format!("at most {rate} messages a second are heard");
            return Err(Refusal::new("TOO_FAST", text).retry(after));
        }
        self.left -= 1.0;
        Ok(())
    }
}

/// Talks with one socket until either side has enough.
pub async fn converse(guest: Guest, mut socket: Socket) {
    let hall = Arc::clone(&guest.hall);
    let first = tokio::time::timeout(Duration::from_secs(hall.settings.hello), first(&mut socket)).await;
    let hello = match first {
        Err(_) => return close(&mut socket, 1001, "NO_HELLO").await,
        Ok(Err(broken)) => return end(&mut socket, &hall, broken).await,
        Ok(Ok(Err(refusal))) => return turn_away(&hall, &mut socket, &refusal).await,
        Ok(Ok(Ok(hello))) => hello,
    };
    if hello.lobby {
        return lobby(&hall, socket).await;
    }
    sit(&hall, socket, hello).await;
}

/// The first message, or why nothing can be heard.
async fn first(socket: &mut Socket) -> Result<Result<Hello, Refusal>, Broken> {
    loop {
        match socket.recv().await? {
            Frame::Text(text) => return Ok(read_hello(&text)),
            Frame::Binary => return Ok(Err(malformed("messages are text"))),
            Frame::Ping(load) => socket.pong(&load).await?,
            Frame::Pong(_) => {}
            Frame::Close => {
                socket.close(1000, "").await;
                return Err(Broken::Gone);
            }
        }
    }
}

/// Whoever does not read for as long as nobody may be silent is gone.
async fn patiently(hall: &Hall, writing: impl Future<Output = Result<(), Broken>>) -> Result<(), Broken> {
    let patience = Duration::from_secs(hall.settings.silence);
    tokio::time::timeout(patience, writing).await.unwrap_or(Err(Broken::Gone))
}

fn read_hello(text: &str) -> Result<Hello, Refusal> {
    let hello: Hello = serde_json::from_str(text).map_err(|error| malformed(error.to_string()))?;
    if hello.t != "hello" {
        return Err(malformed("the first message is hello"));
    }
    if hello.protocol != PROTOCOL {
        return Err(Refusal::new("PROTOCOL", format!("this server speaks version {PROTOCOL}")));
    }
    if hello.id.is_none() && !hello.lobby {
        return Err(malformed("say which match, or that the lobby is meant"));
    }
    Ok(hello)
}

async fn turn_away(hall: &Hall, socket: &mut Socket, refusal: &Refusal) {
    let mut told = refusal.json();
    told["t"] = "error".into();
    let _ = patiently(hall, socket.say(&told.to_string())).await;
    close(socket, 1008, "REFUSED").await;
}

async fn close(socket: &mut Socket, code: u16, reason: &'static str) {
    // The other side should hear it before the line is cut.
    let _ = tokio::time::timeout(Duration::from_secs(2), async {
        socket.close(code, reason).await;
        loop {
            match socket.recv().await {
                Ok(Frame::Close) | Err(Broken::Gone) => break,
                Ok(Frame::Text(_) | Frame::Binary | Frame::Ping(_) | Frame::Pong(_)) => {}
                // What is not understood is not listened to, but taken: what lies unread would cut the line at once.
                Err(Broken::TooLong | Broken::NotText | Broken::Unruly) => break socket.drain().await,
            }
        }
    })
    .await;
}

/// A match, for one socket.
async fn sit(hall: &Arc<Hall>, mut socket: Socket, hello: Hello) {
    let id = hello.id.clone().unwrap_or_default();
    let (out, mut inbox) = mpsc::channel(hall.settings.outbox);
    let lag = Arc::new(AtomicU32::new(0));
    let number = hall.socket_number();
    let (done, welcomed) = oneshot::channel();
    let hello = Ask::Hello { socket: number, hello: Box::new(hello), out, lag: Arc::clone(&lag), done };
    hall.ask(&id, hello).await;
    let refused = match welcomed.await {
        Ok(Ok(())) => None,
        Ok(Err(refusal)) => Some(refusal),
        Err(_) => Some(Refusal::new("CLOSING", "the server is going down").retry(2000)),
    };
    if let Some(refusal) = refused {
        return turn_away(hall, &mut socket, &refusal).await;
    }
    let Ok(keeper) = hall.keeper(&id).await else { return };
    talk(hall, &mut socket, &mut inbox, number, &keeper, &lag).await;
    let _ = keeper.send(Ask::Gone { socket: number }).await;
}

async fn talk(
    hall: &Hall,
    socket: &mut Socket,
    inbox: &mut mpsc::Receiver<Out>,
    number: u64,
    keeper: &mpsc::Sender<Ask>,
    lag: &AtomicU32,
) {
    let mut bucket = Bucket::new(hall);
    let every = Duration::from_secs(hall.settings.ping.max(1));
    // Not all at once.
    let begin = Duration::from_millis(number % 1000 * every.as_millis() as u64 / 1000);
    let mut pings = tokio::time::interval_at(tokio::time::Instant::now() + begin, every);
    let mut heard = Instant::now();
    loop {
        let done = tokio::select! {
            out = inbox.recv() => tell(hall, socket, inbox, out).await,
            frame = socket.recv() => {
                heard = Instant::now();
                match frame {
                    Ok(Frame::Text(text)) => match hear(hall, &text, &mut bucket, number, keeper).await {
                        Ok(()) => Ok(()),
                        Err((id, refusal)) => refuse(hall, socket, &id, refusal).await,
                    },
                    Ok(frame) => note(hall, socket, frame, lag).await,
                    Err(broken) => Err(broken),
                }
            }
            _ = pings.tick() => {
                if heard.elapsed() > Duration::from_secs(hall.settings.silence) {
                    return close(socket, 1001, "SILENT").await;
                }
                patiently(hall, socket.ping(&hall.now_ms().to_le_bytes())).await
            }
        };
        if let Err(broken) = done {
            return end(socket, hall, broken).await;
        }
    }
}

/// Passes on what the keeper tells, and what it has told meanwhile.
async fn tell(
    hall: &Hall,
    socket: &mut Socket,
    inbox: &mut mpsc::Receiver<Out>,
    mut out: Option<Out>,
) -> Result<(), Broken> {
    let mut texts: Vec<Text> = Vec::new();
    let end = loop {
        match out {
            Some(Out::Text(text)) => texts.push(text),
            Some(Out::Close(code, reason)) => break Some((code, reason)),
            // The keeper has let go of a reader that was too slow.
            None => break Some((4008, "SLOW")),
        }
        match inbox.try_recv() {
            Ok(more) if texts.len() < AT_ONCE => out = Some(more),
            Ok(more) => {
                say_all(hall, socket, &std::mem::take(&mut texts)).await?;
                out = Some(more);
            }
            Err(_) => break None,
        }
    };
    say_all(hall, socket, &texts).await?;
    let Some((code, reason)) = end else { return Ok(()) };
    close(socket, code, reason).await;
    Err(Broken::Gone)
}

async fn say_all(hall: &Hall, socket: &mut Socket, texts: &[Text]) -> Result<(), Broken> {
    patiently(hall, socket.say_all(texts)).await
}

async fn refuse(hall: &Hall, socket: &mut Socket, id: &str, refusal: Refusal) -> Result<(), Broken> {
    hall.metrics.refused.add(1);
    patiently(hall, socket.say(&answer(id, Err(refusal)).to_string())).await
}

/// What is no message.
async fn note(hall: &Hall, socket: &mut Socket, frame: Frame, lag: &AtomicU32) -> Result<(), Broken> {
    match frame {
        Frame::Text(_) => Ok(()),
        Frame::Binary => refuse(hall, socket, "", malformed("messages are text")).await,
        Frame::Ping(load) => patiently(hall, socket.pong(&load)).await,
        Frame::Pong(sent) => {
            if let Ok(sent) = <[u8; 8]>::try_from(&sent[..]) {
                let took = hall.now_ms() - i64::from_le_bytes(sent);
                lag.store(took.clamp(0, 10_000) as u32, Ordering::Relaxed);
            }
            Ok(())
        }
        Frame::Close => {
            let _ = tokio::time::timeout(Duration::from_secs(2), socket.close(1000, "")).await;
            Err(Broken::Gone)
        }
    }
}

/// Says why it is not listened to any more, if anybody is there.
async fn end(socket: &mut Socket, hall: &Hall, broken: Broken) {
    match broken {
        Broken::Gone => {}
        Broken::Unruly => close(socket, 1002, "UNRULY").await,
        Broken::NotText => close(socket, 1007, "NOT_TEXT").await,
        Broken::TooLong => {
            let text = format!("a message has at most {} bytes", hall.settings.frame);
            let _ = refuse(hall, socket, "", Refusal::new("TOO_LONG", text)).await;
            close(socket, 1009, "TOO_LONG").await;
        }
    }
}

/// The number of a message, as far as it can be found in one that is not understood.
fn id_in(text: &str) -> String {
    let value: Option<Value> = serde_json::from_str(text).ok();
    let id = value.as_ref().and_then(|value| value["id"].as_str()).unwrap_or_default();
    id.chars().take(64).collect()
}

async fn hear(
    hall: &Hall,
    text: &str,
    bucket: &mut Bucket,
    number: u64,
    keeper: &mpsc::Sender<Ask>,
) -> Result<(), (String, Refusal)> {
    let at = Instant::now();
    hall.metrics.heard.add(1);
    bucket.take(hall).map_err(|refusal| (id_in(text), refusal))?;
    let message: Message =
        serde_json::from_str(text).map_err(|error| (id_in(text), misread(text, &error)))?;
    let ask = Ask::Heard { socket: number, message: Box::new(message), at };
    // A keeper that is busy slows its sockets down, and nobody else.
    keeper
        .send(ask)
        .await
        .map_err(|_| (String::new(), Refusal::new("CLOSING", "the match sleeps: come again")))
}

fn misread(text: &str, error: &serde_json::Error) -> Refusal {
    let value: Option<Value> = serde_json::from_str(text).ok();
    let told = error.to_string();
    if value.is_some_and(|value| value["t"].is_string()) && told.starts_with("unknown variant") {
        return Refusal::new("UNKNOWN_MESSAGE", told);
    }
    malformed(told)
}

/// The lobby, for one socket.
async fn lobby(hall: &Arc<Hall>, mut socket: Socket) {
    let mut changes = hall.changes();
    let mut last: Text = Arc::from("");
    let every = Duration::from_secs(hall.settings.ping.max(1));
    let mut pings = tokio::time::interval(every);
    let (mut bucket, mut heard) = (Bucket::new(hall), Instant::now());
    loop {
        if hall.is_closing() {
            return close(&mut socket, 1012, "RESTART").await;
        }
        let told = hall.lobby_text();
        if told != last {
            if say_all(hall, &mut socket, &[Arc::clone(&told)]).await.is_err() {
                return;
            }
            last = told;
        }
        // At most one a second.
        tokio::time::sleep(Duration::from_secs(1)).await;
        loop {
            let done = tokio::select! {
                changed = changes.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    break;
                }
                frame = socket.recv() => {
                    heard = Instant::now();
                    match frame {
                        Ok(Frame::Text(text)) => {
                            let done = bucket.take(hall).map(|()| json!({ "t": "ok" }));
                            patiently(hall, socket.say(&answer(&id_in(&text), done).to_string())).await
                        }
                        Ok(frame) => note(hall, &mut socket, frame, &AtomicU32::new(0)).await,
                        Err(broken) => Err(broken),
                    }
                }
                _ = pings.tick() => {
                    if heard.elapsed() > Duration::from_secs(hall.settings.silence) {
                        return close(&mut socket, 1001, "SILENT").await;
                    }
                    patiently(hall, socket.ping(&[])).await
                }
            };
            if let Err(broken) = done {
                return end(&mut socket, hall, broken).await;
            }
        }
    }
}
