//! Whatever lies around a session, packed or written in front of its lines, the messages are those of the bare lines:
//! for any session, at every size of read, and in bounded memory.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::io::{self, Read, Write};

use mcp_trace::transcript::{
    Content, Fill, ReadError, ReadOptions, Source, SourceError, Step, Transcript, WRAPPINGS, Wrapping,
};
use proptest::prelude::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Gives so many bytes a time.
struct Chunks(io::Cursor<Vec<u8>>, usize);

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = buffer.len().min(self.1);
        self.0.read(&mut buffer[..size])
    }
}

/// What a run over wrapped bytes gave.
#[derive(Debug, Default, PartialEq)]
struct Reading {
    messages: Vec<String>,
    events: Vec<String>,
    wrappings: Vec<Wrapping>,
    format: Option<&'static str>,
    error: Option<String>,
}

fn read(bytes: &[u8], size: usize) -> Reading {
    read_from(Chunks(io::Cursor::new(bytes.to_vec()), size))
}

fn read_from(from: impl Read + Send + 'static) -> Reading {
    let mut transcript = Transcript::new(Source::from_read(from), None, ReadOptions::default());
    let mut reading = Reading::default();
    loop {
        match transcript.next_frame() {
            Ok(Step::Frame(frame)) => match frame.content {
                Content::Message { text, .. } => reading.messages.push(text.to_owned()),
                Content::Event { text, .. } => reading.events.push(text.to_owned()),
                _ => {}
            },
            Ok(Step::Idle | Step::Paused) => {}
            Ok(Step::End) => break,
            Err(ReadError::Source(error)) => {
                reading.error = Some(error.to_string());
                break;
            }
        }
    }
    reading.wrappings = transcript.wrappings().iter().collect();
    reading.format = transcript.detected().map(|detected| detected.format.name);
    reading
}

/// A way to write a session down, and what is to be found around it.
struct Way {
    name: &'static str,
    wrappings: &'static [Wrapping],
    write: fn(&[String]) -> Vec<u8>,
}

fn lines(messages: &[String]) -> Vec<u8> {
    messages.iter().flat_map(|message| [message.as_bytes(), b"\n"].concat()).collect()
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(plain).unwrap();
    packer.finish().unwrap()
}

fn zstd(plain: &[u8]) -> Vec<u8> {
    compress_to_vec(plain, CompressionLevel::Fastest)
}

fn utf_16(mark: &str, plain: Vec<u8>, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let text = format!("{mark}{}", String::from_utf8(plain).unwrap()).replace('\n', "\r\n");
    text.encode_utf16().flat_map(bytes).collect()
}

const WAYS: &[Way] = &[
    Way { name: "gzip", wrappings: &[Wrapping::Gzip], write: |messages| gzip(&lines(messages)) },
    Way {
        name: "gzip, a member a message, zeros between and behind",
        wrappings: &[Wrapping::Gzip],
        write: |messages| {
            messages.iter().flat_map(|one| [gzip(&lines(std::slice::from_ref(one))), vec![0; 700]].concat()).collect()
        },
    },
    Way { name: "zstd", wrappings: &[Wrapping::Zstd], write: |messages| zstd(&lines(messages)) },
    Way {
        name: "zstd, a frame a message, a skippable one before each",
        wrappings: &[Wrapping::Zstd],
        write: |messages| {
            let skippable = b"\x53\x2a\x4d\x18\x05\0\0\0hello";
            messages
                .iter()
                .flat_map(|one| [&skippable[..], &zstd(&lines(std::slice::from_ref(one)))].concat())
                .collect()
        },
    },
    Way {
        name: "UTF-16, low byte first, with a mark",
        wrappings: &[Wrapping::Utf16Le],
        write: |messages| utf_16("\u{feff}", lines(messages), u16::to_le_bytes),
    },
    Way {
        name: "UTF-16, low byte first, without a mark",
        wrappings: &[Wrapping::Utf16Le],
        write: |messages| utf_16("", lines(messages), u16::to_le_bytes),
    },
    Way {
        name: "UTF-16, high byte first, with a mark",
        wrappings: &[Wrapping::Utf16Be],
        write: |messages| utf_16("\u{feff}", lines(messages), u16::to_be_bytes),
    },
    Way {
        name: "UTF-16, high byte first, without a mark",
        wrappings: &[Wrapping::Utf16Be],
        write: |messages| utf_16("", lines(messages), u16::to_be_bytes),
    },
    Way {
        name: "UTF-16 within gzip",
        wrappings: &[Wrapping::Gzip, Wrapping::Utf16Le],
        write: |messages| gzip(&utf_16("\u{feff}", lines(messages), u16::to_le_bytes)),
    },
];

/// A message with any text in it.
fn message() -> impl Strategy<Value = String> {
    let text = proptest::string::string_regex("[ -~äß→日\u{1f600}\u{1b}\n\t]{0,40}").unwrap();
    (any::<bool>(), 0..1000_u32, "[a-z]{1,8}/[a-z]{1,8}", text).prop_map(|(answer, id, method, text)| {
        let text = serde_json::Value::from(text);
        if answer {
            format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"text":{text}}}}}"#)
        } else {
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"text":{text}}}}}"#)
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_messages_are_those_of_the_bare_lines(messages in prop::collection::vec(message(), 2..12)) {
        for way in WAYS {
            let bytes = (way.write)(&messages);
            for size in [1, 2, 3, 7, 64, usize::MAX] {
                let reading = read(&bytes, size);
                prop_assert_eq!(&reading.error, &None, "{} in reads of {}", way.name, size);
                prop_assert_eq!(&reading.messages, &messages, "{} in reads of {}", way.name, size);
                prop_assert_eq!(&reading.wrappings, way.wrappings, "{}", way.name);
            }
        }
    }
}

#[test]
fn every_wrapping_has_a_way() {
    let names = |wrappings: &mut dyn Iterator<Item = Wrapping>| -> BTreeSet<&'static str> {
        wrappings.map(Wrapping::as_str).collect()
    };
    let written = names(&mut WAYS.iter().flat_map(|way| way.wrappings).copied());
    assert_eq!(written, names(&mut WRAPPINGS.iter().map(|(wrapping, _, _)| *wrapping)));
}

/// A session of many messages that packs badly.
fn long_session() -> (Vec<String>, Vec<u8>) {
    let mut seed = 1_u64;
    let messages: Vec<String> = (0..4000)
        .map(|id| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"digest":"{seed:016x}{:016x}"}}}}"#, seed.rotate_left(29))
        })
        .collect();
    let plain = lines(&messages);
    (messages, plain)
}

#[test]
fn a_damaged_stream_gives_what_is_there_and_then_the_fault() {
    let (messages, plain) = long_session();
    for (packed, name) in [(gzip(&plain), "gzip"), (zstd(&plain), "zstd")] {
        let cut = read(&packed[..packed.len() / 2], 1000);
        let error = cut.error.unwrap();
        assert!(error.contains(&format!("a whole {name} stream, found its end too early")), "{error}");
        assert!(cut.messages.len() > messages.len() / 4, "{name}: only {} messages", cut.messages.len());
        assert_eq!(cut.messages[..cut.messages.len() - 1], messages[..cut.messages.len() - 1], "{name}");

        let mut damaged = packed.clone();
        let middle = damaged.len() / 2;
        damaged[middle..middle + 40].fill(0x55);
        let damaged = read(&damaged, 1000);
        assert!(damaged.error.unwrap().contains(&format!("a whole {name} stream, found ")), "{name}");
        assert!(!damaged.messages.is_empty(), "{name}");

        let followed = read(&[&packed[..], b"trailing"].concat(), 1000);
        assert!(followed.error.unwrap().contains(&format!("a whole {name} stream")), "{name}");
        assert_eq!(followed.messages, messages, "{name}");
    }
}

#[test]
fn a_checksum_that_does_not_fit_is_told() {
    let (messages, plain) = long_session();
    let mut packed = zstd(&plain);
    // The descriptor says whether four bytes of checksum stand at the end (RFC 8878, section 3.1.1.1.1).
    assert_eq!(packed[4] & 4, 4, "the packer writes no checksum");
    *packed.last_mut().unwrap() ^= 1;
    let reading = read(&packed, 1000);
    assert_eq!(reading.messages, messages);
    assert!(reading.error.unwrap().contains("a checksum that does not fit"));
}

#[test]
fn an_endless_stream_of_zeros_takes_no_memory() {
    let (messages, plain) = long_session();
    for packed in [gzip(&plain), zstd(&plain)] {
        let reading = read_from(io::Cursor::new(packed).chain(io::repeat(0).take(64 << 20)));
        assert_eq!((reading.messages.len(), reading.error), (messages.len(), None));
    }
}

#[test]
fn offsets_refer_to_the_converted_text() {
    let text = "first é\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let bytes = utf_16("\u{feff}", text.as_bytes().to_vec(), u16::to_le_bytes);
    let mut transcript = Transcript::new(Source::from_read(io::Cursor::new(bytes)), None, ReadOptions::default());
    let mut places = Vec::new();
    while let Step::Frame(frame) = transcript.next_frame().unwrap() {
        places.push((frame.position.line, frame.position.offset, frame.position.length));
    }
    let message = text.lines().nth(1).unwrap().len() as u64;
    assert_eq!(places, [(1, 0, 8), (2, 10, message)]);
    assert_eq!(transcript.consumed(), (text.len() as u64 + 2, 2));
}

#[test]
fn a_live_line_in_utf_16_is_given_out_at_once() {
    let (piped, mut write) = io::pipe().unwrap();
    let mut source = Source::from_live(piped, Default::default());
    let text = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    write.write_all(&utf_16("", text.as_bytes().to_vec(), u16::to_le_bytes)).unwrap();
    let mut seen = Vec::new();
    let mut buffer = [0; 1000];
    while seen.len() < text.len() + 1 {
        match source.fill(&mut buffer).unwrap() {
            Fill::Read(count) => seen.extend_from_slice(&buffer[..count]),
            Fill::Idle | Fill::Paused => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(String::from_utf8(seen).unwrap(), text.replace('\n', "\r\n"));
}

#[test]
fn a_fault_of_the_disk_is_none_of_the_packing() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("gone"))
        }
    }
    for start in [&b""[..], b"\x1f", b"{"] {
        let mut source = Source::from_read(io::Cursor::new(start.to_vec()).chain(Failing));
        let mut buffer = [0; 10];
        let fault = loop {
            match source.fill(&mut buffer) {
                Ok(Fill::Read(_)) => {}
                Ok(other) => panic!("{other:?}"),
                Err(error) => break error,
            }
        };
        assert!(matches!(fault, SourceError::Io(_)), "{fault}");
    }
}
