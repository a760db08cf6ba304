//! Every finding about the recorded sessions beside the project, read and judged: which rule, how often in which session, and
//! why it is true there. A finding that is not in the table fails the test, and so does one that is no longer made. Nothing
//! of the recordings stands here but the names of their folders.

use std::collections::BTreeMap;
use std::path::Path;

use super::judged::judge_all;
use super::support::{read_maybe_gz, shared};

/// Findings of one rule that are true for the same reason. A session with two reasons for one rule stands in two rows.
struct Judged {
    rule: &'static str,
    /// Why the rule is broken there.
    why: &'static str,
    /// Sessions, and how many findings they have; of the lines with times.
    timed: &'static [(&'static str, usize)],
    /// The same of the HTTP archives of some of these sessions.
    archived: &'static [(&'static str, usize)],
}

/// Sessions and how many findings a row has for them.
type Counts = fn(&Judged) -> &'static [(&'static str, usize)];

/// The forms of a recording that are judged.
const FORMS: [(&str, Counts); 2] = [("timed.jsonl", |row| row.timed), ("session.har", |row| row.archived)];

#[test]
fn every_finding_about_recorded_sessions_was_judged() {
    let Some(folder) = shared("recordings") else {
        println!("SKIPPED: no recordings beside the project");
        return;
    };
    let (mut wrong, mut judged) = (Vec::new(), 0);
    for (form, counts) in FORMS {
        let mut expected: BTreeMap<(String, &str), usize> = BTreeMap::new();
        for row in JUDGED {
            assert!(row.why.ends_with('.'), "{}: the reason is a sentence", row.rule);
            for (name, count) in counts(row) {
                *expected.entry(((*name).to_owned(), row.rule)).or_default() += count;
            }
        }
        let mut found: BTreeMap<(String, &str), Vec<String>> = BTreeMap::new();
        for (name, bytes) in recordings(&folder, form) {
            for finding in judge_all(&name, bytes) {
                let place = format!("line {}: {}", finding.line, finding.message);
                found.entry((name.clone(), finding.rule)).or_default().push(place);
            }
        }
        for (key, places) in &found {
            judged += places.len();
            let wanted = expected.remove(key).unwrap_or(0);
            if wanted != places.len() {
                let (name, rule) = key;
                wrong.push(format!("{name}/{form} {rule}: {wanted} judged, {} found: {places:#?}", places.len()));
            }
        }
        wrong.extend(
            expected.iter().map(|((name, rule), count)| format!("{name}/{form} {rule}: {count} judged, none found")),
        );
    }
    println!("{judged} findings about recorded sessions, each with its reason");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The recordings that have a form, with its bytes.
fn recordings(folder: &Path, form: &str) -> Vec<(String, Vec<u8>)> {
    let mut folders: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        read_maybe_gz(path.join(form)).map(|bytes| (name, bytes))
    };
    folders.iter().filter(|path| path.is_dir()).filter_map(read).collect()
}

/// All of them, in the order of the families.
const JUDGED: &[Judged] = &[
    Judged {
        rule: "invalid-json",
        why: "The body was cut on purpose, in the middle of a member.",
        timed: &[("curl-hand-made-handshake", 1)],
        archived: &[("curl-hand-made-handshake", 1)],
    },
    Judged {
        rule: "invalid-json",
        why: "Four lines of a package runner stand on the standard output of the server, two of them empty.",
        timed: &[("junk-npm-run-banner", 4)],
        archived: &[],
    },
    Judged {
        rule: "id-null",
        why: "Sent on purpose by hand.",
        timed: &[("curl-hand-made-handshake", 1)],
        archived: &[("curl-hand-made-handshake", 1)],
    },
    Judged {
        rule: "error-id-missing",
        why: "The id of the request is null or unreadable in two cases, which is no more than a note; in the other two the HTTP layer answers requests with ids and repeats none.",
        timed: &[("curl-hand-made-handshake", 4)],
        archived: &[("curl-hand-made-handshake", 4)],
    },
    Judged {
        rule: "batch-not-allowed",
        why: "The session has agreed on a revision that has taken batches out.",
        timed: &[("curl-hand-made-handshake", 1)],
        archived: &[("curl-hand-made-handshake", 1)],
    },
    Judged {
        rule: "unanswered-request",
        why: "The client is killed while it waits.",
        timed: &[("client-killed-mid-call", 1)],
        archived: &[],
    },
    Judged {
        rule: "unanswered-request",
        why: "The HTTP layer refuses two requests with errors that do not name them.",
        timed: &[("curl-hand-made-handshake", 2)],
        archived: &[("curl-hand-made-handshake", 2)],
    },
    Judged {
        rule: "unanswered-request",
        why: "The client has what it wanted and leaves while the server asks for its roots.",
        timed: &[("inspector-cli-tool-call", 1), ("supergateway-sse-stdio-side", 1)],
        archived: &[],
    },
    Judged {
        rule: "unanswered-request",
        why: "The client never answers a request whose capability it has not declared, and the server gives up.",
        timed: &[("py-1.2.1-everything-0.6.2-hang", 1)],
        archived: &[],
    },
    Judged {
        rule: "unanswered-request",
        why: "The client closes the stream of the call, which in this revision is how HTTP cancels; the capture holds no message of it.",
        timed: &[("py-2.3-modern-http-2026-07-28", 1)],
        archived: &[("py-2.3-modern-http-2026-07-28", 1)],
    },
    Judged {
        rule: "unanswered-request",
        why: "The server process fails before it has read anything.",
        timed: &[("server-fails-to-start", 1)],
        archived: &[],
    },
    Judged {
        rule: "capability-not-negotiated",
        why: "The answer to the discovery declares nothing, and tools and resources are used all the same.",
        timed: &[("conformance-client-metadata-2026-07-28", 3)],
        archived: &[("conformance-client-metadata-2026-07-28", 3)],
    },
    Judged {
        rule: "capability-not-negotiated",
        why: "The server has tools alone, the client asks for resources and prompts to see what happens.",
        timed: &[("filesystem-py-1.30-2025-11-25", 5), ("rmcp-3.11-both-sides-2026-07-28", 2)],
        archived: &[],
    },
    Judged {
        rule: "capability-not-negotiated",
        why: "The server asks for what the client has not declared: samples in the one session, a form in the other.",
        timed: &[("py-1.2.1-everything-0.6.2-hang", 1), ("py-1.9.4-everything-2025.9-2025-03-26", 1)],
        archived: &[],
    },
    Judged {
        rule: "capability-not-negotiated",
        why: "The server has neither logging nor completions, and is asked for both.",
        timed: &[("sqlite-ts-1.32", 2)],
        archived: &[],
    },
    Judged {
        rule: "capability-undeclared-but-served",
        why: "The other half of the same: the server answers calls without having declared tools or resources.",
        timed: &[("conformance-client-metadata-2026-07-28", 3)],
        archived: &[("conformance-client-metadata-2026-07-28", 3)],
    },
    Judged {
        rule: "declared-capability-refused",
        why: "The server declares resources and does not know the list of templates; no MUST, so a warning.",
        timed: &[("sqlite-ts-1.32", 1)],
        archived: &[],
    },
    Judged {
        rule: "logging-not-declared",
        why: "Log messages come from servers whose declaration names no logging.",
        timed: &[("fastmcp-2.14-stdio-2025-11-25", 3), ("py-2.3-modern-http-2026-07-28", 8)],
        archived: &[("py-2.3-modern-http-2026-07-28", 8)],
    },
    Judged {
        rule: "capability-not-in-revision",
        why: "The client declares changes of roots, which the schema of 2026-07-28 no longer has.",
        timed: &[
            ("conformance-client-metadata-2026-07-28", 1),
            ("py-2.3-debug-log-http-2026-07-28", 1),
            ("py-2.3-modern-http-2026-07-28", 1),
            ("py-2.3-probe-falls-back-2025-11-25", 1),
            ("py-2.3-server-time-2026-07-28", 1),
            ("server-fails-to-start", 1),
            ("ts-2.4-modern-stdio-2026-07-28", 1),
            ("ts-2.4-modern-stdio-2026-07-28-probe", 1),
        ],
        archived: &[("conformance-client-metadata-2026-07-28", 1), ("py-2.3-modern-http-2026-07-28", 1)],
    },
    Judged {
        rule: "capability-not-in-revision",
        why: "The server declares tasks, which came a revision later.",
        timed: &[("curl-hand-made-handshake", 1), ("ts-1.20.2-everything-2026.8.31-2025-06-18", 1)],
        archived: &[("curl-hand-made-handshake", 1)],
    },
    Judged {
        rule: "capability-not-in-revision",
        why: "The client declares extensions, which came a revision later.",
        timed: &[("inspector-cli-tool-call", 1)],
        archived: &[],
    },
    Judged {
        rule: "task-augmentation-not-declared",
        why: "The client carries the wish to become a task on to the requests that ask about the task.",
        timed: &[("everything-tour-stdio-2025-11-25", 10)],
        archived: &[],
    },
    Judged {
        rule: "unsupported-version-error-shape",
        why: "The suite refuses a version and lists it as the one that it supports, to see whether the client tries again.",
        timed: &[("conformance-client-metadata-2026-07-28", 1)],
        archived: &[("conformance-client-metadata-2026-07-28", 1)],
    },
    Judged {
        rule: "meta-server-info-missing",
        why: "The result of the discovery has no name of the server in its `_meta`, which it SHOULD have.",
        timed: &[("conformance-client-metadata-2026-07-28", 1), ("rmcp-3.11-both-sides-2026-07-28", 1)],
        archived: &[("conformance-client-metadata-2026-07-28", 1)],
    },
    Judged {
        rule: "result-schema",
        why: "The result of a read has no contents; the schema requires them.",
        timed: &[("conformance-client-metadata-2026-07-28", 1)],
        archived: &[("conformance-client-metadata-2026-07-28", 1)],
    },
    Judged {
        rule: "params-schema",
        why: "A call without the name of a tool, sent on purpose.",
        timed: &[("everything-tour-stdio-2025-11-25", 1), ("sqlite-ts-1.32", 1)],
        archived: &[],
    },
    Judged {
        rule: "unknown-method",
        why: "Methods of an invented vendor, sent on purpose.",
        timed: &[("everything-tour-stdio-2025-11-25", 1), ("lowlevel-pings-and-paging", 2), ("sqlite-ts-1.32", 1)],
        archived: &[],
    },
    Judged {
        rule: "unknown-method",
        why: "An old library sends its cancellation without the prefix of notifications.",
        timed: &[("py-1.2.1-everything-0.6.2-hang", 1)],
        archived: &[],
    },
    Judged {
        rule: "removed-method-for-revision",
        why: "The client pings in a revision without ping.",
        timed: &[
            ("py-2.3-debug-log-http-2026-07-28", 1),
            ("py-2.3-modern-http-2026-07-28", 1),
            ("py-2.3-server-time-2026-07-28", 1),
        ],
        archived: &[("py-2.3-modern-http-2026-07-28", 1)],
    },
    Judged {
        rule: "method-not-yet-in-revision",
        why: "The server asks for a form in a session that has agreed on a revision without forms.",
        timed: &[("py-1.9.4-everything-2025.9-2025-03-26", 1)],
        archived: &[],
    },
    Judged {
        rule: "field-not-in-revision",
        why: "The server sends members of later revisions: output schemas, titles, structured content. Older clients pass over them.",
        timed: &[("mcp-proxy-sse", 3), ("py-1.9.4-everything-2025.9-2025-03-26", 3)],
        archived: &[("mcp-proxy-sse", 3)],
    },
    Judged {
        rule: "field-not-in-revision",
        why: "Each tool of the server says how it runs as a task, a revision too early.",
        timed: &[("ts-1.20.2-everything-2026.8.31-2025-06-18", 16)],
        archived: &[],
    },
    Judged {
        rule: "content-type-not-in-revision",
        why: "Two links to resources in a revision whose results have none.",
        timed: &[("py-1.9.4-everything-2025.9-2025-03-26", 2)],
        archived: &[],
    },
    Judged {
        rule: "deprecated-feature",
        why: "Roots, samples and log messages are asked for in 2026-07-28, which has deprecated them.",
        timed: &[
            ("py-2.3-debug-log-http-2026-07-28", 2),
            ("py-2.3-modern-http-2026-07-28", 4),
            ("ts-2.4-modern-stdio-2026-07-28", 2),
        ],
        archived: &[("py-2.3-modern-http-2026-07-28", 4)],
    },
    Judged {
        rule: "log-level-invalid",
        why: "A level that is none, sent on purpose.",
        timed: &[("everything-tour-stdio-2025-11-25", 1), ("sqlite-ts-1.32", 1)],
        archived: &[],
    },
    Judged {
        rule: "cursor-not-issued",
        why: "An invented cursor, sent on purpose.",
        timed: &[("everything-tour-stdio-2025-11-25", 1), ("sqlite-ts-1.32", 1)],
        archived: &[],
    },
    Judged {
        rule: "progress-unknown-token",
        why: "The client reports progress of its own with a token that no request of the server gave.",
        timed: &[("py-1.9.4-everything-2025.9-2025-03-26", 1)],
        archived: &[],
    },
    Judged {
        rule: "server-request-before-initialized",
        why: "A log message precedes the answer to the first request. Log messages may come early, so it is a note.",
        timed: &[("lowlevel-pings-and-paging", 1)],
        archived: &[],
    },
    Judged {
        rule: "tools-call-unlisted-tool",
        why: "Tools are called that the list does not have, to see what happens; where the server refuses them, the refusal is the proof.",
        timed: &[
            ("everything-tour-stdio-2025-11-25", 1),
            ("fastmcp-2.14-stdio-2025-11-25", 1),
            ("filesystem-py-1.30-2025-11-25", 1),
            ("mcp-proxy-sse", 1),
            ("py-1.2.1-everything-0.6.2-hang", 10),
            ("py-1.30-no-capabilities", 3),
            ("py-1.9.4-everything-2025.9-2025-03-26", 16),
            ("py-2.3-probe-falls-back-2025-11-25", 1),
            ("py-2.3-server-time-2026-07-28", 2),
            ("rmcp-3.11-both-sides-2026-07-28", 2),
            ("sqlite-ts-1.32", 3),
            ("supergateway-sse", 1),
            ("supergateway-sse-stdio-side", 1),
            ("ts-0.5.0-everything-0.6.2-2024-11-05", 8),
            ("ts-1.20.2-everything-2026.8.31-2025-06-18", 1),
            ("ts-2.4-modern-stdio-2026-07-28", 2),
            ("ts-2.4-no-capabilities-2026-07-28", 1),
        ],
        archived: &[("mcp-proxy-sse", 1), ("supergateway-sse", 1)],
    },
    Judged {
        rule: "tool-error-channel",
        why: "The unknown tool is answered with a result that says so, where the pages want an error of the protocol.",
        timed: &[
            ("everything-tour-stdio-2025-11-25", 1),
            ("fastmcp-2.14-stdio-2025-11-25", 1),
            ("filesystem-py-1.30-2025-11-25", 1),
            ("mcp-proxy-sse", 1),
            ("py-1.30-no-capabilities", 3),
            ("py-2.3-probe-falls-back-2025-11-25", 1),
            ("supergateway-sse", 1),
            ("supergateway-sse-stdio-side", 1),
            ("ts-1.20.2-everything-2026.8.31-2025-06-18", 1),
            ("ts-2.4-no-capabilities-2026-07-28", 1),
        ],
        archived: &[("mcp-proxy-sse", 1), ("supergateway-sse", 1)],
    },
    Judged {
        rule: "tool-arguments-mismatch",
        why: "Arguments of the wrong type, or one too few, sent on purpose.",
        timed: &[
            ("everything-tour-stdio-2025-11-25", 1),
            ("fastmcp-2.14-stdio-2025-11-25", 1),
            ("py-2.3-server-time-2026-07-28", 1),
            ("rmcp-3.11-both-sides-2026-07-28", 1),
            ("ts-2.4-modern-stdio-2026-07-28", 1),
        ],
        archived: &[],
    },
    Judged {
        rule: "tool-description-missing",
        why: "Tools of test servers have no description.",
        timed: &[("fastmcp-2.14-stdio-2025-11-25", 1), ("lowlevel-pings-and-paging", 25)],
        archived: &[],
    },
    Judged {
        rule: "prompt-unlisted",
        why: "Prompts are asked for that the list does not have, to see what happens.",
        timed: &[
            ("everything-tour-stdio-2025-11-25", 1),
            ("mcp-proxy-sse", 1),
            ("py-1.30-no-capabilities", 1),
            ("py-1.9.4-everything-2025.9-2025-03-26", 2),
            ("py-2.3-modern-http-2026-07-28", 1),
            ("py-2.3-probe-falls-back-2025-11-25", 1),
            ("py-2.3-server-time-2026-07-28", 1),
            ("sqlite-ts-1.32", 3),
            ("supergateway-sse", 1),
            ("supergateway-sse-stdio-side", 1),
        ],
        archived: &[("mcp-proxy-sse", 1), ("py-2.3-modern-http-2026-07-28", 1), ("supergateway-sse", 1)],
    },
    Judged {
        rule: "prompt-missing-argument",
        why: "A required argument is left out on purpose.",
        timed: &[("everything-tour-stdio-2025-11-25", 1)],
        archived: &[],
    },
    Judged {
        rule: "resource-not-found-code",
        why: "The error tells of a missing resource and has another code than -32002.",
        timed: &[
            ("everything-tour-stdio-2025-11-25", 1),
            ("mcp-proxy-sse", 1),
            ("py-1.30-no-capabilities", 1),
            ("py-1.9.4-everything-2025.9-2025-03-26", 2),
            ("py-2.3-probe-falls-back-2025-11-25", 1),
            ("supergateway-sse", 1),
            ("supergateway-sse-stdio-side", 1),
            ("ts-0.5.0-everything-0.6.2-2024-11-05", 1),
            ("ts-1.20.2-everything-2026.8.31-2025-06-18", 1),
        ],
        archived: &[("mcp-proxy-sse", 1), ("supergateway-sse", 1)],
    },
    Judged {
        rule: "structured-content-no-text",
        why: "The text holds the bare value, the structured content an object around it; by the letter the text should be the JSON of that object.",
        timed: &[
            ("fastmcp-2.14-stdio-2025-11-25", 3),
            ("filesystem-py-1.30-2025-11-25", 1),
            ("py-2.3-debug-log-http-2026-07-28", 2),
            ("py-2.3-modern-http-2026-07-28", 4),
            ("ts-2.4-no-capabilities-2026-07-28", 1),
        ],
        archived: &[("py-2.3-modern-http-2026-07-28", 4)],
    },
    Judged {
        rule: "structured-content-no-text",
        why: "The text is a sentence or an inner list, the structured content an object that also tells of success.",
        timed: &[("memory-600-calls", 120)],
        archived: &[],
    },
    Judged {
        rule: "meta-key-format",
        why: "A library marks its tools under a key that begins with an underscore.",
        timed: &[("fastmcp-2.14-stdio-2025-11-25", 14)],
        archived: &[],
    },
    Judged {
        rule: "icon-src-scheme",
        why: "The icon is a path relative to nothing.",
        timed: &[("sdk-example-multiple-clients", 3)],
        archived: &[("sdk-example-multiple-clients", 3)],
    },
    Judged {
        rule: "elicitation-schema-restricted",
        why: "Titles of values in the old form, which 2025-11-25 keeps for older clients: a note.",
        timed: &[
            ("concurrency-out-of-order", 1),
            ("everything-tour-stdio-2025-11-25", 2),
            ("py-2.3-probe-falls-back-2025-11-25", 1),
        ],
        archived: &[],
    },
    Judged {
        rule: "elicitation-schema-restricted",
        why: "Lists of choices and titled choices, which forms have from the next revision on.",
        timed: &[("ts-1.20.2-everything-2026.8.31-2025-06-18", 3)],
        archived: &[],
    },
    Judged {
        rule: "elicitation-content-mismatch",
        why: "The form asks for an address, an email and a date; the client of the test fills in one name everywhere.",
        timed: &[("py-2.3-probe-falls-back-2025-11-25", 1)],
        archived: &[],
    },
    Judged {
        rule: "listen-teardown-signal",
        why: "The recording ends with the stream open; the recorder does not say that the connection was closed.",
        timed: &[("py-2.3-modern-http-2026-07-28", 1)],
        archived: &[],
    },
    Judged {
        rule: "http-accept-header",
        why: "Sent by hand with one of two media types, to see it refused.",
        timed: &[],
        archived: &[("curl-hand-made-handshake", 1)],
    },
    Judged {
        rule: "transport-made-error",
        why: "The HTTP layer refuses two requests by hand before a session sees them.",
        timed: &[],
        archived: &[("curl-hand-made-handshake", 2)],
    },
    Judged {
        rule: "error-code-zero",
        why: "The library for Python answers what its program did not expect.",
        timed: &[("mcp-proxy-sse", 1), ("sqlite-ts-1.32", 3)],
        archived: &[("mcp-proxy-sse", 1)],
    },
    Judged {
        rule: "list-changed-unheeded",
        why: "The program of the test reads each list once and goes on.",
        timed: &[("lowlevel-pings-and-paging", 2), ("py-2.3-modern-http-2026-07-28", 2)],
        archived: &[("py-2.3-modern-http-2026-07-28", 2)],
    },
    Judged {
        rule: "capability-unused",
        why: "True of this session alone: declared, and no message needs it.",
        timed: &[
            ("client-killed-mid-call", 2),
            ("concurrency-out-of-order", 1),
            ("curl-hand-made-handshake", 1),
            ("everything-short-http-2025-11-25", 2),
            ("fastmcp-2.14-stdio-2025-11-25", 1),
            ("filesystem-py-1.30-2025-11-25", 1),
            ("inspector-cli-tool-call", 1),
            ("junk-npm-run-banner", 2),
            ("lowlevel-pings-and-paging", 2),
            ("mcp-proxy-sse", 2),
            ("memory-600-calls", 1),
            ("py-1.2.1-everything-0.6.2-hang", 2),
            ("py-1.30-no-capabilities", 1),
            ("sdk-example-multiple-clients", 3),
            ("sqlite-ts-1.32", 1),
            ("supergateway-sse", 2),
            ("supergateway-sse-stdio-side", 2),
            ("ts-0.5.0-everything-0.6.2-2024-11-05", 2),
            ("ts-1.20.2-everything-2026.8.31-2025-06-18", 1),
        ],
        archived: &[
            ("curl-hand-made-handshake", 1),
            ("everything-short-http-2025-11-25", 2),
            ("mcp-proxy-sse", 2),
            ("sdk-example-multiple-clients", 3),
            ("supergateway-sse", 2),
        ],
    },
];
