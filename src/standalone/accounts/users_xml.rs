//! Renders accounts as ClickHouse's `users.xml`. Pure.

use std::fmt::Write;

use super::{Account, SettingRule};

/// Whether the ClickHouse is a `clickhouse-local` that opens its own session as `default`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalSession {
    /// A server: nobody is called `default`.
    None,
    /// The packaged engine: its own statements (so many of them) run as `default`.
    Statements(u32),
}

/// The text of `users.xml`: only these accounts exist, and they connect from loopback only.
pub fn render_users_xml(accounts: &[Account], session: LocalSession) -> String {
    let mut xml = String::from("<clickhouse>\n    <profiles>\n        <default/>\n");
    for account in accounts {
        push_profile(&mut xml, account);
    }
    xml.push_str("    </profiles>\n    <quotas>\n        <default/>\n");
    if let LocalSession::Statements(statements) = session {
        push_session_quota(&mut xml, statements);
    }
    xml.push_str("    </quotas>\n    <users>\n");
    if session != LocalSession::None {
        push_session_user(&mut xml);
    }
    for account in accounts {
        push_user(&mut xml, account);
    }
    xml.push_str("    </users>\n</clickhouse>\n");
    xml
}

// The engine cannot run without a passwordless `default`, which HTTP would accept as well. So it
// has no grant but the one to listen, and a quota that its own statements use up: every further
// statement of `default` that touches anything but constants is refused. What remains: any process
// on this machine can evaluate constants, `file('…')` among them. It is an engine for trying things.
fn push_session_quota(xml: &mut String, statements: u32) {
    line(xml, 2, "<session>");
    // ClickHouse counts in windows since 1970; this one ends in 2033.
    let interval = format!("<interval><duration>2000000000</duration><queries>{statements}</queries></interval>");
    line(xml, 3, &interval);
    line(xml, 2, "</session>");
}

fn push_session_user(xml: &mut String) {
    line(xml, 2, "<default>");
    line(xml, 3, "<no_password/>");
    line(xml, 3, "<networks><ip>127.0.0.1</ip></networks>");
    line(xml, 3, "<profile>default</profile>");
    line(xml, 3, "<quota>session</quota>");
    line(xml, 3, "<grants><query>GRANT SYSTEM LISTEN ON *.*</query></grants>");
    line(xml, 2, "</default>");
}

fn push_profile(xml: &mut String, account: &Account) {
    line(xml, 2, &format!("<{}>", account.name));
    for setting in &account.settings {
        if let Some(value) = &setting.value {
            let name = &setting.name;
            line(xml, 3, &format!("<{name}>{}</{name}>", escaped(value)));
        }
    }
    line(xml, 3, "<constraints>");
    for setting in &account.settings {
        let name = &setting.name;
        let constraint = match &setting.rule {
            SettingRule::Unconstrained => continue,
            SettingRule::Constant => "<const/>".to_owned(),
            SettingRule::Changeable => "<changeable_in_readonly/>".to_owned(),
            SettingRule::Between { min, max } => {
                format!("<min>{min}</min><max>{max}</max><changeable_in_readonly/>")
            }
        };
        line(xml, 4, &format!("<{name}>{constraint}</{name}>"));
    }
    line(xml, 3, "</constraints>");
    line(xml, 2, &format!("</{}>", account.name));
}

fn push_user(xml: &mut String, account: &Account) {
    let name = &account.name;
    line(xml, 2, &format!("<{name}>"));
    let hash = &account.password_sha256;
    line(xml, 3, &format!("<password_sha256_hex>{hash}</password_sha256_hex>"));
    line(xml, 3, "<networks><ip>127.0.0.1</ip><ip>::1</ip></networks>");
    line(xml, 3, &format!("<profile>{name}</profile>"));
    line(xml, 3, "<quota>default</quota>");
    line(xml, 3, "<grants>");
    for grant in &account.grants {
        line(xml, 4, &format!("<query>{}</query>", escaped(grant)));
    }
    line(xml, 3, "</grants>");
    line(xml, 2, &format!("</{name}>"));
}

fn line(xml: &mut String, depth: usize, text: &str) {
    let indent = depth * 4;
    writeln!(xml, "{:indent$}{text}", "").expect("writing to a String cannot fail");
}

/// A text as it stands between two XML tags.
pub(in crate::standalone) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::super::{GrantScope, Limit, ProfileSetting};
    use super::*;

    #[test]
    fn an_account_is_rendered_with_its_profile_and_grants() {
        let account = Account::new("reader", "secret")
            .with_setting(ProfileSetting::constant("readonly", 1))
            .with_setting(ProfileSetting::changeable("log_comment"))
            .with_setting(ProfileSetting::limited("max_execution_time", Limit { value: 30, max: 600 }))
            .with_grant("SELECT", GrantScope::database("a<b"));
        let xml = render_users_xml(&[account], LocalSession::None);
        let expected = "<clickhouse>
    <profiles>
        <default/>
        <reader>
            <readonly>1</readonly>
            <max_execution_time>30</max_execution_time>
            <constraints>
                <readonly><const/></readonly>
                <log_comment><changeable_in_readonly/></log_comment>
                <max_execution_time><min>1</min><max>600</max><changeable_in_readonly/></max_execution_time>
            </constraints>
        </reader>
    </profiles>
    <quotas>
        <default/>
    </quotas>
    <users>
        <reader>
            <password_sha256_hex>2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b</password_sha256_hex>
            <networks><ip>127.0.0.1</ip><ip>::1</ip></networks>
            <profile>reader</profile>
            <quota>default</quota>
            <grants>
                <query>GRANT SELECT ON `a&lt;b`.*</query>
            </grants>
        </reader>
    </users>
</clickhouse>
";
        assert_eq!(xml, expected);
    }

    #[test]
    fn the_session_of_the_packaged_engine_may_only_listen() {
        let xml = render_users_xml(&[], LocalSession::Statements(3));
        assert!(xml.contains("<queries>3</queries>"), "{xml}");
        assert!(xml.contains("<quota>session</quota>"), "{xml}");
        assert_eq!(xml.matches("<query>").count(), 1, "{xml}");
        assert!(!render_users_xml(&[], LocalSession::None).contains("no_password"));
    }
}
