//! WRAPPINGS: what can lie around the text of a transcript, packed or written in front of each line. Names and
//! sentences only; what takes them off stands in `unpack`, `utf16` and `peel`.

/// A layer between the bytes of an input and the lines that a reader sees. The set may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Wrapping {
    Gzip,
    Zstd,
    Capture,
    Utf16Le,
    Utf16Be,
    Colours,
    Docker,
    Journal,
    ContainerRuntime,
    Compose,
    Pod,
    SystemLog,
    TimeStamps,
    Logger,
    Asciinema,
    Script,
    Markdown,
    Shell,
    Rich,
    Folded,
}

/// Every wrapping, from the outermost kind to the innermost: name, and what it is in a few words.
pub const WRAPPINGS: &[(Wrapping, &str, &str)] = &[
    (Wrapping::Gzip, "gzip", "a gzip stream, of one or several members, with or without zeros behind it"),
    (Wrapping::Zstd, "zstd", "a Zstandard stream, of one or several frames, with a window of at most 128 MiB"),
    (Wrapping::Capture, "pcap", "a packet capture, pcap or pcapng, read through `tshark` where that is installed"),
    (Wrapping::Utf16Le, "utf-16le", "UTF-16 with the low byte first, with or without a byte order mark"),
    (Wrapping::Utf16Be, "utf-16be", "UTF-16 with the high byte first, with or without a byte order mark"),
    (
        Wrapping::Shell,
        "shell",
        "commands typed at a shell, with messages in their quotes, and what came back: `$ echo '{…}' | server`",
    ),
    (Wrapping::Markdown, "markdown", "code blocks of Markdown, with prose around them"),
    (Wrapping::Asciinema, "asciinema", "a terminal recorded with asciinema, in version 2 or 3 of its files"),
    (Wrapping::Script, "script", "a terminal recorded with `script`"),
    (
        Wrapping::Docker,
        "docker",
        "the JSON lines that Docker keeps of a container: `{\"log\":\"…\\n\",\"stream\":…,\"time\":…}`",
    ),
    (Wrapping::Journal, "journal", "the journal as JSON lines: `{\"MESSAGE\":\"…\",\"__REALTIME_TIMESTAMP\":…}`"),
    (Wrapping::ContainerRuntime, "cri", "files of a container runtime: `2025-01-02T03:04:05.678901234Z stdout F …`"),
    (Wrapping::Compose, "compose", "the container's name before each line: `web-1  | …`"),
    (Wrapping::Pod, "pod", "the pod's name before each line: `[pod/NAME/CONTAINER] …`"),
    (Wrapping::SystemLog, "syslog", "time, host and process before each line: `Jan  2 03:04:05 host name[77]: …`"),
    (Wrapping::TimeStamps, "time-stamps", "a time before each line: `2025-01-02T03:04:05.678901234Z …`"),
    (Wrapping::Logger, "logger", "the JSON lines of a structured logger, with the text in `msg` or `message`"),
    (
        Wrapping::Rich,
        "rich",
        "Rich's log handler for Python, which folds long texts: `[01/02/25 03:04:05] INFO     …`, more of it below",
    ),
    (Wrapping::Folded, "folded", "lines that a terminal cut at its width, inside of JSON, as they are copied from it"),
    (Wrapping::Colours, "ansi", "colours and other escape sequences of a terminal"),
];

impl Wrapping {
    /// The name in the output contract.
    pub fn as_str(self) -> &'static str {
        WRAPPINGS.iter().find(|(wrapping, _, _)| *wrapping == self).map_or("", |(_, name, _)| name)
    }
}

/// A set of [`Wrapping`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wrappings(u32);

impl Wrappings {
    /// No wrapping.
    pub const NONE: Self = Self(0);

    /// The set with one more wrapping.
    #[must_use]
    pub fn with(self, wrapping: Wrapping) -> Self {
        Self(self.0 | 1 << wrapping as u8)
    }

    /// Both sets together.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The wrappings, the outermost kind first.
    pub fn iter(self) -> impl Iterator<Item = Wrapping> {
        WRAPPINGS.iter().map(|(wrapping, _, _)| *wrapping).filter(move |wrapping| self.0 & 1 << *wrapping as u8 != 0)
    }

    /// The set as a number that [`Self::from_bits`] understands.
    pub(super) fn bits(self) -> u32 {
        self.0
    }

    /// The set that gave the number.
    pub(super) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}
