//! Runs the rules over the records of a run: one look into the table of checks a message, then the memory is brought up to
//! date, then what was found is handed on.

use super::RULES;
use super::book::{Asked, Book, Caps};
use super::context::{ASSUMED, Context, EndContext, EventContext, InputContext, Seen};
use super::dispatch::{Dispatch, Entry, Form, most};
use super::findings::{Draft, Findings};
use super::parts;
use super::revisions::nearest;
use super::settings::Settings;
use super::what_if::Effects;
use crate::annotate::{Annotated, Effect, Event, Finding, InputEnd, Record, SessionEnd};
use crate::jsonrpc::Survey;
use crate::position::Position;
use crate::protocol::Revision;
use crate::transcript::Half;

/// How deep in a message its body lies: in two objects.
const BODY: usize = 2;

/// Judges the records of a run. Every record is given to it once, in order; it changes none and drops none.
pub struct Checker {
    settings: Settings,
    effects: Effects,
    dispatch: Dispatch,
    book: Book,
    findings: Findings,
    survey: Survey,
    caps: Caps,
}

/// Where drafts stand that say nothing else.
struct Ground<'a> {
    input: u32,
    file: &'a str,
    n: Option<u64>,
    position: Position,
    pointer: &'a str,
    session: u64,
    server: Option<&'a str>,
    method: Option<&'a str>,
    text: &'a str,
    revision: Revision,
}

impl Default for Checker {
    fn default() -> Self {
        Self::new(Settings::default())
    }
}

impl Checker {
    /// Judges by these settings.
    pub fn new(settings: impl Into<Settings>) -> Self {
        let settings = settings.into();
        Self {
            dispatch: Dispatch::new(&RULES, &settings.levels),
            effects: Effects::of(&settings.what_if),
            settings,
            book: Book::default(),
            findings: Findings::default(),
            survey: Survey::for_name("_meta", BODY),
            caps: Caps::default(),
        }
    }

    /// Takes a record; what is found about it goes to `found`, in the order of the rules.
    pub fn record<E>(
        &mut self,
        record: &Record<'_>,
        found: &mut dyn FnMut(&Finding<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.settings.what_if.is_empty() {
            self.effects.see(&self.settings.what_if, record);
        }
        match record {
            Record::Message(message) => self.message(message, found),
            Record::Event(event) => self.event(event, found),
            Record::SessionEnd(end) => self.end(end, found),
            Record::InputEnd(end) => {
                self.input(end, found)?;
                let book = std::mem::take(&mut self.book);
                book.caps.reached().iter().for_each(|(table, lost)| self.caps.lost(table, *lost));
                Ok(())
            }
            Record::Trace(_)
            | Record::Embedded(_)
            | Record::View(_)
            | Record::Agreed(_)
            | Record::Finding(_)
            | Record::Summary(_) => Ok(()),
        }
    }

    /// What the changes that are supposed would do to the messages so far; `None` when nothing is supposed.
    pub fn effects(&self) -> Option<&[Effect]> {
        (!self.settings.what_if.is_empty()).then(|| self.effects.found())
    }

    /// What was given up for lack of room in the inputs that have ended.
    pub fn caps_reached(&self) -> &[(&'static str, u64)] {
        self.caps.reached()
    }

    fn message<E>(
        &mut self,
        message: &Annotated<'_>,
        found: &mut dyn FnMut(&Finding<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let whole = message.parsed.filter(|parsed| parsed.envelope.as_ref().err().is_none_or(|bad| !bad.is_not_json()));
        let mut survey = std::mem::take(&mut self.survey);
        survey.read(whole.map_or("", |parsed| parsed.text));
        if !survey.is_whole() {
            self.caps.lost("rule-members", 1);
        }
        let done = self.surveyed(message, &survey, found);
        self.survey = survey;
        done
    }

    fn surveyed<E>(
        &mut self,
        message: &Annotated<'_>,
        survey: &Survey,
        found: &mut dyn FnMut(&Finding<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.book.open(message);
        let session = self.book.session(message.session);
        let request = message.answers.and_then(|n| self.book.requests.get(n));
        let carried = || {
            let http = message.http.filter(|http| http.half == Half::Response)?;
            self.book.requests.of_exchange(http.exchange)
        };
        let supposed = self.settings.what_if.revision;
        let seen = Seen::of(message, session, request.or_else(carried), supposed, survey);
        let context = Context {
            seen,
            session,
            book: &self.book,
            request,
            requests: &self.book.requests,
            pieces: &self.book.pieces,
            schemas: &self.book.schemas,
            settings: &self.settings,
        };
        judge(&self.dispatch, &context, Form::of(seen.kind, message.outcome), &mut self.findings);
        parts::each(&context, |part, form| judge(&self.dispatch, part, form, &mut self.findings));
        self.book.see(&seen);
        self.book.expected.see(&seen, &self.settings.expect);
        if self.findings.drafts.is_empty() {
            return Ok(());
        }
        let ground = Ground {
            input: message.input,
            file: message.file,
            n: Some(message.n),
            position: message.position,
            pointer: message.pointer,
            session: message.session,
            server: message.server,
            method: seen.method,
            text: message.text,
            revision: seen.revision,
        };
        self.hand_on(&ground, found)
    }

    fn event<E>(&mut self, event: &Event<'_>, found: &mut dyn FnMut(&Finding<'_>) -> Result<(), E>) -> Result<(), E> {
        let session = self.book.session(event.session);
        let known = self.settings.what_if.revision.or_else(|| session.revision());
        let context = EventContext {
            event,
            pieces: &self.book.pieces,
            session,
            revision: known.unwrap_or(ASSUMED),
            revision_known: known.is_some(),
        };
        for entry in self.dispatch.events.iter().filter(|entry| entry.concerns(context.revision)) {
            begin(entry, context.revision_known, &mut self.findings);
            (entry.check)(&context, &mut self.findings);
        }
        let (revision, server) = (context.revision, session.server.clone());
        self.book.see_event(event);
        let ground = Ground {
            input: event.input,
            file: event.file,
            n: None,
            position: event.position,
            pointer: "",
            session: event.session,
            server: server.as_deref(),
            method: None,
            text: event.text,
            revision,
        };
        self.hand_on(&ground, found)
    }

    fn end<E>(&mut self, end: &SessionEnd, found: &mut dyn FnMut(&Finding<'_>) -> Result<(), E>) -> Result<(), E> {
        let session = self.book.session(end.session);
        let told = || judged_as(end);
        let (revision, revision_known) = self.settings.what_if.revision.map_or_else(told, |revision| (revision, true));
        let mut open: Vec<&Asked> = self.book.requests.open_in(end.session).collect();
        open.sort_unstable_by_key(|asked| asked.at.0);
        let context = EndContext { end, session, book: &self.book, open: &open, revision, revision_known };
        for entry in self.dispatch.ends.iter().filter(|entry| entry.concerns(context.revision)) {
            begin(entry, context.revision_known, &mut self.findings);
            (entry.check)(&context, &mut self.findings);
        }
        let (n, position) = session.first.map_or((None, Position::default()), |(n, position)| (Some(n), position));
        let ground = Ground {
            input: end.input,
            file: &end.file,
            n,
            position,
            pointer: "",
            session: end.session,
            server: end.server.as_ref().map(|server| server.name.as_str()),
            method: None,
            text: "",
            revision: context.revision,
        };
        self.book.close(end.session);
        self.hand_on(&ground, found)
    }

    fn input<E>(&mut self, end: &InputEnd, found: &mut dyn FnMut(&Finding<'_>) -> Result<(), E>) -> Result<(), E> {
        let Some(((n, position), session)) = self.book.expected.first else { return Ok(()) };
        let context = InputContext { expected: &self.book.expected, expect: &self.settings.expect };
        for entry in &self.dispatch.inputs {
            begin(entry, true, &mut self.findings);
            (entry.check)(&context, &mut self.findings);
        }
        let ground = Ground {
            input: end.input,
            file: &end.file,
            n: Some(n),
            position,
            pointer: "",
            session,
            server: None,
            method: None,
            text: "",
            revision: ASSUMED,
        };
        self.hand_on(&ground, found)
    }

    /// Makes records of the drafts.
    fn hand_on<E>(
        &mut self,
        ground: &Ground<'_>,
        found: &mut dyn FnMut(&Finding<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for draft in self.findings.drafts.drain(..) {
            let rule = RULES[usize::from(draft.rule)];
            let clause = rule.at(ground.revision).or(rule.clauses.last());
            let Some(clause) = clause else { continue };
            let severity = draft.severity.unwrap_or(clause.severity).min(draft.most);
            let Some(severity) = self.settings.levels.severity(rule, clause, severity) else { continue };
            let (n, position) = draft.at.unwrap_or((ground.n, ground.position));
            let moved = draft.at.is_some_and(|(_, position)| position.offset != ground.position.offset);
            let shown = !moved && !draft.veiled;
            let url = match draft.page {
                Some(page) => ground.revision.page_url(page),
                None => rule.url(ground.revision),
            };
            found(&Finding {
                input: ground.input,
                file: ground.file,
                n,
                position,
                pointer: if moved { "" } else { ground.pointer },
                session: ground.session,
                server: ground.server,
                method: ground.method,
                rule: rule.id,
                severity,
                message: &draft.message,
                related: &draft.related,
                help: Some(draft.help.as_deref().unwrap_or(rule.help)).filter(|help| !help.is_empty()),
                spec: &url,
                page: draft.page.unwrap_or(clause.page),
                strength: clause.strength.as_str(),
                revision: ground.revision,
                text: if shown { ground.text } else { "" },
                mark: if shown { place(&draft, ground.text) } else { None },
                label: &draft.label,
            })?;
        }
        Ok(())
    }
}

/// The revision by which a session was judged at its end, and whether the capture tells it.
pub fn judged_as(end: &SessionEnd) -> (Revision, bool) {
    let known = end.revision.as_deref().or(end.requested_revision.as_deref()).and_then(nearest);
    (known.unwrap_or(ASSUMED), known.is_some())
}

fn begin<C>(entry: &Entry<C>, known: bool, findings: &mut Findings) {
    findings.rule = entry.rule;
    findings.most = most(entry.revisions, known);
}

fn judge(dispatch: &Dispatch, context: &Context<'_>, form: Form, findings: &mut Findings) {
    for entry in dispatch.checks(form, context.method, context.part.is_some()) {
        if entry.concerns(context.revision) {
            begin(entry, context.revision_known, findings);
            (entry.check)(context, findings);
        }
    }
}

/// Where a marked part stands in the text: parts are pieces of it.
fn place(draft: &Draft, text: &str) -> Option<(usize, usize)> {
    let (address, length) = draft.mark?;
    let start = address.checked_sub(text.as_ptr().addr())?;
    (start + length <= text.len() && text.is_char_boundary(start)).then_some((start, length))
}
