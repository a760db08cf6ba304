//! Points in time as people type them: an instant, or so long after the start of the session.

use std::error::Error;
use std::fmt;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};

use crate::transcript::{Stamp, TimeBasis};

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// An instant.
    At(Timestamp),
    /// So long after the first timed message of the session.
    After(SignedDuration),
}

/// A text that is no moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MomentError;

impl fmt::Display for MomentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "expected a time such as `2026-03-02T09:15:00Z`, or one since the start of the session such as `+1.5s`",
        )
    }
}

impl Error for MomentError {}

impl Moment {
    /// Reads `2026-03-02T09:15:00Z`, with an offset or without one (then in the given zone), a date alone, or `+1.5s`.
    ///
    /// # Errors
    /// When it is neither.
    pub fn parse(text: &str, zone: &TimeZone) -> Result<Self, MomentError> {
        if let Some(length) = text.strip_prefix('+') {
            let span: Span = length.parse().map_err(|_| MomentError)?;
            let length = SignedDuration::try_from(span).map_err(|_| MomentError)?;
            return if length.is_negative() { Err(MomentError) } else { Ok(Self::After(length)) };
        }
        if let Ok(at) = text.parse() {
            return Ok(Self::At(at));
        }
        let local: DateTime = match text.parse::<DateTime>() {
            Ok(local) => local,
            Err(_) => text.parse::<Date>().map_err(|_| MomentError)?.into(),
        };
        zone.to_timestamp(local).map(Self::At).map_err(|_| MomentError)
    }

    /// How a message's time lies to it; `None` when that cannot be said. A time that counts from some start is no instant.
    pub(super) fn order(self, time: Option<Stamp>, start: Option<Stamp>) -> Option<std::cmp::Ordering> {
        let time = time?;
        match self {
            Self::At(_) if time.basis == TimeBasis::Elapsed => None,
            Self::At(at) => Some(time.at.cmp(&at)),
            Self::After(length) => Some(time.at.duration_since(start?.at).cmp(&length)),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn moments_as_people_type_them() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let at = |text: &str| Ok(Moment::At(text.parse().unwrap()));
        for (text, wanted) in [
            ("2026-03-02T09:15:00Z", at("2026-03-02T09:15:00Z")),
            ("2026-03-02T09:15:00.5+01:00", at("2026-03-02T08:15:00.5Z")),
            ("2026-03-02T09:15:00", at("2026-03-02T07:15:00Z")),
            ("2026-03-02 09:15", at("2026-03-02T07:15:00Z")),
            ("2026-03-02", at("2026-03-01T22:00:00Z")),
            ("+5s", Ok(Moment::After(SignedDuration::from_secs(5)))),
            ("+1.5s", Ok(Moment::After(SignedDuration::from_millis(1_500)))),
            ("+250ms", Ok(Moment::After(SignedDuration::from_millis(250)))),
            ("+1h 2m", Ok(Moment::After(SignedDuration::from_secs(3_720)))),
            ("+0s", Ok(Moment::After(SignedDuration::ZERO))),
            ("5s", Err(MomentError)),
            ("+-5s", Err(MomentError)),
            ("+5", Err(MomentError)),
            ("+", Err(MomentError)),
            ("yesterday", Err(MomentError)),
            ("", Err(MomentError)),
        ] {
            assert_eq!(Moment::parse(text, &zone), wanted, "{text}");
        }
    }
}
