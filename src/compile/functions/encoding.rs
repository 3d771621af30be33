//! Functions of encodings, network addresses and URLs.

use super::Kind::{Text, TextConstant};
use super::ResultType::{Condition, Text as TEXT, Texts};
use super::{Function, function, growing, template};

pub(super) const TABLE: &[Function] = &[
    function(
        "hex",
        "The bytes of a text, two hexadecimal digits each.",
        ("hex('az')", "617A"),
        &[growing(2, &[Text], TEXT, "hex({0})")],
    )
    .any_case(),
    function(
        "base64Encode",
        "The bytes of a text in base 64.",
        ("base64Encode('hello')", "aGVsbG8="),
        &[growing(2, &[Text], TEXT, "base64Encode({0})")],
    ),
    function(
        "base64Decode",
        "The text of base 64; empty if it is none.",
        ("base64Decode('aGVsbG8=')", "hello"),
        &[template(&[Text], TEXT, "tryBase64Decode({0})")],
    ),
    function(
        "base64URLEncode",
        "The same as `base64Encode` with the alphabet of URLs.",
        ("base64URLEncode('a?>')", "YT8-"),
        &[growing(2, &[Text], TEXT, "base64URLEncode({0})")],
    ),
    function(
        "base64URLDecode",
        "The text of it; empty if it is none.",
        ("base64URLDecode('YT8-')", "a?>"),
        &[template(&[Text], TEXT, "tryBase64URLDecode({0})")],
    ),
    function(
        "encodeURLComponent",
        "The text as a part of a URL.",
        ("encodeURLComponent('a b')", "a%20b"),
        &[growing(3, &[Text], TEXT, "encodeURLComponent({0})")],
    ),
    function(
        "decodeURLComponent",
        "The text of a part of a URL.",
        ("decodeURLComponent('a%20b')", "a b"),
        &[template(&[Text], TEXT, "decodeURLComponent({0})")],
    ),
    function(
        "encodeURLFormComponent",
        "The text as a part of a form.",
        ("encodeURLFormComponent('a b')", "a+b"),
        &[growing(3, &[Text], TEXT, "encodeURLFormComponent({0})")],
    ),
    function(
        "decodeURLFormComponent",
        "The text of a part of a form.",
        ("decodeURLFormComponent('a+b')", "a b"),
        &[template(&[Text], TEXT, "decodeURLFormComponent({0})")],
    ),
    function(
        "domain",
        "The host of a URL.",
        ("domain('https://u:p@shop.example.com:81/a')", "shop.example.com"),
        &[template(&[Text], TEXT, "domainRFC({0})")],
    ),
    function(
        "domainWithoutWWW",
        "The host of a URL without `www.`.",
        ("domainWithoutWWW('https://www.example.com/a')", "example.com"),
        &[template(&[Text], TEXT, "domainWithoutWWWRFC({0})")],
    ),
    function(
        "topLevelDomain",
        "The last part of the host of a URL.",
        ("topLevelDomain('https://example.com/a')", "com"),
        &[template(&[Text], TEXT, "topLevelDomainRFC({0})")],
    ),
    function(
        "firstSignificantSubdomain",
        "The name before the public part of the host of a URL.",
        ("firstSignificantSubdomain('https://news.example.co.uk/a')", "example"),
        &[template(&[Text], TEXT, "firstSignificantSubdomainRFC({0})")],
    ),
    function(
        "cutToFirstSignificantSubdomain",
        "The same with the public part.",
        ("cutToFirstSignificantSubdomain('https://news.example.co.uk/a')", "example.co.uk"),
        &[template(&[Text], TEXT, "cutToFirstSignificantSubdomainRFC({0})")],
    ),
    function(
        "protocol",
        "The scheme of a URL.",
        ("protocol('https://example.com/a')", "https"),
        &[template(&[Text], TEXT, "protocol({0})")],
    ),
    function(
        "path",
        "The path of a URL.",
        ("path('https://example.com/a/b?c=1')", "/a/b"),
        &[template(&[Text], TEXT, "path({0})")],
    ),
    function(
        "pathFull",
        "The path of a URL with what follows.",
        ("pathFull('https://example.com/a?c=1#d')", "/a?c=1#d"),
        &[template(&[Text], TEXT, "pathFull({0})")],
    ),
    function(
        "queryString",
        "The parameters of a URL.",
        ("queryString('https://example.com/a?c=1#d')", "c=1"),
        &[template(&[Text], TEXT, "queryString({0})")],
    ),
    function(
        "fragment",
        "The fragment of a URL.",
        ("fragment('https://example.com/a#d')", "d"),
        &[template(&[Text], TEXT, "fragment({0})")],
    ),
    function(
        "cutQueryString",
        "A URL without parameters.",
        ("cutQueryString('https://example.com/a?c=1')", "https://example.com/a"),
        &[template(&[Text], TEXT, "cutQueryString({0})")],
    ),
    function(
        "cutFragment",
        "A URL without fragment.",
        ("cutFragment('https://example.com/a#d')", "https://example.com/a"),
        &[template(&[Text], TEXT, "cutFragment({0})")],
    ),
    function(
        "extractURLParameter",
        "The value of a parameter of a URL; empty if it is not there.",
        ("extractURLParameter('https://example.com/?a=1&b=2', 'b')", "2"),
        &[template(&[Text, TextConstant], TEXT, "extractURLParameter({0}, {1})")],
    ),
    function(
        "extractURLParameterNames",
        "The names of the parameters of a URL.",
        ("extractURLParameterNames('https://example.com/?a=1&b=2')", "['a','b']"),
        &[template(&[Text], Texts, "extractURLParameterNames({0})")],
    ),
    function(
        "isIPv4String",
        "Whether a text is an IPv4 address.",
        ("isIPv4String('192.0.2.1')", "1"),
        &[template(&[Text], Condition, "isIPv4String({0})")],
    ),
    function(
        "isIPv6String",
        "Whether a text is an IPv6 address.",
        ("isIPv6String('2001:db8::1')", "1"),
        &[template(&[Text], Condition, "isIPv6String({0})")],
    ),
];
