//! Any bytes in any format: nothing panics, every physical line is in a frame, every position lies in the input.

#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use mcp_trace::transcript::{FORMATS, ReadOptions, Source, Step, Transcript};

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let from = FORMATS.get(usize::from(choice & 0x7f)).copied();
    let max_line = if choice & 0x80 == 0 { 1 << 20 } else { 64 };
    let open = || {
        let options = ReadOptions { max_line, ..ReadOptions::default() };
        Transcript::new(Source::from_read(Cursor::new(bytes.to_vec())), from, options)
    };
    let mut transcript = open();
    while let Ok(Step::Frame(_)) = transcript.next_frame() {}
    // A packed input has other lines than the bytes show, and may be damaged.
    if !transcript.wrappings().is_empty() {
        return;
    }
    let mut transcript = open();
    let (mut places, mut through) = (Vec::new(), 0);
    loop {
        match transcript.next_frame().expect("reading from memory cannot fail") {
            Step::Frame(frame) | Step::Noted(frame, _) => {
                places.push(frame.position);
            }
            Step::Idle | Step::Paused => unreachable!("memory never keeps anybody waiting"),
            Step::End => break,
        }
    }
    // Two sides that stand one behind the other are given out in the order in which they spoke.
    places.sort_by_key(|place| (place.line, place.offset, place.end_line));
    for place in places {
        assert!(place.line <= through + 1 && place.end_line >= place.line);
        assert!(place.offset + place.length <= bytes.len() as u64);
        through = through.max(place.end_line);
    }
    let unfinished = bytes.last().is_some_and(|last| *last != b'\n');
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + usize::from(unfinished);
    assert_eq!((through, transcript.consumed()), (lines as u64, (bytes.len() as u64, lines as u64)));
    let _ = transcript.problem();
});
