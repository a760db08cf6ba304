//! A document that is one JSON array of messages, over several lines: read element by element, never as a whole.

use super::entries::Walker;
use super::json::bare_step;
use super::json_scan::{looks_like_rpc, value_end};
use super::{Bid, Confidence, Entries, Format, Head, LineBuffer, Proof, ReadError, Reader, Step};

/// The row of array documents.
pub(super) const FORMAT: Format = Format {
    name: "json-array",
    title: "a JSON document that is one array of messages",
    example: "[\n  {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n]",
    loses: "times and directions",
    proof: Proof::Defined,
    sniff,
    open: |options| Box::new(JsonArray { walker: Walker::new(Entries::Within(&[&["*"]]), options.max_line) }),
};

fn sniff(head: &Head<'_>) -> Bid {
    let text = head.text.trim_ascii_start();
    let Some((first, _)) = text.split_once('\n') else { return Bid::NONE };
    // An array on one line is a batch.
    if !head.first || value_end(first).is_some() || !text.starts_with('[') || !looks_like_rpc(text) {
        return Bid::NONE;
    }
    Bid::new(Confidence::Certain, "the input begins an array of JSON-RPC messages over several lines")
}

/// The reader. Before and behind the array it reads values and noise.
struct JsonArray {
    walker: Walker,
}

impl Reader for JsonArray {
    fn next_frame<'b>(&'b mut self, lines: &'b mut LineBuffer) -> Result<Step<'b>, ReadError> {
        let piece = self.walker.next(lines)?;
        Ok(bare_step(piece, self.walker.line(lines), self.walker.standing()))
    }

    fn problem(&self) -> Option<String> {
        self.walker.problem()
    }
}
