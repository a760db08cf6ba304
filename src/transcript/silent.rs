//! What to say of logs in which no messages stand: which of the usual failures they tell of, and how to get messages.

use super::EventKind;

/// For programs that write messages into no log.
pub(super) const TEE: &str = "this program logs no messages; configure the server as \
                              `sh -c 'tee client.jsonl | SERVER | tee server.jsonl'` and read both files";
/// For Visual Studio Code.
pub(super) const VSCODE: &str = "set the level of the output channel to Trace, or `dev.debug` in the server's configuration, and start the server again";
/// For the Python SDK.
pub(super) const PYTHON_SDK: &str = "the SDK logs messages at level DEBUG on its HTTP and SSE transports only; on stdio, configure the server as `sh -c 'tee client.jsonl | SERVER | tee server.jsonl'` and read both files";
/// For the C# SDK.
pub(super) const CSHARP_SDK: &str = "set the log level of `ModelContextProtocol` to Trace and start the program again";
/// For the bridge mcp-proxy.
pub(super) const MCP_PROXY: &str = "start mcp-proxy with `--debug`";
/// For the Inspector's console.
pub(super) const INSPECTOR: &str = "the Inspector's console tells no messages; copy them from its History panel, or export the Protocol panel of version 2";
/// For rmcp.
pub(super) const RMCP: &str = "set `RUST_LOG=rmcp=trace` and start the program again";
/// For Zed.
pub(super) const ZED: &str = "set the log level of `context_server` to trace and start the server again";

/// The usual failures, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failure {
    /// Text on standard output that is no message.
    Pollution,
    /// The command of the server does not exist.
    NoProgram,
    /// The process ended.
    Died,
    /// No answer in time.
    TimedOut,
    /// The connection ended.
    Closed,
    /// The server lacks a method.
    NoMethod,
}

/// Words that the hosts' sentences on a failure hold.
const SIGNS: [(Failure, &[&str]); 6] = [
    (Failure::Pollution, &["is not valid JSON", "Unexpected token", "after array element", "Failed to parse message"]),
    (Failure::NoProgram, &["ENOENT", "command not found", "is not recognized as an internal"]),
    (Failure::Died, &["exited with code", "closed unexpectedly", "Process exited"]),
    (Failure::TimedOut, &["timed out", "-32001", "Timeout", "which took over", "Waiting for server to respond"]),
    (Failure::Closed, &["Connection closed", "Client closed", "-32000"]),
    (Failure::NoMethod, &["-32601", "Method not found"]),
];

impl Failure {
    /// The failure that a host's sentence tells of.
    pub fn of(kind: EventKind, text: &str) -> Option<Self> {
        match kind {
            // What a host calls noise came from the server's standard output.
            EventKind::Noise => Some(Self::Pollution),
            EventKind::Stderr => None,
            _ => SIGNS
                .iter()
                .find(|(_, signs)| signs.iter().any(|sign| text.contains(sign)))
                .map(|(failure, _)| *failure),
        }
    }

    /// As half a sentence.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pollution => "the server writes to its standard output what is no message",
            Self::NoProgram => "the command of the server was not found",
            Self::Died => "the server's process ended",
            Self::TimedOut => "the server did not answer in time",
            Self::Closed => "the connection was closed",
            Self::NoMethod => "the server does not know a method",
        }
    }
}
