//! Digests of what waits, and the decisions on them (design 5.3; Kubernetes notes 1.3).

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::revision::Origin;
use crate::api::annotation;
use crate::api::pending::{Approval, Difference, Pending};
use crate::canonical;

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum GuardState {
    /// The guarding policies are in place, as shipped.
    #[default]
    InPlace,
    /// They are not; each sentence says what is wrong.
    Missing(Vec<String>),
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
    let same = earlier.pending.filter(|pending| digest(&question, pending.serial) == pending.digest);
    let serial = same.map_or(earlier.serial + 1, |pending| pending.serial);
    let digest = digest(&question, serial);
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
    Approval { digest, by: by.to_owned(), at: now.to_string(), note, revision: None, inherited_from: None }
}

fn digest(question: &Question<'_>, serial: u64) -> String {
    #[derive(Serialize)]
    struct Digested<'a> {
        action: &'a str,
        resource: &'a str,
        origin: &'a Origin,
        number: u64,
        serial: u64,
        content: &'a serde_json::Value,
    }
    let Question { resource, origin, number, content, .. } = question;
    canonical::hash(&Digested { action: "publish", resource, origin, number: *number, serial, content })
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
        let annotations = annotations.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let earlier = Earlier { pending, serial: pending.map_or(0, |pending| pending.serial), refused };
        let origin = origin();
        ask(
            question(&origin, content),
            &earlier,
            &annotations,
            ApprovalMode::Annotation,
            &GuardState::InPlace,
            Timestamp::UNIX_EPOCH,
        )
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
}
