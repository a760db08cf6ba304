//! METHODS: every message of every revision, and of the known extensions. The only list of its kind.

use super::Method;

mod apps;
mod completion;
mod elicitation;
mod flow;
mod lifecycle;
mod logging;
mod prompts;
mod resources;
mod roots;
mod sampling;
mod subscriptions;
mod task_extension;
mod tasks;
mod tools;

/// One slice for each feature; the core rows of a name stand before those of extensions.
const GROUPS: &[&[Method]] = &[
    lifecycle::ROWS,
    flow::ROWS,
    logging::ROWS,
    completion::ROWS,
    tools::ROWS,
    resources::ROWS,
    prompts::ROWS,
    roots::ROWS,
    sampling::ROWS,
    elicitation::ROWS,
    subscriptions::ROWS,
    tasks::ROWS,
    task_extension::ROWS,
    apps::ROWS,
];

static ALL: [Method; count()] = joined();

/// Every message, grouped by feature; the rows of one name have disjoint ranges of revisions and stand together,
/// but for those of the tasks extension, which follow the core rows of the same name.
pub static METHODS: &[Method] = &ALL;

const fn count() -> usize {
    let (mut group, mut sum) = (0, 0);
    while group < GROUPS.len() {
        sum += GROUPS[group].len();
        group += 1;
    }
    sum
}

const fn joined() -> [Method; count()] {
    let mut all = [GROUPS[0][0]; count()];
    let (mut group, mut at) = (0, 0);
    while group < GROUPS.len() {
        let mut row = 0;
        while row < GROUPS[group].len() {
            all[at] = GROUPS[group][row];
            at += 1;
            row += 1;
        }
        group += 1;
    }
    all
}
