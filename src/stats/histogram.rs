//! Durations counted in buckets, as an HDR histogram has them, but only those buckets that hold something: a table of
//! thousands of groups has a histogram for each, and a dense one takes up to 60 kB.
//!
//! Values below 256 ns have a bucket each; above, each power of two is divided into 128 buckets, so that a bucket is
//! no wider than 1/128 of its values. A percentile is the upper end of the bucket that holds it, within the smallest and
//! the largest value: never below the exact one, and above it by less than 0.8 %.

/// Bits of a value that its bucket keeps.
const KEPT: u32 = 8;

/// Durations in nanoseconds. Merging is exact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Bucket and count, in order.
    buckets: Vec<(u16, u64)>,
    count: u64,
    sum: u128,
    range: Option<(u64, u64)>,
}

/// A bucket that holds something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// The largest value that belongs to it, in nanoseconds.
    pub upper: u64,
    /// How many values it holds.
    pub count: u64,
}

/// The bucket of a value.
fn bucket(value: u64) -> u16 {
    let shift = (u64::BITS - value.leading_zeros()).saturating_sub(KEPT);
    // At most 56 << 7 | 255.
    ((shift << (KEPT - 1)) as u64 + (value >> shift)) as u16
}

/// The largest value of a bucket.
fn upper(bucket: u16) -> u64 {
    let bucket = u64::from(bucket);
    let half = 1 << (KEPT - 1);
    let shift = (bucket / half).saturating_sub(1);
    let kept = bucket - shift * half;
    (kept << shift) + ((1 << shift) - 1)
}

impl Histogram {
    /// Counts a value.
    pub fn record(&mut self, value: u64) {
        self.add(bucket(value), 1);
        self.sum += u128::from(value);
        self.widen(value, value);
    }

    /// Counts what another has counted.
    pub fn merge(&mut self, other: &Self) {
        for &(bucket, count) in &other.buckets {
            self.add(bucket, count);
        }
        self.sum = self.sum.saturating_add(other.sum);
        if let Some((least, most)) = other.range {
            self.widen(least, most);
        }
    }

    /// What [`Self::buckets`], [`Self::sum`], [`Self::min`] and [`Self::max`] of another gave. `None` when these do not
    /// belong together.
    pub fn from_parts(buckets: impl IntoIterator<Item = Bucket>, sum: u128, range: Option<(u64, u64)>) -> Option<Self> {
        let mut histogram = Self { sum, range, ..Self::default() };
        for Bucket { upper: value, count } in buckets {
            if upper(bucket(value)) != value || count == 0 {
                return None;
            }
            histogram.add(bucket(value), count);
        }
        let fits = match (range, histogram.buckets.first(), histogram.buckets.last()) {
            (None, None, None) => sum == 0,
            (Some((least, most)), Some(first), Some(last)) => {
                least <= most && bucket(least) == first.0 && bucket(most) == last.0
            }
            _ => false,
        };
        fits.then_some(histogram)
    }

    fn add(&mut self, bucket: u16, count: u64) {
        self.count = self.count.saturating_add(count);
        match self.buckets.binary_search_by_key(&bucket, |(known, _)| *known) {
            Ok(at) => self.buckets[at].1 = self.buckets[at].1.saturating_add(count),
            Err(at) => self.buckets.insert(at, (bucket, count)),
        }
    }

    fn widen(&mut self, least: u64, most: u64) {
        self.range = Some(self.range.map_or((least, most), |(low, high)| (low.min(least), high.max(most))));
    }

    /// How many values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their sum, exact.
    pub fn sum(&self) -> u128 {
        self.sum
    }

    /// The smallest, exact.
    pub fn min(&self) -> Option<u64> {
        self.range.map(|(least, _)| least)
    }

    /// The largest, exact.
    pub fn max(&self) -> Option<u64> {
        self.range.map(|(_, most)| most)
    }

    /// The mean, rounded down.
    pub fn mean(&self) -> Option<u64> {
        u64::try_from(self.sum.checked_div(u128::from(self.count))?).ok()
    }

    /// The value below or at which so many of a hundred values are, by nearest rank; see the module for its error.
    pub fn percentile(&self, percent: u64) -> Option<u64> {
        let (least, most) = self.range?;
        let rank = u64::try_from((u128::from(self.count) * u128::from(percent)).div_ceil(100)).ok()?.max(1);
        let mut seen = 0_u64;
        let holder = self.buckets.iter().find(|(_, count)| {
            seen = seen.saturating_add(*count);
            seen >= rank
        });
        holder.map(|(bucket, _)| upper(*bucket).clamp(least, most))
    }

    /// The buckets that hold something, in order.
    pub fn buckets(&self) -> impl Iterator<Item = Bucket> {
        self.buckets.iter().map(|&(bucket, count)| Bucket { upper: upper(bucket), count })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, any, prop, prop_assert, prop_assert_eq, proptest};

    use super::{Bucket, Histogram, bucket, upper};

    #[test]
    fn buckets_follow_each_other_without_a_gap() {
        assert_eq!((bucket(0), bucket(255), bucket(256), bucket(257), bucket(258)), (0, 255, 256, 256, 257));
        let mut last = bucket(u64::MAX);
        assert_eq!(upper(last), u64::MAX);
        while last > 0 {
            assert_eq!(bucket(upper(last - 1) + 1), last);
            assert_eq!(bucket(upper(last)), last);
            last -= 1;
        }
    }

    #[test]
    fn parts_that_do_not_belong_together_are_refused() {
        let parts = |upper, count, range| Histogram::from_parts([Bucket { upper, count }], 9, range);
        assert!(parts(9, 1, Some((9, 9))).is_some());
        assert!(parts(9, 0, Some((9, 9))).is_none());
        assert!(parts(1000, 1, Some((1000, 1000))).is_none(), "1000 is the end of no bucket");
        assert!(parts(9, 1, Some((8, 9))).is_none());
        assert!(parts(9, 1, None).is_none());
        assert!(Histogram::from_parts([], 0, None).is_some());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn percentiles_are_exact_within_the_width_of_a_bucket(
            shifts in prop::collection::vec((any::<u64>(), 0_u32..64), 1..200),
            percent in 1_u64..=100,
        ) {
            let mut values: Vec<u64> = shifts.iter().map(|(value, shift)| value >> shift).collect();
            let mut histogram = Histogram::default();
            values.iter().for_each(|value| histogram.record(*value));
            values.sort_unstable();
            let rank = (values.len() as u64 * percent).div_ceil(100).max(1);
            let exact = values[rank as usize - 1];
            let told = histogram.percentile(percent).unwrap_or_default();
            prop_assert!(told >= exact && told - exact <= exact / 128, "{told} for {exact}");
            prop_assert_eq!(histogram.min(), values.first().copied());
            prop_assert_eq!(histogram.max(), values.last().copied());
            prop_assert_eq!(histogram.sum(), values.iter().map(|value| u128::from(*value)).sum::<u128>());
        }

        #[test]
        fn parts_merge_to_the_whole(values in prop::collection::vec((any::<u64>(), any::<bool>()), 0..200)) {
            let (mut whole, mut parts) = (Histogram::default(), [Histogram::default(), Histogram::default()]);
            for (value, which) in values {
                whole.record(value);
                parts[usize::from(which)].record(value);
            }
            let [one, two] = &parts;
            for (first, second) in [(one, two), (two, one)] {
                let mut merged = first.clone();
                merged.merge(second);
                prop_assert_eq!(&merged, &whole);
            }
            let range = whole.min().zip(whole.max());
            prop_assert_eq!(Histogram::from_parts(whole.buckets(), whole.sum(), range), Some(whole.clone()));
        }
    }
}
