//! Text that is no row: words over as many lines as they need.

use crate::render::escape;
use crate::render::palette::{Ink, Palette};

/// The words of a text, for [`wrap`].
pub(super) fn words(ink: Ink, text: &str) -> Vec<(Ink, String)> {
    text.split(' ').map(|word| (ink, word.to_owned())).collect()
}

/// Writes words over as many lines as they need; later lines are indented by two more. A word that is longer than
/// a line is cut.
pub(super) fn wrap(palette: &Palette, out: &mut String, width: usize, indent: usize, words: &[(Ink, String)]) {
    let mut at = 0;
    for (ink, word) in words {
        let wide = escape::width(word);
        if at > 0 && at + 1 + wide > width {
            out.push('\n');
            at = 0;
        }
        let space = match at {
            0 if out.is_empty() || out.ends_with('\n') => indent + if at == 0 && first(words, word) { 0 } else { 2 },
            _ => 1,
        };
        out.extend(std::iter::repeat_n(' ', space));
        at += space;
        let (word, used) = escape::fit(word, width.saturating_sub(at));
        palette.push(out, *ink, word);
        at += used;
    }
    out.push('\n');
}

fn first(words: &[(Ink, String)], word: &str) -> bool {
    words.first().is_some_and(|(_, first)| std::ptr::eq(first.as_str(), word))
}

/// Paths as `resources (subscribe, listChanged)`: the first name, and in brackets what is below it.
pub(super) fn grouped(paths: &[Vec<String>]) -> Vec<String> {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for path in paths {
        let Some((first, rest)) = path.split_first() else { continue };
        let at = groups.iter().position(|(name, _)| name == first).unwrap_or_else(|| {
            groups.push((first, Vec::new()));
            groups.len() - 1
        });
        let inner = paths.iter().any(|other| other.len() > path.len() && other.starts_with(path));
        if !rest.is_empty() && !inner {
            groups[at].1.push(rest.join("."));
        }
    }
    groups
        .into_iter()
        .map(|(name, below)| if below.is_empty() { name.to_owned() } else { format!("{name} ({})", below.join(", ")) })
        .collect()
}
