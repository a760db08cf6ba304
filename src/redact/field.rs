//! Members chosen by the user: `params.arguments.path`, or an RFC 6901 pointer, `*` for any member or element.

use std::fmt;

/// A path from the top of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Any,
    Name(String),
}

/// Why a text names no members that can be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldError {
    /// A step of the path is empty.
    Empty,
    /// It names what ties messages together.
    Protected,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "expected a path such as `params.arguments.path` or `/params/arguments/*`",
            Self::Protected => "`jsonrpc`, `id` and `method` stay, so that messages can be told apart and paired",
        })
    }
}

impl std::error::Error for FieldError {}

impl Field {
    /// So many can be chosen.
    pub const MAX: usize = 64;

    /// Reads a path.
    ///
    /// # Errors
    /// When it is empty, or names `jsonrpc`, `id` or `method`.
    pub fn parse(text: &str) -> Result<Self, FieldError> {
        let steps: Vec<Step> = match text.strip_prefix('/') {
            Some(pointer) => {
                pointer.split('/').map(|step| Step::new(step.replace("~1", "/").replace("~0", "~"))).collect()
            }
            None => text.split('.').map(|step| Step::new(step.to_owned())).collect(),
        };
        if steps.contains(&Step::Name(String::new())) {
            return Err(FieldError::Empty);
        }
        let protected = |step: &Step| matches!(step, Step::Name(name) if is_protected(name));
        if steps.len() == 1 && steps.iter().any(|step| *step == Step::Any || protected(step)) {
            return Err(FieldError::Protected);
        }
        Ok(Self { steps })
    }

    /// What a step down makes of the path: whether `name` is the step at `depth`, and the last one.
    pub(super) fn step(&self, depth: usize, name: &str) -> Option<bool> {
        let step = self.steps.get(depth)?;
        let fits = match step {
            Step::Any => depth > 0 || !is_protected(name),
            Step::Name(own) => own == name,
        };
        fits.then_some(depth + 1 == self.steps.len())
    }
}

impl Step {
    fn new(text: String) -> Self {
        if text == "*" { Self::Any } else { Self::Name(text) }
    }
}

/// Members at the top of a message that tie messages together.
pub(super) fn is_protected(name: &str) -> bool {
    matches!(name, "jsonrpc" | "id" | "method")
}
