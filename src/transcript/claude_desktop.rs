//! Claude Desktop's logs, `mcp.log` of all servers and `mcp-server-NAME.log` of one: with whole messages until the
//! middle of 2026, with their outlines since then. The server's standard error stands between, also that of
//! mcp-remote, which tells the messages once more.

use super::claude_sentence::{Told, begins_block, is_known, sentence, tell};
use super::joined::{Growth, Joined};
use super::{
    Advance, Bid, Confidence, Content, EventKind, Flag, Flags, Format, Frame, Head, Line, LineBuffer, Origin, Proof,
    ReadError, ReadOptions, Reader, Step, mcp_remote,
};
use crate::position::Position;

/// The row of Claude Desktop's logs.
pub(super) const FORMAT: Format = Format {
    name: "claude-desktop",
    title: "Claude Desktop's `mcp.log` and `mcp-server-NAME.log`",
    example: r#"2025-01-02T03:04:05.678Z [info] [notes] Message from client: {"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
    loses: "sessions of servers with the same name; since June 2026 also payloads",
    proof: Proof::Documented,
    sniff,
    open: |options| Box::new(ClaudeDesktop::new(options)),
};

fn sniff(head: &Head<'_>) -> Bid {
    let mut lines = head.text.lines().filter(|line| !line.trim_ascii().is_empty());
    let Some(first) = lines.next().and_then(sentence) else { return Bid::NONE };
    // Others write lines like these: only the host's own sentences prove who it is.
    if is_known(first.text) {
        return Bid::new(Confidence::Certain, "the first line is a sentence of Claude Desktop's");
    }
    if lines.filter_map(sentence).any(|line| is_known(line.text)) {
        return Bid::new(Confidence::Certain, "a line is a sentence of Claude Desktop's");
    }
    Bid::NONE
}

/// What is being put together from several lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holding {
    Nothing,
    /// A sentence of the host with an object in JavaScript's notation.
    Block,
    /// A message that mcp-remote prints.
    Printed,
}

/// How much text of a block is kept, and how many lines it can have.
const BLOCK: usize = 64 * 1024;
const BLOCK_LINES: u64 = 2_000;

/// The reader.
struct ClaudeDesktop {
    holding: Holding,
    block: String,
    /// The block's two outer brackets are opened, so maybe closed as well, in one line.
    inline: bool,
    place: Position,
    flags: Flags,
    printed: Joined,
    cut: Option<(u64, u64)>,
}

/// What to do with a line.
enum Plan {
    Give,
    Block,
    Printed(usize),
}

impl ClaudeDesktop {
    fn new(options: &ReadOptions) -> Self {
        Self {
            holding: Holding::Nothing,
            block: String::new(),
            inline: false,
            place: Position::default(),
            flags: Flags::NONE,
            printed: Joined::new(options.max_line.min(BLOCK as u64)),
            cut: None,
        }
    }

    /// Adds a line to a block; `false` when the line does not belong to it.
    fn extend(&mut self, line: &Line<'_>) -> bool {
        if sentence(line.text).is_some() || line.number - self.place.line > BLOCK_LINES {
            return false;
        }
        if self.block.len() + line.text.len() < BLOCK {
            self.block.push('\n');
            self.block.push_str(line.text);
        }
        self.grow(line);
        true
    }

    fn grow(&mut self, line: &Line<'_>) {
        self.place.end_line = line.number;
        self.place.length = line.offset + line.length - self.place.offset;
        self.flags = self.flags.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized, Flag::Oversized);
    }

    /// The block as one event.
    fn block(&mut self) -> Frame<'_> {
        self.holding = Holding::Nothing;
        let whole = self.block.trim_ascii_end();
        let whole = whole.strip_suffix("%o").map_or(whole, str::trim_ascii_end);
        match sentence(whole) {
            Some(sentence) => Frame {
                time: Some(sentence.time),
                server: Some(sentence.server),
                ..event(self.place, self.flags, tell(sentence.text))
            },
            None => plain(self.place, self.flags, Content::Event { kind: EventKind::Stderr, text: whole }),
        }
    }

    /// The printed message, or what began like one.
    fn printed(&mut self) -> Frame<'_> {
        self.holding = Holding::Nothing;
        let place = self.printed.position();
        match mcp_remote::printed(self.printed.text()) {
            Some((direction, outline)) => {
                Frame { direction: Some(direction), ..plain(place, self.printed.flags(), Content::Outline(outline)) }
            }
            None => {
                let content = Content::Event { kind: EventKind::Stderr, text: self.printed.text() };
                plain(place, self.printed.flags(), content)
            }
        }
    }
}

impl Reader for ClaudeDesktop {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        loop {
            let held = self.holding;
            match (lines.advance()?, held) {
                (Advance::Line, _) => {}
                (Advance::Idle, _) => return Ok(Step::Idle),
                (Advance::Paused, _) => return Ok(Step::Paused),
                (Advance::End, Holding::Nothing) => return Ok(Step::End),
                (Advance::End, Holding::Block) => return Ok(Step::Frame(self.block())),
                (Advance::End, Holding::Printed) => return Ok(Step::Frame(self.printed())),
            }
            match held {
                Holding::Nothing => {}
                Holding::Block => {
                    let line = lines.line();
                    let closes =
                        line.text.starts_with('}') || (self.inline && line.text.trim_ascii_end().ends_with("} }"));
                    if !self.extend(&line) {
                        lines.hold();
                    } else if !closes {
                        continue;
                    }
                    return Ok(Step::Frame(self.block()));
                }
                Holding::Printed => {
                    match self.printed.extend(&lines.line()) {
                        Growth::More => continue,
                        Growth::Complete(_) => {}
                        Growth::Broken => lines.hold(),
                    }
                    return Ok(Step::Frame(self.printed()));
                }
            }
            // Most lines stand for themselves, which their last byte shows.
            let open = matches!(lines.raw().trim_ascii_end().last(), Some(b'{' | b'+' | b','));
            match if open { plan(lines.line().text) } else { Plan::Give } {
                Plan::Give => {}
                Plan::Block => {
                    let line = lines.line();
                    self.holding = Holding::Block;
                    self.block.clear();
                    self.block.push_str(line.text);
                    self.inline = line.text.contains(" { metadata: {");
                    (self.place, self.flags) =
                        (Position { line: line.number, offset: line.offset, ..self.place }, Flags::NONE);
                    self.grow(&line);
                    continue;
                }
                Plan::Printed(from) => {
                    let line = lines.line();
                    self.holding = Holding::Printed;
                    self.printed.begin(&line, from);
                    continue;
                }
            }
            let line = lines.line();
            let frame = frame(&line);
            if frame.flags.has(Flag::Truncated) && !line.terminated {
                self.cut = Some((line.number, line.offset + line.length));
            }
            return Ok(Step::Frame(frame));
        }
    }

    fn problem(&self) -> Option<String> {
        self.cut.map(|(line, at)| format!("line {line} is cut off inside a message at byte {at}, the end of the input"))
    }
}

/// Whether a line that ends in an open bracket, a plus or a comma stands for itself or begins something: a whole
/// sentence ends in words or in the bracket that closes its suffix.
fn plan(line: &str) -> Plan {
    let line = line.trim_ascii_end();
    match (sentence(line), mcp_remote::unprefixed(line)) {
        (Some(sentence), _) if begins_block(sentence.text) => Plan::Block,
        (None, Some("{")) => Plan::Printed(line.len() - 1),
        _ => Plan::Give,
    }
}

/// The frame of a line that stands for itself.
fn frame<'b>(line: &Line<'b>) -> Frame<'b> {
    let flags = Flags::NONE.with_if(line.lossy, Flag::BadUtf8).with_if(line.oversized, Flag::Oversized);
    let place = |part: &str| {
        let start = part.as_ptr().addr() - line.text.as_ptr().addr();
        let (offset, length) =
            if line.oversized { (line.offset, line.length) } else { line.locate(start..start + part.len()) };
        Position { line: line.number, end_line: line.number, offset, length, lead: None, entry: None }
    };
    let Some(sentence) = sentence(line.text) else {
        let text = line.text.trim_ascii();
        if text.is_empty() {
            return plain(place(text), flags, Content::Blank);
        }
        if let Some((direction, outline)) = mcp_remote::unprefixed(text).and_then(mcp_remote::passing) {
            return Frame { direction: Some(direction), ..plain(place(text), flags, Content::Outline(outline)) };
        }
        return plain(place(text), flags, Content::Event { kind: EventKind::Stderr, text: line.text });
    };
    let told = tell(sentence.text);
    let part = match told {
        Told::Message { text, .. } | Told::Event { text, .. } => text,
        Told::Outline { .. } => sentence.text,
    };
    Frame { time: Some(sentence.time), server: Some(sentence.server), ..event(place(part), flags, told) }
}

/// A frame of what a sentence tells.
fn event(place: Position, flags: Flags, told: Told<'_>) -> Frame<'_> {
    match told {
        Told::Message { direction, text, cut } => Frame {
            direction: Some(direction),
            ..plain(place, flags.with_if(cut, Flag::Truncated), Content::Message { text, origin: Origin::Labelled })
        },
        Told::Outline { direction, outline } => {
            Frame { direction: Some(direction), ..plain(place, flags.with(Flag::Elided), Content::Outline(outline)) }
        }
        Told::Event { kind, text } => plain(place, flags, Content::Event { kind, text }),
    }
}

fn plain(position: Position, flags: Flags, content: Content<'_>) -> Frame<'_> {
    Frame { position, flags, content, ..Frame::BLANK }
}
