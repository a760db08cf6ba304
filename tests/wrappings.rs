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
use unicode_width::UnicodeWidthChar;

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
    /// Where the messages begin.
    lines: Vec<u64>,
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
            Ok(Step::Frame(frame) | Step::Noted(frame, _)) => match frame.content {
                Content::Message { text, .. } => {
                    reading.messages.push(text.to_owned());
                    reading.lines.push(frame.position.line);
                }
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
        name: "colours around each line",
        wrappings: &[Wrapping::Colours],
        write: |messages| each(messages, |_, line| format!("\u{1b}[38;5;12m\u{1b}]0;x\u{7}{line}\u{1b}[0m\r\n")),
    },
    Way {
        name: "a colour that ends behind the line",
        wrappings: &[Wrapping::Colours],
        write: |messages| each(messages, |_, line| format!("{line}\u{1b}[0m\n")),
    },
    Way {
        name: "docker, with another stream between",
        wrappings: &[Wrapping::Docker],
        write: |messages| {
            each(messages, |n, line| {
                let log = quoted(&format!("{line}\r\n"));
                format!(
                    "{{\"log\":{log},\"stream\":\"stdout\",\"time\":\"2025-01-02T03:04:05.{n:09}Z\"}}\n\
                     {{\"log\":\"note {n}\\n\",\"stream\":\"stderr\",\"time\":\"2025-01-02T03:04:05.{n:09}Z\"}}\n"
                )
            })
        },
    },
    Way {
        name: "docker, lines in pieces",
        wrappings: &[Wrapping::Docker],
        write: |messages| {
            each(messages, |_, line| {
                let stamp = "\"stream\":\"stdout\",\"time\":\"2025-01-02T03:04:05Z\"";
                let pieces = pieces(&format!("{line}\n"));
                pieces.iter().map(|piece| format!("{{\"log\":{},{stamp}}}\n", quoted(piece))).collect()
            })
        },
    },
    Way {
        name: "the journal, every second line as bytes",
        wrappings: &[Wrapping::Journal],
        write: |messages| {
            each(messages, |n, line| {
                let text = if n % 2 == 1 { format!("{:?}", line.as_bytes()) } else { quoted(line) };
                format!("{{\"__REALTIME_TIMESTAMP\":\"1735787045{n:06}\",\"_PID\":\"7\",\"MESSAGE\":{text}}}\n")
            })
        },
    },
    Way {
        name: "files of a container runtime, lines in pieces",
        wrappings: &[Wrapping::ContainerRuntime],
        write: |messages| {
            each(messages, |n, line| {
                let (pieces, time) = (pieces(line), format!("2025-01-02T03:04:05.{n:09}Z stdout"));
                let (last, before) = pieces.split_last().unwrap();
                let before: String = before.iter().map(|piece| format!("{time} P {piece}\n")).collect();
                format!("{before}{time} F {last}\n")
            })
        },
    },
    Way {
        name: "compose, coloured, with another container between",
        wrappings: &[Wrapping::Compose, Wrapping::Colours],
        write: |messages| {
            each(messages, |_, line| {
                format!("\u{1b}[36mnotes-1  | \u{1b}[0m{line}\n\u{1b}[33mdb-1     | \u{1b}[0mready\n")
            })
        },
    },
    Way {
        name: "compose with times",
        wrappings: &[Wrapping::Compose, Wrapping::TimeStamps],
        write: |messages| each(messages, |n, line| format!("notes-1  | 2025-01-02T03:04:05.{n:09}Z {line}\n")),
    },
    Way {
        name: "pods",
        wrappings: &[Wrapping::Pod],
        write: |messages| each(messages, |_, line| format!("[pod/notes-7d9f/server] {line}\n")),
    },
    Way {
        name: "the system's log",
        wrappings: &[Wrapping::SystemLog],
        write: |messages| each(messages, |n, line| format!("Jan  2 03:04:{:02} box notes[77]: {line}\n", n % 60)),
    },
    Way {
        name: "times",
        wrappings: &[Wrapping::TimeStamps],
        write: |messages| each(messages, |n, line| format!("2025-01-02T03:04:05.{n:07}Z {line}\n")),
    },
    Way {
        name: "a structured logger",
        wrappings: &[Wrapping::Logger],
        write: |messages| {
            each(messages, |n, line| {
                format!("{{\"level\":30,\"time\":1735787045{n:03},\"pid\":7,\"msg\":{}}}\n", quoted(line))
            })
        },
    },
    Way {
        name: "a structured logger whose lines docker keeps",
        wrappings: &[Wrapping::Docker, Wrapping::Logger],
        write: |messages| {
            each(messages, |_, line| {
                let inner = format!("{{\"level\":\"info\",\"message\":{}}}\n", quoted(line));
                let time = "2025-01-02T03:04:05Z";
                format!("{{\"log\":{},\"stream\":\"stderr\",\"time\":\"{time}\"}}\n", quoted(&inner))
            })
        },
    },
    Way {
        name: "asciinema, version 2, events of a few characters",
        wrappings: &[Wrapping::Asciinema],
        write: |messages| cast(messages, r#"{"version":2,"width":80,"height":24,"timestamp":1735787045}"#),
    },
    Way {
        name: "asciinema, version 3, without a time",
        wrappings: &[Wrapping::Asciinema],
        write: |messages| cast(messages, "{\"version\":3,\"term\":{\"cols\":80,\"rows\":24}}\n# a comment"),
    },
    Way {
        name: "script, coloured, with a prompt that is overwritten",
        wrappings: &[Wrapping::Script, Wrapping::Colours],
        write: |messages| {
            let body = each(messages, |_, line| format!("waiting\u{8}\u{8}..\r\u{1b}[K{line}\r\n"));
            let head = "Script started on 2025-01-02 03:04:05+00:00 [TERM=\"xterm\" COLUMNS=\"80\" LINES=\"24\"]\n";
            [head.as_bytes(), &body, b"\nScript done on 2025-01-02 03:04:06+00:00 [COMMAND_EXIT_CODE=\"0\"]\n"].concat()
        },
    },
    Way {
        name: "Markdown, a block a message, quoted and indented ones among them",
        wrappings: &[Wrapping::Markdown],
        write: |messages| {
            let body = each(messages, |n, line| match n % 3 {
                0 => format!("and then\n\n```json\n{line}\n```\n\n"),
                1 => format!("> quoted\n> ~~~~\n> {line}\n> ~~~~\n\n"),
                _ => format!("1. item\n   ```\n   {line}\n   ```\n```python\nprint('{{\"jsonrpc\":')\n```\n"),
            });
            [&b"# Notes\n\nThis is what was sent, `{` and all.\n"[..], &body].concat()
        },
    },
    Way {
        name: "a shell, in either quotes, several a command, and what came back",
        wrappings: &[Wrapping::Shell],
        write: |messages| {
            each(messages, |n, line| match n % 4 {
                0 => format!("$ echo '{}' | notes-server --stdio\n", line.replace('\'', "'\\''")),
                1 => format!("{line}\n"),
                2 => {
                    let mut escaped = line.replace('\\', "\\\\").replace('"', "\\\"");
                    escaped = escaped.replace('$', "\\$").replace('`', "\\`");
                    format!("user@box:~/notes$ printf \"{escaped}\\n\" | ./server -v \"x y\"\n")
                }
                _ => format!("{line}\nlog: done 'x'\n"),
            })
        },
    },
    Way {
        name: "Rich, which folds what Python's SDK tells",
        wrappings: &[Wrapping::Rich],
        write: |messages| {
            each(messages, |n, line| {
                // Where Rich leaves a line early cannot be told from several blanks: none are written as they are.
                let escaped: String = line.bytes().fold(String::new(), |out, byte| match byte {
                    b'\\' | b'\'' => out + &format!("\\{}", char::from(byte)),
                    byte if byte.is_ascii_graphic() => out + &char::from(byte).to_string(),
                    byte => out + &format!("\\x{byte:02x}"),
                });
                let word = format!("b'{escaped}'");
                let width = 31 + n % 3;
                let time = if n % 2 == 0 { "[01/02/25 03:04:05]" } else { "" };
                let mut out = format!("{time:20}DEBUG    {:width$} sse.py:161\n", "Received JSON:");
                for piece in word.as_bytes().chunks(width) {
                    let piece = std::str::from_utf8(piece).unwrap();
                    out.push_str(&format!("{:29}{piece:width$} {:10}\n", "", ""));
                }
                out
            })
        },
    },
    Way {
        name: "lines cut at the width of a terminal",
        wrappings: &[Wrapping::Folded],
        // In the name of the first message's third member: a cut between two could be anybody's.
        write: |messages| {
            let third = messages[0].find("\"method\"").or_else(|| messages[0].find("\"result\""));
            cut(&lines(messages), third.unwrap() + 3)
        },
    },
    Way {
        name: "UTF-16 within gzip",
        wrappings: &[Wrapping::Gzip, Wrapping::Utf16Le],
        write: |messages| gzip(&utf_16("\u{feff}", lines(messages), u16::to_le_bytes)),
    },
];

/// Lines in pieces as wide as a terminal.
fn cut(text: &[u8], width: usize) -> Vec<u8> {
    let mut out = String::new();
    for line in std::str::from_utf8(text).unwrap().lines() {
        let mut taken = 0;
        for letter in line.chars() {
            let cells = letter.width().unwrap_or_default();
            if taken + cells > width {
                out.push('\n');
                taken = 0;
            }
            taken += cells;
            out.push(letter);
        }
        out.push('\n');
    }
    out.into_bytes()
}

fn each(messages: &[String], write: impl Fn(usize, &str) -> String) -> Vec<u8> {
    messages.iter().enumerate().map(|(n, message)| write(n, message)).collect::<String>().into_bytes()
}

/// A text as a JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A text in pieces of a few characters.
fn pieces(text: &str) -> Vec<String> {
    text.chars().collect::<Vec<_>>().chunks(9).map(|piece| piece.iter().collect()).collect()
}

/// A recording whose events are a few characters each, with keys and marks between.
fn cast(messages: &[String], header: &str) -> Vec<u8> {
    let mut text = format!("{header}\n[0.1,\"o\",\"\\u001b[?2004h$ run\\r\\n\"]\n");
    for piece in pieces(&messages.iter().map(|message| format!("{message}\r\n")).collect::<String>()) {
        text.push_str(&format!("[0.2, \"o\", {}]\n[0.25, \"i\", \"x\"]\n[0.3, \"m\", \"here\"]\n", quoted(&piece)));
    }
    text.into_bytes()
}

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
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

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

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_session_cut_at_any_width_is_the_session(
        messages in prop::collection::vec(message(), 2..12),
        width in 40..=200_usize,
        labelled: bool,
    ) {
        let label = |(n, message): (usize, &String)| format!("[09:15:00] {} {message}", [">>>", "<<<"][n % 2]);
        let labelled: Vec<_> =
            if labelled { messages.iter().enumerate().map(label).collect() } else { messages.clone() };
        let bytes = cut(&lines(&labelled), width);
        let value = |text: &String| serde_json::from_str::<serde_json::Value>(text).map_err(|error| format!("{error}: {text}"));
        let reading = read(&bytes, usize::MAX);
        let told: Vec<_> = reading.messages.iter().map(value).collect();
        prop_assert_eq!(told, messages.iter().map(value).collect::<Vec<_>>(), "{}", String::from_utf8_lossy(&bytes));
        // Each message stands where its first line stands.
        let mut line = 1;
        let starts: Vec<_> = labelled.iter().map(|text| {
            let start = line;
            line += cut(text.as_bytes(), width).iter().filter(|byte| **byte == b'\n').count() as u64;
            start
        }).collect();
        prop_assert_eq!(reading.lines, starts);
    }
}

#[test]
fn every_wrapping_has_a_way() {
    let names = |wrappings: &mut dyn Iterator<Item = Wrapping>| -> BTreeSet<&'static str> {
        wrappings.map(Wrapping::as_str).collect()
    };
    // A capture holds packets, not these lines: the recordings have one.
    let ways = WAYS.iter().flat_map(|way| way.wrappings).copied();
    let written = names(&mut ways.chain([Wrapping::Capture]));
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

/// First and last line, the bytes there, time, stream, text.
type Told = (u64, u64, String, Option<String>, Option<String>, String);

/// What frames say of their place, time and stream.
fn places(text: &str) -> Vec<Told> {
    let bytes = text.as_bytes().to_vec();
    let mut transcript = Transcript::new(Source::from_read(io::Cursor::new(bytes)), None, ReadOptions::default());
    let mut places = Vec::new();
    while let Step::Frame(frame) = transcript.next_frame().unwrap() {
        let place = frame.position;
        let content = match frame.content {
            Content::Message { text, .. } | Content::Event { text, .. } => text.to_owned(),
            other => format!("{other:?}"),
        };
        places.push((
            place.line,
            place.end_line,
            text[place.offset as usize..(place.offset + place.length) as usize].to_owned(),
            frame.time.map(|time| time.at.to_string()),
            frame.session.map(str::to_owned),
            content,
        ));
    }
    places
}

#[test]
fn places_times_and_streams_are_those_of_the_wrapping() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let escaped = ping.replace('"', "\\\"");
    let one = |line, end, place: &str, time: Option<&str>, lane: Option<&str>, text: &str| {
        (line, end, place.to_owned(), time.map(str::to_owned), lane.map(str::to_owned), text.to_owned())
    };

    let compose = format!("a-1  | {ping}\nb-1  | up\nb-1  | {ping}\n");
    assert_eq!(
        places(&compose),
        [
            one(1, 1, ping, None, Some("a-1"), ping),
            one(2, 2, "up", None, None, "up"),
            one(3, 3, ping, None, Some("b-1"), ping),
        ]
    );

    let docker = format!(
        "{{\"log\":\"up\\n\",\"stream\":\"stdout\",\"time\":\"2025-01-02T03:04:05Z\"}}\n\
         {{\"log\":\"{}\",\"stream\":\"stdout\",\"time\":\"2025-01-02T03:04:06Z\"}}\n\
         {{\"log\":\"{}\\n\",\"stream\":\"stdout\",\"time\":\"2025-01-02T03:04:07Z\"}}\n",
        &escaped[..20],
        &escaped[20..]
    );
    let start = docker.find(&escaped[..20]).unwrap();
    let end = docker.find(&escaped[20..]).unwrap() + escaped.len() - 20;
    assert_eq!(
        places(&docker),
        [
            one(1, 1, "up", Some("2025-01-02T03:04:05Z"), None, "up"),
            one(2, 3, &docker[start..end], Some("2025-01-02T03:04:06Z"), None, ping),
        ]
    );

    // Several lines in one string, JSON over several lines among them.
    let printed = "{\\n  \\\"jsonrpc\\\": \\\"2.0\\\",\\n  \\\"id\\\": 1,\\n  \\\"method\\\": \\\"ping\\\"\\n}";
    let pino = format!("{{\"level\":30,\"time\":1735787045678,\"msg\":\"{printed}\"}}\n");
    let found = places(&pino);
    assert_eq!(found.len(), 1, "{found:?}");
    let (line, end, place, time, _, text) = &found[0];
    assert_eq!((*line, *end, time.as_deref()), (1, 1, Some("2025-01-02T03:04:05.678Z")));
    assert_eq!(place, printed);
    assert_eq!(text, &printed.replace("\\n", "\n").replace("\\\"", "\""));

    let coloured = format!("\u{1b}[31mup\u{1b}[0m\n\u{1b}[1m{{\u{1b}[0m{}\n", &ping[1..]);
    assert_eq!(
        places(&coloured),
        [
            one(1, 1, "up", None, None, "up"),
            one(2, 2, coloured.lines().nth(1).unwrap().trim_start_matches("\u{1b}[1m"), None, None, ping),
        ]
    );
}

#[test]
fn nul_bytes_around_a_line_are_no_part_of_it() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let found = places(&format!("\0\0\0{ping}\0\n\0\0\n{ping}\n"));
    assert_eq!(found.len(), 3);
    assert_eq!((found[0].2.as_str(), found[2].2.as_str()), (ping, ping));
    assert_eq!(found[1].5, "Blank");
}

#[test]
fn an_endless_line_takes_no_more_memory_than_the_limit() {
    const LIMIT: u64 = 1 << 20;
    let docker =
        "{\"log\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\",\"stream\":\"stdout\",\"time\":\"2025-01-02T03:04:05Z\"}\n";
    let runtime = "2025-01-02T03:04:05Z stdout P aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n";
    for piece in [docker, runtime, "\u{1b}[1maaaaaaaaaaaaaaa"] {
        let options = ReadOptions { max_line: LIMIT, ..ReadOptions::default() };
        let endless = Repeat { piece: piece.as_bytes(), at: 0, left: 9 << 20 };
        let mut transcript = Transcript::new(Source::from_read(endless), None, options);
        let mut longest = 0;
        while let Step::Frame(frame) = transcript.next_frame().unwrap() {
            if let Content::Message { text, .. } | Content::Event { text, .. } = frame.content {
                longest = longest.max(text.len());
            }
        }
        assert!(longest > 0 && longest <= 1 << 20, "{longest} for {piece:?}");
    }
}

/// The same bytes again and again.
struct Repeat {
    piece: &'static [u8],
    at: usize,
    left: usize,
}

impl Read for Repeat {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.left);
        for byte in &mut buffer[..count] {
            *byte = self.piece[self.at];
            self.at = (self.at + 1) % self.piece.len();
        }
        self.left -= count;
        Ok(count)
    }
}

/// A document that flows by whole pieces is read line by line inside of a wrapping.
#[test]
fn an_archive_with_a_time_stamp_before_each_line_has_the_messages_of_the_archive() {
    let archive = std::fs::read_to_string("fixtures/formats/har/2025-11-25-everything.har").unwrap();
    let stamped: String = archive.split_inclusive('\n').flat_map(|line| ["2025-01-02T03:04:05.678Z ", line]).collect();
    let bare = read(archive.as_bytes(), usize::MAX);
    assert!(bare.messages.len() > 50, "{bare:?}");
    for size in [7, 4096, usize::MAX] {
        let wrapped = read(stamped.as_bytes(), size);
        assert_eq!((wrapped.format, &wrapped.error), (Some("har"), &None));
        assert_eq!(wrapped.wrappings, [Wrapping::TimeStamps]);
        assert_eq!(wrapped.messages, bare.messages, "{size} bytes at a time");
    }
}
