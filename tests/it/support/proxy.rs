//! A wire to a server that can be cut: connections are dropped and new ones end at once, until it is open again.

use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The wire; it ends with the value.
pub struct Proxy {
    address: SocketAddr,
    open: watch::Sender<bool>,
}

impl Proxy {
    /// A wire to the server at a URL of the form `http://host:port`.
    pub async fn start(url: &str) -> Self {
        let target = url.trim_start_matches("http://").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port of the loopback");
        let address = listener.local_addr().expect("a bound port");
        let (open, state) = watch::channel(true);
        tokio::spawn(async move {
            while let Ok((incoming, _)) = listener.accept().await {
                if *state.borrow() {
                    tokio::spawn(forward(incoming, target.clone(), state.clone()));
                }
            }
        });
        Self { address, open }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Drops every connection.
    pub fn cut(&self) {
        self.open.send_replace(false);
    }

    /// Lets connections through again.
    pub fn open(&self) {
        self.open.send_replace(true);
    }
}

async fn forward(mut incoming: TcpStream, target: String, mut state: watch::Receiver<bool>) {
    let Ok(mut outgoing) = TcpStream::connect(target).await else { return };
    tokio::select! {
        _ = tokio::io::copy_bidirectional(&mut incoming, &mut outgoing) => {}
        _ = state.wait_for(|open| !open) => {}
    }
}
