//! Who may do what, by the roles of the chart and by what `view` and `edit` take over of them.

use crate::support::cluster::{OPERATIONS, Room};

#[tokio::test]
async fn each_role_may_what_it_says() {
    let room = Room::new("roles").await;
    let (datasets, sources) = ("analyticsdatasets.analytics.wow.dev/a", "analyticssources.analytics.wow.dev/a");
    for (user, verb, object, expected) in [
        ("viewer", "get", datasets, true),
        ("viewer", "watch", sources, true),
        ("viewer", "patch", datasets, false),
        ("editor", "create", sources, true),
        ("editor", "deletecollection", datasets, true),
        ("editor", "rollback", datasets, true),
        ("editor", "rollback", sources, false),
        ("editor", "approve", datasets, false),
        ("editor", "approve", sources, false),
        ("approver", "approve", datasets, true),
        ("approver", "approve", sources, true),
        ("approver", "patch", datasets, true),
        ("approver", "update", datasets, false),
        ("approver", "delete", datasets, false),
        ("approver", "rollback", datasets, false),
        ("operator", "approve", datasets, false),
        ("operator", "rollback", datasets, false),
        ("operator", "create", datasets, false),
        ("operator", "patch", datasets, true),
        ("operator", "delete", sources, true),
        ("operator", "get", "secrets", false),
        ("operator", "create", "controllerrevisions.apps", false),
        ("operator", "create", "events.events.k8s.io", true),
        ("operator", "list", "namespaces", false),
        ("operator", "get", "namespaces/kube-system", true),
        ("operator", "watch", "validatingadmissionpolicies.admissionregistration.k8s.io", true),
        ("operator", "update", "validatingadmissionpolicies.admissionregistration.k8s.io", false),
    ] {
        assert_eq!(can(&room, user, verb, object, "").await, expected, "{user} {verb} {object}");
    }
    for user in ["viewer", "editor", "approver"] {
        assert!(!can(&room, user, "patch", "analyticsdatasets.analytics.wow.dev", "status").await, "{user}");
    }
    assert!(can(&room, "operator", "patch", "analyticsdatasets.analytics.wow.dev", "status").await);
    let own = |object: &'static str| can_in(OPERATIONS, &room, "operator", object);
    assert!(own("create controllerrevisions.apps").await);
    assert!(own("update leases.coordination.k8s.io/catalog").await);
    assert!(!own("update leases.coordination.k8s.io/other").await);
    assert!(own("get secrets/clickhouse").await);
    assert!(!own("get secrets/other").await);
    assert!(!own("list secrets").await);
}

#[tokio::test]
async fn roles_bound_by_hand_hold_in_their_namespace() {
    let room = Room::new("roles-by-hand").await;
    for (user, role) in [("root-ish", "catalog-admin"), ("reader", "catalog-sidecar-reader")] {
        let name = format!("--clusterrole={role}");
        let subject = format!("--user={user}");
        let output = room.kubectl("admin", &["create", "rolebinding", user, &name, &subject], None).await;
        assert!(output.status.success());
    }
    for verb in ["get", "create", "update", "patch", "delete", "approve", "rollback"] {
        assert!(can(&room, "root-ish", verb, "analyticsdatasets.analytics.wow.dev/a", "").await, "{verb}");
    }
    assert!(!can(&room, "root-ish", "whatever", "analyticsdatasets.analytics.wow.dev/a", "").await);
    assert!(can(&room, "reader", "watch", "analyticsdatasets.analytics.wow.dev", "").await);
    assert!(!can(&room, "reader", "get", "analyticssources.analytics.wow.dev", "").await);
    assert!(!can_in("default", &room, "reader", "get analyticsdatasets.analytics.wow.dev").await);
}

async fn can(room: &Room, user: &str, verb: &str, object: &str, subresource: &str) -> bool {
    let subresource = format!("--subresource={subresource}");
    room.kubectl(user, &["auth", "can-i", verb, object, &subresource], None).await.status.success()
}

async fn can_in(namespace: &str, room: &Room, user: &str, what: &str) -> bool {
    let mut args = vec!["auth", "can-i", "--namespace", namespace];
    args.extend(what.split_whitespace());
    room.kubectl(user, &args, None).await.status.success()
}
