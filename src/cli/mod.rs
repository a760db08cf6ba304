//! The command line: arguments, plan, run, exit codes. The only layer that reads the environment.
//!
//! `args` is what was typed, `plan` what it means on this terminal, `run` what is then done; each command has a
//! file of its own. Exit codes: 0 all read, 1 findings, 2 could not run or an input was not read whole.

mod annotate;
mod args;
mod baseline;
mod check;
mod config;
mod convert;
mod demo;
mod destination;
pub mod docs;
mod environment;
mod explain;
mod filter;
mod follow;
mod inputs;
mod interrupt;
mod listing;
mod logs;
mod misspelt;
mod notice;
mod page;
mod pairs;
mod plan;
mod produce;
mod progress;
mod recognised;
mod run;
mod save;
mod show;
mod sink;
mod stats;
mod suggest;

pub use run::main;
