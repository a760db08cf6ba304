//! A frame without its secrets: the one place where texts are replaced, between the reader and everything that looks at
//! what it hands on.

use crate::redact::Redactor;
use crate::transcript::{Content, Flag, Frame, Http, Outline};

/// The texts of a frame that were replaced.
#[derive(Default)]
pub(super) struct Replaced {
    text: Option<String>,
    method: Option<String>,
    target: Option<String>,
    id: Option<String>,
    session: Option<String>,
    server: Option<String>,
    at: Option<String>,
    http: Option<Http>,
}

impl Replaced {
    /// What has to be replaced; `None`: nothing.
    pub(super) fn of(frame: &Frame<'_>, redactor: &mut Redactor) -> Option<Self> {
        let mut replaced = Self::default();
        match &frame.content {
            Content::Message { text, .. } => replaced.text = redactor.message(text),
            Content::Event { text, .. } => replaced.text = redactor.event(text),
            Content::Outline(outline) => {
                replaced.method = outline.method.and_then(|method| redactor.strict(method));
                replaced.target = outline.target.and_then(|target| redactor.text(target));
                replaced.id = outline.id.and_then(|id| redactor.strict(id));
            }
            Content::Blank | Content::Framing => {}
        }
        replaced.session = frame.session.and_then(|name| redactor.text(name));
        replaced.server = frame.server.and_then(|name| redactor.text(name));
        replaced.at = frame.at.and_then(|at| redactor.message(at));
        replaced.http = frame.http.and_then(|http| of_http(http, redactor));
        let Self { text, method, target, id, session, server, at, http } = &replaced;
        let any = [text, method, target, id, session, server, at].into_iter().any(Option::is_some) || http.is_some();
        any.then_some(replaced)
    }

    /// The frame with them.
    pub(super) fn frame<'a>(&'a self, frame: &Frame<'a>) -> Frame<'a> {
        let text = |own: &'a str| self.text.as_deref().unwrap_or(own);
        let content = match frame.content {
            Content::Message { text: own, origin } => Content::Message { text: text(own), origin },
            Content::Event { kind, text: own } => Content::Event { kind, text: text(own) },
            Content::Outline(outline) => Content::Outline(Outline {
                method: self.method.as_deref().or(outline.method),
                target: self.target.as_deref().or(outline.target),
                id: self.id.as_deref().or(outline.id),
                ..outline
            }),
            content @ (Content::Blank | Content::Framing) => content,
        };
        Frame {
            session: self.session.as_deref().or(frame.session),
            server: self.server.as_deref().or(frame.server),
            at: self.at.as_deref().or(frame.at),
            http: self.http.as_ref().or(frame.http),
            flags: frame.flags.with(Flag::Redacted),
            content,
            ..*frame
        }
    }
}

fn of_http(http: &Http, redactor: &mut Redactor) -> Option<Http> {
    let mut new = http.clone();
    let mut any = false;
    if let Some(path) = http.path.as_deref().and_then(|path| redactor.text(path)) {
        new.path = Some(path.into());
        any = true;
    }
    if let Some(headers) = &mut new.headers {
        any |= headers.replace_values(|name, value| redactor.member(name, value));
    }
    any.then_some(new)
}
