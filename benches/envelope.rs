//! How fast messages are read, against `serde_json` validating the same text without looking at it.
#![allow(missing_docs, clippy::unwrap_used)]

use std::fmt::{self, Display};

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use mcp_trace::jsonrpc::{Envelope, Id, Parser, RawJsonBuf, write_envelope};
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

fn main() {
    divan::main();
}

/// A message as sessions hold them.
#[derive(Clone, Copy)]
enum Shape {
    /// A call of about 150 bytes.
    Small,
    /// A result of about 4 KB: prose with escapes and a structured copy of it.
    Mixed,
    /// A result of about 1 MB: text, base64 and numbers in equal parts.
    Large,
}

impl Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Small => "150 B",
            Self::Mixed => "4 KB",
            Self::Large => "1 MB",
        })
    }
}

const SHAPES: [Shape; 3] = [Shape::Small, Shape::Mixed, Shape::Large];

/// A small deterministic generator (splitmix64), so that every run reads the same text.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % sides
    }

    /// Words with a line end about every 90 bytes, and now and then a quotation.
    fn prose(&mut self, length: usize) -> String {
        let mut text = String::new();
        while text.len() < length {
            for _ in 0..2 + self.roll(8) {
                text.push(char::from(b'a' + self.roll(26) as u8));
            }
            text.push_str(match self.roll(30) {
                0 | 1 => ".\n",
                2 => "\" ",
                3 => "é ",
                _ => " ",
            });
        }
        text
    }

    fn base64(&mut self, length: usize) -> String {
        (0..length).map(|_| char::from(b'A' + self.roll(26) as u8)).collect()
    }

    fn rows(&mut self, count: u64) -> Vec<serde_json::Value> {
        (0..count)
            .map(|row| serde_json::json!({"row": row, "name": self.prose(12), "score": self.roll(100_000), "kept": true}))
            .collect()
    }
}

fn line(shape: Shape) -> String {
    let mut dice = Dice(7);
    let mut out = Vec::new();
    match shape {
        Shape::Small => {
            let params = RawJsonBuf::from(serde_json::json!({
                "name": dice.base64(12),
                "arguments": {"path": dice.base64(30), "limit": dice.roll(1000)},
            }));
            write_envelope(&Envelope::request(Id::number(42), "tools/call", Some(params.as_raw())), &mut out);
        }
        Shape::Mixed => {
            let result = RawJsonBuf::from(serde_json::json!({
                "content": [{"type": "text", "text": dice.prose(3000)}],
                "structuredContent": {"rows": dice.rows(12)},
                "isError": false,
            }));
            write_envelope(&Envelope::response(Id::string("42"), result.as_raw()), &mut out);
        }
        Shape::Large => {
            let result = RawJsonBuf::from(serde_json::json!({
                "content": [
                    {"type": "text", "text": dice.prose(330_000)},
                    {"type": "image", "data": dice.base64(330_000), "mimeType": "image/png"},
                ],
                "structuredContent": {"rows": dice.rows(5000)},
            }));
            write_envelope(&Envelope::response(Id::number(42), result.as_raw()), &mut out);
        }
    }
    String::from_utf8(out).unwrap()
}

#[divan::bench(args = SHAPES)]
fn read(bencher: Bencher<'_, '_>, shape: Shape) {
    let line = line(shape);
    let mut parser = Parser::new();
    bencher.counter(BytesCount::of_str(&line)).counter(ItemsCount::new(1_u64)).bench_local(|| {
        black_box(parser.read(black_box(&line)));
    });
}

#[divan::bench(args = SHAPES)]
fn serde_json_ignored_any(bencher: Bencher<'_, '_>, shape: Shape) {
    let line = line(shape);
    bencher
        .counter(BytesCount::of_str(&line))
        .counter(ItemsCount::new(1_u64))
        .bench_local(|| serde_json::from_str::<IgnoredAny>(black_box(&line)).unwrap());
}

#[divan::bench(args = SHAPES)]
fn serde_json_raw_value(bencher: Bencher<'_, '_>, shape: Shape) {
    let line = line(shape);
    bencher.counter(BytesCount::of_str(&line)).counter(ItemsCount::new(1_u64)).bench_local(|| {
        black_box(serde_json::from_str::<&RawValue>(black_box(&line)).unwrap());
    });
}
