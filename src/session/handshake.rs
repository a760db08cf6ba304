//! What the messages of the handshake, and the versions and capabilities in stateless requests, tell of a session.

use super::declared::Terms;
use super::state::State;
use super::tracker::{Tracker, Verdict};
use super::{Facts, Outcome, Peer};
use crate::jsonrpc::RawJson;
use crate::protocol::Side;

impl Tracker {
    pub(super) fn begin_handshake(&mut self, lane: usize, place: usize, facts: &Facts<'_>) {
        let overlapping = self.lanes[lane]
            .sessions
            .iter()
            .any(|&other| other != place && self.at(other).state == State::Initializing && !self.at(other).refused);
        self.lanes[lane].concurrent |= overlapping;
        let session = self.at_mut(place);
        session.probed |= session.stateless;
        session.handshake = true;
        session.refused = false;
        session.state = State::Initializing;
        if let Some(version) = facts.param("protocolVersion").and_then(RawJson::as_str) {
            session.requested = Some(session.intern(&version));
        }
        if let Some(capabilities) = facts.param("capabilities") {
            session.declarations.agree(Side::Client, capabilities);
        }
        if let Some(info) = facts.param("clientInfo") {
            session.client = Peer::read(info);
        }
    }

    pub(super) fn take_stateless(&mut self, place: usize, facts: &Facts<'_>) -> Terms {
        let session = self.at_mut(place);
        session.stateless = true;
        if let Some(version) = facts.meta.protocol_version.and_then(RawJson::as_str) {
            let index = session.intern(&version);
            if !session.handshake {
                session.requested.get_or_insert(index);
                session.revision = Some(index);
            }
        }
        let terms = session.declarations.carry(facts.meta.client_capabilities);
        if session.handshake {
            return terms;
        }
        if session.client.is_none()
            && let Some(info) = facts.meta.client_info
        {
            session.client = Peer::read(info);
        }
        terms
    }

    pub(super) fn finish_handshake(&mut self, verdict: &mut Verdict, facts: &Facts<'_>) {
        let session = self.at_mut(verdict.place);
        match facts.outcome {
            Some(Outcome::Error) => session.refused = true,
            _ => {
                if let Some(version) = facts.param("protocolVersion").and_then(RawJson::as_str) {
                    session.revision = Some(session.intern(&version));
                } else if facts.outline {
                    session.revision = session.revision.or(session.requested);
                }
                if let Some(capabilities) = facts.param("capabilities") {
                    session.declarations.agree(Side::Server, capabilities);
                }
                if let Some(info) = facts.param("serverInfo") {
                    session.server = Peer::read(info);
                }
                if session.state == State::Initializing {
                    session.state = State::Initialized;
                }
                verdict.agreed = true;
                verdict.revision = session.revision.or(session.requested);
            }
        }
    }

    pub(super) fn take_discovery(&mut self, verdict: &mut Verdict, facts: &Facts<'_>) {
        if facts.outcome != Some(Outcome::Result) {
            return;
        }
        let session = self.at_mut(verdict.place);
        if let Some(capabilities) = facts.param("capabilities") {
            session.declarations.discover(capabilities);
        }
        if session.handshake {
            return;
        }
        session.terms_changed();
        verdict.agreed = true;
        if let Some(info) = facts.meta.server_info.or(facts.param("serverInfo")) {
            session.server = Peer::read(info);
        }
    }
}
