//! The two sinks of `show`: one that finds a message and stops, one that writes it and what belongs to it.

use std::io::{self, Write};

use jiff::tz::TimeZone;

use super::card::{self, Look};
use super::family::{Family, Relations, Role};
use super::held::{Held, Message};
use crate::annotate::{Annotated, Record};
use crate::cli::notice::input_error;
use crate::pipeline::Sink;
use crate::render::json::NDJSON;
use crate::render::{OpenOptions, Renderer};
use crate::rules::Levels;
use crate::transcript::Format;

/// Finds a message; stops the run by an error when it has.
pub(super) struct Finder {
    asked: u64,
    pub(super) family: Option<Family>,
    pub(super) messages: u64,
    pub(super) error: Option<String>,
    from: Option<&'static Format>,
}

impl Finder {
    pub(super) fn new(asked: u64, from: Option<&'static Format>) -> Self {
        Self { asked, family: None, messages: 0, error: None, from }
    }
}

impl Sink for Finder {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        match record {
            Record::Message(message) if message.n == self.asked => {
                self.family = Some(Family::around(Relations::of(message)));
                Err(io::Error::other("found"))
            }
            Record::Message(message) => {
                self.messages = message.n;
                Ok(())
            }
            Record::InputEnd(end) => {
                self.error = input_error(end, self.from);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// How messages are written.
pub(super) enum Form {
    Cards(Look),
    /// As records of the JSON output.
    Records(Box<dyn Renderer>),
}

impl Form {
    /// One JSON object a line, messages included.
    pub(super) fn records(zone: TimeZone, width: usize) -> Self {
        Self::Records((NDJSON.open)(&OpenOptions {
            width,
            color: false,
            ascii: false,
            absolute_times: false,
            zone,
            payload: true,
            wide: false,
            columns: None,
            fail_on: None,
            levels: Levels::default(),
            as_revision: None,
        }))
    }

    /// The head of a message's card, or its whole record.
    fn draw(&mut self, message: &Annotated<'_>) -> io::Result<String> {
        match self {
            Self::Cards(look) => Ok(card::head(message, look)),
            Self::Records(renderer) => {
                let mut line = Vec::new();
                renderer.record(&Record::Message(message), &mut line)?;
                String::from_utf8(line).map_err(io::Error::other)
            }
        }
    }
}

/// What a [`Shower`] has seen.
pub(super) struct Shown {
    /// The message was there.
    pub(super) asked: bool,
    /// The request that it answers, when that was no longer held.
    pub(super) lost_request: Option<u64>,
    pub(super) messages: u64,
    pub(super) error: Option<String>,
}

/// Writes the family of a message. Knows it from the start, or keeps the last messages until it does.
pub(super) struct Shower<W> {
    asked: u64,
    family: Option<Family>,
    held: Held,
    form: Form,
    from: Option<&'static Format>,
    out: W,
    cards: u64,
    request_seen: bool,
    shown: Shown,
}

impl<W: Write> Shower<W> {
    pub(super) fn new(asked: u64, family: Option<Family>, form: Form, from: Option<&'static Format>, out: W) -> Self {
        let shown = Shown { asked: false, lost_request: None, messages: 0, error: None };
        Self { asked, family, held: Held::default(), form, from, out, cards: 0, request_seen: false, shown }
    }

    /// Flushes and tells what was seen.
    pub(super) fn finish(mut self) -> io::Result<Shown> {
        self.out.flush()?;
        let request = self.family.and_then(|family| family.answered_request());
        self.shown.lost_request = request.filter(|_| !self.request_seen);
        Ok(self.shown)
    }

    fn show(&mut self, family: &Family, relations: &Relations, head: &str, text: &str) -> io::Result<()> {
        let Some(role) = family.role(relations) else { return Ok(()) };
        self.request_seen |= role == Role::Request;
        self.shown.asked |= role == Role::Asked;
        let Form::Cards(look) = &self.form else { return self.out.write_all(head.as_bytes()) };
        if self.cards > 0 {
            writeln!(self.out)?;
        }
        self.cards += 1;
        card::write(role, relations.n, head, text, look, &mut self.out)
    }
}

impl<W: Write> Sink for Shower<W> {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        match record {
            Record::Message(message) => {
                let relations = Relations::of(message);
                self.shown.messages = relations.n;
                if self.family.is_none() && relations.n == self.asked {
                    let family = Family::around(relations);
                    self.family = Some(family);
                    for earlier in std::mem::take(&mut self.held) {
                        self.show(&family, &earlier.relations, &earlier.head, &earlier.text)?;
                    }
                }
                match self.family {
                    Some(family) if family.role(&relations).is_some() => {
                        let head = self.form.draw(message)?;
                        self.show(&family, &relations, &head, message.text)
                    }
                    Some(_) => Ok(()),
                    None => {
                        let head = self.form.draw(message)?;
                        // A record holds its message already.
                        let text = if let Form::Cards(_) = self.form { message.text } else { "" }.to_owned();
                        self.held.push(Message { relations, head, text });
                        Ok(())
                    }
                }
            }
            Record::InputEnd(end) => {
                self.shown.error = input_error(end, self.from);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn idle(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
