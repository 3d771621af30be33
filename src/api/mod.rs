//! Layer 0: the Kubernetes contract. Types and words of the group `analytics.wow.dev`, no behaviour.
//!
//! Knows nothing of ClickHouse, of the compiler or of the servers. What stands here is what people write
//! (`spec`), what the operator answers (`status`) and what the query server reads (`status.published`).

pub mod annotation;
pub mod condition;
pub mod dataset;
pub mod definition;
pub mod interval;
pub mod materialization;
pub mod measure;
pub mod pending;
pub mod record;
pub mod sensitivity;
pub mod source;

pub use condition::Reason;
pub use dataset::{AnalyticsDataset, AnalyticsDatasetSpec, AnalyticsDatasetStatus};
pub use definition::Definition;
pub use record::PublicationRecord;
pub use sensitivity::{Level, Mask, Sensitivity};
pub use source::{AnalyticsSource, AnalyticsSourceSpec, AnalyticsSourceStatus};

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;

/// The API group of both kinds (design 3).
pub const GROUP: &str = "analytics.wow.dev";
/// The one served and stored version (design 3).
pub const VERSION: &str = "v1alpha1";
/// The finalizer that lets a deleted dataset be unpublished first (Kubernetes notes 3); bounded in time.
pub const FINALIZER: &str = "analytics.wow.dev/unpublish";

/// Both CRDs, as committed in `crds/`, each with the name of its file.
pub fn custom_resource_definitions() -> Vec<(&'static str, CustomResourceDefinition)> {
    vec![
        ("analyticssources.yaml", with_known_formats(AnalyticsSource::crd())),
        ("analyticsdatasets.yaml", with_known_formats(AnalyticsDataset::crd())),
    ]
}

/// The API server warns at every apply of formats that it does not know, and it knows no unsigned integers. That they
/// are not negative stands in `minimum`.
fn with_known_formats(definition: CustomResourceDefinition) -> CustomResourceDefinition {
    fn replace(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(members) => {
                for (name, member) in members {
                    match member.as_str() {
                        Some("uint32" | "uint64") if name == "format" => *member = "int64".into(),
                        _ => replace(member),
                    }
                }
            }
            serde_json::Value::Array(items) => items.iter_mut().for_each(replace),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(definition).expect("a CRD is JSON");
    replace(&mut value);
    serde_json::from_value(value).expect("only texts were replaced")
}
