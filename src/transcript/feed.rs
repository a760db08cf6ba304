//! A thread that reads ahead, so that the one who asks can tell "nothing yet" from "nothing more".

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::thread;
use std::time::Duration;

use super::unpack::Unpack;
use super::{Fill, Source, SourceError};

/// Bytes of one buffer.
const CHUNK: usize = 256 * 1024;
/// Buffers that may wait to be taken; with one being filled and one being emptied it makes four.
const WAITING: usize = 2;
/// How often a blocked reader looks at the interrupt flag.
const WAKE: Duration = Duration::from_millis(60);

struct Chunk {
    bytes: Vec<u8>,
    filled: usize,
}

enum Delivery {
    Chunk(Chunk),
    End,
    Failed(SourceError),
}

/// How long nothing has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Silence {
    None,
    Idle,
    Paused,
}

/// The asking end of the thread.
pub(super) struct Feed {
    chunks: Receiver<Delivery>,
    emptied: Sender<Vec<u8>>,
    current: Option<(Chunk, usize)>,
    silence: Silence,
    /// Whether silence is news: of a packed file it only means that unpacking takes its time.
    live: bool,
    ended: bool,
}

impl Feed {
    /// Starts the thread. It ends with the input, or with the next chunk after the `Feed` was dropped.
    pub(super) fn start(reader: Unpack, live: bool) -> Self {
        let (deliver, chunks) = sync_channel(WAITING);
        let (emptied, reusable) = channel();
        let failed = deliver.clone();
        if let Err(error) = thread::Builder::new().spawn(move || read_ahead(reader, &deliver, &reusable)) {
            // The channel is empty, so there is room; and its other end is in our hands.
            let _ = failed.try_send(Delivery::Failed(SourceError::Io(error)));
        }
        Self { chunks, emptied, current: None, silence: Silence::None, live, ended: false }
    }

    /// See [`Source::fill`].
    pub(super) fn fill(&mut self, buffer: &mut [u8], interrupt: &AtomicBool) -> Result<Fill, SourceError> {
        loop {
            if let Some((chunk, given)) = &mut self.current {
                let rest = &chunk.bytes[*given..chunk.filled];
                let count = rest.len().min(buffer.len());
                buffer[..count].copy_from_slice(&rest[..count]);
                *given += count;
                if *given == chunk.filled
                    && let Some((chunk, _)) = self.current.take()
                {
                    // Nobody takes it back once the thread is through.
                    let _ = self.emptied.send(chunk.bytes);
                }
                return Ok(Fill::Read(count));
            }
            if self.ended {
                return Ok(Fill::End);
            }
            match self.wait() {
                Ok(Delivery::Chunk(chunk)) => {
                    self.silence = Silence::None;
                    self.current = Some((chunk, 0));
                }
                Ok(Delivery::End) => self.ended = true,
                Ok(Delivery::Failed(error)) => {
                    self.ended = true;
                    return Err(error);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    // Only a reader that panicked leaves without a word: what it had is not to pass for all there was.
                    self.ended = true;
                    return Err(SourceError::Io(io::Error::other("the reading thread broke off")));
                }
                Err(RecvTimeoutError::Timeout) => match (self.live, self.silence) {
                    (true, Silence::None) => {
                        self.silence = Silence::Idle;
                        return Ok(Fill::Idle);
                    }
                    (true, Silence::Idle) => {
                        self.silence = Silence::Paused;
                        return Ok(Fill::Paused);
                    }
                    _ if interrupt.load(Ordering::Relaxed) => return Ok(Fill::Interrupted),
                    _ => {}
                },
            }
        }
    }

    fn wait(&self) -> Result<Delivery, RecvTimeoutError> {
        match (self.live, self.silence) {
            (true, Silence::None) => self.chunks.try_recv().map_err(|error| match error {
                TryRecvError::Empty => RecvTimeoutError::Timeout,
                TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
            }),
            (true, Silence::Idle) => self.chunks.recv_timeout(Source::PAUSE),
            _ => self.chunks.recv_timeout(WAKE),
        }
    }
}

fn read_ahead(mut reader: Unpack, deliver: &SyncSender<Delivery>, reusable: &Receiver<Vec<u8>>) {
    loop {
        let mut bytes = reusable.try_recv().unwrap_or_else(|_| vec![0; CHUNK]);
        let delivery = match reader.read(&mut bytes) {
            Ok(0) => Delivery::End,
            Ok(filled) => Delivery::Chunk(Chunk { bytes, filled }),
            Err(error) => Delivery::Failed(error),
        };
        let last = !matches!(delivery, Delivery::Chunk(_));
        if deliver.send(delivery).is_err() || last {
            return;
        }
    }
}
