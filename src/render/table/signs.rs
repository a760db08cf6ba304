//! The signs of the table, and what stands for them where only ASCII may be written.

use std::borrow::Cow;

use crate::render::escape;

/// One set of signs.
#[derive(Clone, Copy, Debug)]
pub(in crate::render) struct Signs {
    pub(in crate::render) ascii: bool,
    pub(in crate::render) right: &'static str,
    pub(in crate::render) left: &'static str,
    pub(in crate::render) declared: &'static str,
    pub(in crate::render) undeclared: &'static str,
    pub(in crate::render) rule: &'static str,
    pub(in crate::render) dot: &'static str,
    pub(in crate::render) cut: &'static str,
    pub(in crate::render) branch: &'static str,
    pub(in crate::render) full: &'static str,
    pub(in crate::render) empty: &'static str,
    pub(in crate::render) bar: (&'static str, &'static str),
    pub(in crate::render) between: &'static str,
}

impl Signs {
    pub(in crate::render) const UNICODE: Self = Self {
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

    pub(in crate::render) const ASCII: Self = Self {
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
    pub(in crate::render) fn safe<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.ascii && !text.is_ascii() {
            let mut out = String::with_capacity(text.len());
            escape::push_ascii(&mut out, text);
            return Cow::Owned(out);
        }
        escape::terminal(text)
    }
}
