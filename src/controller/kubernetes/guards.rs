//! Looks whether the policies that guard the annotations are in place, as shipped (design 5.3).

use std::sync::Arc;

use k8s_openapi::api::admissionregistration::v1::{ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding};
use kube::{Api, Client};

use super::{Changes, ClusterContext, GUARD_POLL};
use crate::configuration::Configuration;
use crate::controller::store::Store as _;
use crate::plan::GuardState;
use crate::plan::guards::{self, FoundObject, Guard, GuardKind, GuardSettings};

/// The guards that the configuration's installation has.
pub(super) fn expected(namespace: &str, configuration: &Configuration) -> Vec<Guard> {
    let settings = &configuration.guards;
    guards::expected(&GuardSettings {
        release: settings.release.clone(),
        operator_user: format!("system:serviceaccount:{namespace}:{}", settings.service_account),
        approving_service_accounts: settings.approving_service_accounts.clone(),
    })
}

/// Looks once; true if the state is another than before.
pub(super) async fn refresh(client: &Client, ctx: &ClusterContext, expected: &[Guard]) -> bool {
    let state = match look(client, expected).await {
        Ok(Ok(())) => GuardState::InPlace,
        Ok(Err(problems)) => GuardState::Missing(problems),
        Err(error) => GuardState::Missing(vec![format!("They cannot be read: {error}.")]),
    };
    let changed = ctx.set_guards(state.clone());
    match &state {
        GuardState::InPlace if changed => tracing::info!("the guards of the approval annotations are in place"),
        GuardState::Missing(problems) if changed => {
            tracing::warn!(problems = %problems.join("; "), "no approval counts")
        }
        _ => {}
    }
    changed
}

/// Looks regularly; where the state changes, every source is looked at again.
pub(super) async fn poll(client: Client, ctx: Arc<ClusterContext>, expected: Vec<Guard>, changes: &Changes) {
    loop {
        tokio::time::sleep(GUARD_POLL).await;
        if refresh(&client, &ctx, &expected).await {
            for source in ctx.store.sources() {
                changes.source(&ctx, &source);
            }
        }
    }
}

async fn look(client: &Client, expected: &[Guard]) -> Result<Result<(), Vec<String>>, kube::Error> {
    let policies: Api<ValidatingAdmissionPolicy> = Api::all(client.clone());
    let bindings: Api<ValidatingAdmissionPolicyBinding> = Api::all(client.clone());
    let mut found = Vec::new();
    for guard in expected {
        let object = match guard.kind {
            GuardKind::Policy => policies.get_opt(&guard.name).await?.map(|policy| serde_json::json!(policy)),
            GuardKind::Binding => bindings.get_opt(&guard.name).await?.map(|binding| serde_json::json!(binding)),
        };
        found.extend(object.map(|object| FoundObject { kind: guard.kind, object }));
    }
    Ok(guards::verify(expected, &found))
}
