//! The rules of the protocol that a recorded session can be seen to break, and RULES. One file a family, one declaration a
//! rule: documentation, `explain`, reports and tests are made from it. The families `practice_*` go beyond the protocol.
//!
//! A rule sees records and says findings; it changes no record and drops none. Everything that a rule has to remember
//! stands in [`book`]; where the capture cannot decide, a rule is silent.

mod apps;
mod batching;
pub mod book;
mod caching;
mod cancellation;
mod capabilities;
mod checker;
mod content;
mod context;
mod correlation;
mod dispatch;
mod elicitation;
pub mod example;
mod example_http;
mod expectations;
mod findings;
mod framing;
mod header_value;
mod http;
mod levels;
mod lifecycle;
mod logging;
mod meta_objects;
mod metadata;
mod methods;
mod pagination;
mod parts;
mod practice_definitions;
mod practice_errors;
mod practice_habits;
mod practice_payloads;
mod progress;
mod prompts;
mod resources;
mod revisions;
mod round_trips;
mod rule;
mod sampling;
mod settings;
mod shapes;
mod subscriptions;
mod task_extension;
mod tasks;
mod tools;
mod uris;
mod what_if;

pub use checker::{Checker, judged_as};
pub use context::{Body, Context, EndContext, EventContext, InputContext, Seen};
pub use findings::{Draft, Findings, Marked, quoted};
pub use levels::{Level, Levels};
pub use revisions::{ALL, LEGACY, MODERN, Revisions};
pub use rule::{Check, Clause, EndCheck, EventCheck, InputCheck, On, Rule, Strength, clause, practice};
pub use settings::{Expectations, Settings, duration};
pub use what_if::{Change, WhatIf};

/// Rules of one matter, in the order in which they are listed.
pub struct Family {
    /// The matter.
    pub title: &'static str,
    /// The rules.
    pub rules: &'static [&'static Rule],
}

/// Every family.
pub const FAMILIES: &[Family] = &[
    framing::FAMILY,
    batching::FAMILY,
    correlation::FAMILY,
    lifecycle::FAMILY,
    capabilities::FAMILY,
    methods::FAMILY,
    progress::FAMILY,
    cancellation::FAMILY,
    pagination::FAMILY,
    tools::FAMILY,
    resources::FAMILY,
    prompts::FAMILY,
    logging::FAMILY,
    sampling::FAMILY,
    elicitation::FAMILY,
    tasks::FAMILY,
    metadata::FAMILY,
    round_trips::FAMILY,
    subscriptions::FAMILY,
    caching::FAMILY,
    task_extension::FAMILY,
    apps::FAMILY,
    http::FAMILY,
    practice_definitions::FAMILY,
    practice_habits::FAMILY,
    practice_payloads::FAMILY,
    practice_errors::FAMILY,
    expectations::FAMILY,
];

/// Every rule, family by family.
pub static RULES: [&Rule; COUNT] = all();

const COUNT: usize = {
    let (mut family, mut count) = (0, 0);
    while family < FAMILIES.len() {
        count += FAMILIES[family].rules.len();
        family += 1;
    }
    count
};

const fn all() -> [&'static Rule; COUNT] {
    let mut rules = [FAMILIES[0].rules[0]; COUNT];
    let (mut family, mut at) = (0, 0);
    while family < FAMILIES.len() {
        let mut number = 0;
        while number < FAMILIES[family].rules.len() {
            rules[at] = FAMILIES[family].rules[number];
            number += 1;
            at += 1;
        }
        family += 1;
    }
    rules
}

/// The rule of a name.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}
