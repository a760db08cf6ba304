//! Messages that a recorder did not write down as such: envelopes put together from members that stand apart, and
//! outlines.

use super::adapter::{OutlineForm, Sort};
use super::plan::Plan;
use super::pointer::{Found, quoted, text_of};
use super::{Outline, OutlineKind};
use crate::jsonrpc::RawJson;
use crate::protocol::{TargetKey, method_set};

/// Writes the envelope for id, method, params, result and error, the slots behind the first in this order. `false`: they make no message.
pub(super) fn envelope(
    slots: &[Vec<usize>; 6],
    found: &Found,
    text: &str,
    sort: Option<Sort>,
    out: &mut String,
) -> bool {
    let [_, id, method, params, result, error] =
        slots.each_ref().map(|slots| slots.iter().find_map(|slot| found.token(*slot, text)));
    let answers = match sort {
        Some(Sort::Result | Sort::Error | Sort::Answer) => true,
        Some(Sort::Request | Sort::Notification) => false,
        _ => result.is_some() || error.is_some(),
    };
    // What an answer repeats of its request is not part of it.
    let (method, params) = if answers { (None, None) } else { (method, params) };
    if if answers { result.is_none() && error.is_none() } else { method.is_none() } {
        return false;
    }
    out.clear();
    out.push_str("{\"jsonrpc\":\"2.0\"");
    for (name, value) in [("id", id), ("method", method), ("params", params), ("result", result), ("error", error)] {
        if let Some(value) = value {
            out.extend([",\"", name, "\":", value]);
        }
    }
    out.push('}');
    true
}

/// An outline, in places that are used again.
#[derive(Default)]
pub(super) struct Outlined {
    kind: Option<OutlineKind>,
    method: Option<String>,
    id: Option<String>,
    error_code: Option<i64>,
    target: Option<String>,
    /// What the log has of the payload is cut off.
    pub(super) cut: bool,
}

impl Outlined {
    /// Reads the outline that a telling has of an entry. `false`: there is none.
    pub(super) fn read(
        &mut self,
        plan: &Plan,
        telling: usize,
        form: &OutlineForm,
        found: &Found,
        text: &str,
        sort: Option<Sort>,
    ) -> bool {
        let [_, method, id, code, error, target] =
            plan.told[telling].slots.each_ref().map(|slots| slots.iter().find_map(|slot| found.token(*slot, text)));
        let mut decoded = String::new();
        let method = method.map(|token| text_of(token, &mut decoded)).or(form.assumed);
        let notification = method.is_some_and(|method| method.starts_with("notifications/"));
        let answer = || match (error.is_some() || code.is_some(), form.error.is_empty()) {
            (true, _) => OutlineKind::Error,
            (false, false) => OutlineKind::Result,
            (false, true) => OutlineKind::Answer,
        };
        let kind = match sort.or(form.sort) {
            Some(Sort::Event(_)) => return false,
            // A notification has no answer, whatever the log says of its end.
            Some(Sort::Answer | Sort::Result | Sort::Error) if notification => return false,
            Some(Sort::Request) => OutlineKind::Request,
            Some(Sort::Notification) => OutlineKind::Notification,
            Some(Sort::Result) => OutlineKind::Result,
            Some(Sort::Error) => OutlineKind::Error,
            Some(Sort::Answer) => answer(),
            None if method.is_none() => return false,
            None if notification => OutlineKind::Notification,
            None => OutlineKind::Request,
        };
        let answers = !matches!(kind, OutlineKind::Request | OutlineKind::Notification);
        if !answers && method.is_none() {
            return false;
        }
        self.cut = false;
        set(&mut self.method, method);
        let id = id.filter(|id| kind != OutlineKind::Notification && plan.cuts(id).is_empty());
        set(&mut self.id, id);
        self.kind = Some(kind);
        self.error_code = code.filter(|_| answers).and_then(|code| quoted(code).unwrap_or(code).parse().ok());
        self.target = None;
        if let Some(token) = target {
            let mut place = String::new();
            let told = text_of(token, &mut place);
            match told.trim_ascii_start().starts_with('{') {
                true => match RawJson::new(told) {
                    Some(body) => self.target = method.and_then(|method| target_in(method, body)),
                    None => self.cut = true,
                },
                false => self.target = Some(told.to_owned()),
            }
        }
        true
    }

    /// Whether it is the outline of an answer.
    pub(super) fn answers(&self) -> bool {
        !matches!(self.kind, Some(OutlineKind::Request | OutlineKind::Notification))
    }

    /// The outline that was read last.
    pub(super) fn outline(&self) -> Outline<'_> {
        Outline {
            kind: self.kind.unwrap_or(OutlineKind::Answer),
            method: self.method.as_deref(),
            id: self.id.as_deref(),
            error_code: self.error_code,
            target: self.target.as_deref(),
            view: false,
        }
    }
}

fn set(place: &mut Option<String>, text: Option<&str>) {
    match (place, text) {
        (Some(place), Some(text)) => text.clone_into(place),
        (place, text) => *place = text.map(str::to_owned),
    }
}

/// What a message is about, by its params, or by the whole message.
fn target_in(method: &str, body: RawJson<'_>) -> Option<String> {
    let TargetKey::Param(name) = method_set(method)?.at_or_any(None).target else { return None };
    let params = body.get("params").unwrap_or(body);
    Some(params.get(name)?.as_str()?.into_owned())
}
