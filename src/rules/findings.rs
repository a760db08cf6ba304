//! What the checks of one message have found, until it is handed on. Knows no rule by name.

use crate::annotate::{Excerpt, Related, Severity};
use crate::jsonrpc::RawJson;
use crate::position::Position;

/// A finding that is being put together. What is not said is taken from the rule and from the message.
#[derive(Debug)]
pub struct Draft {
    pub(super) rule: u16,
    pub(super) severity: Option<Severity>,
    pub(super) most: Severity,
    pub(super) message: String,
    pub(super) mark: Option<(usize, usize)>,
    pub(super) label: String,
    pub(super) related: Vec<Related>,
    pub(super) help: Option<String>,
    pub(super) page: Option<&'static str>,
    pub(super) at: Option<(Option<u64>, Position)>,
    pub(super) veiled: bool,
}

impl Draft {
    /// Marks the offending part: a piece of the text of the message, as the accessors of the context give them.
    pub fn mark(&mut self, part: impl Marked) -> &mut Self {
        self.mark = part.place();
        self
    }

    /// A few words below the mark.
    pub fn label(&mut self, label: impl Into<String>) -> &mut Self {
        self.label = label.into();
        self
    }

    /// Names another place.
    pub fn related(&mut self, n: Option<u64>, position: Position, what: impl Into<String>) -> &mut Self {
        self.related.push(Related { n, position, what: what.into(), excerpt: None });
        self
    }

    /// Names another place and shows the text there.
    pub fn shows(
        &mut self,
        n: Option<u64>,
        position: Position,
        what: impl Into<String>,
        excerpt: Excerpt,
    ) -> &mut Self {
        self.related.push(Related { n, position, what: what.into(), excerpt: Some(excerpt) });
        self
    }

    /// Says that it is no worse than this: where the proof is indirect, or the text contradicts itself.
    pub fn at_most(&mut self, severity: Severity) -> &mut Self {
        self.most = self.most.min(severity);
        self
    }

    /// Says how bad it is, instead of the clause of the revision.
    pub fn severity(&mut self, severity: Severity) -> &mut Self {
        self.severity = Some(severity);
        self
    }

    /// What to do, instead of the rule's own help.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// Where the specification says it of this feature, instead of the page of the clause; as there, relative to the root of
    /// a revision.
    pub fn page(&mut self, page: Option<&'static str>) -> &mut Self {
        self.page = page.filter(|page| !page.is_empty());
        self
    }

    /// Belongs to another rule, whose matter this check sees on its way.
    pub fn under(&mut self, rule: &str) -> &mut Self {
        let number = super::RULES.iter().position(|known| known.id == rule);
        debug_assert!(number.is_some(), "{rule} is a rule");
        self.rule = number.map_or(self.rule, |number| number as u16);
        self
    }

    /// Does not show the text, which holds what should not be seen.
    pub fn veiled(&mut self) -> &mut Self {
        self.veiled = true;
        self
    }

    /// Stands at another message than the one at hand.
    pub fn at(&mut self, n: Option<u64>, position: Position) -> &mut Self {
        self.at = Some((n, position));
        self
    }
}

/// A piece of the text of a message, by its address.
pub trait Marked {
    /// Address and length.
    fn place(&self) -> Option<(usize, usize)>;
}

impl Marked for &str {
    fn place(&self) -> Option<(usize, usize)> {
        Some((self.as_ptr().addr(), self.len()))
    }
}

impl Marked for RawJson<'_> {
    fn place(&self) -> Option<(usize, usize)> {
        self.text().place()
    }
}

impl<T: Marked> Marked for Option<T> {
    fn place(&self) -> Option<(usize, usize)> {
        self.as_ref().and_then(T::place)
    }
}

/// Takes what the checks find.
#[derive(Debug)]
pub struct Findings {
    pub(super) drafts: Vec<Draft>,
    pub(super) rule: u16,
    pub(super) most: Severity,
}

impl Default for Findings {
    fn default() -> Self {
        Self { drafts: Vec::new(), rule: 0, most: Severity::Error }
    }
}

/// Findings about one message that are kept; a message that breaks rules more often is broken enough.
const MAX_DRAFTS: usize = 256;

impl Findings {
    /// Reports that the rule at hand is broken: what was seen, and what the revision in force requires, lower case, one
    /// sentence, transcript text in backticks and cut by [`super::quoted`].
    pub fn report(&mut self, message: impl Into<String>) -> &mut Draft {
        if self.drafts.len() == MAX_DRAFTS {
            self.drafts.pop();
        }
        self.drafts.push(Draft {
            rule: self.rule,
            severity: None,
            most: self.most,
            message: message.into(),
            mark: None,
            label: String::new(),
            related: Vec::new(),
            help: None,
            page: None,
            at: None,
            veiled: false,
        });
        let last = self.drafts.len() - 1;
        &mut self.drafts[last]
    }
}

/// Text of the transcript for a message: in backticks, and no longer than a line bears.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}
