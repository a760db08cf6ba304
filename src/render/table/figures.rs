//! Times, durations, sizes and counts as a person reads them.

use std::fmt;
use std::time::Duration;

use crate::transcript::{Stamp, TimeBasis};

/// Elapsed time of an answer: `<0.01 ms`, `0.31 ms`, `31 ms`, `2.0 s`, `1 min 1 s`.
pub struct Elapsed(pub Duration);

impl fmt::Display for Elapsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.0.as_secs_f64() * 1000.0;
        let seconds = self.0.as_secs();
        match millis {
            ..0.005 => f.write_str("<0.01 ms"),
            ..0.995 => write!(f, "{millis:.2} ms"),
            ..9.95 => write!(f, "{millis:.1} ms"),
            ..999.5 => write!(f, "{millis:.0} ms"),
            ..99_950.0 => write!(f, "{:.1} s", millis / 1000.0),
            _ if seconds < 3600 => write!(f, "{} min {} s", seconds / 60, seconds % 60),
            _ => write!(f, "{} h {} min", seconds / 3600, seconds / 60 % 60),
        }
    }
}

/// Time since the session's start: `+0.031`, beyond three hours `+3:07:31`.
pub(super) struct Since {
    pub(super) start: Stamp,
    pub(super) at: Stamp,
}

impl fmt::Display for Since {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.at.at.as_nanosecond() - self.start.at.as_nanosecond();
        let (sign, millis) = (if nanos < 0 { '-' } else { '+' }, nanos.unsigned_abs() / 1_000_000);
        let seconds = millis / 1000;
        if seconds < 3 * 3600 {
            write!(f, "{sign}{seconds}.{:03}", millis % 1000)
        } else {
            write!(f, "{sign}{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
        }
    }
}

/// Time of day with the digits that were recorded, at most milliseconds; `~` where the zone was assumed.
pub(super) struct TimeOfDay<'a> {
    pub(super) at: Stamp,
    pub(super) zone: &'a jiff::tz::TimeZone,
}

impl fmt::Display for TimeOfDay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.zone.to_datetime(self.at.at).time();
        write!(f, "{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())?;
        let digits = usize::from(self.at.digits.min(3));
        if digits > 0 {
            write!(f, ".{:0digits$}", time.millisecond() / [1000, 100, 10, 1][digits])?;
        }
        match self.at.basis {
            TimeBasis::ZoneAssumed => f.write_str("~"),
            TimeBasis::Recorded | TimeBasis::Elapsed => Ok(()),
        }
    }
}

/// A size: `812 B`, `8.1 kB`, `1.2 MB`.
pub(in crate::render) struct Bytes(pub(in crate::render) u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as f64;
        match self.0 {
            ..1_000 => write!(f, "{} B", self.0),
            1_000..99_950 => write!(f, "{:.1} kB", bytes / 1e3),
            99_950..999_500 => write!(f, "{:.0} kB", bytes / 1e3),
            999_500..999_950_000 => write!(f, "{:.1} MB", bytes / 1e6),
            _ => write!(f, "{:.1} GB", bytes / 1e9),
        }
    }
}

/// A number and its noun: `1 request`, `1,204 requests`.
pub(in crate::render) struct Count(pub(in crate::render) u64, pub(in crate::render) &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", Thousands(self.0), self.1, if self.0 == 1 { "" } else { "s" })
    }
}

/// A number in groups of three.
pub(in crate::render) struct Thousands(pub(in crate::render) u64);

impl fmt::Display for Thousands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 1000 {
            return write!(f, "{}", self.0);
        }
        write!(f, "{},{:03}", Self(self.0 / 1000), self.0 % 1000)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Bytes, Count, Elapsed, Since, TimeOfDay};
    use crate::transcript::{Stamp, TimeBasis};

    fn stamp(micros: i64) -> Stamp {
        let at = jiff::Timestamp::from_microsecond(micros).expect("in range");
        Stamp { at, digits: 6, basis: TimeBasis::Recorded }
    }

    #[test]
    fn durations_keep_two_digits_and_a_unit() {
        for (micros, text) in [
            (0, "<0.01 ms"),
            (312, "0.31 ms"),
            (999, "1.0 ms"),
            (4_012, "4.0 ms"),
            (31_250, "31 ms"),
            (999_600, "1.0 s"),
            (61_200_000, "61.2 s"),
            (161_200_000, "2 min 41 s"),
            (7_500_000_000, "2 h 5 min"),
        ] {
            assert_eq!(Elapsed(Duration::from_micros(micros)).to_string(), text);
        }
    }

    #[test]
    fn times_count_from_the_start_and_may_run_backwards() {
        let since = |from, to| Since { start: stamp(from), at: stamp(to) }.to_string();
        assert_eq!(since(1_000_000, 1_031_999), "+0.031");
        assert_eq!(since(1_000_000, 996_000), "-0.004");
        assert_eq!(since(0, 11_251_000_000), "+3:07:31");
    }

    #[test]
    fn time_of_day_has_the_digits_that_were_recorded() {
        let zone = jiff::tz::TimeZone::UTC;
        let text = |at| TimeOfDay { at, zone: &zone }.to_string();
        let at = stamp(3_723_045_678);
        assert_eq!(text(at), "01:02:03.045");
        assert_eq!(text(Stamp { digits: 1, ..at }), "01:02:03.0");
        assert_eq!(text(Stamp { digits: 0, basis: TimeBasis::ZoneAssumed, ..at }), "01:02:03~");
    }

    #[test]
    fn sizes_and_counts() {
        assert_eq!(Bytes(812).to_string(), "812 B");
        assert_eq!(Bytes(8_142).to_string(), "8.1 kB");
        assert_eq!(Bytes(99_999).to_string(), "100 kB");
        assert_eq!(Bytes(1_234_567).to_string(), "1.2 MB");
        assert_eq!(Count(1, "request").to_string(), "1 request");
        assert_eq!(Count(1_204_007, "request").to_string(), "1,204,007 requests");
    }
}
