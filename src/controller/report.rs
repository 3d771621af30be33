//! Tells people what became of an object: lines of the log, and an event where the reason of `Ready` changed. IO.
//!
//! Every change has one line: a new version, another message, a removal. The object stands in front of the line, with the
//! reason; the line itself is the message.

use k8s_openapi::api::core::v1::ObjectReference;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::Resource;

use super::context::Context;
use super::store::Store;
use crate::api::condition::{PUBLISHED, READY};
use crate::api::{
    AnalyticsDataset, AnalyticsDatasetStatus, AnalyticsSource, AnalyticsSourceStatus, PublicationRecord, Reason,
};

/// One line of the log.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    is_warning: bool,
    reason: String,
    text: String,
}

/// Tells what the next status of a dataset says that the one before did not. `growth` is what it shows more without that
/// anybody was asked.
pub(super) async fn dataset<S: Store>(
    ctx: &Context<S>,
    object: &AnalyticsDataset,
    next: &AnalyticsDatasetStatus,
    reason: Reason,
    growth: &[String],
) {
    let before = object.status.clone().unwrap_or_default();
    tell(object, of_dataset(&before, next, reason, growth));
    event(ctx, object, &before.conditions, &next.conditions, reason).await;
}

/// The same of a source.
pub(super) async fn source<S: Store>(
    ctx: &Context<S>,
    object: &AnalyticsSource,
    next: &AnalyticsSourceStatus,
    reason: Reason,
    growth: &[String],
) {
    let before = object.status.clone().unwrap_or_default();
    tell(object, of_source(&before, next, reason, growth));
    event(ctx, object, &before.conditions, &next.conditions, reason).await;
}

/// Tells that an object is gone, and what that means.
pub fn removed(object: &impl Resource<DynamicType = ()>, what: &str) {
    tell(object, vec![Line { is_warning: false, reason: "Removed".to_owned(), text: what.to_owned() }]);
}

fn tell<Object: Resource<DynamicType = ()>>(object: &Object, lines: Vec<Line>) {
    let meta = object.meta();
    let (namespace, name) = (meta.namespace.as_deref().unwrap_or_default(), meta.name.as_deref().unwrap_or_default());
    let place = format!("{namespace}/{name}");
    for Line { is_warning, reason, text } in lines {
        // A span of the level `error`, because a span below the level that is logged would take the object away.
        let span = match Object::kind(&()).as_ref() {
            "AnalyticsSource" => tracing::error_span!("AnalyticsSource", object = %place, %reason),
            _ => tracing::error_span!("AnalyticsDataset", object = %place, %reason),
        };
        // The lines of a message are one entry of the log.
        let text = text.replace('\n', "\n    ");
        span.in_scope(|| match is_warning {
            true => tracing::warn!("{text}"),
            false => tracing::info!("{text}"),
        });
    }
}

fn of_dataset(
    before: &AnalyticsDatasetStatus,
    next: &AnalyticsDatasetStatus,
    reason: Reason,
    growth: &[String],
) -> Vec<Line> {
    let record_changed = before.published.as_ref().map(essence) != next.published.as_ref().map(essence);
    let mut lines = Vec::new();
    if let Some(mut line) = of_ready(&before.conditions, &next.conditions, reason, record_changed) {
        let (was, is) = (before.published.as_ref(), next.published.as_ref());
        match (was, is) {
            (Some(was), Some(is)) if was.version != is.version => {
                line.add(&format!("It takes the place of version {}.", was.version));
            }
            (Some(was), None) => line.add(&format!("Version {} is no longer served.", was.version)),
            (Some(_), Some(_)) if reason == Reason::Published && record_changed => {
                line.add("What it says of itself changed; the version stays.");
            }
            (Some(_), Some(is))
                if reason == Reason::Published && before.observed_generation != next.observed_generation =>
            {
                line.add(&format!("The definition changed in nothing that version {} shows.", is.version));
            }
            (Some(_), Some(is)) if !reason.is_ready() && is.available => {
                line.add(&format!("Version {} stays served.", is.version));
            }
            _ => {}
        }
        line.warn_of(growth.iter().filter(|_| record_changed));
        line.is_warning |= next.warnings.iter().any(|warning| !before.warnings.contains(warning));
        lines.push(line);
    }
    lines.extend(of_availability(before, next));
    lines
}

/// Whether the version that is served went out of service, or came back.
fn of_availability(before: &AnalyticsDatasetStatus, next: &AnalyticsDatasetStatus) -> Option<Line> {
    let (was, is) = (before.published.as_ref()?, next.published.as_ref()?);
    if was.version != is.version || (was.available, &was.unavailable_reason) == (is.available, &is.unavailable_reason) {
        return None;
    }
    let reason = find(&next.conditions, PUBLISHED).map(|condition| condition.reason.clone()).unwrap_or_default();
    let text = match &is.unavailable_reason {
        Some(why) => format!("Queries of version {} get 409. {why}", is.version),
        None => format!("Version {} is answered again.", is.version),
    };
    Some(Line { is_warning: !is.available, reason, text })
}

fn of_source(
    before: &AnalyticsSourceStatus,
    next: &AnalyticsSourceStatus,
    reason: Reason,
    growth: &[String],
) -> Vec<Line> {
    let revision = |status: &AnalyticsSourceStatus| status.approved.as_ref().and_then(|approval| approval.revision);
    let (was, is) = (revision(before), revision(next));
    let mut line = of_ready(&before.conditions, &next.conditions, reason, was != is);
    if let Some(line) = &mut line {
        if let (Some(was), Some(is)) = (was, is)
            && was != is
        {
            line.add(&format!("Its revision {is} takes the place of revision {was}."));
        }
        line.warn_of(growth.iter().filter(|_| was != is));
        line.is_warning |= next.warnings.iter().any(|warning| !before.warnings.contains(warning));
    }
    line.into_iter().collect()
}

/// The line of `Ready`, where it says something new, or is of another declaration, or `changed` says that something else
/// is new.
fn of_ready(before: &[Condition], next: &[Condition], reason: Reason, changed: bool) -> Option<Line> {
    let ready = find(next, READY)?;
    let said = |condition: &Condition| {
        (condition.reason.clone(), condition.message.clone(), condition.observed_generation, condition.status.clone())
    };
    let same = find(before, READY).is_some_and(|before| said(before) == said(ready));
    (!same || changed).then(|| Line {
        is_warning: !reason.is_ready(),
        reason: ready.reason.clone(),
        text: ready.message.clone(),
    })
}

impl Line {
    fn add(&mut self, sentence: &str) {
        // A message of several lines is a list; a sentence at its end would be of the last item alone.
        self.text.push(if self.text.contains('\n') { '\n' } else { ' ' });
        self.text.push_str(sentence);
    }

    fn warn_of<'a>(&mut self, growth: impl Iterator<Item = &'a String>) {
        let growth: Vec<&str> = growth.map(String::as_str).collect();
        if !growth.is_empty() {
            self.add(&format!("It shows more, and nobody has to approve that here: {}.", growth.join("; ")));
            self.is_warning = true;
        }
    }
}

/// What a record says beside whether it is in service now.
fn essence(record: &PublicationRecord) -> PublicationRecord {
    PublicationRecord { available: true, unavailable_reason: None, ..record.clone() }
}

fn find<'c>(conditions: &'c [Condition], kind: &str) -> Option<&'c Condition> {
    conditions.iter().find(|condition| condition.type_ == kind)
}

/// Emits one event where the reason of `Ready` is another than before.
async fn event<S: Store, Object: Resource<DynamicType = ()>>(
    ctx: &Context<S>,
    object: &Object,
    before: &[Condition],
    next: &[Condition],
    reason: Reason,
) {
    let Some(ready) = find(next, READY) else { return };
    if find(before, READY).is_some_and(|before| before.reason == ready.reason) {
        return;
    }
    let reference: ObjectReference = object.object_ref(&());
    ctx.store.report(&reference, reason, &ready.message).await;
}
