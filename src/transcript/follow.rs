//! A file that goes on: read to its end, then on as it grows, also when another takes its place (a rotated log) or it is cut
//! and written anew. Looks at the name again and again, which works on every file system. Knows no lines.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Weak;
use std::thread;
use std::time::Duration;

use same_file::Handle;

/// How often the end is looked at.
const POLL: Duration = Duration::from_millis(100);

/// What has happened to a file that is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// There is none, or it cannot be opened: the system's reason. It is waited for.
    Missing(String),
    /// Another file has its name: read from its start, after the rest of the one before.
    Replaced,
    /// It is shorter than what was read of it: read from its start.
    Truncated,
}

/// Reads a file without an end. Between two files, and where one was cut, a line that was not finished is ended.
pub(super) struct Follow<F> {
    path: PathBuf,
    tell: F,
    /// Gone when nobody reads any more.
    reader: Weak<()>,
    current: Option<Open>,
    /// The file that has the name now, when the rest of the one before is still to be read.
    next: Option<Handle>,
    unfinished: bool,
    missing: bool,
}

struct Open {
    handle: Handle,
    position: u64,
}

/// What a look at the name gave.
enum Look {
    /// Nothing new.
    Same,
    /// Another file, or the first one: there may be something to read.
    More,
    /// The file is read from its start again.
    Cut,
}

impl<F: FnMut(Change)> Follow<F> {
    /// Follows what has this name until the reader is dropped; `tell` hears of every change.
    pub(super) fn new(path: PathBuf, reader: Weak<()>, tell: F) -> Self {
        Self { path, tell, reader, current: None, next: None, unfinished: false, missing: false }
    }

    /// Looks whether the name means another file now, or the same one cut.
    fn look(&mut self) -> io::Result<Look> {
        let there = match Handle::from_path(&self.path) {
            Ok(there) => there,
            Err(error) => {
                if !std::mem::replace(&mut self.missing, true) {
                    (self.tell)(Change::Missing(error.to_string()));
                }
                return Ok(Look::Same);
            }
        };
        self.missing = false;
        match &mut self.current {
            None => {
                self.current = Some(Open { handle: there, position: 0 });
                Ok(Look::More)
            }
            Some(current) if current.handle != there => {
                self.next = Some(there);
                Ok(Look::More)
            }
            Some(current) if there.as_file().metadata()?.len() < current.position => {
                current.handle.as_file_mut().seek(SeekFrom::Start(0))?;
                current.position = 0;
                Ok(Look::Cut)
            }
            Some(_) => Ok(Look::Same),
        }
    }

    /// What is left of the file at hand.
    fn rest(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(current) = &mut self.current else { return Ok(0) };
        let read = read_on(current.handle.as_file_mut(), buffer)?;
        current.position += read as u64;
        if read > 0 {
            self.unfinished = buffer[read - 1] != b'\n';
        }
        Ok(read)
    }
}

impl<F: FnMut(Change)> Read for Follow<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.reader.strong_count() > 0 && !buffer.is_empty() {
            let read = self.rest(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            let change = match self.next.take() {
                Some(handle) => {
                    self.current = Some(Open { handle, position: 0 });
                    Change::Replaced
                }
                None => match self.look()? {
                    Look::Cut => Change::Truncated,
                    Look::More => continue,
                    Look::Same => {
                        thread::sleep(POLL);
                        continue;
                    }
                },
            };
            (self.tell)(change);
            if std::mem::take(&mut self.unfinished) {
                buffer[0] = b'\n';
                return Ok(1);
            }
        }
        Ok(0)
    }
}

fn read_on(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs::{self, OpenOptions};
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::*;

    fn append(path: &std::path::Path, text: &str) {
        OpenOptions::new().append(true).create(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn read(follow: &mut impl Read, wanted: &str) {
        let mut got = Vec::new();
        while got.len() < wanted.len() {
            let mut buffer = [0; 5];
            let read = follow.read(&mut buffer).unwrap();
            assert!(read > 0, "it has no end");
            got.extend_from_slice(&buffer[..read]);
        }
        assert_eq!(String::from_utf8(got).unwrap(), wanted);
    }

    #[test]
    fn nothing_is_lost_when_files_come_go_and_are_cut() {
        let folder = tempfile::tempdir().unwrap();
        let (path, old) = (folder.path().join("log"), folder.path().join("log.1"));
        let (reader, told) = (Arc::new(()), Arc::new(Mutex::new(Vec::new())));
        let tells = Arc::clone(&told);
        let tell = move |change| tells.lock().unwrap().push(change);
        let mut follow = Follow::new(path.clone(), Arc::downgrade(&reader), tell);
        let late = path.clone();
        let writer = thread::spawn(move || {
            thread::sleep(POLL);
            append(&late, "first\nsec");
        });
        read(&mut follow, "first\nsec");
        writer.join().unwrap();
        append(&path, "ond\n");
        read(&mut follow, "ond\n");
        // What is written to the old file after it was moved still comes first, and its last line is ended.
        fs::rename(&path, &old).unwrap();
        append(&path, "new\n");
        append(&old, "late");
        read(&mut follow, "late\nnew\n");
        fs::write(&path, "cut").unwrap();
        read(&mut follow, "cut");
        fs::write(&path, "").unwrap();
        let empty = thread::spawn(move || {
            thread::sleep(3 * POLL);
            append(&path, "on\n");
        });
        read(&mut follow, "\non\n");
        empty.join().unwrap();
        let changes = std::mem::take(&mut *told.lock().unwrap());
        assert!(matches!(changes[0], Change::Missing(_)), "{changes:?}");
        assert_eq!(changes[1..], [Change::Replaced, Change::Truncated, Change::Truncated]);
        drop(reader);
        assert_eq!(follow.read(&mut [0; 5]).unwrap(), 0, "nobody reads any more");
    }
}
