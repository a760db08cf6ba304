//! Secrets that are known by their shape in any text, and the kinds of everything that is replaced.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex, RegexSet};

use super::names::is_secret;

/// A kind of what is replaced.
#[derive(Debug)]
pub struct Kind {
    /// The name, as it is counted.
    pub name: &'static str,
    /// What is taken for one.
    pub what: &'static str,
}

/// Every kind, in the order in which they are counted.
pub const KINDS: &[Kind; 8] = &[
    Kind { name: "chosen", what: "what `--redact-field` names" },
    Kind {
        name: "named",
        what: "the value of a member, variable, option, header or query parameter whose name says that it is a secret",
    },
    Kind { name: "authorization", what: "what follows `Bearer`, `Basic` and the like, and the header `Authorization`" },
    Kind {
        name: "token",
        what: "JSON Web Tokens, and keys that begin as those of AWS, Anthropic, GitHub, GitLab, Google, Groq, Hugging Face, \
               npm, OpenAI, PyPI, SendGrid, Shopify, Slack, Stripe and others do",
    },
    Kind { name: "private-key", what: "PEM blocks, also over several lines" },
    Kind { name: "cookie", what: "the headers `Cookie` and `Set-Cookie`" },
    Kind { name: "userinfo", what: "user and password in a URL" },
    Kind { name: "repeated", what: "a secret of the above kinds that stands again elsewhere" },
];

pub(super) const CHOSEN: usize = 0;
pub(super) const NAMED: usize = 1;
const AUTHORIZATION: usize = 2;
const TOKEN: usize = 3;
pub(super) const PRIVATE_KEY: usize = 4;
const COOKIE: usize = 5;
const USERINFO: usize = 6;
pub(super) const REPEATED: usize = 7;

/// How a match is judged.
enum Judge {
    /// It is a secret.
    Always,
    /// It is one if it is no word of a sentence.
    Unlikely,
    /// It is one if the name before it says so.
    Named,
}

/// Kind, pattern and judge. The group `s` is what is replaced, else the whole; `n` is a name.
const SHAPES: &[(usize, &str, Judge)] = &[
    (PRIVATE_KEY, r"-----BEGIN [A-Z0-9 ]+-----(?s:.*?)(?:-----END [A-Z0-9 ]+-----|\z)", Judge::Always),
    (TOKEN, r"\beyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){0,3}", Judge::Always),
    (
        TOKEN,
        r"\b(?:sk-[A-Za-z0-9_-]{16,}|[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|gl(?:pat|ptt|dt|rt|cbt|soat)-[A-Za-z0-9_-]{16,}|xox[a-z]-[A-Za-z0-9-]{8,}|xapp-[A-Za-z0-9-]{16,}|(?:AKIA|ASIA|AGPA|AIDA|AROA|ABIA|ACCA)[A-Z0-9]{16}\b|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{16,}|GOCSPX-[A-Za-z0-9_-]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,}|hf_[A-Za-z0-9]{20,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|pplx-[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{20,}|tvly-[A-Za-z0-9_-]{16,}|shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}|dop_v1_[a-f0-9]{40,}|lin_api_[A-Za-z0-9]{20,}|ntn_[A-Za-z0-9]{20,}|secret_[A-Za-z0-9]{30,}|dapi[a-f0-9]{32}|figd_[A-Za-z0-9_-]{20,}|sq0[a-z]{3}-[A-Za-z0-9_-]{20,}|AGE-SECRET-KEY-1[A-Z0-9]{50,}|hvs\.[A-Za-z0-9_-]{20,})",
        Judge::Always,
    ),
    (TOKEN, r"hooks\.slack\.com/services/(?P<s>[A-Za-z0-9/]{16,})", Judge::Always),
    (AUTHORIZATION, r"(?i:\b(?:bearer|basic)(?:\s|%20|\+)+)(?P<s>[A-Za-z0-9._~+/=%-]{6,})", Judge::Unlikely),
    (
        AUTHORIZATION,
        r#"(?i:authorization[\\"']*\s*(?:[:=]|%3A|%3D)\s*[\\"'\[]*(?:(?:bearer|basic|digest|token|negotiate|apikey)(?:\s|%20|\+)+)?)(?P<s>[^\s"'\\,;\]]{3,})"#,
        Judge::Always,
    ),
    (COOKIE, r#"(?i:\bcookie[\\"']*\s*[:=]\s*[\\"'\[]*)(?P<s>[^"'\r\n\\]{3,})"#, Judge::Always),
    (USERINFO, r#"[A-Za-z][A-Za-z0-9+.-]*://(?P<s>[^\s/?#@"'<>\\]+)@"#, Judge::Always),
    (USERINFO, r#"(?i:%3A%2F%2F)(?P<s>[^\s/?#@"'<>\\&]+?)(?i:%40)"#, Judge::Always),
    (
        NAMED,
        r#"(?P<n>[A-Za-z0-9_.-]+)(?:[\\"'\]]|&quot;)*\s*(?:=>|:=|[:=]|%3A|%3D)\s*(?:\\*"(?P<s>(?:[^"\\]|\\[^"\\])+)|\\*'(?P<t>(?:[^'\\]|\\[^'\\])+)|(?P<u>[^\s"'&,;<>\\)}\]{\[]{2,}))"#,
        Judge::Named,
    ),
    (NAMED, r#"--?(?P<n>[A-Za-z][A-Za-z0-9_-]+)\s+["']?(?P<s>[^\s"'\\-][^\s"'\\]*)"#, Judge::Named),
];

/// The shapes, compiled.
pub(super) struct Shapes {
    set: RegexSet,
    each: Vec<Regex>,
}

impl Shapes {
    pub(super) fn get() -> &'static Self {
        static SHAPES_COMPILED: LazyLock<Shapes> = LazyLock::new(|| {
            let patterns = || SHAPES.iter().map(|(_, pattern, _)| pattern);
            let valid = "the patterns of this file are valid";
            Shapes {
                set: RegexSet::new(patterns()).expect(valid),
                each: patterns().map(|pattern| Regex::new(pattern).expect(valid)).collect(),
            }
        });
        &SHAPES_COMPILED
    }

    /// What has the shape of a secret, and its kind.
    pub(super) fn find(&self, text: &str) -> Vec<(Range<usize>, usize)> {
        self.find_of(text, |_| true)
    }

    /// The same without what only the text around it makes a secret.
    pub(super) fn find_strict(&self, text: &str) -> Vec<(Range<usize>, usize)> {
        self.find_of(text, |kind| matches!(kind, TOKEN | PRIVATE_KEY))
    }

    fn find_of(&self, text: &str, wanted: fn(usize) -> bool) -> Vec<(Range<usize>, usize)> {
        let mut found = Vec::new();
        for shape in self.set.matches(text).into_iter().filter(|shape| wanted(SHAPES[*shape].0)) {
            let (kind, _, judge) = &SHAPES[shape];
            let mut at = 0;
            while let Some(captures) = self.each[shape].captures_at(text, at) {
                let whole = captures.get_match();
                let secret = secret(&captures);
                let is_one = match judge {
                    Judge::Always => true,
                    Judge::Unlikely => !is_word(&text[secret.clone()]),
                    Judge::Named => {
                        captures.name("n").is_some_and(|name| is_secret(name.as_str()))
                            && is_value(&text[secret.clone()])
                    }
                };
                // A value may be a name itself.
                at = if is_one || !matches!(judge, Judge::Named) { whole.end() } else { secret.start };
                at = at.max(whole.start() + 1);
                while !text.is_char_boundary(at) {
                    at += 1;
                }
                if is_one {
                    found.push((secret, *kind));
                }
                if at > text.len() {
                    break;
                }
            }
        }
        found
    }
}

fn secret(captures: &Captures<'_>) -> Range<usize> {
    let group = ["s", "t", "u"].into_iter().find_map(|name| captures.name(name));
    group.unwrap_or_else(|| captures.get_match()).range()
}

/// A word as in "bearer authentication": letters only, in one case, and short.
fn is_word(text: &str) -> bool {
    let text = text.trim_end_matches(['.', '-']);
    let small = text.get(1..).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
    small && text.len() < 20
}

/// A value, and not what stands for none.
fn is_value(text: &str) -> bool {
    !matches!(text, "null" | "true" | "false" | "none" | "None" | "undefined" | "string" | "nil")
}
