//! Which messages belong to one message: its request or answer, what speaks of it, what it caused.

use crate::annotate::Annotated;

/// The numbers by which a message points at others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Relations {
    pub(super) n: u64,
    pub(super) answers: Option<u64>,
    pub(super) answered_by: Option<u64>,
    pub(super) relates_to: Option<u64>,
    pub(super) caused_by: Option<u64>,
    pub(super) continues: Option<u64>,
}

impl Relations {
    pub(super) fn of(message: &Annotated<'_>) -> Self {
        Self {
            n: message.n,
            answers: message.answers,
            answered_by: message.answered_by,
            relates_to: message.relates_to,
            caused_by: message.caused_by,
            continues: message.continues,
        }
    }
}

/// Why a message is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Asked,
    Request,
    Answer,
    /// Progress, a cancellation or the like that speaks of the request.
    About,
    /// Sent by the other side while the request was open.
    Caused,
    /// A retry of the request with the input that was asked for.
    Continuation,
    /// What the asked message speaks of, continues or was caused by.
    Origin,
}

impl Role {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Asked => "",
            Self::Request => "the request",
            Self::Answer => "the answer",
            Self::About => "about it",
            Self::Caused => "caused by it",
            Self::Continuation => "continues it",
            Self::Origin => "where it comes from",
        }
    }
}

/// The messages around one message, as a test on any other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Family {
    asked: Relations,
    /// The request in the middle: the asked message itself, or the one that it answers.
    request: u64,
}

impl Family {
    pub(super) fn around(asked: Relations) -> Self {
        Self { asked, request: asked.answers.unwrap_or(asked.n) }
    }

    /// The request that the asked message answers.
    pub(super) fn answered_request(&self) -> Option<u64> {
        self.asked.answers
    }

    /// Why the message is shown, if it is.
    pub(super) fn role(&self, other: &Relations) -> Option<Role> {
        let request = Some(self.request);
        let n = Some(other.n);
        if other.n == self.asked.n {
            Some(Role::Asked)
        } else if n == request {
            Some(Role::Request)
        } else if other.answers == request || n == self.asked.answered_by {
            Some(Role::Answer)
        } else if other.relates_to == request {
            Some(Role::About)
        } else if other.caused_by == request {
            Some(Role::Caused)
        } else if other.continues == request {
            Some(Role::Continuation)
        } else if [self.asked.relates_to, self.asked.caused_by, self.asked.continues].contains(&n) {
            Some(Role::Origin)
        } else {
            None
        }
    }
}
