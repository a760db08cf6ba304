//! Where the bytes come from: live producers, pipes, packed files, lines without end.

use std::fs;
use std::io::{self, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use mcp_trace::transcript::{
    Content, Flag, ReadError, ReadOptions, Source, SourceError, Step, Transcript, Wrapping, hint,
};

use super::{ANSWER, Chunks, REQUEST, messages, read_chunks, read_with};

#[test]
fn a_live_line_is_given_out_before_the_next_is_written() {
    let (piped, mut write) = io::pipe().unwrap();
    let source = Source::from_live(piped, Arc::default());
    let mut transcript = Transcript::new(source, None, ReadOptions::default());
    let mut silence = Vec::new();
    for number in 0..5 {
        let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":{number},\"method\":\"a\"}}");
        // Half a line is not a line, however long the producer pauses.
        write.write_all(format!("{text}\n{}", &text[..5]).as_bytes()).unwrap();
        silence.clear();
        loop {
            match transcript.next_frame().unwrap() {
                Step::Frame(frame) | Step::Noted(frame, _) => {
                    let Content::Message { text: given, .. } = frame.content else { panic!("{frame:?}") };
                    assert_eq!(given, text);
                    break;
                }
                Step::Idle => silence.push("idle"),
                Step::Paused => silence.push("paused"),
                Step::End => panic!("ended"),
            }
        }
        assert!(matches!(transcript.next_frame().unwrap(), Step::Idle));
        assert!(matches!(transcript.next_frame().unwrap(), Step::Paused));
        write.write_all(b"\r\n").unwrap();
        let Step::Frame(frame) = transcript.next_frame().unwrap() else { panic!("half a line was lost") };
        assert_eq!(frame.position.line, 2 * number + 2);
    }
    drop(write);
    loop {
        match transcript.next_frame().unwrap() {
            Step::Frame(frame) | Step::Noted(frame, _) => panic!("{frame:?}"),
            Step::Idle | Step::Paused => {}
            Step::End => break,
        }
    }
}

#[test]
fn an_interrupt_ends_a_silent_input() {
    let (piped, mut write) = io::pipe().unwrap();
    let interrupt = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let mut transcript =
        Transcript::new(Source::from_live(piped, Arc::clone(&interrupt)), None, ReadOptions::default());
    write.write_all(REQUEST.as_bytes()).unwrap();
    let mut frames = 0;
    loop {
        match transcript.next_frame().unwrap() {
            Step::Frame(_) | Step::Noted(..) => frames += 1,
            Step::Idle => {}
            Step::Paused => interrupt.store(true, std::sync::atomic::Ordering::Relaxed),
            Step::End => break,
        }
    }
    assert!(transcript.interrupted());
    assert_eq!(frames, 1, "the line that was being written is given out");
}

#[test]
fn packed_inputs() {
    let (first, second) = (format!("{REQUEST}\n"), format!("{ANSWER}\n"));
    let packed = gzip(&[first.as_bytes(), second.as_bytes()]);
    let direct = read_chunks(&packed, 7, None);
    assert_eq!(messages(&direct), [REQUEST, ANSWER]);
    assert_eq!(direct.consumed.0, (first.len() + second.len()) as u64);
    let live = Source::from_live(io::Cursor::new(packed.clone()), Arc::default());
    assert_eq!(messages(&read_with(live, None, ReadOptions::default())), [REQUEST, ANSWER]);

    let folder = std::env::temp_dir().join(format!("mcp-trace-readers-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("packed.gz");
    fs::write(&path, &packed).unwrap();
    let mut transcript = Transcript::new(Source::open(&path, Arc::default()).unwrap(), None, ReadOptions::default());
    let mut frames = 0;
    loop {
        match transcript.next_frame().unwrap() {
            Step::Frame(_) | Step::Noted(..) => frames += 1,
            Step::Idle | Step::Paused => panic!("a packed file never pauses"),
            Step::End => break,
        }
    }
    assert_eq!(frames, 2);
    assert!(matches!(Source::open(&folder, Arc::default()), Err(SourceError::Io(_))));
    assert!(matches!(Source::open(&folder.join("missing"), Arc::default()), Err(SourceError::Io(_))));
    fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_opened_before_anybody_writes() {
    let path = std::env::temp_dir().join(format!("mcp-trace-readers-pipe-{}", std::process::id()));
    if !std::process::Command::new("mkfifo").arg(&path).status().is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: no `mkfifo` here");
        return;
    }
    let source = Source::open(&path, Arc::default()).unwrap();
    let writer = fs::OpenOptions::new().write(true).open(&path).and_then(|mut pipe| writeln!(pipe, "{REQUEST}"));
    let reading = read_with(source, None, ReadOptions::default());
    fs::remove_file(&path).unwrap();
    writer.unwrap();
    assert_eq!(messages(&reading), [REQUEST]);
}

#[test]
fn a_cut_packed_input_gives_what_is_there_and_then_the_fault() {
    let text: String = (0..2000).map(|id| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{}}}}\n")).collect();
    let packed = gzip(&[text.as_bytes()]);
    for (kept, all) in [(packed.len() / 2, false), (packed.len() - 4, true)] {
        let reading = read_chunks(&packed[..kept], 100, None);
        let Some(ReadError::Source(error @ SourceError::Packed(Wrapping::Gzip, _))) = &reading.error else {
            panic!("no fault")
        };
        let said = error.to_string();
        assert!(said.contains(&format!("{} decompressed bytes", reading.consumed.0)), "{said}");
        assert!(!reading.frames.is_empty());
        assert_eq!(reading.frames.len() == 2000, all);
    }
}

#[test]
fn lines_beyond_the_limit_are_passed_over() {
    const LIMIT: u64 = 1 << 20;
    let long = format!("{{\"jsonrpc\":\"2.0\",\"a\":\"{}\"}}", "é".repeat(5 << 20));
    let input = format!("{REQUEST}\n{long}\r\n{ANSWER}\n{long}");
    let options = ReadOptions { max_line: LIMIT, ..ReadOptions::default() };
    for size in [4093, usize::MAX] {
        let source = Source::from_read(Chunks { bytes: input.clone().into_bytes(), at: 0, size });
        let reading = read_with(source, None, options.clone());
        let sizes: Vec<_> = reading.frames.iter().map(|frame| frame.length).collect();
        let (long, shown) = (long.len() as u64, 64 * 1024);
        assert_eq!(sizes, [REQUEST.len() as u64, long, ANSWER.len() as u64, long]);
        let flagged: Vec<_> = reading.frames.iter().map(|frame| frame.flags.has(Flag::Oversized)).collect();
        assert_eq!(flagged, [false, true, false, true]);
        let text = reading.frames[1].message().unwrap();
        assert!(text.len() <= shown && text.len() > shown - 4 && !reading.frames[1].flags.has(Flag::BadUtf8));
        assert_eq!(reading.consumed, (input.len() as u64, 4));
    }
}

#[test]
fn other_packings_are_named() {
    for (head, word) in [
        (&b"PK\x03\x04"[..], "unzip"),
        (b"\xff\xfe\0\0{\0\0\0", "iconv"),
        (b"BZh91AY", "bzip2"),
        (b"\xfd7zXZ\0\0", "xz -dc"),
        (b"\x04\x22\x4d\x18d", "lz4 -dc"),
        (b"7z\xbc\xaf\x27\x1c", "7z x"),
        (b"SQLite format 3\0", "SQLite"),
        (&[0; 64], "binary"),
    ] {
        assert!(hint(head).unwrap().contains(word), "{word}");
    }
    assert_eq!(hint(REQUEST.as_bytes()), None);
    assert_eq!(hint(b"BZhello"), None);
}

fn gzip(parts: &[&[u8]]) -> Vec<u8> {
    parts.iter().fold(Vec::new(), |packed, part| {
        let mut encoder = GzEncoder::new(packed, Compression::default());
        encoder.write_all(part).unwrap();
        encoder.finish().unwrap()
    })
}
