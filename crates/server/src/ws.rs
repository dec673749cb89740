//! WebSockets on connections that began with HTTP: the server's side of RFC 6455.
//!
//! A socket that sits idle holds no buffer. What is read is read into the stack first and kept only until it is a whole
//! message; what is told to many is written from the one text that they share, several messages at once where several
//! wait.

use std::io::{ErrorKind, IoSlice};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use hyper_util::server::conn::auto::upgrade::downcast;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use crate::patient::Patient;
use crate::refusal::{Refusal, malformed};

/// A text that many are told.
pub type Text = Arc<str>;

/// What is read at once.
const READ: usize = 4096;
/// Texts that go out in one call of the system, at most.
pub const AT_ONCE: usize = 8;

const CONTINUATION: u8 = 0;
const TEXT: u8 = 1;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// What a socket says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A message.
    Text(String),
    /// A message that is no text.
    Binary,
    /// Whether anybody is there; it is to be answered with the same.
    Ping(Vec<u8>),
    /// Somebody is.
    Pong(Vec<u8>),
    /// That it ends.
    Close,
}

/// Why a socket cannot be listened to any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// A message is longer than is heard.
    TooLong,
    /// A text is no UTF-8.
    NotText,
    /// It does not keep to the protocol.
    Unruly,
    /// It is gone.
    Gone,
}

/// Answers a request for a WebSocket; the connection is there when the answer has been sent.
///
/// # Errors
/// If it is none.
pub fn accept(request: &mut Request) -> Result<(Response<Body>, OnUpgrade), Refusal> {
    let headers = request.headers();
    let asks =
        names(headers, &header::CONNECTION, "upgrade") && names(headers, &header::UPGRADE, "websocket");
    let version = headers.get(header::SEC_WEBSOCKET_VERSION).is_some_and(|version| version == "13");
    let key = headers.get(header::SEC_WEBSOCKET_KEY).filter(|_| asks && version);
    let key = key.ok_or_else(|| malformed("a WebSocket of version 13 is opened here"))?;
    let accepted = HeaderValue::from_str(&derive_accept_key(key.as_bytes()));
    let accepted = accepted.map_err(|_| malformed("this key opens nothing"))?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let told = response.headers_mut();
    told.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    told.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    told.insert(header::SEC_WEBSOCKET_ACCEPT, accepted);
    Ok((response, hyper::upgrade::on(request)))
}

/// Whether a header names something, among other things.
fn names(headers: &HeaderMap, name: &header::HeaderName, wanted: &str) -> bool {
    let value = headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(',').any(|one| one.trim().eq_ignore_ascii_case(wanted))
}

/// What has come, until it is a whole message.
#[derive(Debug)]
struct Heard {
    unread: Vec<u8>,
    /// The beginning of a message that comes in several frames, and what it is.
    begun: Option<(u8, Vec<u8>)>,
    longest: usize,
}

/// The head of a frame: whether it is the last of its message, what it is, where its mask is, and how long it is.
struct Head {
    last: bool,
    kind: u8,
    mask: usize,
    length: usize,
}

impl Heard {
    fn new(unread: Vec<u8>, longest: usize) -> Self {
        Heard { unread, begun: None, longest }
    }

    /// The next message or sign, if it is there as a whole.
    fn next(&mut self) -> Result<Option<Frame>, Broken> {
        loop {
            let Some(head) = self.head()? else { return Ok(None) };
            let begin = head.mask + 4;
            let Some(bytes) = self.unread.get(head.mask..begin + head.length) else { return Ok(None) };
            let (mask, load) = bytes.split_at(4);
            let load: Vec<u8> =
                load.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask).collect();
            self.unread.drain(..begin + head.length);
            if self.unread.is_empty() {
                // An idle socket keeps no room.
                self.unread = Vec::new();
            }
            if let Some(frame) = self.take(&head, load)? {
                return Ok(Some(frame));
            }
        }
    }

    fn head(&self) -> Result<Option<Head>, Broken> {
        let [first, second, rest @ ..] = self.unread.as_slice() else { return Ok(None) };
        let (last, kind, length) = (first & 0x80 != 0, first & 0x0F, usize::from(second & 0x7F));
        let sign = kind & 8 != 0;
        // Nobody has agreed to the reserved bits; who comes from outside masks what he says; signs are short and whole.
        if first & 0x70 != 0 || second & 0x80 == 0 || sign && (length > 125 || !last) {
            return Err(Broken::Unruly);
        }
        let (mask, length) = match (length, rest) {
            (126, [a, b, ..]) => (4, u64::from(u16::from_be_bytes([*a, *b]))),
            (127, [a, b, c, d, e, f, g, h, ..]) => (10, u64::from_be_bytes([*a, *b, *c, *d, *e, *f, *g, *h])),
            (126 | 127, _) => return Ok(None),
            (short, _) => (2, short as u64),
        };
        let known = self.begun.as_ref().map_or(0, |(_, begun)| begun.len());
        if !sign && length > (self.longest - known.min(self.longest)) as u64 {
            return Err(Broken::TooLong);
        }
        Ok(Some(Head { last, kind, mask, length: length as usize }))
    }

    /// Takes up a frame; gives what is whole by it.
    fn take(&mut self, head: &Head, load: Vec<u8>) -> Result<Option<Frame>, Broken> {
        let (kind, whole) = match (head.kind, self.begun.take()) {
            (CONTINUATION, Some((kind, mut begun))) => {
                begun.extend(load);
                (kind, begun)
            }
            (TEXT | BINARY, None) => (head.kind, load),
            (CLOSE | PING | PONG, begun) => {
                self.begun = begun;
                return Ok(Some(match head.kind {
                    CLOSE => Frame::Close,
                    PING => Frame::Ping(load),
                    _ => Frame::Pong(load),
                }));
            }
            _ => return Err(Broken::Unruly),
        };
        if !head.last {
            self.begun = Some((kind, whole));
            return Ok(None);
        }
        if kind == BINARY {
            return Ok(Some(Frame::Binary));
        }
        String::from_utf8(whole).map(|text| Some(Frame::Text(text))).map_err(|_| Broken::NotText)
    }
}

/// The head of a frame that is sent: its bytes, and how many of them count.
fn head_of(kind: u8, length: usize) -> ([u8; 10], usize) {
    let mut head = [0; 10];
    head[0] = 0x80 | kind;
    let count = match length {
        0..=125 => {
            head[1] = length as u8;
            2
        }
        126..=0xFFFF => {
            head[1] = 126;
            head[2..4].copy_from_slice(&(length as u16).to_be_bytes());
            4
        }
        _ => {
            head[1] = 127;
            head[2..].copy_from_slice(&(length as u64).to_be_bytes());
            10
        }
    };
    (head, count)
}

/// One socket.
#[derive(Debug)]
pub struct Socket {
    stream: TcpStream,
    heard: Heard,
}

impl Socket {
    /// A socket that hears messages of at most so many bytes; none if the connection is not one that we know.
    pub fn new(upgraded: Upgraded, longest: usize) -> Option<Self> {
        let parts = downcast::<TokioIo<Patient>>(upgraded).ok()?;
        // From here on who talks with it sees to it that it is read.
        let stream = parts.io.into_inner().into_inner();
        Some(Socket { stream, heard: Heard::new(parts.read_buf.to_vec(), longest) })
    }

    /// The next frame. It may be waited for beside other things.
    ///
    /// # Errors
    /// If there is none to come.
    pub async fn recv(&mut self) -> Result<Frame, Broken> {
        loop {
            if let Some(frame) = self.heard.next()? {
                return Ok(frame);
            }
            self.stream.readable().await.map_err(|_| Broken::Gone)?;
            self.read()?;
        }
    }

    /// Takes whatever still comes, and forgets it, until the other side is gone.
    pub async fn drain(&mut self) {
        while self.stream.readable().await.is_ok() && self.read().is_ok() {
            self.heard.unread.clear();
        }
    }

    /// Reads what there is. The buffer lies on the stack of this call, not in what waits.
    fn read(&mut self) -> Result<(), Broken> {
        let mut buffer = [0; READ];
        match self.stream.try_read(&mut buffer) {
            Ok(0) => Err(Broken::Gone),
            Ok(count) => {
                self.heard.unread.extend_from_slice(&buffer[..count]);
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
            Err(_) => Err(Broken::Gone),
        }
    }

    /// Sends a text.
    ///
    /// # Errors
    /// If the socket is gone.
    pub async fn say(&mut self, text: &str) -> Result<(), Broken> {
        self.send(TEXT, &[text.as_bytes()]).await
    }

    /// Sends several texts, in order, with as few calls of the system as can be.
    ///
    /// # Errors
    /// If the socket is gone.
    pub async fn say_all(&mut self, texts: &[Text]) -> Result<(), Broken> {
        for some in texts.chunks(AT_ONCE) {
            let mut loads: [&[u8]; AT_ONCE] = [&[]; AT_ONCE];
            for (load, text) in loads.iter_mut().zip(some) {
                *load = text.as_bytes();
            }
            self.send(TEXT, &loads[..some.len()]).await?;
        }
        Ok(())
    }

    /// Asks whether anybody is there.
    ///
    /// # Errors
    /// If nobody is.
    pub async fn ping(&mut self, load: &[u8]) -> Result<(), Broken> {
        self.send(PING, &[load]).await
    }

    /// Answers who asks that.
    ///
    /// # Errors
    /// If nobody is there.
    pub async fn pong(&mut self, load: &[u8]) -> Result<(), Broken> {
        self.send(PONG, &[load]).await
    }

    /// Says why it ends.
    pub async fn close(&mut self, code: u16, reason: &'static str) {
        let mut load = code.to_be_bytes().to_vec();
        load.extend(reason.bytes().take(123));
        let _ = self.send(CLOSE, &[&load]).await;
    }

    async fn send(&mut self, kind: u8, loads: &[&[u8]]) -> Result<(), Broken> {
        let whole = loads.iter().map(|load| head_of(kind, load.len()).1 + load.len()).sum();
        let mut sent = 0;
        while sent < whole {
            match self.write(kind, loads, sent) {
                Ok(count) => sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.stream.writable().await.map_err(|_| Broken::Gone)?;
                }
                Err(_) => return Err(Broken::Gone),
            }
        }
        Ok(())
    }

    /// Writes what can be written of these, after the first `sent` bytes of them all.
    fn write(&self, kind: u8, loads: &[&[u8]], mut sent: usize) -> std::io::Result<usize> {
        let mut heads = [([0; 10], 0); AT_ONCE];
        for (head, load) in heads.iter_mut().zip(loads) {
            *head = head_of(kind, load.len());
        }
        let mut left = [IoSlice::new(&[]); 2 * AT_ONCE];
        let mut count = 0;
        let parts = heads.iter().zip(loads).flat_map(|((head, length), load)| [&head[..*length], *load]);
        for part in parts {
            let rest = &part[sent.min(part.len())..];
            sent -= part.len() - rest.len();
            if !rest.is_empty() {
                left[count] = IoSlice::new(rest);
                count += 1;
            }
        }
        match self.stream.try_write_vectored(&left[..count])? {
            0 => Err(ErrorKind::WriteZero.into()),
            written => Ok(written),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame as a client sends it.
    fn frame(last: bool, kind: u8, load: &[u8]) -> Vec<u8> {
        let (mut head, count) = head_of(kind, load.len());
        head[0] = kind | if last { 0x80 } else { 0 };
        head[1] |= 0x80;
        let mask = [7, 77, 177, 3];
        let masked = load.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask);
        head[..count].iter().copied().chain(mask).chain(masked).collect()
    }

    fn all(bytes: &[u8], longest: usize) -> Result<Vec<Frame>, Broken> {
        let mut heard = Heard::new(bytes.to_vec(), longest);
        let mut frames = Vec::new();
        while let Some(frame) = heard.next()? {
            frames.push(frame);
        }
        Ok(frames)
    }

    #[test]
    fn messages_of_every_length_are_heard_however_they_are_cut() {
        for length in [0, 1, 125, 126, 127, 1000, 65_535, 65_536, 70_000] {
            let text = "é".repeat(length / 2) + if length % 2 == 1 { "x" } else { "" };
            let bytes = frame(true, TEXT, text.as_bytes());
            assert_eq!(all(&bytes, 70_000), Ok(vec![Frame::Text(text.clone())]));
            assert_eq!(all(&bytes[..bytes.len() - 1], 70_000), Ok(vec![]), "not yet whole");
        }
        let mut heard = Heard::new(Vec::new(), 100);
        let bytes =
            [frame(false, TEXT, b"a"), frame(true, PING, b"?"), frame(true, CONTINUATION, b"b")].concat();
        let mut frames = Vec::new();
        for byte in bytes {
            heard.unread.push(byte);
            frames.extend(heard.next().unwrap());
        }
        assert_eq!(frames, [Frame::Ping(b"?".to_vec()), Frame::Text("ab".to_owned())]);
        assert_eq!(heard.unread.capacity(), 0, "an idle socket keeps no room");
    }

    #[test]
    fn what_is_too_long_is_refused_by_its_head_and_in_parts() {
        let declared = [0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];
        assert_eq!(all(&declared, 8192), Err(Broken::TooLong));
        assert_eq!(all(&frame(true, TEXT, &[b'x'; 101]), 100), Err(Broken::TooLong));
        assert_eq!(all(&frame(true, TEXT, &[b'x'; 100]), 100).unwrap().len(), 1);
        let parts = [frame(false, TEXT, &[b'x'; 60]), frame(true, CONTINUATION, &[b'x'; 60])].concat();
        assert_eq!(all(&parts, 100), Err(Broken::TooLong));
    }

    #[test]
    fn whoever_does_not_keep_to_the_protocol_is_not_heard() {
        let mut naked = frame(true, TEXT, b"hello");
        naked[1] &= 0x7F;
        let mut reserved = frame(true, TEXT, b"hello");
        reserved[0] |= 0x40;
        let inside = [frame(false, TEXT, b"a"), frame(true, TEXT, b"b")].concat();
        let unruly = [
            naked,
            reserved,
            inside,
            frame(true, CONTINUATION, b"of nothing"),
            frame(true, 3, b"unknown"),
            frame(true, 11, b"unknown"),
            frame(false, PING, b"in parts"),
            frame(true, PING, &[0; 126]),
        ];
        for bytes in unruly {
            assert_eq!(all(&bytes, 1000), Err(Broken::Unruly), "{bytes:?}");
        }
        assert_eq!(all(&frame(true, TEXT, &[0xFF, 0xFE]), 1000), Err(Broken::NotText));
        assert_eq!(all(&frame(true, BINARY, &[0xFF]), 1000), Ok(vec![Frame::Binary]));
        assert_eq!(all(&frame(true, CLOSE, &[3, 232]), 1000), Ok(vec![Frame::Close]));
    }
}
