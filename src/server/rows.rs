//! Lines of JSON objects → a JSON array, while they pass by. Nothing is held but the chunk at hand.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use futures::Stream;

use crate::warehouse::{RowStream, WarehouseError};

/// The body of a list: an opening text, the rows with commas between them, a closing text. `guard` is kept until the
/// body ends, whether the caller reads it or goes away.
pub(super) struct Rows<Guard> {
    rows: RowStream,
    opening: Option<Bytes>,
    closing: Option<Bytes>,
    /// A line ended at the end of the chunk before; whether another follows is not known yet.
    line_ended: bool,
    held: Option<Bytes>,
    _guard: Guard,
    on_failure: OnFailure,
}

/// What is told of a failure after the first rows.
pub(super) type OnFailure = Box<dyn Fn(&WarehouseError) + Send>;

impl<Guard> Rows<Guard> {
    pub(super) fn new(
        rows: RowStream,
        opening: String,
        closing: &'static str,
        guard: Guard,
        on_failure: OnFailure,
    ) -> Self {
        Self {
            rows,
            opening: Some(Bytes::from(opening)),
            closing: Some(Bytes::from_static(closing.as_bytes())),
            line_ended: false,
            held: None,
            _guard: guard,
            on_failure,
        }
    }

    /// Line breaks of a chunk as commas, but for one at its end. A line break inside a text is escaped, so each one ends a row.
    fn separated(&mut self, chunk: Bytes) -> Bytes {
        let mut bytes = chunk.try_into_mut().unwrap_or_else(|shared| BytesMut::from(&shared[..]));
        self.line_ended = bytes.last() == Some(&b'\n');
        if self.line_ended {
            bytes.truncate(bytes.len() - 1);
        }
        let mut start = 0;
        while let Some(offset) = memchr::memchr(b'\n', &bytes[start..]) {
            bytes[start + offset] = b',';
            start += offset + 1;
        }
        bytes.freeze()
    }
}

impl<Guard: Unpin> Stream for Rows<Guard> {
    type Item = Result<Bytes, WarehouseError>;

    fn poll_next(self: Pin<&mut Self>, ctx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if let Some(opening) = this.opening.take() {
            return Poll::Ready(Some(Ok(opening)));
        }
        if let Some(held) = this.held.take() {
            return Poll::Ready(Some(Ok(held)));
        }
        if this.closing.is_none() {
            return Poll::Ready(None);
        }
        loop {
            match Pin::new(&mut this.rows).poll_next(ctx) {
                Poll::Ready(Some(Ok(chunk))) if chunk.is_empty() => {}
                Poll::Ready(Some(Ok(chunk))) => {
                    let comma_first = this.line_ended;
                    let bytes = this.separated(chunk);
                    if !comma_first {
                        return Poll::Ready(Some(Ok(bytes)));
                    }
                    this.held = Some(bytes);
                    return Poll::Ready(Some(Ok(Bytes::from_static(b","))));
                }
                Poll::Ready(Some(Err(error))) => {
                    // An error breaks the body, so that no caller takes a part for the whole.
                    (this.on_failure)(&error);
                    this.closing = None;
                    return Poll::Ready(Some(Err(error)));
                }
                Poll::Ready(None) => return Poll::Ready(this.closing.take().map(Ok)),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}
