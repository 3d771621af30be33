//! Who is asking: the scope that the path and the headers state (design 6.4, query-language 8). Headers are data, not
//! proof: the server listens on the pod's loopback, so that only the application beside it can state them.

use axum::http::{HeaderMap, header};

use super::problem::Problem;
use crate::query::Scope;

/// The header that states the tenant.
pub(super) const TENANT_HEADER: &str = "command-tenant-id";
/// The header that states the owner.
pub(super) const OWNER_HEADER: &str = "command-owner-id";
/// The header that states the space.
pub(super) const SPACE_HEADER: &str = "wow-space-id";

/// The longest scope: a URL holds 65,534 bytes, of which other settings need a few hundred.
const LONGEST_STATED: usize = 60_000;

/// The scope that a path states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PathScope {
    pub tenant: Option<String>,
    pub owner: Option<String>,
}

/// The scope of a request.
pub(super) fn scope(path: &PathScope, headers: &HeaderMap) -> Result<Scope, Problem> {
    let scope = Scope {
        tenant: part(path.tenant.as_deref(), TENANT_HEADER, headers)?,
        owner: part(path.owner.as_deref(), OWNER_HEADER, headers)?,
        space: part(None, SPACE_HEADER, headers)?,
    };
    let parts = [&scope.tenant, &scope.owner, &scope.space];
    match parts.into_iter().flatten().map(|part| stated_length(part)).sum::<usize>() {
        length if length > LONGEST_STATED => Err(Problem::bad_request("The scope is too long.")),
        _ => Ok(scope),
    }
}

/// How long a part becomes where it is stated to the view: as JSON in a URL.
fn stated_length(part: &str) -> usize {
    let length = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b' ' => 1,
        b'"' | b'\\' => 6,
        0x20.. => 3,
        _ => 8,
    };
    part.bytes().map(length).sum()
}

/// One part: the path counts; a header beside it must say the same. A blank header is an absent one.
fn part(path: Option<&str>, name: &str, headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let header = single(name, headers)?;
    match (path, header) {
        (Some(path), _) if path.trim().is_empty() => {
            Err(Problem::bad_request("A part of the scope in the path is blank."))
        }
        (Some(path), Some(header)) if header != path => {
            Err(Problem::bad_request(format!("The header `{name}` contradicts the path.")))
        }
        (Some(path), _) => Ok(Some(path.to_owned())),
        (None, header) => Ok(header),
    }
}

fn single(name: &str, headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut values = headers.get_all(name).iter();
    let (first, second) = (values.next(), values.next());
    if second.is_some() {
        return Err(Problem::bad_request(format!("The header `{name}` is given twice.")));
    }
    let Some(first) = first else { return Ok(None) };
    let text = std::str::from_utf8(first.as_bytes())
        .map_err(|_| Problem::bad_request(format!("The header `{name}` is not UTF-8.")))?;
    // Only what HTTP allows around a value is no part of it: a name may end with any other kind of space.
    let text = text.trim_matches([' ', '\t']);
    Ok((!text.trim().is_empty()).then(|| text.to_owned()))
}

/// Whether the request was sent to this server and not, through a browser's rebinding, to another name.
pub(super) fn check_host(headers: &HeaderMap, allowed: &[String]) -> Result<(), Problem> {
    let host = single("host", headers)?.ok_or_else(Problem::host_not_allowed)?;
    let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, port)) => (name, port),
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let port_is_one = port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    if !port_is_one {
        return Err(Problem::host_not_allowed());
    }
    let known = ["localhost", "127.0.0.1", "::1"].iter().any(|known| name.eq_ignore_ascii_case(known));
    match known || allowed.iter().any(|allowed| name.eq_ignore_ascii_case(allowed)) {
        true => Ok(()),
        false => Err(Problem::host_not_allowed()),
    }
}

/// Whether the body is plain JSON: a form of a foreign page cannot state that type without asking first.
pub(super) fn check_content(headers: &HeaderMap) -> Result<(), Problem> {
    let content_type = single("content-type", headers)?.unwrap_or_default();
    let media = content_type.split(';').next().unwrap_or_default().trim();
    if !media.eq_ignore_ascii_case("application/json") {
        return Err(Problem::unsupported_media("The body must be sent as application/json."));
    }
    match headers.get(header::CONTENT_ENCODING).map(|encoding| encoding.as_bytes()) {
        None | Some(b"identity") => Ok(()),
        Some(_) => Err(Problem::unsupported_media("A compressed body is not read.")),
    }
}

/// Whether the caller takes JSON, the one thing that is answered (query-language 1.10). Of the ranges that cover it the most
/// specific one decides; without the header anything is taken.
pub(super) fn check_accept(headers: &HeaderMap) -> Result<(), Problem> {
    let texts: Vec<&str> = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok()).collect();
    let ranges = texts.iter().flat_map(|text| text.split(',')).map(str::trim).filter(|range| !range.is_empty());
    let (mut stated, mut best) = (false, None);
    for range in ranges {
        stated = true;
        let mut parts = range.split(';').map(str::trim);
        let specific = match parts.next().unwrap_or_default().to_ascii_lowercase().as_str() {
            "application/json" => 4,
            "application/*+json" => 3,
            "application/*" => 2,
            "*/*" | "*" => 1,
            _ => continue,
        };
        let quality = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        let taken = quality.is_none_or(|quality| quality.trim().parse::<f32>().is_ok_and(|quality| quality > 0.0));
        best = best.max(Some((specific, taken)));
    }
    match best {
        Some((_, true)) => Ok(()),
        None if !stated => Ok(()),
        _ => Err(Problem::not_acceptable()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, axum::http::HeaderValue::from_bytes(value.as_bytes()).expect("a header value"));
        }
        headers
    }

    #[test]
    fn the_path_counts_and_a_contradiction_is_refused() {
        let path = PathScope { tenant: Some("t1".into()), owner: None };
        assert_eq!(scope(&path, &headers(&[])).map(|scope| scope.tenant), Ok(Some("t1".into())));
        assert!(scope(&path, &headers(&[(TENANT_HEADER, "t2")])).is_err());
        assert!(scope(&PathScope { tenant: Some(" ".into()), owner: None }, &headers(&[])).is_err());
    }

    #[test]
    fn a_blank_header_is_an_absent_one_and_two_are_refused() {
        let none = PathScope::default();
        assert_eq!(scope(&none, &headers(&[(TENANT_HEADER, "  ")])).map(|scope| scope.tenant), Ok(None));
        assert!(scope(&none, &headers(&[(TENANT_HEADER, "t1"), (TENANT_HEADER, "t1")])).is_err());
    }

    #[test]
    fn a_name_keeps_the_spaces_that_are_part_of_it() {
        let tenant = |value: &str| scope(&PathScope::default(), &headers(&[(TENANT_HEADER, value)]));
        assert_eq!(tenant("acme\u{a0}").map(|scope| scope.tenant), Ok(Some("acme\u{a0}".into())));
        assert_eq!(tenant(" \u{a0}").map(|scope| scope.tenant), Ok(None));
    }

    #[test]
    fn a_scope_that_no_statement_can_carry_is_refused() {
        let path = |tenant: String| PathScope { tenant: Some(tenant), owner: None };
        assert!(scope(&path("x".repeat(10_000)), &headers(&[])).is_ok());
        assert!(scope(&path("\u{1}".repeat(10_000)), &headers(&[])).is_err());
    }

    #[test]
    fn only_names_of_this_server_are_hosts() {
        for host in ["localhost:8080", "127.0.0.1", "[::1]:8080", "LOCALHOST"] {
            assert!(check_host(&headers(&[("host", host)]), &[]).is_ok(), "{host}");
        }
        for host in ["evil.example:8080", "[::1].evil.example", "localhost:80@evil.example", "localhost:", "::1"] {
            assert!(check_host(&headers(&[("host", host)]), &[]).is_err(), "{host}");
        }
        assert!(check_host(&headers(&[("host", "queries.shop")]), &["queries.shop".into()]).is_ok());
        assert!(check_host(&headers(&[]), &[]).is_err());
    }
    #[test]
    fn whoever_takes_no_json_is_told_so() {
        let accepts = |texts: &[&str]| {
            let pairs: Vec<_> = texts.iter().map(|text| ("accept", *text)).collect();
            check_accept(&headers(&pairs)).is_ok()
        };
        for taken in [
            &[][..],
            &[""],
            &["application/json"],
            &["Application/JSON; charset=utf-8"],
            &["text/event-stream, application/json;q=0.5"],
            &["text/event-stream", "*/*;q=0.1"],
            &["application/*"],
            &["application/*+json"],
            &["text/html, *; q=.2"],
            &["*/*;q=0, application/json"],
        ] {
            assert!(accepts(taken), "{taken:?}");
        }
        for refused in [
            &["text/event-stream"][..],
            &["text/html", "application/xml"],
            &["application/json;q=0"],
            &["application/json;q=0, */*"],
            &["application/json;q=0.0, application/*;q=1"],
            &["json"],
        ] {
            assert!(!accepts(refused), "{refused:?}");
        }
    }
}
