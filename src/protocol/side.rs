//! The two peers and the two ways a message can go.

/// One of the two peers of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The host's side.
    Client,
    /// The side that offers tools, resources and prompts.
    Server,
}

impl Side {
    /// The peer.
    pub fn other(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }

    /// `client` or `server`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }

    /// 0 for the client, 1 for the server: an index into a pair.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The way of a message that this side sends.
    pub fn sends(self) -> Direction {
        match self {
            Self::Client => Direction::ClientToServer,
            Self::Server => Direction::ServerToClient,
        }
    }
}

/// The way of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The client sent it.
    ClientToServer,
    /// The server sent it.
    ServerToClient,
}

impl Direction {
    /// Who sent it.
    pub fn sender(self) -> Side {
        match self {
            Self::ClientToServer => Side::Client,
            Self::ServerToClient => Side::Server,
        }
    }

    /// Who gets it.
    pub fn receiver(self) -> Side {
        self.sender().other()
    }

    /// The other way.
    pub fn reversed(self) -> Self {
        self.receiver().sends()
    }

    /// `client-to-server` or `server-to-client`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClientToServer => "client-to-server",
            Self::ServerToClient => "server-to-client",
        }
    }
}
