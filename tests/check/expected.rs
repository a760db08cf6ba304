//! What is expected beyond the protocol.

use super::program::{Case, run_cases};

/// Two calls: `search` takes 2 s, `erase` 20 ms.
const TIMED: (&str, &str) = (
    "timed.jsonl",
    concat!(
        r#"{"ts":"2026-01-01T00:00:00.000Z","dir":"client->server","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}"#,
        "\n",
        r#"{"ts":"2026-01-01T00:00:00.010Z","dir":"server->client","msg":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"search","inputSchema":{"type":"object"}},{"name":"idle","inputSchema":{"type":"object"}}]}}}"#,
        "\n",
        r#"{"ts":"2026-01-01T00:00:01.000Z","dir":"client->server","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search"}}}"#,
        "\n",
        r#"{"ts":"2026-01-01T00:00:03.000Z","dir":"server->client","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[]}}}"#,
        "\n",
        r#"{"ts":"2026-01-01T00:00:04.000Z","dir":"client->server","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"erase"}}}"#,
        "\n",
        r#"{"ts":"2026-01-01T00:00:04.020Z","dir":"server->client","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[]}}}"#,
        "\n",
    ),
);
const UNTIMED: (&str, &str) = (
    "untimed.jsonl",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n",
);

fn case(name: &'static str) -> Case {
    Case { name, files: &[TIMED, UNTIMED], ..Case::default() }
}

#[test]
fn what_is_expected_is_judged() {
    run_cases(
        "expected",
        &[
            Case {
                args: &[
                    "timed.jsonl",
                    "--expect-tool",
                    "search",
                    "--forbid-tool",
                    "drop",
                    "--max-latency",
                    "2s",
                    "--max-bytes",
                    "1K",
                ],
                code: 0,
                with: &["0 errors"],
                without: &["[expected", "[forbidden", "-above-limit]"],
                ..case("all of it holds")
            },
            Case {
                args: &["timed.jsonl", "--expect-tool", "idle", "--expect-tool", "other", "--expect-tool", "search"],
                code: 1,
                with: &[
                    "error: the tool `idle`, which the server lists, was expected and never called  [expected-tool-not-called]",
                    "error: the tool `other`, which the server does not list, was expected and never called",
                    "timed.jsonl:1 #1",
                    "timed.jsonl:2 #2 the last list of tools",
                    "2 errors,",
                ],
                ..case("tools that were not called")
            },
            Case {
                args: &["timed.jsonl", "untimed.jsonl", "--expect-tool", "search"],
                code: 1,
                with: &["untimed.jsonl:1 #1", "1 error,"],
                ..case("each input has to call it")
            },
            Case {
                args: &["timed.jsonl", "--forbid-tool", "erase", "--forbid-tool", "idle"],
                code: 1,
                with: &[
                    "error: the tool `erase` is forbidden and was called  [forbidden-tool-called]",
                    "timed.jsonl:5 #5",
                    "timed.jsonl:2 #2 the last list of tools",
                    "1 error,",
                ],
                ..case("a forbidden tool")
            },
            Case {
                args: &["timed.jsonl", "--max-latency", "1999ms"],
                code: 1,
                with: &[
                    "error: the answer to `tools/call` `search` took 2s, more than 1.999s  [latency-above-limit]",
                    "timed.jsonl:4 #4",
                    "timed.jsonl:3 #3 the request",
                    "1 error,",
                ],
                ..case("a slow answer")
            },
            Case {
                args: &["untimed.jsonl", "--max-latency", "1s"],
                code: 1,
                with: &["error: no answer has a time, so that nobody can say whether one took more than 1s"],
                ..case("no times")
            },
            Case {
                args: &["timed.jsonl", "--max-bytes", "100"],
                code: 1,
                with: &[
                    "the message of `tools/list` has",
                    "bytes, more than 100  [message-above-limit]",
                    "timed.jsonl:2 #2",
                    "timed.jsonl:1 #1 the request",
                    "1 error,",
                ],
                ..case("a long message")
            },
            Case {
                args: &["timed.jsonl"],
                config: "[expect]\ntools = [\"idle\"]\nforbid-tools = [\"erase\"]\nmax-latency = \"1s\"\nmax-bytes = \"100\"\n",
                code: 1,
                with: &[
                    "[expected-tool-not-called]",
                    "[forbidden-tool-called]",
                    "[latency-above-limit]",
                    "[message-above-limit]",
                    "4 errors,",
                ],
                ..case("in the file")
            },
            Case {
                args: &["timed.jsonl", "--max-latency", "3s"],
                config: "[expect]\nmax-latency = \"1s\"\n",
                code: 0,
                ..case("an argument beats the file")
            },
            Case {
                args: &["timed.jsonl", "--max-latency", "1s", "--rule", "latency-above-limit=warning"],
                code: 0,
                with: &["warning: the answer to `tools/call`"],
                ..case("with a level")
            },
            Case {
                args: &["timed.jsonl", "--max-latency", "1s"],
                config: "[[suppress]]\nrule = \"latency-above-limit\"\nmethod = \"tools/call\"\nreason = \"a slow index\"\n",
                code: 0,
                with: &["1 suppressed"],
                ..case("suppressed")
            },
            Case {
                args: &["timed.jsonl", "--max-latency", "2"],
                code: 2,
                with: &["expected a length of time"],
                ..case("no unit")
            },
            Case {
                args: &["timed.jsonl", "--max-latency", "0s"],
                code: 2,
                with: &["expected a length of time"],
                ..case("no time")
            },
            Case {
                args: &["timed.jsonl", "--max-latency=-2s"],
                code: 2,
                with: &["expected a length of time"],
                ..case("before")
            },
            Case {
                args: &["timed.jsonl", "--max-bytes", "1T"],
                code: 2,
                with: &["expected a number of bytes"],
                ..case("no size")
            },
            Case { args: &["timed.jsonl", "--expect-tool", ""], code: 2, ..case("no name") },
            Case {
                config: "[expect]\n\nmax-latency = \"fast\"\n",
                args: &["timed.jsonl"],
                code: 2,
                with: &["mcp-trace.toml:3: expected a length of time"],
                ..case("no time in the file")
            },
            Case {
                config: "[expect]\nforbid-tool = [\"a\"]\n",
                args: &["timed.jsonl"],
                code: 2,
                with: &["mcp-trace.toml:2: unknown key `forbid-tool`: did you mean `forbid-tools`?"],
                ..case("no such key")
            },
            Case {
                config: "[expect]\ntools = [\"a\"]\nforbid-tools = [\"b\"]\nmax-latency = \"2s\"\nmax-bytes = \"1K\"\n",
                args: &["--show-config"],
                code: 0,
                with: &[
                    "expect: the tool `a` is called",
                    "expect: the tool `b` is not called",
                    "more than 2s",
                    "more than 1024 bytes",
                ],
                ..case("shown")
            },
        ],
    );
}
