//! What `docs/` and `examples/` show, done: each query of `docs/queries.md` on the demo, each object of
//! `examples/kubernetes/` by the API server.
//!
//! A `sh` block of `docs/queries.md` that asks is followed by its answer: a `json` block, or a `text` block that begins
//! with the status where it is not 200. `WRITE_GENERATED=1` writes what the server answered.

use reqwest::{Client, Method};
use serde_json::Value;

use crate::support::clickhouse::{clickhouse, examples};
use crate::support::cluster::{OPERATIONS, Room, allowed, chart, plane};
use crate::support::documents::{as_generated, blocks, committed, rewritten};
use crate::support::standalone::Standalone;

const PAGE: &str = "docs/queries.md";
/// The command that most examples are short for.
const SHORT: &str = "\
ask() {
  curl -s \"http://127.0.0.1:8080/wow/dataset/shop/orders/$1\" \\
    -H 'Command-Tenant-Id: acme' -H 'Content-Type: application/json' -d \"$2\"
}
";

#[tokio::test]
async fn the_queries_of_the_page_have_the_answers_of_the_page() {
    let ground = clickhouse().await.ground().await;
    ground.load_examples().await;
    let read = |name: &str| std::fs::read_to_string(examples().join("catalog").join(name)).expect("an example");
    let objects = format!("{}\n---\n{}", read("sources.yaml"), read("orders.yaml"));
    let standalone = Standalone::start(&ground, &objects, |_| {}).await;
    let page = committed(PAGE);
    let blocks = blocks(&page);
    assert_eq!(blocks.iter().filter(|block| block.text == SHORT).count(), 1, "the page says what `ask` is");
    let mut answers = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        if block.language != "sh" || block.text == SHORT {
            continue;
        }
        let Some(answer) = blocks.get(index + 1).filter(|next| next.follows && next.language != "sh") else {
            panic!("{PAGE} shows no answer to\n{}", block.text)
        };
        let said = ask(&standalone.url, &block.text).await;
        // Texts of refusals may change without the page; codes and rows may not.
        let meant = without_texts(&said);
        let only_worded_otherwise = meant.is_some() && meant == without_texts(&answer.text);
        answers.push((answer, if only_worded_otherwise { answer.text.clone() } else { said }));
    }
    assert!(answers.len() > 15, "{} queries", answers.len());
    as_generated(PAGE, &rewritten(&page, &answers));
}

/// Sends what a block asks for, and gives the answer as the page shows it.
async fn ask(url: &str, command: &str) -> String {
    let words = words(command);
    let asked = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ask", route, body] => Asked {
            url: format!("http://127.0.0.1:8080/wow/dataset/shop/orders/{route}"),
            headers: vec!["Command-Tenant-Id: acme".to_owned(), "Content-Type: application/json".to_owned()],
            body: body.to_owned(),
        },
        ["curl", "-s", ref rest @ ..] => Asked::of_curl(rest),
        _ => panic!("a block asks one thing, by `curl -s` or `ask`:\n{command}"),
    };
    let url = asked.url.replace("http://127.0.0.1:8080", url);
    let mut request = Client::new().request(Method::POST, url).body(asked.body);
    for header in &asked.headers {
        let (name, value) = header.split_once(':').expect("a header");
        // curl sends no header of an empty value.
        if !value.trim().is_empty() {
            request = request.header(name, value.trim());
        }
    }
    let answer = request.send().await.expect("the server answers");
    let status = answer.status().as_u16();
    let text = answer.text().await.expect("the body is whole");
    let text = text.replace("[{", "[\n  {").replace("},{", "},\n  {").replace("}]", "}\n]");
    if status == 200 { format!("{text}\n") } else { format!("{status} {text}\n") }
}

/// An answer without the texts for people, if it is a refusal.
fn without_texts(answer: &str) -> Option<(&str, Value)> {
    let (status, body) = answer.split_once(" {")?;
    let mut body: Value = serde_json::from_str(&format!("{{{body}")).ok()?;
    body.as_object_mut()?.remove("errorMsg")?;
    for error in body.get_mut("bindingErrors").and_then(Value::as_array_mut).into_iter().flatten() {
        error.as_object_mut()?.remove("msg");
    }
    Some((status, body))
}

struct Asked {
    url: String,
    headers: Vec<String>,
    body: String,
}

impl Asked {
    fn of_curl(words: &[&str]) -> Self {
        let mut asked = Self { url: String::new(), headers: Vec::new(), body: String::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || (*words.next().expect("an option has a value")).to_owned();
            match *word {
                "-H" => asked.headers.push(value()),
                "-d" => asked.body = value(),
                option if option.starts_with('-') => panic!("the option {option} is not known here"),
                url => asked.url = url.to_owned(),
            }
        }
        asked
    }
}

/// The words of a command, as a shell splits it: quotes, and line breaks after a backslash.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote): (Vec<String>, Option<String>, Option<char>) = (Vec::new(), None, None);
    for character in command.replace("\\\n", " ").chars() {
        match (quote, character) {
            (Some(open), character) if character == open => quote = None,
            (Some(_), character) => word.get_or_insert_default().push(character),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, character) if character.is_whitespace() => words.extend(word.take()),
            (None, character) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[tokio::test]
async fn the_api_server_takes_the_example_of_a_sidecar() {
    let room = Room::new("examples-sidecar").await;
    let text = committed("examples/kubernetes/sidecar.yaml").replace("namespace: shop", "namespace: examples-sidecar");
    let output =
        room.kubectl("admin", &["apply", "--dry-run=server", "--validate=strict", "-f", "-"], Some(&text)).await;
    let said = allowed(&output);
    assert_eq!(said.lines().count(), 4, "{said}");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn the_chart_takes_the_example_of_its_values() {
    let (chart, values) = (chart(), examples().join("kubernetes/values.yaml"));
    let [chart, values] = [&chart, &values].map(|path| path.to_str().expect("a readable name"));
    let args = ["template", "catalog", chart, "--namespace", OPERATIONS, "--kube-version", "1.33.0", "-f", values];
    let text = allowed(&plane().await.helm("admin", &args).await);
    for line in ["      default:", "        user: catalog", "            secretName: clickhouse"] {
        assert!(text.lines().any(|written| written == line), "{line} is not in\n{text}");
    }
}
