//! The tasks of a session and what was seen of each (2025-11-25, basic/utilities/tasks).

use compact_str::CompactString;
use hashbrown::{HashMap, HashSet};

use super::{Asked, Caps, Spot};
use crate::annotate::Kind;
use crate::jsonrpc::RawJson;
use crate::rules::context::Seen;
use crate::transcript::Stamp;

/// How far a task has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TaskStatus {
    Working,
    InputRequired,
    Completed,
    Failed,
    Cancelled,
}

impl TaskStatus {
    /// The status that a task object names.
    pub fn of(task: RawJson<'_>) -> Option<Self> {
        Some(match &*task.get("status")?.as_str()? {
            "working" => Self::Working,
            "input_required" => Self::InputRequired,
            "completed" => Self::Completed,
            "failed" => Self::Failed,
            "cancelled" => Self::Cancelled,
            _ => return None,
        })
    }

    /// In the words of the protocol.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::InputRequired => "input_required",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Nothing comes after it.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// A task.
#[derive(Clone, Debug)]
pub struct TaskSeen {
    /// The last status, and where it was told.
    pub status: Option<(TaskStatus, Spot)>,
    /// When the task last changed, as told with the status.
    pub updated: Option<jiff::Timestamp>,
    /// The answer that created it.
    pub created: Option<Spot>,
    /// The method of the request that it carries out.
    pub method: Option<CompactString>,
    /// The tool, if it carries out a call.
    pub target: Option<CompactString>,
    /// The answer that brought its result.
    pub result: Option<Spot>,
    /// The result is that of a tool that failed.
    pub is_error: bool,
    /// How long to wait between two looks, in milliseconds.
    pub interval: Option<f64>,
    /// When it was asked for last.
    pub asked: Option<Stamp>,
}

impl TaskSeen {
    /// The receiver has told of it: it was created here, or an answer showed it.
    pub fn is_told(&self) -> bool {
        self.created.is_some() || self.status.is_some()
    }
}

/// The tasks of a session.
#[derive(Debug, Default)]
pub struct Tasks {
    by_id: HashMap<CompactString, TaskSeen>,
    lost: bool,
    /// Ids of the list that is being read, and of the last one that was read whole.
    page: HashSet<CompactString>,
    listed: Option<(Spot, Option<Stamp>, HashSet<CompactString>)>,
}

/// Tasks that are remembered.
const MAX_TASKS: usize = 4_096;

/// The member of `_meta` that ties a message to a task.
pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";

impl Tasks {
    /// A task by its id.
    pub fn get(&self, id: &str) -> Option<&TaskSeen> {
        self.by_id.get(id)
    }

    /// No task of the session was forgotten.
    pub fn is_complete(&self) -> bool {
        !self.lost
    }

    /// Tasks that wait for input.
    pub fn waiting(&self) -> impl Iterator<Item = &str> {
        let waits = |task: &TaskSeen| task.status.is_some_and(|(status, _)| status == TaskStatus::InputRequired);
        self.by_id.iter().filter(move |(_, task)| waits(task)).map(|(id, _)| id.as_str())
    }

    /// The last whole list that lacks a task, with its time.
    pub fn list_without(&self, id: &str) -> Option<(Spot, Option<Stamp>)> {
        self.listed.as_ref().filter(|(_, _, ids)| !ids.contains(id)).map(|(at, time, _)| (*at, *time))
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, request: Option<&Asked>, caps: &mut Caps) {
        let named = seen.message.target;
        match (seen.kind, seen.method) {
            (Kind::Request, Some("tasks/get")) => {
                if let Some(task) = named.and_then(|id| self.entry(id, caps)) {
                    task.asked = seen.message.time;
                }
            }
            (Kind::Response, Some("tasks/result")) if seen.is_result() => {
                if let Some(task) = named.and_then(|id| self.entry(id, caps)) {
                    task.result = Some(seen.spot());
                    task.is_error = seen.get("isError").and_then(RawJson::as_bool) == Some(true);
                }
            }
            _ => {}
        }
        for task in observed(seen) {
            let Some(id) = task.get("taskId").and_then(RawJson::as_str) else { continue };
            let Some(known) = self.entry(&id, caps) else { continue };
            known.interval = task.get("pollInterval").and_then(RawJson::as_f64).or(known.interval);
            if let Some(request) = request.filter(|request| request.task) {
                known.created.get_or_insert(seen.spot());
                known.method = Some(request.method.clone());
                known.target.clone_from(&request.target);
            }
            let updated = time(task, "lastUpdatedAt");
            if updated.is_none() || known.updated.is_none() || updated >= known.updated {
                known.status = TaskStatus::of(task).map(|status| (status, seen.spot())).or(known.status);
                known.updated = updated.or(known.updated);
            }
        }
        if seen.kind == Kind::Response && seen.method == Some("tasks/list") && seen.is_result() {
            self.see_list(seen, request, caps);
        }
    }

    fn see_list(&mut self, seen: &Seen<'_>, request: Option<&Asked>, caps: &mut Caps) {
        if request.is_none_or(|request| !request.cursor) {
            self.page.clear();
        }
        let ids = observed(seen).filter_map(|task| task.get("taskId")?.as_str().map(CompactString::from));
        self.page.extend(ids.take(MAX_TASKS));
        let whole = seen.is_whole() && request.is_some() && seen.get("nextCursor").is_none();
        if self.page.len() >= MAX_TASKS {
            caps.lost("rule-tasks", 1);
        } else if whole {
            self.listed = Some((seen.spot(), seen.message.time, std::mem::take(&mut self.page)));
        }
    }

    fn entry(&mut self, id: &str, caps: &mut Caps) -> Option<&mut TaskSeen> {
        if self.by_id.len() >= MAX_TASKS && !self.by_id.contains_key(id) {
            self.lost = true;
            caps.lost("rule-tasks", 1);
            return None;
        }
        Some(self.by_id.entry(CompactString::new(id)).or_insert_with(|| TaskSeen {
            status: None,
            updated: None,
            created: None,
            method: None,
            target: None,
            result: None,
            is_error: false,
            interval: None,
            asked: None,
        }))
    }
}

/// A time of a task object.
pub fn time(task: RawJson<'_>, member: &str) -> Option<jiff::Timestamp> {
    task.get(member)?.as_str()?.parse().ok()
}

/// The task objects of a message of 2025-11-25.
pub(in crate::rules) fn observed<'a>(seen: &Seen<'a>) -> impl Iterator<Item = RawJson<'a>> {
    let is_result = seen.kind == Kind::Response && seen.is_result() && !seen.is_modern();
    let (one, many) = match seen.method {
        Some("tasks/get" | "tasks/cancel") if is_result => (seen.body.raw, None),
        Some("tasks/list") if is_result => (None, seen.get("tasks")),
        Some("tools/call" | "sampling/createMessage" | "elicitation/create") if is_result => (seen.get("task"), None),
        Some("notifications/tasks/status") if seen.kind == Kind::Notification => (seen.body.raw, None),
        _ => (None, None),
    };
    one.into_iter().chain(many.into_iter().flat_map(RawJson::elements))
}
