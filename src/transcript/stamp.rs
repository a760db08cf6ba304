//! Reads points in time as logs write them, and how precisely they were written. `jiff` is the truth; the common
//! form has a quick way that gives the same.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::{Stamp, TimeBasis};

/// RFC 3339, also without an offset: then the zone is assumed.
pub(super) fn rfc3339(text: &str, zone: &TimeZone) -> Option<Stamp> {
    if let Some(stamp) = utc(text.as_bytes()) {
        return Some(stamp);
    }
    if let Some(short) = without_excess(text) {
        return rfc3339(&short, zone);
    }
    let digits = fraction_digits(text);
    if let Ok(at) = text.parse() {
        return Some(Stamp { at, digits, basis: TimeBasis::Recorded });
    }
    let local: DateTime = text.parse().ok()?;
    let at = zone.to_timestamp(local).ok()?;
    Some(Stamp { at, digits, basis: TimeBasis::ZoneAssumed })
}

/// `2025-01-02T03:04:05.678Z`, with up to nine fractional digits or none, and nothing else.
pub(super) fn utc(text: &[u8]) -> Option<Stamp> {
    let (clock, rest) = text.split_at_checked(19)?;
    if clock[10] != b'T' {
        return None;
    }
    let fraction = match rest {
        [b'Z'] => &rest[..0],
        [b'.', digits @ .., b'Z'] if matches!(digits.len(), 1..=9) => digits,
        _ => return None,
    };
    Some(Stamp { at: instant(clock, fraction)?, digits: digits_of(fraction), basis: TimeBasis::Recorded })
}

/// The time with which Rich begins a line, and the text behind it: `[01/02/25 03:04:05]`.
pub(super) fn of_rich<'t>(line: &'t str, zone: &TimeZone) -> Option<(Stamp, &'t str)> {
    let inner = line.strip_prefix('[')?;
    let [m1, m2, b'/', d1, d2, b'/', y1, y2, clock @ ..] = inner.as_bytes().get(..17)? else { return None };
    let mut written = *b"20yy-mm-dd hh:mm:ss";
    written[2..4].copy_from_slice(&[*y1, *y2]);
    written[5..7].copy_from_slice(&[*m1, *m2]);
    written[8..10].copy_from_slice(&[*d1, *d2]);
    written[10..].copy_from_slice(clock);
    let (stamp, _) = leading(str::from_utf8(&written).ok()?, zone)?;
    Some((stamp, inner[17..].strip_prefix(']')?))
}

/// The time at the start of a line, and the text behind it: `2025-01-02 03:04:05`, with `T` or blank between date and
/// time, `-` or `/` in the date, maybe a fraction behind dot or comma, maybe `Z` or an offset like `+02:00` or
/// `+0200`. Without either the time is local to the zone.
pub(super) fn leading<'t>(line: &'t str, zone: &TimeZone) -> Option<(Stamp, &'t str)> {
    let bytes = line.as_bytes();
    let (clock, rest) = bytes.split_at_checked(19)?;
    if !matches!(clock[10], b'T' | b't' | b' ') {
        return None;
    }
    let digits = match rest {
        [b'.' | b',', digits @ ..] => digits.iter().take_while(|byte| byte.is_ascii_digit()).count(),
        _ => 0,
    };
    let fraction = if digits == 0 { &rest[..0] } else { &rest[1..=digits] };
    let behind = 19 + if digits == 0 { 0 } else { 1 + digits };
    let fraction = &fraction[..digits.min(9)];
    let written = instant(clock, fraction)?;
    let digits = digits_of(fraction);
    let (offset, length) = match &bytes[behind..] {
        [b'Z' | b'z', ..] => (Some(0), 1),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2, ..] => (offset(*sign, [*h1, *h2, *m1, *m2]), 6),
        [sign @ (b'+' | b'-'), h1, h2, m1, m2, ..] => (offset(*sign, [*h1, *h2, *m1, *m2]), 5),
        _ => (None, 0),
    };
    let Some(offset) = offset else {
        // As written, the time is that of the zone, not of UTC.
        let local = TimeZone::UTC.to_datetime(written);
        let at = zone.to_timestamp(local).ok()?;
        return Some((Stamp { at, digits, basis: TimeBasis::ZoneAssumed }, &line[behind..]));
    };
    let at = written.checked_sub(jiff::SignedDuration::from_secs(offset)).ok()?;
    Some((Stamp { at, digits, basis: TimeBasis::Recorded }, &line[behind + length..]))
}

/// Seconds east of UTC.
fn offset(sign: u8, digits: [u8; 4]) -> Option<i64> {
    let (hours, minutes) = (number(&digits[..2])?, number(&digits[2..])?);
    let seconds = hours * 3_600 + minutes * 60;
    (hours < 24 && minutes < 60).then_some(if sign == b'-' { -seconds } else { seconds })
}

/// The instant of a date and a time of nineteen bytes, read as UTC, and of up to nine digits below the second.
fn instant(clock: &[u8], fraction: &[u8]) -> Option<Timestamp> {
    let dashes = [clock[4], clock[7]];
    if (dashes != [b'-', b'-'] && dashes != [b'/', b'/']) || clock[13] != b':' || clock[16] != b':' {
        return None;
    }
    let (year, month, day) = (number(&clock[..4])?, number(&clock[5..7])?, number(&clock[8..10])?);
    let (hour, minute, second) = (number(&clock[11..13])?, number(&clock[14..16])?, number(&clock[17..19])?);
    if !(1..=12).contains(&month) || !(1..=days_of(year, month)).contains(&day) {
        return None;
    }
    // A leap second is rare enough to be left to the slow way.
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let seconds = days_from_epoch(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second;
    let nanoseconds = number(fraction)? * 10_i64.pow(9 - u32::from(digits_of(fraction)));
    Timestamp::new(seconds, i32::try_from(nanoseconds).ok()?).ok()
}

/// How many digits, nine at most.
fn digits_of(fraction: &[u8]) -> u8 {
    u8::try_from(fraction.len()).unwrap_or(9)
}

/// A decimal count of units since the epoch; a unit is `10^-scale` seconds, so 3 for milliseconds.
pub(super) fn epoch(text: &str, scale: u8) -> Option<Stamp> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole.bytes().chain(fraction.bytes());
    // Nine digits below the second are all that counts; what is finer is cut off.
    let kept = 9_usize.checked_sub(usize::from(scale))?;
    if whole.is_empty() || whole.len() > 24 || !digits.clone().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let mut nanoseconds = 0_i128;
    for digit in digits.chain(std::iter::repeat(b'0')).take(whole.len() + kept) {
        nanoseconds = nanoseconds * 10 + i128::from(digit - b'0');
    }
    let nanoseconds = if negative { -nanoseconds } else { nanoseconds };
    let at = Timestamp::from_nanosecond(nanoseconds).ok()?;
    let recorded = fraction.len().min(kept) + usize::from(scale);
    Some(Stamp { at, digits: u8::try_from(recorded).ok()?, basis: TimeBasis::Recorded })
}

/// Units since some start, maybe with a fraction.
pub(super) fn elapsed(text: &str, scale: u8) -> Option<Stamp> {
    Some(Stamp { basis: TimeBasis::Elapsed, ..epoch(text, scale)? })
}

/// The text with nine fractional digits, if it has more: nothing here is finer.
fn without_excess(text: &str) -> Option<String> {
    let fraction = text.find(['.', ','])? + 1;
    let digits = text[fraction..].bytes().take_while(u8::is_ascii_digit).count();
    (digits > 9).then(|| format!("{}{}", &text[..fraction + 9], &text[fraction + digits..]))
}

fn fraction_digits(text: &str) -> u8 {
    let Some(dot) = text.bytes().position(|byte| matches!(byte, b'.' | b',')) else { return 0 };
    let digits = text.bytes().skip(dot + 1).take_while(u8::is_ascii_digit).take(9).count();
    u8::try_from(digits).unwrap_or(9)
}

fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0_i64, |value, digit| digit.is_ascii_digit().then(|| value * 10 + i64::from(digit - b'0')))
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

fn days_from_epoch(year: i64, month: i64, day: i64) -> i64 {
    /// From the first of March of the year 0 to the first of January 1970.
    const EPOCH: i64 = 719_468;
    // Counted in years that begin in March, so that the leap day is the last.
    let year = if month <= 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + day_of_year;
    days - EPOCH
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(stamp: Stamp) -> (String, u8) {
        (stamp.at.to_string(), stamp.digits)
    }

    #[test]
    fn keeps_the_digits_that_were_written() {
        let zone = TimeZone::UTC;
        for (text, instant, digits) in [
            ("2025-05-17T11:10:16.774Z", "2025-05-17T11:10:16.774Z", 3),
            ("2025-05-17T11:10:16Z", "2025-05-17T11:10:16Z", 0),
            ("2024-02-29T23:59:59.123456789Z", "2024-02-29T23:59:59.123456789Z", 9),
            ("2025-05-17T11:10:16.700+02:00", "2025-05-17T09:10:16.7Z", 3),
        ] {
            assert_eq!(said(rfc3339(text, &zone).unwrap()), (instant.to_owned(), digits), "{text}");
        }
    }

    #[test]
    fn a_time_without_zone_is_assumed_to_be_in_the_given_one() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let stamp = rfc3339("2025-05-17 11:10:16.774", &zone).unwrap();
        assert_eq!(said(stamp), ("2025-05-17T09:10:16.774Z".to_owned(), 3));
        assert_eq!(stamp.basis, TimeBasis::ZoneAssumed);
    }

    #[test]
    fn counts_of_units() {
        assert_eq!(said(epoch("1700000000", 0).unwrap()), ("2023-11-14T22:13:20Z".to_owned(), 0));
        assert_eq!(said(epoch("1700000000.25", 0).unwrap()), ("2023-11-14T22:13:20.25Z".to_owned(), 2));
        assert_eq!(said(epoch("1700000000123", 3).unwrap()), ("2023-11-14T22:13:20.123Z".to_owned(), 3));
        assert_eq!(said(epoch("1700000000123456", 6).unwrap()), ("2023-11-14T22:13:20.123456Z".to_owned(), 6));
        assert_eq!(said(epoch("-1.5", 0).unwrap()), ("1969-12-31T23:59:58.5Z".to_owned(), 1));
        for bad in ["", "-", "1e9", "now", "999999999999999999999999", ".5"] {
            assert!(epoch(bad, 0).is_none(), "{bad}");
        }
    }

    #[test]
    fn no_time_is_no_time() {
        for bad in [
            "",
            "2025-13-01T00:00:00Z",
            "2025-02-29T00:00:00Z",
            "2025-01-01T24:00:00Z",
            "yesterday",
            "é".repeat(12).as_str(),
        ] {
            assert!(rfc3339(bad, &TimeZone::UTC).is_none(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn the_quick_way_is_the_slow_way(second in -62_135_596_800_i64..253_402_207_200, nano in 0..1_000_000_000_i32) {
            let text = Timestamp::new(second, nano).unwrap().to_string();
            prop_assert_eq!(utc(text.as_bytes()).map(|stamp| stamp.at), text.parse().ok());
        }

        #[test]
        fn a_leading_time_is_read_like_a_whole_one(
            second in -62_135_596_800_i64..253_402_207_200,
            nano in 0..1_000_000_000_i32,
            behind in "( [a-z\\[]{0,4})?",
            hours in -14..=14_i8,
        ) {
            let at = Timestamp::new(second, nano).unwrap();
            let zone = TimeZone::fixed(jiff::tz::offset(hours));
            let written = zone.to_datetime(at).to_string();
            for (form, told) in [
                (format!("{written}{hours:+03}:00"), TimeBasis::Recorded),
                (format!("{}{hours:+03}00", written.replace('-', "/").replace('T', " ")), TimeBasis::Recorded),
                (written.replace('T', " ").replace('.', ","), TimeBasis::ZoneAssumed),
            ] {
                let line = format!("{form}{behind}");
                let (stamp, rest) = leading(&line, &zone).unwrap();
                prop_assert_eq!((stamp.at, stamp.basis, rest), (at, told, behind.as_str()), "{}", line);
            }
        }

        #[test]
        fn any_text_is_survived(text in "[0-9T:.Z+-]{0,32}") {
            let _ = (rfc3339(&text, &TimeZone::UTC), leading(&text, &TimeZone::UTC));
            let _ = (epoch(&text, 0), epoch(&text, 9), elapsed(&text, 3));
        }
    }
}
