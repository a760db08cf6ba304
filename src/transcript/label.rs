//! The words before a message in logs that somebody made for himself: arrows, the names of both ends, words for ways. They
//! are read from the end, where the label stands; times, levels and names before it do not matter. Knows no format.

use super::grammar::Way;
use crate::protocol::Direction::{ClientToServer, ServerToClient};
use crate::protocol::{Direction, Side};

/// What the words tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) way: Way,
    /// A proxy may tell a message where it comes from, and again where it goes: each in a voice of its own, else 0.
    pub(super) voice: u8,
}

/// A part of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    Word(&'t str),
    /// To the right, or to the left; `true` when it is one sign, which others use as well.
    Arrow(Way, bool),
    Open,
    Close,
    Colon,
    Equals,
    /// What only separates.
    Sign,
}

/// Words that are looked at, at most: those that stand last.
const WORDS: usize = 40;

/// The tokens of a label, of which blanks are none.
struct Tokens<'t> {
    kept: [Token<'t>; WORDS],
    count: usize,
}

impl<'t> Tokens<'t> {
    fn of(words: &'t str) -> Self {
        let mut tokens = Self { kept: [Token::Sign; WORDS], count: 0 };
        let mut rest = words;
        while let Some((token, behind)) = next(rest) {
            if tokens.count == WORDS {
                tokens.kept.rotate_left(1);
                tokens.count -= 1;
            }
            tokens.kept[tokens.count] = token;
            tokens.count += 1;
            rest = behind;
        }
        tokens
    }

    fn all(&self) -> &[Token<'t>] {
        &self.kept[..self.count]
    }
}

const RIGHT: [char; 16] = ['→', '⇒', '⟶', '⟹', '➡', '➜', '➔', '▶', '►', '»', '⮕', '↑', '⬆', '📤', '⏩', '↗'];
const LEFT: [char; 16] = ['←', '⇐', '⟵', '⟸', '⬅', '◀', '◄', '«', '⬇', '↓', '📥', '⏪', '↙', '⇦', '⤶', '↩'];
/// Arrows as they look when their bytes are read in another encoding.
const MANGLED: [(&str, Way); 3] = [("â†’", Way::Sent), ("â†\u{90}", Way::Received), ("â†�", Way::Received)];

/// The first token and what is behind it.
fn next(text: &str) -> Option<(Token<'_>, &str)> {
    let text = text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{fe0f}');
    let first = text.chars().next()?;
    if let Some((mangled, way)) = MANGLED.iter().find(|(mangled, _)| text.starts_with(mangled)) {
        return Some((Token::Arrow(*way, false), &text[mangled.len()..]));
    }
    let behind = &text[first.len_utf8()..];
    let token = match first {
        '-' | '=' | '<' | '>' | '~' => {
            let length = text.bytes().take_while(|byte| b"-=<>~".contains(byte)).count();
            let (sign, behind) = text.split_at(length);
            let single = length == 1;
            let token = match (sign.contains('>'), sign.contains('<')) {
                (true, false) => Token::Arrow(Way::Sent, single),
                (false, true) => Token::Arrow(Way::Received, single),
                _ if sign == "=" => Token::Equals,
                _ => Token::Sign,
            };
            return Some((token, behind));
        }
        '[' | '(' => Token::Open,
        ']' | ')' => Token::Close,
        ':' => Token::Colon,
        _ if RIGHT.contains(&first) => Token::Arrow(Way::Sent, false),
        _ if LEFT.contains(&first) => Token::Arrow(Way::Received, false),
        _ if first.is_alphanumeric() => {
            // A hyphen belongs to a word when letters follow: `client-to-server`, but `client->server`.
            let inner = |(at, letter): &(usize, char)| {
                letter.is_alphanumeric()
                    || *letter == '_'
                    || (matches!(letter, '-' | '.' | '/')
                        && text[at + letter.len_utf8()..].starts_with(char::is_alphanumeric))
            };
            let length = text.char_indices().take_while(inner).map(|(_, letter)| letter.len_utf8()).sum();
            let (word, behind) = text.split_at(length);
            return Some((Token::Word(word), behind));
        }
        _ => Token::Sign,
    };
    Some((token, behind))
}

/// What the words before a message tell of its way, if they are a label.
pub(super) fn label(words: &str) -> Option<Label> {
    let tokens = Tokens::of(words);
    let tokens = tokens.all();
    let plain = |way| Label { way, voice: 0 };
    between(tokens)
        .or_else(|| of_speaker(tokens))
        .or_else(|| arrow(tokens).map(plain))
        .or_else(|| marked(tokens, &WAYS).map(plain))
        .or_else(|| named(tokens).map(plain))
        .or_else(|| marked(tokens, &KINDS).map(plain))
}

/// A word that says who a party is.
fn party(word: &str) -> Option<Side> {
    const CLIENTS: [&str; 10] =
        ["client", "host", "c", "claude", "cursor", "vscode", "editor", "inspector", "upstream", "parent"];
    const SERVERS: [&str; 7] = ["server", "s", "child", "backend", "subprocess", "downstream", "mcp-server"];
    let is = |known: &&str| word.eq_ignore_ascii_case(known);
    match (CLIENTS.iter().any(is), SERVERS.iter().any(is)) {
        (true, _) => Some(Side::Client),
        (_, true) => Some(Side::Server),
        _ => None,
    }
}

/// The direction of what goes from one party to another, of which one may be anybody.
fn from_to(from: &str, to: &str) -> Option<Direction> {
    match (party(from), party(to)) {
        (Some(from), to) if Some(from) != to => Some(from.sends()),
        (None, Some(to)) => Some(to.other().sends()),
        _ => None,
    }
}

/// Both ends, or one with how it takes part: `client -> server`, `C2S`, `from client`, `to the server`.
fn between(tokens: &[Token<'_>]) -> Option<Label> {
    let claimed = |direction, voice| Label { way: Way::Claimed(direction), voice };
    let one_word = |word: &str| {
        let letters = || word.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase());
        let is = |known: &str| letters().eq(known.bytes());
        match () {
            () if ["c2s", "client2server", "clienttoserver", "toserver", "fromclient"].into_iter().any(is) => {
                Some(ClientToServer)
            }
            () if ["s2c", "server2client", "servertoclient", "toclient", "fromserver"].into_iter().any(is) => {
                Some(ServerToClient)
            }
            () => None,
        }
    };
    // Brackets around the names do not matter.
    let is_word = |token: &&Token<'_>| !matches!(token, Token::Open | Token::Close);
    let mut behind: [Option<Token<'_>>; 2] = [None, None];
    for token in tokens.iter().rev().filter(is_word) {
        match (*token, behind) {
            (Token::Word(word), _) if one_word(word).is_some() => return one_word(word).map(|way| claimed(way, 0)),
            (Token::Word(left), [Some(Token::Arrow(way, _)), Some(Token::Word(right))]) => {
                let ends = if way == Way::Sent { from_to(left, right) } else { from_to(right, left) };
                if let Some(direction) = ends {
                    return Some(claimed(direction, 0));
                }
            }
            (Token::Word(left), [Some(Token::Word(to)), Some(Token::Word(right))]) if is(to, &["to"]) => {
                if party(left).is_some()
                    && let Some(direction) = from_to(left, right)
                {
                    return Some(claimed(direction, 0));
                }
                if let Some(to) = party(right) {
                    return Some(claimed(to.other().sends(), 2));
                }
            }
            (Token::Word(from), [Some(Token::Word(name)), _]) if is(from, &["from"]) => {
                if let Some(party) = party(name) {
                    return Some(claimed(party.sends(), 1));
                }
            }
            (Token::Word(to), [Some(Token::Word(name)), _]) if is(to, &["to", "into"]) => {
                // With a name before it, the pair above decides.
                if let (Some(party), false) = (party(name), starts_pair(tokens, token)) {
                    return Some(claimed(party.other().sends(), 2));
                }
            }
            _ => {}
        }
        // Articles and possessives stand between.
        if !matches!(token, Token::Word(word) if is(word, &["the", "mcp", "s"])) || behind[0].is_none() {
            behind = [Some(*token), behind[0]];
        }
    }
    None
}

/// Whether a party's name stands before this word.
fn starts_pair(tokens: &[Token<'_>], word: &Token<'_>) -> bool {
    let at = tokens.iter().position(|token| std::ptr::eq(token, word));
    let before = at.and_then(|at| tokens[..at].iter().rev().find(|token| !matches!(token, Token::Open | Token::Close)));
    matches!(before, Some(Token::Word(name)) if party(name).is_some())
}

/// A party and what it did: `client sent:`, `Server says`, with the colon that ends a label.
fn of_speaker(tokens: &[Token<'_>]) -> Option<Label> {
    let (last, before) = tokens.split_last()?;
    let words = match last {
        Token::Colon | Token::Close => before,
        _ => return None,
    };
    let mut words = words.iter().rev().filter_map(|token| match token {
        Token::Word(word) => Some(*word),
        _ => None,
    });
    let (verb, name) = (words.next()?, words.next()?);
    // `server sent message:` has one word more.
    let (verb, name) = if is(verb, &NOUNS) { (name, words.next()?) } else { (verb, name) };
    let party = party(name)?;
    let direction = match () {
        () if is(verb, &["sent", "sends", "says", "said", "replied", "responded", "answered", "wrote", "stdout"]) => {
            party.sends()
        }
        () if is(verb, &["received", "receives", "got", "gets", "read", "stdin"]) => party.other().sends(),
        () => return None,
    };
    Some(Label { way: Way::Claimed(direction), voice: 0 })
}

/// The last arrow, with nothing but a few plain words behind it.
fn arrow(tokens: &[Token<'_>]) -> Option<Way> {
    let at = tokens.iter().rposition(|token| matches!(token, Token::Arrow(..)))?;
    let Token::Arrow(way, single) = tokens[at] else { return None };
    let behind = &tokens[at + 1..];
    let opened = behind.iter().filter(|token| **token == Token::Open).count();
    let closed = behind.iter().filter(|token| **token == Token::Close).count();
    let inside = tokens[..at].iter().filter(|token| **token == Token::Open).count();
    // A call or an assignment behind it is a program, not a label.
    let plain = opened <= closed && !matches!(behind.last(), Some(Token::Equals)) && closed - opened <= inside;
    // One sign alone quotes and prompts as well: only next to the message it is an arrow.
    (plain && (!single || behind.iter().all(|token| matches!(token, Token::Close | Token::Colon)))).then_some(way)
}

/// The name of a party next to the message: that of who spoke, or of whom it was for. Which, the file shows.
fn named(tokens: &[Token<'_>]) -> Option<Way> {
    let (at, party) = tokens.iter().enumerate().rev().find_map(|(at, token)| Some((at, party(word_of(token)?)?)))?;
    let behind = &tokens[at + 1..];
    let marked = at == 0 || matches!(behind.first(), Some(Token::Colon | Token::Close | Token::Arrow(..)));
    (marked && behind.iter().all(|token| word_of(token).is_none())).then_some(Way::Claimed(party.sends()))
}

/// Whether a word is one of those, in letters of any case.
fn is(word: &str, known: &[&str]) -> bool {
    known.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Words for ways, as the writer of the log sees them, and whether they are words of prose as well.
const WAYS: [(&str, Way); 42] = [
    ("in", Way::Received),
    ("out", Way::Sent),
    ("stdin", Way::Received),
    ("stdout", Way::Sent),
    ("input", Way::Received),
    ("output", Way::Sent),
    ("incoming", Way::Received),
    ("outgoing", Way::Sent),
    ("inbound", Way::Received),
    ("outbound", Way::Sent),
    ("recv", Way::Received),
    ("send", Way::Sent),
    ("rx", Way::Received),
    ("tx", Way::Sent),
    ("received", Way::Received),
    ("sent", Way::Sent),
    ("receive", Way::Received),
    ("receiving", Way::Received),
    ("sending", Way::Sent),
    ("recieved", Way::Received),
    ("rcvd", Way::Received),
    ("got", Way::Received),
    ("read", Way::Received),
    ("write", Way::Sent),
    ("reading", Way::Received),
    ("writing", Way::Sent),
    ("wrote", Way::Sent),
    ("written", Way::Sent),
    ("reads", Way::Received),
    ("writes", Way::Sent),
    ("receives", Way::Received),
    ("sends", Way::Sent),
    ("rcv", Way::Received),
    ("snd", Way::Sent),
    ("ingress", Way::Received),
    ("egress", Way::Sent),
    ("inbox", Way::Received),
    ("outbox", Way::Sent),
    ("replying", Way::Sent),
    ("responding", Way::Sent),
    ("returning", Way::Sent),
    ("emitting", Way::Sent),
];
/// Words that name a kind or a way, whichever the author meant.
const KINDS: [(&str, Way); 10] = [
    ("request", Way::Unknown),
    ("response", Way::Unknown),
    ("notification", Way::Unknown),
    ("req", Way::Unknown),
    ("res", Way::Unknown),
    ("resp", Way::Unknown),
    ("reply", Way::Unknown),
    ("message", Way::Unknown),
    ("msg", Way::Unknown),
    ("json-rpc", Way::Unknown),
];
/// What verbs are said of.
const NOUNS: [&str; 14] = [
    "message",
    "messages",
    "request",
    "response",
    "notification",
    "reply",
    "answer",
    "line",
    "data",
    "payload",
    "json",
    "msg",
    "raw",
    "result",
];
/// What loggers put before a label.
const LEVELS: [&str; 10] = ["debug", "info", "warn", "warning", "error", "trace", "notice", "critical", "fatal", "log"];

/// The last of these words that is a label: in brackets, in capitals, before a colon, before what it is said of, or alone.
fn marked(tokens: &[Token<'_>], known: &[(&str, Way)]) -> Option<Way> {
    let ends = matches!(tokens.last(), Some(Token::Colon | Token::Close | Token::Equals | Token::Arrow(..)));
    tokens.iter().enumerate().rev().find_map(|(at, token)| {
        let Token::Word(word) = token else { return None };
        let (_, way) = known.iter().find(|(known, _)| word.eq_ignore_ascii_case(known))?;
        let before = at.checked_sub(1).map(|before| tokens[before]);
        let behind = tokens.get(at + 1).copied();
        let bracketed = before == Some(Token::Open);
        let capitals = word.bytes().all(|byte| !byte.is_ascii_lowercase()) && word.len() > 1;
        let named = before == Some(Token::Equals) || (before == Some(Token::Colon) && behind.is_some());
        let colon = matches!(behind, Some(Token::Colon | Token::Arrow(..)));
        // `Received the message:`, `Sent tools/list response:`.
        let of_noun = ends
            && tokens[at + 1..].iter().filter_map(word_of).next_back().is_some_and(|noun| is(noun, &NOUNS))
            && tokens[at + 1..].iter().filter(|token| word_of(token).is_some()).count() <= 4;
        // Names in brackets, what stands before a sign, and single words before colons, are a logger's.
        let segment = tokens[..at].iter().rposition(|token| *token == Token::Sign).map_or(0, |sign| sign + 1);
        let bare = |at: &usize| *at == 0 || tokens[at - 1] != Token::Open;
        let named_before = |at: &usize| {
            tokens.get(at + 1) == Some(&Token::Colon)
                && (*at == 0 || matches!(tokens[at - 1], Token::Colon | Token::Close | Token::Sign))
        };
        let others = (segment..tokens.len())
            .filter(bare)
            .filter(|at| !named_before(at))
            .filter_map(|at| word_of(&tokens[at]))
            .filter(|word| !is(word, &LEVELS) && !word.starts_with(|first: char| first.is_ascii_digit()));
        let alone = others.count() == 1;
        (bracketed || capitals || named || colon || of_noun || alone).then_some(*way)
    })
}

fn word_of<'t>(token: &Token<'t>) -> Option<&'t str> {
    match token {
        Token::Word(word) => Some(word),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(words: &str) -> Option<Way> {
        label(words).map(|label| label.way)
    }

    #[test]
    fn ends_are_told_in_many_words() {
        for words in [
            "client -> server: ",
            "[Client → Server] ",
            "server <- client ",
            "SERVER<--CLIENT | ",
            "C2S ",
            "client_to_server=",
            "clientToServer: ",
            "Client to Server: ",
            "message from the client: ",
            "forwarded to server: ",
            "client sent message: ",
            "server received: ",
            "proxy -> server ",
            "Claude → proxy: ",
            "client â†’ server: ",
        ] {
            assert_eq!(way(words), Some(Way::Claimed(ClientToServer)), "{words}");
        }
        for (words, voice) in [("received from client: ", 1), ("sent to the server: ", 2), ("client -> server: ", 0)] {
            assert_eq!(label(words).map(|label| label.voice), Some(voice), "{words}");
        }
    }

    #[test]
    fn words_of_prose_and_programs_are_no_labels() {
        for words in [
            "",
            "GET /mcp 200 ",
            "the client sends ",
            "rows of interest in ",
            "written out in full as ",
            "error: ",
            "Query parameters: ",
            "x = ",
            ">>> call(",
            ">>> x = ",
            "a <-> b ",
            "if a > b then ",
            "server exploded with ",
            "could not read ",
            "nothing to do: could not read ",
            "a word of prose: in ",
        ] {
            assert_eq!(way(words), None, "{words}");
        }
    }

    #[test]
    fn of_several_words_the_plainest_counts() {
        for (words, wanted) in [
            ("[server] IN ", Way::Received),
            ("IN [server] ", Way::Received),
            ("[proxy] INFO: Sending tools/list response: ", Way::Sent),
            ("<<< [REQUEST] ", Way::Received),
            ("direction=out id=3 msg=", Way::Sent),
            ("[SERVER] ", Way::Claimed(ServerToClient)),
            ("handling request: ", Way::Unknown),
            ("INFO:proxy:send ", Way::Sent),
            ("DEBUG:__main__:recv ", Way::Received),
            ("INFO:proxy.stdio:stdin  ", Way::Received),
            ("[INFO] proxy: send ", Way::Sent),
            ("notes: recv ", Way::Received),
        ] {
            assert_eq!(way(words), Some(wanted), "{words}");
        }
    }
}
