//! Records to text: one file per output, and OUTPUTS. Judges nothing and reads no environment.

pub mod escape;
pub mod json;
mod output;
mod palette;
mod summary;
pub mod table;
mod text;

pub use json::schema;
pub use output::{OUTPUTS, OpenOptions, Output, Renderer};
pub use palette::{Ink, Palette};
pub use table::column_names;
