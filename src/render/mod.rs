//! Records to text: one file per output, and OUTPUTS. Judges nothing and reads no environment.

pub mod json;
mod output;

pub use json::schema;
pub use output::{OUTPUTS, OpenOptions, Output, Renderer};
