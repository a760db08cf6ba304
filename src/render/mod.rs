//! Records to text: one file per output, and OUTPUTS. Judges nothing and reads no environment.

mod output;

pub use output::{OUTPUTS, OpenOptions, Output, Renderer};
