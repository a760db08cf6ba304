//! Records to text: one file per output, OUTPUTS and CONVERSIONS. Judges nothing and reads no environment.

mod convert;
pub mod escape;
pub mod json;
mod output;
mod palette;
mod report;
mod stats;
mod summary;
mod supposed;
pub mod table;
mod text;

pub use convert::{CONVERSIONS, Conversion};
pub use json::schema;
pub use output::{OUTPUTS, OpenOptions, Output, Renderer, Unheld};
pub use palette::{Ink, Palette};
pub use stats::{COLUMNS, Column, Look, STATS_OUTPUTS, Shown, Sort, StatsOutput, read_stats};
pub use table::column_names;
