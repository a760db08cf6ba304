//! `mcp-trace`: any recorded Model Context Protocol session in, an annotated table or JSON out.
//!
//! Layers, bottom to top; a module may use only those above it in this list (`tests/layers.rs` holds it):
//!
//! | module | what it is |
//! |---|---|
//! | [`position`] | where something stands in an input |
//! | [`jsonrpc`] | JSON-RPC 2.0 and nothing of MCP |
//! | [`protocol`] | MCP as data |
//! | [`transcript`] | bytes to frames: sources, formats, readers |
//! | [`redact`] | secrets out of texts, before anything is told about them |
//! | [`session`] | sessions, negotiation, pairing |
//! | [`annotate`] | the records that rules, counters and renderers see |
//! | [`filter`] | which messages are wanted |
//! | [`rules`] | the rules of the protocol, judged on the records |
//! | [`verdict`] | which findings count |
//! | [`stats`] | counts over the records of many runs |
//! | [`render`] | records to text |
//! | [`demo`] | sessions to look at, written with the emitter |
//! | [`pipeline`] | the one loop: read, parse, step, annotate, render |
//! | [`cli`] | arguments, plan, run, exit codes |

pub mod annotate;
pub mod cli;
pub mod demo;
pub mod filter;
pub mod jsonrpc;
pub mod pipeline;
pub mod position;
pub mod protocol;
pub mod redact;
pub mod render;
pub mod rules;
pub mod session;
pub mod stats;
pub mod transcript;
pub mod verdict;
