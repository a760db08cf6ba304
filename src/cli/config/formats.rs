//! `[[format]]`: input formats of the user's own.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::Deserialize;

use super::unknown;
use crate::protocol::Direction;
use crate::transcript::{Description, TimeKind};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormatSection {
    pub(super) name: String,
    message: OneOrMore,
    entries: Option<String>,
    direction: Option<DirectionSection>,
    time: Option<TimeSection>,
    session: Option<OneOrMore>,
    server: Option<OneOrMore>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a JSON pointer, or several in brackets")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn into_vec(self) -> Vec<String> {
        match self {
            Self::One(one) => vec![one],
            Self::More(more) => more,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DirectionSection {
    pointer: String,
    #[serde(default)]
    words: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TimeSection {
    pointer: String,
    kind: String,
}

/// What a section describes, in the words of the reader.
pub(super) fn described(section: FormatSection) -> Result<Description> {
    let direction = section.direction.map(|direction| {
        let words =
            direction.words.into_iter().map(|(word, way)| Ok((word, way_of(&way)?))).collect::<Result<Vec<_>>>();
        words.map(|words| (direction.pointer, words))
    });
    let time = section.time.map(|time| {
        let kinds = || TimeKind::NAMED.iter().map(|(name, _)| *name);
        match TimeKind::NAMED.iter().find(|(name, _)| *name == time.kind) {
            Some((_, kind)) => Ok((time.pointer, *kind)),
            None => Err(unknown("kind of time", &time.kind, &kinds().collect::<Vec<_>>())),
        }
    });
    Ok(Description {
        name: section.name,
        message: section.message.into_vec(),
        entries: section.entries,
        direction: direction.transpose()?,
        time: time.transpose()?,
        session: section.session.map_or_else(Vec::new, OneOrMore::into_vec),
        server: section.server.map_or_else(Vec::new, OneOrMore::into_vec),
    })
}

fn way_of(word: &str) -> Result<Direction> {
    let known = [Direction::ClientToServer, Direction::ServerToClient];
    known
        .into_iter()
        .find(|way| way.as_str() == word)
        .ok_or_else(|| unknown("direction", word, &known.map(Direction::as_str)))
}
