//! How soon something that failed is tried again: at once almost, then ever later, so that what is permanent costs little.

use std::time::Duration;

const SHORTEST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(30);

/// The pauses between attempts.
#[derive(Clone, Debug)]
pub struct Retry {
    next: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self { next: SHORTEST }
    }
}

impl Retry {
    /// The pause before the next attempt; each is twice the one before, up to 30 seconds.
    pub fn pause(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).min(LONGEST);
        pause
    }

    /// Begins anew: something changed, or it went well.
    pub fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_begin_anew() {
        let mut retry = Retry::default();
        let pauses: Vec<u128> = (0..8).map(|_| retry.pause().as_millis()).collect();
        assert_eq!(pauses, [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]);
        retry.reset();
        assert_eq!(retry.pause(), SHORTEST);
    }
}
