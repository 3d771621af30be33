//! Connections that end when the caller does not take what is sent: a query that nobody reads would keep its place.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Sleep;

/// A listener whose connections have a deadline for every write.
pub(super) struct PatientListener {
    listener: TcpListener,
    patience: Duration,
}

impl PatientListener {
    pub(super) fn new(listener: TcpListener, patience: Duration) -> Self {
        Self { listener, patience }
    }
}

impl Listener for PatientListener {
    type Io = Patient<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        // The end of a body is a small packet after others: it must not wait for the caller's acknowledgement of those.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection keeps its small packets back");
        }
        (Patient { io: stream, patience: self.patience, waiting: None }, address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

/// A connection that breaks off once a write had to wait for longer than its patience.
pub(super) struct Patient<Io> {
    io: Io,
    patience: Duration,
    /// Runs while a write waits.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<Io> Patient<Io> {
    fn watched<T>(&mut self, result: Poll<io::Result<T>>, ctx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.waiting = None;
            return result;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        ready!(waiting.as_mut().poll(ctx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the caller does not read the answer")))
    }
}

impl<Io: AsyncRead + Unpin> AsyncRead for Patient<Io> {
    fn poll_read(self: Pin<&mut Self>, ctx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_read(ctx, buffer)
    }
}

impl<Io: AsyncWrite + Unpin> AsyncWrite for Patient<Io> {
    fn poll_write(self: Pin<&mut Self>, ctx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.io).poll_write(ctx, bytes);
        this.watched(result, ctx)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        ctx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.io).poll_write_vectored(ctx, parts);
        this.watched(result, ctx)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, ctx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.io).poll_flush(ctx);
        this.watched(result, ctx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, ctx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_shutdown(ctx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    #[tokio::test]
    async fn a_write_that_nobody_reads_is_broken_off_and_a_slow_one_is_not() {
        let (io, mut caller) = tokio::io::duplex(4);
        let mut connection = Patient { io, patience: Duration::from_millis(500), waiting: None };
        let slow = async {
            let mut byte = [0];
            for _ in 0..8 {
                tokio::time::sleep(Duration::from_millis(100)).await;
                caller.read_exact(&mut byte).await.expect("something was sent");
            }
        };
        let (written, ()) = tokio::join!(connection.write_all(b"12 bytes in."), slow);
        written.expect("the caller takes it, slowly");
        let began = tokio::time::Instant::now();
        let cut = connection.write_all(b"more").await.expect_err("nobody reads");
        assert_eq!((cut.kind(), began.elapsed() >= Duration::from_millis(500)), (io::ErrorKind::TimedOut, true));
    }
}
