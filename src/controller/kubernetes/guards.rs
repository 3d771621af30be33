//! Looks whether the policies that guard the annotations are in place, as shipped (design 5.3).

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use k8s_openapi::api::admissionregistration::v1::{ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding};
use kube::api::{ApiResource, DynamicObject};
use kube::{Api, Client};
use serde_json::json;

use super::Cluster;
use super::watches::Changes;
use crate::configuration::Configuration;
use crate::controller::store::Store as _;
use crate::plan::GuardState;
use crate::plan::guards::{self, FoundObject, Guard, GuardKind, GuardSettings};

/// How often the guards are looked at. An approval does not rely on it: they are looked at before it counts.
const POLL: Duration = Duration::from_secs(10);
/// How often while they are not in place.
const POLL_WHILE_MISSING: Duration = Duration::from_secs(1);
/// How long the API server may take to use a policy that was made or changed; it refreshes them every second.
const SETTLING: Duration = Duration::from_secs(5);

/// The guards that the configuration's installation has, and a way to look at them.
pub(super) struct Guards {
    client: Client,
    expected: Vec<Guard>,
    /// The guards that were seen last, and since when.
    seen: Mutex<Option<(String, Instant)>>,
}

impl Guards {
    /// Nothing is asked yet.
    pub(super) fn new(client: Client, namespace: &str, configuration: &Configuration) -> Self {
        let settings = &configuration.guards;
        let expected = guards::expected(&GuardSettings {
            release: settings.release.clone(),
            operator_user: format!("system:serviceaccount:{namespace}:{}", settings.service_account),
            approving_service_accounts: settings.approving_service_accounts.clone(),
        });
        Self { client, expected, seen: Mutex::default() }
    }

    /// Looks once.
    pub(super) async fn look(&self) -> GuardState {
        let found = match self.found().await {
            Ok(found) => found,
            Err(error) => return GuardState::Missing(vec![format!("They cannot be read: {error}.")]),
        };
        if let Err(mut problems) = guards::verify(&self.expected, &found) {
            problems.push("Install them with the chart (`guards.enabled: true`).".to_owned());
            return GuardState::Missing(problems);
        }
        let stamp = guards::stamp(&found);
        let since = self.since(&stamp);
        let settling = |change: Timestamp| Timestamp::now().duration_since(change) < signed(SETTLING);
        // The clocks of two machines differ; what was seen for long enough is in use whatever they say.
        if since.elapsed() < SETTLING && guards::last_change(&found).is_some_and(settling) {
            let problem = "They were made or changed a moment ago, and the API server may not use them yet.";
            return GuardState::Missing(vec![problem.to_owned()]);
        }
        GuardState::InPlace { stamp }
    }

    fn since(&self, stamp: &str) -> Instant {
        let mut seen = self.seen.lock().expect("no holder of this lock panics");
        match &*seen {
            Some((before, since)) if before == stamp => *since,
            _ => {
                let now = Instant::now();
                *seen = Some((stamp.to_owned(), now));
                now
            }
        }
    }

    /// The guards as the API server has them, with members that our types do not know.
    async fn found(&self) -> Result<Vec<FoundObject>, kube::Error> {
        let api = |resource: ApiResource| Api::<DynamicObject>::all_with(self.client.clone(), &resource);
        let policies = api(ApiResource::erase::<ValidatingAdmissionPolicy>(&()));
        let bindings = api(ApiResource::erase::<ValidatingAdmissionPolicyBinding>(&()));
        let look = self.expected.iter().map(|guard| async {
            let api = if guard.kind == GuardKind::Policy { &policies } else { &bindings };
            let object = api.get_opt(&guard.name).await?;
            Ok::<_, kube::Error>(object.map(|object| FoundObject { kind: guard.kind, object: json!(object) }))
        });
        let found: Vec<Option<FoundObject>> = futures::future::try_join_all(look).await?;
        Ok(found.into_iter().flatten().collect())
    }
}

fn signed(duration: Duration) -> jiff::SignedDuration {
    jiff::SignedDuration::try_from(duration).unwrap_or(jiff::SignedDuration::MAX)
}

/// Looks regularly; where the state changes, every source is looked at again.
pub(super) async fn poll(cluster: Arc<Cluster>, changes: &Changes) {
    loop {
        let missing = matches!(cluster.ctx.guards(), GuardState::Missing(_));
        tokio::time::sleep(if missing { POLL_WHILE_MISSING } else { POLL }).await;
        if cluster.ctx.look_at_guards().await {
            for source in cluster.ctx.store.sources() {
                changes.source(&source);
            }
        }
    }
}
