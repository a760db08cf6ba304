//! What the rules remember is bounded: each table is driven over its cap, what was given up is counted under its name, and
//! what depends on it is not judged rather than judged wrongly.

use std::collections::BTreeSet;

use mcp_trace::rules::example::{lines, transcript};

use super::judged::judge_counted;

/// A session that asks for more room than a table has.
struct Case {
    /// What is too much.
    what: &'static str,
    /// The session, in the notation of the examples.
    session: fn() -> String,
    /// The tables and how often something is given up; what is asked for twice counts twice.
    lost: &'static [(&'static str, u64)],
    /// Rules that would have findings if what was given up were taken for what never was.
    silent: &'static [&'static str],
}

const INIT: &str = "@init 2025-11-25 \
    {\"elicitation\":{\"form\":{},\"url\":{}}} \
    {\"tools\":{},\"prompts\":{},\"resources\":{\"subscribe\":true},\"tasks\":{\"list\":{},\"requests\":{\"tools\":{\"call\":{}}}}}\n";

/// Lines, `#` in them standing for a number: from 1 on, so many.
fn many(count: usize, template: &str) -> String {
    (1..=count).map(|number| template.replace('#', &number.to_string()) + "\n").collect()
}

/// A list in one line, `#` as above.
fn list(count: usize, template: &str) -> String {
    (1..=count).map(|number| template.replace('#', &number.to_string())).collect::<Vec<_>>().join(",")
}

fn tools(count: usize, template: &str) -> String {
    let tools = list(count, template);
    format!(
        "{INIT}C> {{\"id\":\"list\",\"method\":\"tools/list\"}}\nS> {{\"id\":\"list\",\"result\":{{\"tools\":[{tools}]}}}}\n"
    )
}

const CASES: &[Case] = &[
    Case {
        what: "open requests and used ids",
        session: || {
            INIT.to_owned() + &many(65_540, r##"C> {"id":"r#","method":"ping"}"##) + r##"S> {"id":"r1","result":{}}"##
        },
        lost: &[("rule-ids", 4), ("rule-requests", 4)],
        silent: &["duplicate-request-id", "response-wrong-side"],
    },
    Case {
        what: "params of one request",
        session: || {
            format!(
                "{INIT}S> {{\"id\":1,\"method\":\"elicitation/create\",\"params\":{{\"message\":\"⟨70000⟩\",\"requestedSchema\":\
                 {{\"type\":\"object\",\"properties\":{{\"age\":{{\"type\":\"integer\"}}}}}}}}}}\n\
                 C> {{\"id\":1,\"result\":{{\"action\":\"accept\",\"content\":{{\"age\":\"old\"}}}}}}"
            )
        },
        lost: &[("rule-params", 1)],
        silent: &["elicitation-content-mismatch"],
    },
    Case {
        // 257 of them fill the 16 MiB.
        what: "params of all requests together",
        session: || {
            let ask = "S> {\"id\":#,\"method\":\"elicitation/create\",\"params\":{\"message\":\"⟨65000⟩\",\"requestedSchema\":\
                       {\"type\":\"object\",\"properties\":{\"age\":{\"type\":\"integer\"}}}}}";
            let answer = "C> {\"id\":260,\"result\":{\"action\":\"accept\",\"content\":{\"age\":\"old\"}}}";
            INIT.to_owned() + &many(260, ask) + answer
        },
        lost: &[("rule-params", 3)],
        silent: &["elicitation-content-mismatch"],
    },
    Case {
        what: "tools of a list, and their definitions",
        session: || {
            tools(4_100, r##"{"name":"t#","inputSchema":{"type":"object"}}"##)
                + r##"C> {"id":"call","method":"tools/call","params":{"name":"t4099"}}"##
        },
        lost: &[("rule-definitions", 4), ("rule-tools", 8)],
        silent: &["tools-call-unlisted-tool", "tool-definition-changed", "tool-order-unstable"],
    },
    Case {
        what: "calls with arguments that do not fit",
        session: || {
            tools(1, r##"{"name":"t#","inputSchema":{"type":"object","required":["a"]}}"##)
                + &many(257, r##"C> {"id":#,"method":"tools/call","params":{"name":"t1"}}"##)
                + r##"S> {"id":1,"result":{"content":[]}}"##
        },
        lost: &[("rule-tools", 1)],
        silent: &["tool-invalid-arguments-accepted"],
    },
    Case {
        what: "one schema",
        session: || {
            tools(1, r##"{"name":"t#","inputSchema":{"type":"object","description":"⟨270000⟩","required":["a"]}}"##)
                + r##"C> {"id":"call","method":"tools/call","params":{"name":"t1"}}"##
        },
        lost: &[("rule-schemas", 2)],
        silent: &["tool-arguments-mismatch", "tools-call-unlisted-tool"],
    },
    Case {
        what: "all schemas together",
        session: || {
            let tool = r##"{"name":"t#","inputSchema":{"type":"object","title":"#","description":"⟨260000⟩","required":["a"]}}"##;
            tools(36, tool) + r##"C> {"id":"call","method":"tools/call","params":{"name":"t36"}}"##
        },
        lost: &[("rule-schemas", 4)],
        silent: &["tool-arguments-mismatch", "tools-call-unlisted-tool"],
    },
    Case {
        what: "prompts of a list",
        session: || {
            let prompts = list(4_100, r##"{"name":"p#"}"##);
            format!(
                "{INIT}C> {{\"id\":\"list\",\"method\":\"prompts/list\"}}\nS> {{\"id\":\"list\",\"result\":{{\"prompts\":[{prompts}]}}}}\n\
                 C> {{\"id\":\"get\",\"method\":\"prompts/get\",\"params\":{{\"name\":\"p4099\"}}}}"
            )
        },
        lost: &[("rule-prompts", 4)],
        silent: &["prompt-unlisted"],
    },
    Case {
        what: "prompts that are asked for without an argument",
        session: || {
            INIT.to_owned()
                + r##"C> {"id":"list","method":"prompts/list"}"##
                + "\n"
                + r##"S> {"id":"list","result":{"prompts":[{"name":"p","arguments":[{"name":"a","required":true}]}]}}"##
                + "\n"
                + &many(257, r##"C> {"id":#,"method":"prompts/get","params":{"name":"p"}}"##)
        },
        lost: &[("rule-prompts", 1)],
        silent: &[],
    },
    Case {
        what: "required arguments of a prompt",
        session: || {
            let arguments = list(66, r##"{"name":"a#","required":true}"##);
            let given = list(64, r##""a#":"x""##);
            format!(
                "{INIT}C> {{\"id\":\"list\",\"method\":\"prompts/list\"}}\n\
                 S> {{\"id\":\"list\",\"result\":{{\"prompts\":[{{\"name\":\"p\",\"arguments\":[{arguments}]}}]}}}}\n\
                 C> {{\"id\":\"get\",\"method\":\"prompts/get\",\"params\":{{\"name\":\"p\",\"arguments\":{{{given}}}}}}}"
            )
        },
        lost: &[("rule-prompts", 2)],
        silent: &["prompt-missing-argument"],
    },
    Case {
        what: "a value for a schema",
        session: || {
            tools(1, r##"{"name":"t#","inputSchema":{"type":"object","required":["a"]}}"##)
                + r##"C> {"id":"call","method":"tools/call","params":{"name":"t1","arguments":{"b":"⟨1100000⟩"}}}"##
        },
        lost: &[("rule-schemas", 2)],
        silent: &["tool-arguments-mismatch"],
    },
    Case {
        what: "versions that a server supports, in its list and in the memory of it",
        session: || {
            let versions = list(34, r##""2026-07-#""##);
            format!(
                "C> {{\"id\":1,\"method\":\"server/discover\",\"params\":{{\"_meta\":{{\"$M\":\"\"}}}}}}\n\
                 S> {{\"id\":1,\"result\":{{\"resultType\":\"complete\",\"supportedVersions\":[{versions}],\"capabilities\":{{}},\"ttlMs\":1,\"cacheScope\":\"private\"}}}}"
            )
        },
        lost: &[("rule-stateless", 2), ("rule-versions", 2)],
        silent: &[],
    },
    Case {
        what: "requests of one exchange",
        session: || format!("C[{{}}]> [{}]", list(66, r##"{"jsonrpc":"2.0","id":#,"method":"ping"}"##)),
        lost: &[("rule-exchanges", 2)],
        silent: &[],
    },
    Case {
        what: "annotated parameters of one tool",
        session: || {
            let properties = list(34, r##""a#":{"type":"string","x-mcp-header":"A#"}"##);
            format!(
                "C[{{}}]> {{\"id\":1,\"method\":\"tools/list\",\"params\":{{\"_meta\":{{\"$M\":\"\"}}}}}}\n\
                 S[{{}}]> {{\"id\":1,\"result\":{{\"resultType\":\"complete\",\"tools\":[{{\"name\":\"t\",\"inputSchema\":{{\"type\":\"object\",\"properties\":{{{properties}}}}}}}],\"ttlMs\":1,\"cacheScope\":\"private\"}}}}"
            )
        },
        lost: &[("rule-header-params", 2)],
        silent: &[],
    },
    Case {
        what: "input requests of one result",
        session: || {
            let questions = list(
                66,
                r##""k#":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}"##,
            );
            format!(
                "C> {{\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"t\",\"_meta\":{{\"$M\":\"elicitation\"}}}}}}\n\
                 S> {{\"id\":1,\"result\":{{\"resultType\":\"input_required\",\"requestState\":\"s\",\"inputRequests\":{{{questions}}}}}}}"
            )
        },
        lost: &[("rule-retries", 2)],
        silent: &[],
    },
    Case {
        what: "names of one listen stream",
        session: || {
            let uris = list(1_030, r##""note://#""##);
            format!(
                "C> {{\"id\":\"l\",\"method\":\"subscriptions/listen\",\"params\":{{\"notifications\":{{\"resourceSubscriptions\":[{uris}]}},\"_meta\":{{\"$M\":\"\"}}}}}}"
            )
        },
        lost: &[("rule-streams", 1)],
        silent: &[],
    },
    Case {
        what: "objects in each other",
        session: || {
            let (deep, end) = ("{\"a\":".repeat(1_100), "}".repeat(1_100));
            format!("{INIT}C> {{\"id\":1,\"method\":\"ping\",\"params\":{{\"_meta\":{deep}{{\"b\":1,\"b\":2}}{end}}}}}")
        },
        lost: &[("rule-members", 1)],
        silent: &["duplicate-member"],
    },
    Case {
        what: "tasks",
        session: || {
            let task = r##"{"task":{"taskId":"t#","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":1}}"##;
            let call = r##"C> {"id":#,"method":"tools/call","params":{"name":"t","task":{}}}"##;
            INIT.to_owned()
                + &many(4_100, &format!("{call}\nS> {{\"id\":#,\"result\":{task}}}"))
                + r##"C> {"id":"get","method":"tasks/get","params":{"taskId":"t4099"}}"##
        },
        lost: &[("rule-tasks", 5)],
        silent: &["task-unknown", "task-id-duplicate"],
    },
    Case {
        what: "progress tokens",
        session: || {
            let call = r##"C> {"id":#,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":"p#"}}}"##;
            INIT.to_owned()
                + &many(4_100, call)
                + r##"S> {"method":"notifications/progress","params":{"progressToken":"p4099","progress":1}}"##
        },
        lost: &[("rule-tokens", 4)],
        silent: &["progress-unknown-token", "progress-wrong-side"],
    },
    Case {
        what: "cursors",
        session: || {
            let ask = r##"C> {"id":#,"method":"prompts/list","params":{}}"##;
            let page = r##"S> {"id":#,"result":{"prompts":[],"nextCursor":"c#"}}"##;
            INIT.to_owned()
                + &many(65_540, &format!("{ask}\n{page}"))
                + r##"C> {"id":"more","method":"prompts/list","params":{"cursor":"c65539"}}"##
        },
        lost: &[("rule-cursors", 4)],
        silent: &["cursor-not-issued", "cursor-wrong-list"],
    },
    Case {
        what: "elicitations by URL",
        session: || {
            let ask = r##"S> {"id":#,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://example.com","elicitationId":"e#"}}"##;
            INIT.to_owned()
                + &many(4_100, ask)
                + r##"S> {"method":"notifications/elicitation/complete","params":{"elicitationId":"e4099"}}"##
        },
        lost: &[("rule-elicitations", 4)],
        silent: &["elicitation-complete-unknown", "elicitation-id-duplicate"],
    },
    Case {
        what: "subscriptions",
        session: || {
            INIT.to_owned()
                + &many(1_028, r##"C> {"id":#,"method":"resources/subscribe","params":{"uri":"note://#"}}"##)
                + r##"S> {"method":"notifications/resources/updated","params":{"uri":"note://1027"}}"##
        },
        lost: &[("rule-subscriptions", 4)],
        silent: &["resource-updated-unsubscribed"],
    },
    Case {
        what: "the URIs of subscriptions",
        session: || {
            INIT.to_owned()
                + &many(4, r##"C> {"id":#,"method":"resources/subscribe","params":{"uri":"note://#/⟨80000⟩"}}"##)
                + r##"S> {"method":"notifications/resources/updated","params":{"uri":"note://4/⟨80000⟩"}}"##
        },
        lost: &[("rule-subscriptions", 1)],
        silent: &["resource-updated-unsubscribed"],
    },
    Case {
        what: "stateless requests that lack a member",
        session: || {
            many(
                257,
                r##"C> {"id":#,"method":"prompts/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"##,
            )
        },
        lost: &[("rule-stateless", 1)],
        silent: &[],
    },
    Case {
        what: "results that ask for input",
        session: || {
            let call = r##"C> {"id":#,"method":"tools/call","params":{"name":"t#","_meta":{"$M":"elicitation"}}}"##;
            let ask = r##"S> {"id":#,"result":{"resultType":"input_required","requestState":"s#","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}}}}"##;
            many(66, &format!("{call}\n{ask}"))
        },
        lost: &[("rule-retries", 2)],
        silent: &[],
    },
    Case {
        what: "listen streams",
        session: || {
            let ask = r##"C> {"id":"l#","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"$M":""}}}"##;
            let done = r##"S> {"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"l#"}}}"##;
            many(258, &format!("{ask}\n{done}"))
                + r##"S> {"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l1"}}}"##
        },
        lost: &[("rule-streams", 2)],
        silent: &["subscription-id-unknown", "subscription-after-end", "subscription-ack-not-first"],
    },
    Case {
        what: "pages with a cache scope",
        session: || {
            let ask = r##"C> {"id":#,"method":"prompts/list","params":{"_meta":{"$M":""}}}"##;
            let page = r##"S> {"id":#,"result":{"resultType":"complete","prompts":[],"nextCursor":"c#","ttlMs":1,"cacheScope":"private"}}"##;
            many(258, &format!("{ask}\n{page}"))
        },
        lost: &[("rule-pages", 2)],
        silent: &["cache-scope-changed-between-pages"],
    },
    Case {
        what: "tasks of the extension",
        session: || {
            let call = r##"C> {"id":#,"method":"tools/call","params":{"name":"t","_meta":{"$M":"tasks"}}}"##;
            let task = r##"S> {"id":#,"result":{"resultType":"task","taskId":"t#","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":1}}"##;
            many(1_028, &format!("{call}\n{task}"))
        },
        lost: &[("rule-tasks-extension", 8)],
        silent: &["task-ext-unknown-id"],
    },
    Case {
        what: "tools with a view",
        session: || {
            tools(1_028, r##"{"name":"t#","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://v/#"}}}"##)
        },
        lost: &[("rule-views", 4)],
        silent: &[],
    },
    Case {
        what: "pairs of client and server",
        session: || {
            let ask = r##"C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"##;
            let answer = r##"S> {"id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s#","version":"1"}}}"##;
            many(66, &format!("{ask}\n{answer}\nC> {{\"method\":\"notifications/initialized\"}}"))
        },
        lost: &[("rule-brief-sessions", 2), ("rule-versions", 2)],
        silent: &["session-per-call"],
    },
    Case {
        what: "exchanges over HTTP",
        session: || many(1_028, "C[{}]> {\"id\":#,\"method\":\"ping\"}\nS[{}]> {\"id\":#,\"result\":{}}"),
        lost: &[("rule-exchanges", 4)],
        silent: &["duplicate-request-id", "response-without-request"],
    },
    Case {
        what: "events of streams",
        session: || {
            let open =
                "C[{\":stream\":1}]> {\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}\n".to_owned();
            open + &many(
                4_100,
                r##"S[{":stream":1,":event-id":"e#"}]> {"method":"notifications/message","params":{"level":"info","data":#}}"##,
            )
        },
        lost: &[("rule-events", 4_096)],
        silent: &["sse-event-id-duplicate"],
    },
    Case {
        what: "tools with annotated parameters",
        session: || {
            let tools = list(
                260,
                r##"{"name":"t#","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"}}}}"##,
            );
            format!(
                "C[{{}}]> {{\"id\":1,\"method\":\"tools/list\",\"params\":{{\"_meta\":{{\"$M\":\"\"}}}}}}\n\
                 S[{{}}]> {{\"id\":1,\"result\":{{\"resultType\":\"complete\",\"tools\":[{tools}],\"ttlMs\":1,\"cacheScope\":\"private\"}}}}\n\
                 C[{{}}]> {{\"id\":2,\"method\":\"tools/call\",\"params\":{{\"name\":\"t259\",\"arguments\":{{\"a\":\"x\"}},\"_meta\":{{\"$M\":\"\"}}}}}}"
            )
        },
        lost: &[("rule-header-params", 4)],
        silent: &["http-param-header"],
    },
];

/// Tables that no input can drive over their cap.
const OUT_OF_REACH: &[(&str, &str)] =
    &[("rule-sessions", "the engine below keeps 1,024 lanes of 8 sessions, and ends the one that was quiet longest")];

/// Sessions of many messages, which take long.
const LONG: &[&str] = &["cursors", "open requests and used ids"];

#[test]
fn each_table_of_the_rules_counts_what_it_gives_up() {
    drive(CASES.iter().filter(|case| !LONG.contains(&case.what)));
}

#[test]
fn each_large_table_of_the_rules_counts_what_it_gives_up() {
    drive(CASES.iter().filter(|case| LONG.contains(&case.what)));
}

fn drive<'c>(cases: impl Iterator<Item = &'c Case>) {
    let mut wrong = Vec::new();
    for case in cases {
        let text = (case.session)();
        let lines = lines(&text).unwrap_or_else(|error| panic!("{}: {error}", case.what));
        let (found, mut caps) = judge_counted("session", transcript(&lines));
        caps.sort_unstable();
        if caps != case.lost {
            wrong.push(format!("{}: {caps:?} given up", case.what));
        }
        for rule in case.silent {
            assert!(mcp_trace::rules::rule(rule).is_some(), "{rule} is a rule");
            if let Some(found) = found.iter().find(|found| found.rule == *rule) {
                wrong.push(format!("{}: {rule} at line {}: {}", case.what, found.line, found.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_table_that_counts_is_driven_over_its_cap() {
    let rules = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let book = std::fs::read_dir(rules.join("book")).unwrap().map(|entry| entry.unwrap().path());
    let mut tables = BTreeSet::new();
    for file in book.chain([rules.join("checker.rs")]) {
        let text = std::fs::read_to_string(file).unwrap();
        let names = text.split('"').filter(|word| word.starts_with("rule-") && !word.contains(' '));
        tables.extend(names.map(str::to_owned));
    }
    let driven = CASES.iter().flat_map(|case| case.lost).map(|(table, _)| *table);
    let known: BTreeSet<_> = driven.chain(OUT_OF_REACH.iter().map(|(table, _)| *table)).map(str::to_owned).collect();
    assert!(tables.len() > 20, "{tables:?}");
    assert_eq!(tables, known);
}
