//! Random expressions over real sessions: nothing panics, and what is selected is a part of what there is, unchanged.

use std::io;
use std::sync::Arc;

use jiff::tz::TimeZone;
use mcp_trace::annotate::Record;
use mcp_trace::filter::{Expression, FIELDS, Filter, Type};
use mcp_trace::pipeline::{Job, Sink, run_sources};
use mcp_trace::transcript::{ReadOptions, Source};
use proptest::prelude::*;

use super::{SESSION, run};

fn leaf() -> impl Strategy<Value = String> {
    let fields: Vec<&'static str> = FIELDS.iter().map(|field| field.name).collect();
    prop_oneof![
        4 => prop::sample::select(fields),
        1 => Just("payload.params.arguments"),
        1 => Just("payload.result.content"),
        1 => Just("null"),
        1 => Just("true"),
    ]
    .prop_map(str::to_owned)
    .boxed()
    .prop_union(
        prop_oneof![
            any::<i64>().prop_map(|number| number.to_string()),
            (-9_i64..9).prop_map(|number| number.to_string()),
            any::<f64>().prop_filter("a literal", |number| number.is_finite()).prop_map(|number| format!("{number:?}")),
            "[a-z/é]{0,6}".prop_map(|text| format!("{text:?}")),
            prop::sample::select(
                FIELDS
                    .iter()
                    .filter(|field| matches!(field.of, Type::Word(_)))
                    .flat_map(|field| field.of.names())
                    .collect::<Vec<_>>()
            )
            .prop_map(|word| format!("{word:?}")),
        ]
        .boxed(),
    )
}

/// Mostly well-formed, often with types that do not fit.
fn expression() -> impl Strategy<Value = String> {
    leaf().prop_recursive(5, 40, 3, |inner| {
        let operators =
            ["==", "!=", "<", "<=", ">", ">=", "&&", "||", "+", "-", "*", "/", "%", "in"].as_slice();
        let methods = ["startsWith", "endsWith", "contains", "matches"].as_slice();
        let loops = ["exists", "all", "exists_one", "filter", "map"].as_slice();
        prop_oneof![
            6 => (inner.clone(), prop::sample::select(operators), inner.clone()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            1 => inner.clone().prop_map(|a| format!("!({a})")),
            1 => inner.clone().prop_map(|a| format!("-({a})")),
            1 => (inner.clone(), prop::sample::select(methods), inner.clone()).prop_map(|(a, method, b)| format!("({a}).{method}({b})")),
            1 => (inner.clone(), prop::sample::select(loops), inner.clone()).prop_map(|(a, of, b)| format!("({a}).{of}(x, {b} == x)")),
            1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
            1 => prop::collection::vec(inner.clone(), 0..3).prop_map(|all| format!("[{}]", all.join(", "))),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}[{b}]")),
            1 => inner.clone().prop_map(|a| format!("size({a})")),
            1 => inner.clone().prop_map(|a| format!("string({a})")),
            1 => inner.prop_map(|a| format!("({a}).x.y")),
        ]
    })
}

/// The JSON lines of messages of a run.
#[derive(Default)]
struct Lines(Vec<(u64, String)>);

impl Sink for Lines {
    fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        if let Record::Message(message) = record {
            self.0.push((message.n, format!("{message:?}")));
        }
        Ok(())
    }
}

fn lines(filter: Option<Filter>) -> Vec<(u64, String)> {
    let job = Job {
        trace: mcp_trace::annotate::Trace { command: "annotate", filter: None, inputs: vec!["a".to_owned()] },
        from: None,
        read: ReadOptions::default(),
        redact: None,
        filter: filter.map(Arc::new),
        interrupt: Arc::default(),
    };
    let mut lines = Lines::default();
    let source = Source::from_read(SESSION.as_bytes());
    run_sources(&job, [("a".to_owned(), Ok(source))], &mut lines).unwrap();
    lines.0
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_survived(text in "[ -~é\n]{0,60}") {
        let _ = Expression::parse(&text, &TimeZone::UTC);
    }

    #[test]
    fn what_is_selected_is_a_part_of_what_there_is(source in expression(), negated in any::<bool>()) {
        let source = if negated { format!("!({source} == true)") } else { format!("{source} == true") };
        match Expression::parse(&source, &TimeZone::UTC) {
            Err(fault) => {
                let (line, place) = fault.line(&source);
                prop_assert!(line.get(place).is_some() && !fault.message.is_empty());
            }
            Ok(expression) => {
                let filter = Filter { expressions: vec![expression], ..Filter::default() };
                let all = lines(None);
                let mut rest = all.iter();
                for selected in lines(Some(filter.clone())) {
                    prop_assert!(rest.any(|line| *line == selected), "{} is not among all, or not in order", selected.0);
                }
                let once = run(filter.clone(), SESSION);
                prop_assert_eq!(once.selected, run(filter, SESSION).selected);
            }
        }
    }

    #[test]
    fn a_condition_and_its_negation_share_the_messages(source in expression()) {
        let yes = Expression::parse(&format!("({source}) == true"), &TimeZone::UTC);
        let no = Expression::parse(&format!("!(({source}) == true)"), &TimeZone::UTC);
        if let (Ok(yes), Ok(no)) = (yes, no) {
            let [yes, no] = [yes, no].map(|one| run(Filter { expressions: vec![one], ..Filter::default() }, SESSION));
            let undecided = yes.summary.filtered.unwrap().undecided;
            prop_assert_eq!(yes.selected.len() + no.selected.len() + undecided as usize, 11);
        }
    }
}
