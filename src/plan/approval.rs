//! Digests of what waits, and the decisions on them (design 5.3; Kubernetes notes 1.3).

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::revision::Origin;
use crate::api::annotation;
use crate::api::condition::shortened;
use crate::api::pending::{Approval, Difference, Pending};
use crate::canonical;

/// The longest note of a decision, in characters (the CRD's bound).
const LONGEST_NOTE: usize = 1000;
/// The longest user name, in characters (the CRD's bound).
const LONGEST_USER: usize = 500;

/// How decisions are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ApprovalMode {
    /// By annotation, guarded by admission policies; the default in a cluster.
    #[default]
    Annotation,
    /// At once, by the owner of the folder; standalone only.
    Automatic,
}

/// Whether annotations can be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuardState {
    /// The guarding policies are in place, as shipped.
    InPlace {
        /// Another one whenever any of them was made anew or changed: what was annotated before may be forged, so no
        /// digest outlives it, however short the gap was and whoever looked (design 5.3).
        stamp: String,
    },
    /// They are not; each sentence says what is wrong.
    Missing(Vec<String>),
}

impl GuardState {
    /// Nobody but the owner can annotate, so nothing has to guard.
    pub fn unneeded() -> Self {
        Self::InPlace { stamp: String::new() }
    }

    fn stamp(&self) -> &str {
        match self {
            Self::InPlace { stamp } => stamp,
            Self::Missing(_) => "missing",
        }
    }
}

/// What somebody has to decide on.
#[derive(Clone, Debug)]
pub(super) struct Question<'a> {
    /// The plural of the object's kind.
    pub resource: &'static str,
    pub origin: &'a Origin,
    pub why: Vec<String>,
    pub difference: Option<Difference>,
    /// The number that the outcome will have.
    pub number: u64,
    /// The outcome's content, whole.
    pub content: serde_json::Value,
    /// On which objects the verb `approve` is needed.
    pub approvers: Vec<String>,
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Approved(Approval),
    Refused {
        pending: Pending,
        note: Option<String>,
    },
    Waiting(Pending),
    /// Annotations do not count at present.
    Unguarded {
        pending: Pending,
        problems: Vec<String>,
    },
}

/// The earlier state of an object's decisions.
#[derive(Clone, Debug, Default)]
pub(super) struct Earlier<'a> {
    pub pending: Option<&'a Pending>,
    pub serial: u64,
    pub refused: &'a [String],
}

/// Puts a question, or reads the answer that stands on the object already.
pub(super) fn ask(
    question: Question<'_>,
    earlier: &Earlier<'_>,
    annotations: &BTreeMap<String, String>,
    mode: ApprovalMode,
    guards: &GuardState,
    now: Timestamp,
) -> Answer {
    let digest = |serial: u64| digest(&question, serial, guards.stamp());
    let same = earlier.pending.filter(|pending| digest(pending.serial) == pending.digest);
    let serial = same.map_or(earlier.serial + 1, |pending| pending.serial);
    let digest = digest(serial);
    if mode == ApprovalMode::Automatic {
        return Answer::Approved(approval(digest, "automatic", annotations, now));
    }
    let pending = Pending {
        command: command(&question, &digest),
        digest,
        serial,
        why: question.why,
        difference: question.difference.filter(|difference| *difference != Difference::default()),
        approvers: question.approvers,
    };
    if let GuardState::Missing(problems) = guards {
        return Answer::Unguarded { pending, problems: problems.clone() };
    }
    let names_it = |key: &str| annotations.get(key).is_some_and(|value| *value == pending.digest);
    // A refusal wins over an approval, and counts for good once it was seen.
    if names_it(annotation::REFUSE) || earlier.refused.contains(&pending.digest) {
        return Answer::Refused { pending, note: annotations.get(annotation::DECISION_NOTE).cloned() };
    }
    // Only a digest that stood in the status could be read, and approved, by a person.
    match annotations.get(annotation::APPROVED_BY) {
        Some(by) if same.is_some() && names_it(annotation::APPROVE) && !by.is_empty() => {
            Answer::Approved(approval(pending.digest, by, annotations, now))
        }
        _ => Answer::Waiting(pending),
    }
}

fn approval(digest: String, by: &str, annotations: &BTreeMap<String, String>, now: Timestamp) -> Approval {
    let note = annotations.get(annotation::DECISION_NOTE).cloned();
    bounded(Approval { digest, by: by.to_owned(), at: now.to_string(), note, revision: None, inherited_from: None })
}

/// An approval as the CRD takes it: annotations have no bound of their own, and a status that is too long could never be
/// written.
pub(super) fn bounded(approval: Approval) -> Approval {
    Approval {
        by: shortened(&approval.by, LONGEST_USER),
        note: approval.note.map(|note| shortened(&note, LONGEST_NOTE)),
        ..approval
    }
}

fn digest(question: &Question<'_>, serial: u64, guards: &str) -> String {
    #[derive(Serialize)]
    struct Digested<'a> {
        action: &'a str,
        resource: &'a str,
        origin: &'a Origin,
        number: u64,
        serial: u64,
        guards: &'a str,
        content: &'a serde_json::Value,
    }
    let Question { resource, origin, number, content, .. } = question;
    canonical::hash(&Digested { action: "publish", resource, origin, number: *number, serial, guards, content })
}

fn command(question: &Question<'_>, digest: &str) -> String {
    let Origin { namespace, name, .. } = question.origin;
    format!(
        "kubectl -n {namespace} annotate {}.{} {name} --overwrite {}={digest} {}=\"$(kubectl auth whoami -o jsonpath='{{.status.userInfo.username}}')\"",
        question.resource,
        crate::api::GROUP,
        annotation::APPROVE,
        annotation::APPROVED_BY,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin() -> Origin {
        Origin { namespace: "crm".into(), name: "customers".into(), uid: "u1".into() }
    }

    fn question(origin: &Origin, content: i32) -> Question<'_> {
        Question {
            resource: "analyticssources",
            origin,
            why: vec!["new".into()],
            difference: None,
            number: 1,
            content: serde_json::json!({ "content": content }),
            approvers: Vec::new(),
        }
    }

    fn asked(content: i32, pending: Option<&Pending>, refused: &[String], annotations: &[(&str, &str)]) -> Answer {
        asked_under(&in_place("one"), content, pending, refused, annotations)
    }

    fn in_place(stamp: &str) -> GuardState {
        GuardState::InPlace { stamp: stamp.into() }
    }

    fn asked_under(
        guards: &GuardState,
        content: i32,
        pending: Option<&Pending>,
        refused: &[String],
        annotations: &[(&str, &str)],
    ) -> Answer {
        let annotations = annotations.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let earlier = Earlier { pending, serial: pending.map_or(0, |pending| pending.serial), refused };
        let origin = origin();
        ask(question(&origin, content), &earlier, &annotations, ApprovalMode::Annotation, guards, Timestamp::UNIX_EPOCH)
    }

    fn waiting(answer: Answer) -> Pending {
        match answer {
            Answer::Waiting(pending) => pending,
            other => panic!("not waiting: {other:?}"),
        }
    }

    #[test]
    fn an_approval_counts_for_the_digest_that_stood_in_the_status_only() {
        let pending = waiting(asked(1, None, &[], &[]));
        let approve = [(annotation::APPROVE, pending.digest.as_str()), (annotation::APPROVED_BY, "alice")];
        assert!(
            matches!(asked(1, Some(&pending), &[], &approve), Answer::Approved(approval) if approval.by == "alice")
        );
        assert!(matches!(asked(1, None, &[], &approve), Answer::Waiting(_)), "nobody could have read that digest");
        assert!(matches!(asked(2, Some(&pending), &[], &approve), Answer::Waiting(_)), "something else waits now");
        assert!(matches!(asked(1, Some(&pending), &[], &approve[..1]), Answer::Waiting(_)), "nobody signed");
    }

    #[test]
    fn a_digest_is_kept_while_nothing_changes_and_never_comes_back() {
        let first = waiting(asked(1, None, &[], &[]));
        assert_eq!(waiting(asked(1, Some(&first), &[], &[])), first);
        let second = waiting(asked(2, Some(&first), &[], &[]));
        let third = waiting(asked(1, Some(&second), &[], &[]));
        assert!(third.digest != first.digest && third.serial == 3);
    }

    #[test]
    fn a_refusal_wins_and_is_final() {
        let pending = waiting(asked(1, None, &[], &[]));
        let digest = pending.digest.as_str();
        let both = [(annotation::APPROVE, digest), (annotation::APPROVED_BY, "alice"), (annotation::REFUSE, digest)];
        assert!(matches!(asked(1, Some(&pending), &[], &both), Answer::Refused { .. }));
        assert!(matches!(asked(1, Some(&pending), &[digest.to_owned()], &both[..2]), Answer::Refused { .. }));
    }

    #[test]
    fn what_was_annotated_while_the_guards_were_gone_never_counts() {
        let before = waiting(asked(1, None, &[], &[]));
        let signed = |pending: &Pending| pending.digest.clone();
        let forged = signed(&before);
        let forged = [(annotation::APPROVE, forged.as_str()), (annotation::APPROVED_BY, "alice")];
        // The gap was seen: the digest that stood meanwhile is none that counts later.
        let gone = GuardState::Missing(vec!["gone".into()]);
        let Answer::Unguarded { pending: meanwhile, .. } = asked_under(&gone, 1, Some(&before), &[], &forged) else {
            panic!("annotations counted without guards")
        };
        assert!(matches!(asked(1, Some(&meanwhile), &[], &forged), Answer::Waiting(_)));
        let meanwhile_digest = signed(&meanwhile);
        let forged_then = [(annotation::APPROVE, meanwhile_digest.as_str()), (annotation::APPROVED_BY, "alice")];
        assert!(matches!(asked(1, Some(&meanwhile), &[], &forged_then), Answer::Waiting(_)));
        // Nobody saw the gap: the guards are other ones all the same.
        assert!(matches!(asked_under(&in_place("two"), 1, Some(&before), &[], &forged), Answer::Waiting(_)));
    }

    #[test]
    fn a_note_of_any_length_fits_the_status() {
        let pending = waiting(asked(1, None, &[], &[]));
        let (note, by) = ("ä".repeat(5000), "b".repeat(700));
        let approve = [
            (annotation::APPROVE, pending.digest.as_str()),
            (annotation::APPROVED_BY, by.as_str()),
            (annotation::DECISION_NOTE, note.as_str()),
        ];
        let Answer::Approved(approval) = asked(1, Some(&pending), &[], &approve) else { panic!("it is approved") };
        assert_eq!(approval.note.map(|note| note.chars().count()), Some(1000));
        assert_eq!(approval.by.chars().count(), 500);
    }
}
