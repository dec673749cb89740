//! The other side: a small client for programs that sit at remote tables, for load and for tests. It speaks plain
//! HTTP; where a server stands behind TLS, a tunnel or the proxy's own address is used.

use std::collections::VecDeque;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message as Frame, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::message::PROTOCOL;
use crate::refusal::{Refusal, malformed};

/// The longest message that is heard from a server.
const LONGEST: usize = 16 << 20;

/// Where a server is: `host:port`.
///
/// # Errors
/// If an address is not of plain HTTP.
pub fn place(address: &str) -> Result<String, Refusal> {
    let bare = address.strip_prefix("http://").or_else(|| address.strip_prefix("ws://")).unwrap_or(address);
    if bare.contains("://") {
        return Err(malformed("give the address as http://host:port; TLS is the proxy's"));
    }
    let host = bare.split('/').next().unwrap_or_default();
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    Ok(if has_port { host.to_owned() } else { format!("{host}:80") })
}

fn lost(error: impl std::fmt::Display) -> Refusal {
    Refusal::new("LOST", format!("the connection is lost: {error}"))
}

/// A conversation over a WebSocket.
pub struct Client {
    socket: WebSocketStream<TcpStream>,
    /// What came while an answer was awaited.
    heard: VecDeque<Value>,
    /// Numbers of messages are this client's own: another one of the same seat has others.
    own: String,
    next: u64,
    /// Bytes that were heard.
    pub bytes: u64,
    /// Why the server closed, if it did.
    pub closed: Option<(u16, String)>,
}

impl Client {
    /// Connects, without a word.
    ///
    /// # Errors
    /// If nobody answers.
    pub async fn connect(place: &str) -> Result<Client, Refusal> {
        let stream = TcpStream::connect(place).await.map_err(lost)?;
        let _ = stream.set_nodelay(true);
        let config = WebSocketConfig::default()
            .read_buffer_size(4096)
            .write_buffer_size(0)
            .max_message_size(Some(LONGEST))
            .max_frame_size(Some(LONGEST));
        let url = format!("ws://{place}/ws");
        let (socket, _) = client_async_with_config(url, stream, Some(config)).await.map_err(lost)?;
        let own = format!("{:x}", crate::token::number()?);
        Ok(Client { socket, heard: VecDeque::new(), own, next: 0, bytes: 0, closed: None })
    }

    /// Connects and says hello to a match; gives the welcome.
    ///
    /// # Errors
    /// If it is refused.
    pub async fn sit(
        place: &str,
        id: &str,
        tokens: &[String],
        have: Option<u64>,
    ) -> Result<(Client, Value), Refusal> {
        let mut client = Client::connect(place).await?;
        let hello =
            json!({ "t": "hello", "protocol": PROTOCOL, "match": id, "tokens": tokens, "have": have });
        client.send(&hello).await?;
        let welcome = client.hear().await?;
        if welcome["t"] == "error" {
            return Err(refusal(&welcome));
        }
        Ok((client, welcome))
    }

    /// Sends a message as it is.
    ///
    /// # Errors
    /// If the connection is lost.
    pub async fn send(&mut self, message: &Value) -> Result<(), Refusal> {
        self.send_text(message.to_string()).await
    }

    /// Sends a text frame.
    ///
    /// # Errors
    /// If the connection is lost.
    pub async fn send_text(&mut self, text: String) -> Result<(), Refusal> {
        self.socket.send(Frame::Text(text.into())).await.map_err(lost)
    }

    /// The next message.
    ///
    /// # Errors
    /// If the connection is lost or closed.
    pub async fn hear(&mut self) -> Result<Value, Refusal> {
        if let Some(message) = self.heard.pop_front() {
            return Ok(message);
        }
        self.read().await
    }

    async fn read(&mut self) -> Result<Value, Refusal> {
        let text = self.hear_text().await?;
        serde_json::from_str(&text).map_err(lost)
    }

    /// The next message as it came, unread. It may be waited for beside other things.
    ///
    /// # Errors
    /// If the connection is lost or closed.
    pub async fn hear_text(&mut self) -> Result<Utf8Bytes, Refusal> {
        std::future::poll_fn(|context| self.poll_text(context)).await
    }

    /// The same for who waits for several at once.
    ///
    /// # Errors
    /// If the connection is lost or closed.
    pub fn poll_text(&mut self, context: &mut Context<'_>) -> Poll<Result<Utf8Bytes, Refusal>> {
        loop {
            match std::task::ready!(self.socket.poll_next_unpin(context)) {
                None => return Poll::Ready(Err(lost("it was closed"))),
                Some(Err(error)) => return Poll::Ready(Err(lost(error))),
                Some(Ok(Frame::Text(text))) => {
                    self.bytes += text.len() as u64;
                    return Poll::Ready(Ok(text));
                }
                Some(Ok(Frame::Close(frame))) => {
                    self.closed = frame.map(|frame| (frame.code.into(), frame.reason.to_string()));
                    return Poll::Ready(Err(lost("it was closed")));
                }
                Some(Ok(_)) => {}
            }
        }
    }

    /// The next message of that type; others are passed over.
    ///
    /// # Errors
    /// If the connection is lost.
    pub async fn hear_of(&mut self, kind: &str) -> Result<Value, Refusal> {
        loop {
            let message = self.hear().await?;
            if message["t"] == kind {
                return Ok(message);
            }
        }
    }

    /// Sends a request and waits for its answer; what comes before it is heard later.
    ///
    /// # Errors
    /// If the connection is lost. A refusal is an answer like any other.
    pub async fn ask(&mut self, mut message: Value) -> Result<Value, Refusal> {
        if message["id"].is_null() {
            self.next += 1;
            message["id"] = format!("{}-{}", self.own, self.next).into();
        }
        let id = message["id"].clone();
        self.send(&message).await?;
        let mut before = VecDeque::new();
        loop {
            let heard = self.read().await?;
            if heard["id"] == id && !matches!(heard["t"].as_str(), Some("moved" | "offer" | "said")) {
                self.heard.extend(before);
                return Ok(heard);
            }
            before.push_back(heard);
        }
    }

    /// Says goodbye.
    pub async fn close(mut self) {
        let _ = tokio::time::timeout(Duration::from_secs(1), self.socket.close(None)).await;
    }
}

/// A refusal that a server has sent.
pub fn refusal(message: &Value) -> Refusal {
    let code = message["code"].as_str().unwrap_or("LOST");
    let told = Refusal::new(code, message["text"].as_str().unwrap_or("the server refused"));
    match message["retry_ms"].as_u64() {
        Some(after) => told.retry(after),
        None => told,
    }
}

/// A whole answer over HTTP.
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The head, as it came.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// Asks over HTTP, one request for each connection.
///
/// # Errors
/// If nobody answers.
pub async fn request(
    place: &str,
    method: &str,
    path: &str,
    tokens: &[String],
    body: &str,
) -> Result<Answer, Refusal> {
    let bearer = if tokens.is_empty() {
        String::new()
    } else {
        format!("authorization: Bearer {}\r\n", tokens.join(" "))
    };
    request_with(place, method, path, &bearer, body.as_bytes()).await
}

/// The same with header lines of one's own, each ended by `\r\n`.
///
/// # Errors
/// If nobody answers.
pub async fn request_with(
    place: &str,
    method: &str,
    path: &str,
    lines: &str,
    body: &[u8],
) -> Result<Answer, Refusal> {
    let mut stream = TcpStream::connect(place).await.map_err(lost)?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {place}\r\nconnection: close\r\ncontent-length: {}\r\n{lines}\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.map_err(lost)?;
    // Whoever is told that it is too long may hang up before all is said.
    let _ = stream.write_all(body).await;
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all).await;
    let end =
        all.windows(4).position(|four| four == b"\r\n\r\n").ok_or_else(|| lost("there was no answer"))?;
    let head = String::from_utf8_lossy(&all[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Ok(Answer { status, head, body: all[end + 4..].to_vec() })
}

/// Opens a match; gives its name, the seats' tokens and the host's.
///
/// # Errors
/// If it is refused.
pub async fn open(place: &str, wanted: &Value) -> Result<Value, Refusal> {
    let answer = request(place, "POST", "/api/matches", &[], &wanted.to_string()).await?;
    if answer.status == 201 { Ok(answer.json()) } else { Err(refusal(&answer.json())) }
}
