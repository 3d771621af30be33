//! A wire to a server that can be cut, held, or that breaks what the server sends into pieces.
#![allow(dead_code, reason = "each test uses the part that it needs")]

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    /// What the server sends stays on the way.
    Held,
    /// Connections are dropped, and new ones end at once.
    Cut,
}

/// The wire; it ends with the value.
pub struct Proxy {
    address: SocketAddr,
    state: watch::Sender<State>,
}

impl Proxy {
    /// A wire to the server at a URL of the form `http://host:port`.
    pub async fn start(url: &str) -> Self {
        Self::with_break(url, None).await
    }

    /// The same; what the server sends arrives in two pieces around each place inside `word`.
    pub async fn breaking(url: &str, word: &'static str) -> Self {
        Self::with_break(url, Some(word)).await
    }

    async fn with_break(url: &str, word: Option<&'static str>) -> Self {
        let target = url.trim_start_matches("http://").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port of the loopback");
        let address = listener.local_addr().expect("a bound port");
        let (state, watched) = watch::channel(State::Open);
        tokio::spawn(async move {
            while let Ok((incoming, _)) = listener.accept().await {
                if *watched.borrow() != State::Cut {
                    tokio::spawn(forward(incoming, target.clone(), watched.clone(), word));
                }
            }
        });
        Self { address, state }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Drops every connection, and waits until none is left.
    pub async fn cut(&self) {
        self.state.send_replace(State::Cut);
        // Whatever forwards holds a receiver, and so does the listener.
        while self.state.receiver_count() > 1 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Keeps every connection, and lets nothing of the server through.
    pub fn hold(&self) {
        self.state.send_replace(State::Held);
    }

    /// Lets everything through again.
    pub fn open(&self) {
        self.state.send_replace(State::Open);
    }
}

async fn forward(incoming: TcpStream, target: String, mut state: watch::Receiver<State>, word: Option<&'static str>) {
    let Ok(outgoing) = TcpStream::connect(target).await else { return };
    let (mut asked, answered) = incoming.into_split();
    let (heard, mut told) = outgoing.into_split();
    let answers = answer(heard, answered, state.clone(), word);
    tokio::select! {
        _ = tokio::io::copy(&mut asked, &mut told) => {}
        () = answers => {}
        _ = state.wait_for(|state| *state == State::Cut) => {}
    }
}

async fn answer(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut state: watch::Receiver<State>,
    word: Option<&'static str>,
) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length) = from.read(&mut buffer).await {
        if length == 0 || state.wait_for(|state| *state != State::Held).await.is_err() {
            return;
        }
        let mut rest = &buffer[..length];
        while let Some(at) = word.and_then(|word| place_in(rest, word.as_bytes())) {
            let (piece, following) = rest.split_at(at);
            if to.write_all(piece).await.is_err() {
                return;
            }
            // Long enough for whoever reads to have seen the first piece alone.
            tokio::time::sleep(Duration::from_millis(50)).await;
            rest = following;
        }
        if to.write_all(rest).await.is_err() {
            return;
        }
    }
}

/// A place inside the first occurrence of a word.
fn place_in(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).position(|window| window == word).map(|start| start + word.len() / 2)
}
