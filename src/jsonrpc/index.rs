//! One pass over a message object: checks the whole text and notes where the members of JSON-RPC and the members of
//! their bodies stand. Judges nothing.

use std::ops::Range;

use super::MemberSpan;
use super::scan::{self, Fault, Stack, gap, peek};
use super::text::decode;

/// The most members of one body that are noted.
pub(super) const BODY_CAP: usize = 32;

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

    fn by_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"jsonrpc" => Self::Version,
            b"id" => Self::Id,
            b"method" => Self::Method,
            b"params" => Self::Params,
            b"result" => Self::Result,
            b"error" => Self::Error,
            _ => return None,
        })
    }

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
#[derive(Default)]
pub(super) struct Index {
    values: [Option<(usize, usize)>; Known::COUNT],
    /// How many members each body has, or more than [`BODY_CAP`].
    members: [usize; 3],
    /// A member of JSON-RPC stands twice.
    pub(super) duplicate: bool,
    /// A member that is none of JSON-RPC's.
    pub(super) extra: bool,
}

impl Index {
    /// Where the value of a member stands; the last one, if there are more.
    #[inline]
    pub(super) fn value(&self, member: Known) -> Option<Range<usize>> {
        self.values[member as usize].map(|(start, end)| start..end)
    }

    /// The spans that were noted for a body, and whether it has more members than that.
    pub(super) fn body<'b>(&self, member: Known, bodies: &'b Bodies) -> (&'b [MemberSpan], bool) {
        let place = member as usize;
        let count = self.members[place];
        let spans = bodies.0.get(place * BODY_CAP..).unwrap_or_default();
        (&spans[..count.min(BODY_CAP)], count > BODY_CAP)
    }

    /// Fills an empty index from the object that starts at the beginning of `text`; gives the offset behind it.
    pub(super) fn fill(&mut self, text: &str, bodies: &mut Bodies, stack: &mut Stack) -> Result<usize, Fault> {
        let bytes = text.as_bytes();
        members(bytes, 0, stack, |name, start, stack| {
            let known = known(text, name);
            let end = match known {
                Some(member) if member.is_body() => self.note_body(member, bytes, start, bodies, stack)?,
                _ => scan::value(bytes, start, stack)?,
            };
            match known {
                Some(member) => self.duplicate |= self.values[member as usize].replace((start, end)).is_some(),
                None => self.extra = true,
            }
            Ok(end)
        })
    }

    /// Scans the value of a body and notes its members.
    #[inline]
    fn note_body(
        &mut self,
        member: Known,
        bytes: &[u8],
        start: usize,
        bodies: &mut Bodies,
        stack: &mut Stack,
    ) -> Result<usize, Fault> {
        let place = member as usize;
        let mut count = 0;
        let end = if peek(bytes, start) == b'{' {
            let spans = bodies.places(place);
            members(bytes, start, stack, |name, start, stack| {
                let end = scan::value(bytes, start, stack)?;
                if let Some(span) = spans.get_mut(count) {
                    *span = MemberSpan { name, value: (start, end) };
                }
                count += 1;
                Ok(end)
            })?
        } else {
            scan::value(bytes, start, stack)?
        };
        self.members[place] = count;
        Ok(end)
    }
}

/// Scans the object at `start`. `each` gets where a name stands (without quotes) and where its value starts, and scans
/// the value. Gives the offset behind the object.
#[inline(always)]
fn members(
    bytes: &[u8],
    start: usize,
    stack: &mut Stack,
    mut each: impl FnMut((usize, usize), usize, &mut Stack) -> Result<usize, Fault>,
) -> Result<usize, Fault> {
    let mut at = gap(bytes, start + 1, &mut stack.seen);
    if peek(bytes, at) == b'}' {
        return Ok(at + 1);
    }
    loop {
        if peek(bytes, at) != b'"' {
            return Err(Fault(at));
        }
        let name_end = scan::string(bytes, at + 1, &mut stack.seen)?;
        let value = scan::colon(bytes, name_end, &mut stack.seen)?;
        let end = each((at + 1, name_end - 1), value, stack)?;
        at = gap(bytes, end, &mut stack.seen);
        match peek(bytes, at) {
            b',' => at = gap(bytes, at + 1, &mut stack.seen),
            b'}' => return Ok(at + 1),
            _ => return Err(Fault(at)),
        }
    }
}

/// Which member of JSON-RPC a name is, however it is spelled.
#[inline]
fn known(text: &str, (start, end): (usize, usize)) -> Option<Known> {
    let name = &text[start..end];
    Known::by_name(name.as_bytes())
        .or_else(|| if name.contains('\\') { Known::by_name(decode(name).as_bytes()) } else { None })
}
