//! Revisions as `apps/v1` ControllerRevisions (design 3.6): the document is immutable data, the notes are annotations.

use jiff::Timestamp;
use k8s_openapi::api::apps::v1::ControllerRevision;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;

use crate::plan::revision::{Entry, Notes, Revision, Subject, SubjectKind};

/// The label that names the subject by its short name; a guard policy reserves objects with it to the operator.
pub(super) const LABEL: &str = "analytics.wow.dev/history";
/// The label that tells datasets from sources.
pub(super) const KIND_LABEL: &str = "analytics.wow.dev/history-kind";

const SUBJECT: &str = "analytics.wow.dev/subject";
const NUMBER: &str = "analytics.wow.dev/number";
const CONTENT_HASH: &str = "analytics.wow.dev/content-hash";
const DOCUMENT_HASH: &str = "analytics.wow.dev/document-hash";
const ORIGIN_NAMESPACE: &str = "analytics.wow.dev/origin-namespace";
const PUBLISHED_AT: &str = "analytics.wow.dev/published-at";
const SUPERSEDED_AT: &str = "analytics.wow.dev/superseded-at";
const EXPIRES_AT: &str = "analytics.wow.dev/expires-at";

/// The object of a revision.
pub(super) fn object(revision: &Revision) -> ControllerRevision {
    let content_hash = revision.version().map(|version| version.record.content_hash.clone()).unwrap_or_default();
    let annotations = [
        (SUBJECT, revision.subject.id.clone()),
        (NUMBER, revision.number.to_string()),
        (CONTENT_HASH, content_hash),
        (DOCUMENT_HASH, revision.document_hash()),
        (ORIGIN_NAMESPACE, revision.origin.namespace.clone()),
    ];
    let labels = [(LABEL, revision.subject.short_name()), (KIND_LABEL, kind_name(revision.subject.kind).to_owned())];
    let owned =
        |pairs: &[(&str, String)]| pairs.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    ControllerRevision {
        metadata: ObjectMeta {
            name: Some(revision.subject.revision_name(revision.number)),
            labels: Some(owned(&labels)),
            annotations: Some(owned(&annotations)),
            ..ObjectMeta::default()
        },
        data: Some(RawExtension(serde_json::to_value(revision).expect("a revision has text keys"))),
        revision: i64::try_from(revision.number).unwrap_or(i64::MAX),
    }
}

/// A revision's document, if it is whole: its hash and its name must hold.
pub(super) fn document(stored: &ControllerRevision, subject: &Subject, number: u64) -> Option<Revision> {
    let revision: Revision = serde_json::from_value(stored.data.as_ref()?.0.clone()).ok()?;
    let stated = stored.metadata.annotations.as_ref()?.get(DOCUMENT_HASH)?;
    let holds = revision.subject == *subject && revision.number == number && revision.document_hash() == *stated;
    holds.then_some(revision)
}

/// What the metadata of a revision says; none if it is not one of ours.
pub(super) fn entry(metadata: &ObjectMeta) -> Option<Entry> {
    let annotations = metadata.annotations.as_ref()?;
    let kind = match metadata.labels.as_ref()?.get(KIND_LABEL)?.as_str() {
        "dataset" => SubjectKind::Dataset,
        "source" => SubjectKind::Source,
        _ => return None,
    };
    let time = |key: &str| annotations.get(key).and_then(|text| text.parse::<Timestamp>().ok());
    Some(Entry {
        subject: Subject { kind, id: annotations.get(SUBJECT)?.clone() },
        number: annotations.get(NUMBER)?.parse().ok()?,
        content_hash: annotations.get(CONTENT_HASH).cloned().unwrap_or_default(),
        namespace: annotations.get(ORIGIN_NAMESPACE).cloned().unwrap_or_default(),
        notes: Notes {
            published_at: time(PUBLISHED_AT),
            superseded_at: time(SUPERSEDED_AT),
            expires_at: time(EXPIRES_AT),
        },
    })
}

/// Puts notes into the annotations of a revision; what is absent is removed.
pub(super) fn set_notes(metadata: &mut ObjectMeta, notes: &Notes) {
    let annotations = metadata.annotations.get_or_insert_default();
    for (key, time) in
        [(PUBLISHED_AT, notes.published_at), (SUPERSEDED_AT, notes.superseded_at), (EXPIRES_AT, notes.expires_at)]
    {
        match time {
            Some(time) => annotations.insert(key.to_owned(), time.to_string()),
            None => annotations.remove(key),
        };
    }
}

fn kind_name(kind: SubjectKind) -> &'static str {
    match kind {
        SubjectKind::Dataset => "dataset",
        SubjectKind::Source => "source",
    }
}
