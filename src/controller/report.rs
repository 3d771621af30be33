//! Tells people about transitions. IO.

use k8s_openapi::api::core::v1::ObjectReference;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::Resource;

use super::context::Context;
use super::store::Store;
use crate::api::{Reason, condition::READY};

/// Emits one event where the reason of `Ready` is another than before.
pub(super) async fn transition<S: Store, Object: Resource<DynamicType = ()>>(
    ctx: &Context<S>,
    object: &Object,
    before: Option<&[Condition]>,
    after: &[Condition],
    reason: Reason,
) {
    let ready = |conditions: &[Condition]| conditions.iter().find(|condition| condition.type_ == READY).cloned();
    let (before, after) = (before.and_then(ready), ready(after));
    let Some(after) = after else { return };
    if before.is_some_and(|before| before.reason == after.reason) {
        return;
    }
    let meta = object.meta();
    let (namespace, name) = (meta.namespace.as_deref().unwrap_or_default(), meta.name.as_deref().unwrap_or_default());
    let kind = Object::kind(&());
    tracing::info!(kind = %kind, namespace, name, reason = reason.as_str(), message = %after.message, "{kind} {namespace}/{name} is {}", reason.as_str());
    let reference: ObjectReference = object.object_ref(&());
    ctx.store.report(&reference, reason, &after.message).await;
}
