//! What a result tells of the method that it answers: the members of results are different enough that most methods
//! are known by them. For answers whose request is not in the capture, or is one of several.

use super::{Method, MethodKind, Revision, TaskAugmentation, method_set};

/// The methods that a result can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    methods: &'static [&'static str],
}

impl Fingerprint {
    /// The methods, most likely first; empty when the members say nothing.
    pub fn methods(self) -> &'static [&'static str] {
        self.methods
    }

    /// True when only one method is possible. `tasks/result`, whose answer may look like any other, is left aside.
    pub fn decisive(self) -> bool {
        self.methods.len() == 1
    }
}

/// Whether a result can answer a method, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fit {
    /// It has what the answer to this method must have.
    Yes,
    /// Nothing speaks against it.
    Possible,
    /// It lacks what the answer must have, or is the answer to another method.
    No,
}

/// The methods whose result has these members. `result_type` is the text of `resultType`, `empty` an object without
/// any member.
pub fn candidates(has: impl Fn(&str) -> bool, result_type: Option<&str>, empty: bool) -> Fingerprint {
    Fingerprint { methods: shape(&has, result_type, empty).map_or(&[], |shape| shape.methods) }
}

/// Whether a result with these members can answer a method; see [`candidates`] for the arguments.
///
/// Members that servers of the wild leave out (`resultType`, `ttlMs`, `cacheScope`, `_meta`) never speak against a
/// method. Without a revision, or in one that lacks the method, every row of the method counts.
pub fn fits(
    method: &str,
    revision: Option<Revision>,
    has: impl Fn(&str) -> bool,
    result_type: Option<&str>,
    empty: bool,
) -> Fit {
    let Some(set) = method_set(method) else { return Fit::Possible };
    if set.rows().iter().all(|row| row.kind == MethodKind::Notification) {
        return Fit::No;
    }
    if method == ANY_SHAPE {
        return Fit::Possible;
    }
    let rows = || {
        let in_force = revision.and_then(|revision| set.at(revision));
        set.rows().iter().copied().filter(move |row| in_force.is_none_or(|known| std::ptr::eq(known, *row)))
    };
    match shape(&has, result_type, empty) {
        Some(Shape { kind: ShapeKind::InputRequired, methods, .. }) => {
            substitute(methods.contains(&method), rows().any(|row| row.input_required))
        }
        // The extension's own examples answer `tasks/get` with the type `task`, against its rule.
        Some(Shape { kind: ShapeKind::Task(TaskAugmentation::ServerDirected), .. }) if method == "tasks/get" => {
            Fit::Possible
        }
        Some(Shape { kind: ShapeKind::Task(augmentation), methods, .. }) => {
            substitute(methods.contains(&method), rows().any(|row| row.task_augmentation == *augmentation))
        }
        found => rows().map(|row| fits_row(row, found, &has)).min().unwrap_or(Fit::No),
    }
}

/// Answers of any shape: that of the request that became the task.
const ANY_SHAPE: &str = "tasks/result";

/// An answer that stands in for the result proper: of these methods only, and surely where a row provides for it.
fn substitute(listed: bool, provided: bool) -> Fit {
    match (listed, provided) {
        (true, true) => Fit::Yes,
        (true, false) => Fit::Possible,
        (false, _) => Fit::No,
    }
}

fn fits_row(row: &Method, found: Option<&Shape>, has: &dyn Fn(&str) -> bool) -> Fit {
    let mut needed = row.required_result.iter().filter(|name| !LENIENT.contains(name)).peekable();
    let acknowledges = needed.peek().is_none();
    let complete = needed.all(|name| has(name));
    let Some(shape) = found else {
        // Only members that no method is known by.
        return match (acknowledges, complete) {
            (true, _) => Fit::Possible,
            (false, true) => Fit::Yes,
            (false, false) => Fit::No,
        };
    };
    let listed = shape.methods.contains(&row.name);
    match shape.kind {
        ShapeKind::Acknowledgement if acknowledges && listed => Fit::Yes,
        ShapeKind::Acknowledgement if acknowledges => Fit::Possible,
        _ if listed => {
            if complete {
                Fit::Yes
            } else {
                Fit::Possible
            }
        }
        ShapeKind::Acknowledgement if complete => Fit::Yes,
        _ if acknowledges || !complete || shape.explains(row) => Fit::No,
        _ => Fit::Possible,
    }
}

/// Required by some revision, and yet often left out.
const LENIENT: [&str; 4] = ["_meta", "cacheScope", "resultType", "ttlMs"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShapeKind {
    /// The result of its methods.
    Proper,
    /// A result without members of its own.
    Acknowledgement,
    /// Instead of the result: a question back.
    InputRequired,
    /// Instead of the result: the handle of a task.
    Task(TaskAugmentation),
}

/// Members that together mark the results of some methods.
#[derive(Debug)]
struct Shape {
    members: &'static [&'static str],
    kind: ShapeKind,
    /// Most likely first.
    methods: &'static [&'static str],
}

impl Shape {
    /// True when an answer to one of the shape's methods has all that the row asks for, so that these members are no
    /// sign of the row's method. `content` beside `action` is part of an elicitation's answer, not a tool's.
    fn explains(&self, row: &Method) -> bool {
        self.methods.iter().filter_map(|name| method_set(name)).any(|set| {
            set.rows().iter().any(|other| {
                row.required_result.iter().all(|name| {
                    LENIENT.contains(name)
                        || other.required_result.contains(name)
                        || other.optional_result.contains(name)
                })
            })
        })
    }
}

const fn proper(members: &'static [&'static str], methods: &'static [&'static str]) -> Shape {
    Shape { members, kind: ShapeKind::Proper, methods }
}

/// The first shape with all its members present counts: those with more members, or with members that no other result
/// has, stand before those that are parts of them.
static SHAPES: &[Shape] = &[
    proper(&["protocolVersion", "hostCapabilities"], &["ui/initialize"]),
    proper(&["protocolVersion", "serverInfo"], &["initialize"]),
    proper(&["protocolVersion", "capabilities"], &["initialize"]),
    proper(&["supportedVersions"], &["server/discover"]),
    proper(&["resourceTemplates"], &["resources/templates/list"]),
    proper(&["tools"], &["tools/list"]),
    proper(&["resources"], &["resources/list"]),
    proper(&["prompts"], &["prompts/list"]),
    proper(&["contents"], &["resources/read"]),
    proper(&["messages"], &["prompts/get"]),
    proper(&["completion"], &["completion/complete"]),
    proper(&["roots"], &["roots/list"]),
    proper(&["action"], &["elicitation/create"]),
    proper(&["role", "content"], &["sampling/createMessage"]),
    proper(&["model", "content"], &["sampling/createMessage"]),
    proper(&["tasks"], &["tasks/list"]),
    proper(&["taskId", "status"], &["tasks/get", "tasks/cancel"]),
    Shape {
        members: &["task"],
        kind: ShapeKind::Task(TaskAugmentation::Requested),
        methods: &["tools/call", "sampling/createMessage", "elicitation/create"],
    },
    proper(&["content"], &["tools/call"]),
    proper(&["structuredContent"], &["tools/call"]),
];

static INPUT_REQUIRED: Shape = Shape {
    members: &["resultType"],
    kind: ShapeKind::InputRequired,
    methods: &["tools/call", "prompts/get", "resources/read"],
};

static TASK_HANDLE: Shape = Shape {
    members: &["resultType"],
    kind: ShapeKind::Task(TaskAugmentation::ServerDirected),
    methods: &["tools/call"],
};

/// `{}`: every answer that only acknowledges, whatever its revision asks for besides.
static EMPTY: Shape = Shape {
    members: &[],
    kind: ShapeKind::Acknowledgement,
    methods: &[
        "ping",
        "resources/subscribe",
        "resources/unsubscribe",
        "logging/setLevel",
        "tasks/cancel",
        "tasks/update",
        "subscriptions/listen",
    ],
};

/// `resultType` and nothing that marks a method: what only acknowledges in 2026-07-28.
static ACKNOWLEDGED: Shape = Shape {
    members: &["resultType"],
    kind: ShapeKind::Acknowledgement,
    methods: &["subscriptions/listen", "tasks/update", "tasks/cancel"],
};

fn shape(has: &dyn Fn(&str) -> bool, result_type: Option<&str>, empty: bool) -> Option<&'static Shape> {
    if empty {
        return Some(&EMPTY);
    }
    match result_type {
        Some("input_required") => return Some(&INPUT_REQUIRED),
        Some("task") => return Some(&TASK_HANDLE),
        _ => {}
    }
    let proper = SHAPES.iter().find(|shape| shape.members.iter().all(|name| has(name)));
    match (proper, result_type) {
        (None, Some("complete")) => Some(&ACKNOWLEDGED),
        (None, None) if has("_meta") => Some(&EMPTY),
        (found, _) => found,
    }
}

#[cfg(test)]
mod tests;
