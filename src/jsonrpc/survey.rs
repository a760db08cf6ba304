//! One more look at a whole message, for those who then walk it many times: where its long values end, and whether a name
//! stands twice in one object. Judges nothing and knows no name of its own.

use std::collections::HashSet;

use super::RawJson;
use super::scan::{Next, Scanner, Token, Watch, peek, trimmed};

/// Values from so many bytes on are noted; what is shorter is as quick to read again.
const LONG: usize = 128;
/// Long values that are noted of one message. What lies beyond is read again each time.
const MAX_LONG: usize = 16_384;
/// Objects and arrays in each other that are looked into.
const MAX_DEPTH: usize = 1_024;
/// From so many members on, names are looked up by their hash.
const MANY: usize = 24;
/// Not below so many levels, where looking ahead at every level would take too long.
const DEEPEST: usize = 64;
/// Names of one object that are compared.
const MAX_NAMES: usize = 100_000;

/// Where the long values of a text end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ends {
    /// The address of the text, so that pieces of it find their place.
    address: usize,
    /// Start and end of each, by their start.
    long: Vec<(usize, usize)>,
    /// No name stands twice in one object, so that the first is the last.
    pub(super) unique: bool,
}

impl Ends {
    /// The place in `text`, a piece of the whole, behind the long value that starts at `at`.
    pub(super) fn behind(&self, text: &str, at: usize) -> Option<usize> {
        if text.len() - at < LONG || !matches!(peek(text.as_bytes(), at), b'"' | b'{' | b'[') {
            return None;
        }
        let start = text.as_ptr().addr().checked_sub(self.address)? + at;
        let found = self.long.binary_search_by_key(&start, |(start, _)| *start).ok()?;
        let end = self.long[found].1 - start + at;
        (end <= text.len()).then_some(end)
    }
}

/// What was seen of the last message. Its space is used again for the next.
#[derive(Debug, Default)]
pub struct Survey {
    ends: Ends,
    open: Vec<Open>,
    /// Levels beyond [`MAX_DEPTH`].
    beyond: usize,
    /// The names of all open objects, as places.
    names: Vec<(usize, usize)>,
    repeated: Option<(usize, usize)>,
    /// Names of some objects were not compared.
    unseen: bool,
    /// A name that is looked out for.
    wanted: &'static str,
    below: usize,
    seen: bool,
}

/// An object or array that has not ended.
#[derive(Debug)]
struct Open {
    /// Its place among the long values, if there was room.
    long: Option<usize>,
    start: usize,
    /// Where its names begin.
    names: usize,
}

impl Survey {
    /// Looks out for a name inside of more than so many objects and arrays.
    pub fn for_name(wanted: &'static str, below: usize) -> Self {
        Self { wanted, below, ..Self::default() }
    }

    /// Looks at a whole message, or at anything else that was found to be one JSON value. Of other text nothing is seen.
    pub fn read(&mut self, text: &str) {
        self.value(text);
    }

    /// The same; gives the value.
    pub fn value<'s>(&'s mut self, text: &'s str) -> Option<RawJson<'s>> {
        self.clear();
        let text = trimmed(text);
        self.ends.address = text.as_ptr().addr();
        let start = Token { at: 0, first: peek(text.as_bytes(), 0) };
        let mut scanner = Scanner::new(text);
        let end = match start.first {
            b'{' | b'[' => scanner.watch(start, &mut Watching { text, survey: self }),
            _ => scanner.value(start),
        };
        if end != Ok(text.len()) {
            self.clear();
            return None;
        }
        // Two spellings of one name are not told apart here.
        self.ends.unique = !scanner.escaped_names && !self.unseen && self.repeated.is_none();
        Some(RawJson::valid(text).surveyed(self))
    }

    fn clear(&mut self) {
        self.ends.long.clear();
        self.open.clear();
        self.names.clear();
        (self.ends.unique, self.beyond, self.repeated, self.unseen, self.seen) = (false, 0, None, false, false);
    }

    pub(super) fn ends(&self) -> &Ends {
        &self.ends
    }

    /// The first name that stands twice in one object of this text, where it stands the second time.
    pub fn repeated<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.repeated.and_then(|(start, end)| text.get(start..end))
    }

    /// Whether the names of every object were compared: too many and those too deep are not.
    pub fn is_whole(&self) -> bool {
        !self.unseen
    }

    /// Whether the name that is looked out for was there.
    pub fn has_name(&self) -> bool {
        self.seen
    }
}

struct Watching<'t, 's> {
    text: &'t str,
    survey: &'s mut Survey,
}

impl Watch for Watching<'_, '_> {
    fn open(&mut self, start: usize) {
        let Survey { ends, open, names, beyond, unseen, .. } = self.survey;
        if open.len() == MAX_DEPTH {
            *beyond += 1;
            *unseen = true;
            return;
        }
        let long = (ends.long.len() < MAX_LONG).then_some(ends.long.len());
        if long.is_some() {
            ends.long.push((start, start));
        }
        open.push(Open { long, start, names: names.len() });
    }

    fn close(&mut self, end: usize) {
        let Survey { ends, open, names, beyond, .. } = self.survey;
        if *beyond > 0 {
            *beyond -= 1;
            return;
        }
        let Some(closed) = open.pop() else { return };
        names.truncate(closed.names);
        match closed.long {
            // Nothing inside of it is longer.
            Some(place) if end - closed.start < LONG => ends.long.truncate(place),
            Some(place) => ends.long[place].1 = end,
            None => {}
        }
    }

    fn name(&mut self, start: usize, end: usize) {
        let Survey { open, names, beyond, repeated, unseen, wanted, below, seen, .. } = self.survey;
        let Some(object) = open.last().filter(|_| *beyond == 0) else { return };
        let name = &self.text[start..end];
        *seen |= open.len() > *below && name == *wanted;
        let known = &names[object.names..];
        if repeated.is_some() || known.len() > MANY {
            return;
        }
        if known.iter().any(|(start, end)| &self.text[*start..*end] == name) {
            *repeated = Some((start, end));
        } else if known.len() == MANY {
            // Rare: the rest of this object is looked at by itself, if it is not too much.
            match (open.len() <= DEEPEST).then(|| repeated_in_large(self.text, known, start)) {
                Some(Ok(found)) => *repeated = found,
                Some(Err(TooMany)) | None => *unseen = true,
            }
        }
        names.push((start, end));
    }

    fn string(&mut self, start: usize, end: usize) {
        let long = &mut self.survey.ends.long;
        if end - start >= LONG && long.len() < MAX_LONG {
            long.push((start, end));
        }
    }
}

/// An object has more than [`MAX_NAMES`] members.
struct TooMany;

/// The first repeated name of one object with many members, from the name that stands at `start` on.
fn repeated_in_large(text: &str, known: &[(usize, usize)], start: usize) -> Result<Option<(usize, usize)>, TooMany> {
    let mut names: HashSet<&str> = known.iter().map(|(start, end)| &text[*start..*end]).collect();
    let mut scanner = Scanner::new(text);
    let mut name = start - 1;
    while names.len() < MAX_NAMES {
        let Ok((behind, value)) = scanner.name(name) else { return Ok(None) };
        let place = (name + 1, behind - 1);
        if !names.insert(&text[place.0..place.1]) {
            return Ok(Some(place));
        }
        let end = scanner.skip(value.at);
        let Ok(Next::Name(next)) = scanner.next_member(end) else { return Ok(None) };
        name = next;
    }
    Err(TooMany)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn repeated(text: &str) -> Option<&str> {
        let mut survey = Survey::default();
        survey.read(text);
        survey.repeated(text)
    }

    #[test]
    fn repeated_members_are_found_at_every_depth() {
        assert_eq!(repeated(r#"{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}"#), None);
        assert_eq!(repeated(r#"{"a":{"b":1,"b" :2}}"#), Some("b"));
        assert_eq!(repeated(r#"{"a":1,"x":["a",{"q":"}"}],"a":2}"#), Some("a"));
        assert_eq!(repeated(r#"{"a":"a","b":"\"a\":"}"#), None);
        let many: String = (0..500).map(|n| format!("\"k{n}\":{{\"k1\":{n}}},")).collect();
        assert_eq!(repeated(&format!("{{{many}\"last\":1}}")), None);
        assert_eq!(repeated(&format!("{{{many}\"k30\":1}}")), Some("k30"));
        assert_eq!(repeated(&format!("{{{many}\"k3\":1}}")), Some("k3"));
    }

    #[test]
    fn of_a_name_that_stands_twice_the_last_counts() {
        let many: String = (0..30).map(|n| format!("\"k{n}\":{n},")).collect();
        for text in [r#"{"a":1,"a":2}"#, r#"{"a":1,"\u0061":2}"#, &format!("{{{many}\"a\":1,\"a\":2}}")] {
            let mut survey = Survey::default();
            assert_eq!(survey.value(text).unwrap().get("a").unwrap().text(), "2", "{text}");
        }
    }

    #[test]
    fn nothing_grows_with_depth_or_length() {
        let mut survey = Survey::default();
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        survey.read(&deep);
        assert!(survey.open.capacity() <= 2 * MAX_DEPTH && survey.open.is_empty());
        let long = format!("[{}1]", format!("\"{}\",", "x".repeat(LONG)).repeat(2 * MAX_LONG));
        survey.read(&long);
        assert_eq!(survey.ends.long.len(), MAX_LONG);
        let last = RawJson::new(&long).unwrap().surveyed(&survey).elements().last();
        assert_eq!(last.unwrap().text(), "1");
    }

    #[test]
    fn a_name_is_seen_below_a_depth() {
        let mut survey = Survey::for_name("_meta", 1);
        survey.read(r#"{"_meta":{"a":1}}"#);
        assert!(!survey.has_name());
        survey.read(r#"{"params":[{"_meta":1}]}"#);
        assert!(survey.has_name());
        survey.read("no JSON");
        assert!(!survey.has_name());
    }

    /// Every value of a tree, by two ways.
    fn compare(plain: RawJson<'_>, surveyed: RawJson<'_>) {
        assert_eq!(plain.text(), surveyed.text());
        let (left, right): (Vec<_>, Vec<_>) = (plain.members().collect(), surveyed.members().collect());
        assert_eq!(left, right);
        left.iter().zip(&right).for_each(|((_, left), (_, right))| compare(*left, *right));
        let (left, right): (Vec<_>, Vec<_>) = (plain.elements().collect(), surveyed.elements().collect());
        assert_eq!(left, right);
        left.iter().zip(&right).for_each(|(left, right)| compare(*left, *right));
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<i32>().prop_map(Value::from),
            "[a-z\"\\\\ {}\\[\\],:]{0,8}".prop_map(Value::from),
            "[a-z\"\\\\]{120,200}".prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 60, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::hash_map("[a-z\"]{0,5}", inner, 0..6).prop_map(Value::from_iter),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_surveyed_value_is_walked_like_any_other(value in value(), pretty in any::<bool>()) {
            let text = if pretty { format!("{value:#}") } else { value.to_string() };
            let mut survey = Survey::default();
            survey.read(&text);
            let plain = RawJson::new(&text).unwrap();
            compare(plain, plain.surveyed(&survey));
        }
    }
}
