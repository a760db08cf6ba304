//! The signs of the table, and what stands for them where only ASCII may be written.

use std::borrow::Cow;

use crate::render::escape;

/// One set of signs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signs {
    pub(super) ascii: bool,
    pub(super) right: &'static str,
    pub(super) left: &'static str,
    pub(super) declared: &'static str,
    pub(super) undeclared: &'static str,
    pub(super) rule: &'static str,
    pub(super) dot: &'static str,
    pub(super) cut: &'static str,
    pub(super) branch: &'static str,
    pub(super) full: &'static str,
    pub(super) empty: &'static str,
    pub(super) bar: (&'static str, &'static str),
    pub(super) between: &'static str,
}

impl Signs {
    pub(super) const UNICODE: Self = Self {
        ascii: false,
        right: "▶",
        left: "◀",
        declared: "✓",
        undeclared: "✗",
        rule: "─",
        dot: "·",
        cut: "…",
        branch: "└",
        full: "█",
        empty: "░",
        bar: ("▕", "▏"),
        between: "⇄",
    };

    pub(super) const ASCII: Self = Self {
        ascii: true,
        right: ">",
        left: "<",
        declared: "+",
        undeclared: "!",
        rule: "-",
        dot: "-",
        cut: "...",
        branch: "`-",
        full: "#",
        empty: ".",
        bar: ("[", "]"),
        between: "<->",
    };

    /// Transcript text as it may be shown.
    pub(super) fn safe<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.ascii && !text.is_ascii() {
            let mut out = String::with_capacity(text.len());
            escape::push_ascii(&mut out, text);
            return Cow::Owned(out);
        }
        escape::terminal(text)
    }
}
