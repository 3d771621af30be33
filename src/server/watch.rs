//! Keeps the records current from the API server (design 6.2): a watch, begun anew with a full list every few minutes, and
//! the views read until each record is in force.

use std::sync::Arc;
use std::time::Duration;

use futures::stream::{self, BoxStream};
use futures::{FutureExt as _, Stream, StreamExt as _};
use kube::api::{ApiResource, DynamicObject};
use kube::runtime::WatchStreamExt as _;
use kube::runtime::watcher::{self, Event};
use kube::{Api, Client};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::heard::Namespaces;
use super::registry::Registry;
use super::retry::Retry;
use super::snapshot::SnapshotFile;
use crate::api::AnalyticsDataset;

/// How long a watch lives: the list that its successor begins with repairs whatever was missed. Each waits some seconds
/// more, so that servers do not ask together.
const LIST_EVERY: Duration = Duration::from_secs(300);
const MOST_JITTER_MILLISECONDS: u128 = 30_000;
/// How long the API server may be silent before a list is whole; a connection that died silently would never end.
const LONGEST_SILENCE: Duration = Duration::from_secs(60);

/// Watches until `shutdown`, starting from the snapshot file if there is one.
pub(super) async fn run(
    client: Client,
    namespaces: &[String],
    registry: Arc<Registry>,
    file: Option<SnapshotFile>,
    shutdown: CancellationToken,
) {
    let snapshots = registry.subscribe();
    if let Some((heard, confirmed_at)) = file.as_ref().and_then(SnapshotFile::read) {
        tracing::info!(records = heard.len(), "answering from the snapshot file until the API server is heard");
        registry.take(heard, confirmed_at);
    }
    let kept = async {
        match file {
            Some(file) => file.keep(snapshots).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = shutdown.cancelled() => {}
        () = hear(client, namespaces, &registry) => {}
        () = read_views(&registry) => {}
        () = kept => {}
    }
}

/// Hands over what is said as soon as it is heard: no withdrawal waits for a view that is being read.
async fn hear(client: Client, namespaces: &[String], registry: &Registry) {
    let resource = ApiResource::erase::<AnalyticsDataset>(&());
    let watches = namespaces.iter().enumerate().map(|(index, namespace)| {
        let api = Api::namespaced_with(client.clone(), namespace, &resource);
        let watches = Watches::new(move || events(api.clone()), LIST_EVERY + jitter(), LONGEST_SILENCE);
        watches.stream().map(move |event| (index, event)).boxed()
    });
    let mut watches = stream::select_all(watches);
    let mut known = Namespaces::new(namespaces.len());
    while let Some(first) = watches.next().await {
        let (mut next, mut news) = (Some(first), false);
        // What came together is taken over together.
        while let Some((index, event)) = next {
            match event {
                Ok(event) => news |= known.hear(index, event),
                Err(error) => tracing::warn!(
                    namespace = namespaces[index], %error, "the watch was interrupted; what is served stays served"
                ),
            }
            next = watches.next().now_or_never().flatten();
        }
        if news && known.are_listed() {
            registry.take(known.all(), std::time::Instant::now());
        }
    }
}

/// One watch. Objects are not decoded: what this program does not know in one of them must not hide the others.
fn events(api: Api<DynamicObject>) -> BoxStream<'static, Result<Event<DynamicObject>, watcher::Error>> {
    // The newest state, never an older one of a replica that lags: it would serve again what was withdrawn. In one piece,
    // because the API server answers pages from etcd and the whole from its cache.
    let config = watcher::Config { page_size: None, ..watcher::Config::default() };
    kube::runtime::watcher(api, config).default_backoff().boxed()
}

/// One watch after another, each with a list at its beginning.
struct Watches<Begin, Events> {
    begin: Begin,
    current: Events,
    /// Whether the list of the current one is whole.
    listed: bool,
    /// When the current one ends if nothing happens.
    until: Instant,
    lifetime: Duration,
    silence: Duration,
}

impl<Begin, Events, Object, Error> Watches<Begin, Events>
where
    Begin: Fn() -> Events,
    Events: Stream<Item = Result<Event<Object>, Error>> + Unpin,
{
    fn new(begin: Begin, lifetime: Duration, silence: Duration) -> Self {
        let current = begin();
        Self { begin, current, listed: false, until: Instant::now() + silence, lifetime, silence }
    }

    /// The next event, of the current watch or of its successor.
    async fn next(&mut self) -> Result<Event<Object>, Error> {
        loop {
            let Ok(Some(event)) = tokio::time::timeout_at(self.until, self.current.next()).await else {
                if !self.listed {
                    tracing::warn!("the API server does not list the records; what is served stays served");
                }
                (self.current, self.listed, self.until) = ((self.begin)(), false, Instant::now() + self.silence);
                continue;
            };
            if matches!(event, Ok(Event::InitDone)) {
                (self.listed, self.until) = (true, Instant::now() + self.lifetime);
            } else if !self.listed {
                self.until = Instant::now() + self.silence;
            }
            return event;
        }
    }

    fn stream(self) -> impl Stream<Item = Result<Event<Object>, Error>> {
        stream::unfold(self, |mut watches| async move { Some((watches.next().await, watches)) })
    }
}

/// Some seconds that are other ones in every process.
fn jitter() -> Duration {
    let milliseconds = uuid::Uuid::new_v4().as_u128() % MOST_JITTER_MILLISECONDS;
    Duration::from_millis(u64::try_from(milliseconds).unwrap_or_default())
}

/// Reads the views of new records, and again what could not be read.
async fn read_views(registry: &Registry) {
    let mut retry = Retry::default();
    registry.news().await;
    loop {
        let complete = registry.read_views().await;
        let pause = async {
            match complete {
                true => std::future::pending().await,
                false => tokio::time::sleep(retry.pause()).await,
            }
        };
        let news = tokio::select! { () = registry.news() => true, () = pause => false };
        if news {
            retry.reset();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::convert::Infallible;

    type Told = Result<Event<&'static str>, Infallible>;

    fn told(events: Vec<Event<&'static str>>) -> BoxStream<'static, Told> {
        stream::iter(events.into_iter().map(Ok)).chain(stream::pending()).boxed()
    }

    #[tokio::test]
    async fn a_list_that_does_not_come_is_asked_for_again_and_a_watch_is_renewed_when_its_time_is_over() {
        let begun = Cell::new(0);
        let begin = || {
            begun.set(begun.get() + 1);
            match begun.get() {
                // A connection on which nothing comes any more.
                1 => told(vec![Event::Init]),
                2 => told(vec![Event::Init, Event::InitApply("a"), Event::InitDone, Event::Apply("b")]),
                _ => told(vec![Event::Init, Event::InitDone]),
            }
        };
        let watches = Watches::new(begin, Duration::from_millis(100), Duration::from_millis(20));
        let events = watches.stream().take(7).map(|event| format!("{event:?}")).collect::<Vec<_>>();
        let events = tokio::time::timeout(Duration::from_secs(20), events).await.expect("every watch has its end");
        let expected = ["Init", "Init", "InitApply(\"a\")", "InitDone", "Apply(\"b\")", "Init", "InitDone"]
            .map(|event| format!("Ok({event})"));
        assert_eq!(events, expected);
        assert_eq!(begun.get(), 3);
    }
}
