//! Where bytes come from: regular files and pipes. Tells when a live producer pauses. Knows no lines.

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::ahead::{Ahead, Block};
use super::feed::Feed;
use super::follow::{Change, Follow};
use super::unpack::{self, Found, Unpack};
use super::{Tap, Wrapping, Wrappings};

/// What one attempt to read gave.
#[derive(Debug, PartialEq, Eq)]
pub enum Fill {
    /// So many bytes were written to the front of the buffer.
    Read(usize),
    /// Nothing is there at this moment, more may come: a good time to flush.
    Idle,
    /// Nothing came for [`Source::PAUSE`]: what is held back should be shown now.
    Paused,
    /// The end of the input.
    End,
    /// The user asked to stop (Ctrl-C).
    Interrupted,
}

/// Why an input cannot be opened or read on.
#[derive(Debug)]
pub enum SourceError {
    /// The operating system refused.
    Io(io::Error),
    /// The packed stream is damaged or cut off. The text tells how many decompressed bytes came before.
    Packed(Wrapping, io::Error),
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) if error.kind() == ErrorKind::IsADirectory => {
                f.write_str("expected files to read, found a directory without any that is not hidden")
            }
            Self::Io(error) if error.kind() == ErrorKind::NotFound => {
                f.write_str("expected a file, found none of this name: check the path, or use `-` for standard input")
            }
            Self::Io(error) if error.kind() == ErrorKind::PermissionDenied => {
                f.write_str("expected a readable file, found one that its permissions close: check them with `ls -l`")
            }
            Self::Io(error) => write!(f, "cannot be read: {error}"),
            Self::Packed(packing, error) => {
                let packing = packing.as_str();
                write!(f, "expected a whole {packing} stream, found {error}: fetch or compress it again")
            }
        }
    }
}

impl Error for SourceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) | Self::Packed(_, error) => Some(error),
        }
    }
}

/// A stream of text in UTF-8, as far as it is text: packed input is unpacked, UTF-16 converted.
pub struct Source {
    from: From,
    found: Found,
    interrupt: Arc<AtomicBool>,
    /// Of a file that is followed: lets the thread that waits for more know when nobody wants it any more.
    followed: Option<Arc<()>>,
    /// Keeps what was read.
    tap: Option<Tap>,
    /// Bytes of a regular file, as it lies there.
    size: u64,
}

enum From {
    /// Read where it is asked for: files, which never keep anybody waiting.
    Direct(Unpack),
    /// Read by a thread.
    Feed(Feed),
    /// Read by a thread that looks at it as well.
    Ahead(Ahead),
}

impl Source {
    /// How long a producer may be silent before it counts as paused.
    pub const PAUSE: Duration = Duration::from_millis(20);

    /// Opens a file by name, `-` meaning standard input. Packed input and UTF-16 are recognised by their first bytes.
    ///
    /// # Errors
    /// [`SourceError::Io`] when the file is missing, a directory, or not to be read. A named pipe is opened by the
    /// thread that reads it, as that waits for the other end; its errors come from [`Source::fill`].
    pub fn open(path: &Path, interrupt: Arc<AtomicBool>) -> Result<Self, SourceError> {
        Self::metered(path, interrupt, |_| {})
    }

    /// The same, and `meter` hears how many bytes of a regular file were read, as they lie there, each time that some were.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn metered(
        path: &Path,
        interrupt: Arc<AtomicBool>,
        meter: impl Fn(u64) + Send + 'static,
    ) -> Result<Self, SourceError> {
        if path.as_os_str() == "-" {
            return Self::standard_input(interrupt);
        }
        let kind = fs::metadata(path).map_err(SourceError::Io)?;
        if kind.is_dir() {
            return Err(SourceError::Io(ErrorKind::IsADirectory.into()));
        }
        if kind.is_file() {
            return Self::from_file(File::open(path).map_err(SourceError::Io)?, interrupt, meter);
        }
        Ok(Self::from_live(OpenedLate::Path(path.to_owned()), interrupt))
    }

    /// A file that goes on: read to its end and then as it grows, until the user asks to stop. Where another file takes its
    /// name, or it is cut, reading begins anew and `tell` hears of it; a file that is not there is waited for. Being asked to stop is the end of it, and not an interruption.
    pub fn follow(path: &Path, interrupt: Arc<AtomicBool>, tell: impl FnMut(Change) + Send + 'static) -> Self {
        let reader = Arc::new(());
        let follow = Follow::new(path.to_owned(), Arc::downgrade(&reader), tell);
        Self { followed: Some(reader), ..Self::from_live(follow, interrupt) }
    }

    /// Any reader, read directly: it never counts as idle or paused. For tests and library users.
    pub fn from_read(reader: impl Read + Send + 'static) -> Self {
        let unpack = Unpack::new(Box::new(reader));
        Self {
            found: unpack.found(),
            from: From::Direct(unpack),
            interrupt: Arc::default(),
            followed: None,
            tap: None,
            size: 0,
        }
    }

    /// Any reader, read by a thread of its own so that pauses are noticed.
    pub fn from_live(reader: impl Read + Send + 'static, interrupt: Arc<AtomicBool>) -> Self {
        let unpack = Unpack::new(Box::new(reader));
        Self {
            found: unpack.found(),
            from: From::Feed(Feed::start(unpack, true)),
            interrupt,
            followed: None,
            tap: None,
            size: 0,
        }
    }

    /// The same source, which gives whatever it reads to a tap as well.
    #[must_use]
    pub fn tapped(self, tap: Tap) -> Self {
        Self { tap: Some(tap), ..self }
    }

    /// Lets a thread read the rest of a plain file ahead and look at its lines, of at most `limit` bytes; whether it does. Not for
    /// files smaller than `size`, nor where somebody keeps what is read.
    pub(super) fn read_ahead(&mut self, limit: usize, size: u64) -> bool {
        let From::Direct(reader) = &mut self.from else { return false };
        if self.size < size || self.tap.is_some() {
            return false;
        }
        let reader = std::mem::replace(reader, Unpack::plain(Box::new(io::empty())));
        self.from = From::Ahead(Ahead::start(reader, limit));
        true
    }

    /// The next block of lines that such a thread has looked at, if one is next, for the one before.
    pub(super) fn block(&mut self, before: Block) -> Option<Block> {
        match &mut self.from {
            From::Ahead(ahead) => ahead.block(before, &self.interrupt),
            From::Direct(_) | From::Feed(_) => None,
        }
    }

    /// What was taken off the text so far.
    pub fn wrappings(&self) -> Wrappings {
        self.found.get()
    }

    /// Reads what is there into `buffer`, which must not be empty.
    ///
    /// A live source answers [`Fill::Idle`] when nothing is there, [`Fill::Paused`] when nothing came for
    /// [`Source::PAUSE`] after that, and then waits for bytes, the end or an interrupt.
    ///
    /// # Errors
    /// What the operating system or the gzip stream says, after every byte that could be read was handed out.
    pub fn fill(&mut self, buffer: &mut [u8]) -> Result<Fill, SourceError> {
        debug_assert!(!buffer.is_empty(), "an empty buffer would look like the end");
        let fill = match &mut self.from {
            _ if self.interrupt.load(Ordering::Relaxed) => Fill::Interrupted,
            From::Direct(reader) => match reader.read(buffer)? {
                0 => Fill::End,
                read => Fill::Read(read),
            },
            From::Feed(feed) => feed.fill(buffer, &self.interrupt)?,
            From::Ahead(ahead) => ahead.fill(buffer, &self.interrupt)?,
        };
        if let (Some(tap), &Fill::Read(read)) = (&self.tap, &fill) {
            tap.push(&buffer[..read]);
        }
        // A file that is followed has no other end.
        Ok(if fill == Fill::Interrupted && self.followed.is_some() { Fill::End } else { fill })
    }

    #[cfg(unix)]
    fn standard_input(interrupt: Arc<AtomicBool>) -> Result<Self, SourceError> {
        use std::os::fd::AsFd;
        // A duplicate, so that no thread holds the lock of `io::stdin` and a redirected file is read as a file.
        let file = File::from(io::stdin().as_fd().try_clone_to_owned().map_err(SourceError::Io)?);
        let kind = file.metadata().map_err(SourceError::Io)?;
        if kind.is_dir() {
            return Err(SourceError::Io(ErrorKind::IsADirectory.into()));
        }
        if kind.is_file() { Self::from_file(file, interrupt, |_| {}) } else { Ok(Self::from_live(file, interrupt)) }
    }

    #[cfg(not(unix))]
    fn standard_input(interrupt: Arc<AtomicBool>) -> Result<Self, SourceError> {
        Ok(Self::from_live(io::stdin(), interrupt))
    }

    /// A regular file: plain ones are read directly, packed ones are unpacked beside the reading.
    fn from_file(
        mut file: File,
        interrupt: Arc<AtomicBool>,
        meter: impl Fn(u64) + Send + 'static,
    ) -> Result<Self, SourceError> {
        let head = head_of(&mut file).map_err(SourceError::Io)?;
        let size = file.metadata().map_or(0, |about| about.len());
        let reader = Box::new(Metered { file, meter });
        let unpack = if unpack::is_wrapped(&head) { Unpack::new(reader) } else { Unpack::plain(reader) };
        let found = unpack.found();
        let packed = unpack::packing(&head).is_some();
        let from = if packed { From::Feed(Feed::start(unpack, false)) } else { From::Direct(unpack) };
        Ok(Self { from, found, interrupt, followed: None, tap: None, size })
    }
}

/// The first bytes of what is left of a file, which stays unread.
fn head_of(file: &mut File) -> io::Result<Vec<u8>> {
    // A redirected file may have been read in part by somebody else.
    let here = file.stream_position()?;
    let mut head = Vec::with_capacity(unpack::HEAD);
    file.by_ref().take(unpack::HEAD as u64).read_to_end(&mut head)?;
    file.seek(SeekFrom::Start(here))?;
    Ok(head)
}

/// A file that tells how much of it was read.
struct Metered<M> {
    file: File,
    meter: M,
}

impl<M: Fn(u64)> Read for Metered<M> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        (self.meter)(read as u64);
        Ok(read)
    }
}

/// A named pipe is opened when it is first read: opening it waits for a writer.
enum OpenedLate {
    Path(std::path::PathBuf),
    File(File),
}

impl Read for OpenedLate {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Self::Path(path) = self {
            *self = Self::File(File::open(path)?);
        }
        match self {
            Self::File(file) => file.read(buffer),
            Self::Path(_) => Ok(0),
        }
    }
}
