//! Goes through the text of a JSON value, token by token, and notes what to replace; everything else stays as it is,
//! byte for byte. Text that is no JSON is gone through as far as it looks like it. No recursion along the text: what is
//! open waits on a stack; JSON inside of strings is gone into [`LEVELS`] deep.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr2;
use serde::de::IgnoredAny;

use super::field::is_protected;
use super::names::is_secret;
use super::{Redactor, marker, shapes};

/// How deep JSON in strings of JSON in strings is gone into.
const LEVELS: u32 = 3;

/// What the names above a value say of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Plain,
    /// It ties messages together: only what is a secret by its shape is replaced.
    Protected,
    /// The schema of a secret, with values in some of its members.
    Schema,
    /// A secret by its name, all of it.
    Named,
    /// Chosen by the user, all of it.
    Chosen,
}

/// An open object or array.
struct Open {
    object: bool,
    /// What is inside, unless a name says otherwise.
    mode: Mode,
    /// The names inside are those of properties in a JSON Schema.
    properties: bool,
    /// Chosen fields that lead here, a bit each.
    alive: u64,
    /// Of the next value.
    next: Next,
    /// A member `name` of this object says that its member `value` is a secret.
    name_is_secret: bool,
    value: Option<Range<usize>>,
    role: Role,
    count: usize,
}

#[derive(Clone, Copy)]
struct Next {
    mode: Mode,
    properties: bool,
    alive: u64,
}

/// What the member that comes next is in a pair of name and value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    None,
    Name,
    Value,
}

/// What to replace, by place.
pub(super) struct Tree {
    edits: Vec<(Range<usize>, String)>,
}

impl Tree {
    /// Goes through a message.
    pub(super) fn of_message(text: &str, redactor: &mut Redactor) -> Self {
        Self::of(text, redactor, 0)
    }

    /// The text with everything replaced; `None` when nothing is to be.
    pub(super) fn apply(mut self, text: &str) -> Option<String> {
        if self.edits.is_empty() {
            return None;
        }
        self.edits.sort_by_key(|(range, _)| range.start);
        let mut out = String::with_capacity(text.len());
        let mut copied = 0;
        for (range, new) in &self.edits {
            out.push_str(&text[copied..range.start]);
            out.push_str(new);
            copied = range.end;
        }
        out.push_str(&text[copied..]);
        Some(out)
    }

    fn of(text: &str, redactor: &mut Redactor, level: u32) -> Self {
        let mut walk =
            Walk { text, tree: Self { edits: Vec::new() }, redactor, level, open: Vec::new(), key_next: false };
        walk.run();
        walk.tree
    }
}

struct Walk<'t, 'r> {
    text: &'t str,
    tree: Tree,
    redactor: &'r mut Redactor,
    level: u32,
    open: Vec<Open>,
    key_next: bool,
}

impl Walk<'_, '_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    let end = string_end(bytes, at + 1);
                    self.string(at + 1..end);
                    at = end + 1;
                    continue;
                }
                b'{' | b'[' => self.enter(byte == b'{'),
                b'}' | b']' => self.leave(),
                b',' => self.key_next = self.open.last().is_some_and(|open| open.object),
                b':' => self.key_next = false,
                b' ' | b'\t' | b'\r' | b'\n' => {}
                _ => {
                    let rest = &bytes[at..];
                    let end = rest.iter().position(|byte| b" \t\r\n,:{}[]\"".contains(byte)).unwrap_or(rest.len());
                    self.scalar(at..at + end);
                    at += end;
                    continue;
                }
            }
            at += 1;
        }
        // What was cut off may have ended in a pair.
        while !self.open.is_empty() {
            self.leave();
        }
    }

    fn next(&mut self) -> Next {
        let fields = &self.redactor.fields;
        let top = self.level == 0;
        match self.open.last_mut() {
            None => Next { mode: Mode::Plain, properties: false, alive: if top { u64::MAX } else { 0 } },
            Some(open) if open.object => {
                // A value without a name stands only in text that is no JSON.
                std::mem::replace(&mut open.next, Next { mode: open.mode, properties: false, alive: 0 })
            }
            Some(open) => {
                let name = open.count.to_string();
                let depth = self.open.len() - 1;
                let open = &mut self.open[depth];
                open.count += 1;
                let (chosen, alive) = step(fields, open.alive, depth, &name);
                let mode = if chosen { Mode::Chosen } else { open.next.mode };
                open.next.mode = open.mode;
                Next { mode, properties: false, alive }
            }
        }
    }

    fn enter(&mut self, object: bool) {
        let next = self.next();
        // A container that ties nothing together is gone through as any other.
        let mode = if next.mode == Mode::Protected { Mode::Plain } else { next.mode };
        self.open.push(Open {
            object,
            mode,
            properties: next.properties,
            alive: next.alive,
            next: Next { mode, properties: false, alive: 0 },
            name_is_secret: false,
            value: None,
            role: Role::None,
            count: 0,
        });
        self.key_next = object;
    }

    fn leave(&mut self) {
        let Some(open) = self.open.pop() else { return };
        self.key_next = false;
        if let (true, Some(range)) = (open.name_is_secret, open.value) {
            let value = decoded(&self.text[range.clone()]).into_owned();
            self.tree.edits.retain(|(edited, _)| edited.start != range.start);
            self.whole(range, &value, shapes::NAMED);
        }
    }

    fn string(&mut self, range: Range<usize>) {
        let text = self.text;
        let raw = &text[range.clone()];
        let decoded = decoded(raw);
        if self.key_next {
            self.key(&decoded);
            if let Some(new) = self.redactor.strict(&decoded) {
                self.edit(range, &new);
            }
            return;
        }
        let role = match self.open.last_mut() {
            Some(open) if open.object => std::mem::replace(&mut open.role, Role::None),
            _ => Role::None,
        };
        let next = self.next();
        match next.mode {
            Mode::Chosen if !decoded.is_empty() => self.whole(range, &decoded, shapes::CHOSEN),
            Mode::Named if !decoded.is_empty() => self.whole(range, &decoded, shapes::NAMED),
            Mode::Protected => {
                if let Some(new) = self.redactor.strict(&decoded) {
                    self.edit(range, &new);
                }
            }
            _ => {
                match (role, self.open.last_mut()) {
                    (Role::Name, Some(open)) => open.name_is_secret |= is_secret(&decoded),
                    (Role::Value, Some(open)) => open.value = Some(range.clone()),
                    (_, Some(open)) if !open.object && announces(&decoded) => open.next.mode = Mode::Named,
                    _ => {}
                }
                if let Some(new) = self.inner(&decoded) {
                    self.edit(range, &new);
                }
            }
        }
    }

    /// A string that may be JSON itself.
    fn inner(&mut self, text: &str) -> Option<String> {
        let begins = text.trim_ascii_start().starts_with(['{', '[']);
        if begins && self.level < LEVELS && serde_json::from_str::<IgnoredAny>(text).is_ok() {
            return Tree::of(text, self.redactor, self.level + 1).apply(text);
        }
        self.redactor.text(text)
    }

    fn key(&mut self, name: &str) {
        let depth = self.open.len().saturating_sub(1);
        let top = self.level == 0 && depth == 0;
        let Some(open) = self.open.last_mut() else { return };
        let (chosen, alive) = step(&self.redactor.fields, open.alive, depth, name);
        let valued = || matches!(name, "default" | "const" | "enum" | "example" | "examples");
        let mode = match open.mode {
            Mode::Chosen => Mode::Chosen,
            _ if chosen => Mode::Chosen,
            Mode::Named => Mode::Named,
            _ if top && is_protected(name) => Mode::Protected,
            Mode::Schema if valued() => Mode::Named,
            _ if is_secret(name) && open.properties => Mode::Schema,
            _ if is_secret(name) => Mode::Named,
            Mode::Schema if matches!(name, "items" | "anyOf" | "oneOf" | "allOf") => Mode::Schema,
            _ => Mode::Plain,
        };
        open.next = Next { mode, properties: name == "properties", alive };
        open.role = match name {
            "name" | "key" | "header" | "variable" => Role::Name,
            "value" => Role::Value,
            _ => Role::None,
        };
    }

    fn scalar(&mut self, range: Range<usize>) {
        if self.key_next {
            return;
        }
        let mode = self.next().mode;
        let token = &self.text[range.clone()];
        let new = match token.as_bytes()[0] {
            b'0'..=b'9' | b'-' if token != "0" => "0",
            b't' if mode == Mode::Chosen => "false",
            _ => return,
        };
        let kind = match mode {
            Mode::Chosen => shapes::CHOSEN,
            Mode::Named => shapes::NAMED,
            _ => return,
        };
        self.redactor.counts[kind] += 1;
        self.tree.edits.push((range, new.to_owned()));
    }

    /// Replaces a whole string.
    fn whole(&mut self, range: Range<usize>, value: &str, kind: usize) {
        if !marker::is(value) {
            let new = self.redactor.replaced(value, kind);
            self.tree.edits.push((range, new));
        }
    }

    fn edit(&mut self, range: Range<usize>, new: &str) {
        let json = serde_json::to_string(new).unwrap_or_default();
        let inner = json.get(1..json.len().saturating_sub(1)).unwrap_or_default();
        self.tree.edits.push((range, inner.to_owned()));
    }
}

/// Where a string ends whose content starts at `at`: the place of its closing quote, or the end of the text.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes[at] == b'"' {
            return at;
        }
        at += 2;
    }
    bytes.len()
}

/// The text that a string stands for; what cannot be decoded stays as it is.
fn decoded(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    serde_json::from_str(&format!("\"{raw}\"")).map_or(Cow::Borrowed(raw), Cow::Owned)
}

/// Whether an element of an array says that the next one is a secret: an option of a command, the name of a header.
fn announces(text: &str) -> bool {
    let option = text.starts_with('-') && !text.contains(['=', ' ']);
    let header = ["authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"];
    (option && is_secret(text)) || header.iter().any(|name| text.eq_ignore_ascii_case(name))
}

/// Which chosen fields a name leads on to, and whether it is the end of one.
fn step(fields: &[super::Field], alive: u64, depth: usize, name: &str) -> (bool, u64) {
    let (mut chosen, mut on) = (false, 0);
    for (bit, field) in fields.iter().enumerate().filter(|(bit, _)| alive & 1 << bit != 0) {
        match field.step(depth, name) {
            Some(true) => chosen = true,
            Some(false) => on |= 1 << bit,
            None => {}
        }
    }
    (chosen, on)
}
