//! One seed, integers only: the same stream on every machine.

/// splitmix64 (Steele, Lea, Flood 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below the bound; the bias of the multiplication is far below anything that is measured.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// A size between `low` and `low` doubled `octaves` times, each octave as likely as the next: log-uniform in
    /// steps, without floating point, which may differ from machine to machine.
    pub(crate) fn size(&mut self, low: u64, octaves: u64) -> usize {
        let base = low << self.below(octaves);
        (base + self.below(base)) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len() as u64) as usize]
    }
}

/// Sixty words as they stand in JSON strings: some escaped, some not ASCII.
#[rustfmt::skip] // one word a line otherwise, because some are wide
const WORDS: [&str; 60] = [
    "the", "boat", "note", "index", "of", "a", "river", "search", "window", "and", "paper", "with", "folder",
    "under", "light", "\\\"quoted\\\"", "engine", "to", "garden", "later", "morning", "value", "stone", "is",
    "letter", "harbour", "in", "shadow", "market", "seven", "\\n", "answer", "clock", "from", "winter", "page",
    "überall", "captain", "for", "copper", "bridge", "signal", "café", "line", "open", "was", "sailor",
    "ticket", "on", "yellow", "weather", "C:\\\\notes", "drawer", "orange", "by", "station", "candle", "naïve",
    "at", "lantern",
];

/// Appends about `length` bytes of words, as the inside of a JSON string.
pub(crate) fn words(random: &mut Random, length: usize, out: &mut Vec<u8>) {
    let end = out.len() + length;
    let mut bits = 0;
    while out.len() < end {
        if bits < 60 {
            bits = random.next();
        }
        out.extend_from_slice(WORDS[(bits % 60) as usize].as_bytes());
        out.push(b' ');
        bits /= 60;
    }
}

/// Appends `length` bytes of base64, rounded up to whole groups of ten.
pub(crate) fn base64(random: &mut Random, length: usize, out: &mut Vec<u8>) {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for _ in 0..length.div_ceil(10) {
        let bits = random.next();
        let group: [u8; 10] = std::array::from_fn(|at| ALPHABET[(bits >> (6 * at)) as usize & 63]);
        out.extend_from_slice(&group);
    }
}
