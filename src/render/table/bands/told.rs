//! What two sides agreed on and offer, and how a session ended.

use super::{Bands, INDENT, STATELESS};
use crate::annotate::{Agreement, Peer, SessionEnd};
use crate::protocol::{CAPABILITIES, Era, Revision, Side};
use crate::render::palette::Ink;
use crate::render::table::figures::{Count, Elapsed, Thousands};
use crate::render::table::lines::{grouped, words, wrap};

impl Bands {
    /// What the two sides have agreed on, or what a stateless client and server say of themselves.
    pub(in crate::render::table) fn agreement(&self, agreement: &Agreement<'_>, out: &mut String) {
        let (sign, ink) = match (agreement.requested_revision, agreement.revision) {
            (Some(asked), Some(agreed)) if asked != agreed => ("!", Ink::Doubt),
            (_, None) => ("?", Ink::Doubt),
            _ => (self.signs.declared, Ink::Good),
        };
        let revision = self.safe(agreement.revision.unwrap_or("an unknown revision")).into_owned();
        let verb = match agreement.era {
            Era::Handshake => "agreed on",
            Era::Stateless => "declared with",
        };
        let mut tail = format!(" by #{}", agreement.by);
        if let Some(asked) = agreement.requested_revision.filter(|asked| Some(*asked) != agreement.revision) {
            tail.push_str(", client asked for ");
            tail.push_str(&self.safe(asked));
        }
        if agreement.era == Era::Stateless {
            self.dot(&mut tail);
            tail.push_str(STATELESS);
        }
        let session = self.several_open(agreement.input).then(|| format!("session {} ", agreement.session));
        let head = format!("{sign} {}{verb} {revision}", session.unwrap_or_default());
        wrap(&self.palette, out, self.width, INDENT, &words(ink, &format!("{head}{tail}")));
        let known = agreement.revision.and_then(Revision::parse);
        let client = (Side::Client, agreement.client, agreement.client_capabilities);
        let server = (Side::Server, agreement.server, agreement.server_capabilities);
        for (side, peer, capabilities) in [client, server] {
            if peer.is_some() || capabilities.is_some() {
                self.offer(side, peer, capabilities, known, out);
            }
        }
    }

    fn offer(
        &self,
        side: Side,
        peer: Option<&Peer>,
        capabilities: Option<&[Vec<String>]>,
        revision: Option<Revision>,
        out: &mut String,
    ) {
        let mut line = Vec::new();
        let mut head = side.as_str().to_owned();
        if let Some(peer) = peer {
            head.push(' ');
            head.push_str(&self.peer(peer));
        }
        line.push((Ink::Strong, head));
        match capabilities {
            None => line.push((Ink::Doubt, "what it declares is not in the capture".to_owned())),
            Some([]) => line.push((Ink::Plain, "declares nothing".to_owned())),
            Some(paths) => {
                line.push((Ink::Plain, "declares".to_owned()));
                let offered = grouped(paths);
                let last = offered.len() - 1;
                for (at, capability) in offered.into_iter().enumerate() {
                    let text = self.safe(&capability);
                    let comma = if at == last { "" } else { "," };
                    line.extend(words(Ink::Good, &format!("{text}{comma}")));
                }
            }
        }
        if let (Some(paths), Some(revision)) = (capabilities, revision) {
            let mut missing = CAPABILITIES
                .iter()
                .filter(|row| row.side == side && (row.since..=row.until).contains(&revision))
                .filter_map(|row| if let [name] = row.path { Some(*name) } else { None })
                .filter(|name| !matches!(*name, "experimental" | "extensions"))
                .filter(|name| !paths.iter().any(|path| path.first().is_some_and(|first| first == name)))
                .peekable();
            let mut not = format!("{} not ", self.signs.dot);
            while let Some(name) = missing.next() {
                let comma = if missing.peek().is_some() { "," } else { "" };
                line.push((Ink::Dim, format!("{}{name}{comma}", std::mem::take(&mut not))));
            }
        }
        wrap(&self.palette, out, self.width, INDENT + 2, &line);
    }

    /// How a session ended, and what is left open.
    pub(in crate::render::table) fn session_end(&mut self, session: &SessionEnd, out: &mut String) {
        let place = (session.input, session.session);
        self.shown.iter_mut().filter(|shown| shown.session == place).for_each(|shown| shown.ended = true);
        let mut parts = vec![(Ink::Strong, format!("session {}", session.session))];
        for part in [
            Some(Count(session.counts.messages, "message").to_string()),
            session.times.filter(|(first, last)| first.at != last.at).and_then(|(first, last)| {
                let span = last.at.duration_since(first.at);
                Some(format!("over {}", Elapsed(span.try_into().ok()?)))
            }),
            self.pair(session),
            session.transport.map(str::to_owned),
            session.revision.as_deref().map(|revision| self.safe(revision).into_owned()),
            session.probed.then(|| "probed by server/discover first".to_owned()),
            Some(match session.ended {
                "end-of-input" => "open at the end of the input".to_owned(),
                ended => format!("ended: {}", ended.replace('-', " ")),
            }),
        ]
        .into_iter()
        .flatten()
        {
            parts.push((Ink::Dim, format!("{} {part}", self.signs.dot)));
        }
        wrap(&self.palette, out, self.width, 0, &parts);
        if session.swapped_labels {
            let note = "directions look swapped: most labels contradict methods that only one side can send";
            wrap(&self.palette, out, self.width, 2, &words(Ink::Doubt, note));
        }
        if session.unanswered.count > 0 {
            let mut open = vec![(Ink::Wrong, "never answered:".to_owned())];
            let shown = session.unanswered.first.iter().take(8);
            let left = session.unanswered.count - shown.len() as u64;
            let last = shown.len().saturating_sub(1);
            for (at, (n, method)) in shown.enumerate() {
                let comma = if at < last || left > 0 { "," } else { "" };
                open.push((Ink::Doubt, format!("#{n} {}{comma}", self.safe(method))));
            }
            if left > 0 {
                open.push((Ink::Doubt, format!("and {} more", Thousands(left))));
            }
            wrap(&self.palette, out, self.width, 2, &open);
        }
    }

    fn pair(&self, session: &SessionEnd) -> Option<String> {
        match (&session.client, &session.server) {
            (None, None) => None,
            (client, server) => {
                let name = |peer: &Option<Peer>| peer.as_ref().map_or_else(|| "?".to_owned(), |peer| self.peer(peer));
                Some(format!("{} {} {}", name(client), self.signs.between, name(server)))
            }
        }
    }

    fn peer(&self, peer: &Peer) -> String {
        let name = self.safe(&peer.name);
        match &peer.version {
            Some(version) => format!("{name} {}", self.safe(version)),
            None => name.into_owned(),
        }
    }
}
