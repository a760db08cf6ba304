//! One pass over a message object: checks the whole text and notes where the members of JSON-RPC and the members of
//! their bodies stand. Judges nothing.

use super::MemberSpan;
use super::scan::{Fault, Next, Scanner, Token};
use super::text::decode;

/// The most members of one body that are noted.
pub(super) const BODY_CAP: usize = 32;

/// How nearly every message begins: looked for first, because that is cheaper than reading it.
const USUAL: &[u8] = br#"{"jsonrpc":"2.0","#;
/// Where the version stands in it.
const VERSION: (usize, usize) = (11, 16);

/// The top-level members of JSON-RPC 2.0. The bodies come first, their number is their place in [`Bodies`].
#[derive(Clone, Copy)]
pub(super) enum Known {
    Params,
    Result,
    Error,
    Version,
    Id,
    Method,
}

impl Known {
    const COUNT: usize = 6;

    /// The member whose name and colon stand at `at` as nearly everybody writes them, and the place behind: looked for
    /// first, because that is cheaper than reading a name.
    #[inline(always)]
    fn usual(bytes: &[u8], at: usize) -> Option<(Self, usize)> {
        let rest = bytes.get(at..)?;
        let is = |written: &[u8], member| rest.starts_with(written).then_some((member, at + written.len()));
        match rest.get(1)? {
            b'i' => is(br#""id":"#, Self::Id),
            b'm' => is(br#""method":"#, Self::Method),
            b'p' => is(br#""params":"#, Self::Params),
            b'r' => is(br#""result":"#, Self::Result),
            _ => None,
        }
    }

    /// No two of the names begin alike.
    #[inline(always)]
    fn by_name(name: &[u8]) -> Option<Self> {
        let is = |written: &[u8], member| (name == written).then_some(member);
        match name.first()? {
            b'e' => is(b"error", Self::Error),
            b'i' => is(b"id", Self::Id),
            b'j' => is(b"jsonrpc", Self::Version),
            b'm' => is(b"method", Self::Method),
            b'p' => is(b"params", Self::Params),
            b'r' => is(b"result", Self::Result),
            _ => None,
        }
    }

    #[inline(always)]
    fn is_body(self) -> bool {
        matches!(self, Self::Params | Self::Result | Self::Error)
    }
}

/// Scratch space: the spans of the members of `params`, `result` and `error`, [`BODY_CAP`] places for each, so that
/// a message full of doubled members cannot make it grow. Empty before the first body.
#[derive(Debug, Default)]
pub(super) struct Bodies(Vec<MemberSpan>);

impl Bodies {
    /// The places for the spans of one body.
    #[inline]
    fn places(&mut self, place: usize) -> &mut [MemberSpan] {
        if self.0.is_empty() {
            self.0.resize(3 * BODY_CAP, MemberSpan { name: (0, 0), value: (0, 0) });
        }
        &mut self.0[place * BODY_CAP..][..BODY_CAP]
    }
}

/// Where the members of a message stand.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Start and end of each value; an end of 0 for those that are absent.
    values: [(usize, usize); Known::COUNT],
    /// How many members each body has, or more than [`BODY_CAP`].
    members: [usize; 3],
    /// The method may have escapes.
    pub(super) escaped_method: bool,
    /// A member of JSON-RPC stands twice.
    pub(super) duplicate: bool,
    /// A member that is none of JSON-RPC's.
    pub(super) extra: bool,
}

impl Index {
    /// Whether a member is there.
    #[inline(always)]
    pub(super) fn has(&self, member: Known) -> bool {
        self.values[member as usize].1 > 0
    }

    /// The value of a member in the text that this is the index of; the last one, if there are more.
    #[inline(always)]
    pub(super) fn value<'a>(&self, member: Known, text: &'a str) -> Option<&'a str> {
        let (start, end) = self.values[member as usize];
        (end > 0).then(|| &text[start..end])
    }

    /// The spans that were noted for a body, and whether it has more members than that.
    #[inline]
    pub(super) fn body<'b>(&self, member: Known, bodies: &'b Bodies) -> (&'b [MemberSpan], bool) {
        let (place, count) = (member as usize, self.count(member));
        let spans = bodies.0.get(place * BODY_CAP..).unwrap_or_default();
        (&spans[..count.min(BODY_CAP)], count > BODY_CAP)
    }

    /// How many members a body has, or more than [`BODY_CAP`].
    #[inline(always)]
    pub(super) fn count(&self, member: Known) -> usize {
        self.members[member as usize]
    }

    /// Fills an empty index from the object at the beginning of `text`; gives the offset behind it.
    #[inline(always)]
    pub(super) fn fill(&mut self, text: &str, bodies: &mut Bodies, scanner: &mut Scanner<'_>) -> Result<usize, Fault> {
        let usual = text.as_bytes().starts_with(USUAL);
        if usual {
            self.values[Known::Version as usize] = VERSION;
        }
        let first = scanner.token(if usual { USUAL.len() } else { 1 });
        if !usual && first.first == b'}' {
            return Ok(first.at + 1);
        }
        let mut next = scanner.first_name(first.at)?;
        loop {
            let name = match next {
                Next::Name(quote) => quote,
                Next::End(end) => return Ok(end),
            };
            let (known, start) = match Known::usual(text.as_bytes(), name) {
                Some((member, behind)) => (Some(member), scanner.token(behind)),
                None => {
                    let (behind, start) = scanner.name(name)?;
                    (known(text, (name + 1, behind - 1)), start)
                }
            };
            let end = match known {
                Some(member) if member.is_body() => self.note_body(member, start, bodies, scanner)?,
                _ => scanner.value(start)?,
            };
            match known {
                Some(member) => {
                    self.duplicate |= self.has(member);
                    self.values[member as usize] = (start.at, end);
                    if let Known::Method = member {
                        self.escaped_method = scanner.escapes;
                    }
                }
                None => self.extra = true,
            }
            next = scanner.next_member(end)?;
        }
    }

    /// Scans the value of a body and notes its members.
    #[inline(always)]
    fn note_body(
        &mut self,
        member: Known,
        start: Token,
        bodies: &mut Bodies,
        scanner: &mut Scanner<'_>,
    ) -> Result<usize, Fault> {
        let place = member as usize;
        self.members[place] = 0;
        if start.first != b'{' {
            return scanner.value(start);
        }
        let first = scanner.token(start.at + 1);
        if first.first == b'}' {
            return Ok(first.at + 1);
        }
        let spans = bodies.places(place);
        let mut count = 0;
        let mut next = scanner.first_name(first.at)?;
        loop {
            let name = match next {
                Next::Name(quote) => quote,
                Next::End(end) => {
                    self.members[place] = count;
                    return Ok(end);
                }
            };
            let (behind, value) = scanner.name(name)?;
            let end = scanner.value(value)?;
            if let Some(span) = spans.get_mut(count) {
                *span = MemberSpan { name: (name + 1, behind - 1), value: (value.at, end) };
            }
            count += 1;
            next = scanner.next_member(end)?;
        }
    }
}

/// Which member of JSON-RPC a name is, however it is spelled.
#[inline(always)]
fn known(text: &str, (start, end): (usize, usize)) -> Option<Known> {
    let name = &text.as_bytes()[start..end];
    Known::by_name(name).or_else(|| {
        let escaped = memchr::memchr(b'\\', name).is_some();
        escaped.then(|| Known::by_name(decode(&text[start..end]).as_bytes())).flatten()
    })
}
