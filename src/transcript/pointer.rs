//! Finds values in a JSON object by pointers, all of them in one pass, and gives the text of strings. Keeps places
//! instead of values, so that what was found outlives the borrow.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Names from the top of an entry to a value; none: the entry itself. A name in square brackets is the `key` of an
/// element of an array of `{"key", "value"}`, as OpenTelemetry writes attributes, and stands for what `value` wraps; a
/// number is the place in an array.
pub type Pointer = &'static [&'static str];

/// Pointers that one reader can have, all together.
pub(super) const SLOTS: usize = 32;

/// Different pointers, each with a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointers {
    pointers: [Pointer; SLOTS],
    used: usize,
}

/// Where in the text the values stand that the slots lead to.
#[derive(Clone, Debug)]
pub(super) struct Found([Range<usize>; SLOTS]);

impl Pointers {
    pub(super) fn new() -> Self {
        Self { pointers: [&[]; SLOTS], used: 0 }
    }

    /// The slot of a pointer. Beyond [`SLOTS`] nothing is found: the rows are tested, and those of users are refused.
    pub(super) fn slot(&mut self, pointer: Pointer) -> usize {
        if let Some(slot) = self.pointers[..self.used].iter().position(|known| *known == pointer) {
            return slot;
        }
        let slot = self.used.min(SLOTS - 1);
        self.pointers[slot] = pointer;
        self.used = (self.used + 1).min(SLOTS);
        slot
    }

    pub(super) fn get(&self, slot: usize) -> Pointer {
        self.pointers[slot]
    }

    /// What the pointers lead to, if the text is one whole object and nothing else.
    pub(super) fn find(&self, text: &str) -> Option<Found> {
        let mut found = Found(std::array::from_fn(|_| 0..0));
        let mut active = 0;
        for (slot, pointer) in self.pointers[..self.used].iter().enumerate() {
            match pointer {
                [] => found.0[slot] = outer(text),
                _ => active |= 1 << slot,
            }
        }
        if !text.trim_ascii_start().starts_with('{') {
            return None;
        }
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let walk = Walk { pointers: self, depth: 0, active, base: text.as_ptr().addr(), found: &mut found };
        deserializer.deserialize_map(walk).ok()?;
        deserializer.end().ok()?;
        Some(found)
    }
}

fn outer(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_ascii_start().len();
    start..start + text.trim_ascii().len()
}

impl Found {
    /// Where the value of a slot stands, quotes included. `null` counts as nothing.
    pub(super) fn place(&self, slot: usize, text: &str) -> Option<Range<usize>> {
        let place = self.0[slot].clone();
        (!place.is_empty() && &text[place.clone()] != "null").then_some(place)
    }

    /// The token of a slot, as written.
    pub(super) fn token<'t>(&self, slot: usize, text: &'t str) -> Option<&'t str> {
        self.place(slot, text).map(|place| &text[place])
    }
}

struct Walk<'w> {
    pointers: &'w Pointers,
    depth: usize,
    /// The pointers whose names so far were met.
    active: u32,
    /// Where the text begins in memory.
    base: usize,
    found: &'w mut Found,
}

#[derive(Deserialize)]
struct Name<'t>(#[serde(borrow)] Cow<'t, str>);

/// One attribute of OpenTelemetry.
#[derive(Deserialize)]
struct Attribute<'t> {
    #[serde(borrow)]
    key: Cow<'t, str>,
    #[serde(borrow)]
    value: Option<&'t RawValue>,
}

fn slots(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let slot = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (slot < u32::BITS).then_some(slot as usize)
    })
}

impl Walk<'_> {
    /// The active pointers that go on with a name: those that end with it, and those that go deeper.
    fn met(&self, is: impl Fn(&str) -> bool) -> (u32, u32) {
        let (mut ends, mut goes_on) = (0, 0);
        for slot in slots(self.active) {
            let pointer = self.pointers.pointers[slot];
            if is(pointer[self.depth]) {
                *(if pointer.len() == self.depth + 1 { &mut ends } else { &mut goes_on }) |= 1 << slot;
            }
        }
        (ends, goes_on)
    }

    fn take(&mut self, ends: u32, goes_on: u32, value: &str) {
        for slot in slots(ends) {
            let start = value.as_ptr().addr() - self.base;
            self.found.0[slot] = start..start + value.len();
        }
        if goes_on != 0 {
            let deeper = Walk { active: goes_on, depth: self.depth + 1, found: self.found, ..*self };
            let mut deserializer = serde_json::Deserializer::from_str(value);
            // A value that is neither has nothing for the pointer.
            let _ = match value.as_bytes().first() {
                Some(b'{') => deserializer.deserialize_map(deeper),
                Some(b'[') => deserializer.deserialize_seq(deeper),
                _ => Ok(()),
            };
        }
    }
}

impl<'t> Visitor<'t> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'t>>(mut self, mut members: A) -> Result<(), A::Error> {
        while let Some(Name(name)) = members.next_key()? {
            let (ends, goes_on) = self.met(|own| own == name);
            if ends | goes_on == 0 {
                members.next_value::<IgnoredAny>()?;
                continue;
            }
            let value: &'t RawValue = members.next_value()?;
            self.take(ends, goes_on, value.get());
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'t>>(mut self, mut elements: A) -> Result<(), A::Error> {
        let mut index = 0_usize;
        while let Some(element) = elements.next_element::<&'t RawValue>()? {
            let (ends, goes_on) = self.met(|own| own.parse() == Ok(index));
            self.take(ends, goes_on, element.get());
            let keyed = slots(self.active).any(|slot| self.pointers.pointers[slot][self.depth].starts_with('['));
            if keyed
                && let Ok(attribute) = serde_json::from_str::<Attribute<'t>>(element.get())
                && let Some(value) = attribute.value.and_then(|value| wrapped(value.get()))
            {
                let is =
                    |own: &str| own.strip_prefix('[').and_then(|own| own.strip_suffix(']')) == Some(&*attribute.key);
                let (ends, goes_on) = self.met(is);
                self.take(ends, goes_on, value);
            }
            index += 1;
        }
        Ok(())
    }
}

/// What an attribute's value wraps: `{"stringValue": …}`, whatever the type is called.
fn wrapped(value: &str) -> Option<&str> {
    struct First;

    impl<'t> Visitor<'t> for First {
        type Value = Option<&'t RawValue>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'t>>(self, mut members: A) -> Result<Self::Value, A::Error> {
            let first = members.next_entry::<IgnoredAny, &'t RawValue>()?.map(|(_, value)| value);
            while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(first)
        }
    }

    serde_json::Deserializer::from_str(value).deserialize_map(First).ok().flatten().map(RawValue::get)
}

/// The text between the quotes of a string, still escaped; `None` of anything else.
pub(super) fn quoted(token: &str) -> Option<&str> {
    token.strip_prefix('"')?.strip_suffix('"')
}

/// The text that a token stands for: of a string what is between its quotes, decoded into the given place where it has
/// escapes; of anything else the token.
pub(super) fn text_of<'t>(token: &'t str, place: &'t mut String) -> &'t str {
    let Some(inner) = quoted(token) else { return token };
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return inner;
    }
    crate::jsonrpc::decode_into(inner, place);
    place
}
