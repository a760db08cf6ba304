//! An expression of `--where`: parsed by `cel`, checked against the fields, run by `cel`.

use std::fmt;
use std::sync::Arc;

use cel::common::ast::IdedExpr;
use cel::common::types::CelBool;
use cel::common::value::CowVal;
use cel::context::VariableResolver;
use cel::{Context, Env, Value};
use jiff::tz::TimeZone;

use super::check::{Asks, Checker, MATCHES, Patterns};
use super::{Fault, functions, syntax, value};
use crate::annotate::Annotated;

/// Longer ones are refused, which bounds how deep and how long it runs.
const MAX_LENGTH: usize = 4_096;
/// How deep the grammar may nest.
const MAX_NESTED: u16 = 24;
/// The parser calls itself for each operator of a long chain, before anybody can see how long it is.
const STACK: usize = 64 << 20;

/// A condition in the Common Expression Language.
#[derive(Clone)]
pub struct Expression {
    source: Arc<str>,
    root: Arc<IdedExpr>,
    names: Arc<[(String, Asks)]>,
    patterns: Patterns,
    env: Arc<Env>,
}

/// What an expression says of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Whether the condition holds.
    Holds(bool),
    /// It cannot be worked out for this message, for the reason in words.
    Undecided(String),
}

impl Expression {
    /// Reads an expression. Times in it that have no zone are in the given one.
    ///
    /// # Errors
    /// What is wrong with it and where, when it can work for no message.
    pub fn parse(source: &str, zone: &TimeZone) -> Result<Self, Fault> {
        if source.len() > MAX_LENGTH {
            let told = format!("expected an expression of at most {MAX_LENGTH} bytes, got {}", source.len());
            return Err(Fault::new(0..0, told));
        }
        std::thread::scope(|scope| {
            let parser = std::thread::Builder::new().stack_size(STACK);
            let parsed = parser.spawn_scoped(scope, || Self::parse_deep(source, zone)).map(|thread| thread.join());
            match parsed {
                Ok(Ok(parsed)) => parsed,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(error) => Err(Fault::new(0..0, format!("cannot be read: {error}"))),
            }
        })
    }

    fn parse_deep(source: &str, zone: &TimeZone) -> Result<Self, Fault> {
        let env = functions::environment();
        let parser = env.parser().max_recursion_depth(MAX_NESTED);
        let (parsed, places) = parser.parse_with_source_info(source).map_err(|errors| {
            let first = errors.errors.first().map(|error| syntax::fault(error, source));
            first.unwrap_or_else(|| Fault::new(0..source.len(), "not understood"))
        })?;
        let mut checker = Checker::new(source, &places, zone);
        let root = checker.condition(&parsed)?;
        let checked = checker.checked;
        Ok(Self {
            source: source.into(),
            root: Arc::new(root),
            names: checked.names.into(),
            patterns: Arc::new(checked.patterns),
            env: Arc::new(env),
        })
    }

    /// As it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What it needs to run.
    pub(super) fn context(&self) -> Context<'static, 'static> {
        let mut context = Context::with_env(Arc::clone(&self.env));
        let patterns = Arc::clone(&self.patterns);
        let matches = move |text: Value, number: i64| {
            let pattern = usize::try_from(number).ok().and_then(|number| patterns.get(number));
            matches!((&text, pattern), (Value::String(text), Some(pattern)) if pattern.is_match(text))
        };
        if !self.patterns.is_empty() {
            context.add_function(MATCHES, matches).expect("no operator has this name");
        }
        context
    }

    /// Asks it of a message, in a context of its own.
    pub(super) fn ask(&self, message: &Annotated<'_>, context: &Context<'static, 'static>) -> Verdict {
        let fields = Fields { message, names: &self.names };
        let parent: &Context<'_, '_> = context;
        let mut scope = parent.new_inner_scope();
        scope.set_variable_resolver(&fields);
        match Value::resolve_val(&self.root, &scope) {
            Ok(value) => Verdict::Holds(value.downcast_ref::<CelBool>().is_some_and(|holds| *holds.inner())),
            Err(error) => Verdict::Undecided(error.to_string()),
        }
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Expression").field(&self.source).finish()
    }
}

/// The fields of a message, each made when it is asked for.
struct Fields<'a> {
    message: &'a Annotated<'a>,
    names: &'a [(String, Asks)],
}

impl VariableResolver for Fields<'_> {
    fn resolve<'b>(&'b self, name: &str) -> Option<CowVal<'b, 'b>> {
        let (_, asks) = self.names.iter().find(|(known, _)| known == name)?;
        match asks {
            Asks::Field(field) => Some((field.get)(self.message)),
            Asks::Instant => Some(value::instant(self.message.time)),
            Asks::Payload(path) => value::within(self.message, path),
        }
    }
}
