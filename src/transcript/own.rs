//! Formats that a user describes: the values of an [`Adapter`], made while the program runs. They are made once and
//! stay for as long as the program does.

use super::adapter::{Adapter, Entries, Form, Mark, Named, Telling, TimeKind, Way};
use super::pointer::{Pointer, SLOTS};
use super::wrapped::Wrapped;
use super::{Bid, Format, Origin, Proof};
use crate::protocol::Direction;

/// A format in the user's words. Places are RFC 6901 pointers from the top of an entry; of alternatives the first that
/// is there counts.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// The name for `--from`.
    pub name: String,
    /// Where the message stands, as JSON or as a string that holds it.
    pub message: Vec<String>,
    /// In documents: where the entries stand, `*` for each element of an array.
    pub entries: Option<String>,
    /// Where a word tells the direction, and what words mean.
    pub direction: Option<(String, Vec<(String, Direction)>)>,
    /// Where the time stands, and how it is written.
    pub time: Option<(String, TimeKind)>,
    /// Where the session is named.
    pub session: Vec<String>,
    /// Where the server is named.
    pub server: Vec<String>,
}

/// A format that a user described.
pub struct OwnFormat {
    /// Its row.
    pub format: Format,
    pub(super) adapter: &'static Adapter,
}

impl std::fmt::Debug for OwnFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OwnFormat").field("name", &self.format.name).finish_non_exhaustive()
    }
}

impl OwnFormat {
    /// Makes a format of a description.
    ///
    /// # Errors
    /// What cannot be: lower case, no full stop, the value in backticks.
    pub fn new(described: &Description) -> Result<Self, String> {
        let name: &'static str = keep(&described.name);
        if name.is_empty() || Format::by_name(name).is_some() {
            return Err(format!("expected a name that no format has yet, got `{name}`"));
        }
        let message = pointers(&described.message)?;
        if message.is_empty() {
            return Err("expected at least one pointer for `message`, got none".to_owned());
        }
        let (session, server) = (pointers(&described.session)?, pointers(&described.server)?);
        if message.len() + session.len() + server.len() + 2 > SLOTS {
            return Err(format!("expected at most {} pointers in all, got more", SLOTS - 2));
        }
        let entries = match &described.entries {
            None => Entries::Top,
            Some(path) => match pointer(path)? {
                [] => Entries::Top,
                path => Entries::Within(leak(vec![path])),
            },
        };
        let direction = match &described.direction {
            None => Vec::new(),
            Some((at, words)) => {
                let words: Vec<(&'static str, Direction)> =
                    words.iter().map(|(word, way)| (keep(word), *way)).collect();
                vec![Way::Word(pointer(at)?, leak(words))]
            }
        };
        let time = match &described.time {
            None => Vec::new(),
            Some((at, kind)) => vec![(pointer(at)?, *kind)],
        };
        let marks: Vec<Mark> = if let [only] = message { vec![Mark::Has(only)] } else { Vec::new() };
        let header: Vec<Mark> = match entries {
            Entries::Within([[first, ..]]) if *first != "*" => vec![Mark::Has(leak(vec![*first]))],
            _ => Vec::new(),
        };
        let adapter = Adapter {
            reason: "the entries are as the configuration describes them",
            entries,
            marks: leak(marks),
            header: leak(header),
            messages: leak(vec![Telling::new(Form::Value(message))]),
            direction: leak(direction),
            time: leak(time),
            session: Named::By(session),
            server,
            origin: Origin::Wire,
            ..Adapter::NONE
        };
        let format = Format {
            name,
            title: "described in the configuration",
            example: "",
            loses: "what the configuration does not say",
            proof: Proof::Defined,
            // Its adapter does both; see `Transcript`.
            sniff: |_| Bid::NONE,
            open: |options| Box::new(Wrapped::new(&Adapter::NONE, options)),
        };
        Ok(Self { format, adapter: Box::leak(Box::new(adapter)) })
    }
}

fn pointers(texts: &[String]) -> Result<&'static [Pointer], String> {
    Ok(leak(texts.iter().map(|text| pointer(text)).collect::<Result<Vec<_>, _>>()?))
}

/// The names of an RFC 6901 pointer.
fn pointer(text: &str) -> Result<Pointer, String> {
    if text.is_empty() {
        return Ok(&[]);
    }
    let Some(names) = text.strip_prefix('/') else {
        return Err(format!("expected a JSON pointer such as `/frame/json`, got `{text}`"));
    };
    Ok(leak(names.split('/').map(|name| keep(&name.replace("~1", "/").replace("~0", "~"))).collect()))
}

fn keep(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn leak<T>(values: Vec<T>) -> &'static [T] {
    Box::leak(values.into_boxed_slice())
}
