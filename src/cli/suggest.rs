//! Nearest known words, for "did you mean". Added where a person reads, never inside library errors.

/// The known words that resemble `word`, nearest first, at most three.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let word = word.to_lowercase();
    let limit = (word.chars().count() / 3).max(1);
    let mut found: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|candidate| {
            let lower = candidate.to_lowercase();
            let far = distance(&word, &lower);
            let part = word.len() >= 3 && lower.contains(&word);
            (far <= limit || part).then_some((far, candidate))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|(_, candidate)| candidate).take(3).collect()
}

/// `did you mean `a`, `b` or `c`?`, or nothing.
pub(super) fn did_you_mean(words: &[&str]) -> Option<String> {
    let (last, rest) = words.split_last()?;
    let mut text = String::from("did you mean ");
    for (index, word) in rest.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        text.push_str(&format!("`{word}`"));
    }
    if !rest.is_empty() {
        text.push_str(" or ");
    }
    text.push_str(&format!("`{last}`?"));
    Some(text)
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
pub(super) fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let replaced = above[j] + usize::from(x != y);
            let mut best = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_fingers_are_near() {
        assert_eq!(distance("annotate", "annotate"), 0);
        assert_eq!(distance("anontate", "annotate"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(nearest("exlpain", ["explain", "demo", "show"]), ["explain"]);
        assert_eq!(nearest("zzzz", ["explain", "demo", "show"]), Vec::<&str>::new());
    }

    #[test]
    fn a_part_of_a_long_word_is_near() {
        assert_eq!(nearest("listChanged", ["server.tools.listChanged", "tools"]), ["server.tools.listChanged"]);
    }

    #[test]
    fn suggestions_read_as_a_question() {
        assert_eq!(did_you_mean(&[]), None);
        assert_eq!(did_you_mean(&["a"]).as_deref(), Some("did you mean `a`?"));
        assert_eq!(did_you_mean(&["a", "b", "c"]).as_deref(), Some("did you mean `a`, `b` or `c`?"));
    }
}
