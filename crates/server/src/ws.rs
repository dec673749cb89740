//! WebSockets on connections that began with HTTP. A long message goes out in pieces, so that a socket that sits idle
//! does not keep room for the longest one it was ever told.

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::Frame as Piece;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
pub use tokio_tungstenite::tungstenite::{Error, Message as Frame, Utf8Bytes};

use crate::refusal::{Refusal, malformed};

/// What goes out in one piece.
const WHOLE: usize = 4096;
/// The pieces of what does not.
const PIECE: usize = 1024;

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

/// One socket.
pub struct Socket(WebSocketStream<TokioIo<Upgraded>>);

impl Socket {
    /// A socket that hears messages of at most so many bytes.
    pub async fn new(upgraded: Upgraded, longest: usize) -> Self {
        // The defaults would hold 128 KiB for every idle socket.
        let config = WebSocketConfig::default()
            .read_buffer_size(1024)
            .write_buffer_size(0)
            .max_write_buffer_size(4 << 20)
            .max_message_size(Some(longest))
            .max_frame_size(Some(longest));
        let io = TokioIo::new(upgraded);
        Socket(WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await)
    }

    /// The next frame; none if the socket is gone.
    pub async fn recv(&mut self) -> Option<Result<Frame, Error>> {
        self.0.next().await
    }

    /// Sends a text.
    ///
    /// # Errors
    /// If the socket is gone.
    pub async fn say(&mut self, text: Utf8Bytes) -> Result<(), Error> {
        if text.len() <= WHOLE {
            return self.0.send(Frame::Text(text)).await;
        }
        let mut rest: Bytes = text.into();
        let mut kind = Data::Text;
        while !rest.is_empty() {
            let piece = rest.split_to(rest.len().min(PIECE));
            let piece = Piece::message(piece, OpCode::Data(kind), rest.is_empty());
            self.0.send(Frame::Frame(piece)).await?;
            kind = Data::Continue;
        }
        Ok(())
    }

    /// Asks whether anybody is there.
    ///
    /// # Errors
    /// If nobody is.
    pub async fn ping(&mut self, load: Vec<u8>) -> Result<(), Error> {
        self.0.send(Frame::Ping(load.into())).await
    }

    /// Says why it ends.
    pub async fn close(&mut self, code: u16, reason: &'static str) {
        let frame = CloseFrame { code: code.into(), reason: reason.into() };
        let _ = self.0.send(Frame::Close(Some(frame))).await;
    }
}
