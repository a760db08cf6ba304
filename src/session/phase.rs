//! The phase of a message, by how far its session has come (contract: the table of phases).

use super::decide::Early;
use super::state::{Session, State};
use super::{Certainty, Facts, Kind};
use crate::protocol::{Direction, Method, Phase};

pub(super) fn phase_of_call(
    session: &mut Session,
    facts: &Facts<'_>,
    direction: Option<Direction>,
    early: Early,
) -> (Option<Phase>, Option<Certainty>) {
    let sure = |phase| (Some(phase), Some(Certainty::Inferred));
    if session.state == State::Closed {
        return sure(Phase::Shutdown);
    }
    if facts.is_initialize() || facts.method == Some("notifications/initialized") {
        return sure(Phase::Initialization);
    }
    match early {
        Early::Probe => return sure(Phase::Initialization),
        Early::Operation => return sure(Phase::Operation),
        Early::Before(certainty) => return (Some(Phase::Initialization), Some(certainty)),
        Early::Middle | Early::Assumed => return (Some(Phase::Operation), Some(Certainty::Guessed)),
        Early::None => {}
    }
    match session.state {
        State::Fresh => (Some(Phase::Operation), Some(Certainty::Guessed)),
        State::Initializing => sure(Phase::Initialization),
        State::Initialized => {
            let ordinary = facts.kind == Kind::Request
                && direction == Some(Direction::ClientToServer)
                && facts.method != Some("ping");
            if !ordinary {
                return sure(Phase::Initialization);
            }
            session.state = State::Operating;
            sure(Phase::Operation)
        }
        State::Operating => sure(Phase::Operation),
        State::Closed => sure(Phase::Shutdown),
    }
}

pub(super) fn phase_of_orphan(session: &Session, row: Option<&Method>) -> (Option<Phase>, Option<Certainty>) {
    let guessed = |phase| (Some(phase), Some(Certainty::Guessed));
    match row.map(|row| row.name) {
        Some("initialize") => guessed(Phase::Initialization),
        Some("server/discover") if !session.ordinary => guessed(Phase::Initialization),
        _ => match session.state {
            State::Closed => guessed(Phase::Shutdown),
            State::Initializing | State::Initialized => guessed(Phase::Initialization),
            State::Operating | State::Fresh => guessed(Phase::Operation),
        },
    }
}
