//! `[rules]`: how bad the findings of each rule are, for `check`.

use std::collections::BTreeMap;

use anyhow::Result;
use toml::Spanned;

use super::Place;
use crate::cli::args::{named_level, named_rule};
use crate::rules::Levels;

/// A level for each rule named.
pub(super) type Levelled = BTreeMap<Spanned<String>, Spanned<String>>;

/// What the section says.
pub(super) fn levels(section: Levelled, place: &Place<'_>) -> Result<Levels> {
    let mut levels = Levels::default();
    for (id, word) in section {
        let rule = named_rule(id.get_ref()).map_err(|error| place.error(id.span().start, error))?;
        let level = named_level(word.get_ref()).map_err(|error| place.error(word.span().start, error))?;
        levels.set(rule, level);
    }
    Ok(levels)
}
