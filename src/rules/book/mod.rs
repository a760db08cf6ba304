//! The one memory of all rules: what the sessions of an input have shown so far. Brought up to date once a message, after
//! the checks, and read by every check. Every table has a cap; what is given up is counted in [`Caps`].

mod activity;
mod apps;
mod batches;
mod brief;
mod caching;
mod changes;
mod cursors;
mod declared;
mod definitions;
mod deprecated;
mod elicitations;
mod expected;
mod handles;
mod ids;
mod lifecycle;
mod listing;
mod logging;
mod modern;
mod pieces;
mod progress;
mod prompts;
mod requests;
mod resources;
mod retries;
mod schemas;
mod streams;
mod tasks;
mod tools;
mod used;
mod versions;
mod web;

use std::rc::Rc;

use compact_str::CompactString;
use hashbrown::HashMap;

use super::context::Seen;
use super::revisions::nearest;
use crate::annotate::{Annotated, Event, IdState, Kind};
use crate::jsonrpc::Reason;
use crate::position::Position;
use crate::protocol::Revision;
use crate::session::CapabilitySet;
use crate::transcript::EventKind;

pub use activity::Activity;
pub use apps::{Views, view};
pub use batches::{Batch, Batches};
pub use brief::{Brief, Sitting};
pub use caching::Caching;
pub use changes::Changes;
pub use cursors::{Cursors, Issued, LISTS};
pub use declared::Declaration;
pub use definitions::Definitions;
pub(super) use deprecated::deprecated_uses;
pub(super) use elicitations::required as required_elicitations;
pub use elicitations::{Elicitations, Elicited, URL_ELICITATION_REQUIRED};
pub use expected::Expected;
pub use handles::{Call, Ending, Handle, Handles, InputKey, TASKS};
pub use ids::Ids;
pub use lifecycle::{Answered, Initialize, Lifecycle};
pub use listing::Listing;
pub use logging::{LEVELS, LOG_LEVEL, Level, Logging, level};
pub use modern::{CLIENT_CAPABILITIES, Modern, Offered, PROTOCOL_VERSION, is_modern_error};
pub use pieces::Pieces;
pub(super) use progress::key as progress_key;
pub use progress::{Progress, Token};
pub use prompts::{Prompt, Prompts};
pub use requests::{Asked, Ended, Requests};
pub use resources::{Subscription, Subscriptions};
pub use retries::{RETRIED, Retries, Retry, Waiting};
pub use schemas::{Mismatch, Schema, Schemas};
pub use streams::{Closed, FLAGS, Filter, SUBSCRIPTION_ID, Stream, Streams};
pub(super) use tasks::observed as observed_tasks;
pub use tasks::{RELATED_TASK, TaskSeen, TaskStatus, Tasks, time as task_time};
pub(super) use tools::entries as tool_entries;
pub use tools::{TaskSupport, Tool, Tools};
pub use used::{SERVED, Used};
pub use versions::Servers;
pub(super) use versions::named_version;
pub use web::{Exchange, Param, Sent, Web, accepts, is_posted, is_streamable, lacks_media_type, lacks_version};

/// A message by number and place.
pub type Spot = (u64, Position);

/// What was given up for lack of room: name of the table and entries lost.
#[derive(Debug, Default)]
pub struct Caps(Vec<(&'static str, u64)>);

impl Caps {
    /// Counts entries of a table that were given up.
    pub fn lost(&mut self, table: &'static str, entries: u64) {
        match self.0.iter_mut().find(|(name, _)| *name == table) {
            Some((_, lost)) => *lost += entries,
            None => self.0.push((table, entries)),
        }
    }

    /// Every table that overflowed.
    pub fn reached(&self) -> &[(&'static str, u64)] {
        &self.0
    }
}

/// What one session has shown.
#[derive(Debug, Default)]
pub struct SessionBook {
    /// Its number in the input, 0 for what stands before the first.
    pub number: u64,
    /// Messages so far.
    pub messages: u64,
    /// The first message.
    pub first: Option<Spot>,
    /// The log tells that the transport was opened or the process started before the first message.
    pub opened: bool,
    /// The last batch of each side.
    pub batches: Batches,
    /// The ids that each side has used.
    pub ids: Ids,
    /// The last message of each side.
    pub last: [Option<Spot>; 2],
    /// The last error of each side that does not say what it answers.
    pub nameless: [Option<Spot>; 2],
    /// The first request or notification.
    pub first_call: Option<Spot>,
    /// The log's name for the server.
    pub server: Option<CompactString>,
    /// The log tells that its transport closed or its process ended.
    pub closed: bool,
    /// Versions that the server has said it supports, before or beside the handshake.
    pub supported: Vec<CompactString>,
    /// The last version named in `_meta`.
    pub named: Option<CompactString>,
    /// Deprecated features that were used, by their bits.
    pub(super) deprecated: u8,
    /// A request was seen whose id the log does not keep, so that nothing can be said of answers.
    pub unrecorded_ids: bool,
    /// How far the handshake has come.
    pub lifecycle: Lifecycle,
    /// What client and server declared in the handshake.
    pub declared: [Option<Declaration>; 2],
    /// What the server declared in an answer to `server/discover`.
    pub discovered: Option<Declaration>,
    /// What the client declared in `_meta` of the message at hand, or of the last stateless request before it.
    pub carried: Option<Rc<CapabilitySet>>,
    /// The levels of log messages that the client wants.
    pub logging: Logging,
    /// What stateless requests and their answers have told of the two sides.
    pub modern: Modern,
    /// The requests that were answered with questions.
    pub retries: Retries,
    /// The listen streams.
    pub streams: Streams,
    /// The cache scopes of pages.
    pub caching: Caching,
    /// The tasks of the extension.
    pub handles: Handles,
    /// The tools with a view.
    pub views: Views,
    /// What HTTP has shown.
    pub web: Web,
    /// The prompts that the server has listed.
    pub prompts: Prompts,
    /// Whether the client waits for something.
    pub activity: Activity,
    /// The progress tokens.
    pub progress: Progress,
    /// The elicitations by URL.
    pub elicitations: Elicitations,
    /// The tasks of 2025-11-25.
    pub tasks: Tasks,
    /// The tools that the server has listed.
    pub tools: Tools,
    /// The resources that the client has subscribed to.
    pub subscriptions: Subscriptions,
    /// The message in which that was not what it was before.
    pub carried_at: Option<u64>,
    /// The last complete listings, to notice changes.
    pub changes: Changes,
    /// The definitions of the tools, to notice changes.
    pub definitions: Definitions,
    /// Which capabilities were used.
    pub used: Used,
    /// Whose session it is, and how much it held.
    pub sitting: Sitting,
    carried_text: String,
}

impl SessionBook {
    /// The revision that was agreed or asked for so far, or that of stateless requests.
    pub fn revision(&self) -> Option<Revision> {
        let lifecycle = &self.lifecycle;
        let agreed = lifecycle.agreed().and_then(|answer| answer.version.as_deref());
        let asked = || lifecycle.initialize.as_ref()?.requested.as_deref();
        let stateless = || self.modern.client.map(|_| Revision::V2026_07_28);
        agreed.or_else(asked).and_then(nearest).or_else(stateless)
    }

    /// Whether the capture shows how the session began: with its `initialize`, or after a mark of its transport.
    pub fn has_beginning(&self) -> bool {
        self.opened
            || self
                .lifecycle
                .initialize
                .as_ref()
                .is_some_and(|initialize| self.first.is_some_and(|first| first.0 == initialize.at.0))
    }
}

/// Open sessions that are remembered; as many as the engine below keeps.
const MAX_SESSIONS: usize = 8_192;

/// The memory of one input.
#[derive(Debug, Default)]
pub struct Book {
    sessions: HashMap<u64, SessionBook>,
    /// What events and messages outside of every session see.
    nowhere: SessionBook,
    /// Open requests of all sessions, and those that ended lately.
    pub requests: Requests,
    /// Versions that servers have agreed on in earlier sessions.
    pub servers: Servers,
    /// Lines that may be one value together.
    pub pieces: Pieces,
    /// The cursors of all sessions.
    pub cursors: Cursors,
    /// The JSON Schemas of all sessions.
    pub schemas: Schemas,
    /// Sessions in a row that held one call.
    pub brief: Brief,
    /// What the input has shown of what the user expects.
    pub expected: Expected,
    /// What was given up.
    pub caps: Caps,
    /// A process or transport began since the last message.
    began: bool,
    /// The last session that got an id over HTTP: the path, and where.
    named: Option<(CompactString, Spot)>,
}

impl Book {
    /// The session of a message, made when it is the first.
    pub(super) fn open(&mut self, message: &Annotated<'_>) {
        if !self.sessions.contains_key(&message.session) && self.sessions.len() >= MAX_SESSIONS {
            self.caps.lost("rule-sessions", 1);
            return;
        }
        let opened = std::mem::take(&mut self.began);
        let session = self.sessions.entry(message.session).or_insert_with(|| SessionBook {
            number: message.session,
            opened,
            server: message.server.map(CompactString::new),
            web: Web::after(self.named.clone()),
            ..SessionBook::default()
        });
        session.take_carried(message);
    }

    /// What a session has shown.
    pub fn session(&self, number: u64) -> &SessionBook {
        self.sessions.get(&number).unwrap_or(&self.nowhere)
    }

    /// The latest session before this one that is still open, with the same server, and like that.
    pub fn open_before(&self, number: u64, like: impl Fn(&SessionBook) -> bool) -> Option<&SessionBook> {
        let server = self.session(number).server.as_ref();
        let open = self.sessions.values().filter(|session| session.number < number && !session.closed);
        open.filter(|session| session.server.as_ref() == server && like(session)).max_by_key(|session| session.number)
    }

    /// Takes note of a message that has been judged.
    pub(super) fn see(&mut self, seen: &Seen<'_>) {
        match seen.reason() {
            Some(Reason::NotJson { truncated, .. }) => {
                self.pieces.see(seen.message.direction, seen.message.text, seen.spot(), *truncated);
            }
            _ => self.pieces.interrupted(seen.message.direction),
        }
        let Some(session) = self.sessions.get_mut(&seen.message.session) else { return };
        session.messages += 1;
        session.first.get_or_insert(seen.spot());
        if matches!(seen.kind, Kind::Request | Kind::Notification) {
            session.first_call.get_or_insert(seen.spot());
        }
        session.see_versions(seen, &mut self.caps);
        self.servers.see(seen, &mut self.caps);
        session.see_declarations(seen);
        if seen.kind != Kind::Invalid {
            let asked = seen.message.answers.and_then(|n| self.requests.get(n));
            session.changes.see(seen, asked.is_some_and(|asked| !asked.cursor));
        }
        session.unrecorded_ids |= seen.kind == Kind::Request && seen.message.id_state == IdState::Unrecorded;
        session.definitions.see(seen, &mut self.caps);
        session.used.see(seen);
        self.brief.see(&mut session.sitting, seen);
        session.deprecated |= deprecated_uses(seen).fold(0, |bits, (bit, _)| bits | bit);
        session.batches.see(seen);
        session.ids.see(seen, &mut self.caps);
        session.lifecycle.see(seen);
        let request = seen.message.answers.and_then(|n| self.requests.get_open(n));
        session.logging.see(seen, request);
        let cancelled = seen.message.relates_to.filter(|_| seen.method == Some("notifications/cancelled"));
        session.progress.see(seen, request.or(cancelled.and_then(|n| self.requests.get_open(n))));
        self.cursors.see(seen, &mut self.caps);
        session.modern.see(seen, request, &mut self.caps);
        session.retries.see(seen, request, &mut self.caps);
        session.streams.see(seen, request, &mut self.caps);
        session.caching.see(seen, &mut self.caps);
        session.handles.see(seen, request, &mut self.caps);
        session.views.see(seen, &mut self.caps);
        session.web.see(seen, &session.lifecycle, &mut self.caps);
        self.named = session.web.named(seen).or(self.named.take());
        session.prompts.see(seen, request, &mut self.caps);
        session.activity.see(seen, request);
        session.elicitations.see(seen, &mut self.caps);
        session.tasks.see(seen, request, &mut self.caps);
        session.tools.see(seen, request, &self.schemas, &mut self.caps);
        session.subscriptions.see(seen, &mut self.caps);
        if let Some(side) = seen.sender {
            session.last[side.index()] = Some(seen.spot());
            if seen.kind == Kind::Response
                && seen.message.answers.is_none()
                && seen.message.id_state != IdState::Present
            {
                session.nameless[side.index()] = Some(seen.spot());
            }
        }
        self.requests.see(seen, session, &mut self.caps);
        if let Some(request) = self.requests.get_open(seen.message.n).filter(|_| seen.kind == Kind::Request) {
            session.progress.asked(request, &mut self.caps);
        }
        match self.schemas.take_lost() {
            0 => {}
            lost => self.caps.lost("rule-schemas", lost),
        }
    }

    /// Forgets a session that is over.
    pub(super) fn close(&mut self, number: u64) {
        if let Some(session) = self.sessions.remove(&number) {
            self.brief.close(&session, &mut self.caps);
        }
        self.requests.close(number);
    }

    /// Takes note of an event that has been judged.
    pub(super) fn see_event(&mut self, event: &Event<'_>) {
        if matches!(event.kind, EventKind::TransportClosed | EventKind::ProcessExit)
            && let Some(session) = self.sessions.get_mut(&event.session)
        {
            session.closed = true;
        }
        if event.wire {
            self.pieces.see(event.direction, event.text, (0, event.position), false);
        }
        if let Some(session) = self.sessions.get_mut(&event.session) {
            session.web.see_event(event, &mut self.caps);
        }
        self.began |= matches!(event.kind, EventKind::TransportOpen | EventKind::ProcessStart);
    }
}
