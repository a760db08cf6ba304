//! The protocol tables against everything that is known of them: the reference catalogue and the official schemas
//! where these are at hand, a frozen digest, facts written down by hand, and each other.

#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::print_stdout)]

mod catalogue;
mod consistency;
mod digest;
mod facts;
mod reference;
mod schema;
mod words;
