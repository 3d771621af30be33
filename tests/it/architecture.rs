//! The rules that keep the layers apart, read off the sources (`src/README.md` says why each holds).
//!
//! Only the code of the program counts: comments, the contents of texts, and unit tests are taken away first.

use std::collections::BTreeSet;

use crate::support::documents::rust_files;

/// What each module may name of the others; `module::Item` allows that item alone. `main.rs` may name everything.
const MAY_NAME: [(&str, &[&str]); 19] = [
    // Layer 0: words and values.
    ("api", &[]),
    ("canonical", &[]),
    ("spelling", &[]),
    ("sql", &[]),
    ("catalog", &["sql"]),
    // Layer 1: what is decided.
    ("compile", &["api", "canonical", "catalog", "spelling", "sql"]),
    ("plan", &["api", "canonical", "catalog", "compile", "sql"]),
    ("query", &["api", "spelling", "sql"]),
    // Layer 2: the edges of the world.
    ("telemetry", &[]),
    ("warehouse", &["catalog", "sql"]),
    (
        "configuration",
        &["api::interval", "catalog::Cluster", "plan::ApprovalMode", "query::Limits", "warehouse::Endpoint"],
    ),
    ("manifest", &["api", "compile"]),
    // Layer 3: the roles and commands.
    (
        "controller",
        &[
            "api",
            "canonical",
            "catalog",
            "compile",
            "configuration",
            "plan",
            "spelling",
            "sql",
            "telemetry",
            "warehouse",
        ],
    ),
    ("server", &["api", "canonical", "configuration", "query", "spelling", "sql", "telemetry", "warehouse"]),
    (
        "standalone",
        &[
            "api",
            "canonical",
            "catalog",
            "compile",
            "configuration",
            "controller",
            "manifest",
            "plan",
            "server",
            "sql",
            "telemetry",
            "warehouse",
        ],
    ),
    (
        "commands",
        &[
            "api",
            "canonical",
            "catalog",
            "compile",
            "configuration",
            "controller",
            "manifest",
            "plan",
            "server",
            "sql",
            "standalone",
            "telemetry",
            "warehouse",
        ],
    ),
    // On top.
    ("cli", &["telemetry"]),
    ("pipeline", &["cli", "commands", "compile", "configuration", "manifest", "roles"]),
    ("roles", &["cli", "configuration", "controller", "server", "standalone", "telemetry"]),
];

/// The layers that decide: what goes in decides what comes out.
const PURE: [&str; 8] = ["api", "canonical", "catalog", "compile", "plan", "query", "spelling", "sql"];

/// Files that write whole statements; everything else passes them on.
const WRITES_SQL: [&str; 6] =
    ["compile/render.rs", "plan/ddl.rs", "query/render.rs", "sql/", "standalone/setup.rs", "warehouse/"];

/// The most lines of code of a file, without blank lines, comments and unit tests.
const LONGEST_FILE: usize = 420;

/// Files that are too long today, and how long each may be. To be split; never to be added to.
const TOO_LONG_TODAY: [(&str, usize); 0] = [];

#[test]
fn a_module_names_only_modules_of_its_own_and_lower_layers() {
    let mut found = Vec::new();
    for source in sources() {
        let Some((_, allowed)) = MAY_NAME.iter().find(|(module, _)| *module == source.module) else {
            // `lib.rs` names the modules, `main.rs` starts them.
            if !["lib", "main"].contains(&source.module.as_str()) {
                found.push(format!("{}: the module `{}` has no row in MAY_NAME", source.path, source.module));
            }
            continue;
        };
        for path in source.crate_paths() {
            let module = path.split("::").next().unwrap_or_default();
            let holds = |rule: &&str| path == **rule || path.starts_with(&format!("{rule}::"));
            if module != source.module && !allowed.iter().any(holds) {
                found.push(format!("{}: `{}` must not name `{path}`", source.path, source.module));
            }
        }
        if let Some(line) = source.reaches_root_by_super() {
            found.push(format!("{}: write `crate::`, so that this test sees it: {line}", source.path));
        }
    }
    none(&found);
}

#[test]
fn the_pure_layers_wait_for_nothing() {
    refuse_in_pure(&["async", "await", "tokio", "futures", "std::thread", "std::sync"]);
}

#[test]
fn the_pure_layers_know_no_clock_and_no_chance() {
    refuse_in_pure(&[
        "now()",
        "SystemTime",
        "time::Instant",
        "new_v4",
        "now_v1",
        "now_v6",
        "now_v7",
        "rand",
        "RandomState",
    ]);
}

#[test]
fn the_pure_layers_read_no_environment_and_touch_no_file_or_network() {
    let world = [
        "std::env",
        "env::var",
        "std::fs",
        "std::io",
        "std::process",
        "TcpStream",
        "TcpListener",
        "UdpSocket",
        "reqwest",
        "axum",
    ];
    refuse_in_pure(&world);
    // Of kube they use what describes objects; what talks to an API server is the driver's.
    refuse_in_pure(&["kube::Client", "kube::Api", "kube::api", "kube::client", "kube::runtime", "prometheus_client"]);
}

#[test]
fn the_pure_layers_do_not_log() {
    refuse_in_pure(&["tracing", "log::", "print!", "println!", "eprint!", "eprintln!", "dbg!"]);
}

#[test]
fn only_the_warehouse_names_the_client_of_clickhouse() {
    let found = sources().into_iter().filter(|source| source.module != "warehouse");
    none(&found.filter_map(|source| source.first(&["clickhouse::", "clickhouse ::"])).collect::<Vec<_>>());
}

#[test]
fn statements_are_written_where_they_are_written_and_nowhere_else() {
    let found = sources().into_iter().filter(|source| !WRITES_SQL.iter().any(|place| source.path.starts_with(place)));
    none(&found.filter_map(|source| source.first(&["Sql::rendered"])).collect::<Vec<_>>());
}

#[test]
fn unsafe_code_stands_in_the_library_of_the_engine_alone() {
    let found = sources().into_iter().filter(|source| source.path != "standalone/engine/library.rs");
    none(&found.filter_map(|source| source.first(&["unsafe", "allow(unsafe_code)"])).collect::<Vec<_>>());
}

#[test]
fn files_stay_short_enough_to_be_read_at_once() {
    let mut found = Vec::new();
    for source in sources() {
        let exception = TOO_LONG_TODAY.iter().find(|(path, _)| *path == source.path);
        let (length, most) = (source.length(), exception.map_or(LONGEST_FILE, |(_, most)| *most));
        if length > most {
            found.push(format!("{}: {length} lines of code, more than {most}; split it", source.path));
        } else if exception.is_some() && length <= LONGEST_FILE {
            found.push(format!("{}: short enough now; take it out of TOO_LONG_TODAY", source.path));
        }
    }
    none(&found);
}

#[test]
fn every_file_says_first_what_it_knows() {
    let undocumented = |source: &Source| !source.is_test && source.path != "lib.rs" && !source.text.starts_with("//!");
    let found =
        sources().into_iter().filter(undocumented).map(|source| format!("{}: begins with no `//!`", source.path));
    none(&found.collect::<Vec<_>>());
}

#[test]
fn no_file_is_named_for_nothing() {
    let vague = ["common", "helper", "helpers", "manager", "misc", "util", "utils"];
    let parts = |path: &str| path.trim_end_matches(".rs").split('/').map(str::to_owned).collect::<Vec<_>>();
    let found =
        sources().into_iter().filter(|source| parts(&source.path).iter().any(|part| vague.contains(&part.as_str())));
    none(&found.map(|source| format!("{}: the name says nothing of what it knows", source.path)).collect::<Vec<_>>());
}

#[test]
fn the_entry_points_hold_no_logic() {
    let found = sources().into_iter().filter_map(|source| {
        let most = match source.path.as_str() {
            "lib.rs" => 30,
            "main.rs" => 60,
            _ => return None,
        };
        let length = source.text.lines().count();
        (length > most).then(|| format!("{}: {length} lines, more than {most}", source.path))
    });
    none(&found.collect::<Vec<_>>());
}

/// One file under `src`.
struct Source {
    path: String,
    /// The name of its outermost module.
    module: String,
    text: String,
    /// The text without comments, contents of texts and unit tests; lines stay where they are.
    code: String,
    /// Whether all of it is compiled for unit tests only.
    is_test: bool,
}

fn sources() -> Vec<Source> {
    let files = rust_files("src");
    let tests: BTreeSet<String> = files.iter().flat_map(|(path, text)| test_modules(path, text)).collect();
    let source = |(path, text): (String, String)| {
        let module = path.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned();
        let is_test = tests.contains(&path);
        let code = if is_test { String::new() } else { without_tests(&blanked(&text)) };
        Source { path, module, text, code, is_test }
    };
    files.into_iter().map(source).collect()
}

impl Source {
    /// The first place of any of the words, as a whole word.
    fn first(&self, words: &[&str]) -> Option<String> {
        let places = words.iter().filter_map(|word| Some((position_of(&self.code, word)?, *word)));
        let (position, word) = places.min()?;
        let line = self.code[..position].lines().count().max(1);
        Some(format!("{}:{line}: `{word}` does not belong here", self.path))
    }

    /// What the file names of this crate, as `module::Item`.
    fn crate_paths(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut rest = self.code.as_str();
        while let Some(position) = position_of(rest, "crate::") {
            rest = &rest[position + "crate::".len()..];
            match rest.strip_prefix('{') {
                None => found.push(path_at(rest)),
                Some(group) => found.extend(members(group)),
            }
        }
        found
    }

    /// A path of `super::` that is long enough to leave the outermost module.
    fn reaches_root_by_super(&self) -> Option<&str> {
        let folders = self.path.matches('/').count();
        let depth = if self.path.ends_with("/mod.rs") { folders } else { folders + 1 };
        self.code.lines().find(|line| line.contains(&"super::".repeat(depth)))
    }

    fn length(&self) -> usize {
        self.code.lines().filter(|line| !line.trim().is_empty()).count()
    }
}

fn refuse_in_pure(words: &[&str]) {
    let pure = sources().into_iter().filter(|source| PURE.contains(&source.module.as_str()));
    none(&pure.filter_map(|source| source.first(words)).collect::<Vec<_>>());
}

fn none(found: &[String]) {
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

/// The path that a text begins with.
fn path_at(text: &str) -> String {
    let end = text.find(|character: char| !(is_word(character) || character == ':')).unwrap_or(text.len());
    text[..end].trim_end_matches(':').to_owned()
}

/// The members of a group of `use`, whose brace is open already.
fn members(group: &str) -> Vec<String> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (position, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                found.push(path_at(group[start..position].trim_start()));
                start = position + 1;
                if character == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    found.into_iter().filter(|path| !path.is_empty()).collect()
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Where a word stands; where it begins and ends with a letter, no letter stands beside it.
fn position_of(code: &str, word: &str) -> Option<usize> {
    let edge = |at: Option<char>, beside: Option<char>| !(at.is_some_and(is_word) && beside.is_some_and(is_word));
    code.match_indices(word).map(|(position, _)| position).find(|&position| {
        let (before, after) = (&code[..position], &code[position + word.len()..]);
        edge(word.chars().next(), before.chars().next_back()) && edge(word.chars().next_back(), after.chars().next())
    })
}

/// The files of modules that stand under `#[cfg(test)]`.
fn test_modules(path: &str, text: &str) -> Vec<String> {
    let folder = match path.rsplit_once('/') {
        Some((folder, "mod.rs")) => format!("{folder}/"),
        None if ["lib.rs", "main.rs"].contains(&path) => String::new(),
        _ => format!("{}/", path.trim_end_matches(".rs")),
    };
    let declared = text.split("#[cfg(test)]").skip(1).filter_map(|after| after.trim_start().strip_prefix("mod "));
    declared
        .filter_map(|after| after.split_once(';'))
        .filter(|(name, _)| name.chars().all(is_word))
        .map(|(name, _)| format!("{folder}{name}.rs"))
        .collect()
}

/// The code without the unit tests at its end.
fn without_tests(code: &str) -> String {
    let tests = code.match_indices("#[cfg(test)]").find(|(position, marker)| {
        let item = code[position + marker.len()..].trim_start();
        item.starts_with("mod ") && item.find('{') < item.find(';')
    });
    tests.map_or(code, |(position, _)| &code[..position]).to_owned()
}

/// The text with blanks for comments and for the contents of texts and characters.
fn blanked(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    let mut code = String::with_capacity(text.len());
    let mut index = 0;
    while index < characters.len() {
        let end = match (at(index), at(index + 1)) {
            ('/', '/') => (index..characters.len()).find(|&end| at(end) == '\n').unwrap_or(characters.len()),
            ('/', '*') => end_after(&characters, index + 2, &['*', '/']),
            ('"', _) => end_of_text(&characters, index + 1),
            ('r', '"' | '#')
                if !index.checked_sub(1).is_some_and(|before| is_word(at(before)) && at(before) != 'b') =>
            {
                let hashes = (index + 1..).take_while(|&place| at(place) == '#').count();
                let mut closing = vec!['"'];
                closing.extend(std::iter::repeat_n('#', hashes));
                match at(index + 1 + hashes) {
                    '"' => end_after(&characters, index + 2 + hashes, &closing),
                    _ => index,
                }
            }
            ('\'', '\\') => end_after(&characters, index + 3, &['\'']),
            ('\'', _) if at(index + 2) == '\'' => index + 3,
            _ => index,
        };
        if end == index {
            code.push(at(index));
            index += 1;
        } else {
            code.extend(characters[index..end].iter().map(|character| if *character == '\n' { '\n' } else { ' ' }));
            index = end;
        }
    }
    code
}

fn end_after(characters: &[char], from: usize, closing: &[char]) -> usize {
    let found = (from..characters.len()).find(|&place| characters[place..].starts_with(closing));
    found.map_or(characters.len(), |place| place + closing.len())
}

fn end_of_text(characters: &[char], from: usize) -> usize {
    let mut index = from;
    while index < characters.len() && characters[index] != '"' {
        index += if characters[index] == '\\' { 2 } else { 1 };
    }
    (index + 1).min(characters.len())
}

#[test]
fn the_reader_of_the_sources_sees_code_alone() {
    let text = "a // now()\nlet b = \"tokio \\\" x\"; /* rand */ let c = r#\"std::fs\"#; let d = '\"'; 'x: loop {}\n#[cfg(test)]\nmod tests { use tokio; }";
    let code = without_tests(&blanked(text));
    for word in ["now()", "tokio", "rand", "std::fs"] {
        assert_eq!(position_of(&code, word), None, "{word} is seen in {code}");
    }
    assert!(code.contains("'x: loop"), "{code}");
    assert_eq!(position_of("run(now_or_never)", "now"), None);
    assert_eq!(members("api, compile::{self, Code}, plan}"), ["api", "compile", "plan"]);
    assert_eq!(test_modules("compile/mod.rs", "#[cfg(test)]\nmod cases;"), ["compile/cases.rs"]);
}
