//! From what was parsed to what runs: every name is looked up, types are held against each other, and operators get
//! their forms that know null. What cannot work for any message is a fault here, with its place.

use std::sync::Arc;

use cel::common::ast::operators;
use cel::common::ast::{CallExpr, ComprehensionExpr, Expr, IdedExpr, ListExpr, LiteralValue, SelectExpr, SourceInfo};
use jiff::tz::TimeZone;
use regex::{Regex, RegexBuilder};

use super::fields::PAYLOAD;
use super::value::nanoseconds;
use super::{FIELDS, FUNCTIONS, Fault, Field, Moment, Type, functions, syntax};

/// How deep an expression may be: so many operators in each other.
const MAX_DEPTH: usize = 50;
/// What a compiled regular expression may take.
const MAX_PATTERN: usize = 1 << 20;

/// A name that an expression asks a message for.
#[derive(Clone, Debug)]
pub(super) enum Asks {
    /// A field.
    Field(&'static Field),
    /// The time as a number.
    Instant,
    /// A path in the message itself.
    Payload(Vec<String>),
}

/// An expression that was checked.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// What it asks for, by the name under which it does.
    pub(super) names: Vec<(String, Asks)>,
    /// Its regular expressions, by number.
    pub(super) patterns: Vec<Regex>,
}

/// The name of the time as a number.
const INSTANT: &str = "@instant";
/// The function that a regular expression becomes.
pub(super) const MATCHES: &str = "@matches";

type Result<T = (IdedExpr, Type)> = std::result::Result<T, Fault>;

/// Walks an expression, to a bounded depth.
pub(super) struct Checker<'s> {
    source: &'s str,
    places: &'s SourceInfo,
    zone: &'s TimeZone,
    /// Names of elements, with their types.
    bound: Vec<(String, Type)>,
    depth: usize,
    pub(super) checked: Checked,
}

impl<'s> Checker<'s> {
    pub(super) fn new(source: &'s str, places: &'s SourceInfo, zone: &'s TimeZone) -> Self {
        Self { source, places, zone, bound: Vec::new(), depth: 0, checked: Checked::default() }
    }

    /// The whole, which has to be a condition.
    pub(super) fn condition(&mut self, whole: &IdedExpr) -> Result<IdedExpr> {
        let (made, of) = self.walk(whole)?;
        self.truth(whole, made, of)
    }

    fn place(&self, expr: &IdedExpr) -> std::ops::Range<usize> {
        let (first, last) = self.places.offset_for(expr.id).unwrap_or_default();
        let place = syntax::between(first, last, self.source);
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        // The parser tells of a dot or a bracket; a person looks at the name.
        match &self.source[place.clone()] {
            "." => {
                let name = &self.source[place.end..];
                let space = name.len() - name.trim_start().len();
                let length = name[space..].find(|c| !is_name(c)).unwrap_or(name.len() - space);
                place.end + space..place.end + space + length
            }
            "(" => {
                let name = self.source[..place.start].trim_end();
                name.trim_end_matches(is_name).len()..name.len()
            }
            _ => place,
        }
    }

    fn fault(&self, at: &IdedExpr, message: impl Into<String>) -> Fault {
        Fault::new(self.place(at), message)
    }

    /// What stands for a condition. Null is none that holds.
    fn truth(&self, at: &IdedExpr, made: IdedExpr, of: Type) -> Result<IdedExpr> {
        match of {
            Type::Boolean if matches!(made.expr, Expr::Ident(_) | Expr::Literal(_)) || is_condition(&made) => Ok(made),
            Type::Boolean | Type::Any | Type::Null => {
                let yes = node(made.id, Expr::Literal(LiteralValue::Boolean(true.into())));
                Ok(call(made.id, operators::EQUALS, vec![made, yes]))
            }
            _ => Err(self
                .fault(at, format!("expected a condition, this is {}", said(of)))
                .with_help("compare it with something")),
        }
    }

    fn walk(&mut self, expr: &IdedExpr) -> Result {
        if self.depth >= MAX_DEPTH {
            let fault = self.fault(expr, format!("more than {MAX_DEPTH} operators lie in each other here"));
            return Err(fault.with_help("write it with fewer, or as several `--where`"));
        }
        self.depth += 1;
        let walked = match self.path(expr) {
            Some(path) => self.name(expr, &path),
            None => self.walk_operator(expr),
        };
        self.depth -= 1;
        walked
    }

    fn walk_operator(&mut self, expr: &IdedExpr) -> Result {
        match &expr.expr {
            Expr::Literal(literal) => {
                let of = match literal {
                    LiteralValue::Boolean(_) => Type::Boolean,
                    LiteralValue::Int(_) | LiteralValue::UInt(_) => Type::Integer,
                    LiteralValue::Double(_) => Type::Number,
                    LiteralValue::String(_) => Type::Text,
                    LiteralValue::Null => Type::Null,
                    LiteralValue::Bytes(_) => return Err(self.fault(expr, "no field holds bytes: expected a text")),
                };
                Ok((expr.clone(), of))
            }
            Expr::Ident(name) => {
                let of = self.bound.iter().rev().find(|(bound, _)| bound == name).map_or(Type::Any, |(_, of)| *of);
                Ok((expr.clone(), of))
            }
            Expr::Select(select) => self.select(expr, select),
            Expr::List(list) => {
                let elements = list.elements.iter().map(|element| self.walk(element).map(|(made, _)| made));
                let elements = elements.collect::<Result<Vec<_>>>()?;
                Ok((node(expr.id, Expr::List(ListExpr::new(elements))), Type::List(&Type::Any)))
            }
            Expr::Comprehension(comprehension) => self.comprehension(expr, comprehension),
            Expr::Call(call) => self.call(expr, call),
            Expr::Map(_) | Expr::Struct(_) | Expr::Unspecified => {
                Err(self.fault(expr, "objects cannot be written here: compare their members"))
            }
        }
    }

    /// The names of a path that begins at a field: `a.b["c"]`.
    fn path(&self, expr: &IdedExpr) -> Option<Vec<String>> {
        let (mut path, mut expr) = (Vec::new(), expr);
        loop {
            expr = match &expr.expr {
                Expr::Ident(name) if !name.starts_with('@') && !self.bound.iter().any(|(bound, _)| bound == name) => {
                    path.push(name.strip_prefix('.').unwrap_or(name).to_owned());
                    path.reverse();
                    return Some(path);
                }
                Expr::Select(SelectExpr { operand, field, test: false }) => {
                    path.push(field.clone());
                    operand
                }
                Expr::Call(CallExpr { func_name, target: None, args }) if func_name == operators::INDEX => {
                    let [of, IdedExpr { expr: Expr::Literal(LiteralValue::String(name)), .. }] = args.as_slice() else {
                        return None;
                    };
                    path.push(name.inner().to_owned());
                    of
                }
                _ => return None,
            };
        }
    }

    fn name(&mut self, at: &IdedExpr, path: &[String]) -> Result {
        if let [payload, within @ ..] = path
            && payload == PAYLOAD
            && !within.is_empty()
        {
            return Ok((self.ask(at, path.join("."), Asks::Payload(within.to_vec())), Type::Any));
        }
        let name = path.join(".");
        let Some(field) = Field::named(&name) else {
            let place = self.place_of_name(at, &path[0]);
            if let [list, _, ..] = path
                && let Some(Field { of: Type::List(_), .. }) = Field::named(list)
            {
                let help = format!("ask for an element: `{list}.exists(x, …)`");
                return Err(Fault::new(place, format!("`{list}` is a list and has no members")).with_help(help));
            }
            let known = FIELDS.iter().map(|field| field.name);
            return Err(Fault::new(place, format!("unknown field `{name}`")).with_known(&name, known));
        };
        Ok((self.ask(at, name, Asks::Field(field)), field.of))
    }

    /// A path from its first name to its last.
    fn place_of_name(&self, at: &IdedExpr, first: &str) -> std::ops::Range<usize> {
        let place = self.place(at);
        self.source[..place.end].rfind(first).unwrap_or(place.start)..place.end
    }

    fn ask(&mut self, at: &IdedExpr, name: String, asks: Asks) -> IdedExpr {
        if !self.checked.names.iter().any(|(known, _)| *known == name) {
            self.checked.names.push((name.clone(), asks));
        }
        node(at.id, Expr::Ident(name))
    }

    fn select(&mut self, expr: &IdedExpr, select: &SelectExpr) -> Result {
        if select.test {
            // `has(a.b)`: what is null is as good as not there.
            let plain = SelectExpr { test: false, ..select.clone() };
            let (made, _) = self.walk(&node(expr.id, Expr::Select(plain)))?;
            let null = node(expr.id, Expr::Literal(LiteralValue::Null));
            return Ok((call(expr.id, operators::NOT_EQUALS, vec![made, null]), Type::Boolean));
        }
        let (operand, of) = self.walk(&select.operand)?;
        let of = match of {
            Type::Object(members) => match members.iter().find(|(name, _)| *name == select.field) {
                Some((_, of)) => *of,
                None => {
                    let known = members.iter().map(|(name, _)| *name);
                    let fault = self.fault(expr, format!("unknown member `{}`", select.field));
                    return Err(fault.with_known(&select.field, known));
                }
            },
            Type::Any => Type::Any,
            of => return Err(self.fault(expr, format!("expected an object, this is {}", said(of)))),
        };
        let name = node(expr.id, Expr::Literal(LiteralValue::String(select.field.clone().into())));
        Ok((call(expr.id, functions::MEMBER, vec![operand, name]), of))
    }

    /// What a macro such as `exists` has become.
    fn comprehension(&mut self, expr: &IdedExpr, whole: &ComprehensionExpr) -> Result {
        let (range, of) = self.walk(&whole.iter_range)?;
        let element = match of {
            Type::List(of) => *of,
            Type::Any | Type::Null => Type::Any,
            of => {
                let fault = self.fault(&whole.iter_range, format!("expected a list, this is {}", said(of)));
                return Err(fault);
            }
        };
        let range = call(range.id, functions::ELEMENTS, vec![range]);
        self.bound.push((whole.iter_var.clone(), element));
        let of = match &whole.accu_init.expr {
            Expr::Literal(LiteralValue::Boolean(_)) => Type::Boolean,
            Expr::List(_) => Type::List(&Type::Any),
            // It counts, and compares the count at the end.
            _ => Type::Boolean,
        };
        let made = self.loop_of(whole, range);
        self.bound.pop();
        Ok((node(expr.id, Expr::Comprehension(Box::new(made?))), of))
    }

    fn loop_of(&mut self, whole: &ComprehensionExpr, range: IdedExpr) -> Result<ComprehensionExpr> {
        Ok(ComprehensionExpr {
            iter_range: range,
            loop_cond: whole.loop_cond.clone(),
            loop_step: self.step(&whole.loop_step)?,
            result: whole.result.clone(),
            ..whole.clone()
        })
    }

    /// A step of a loop: what the macro has made is left as it is, what the user wrote in it is walked.
    fn step(&mut self, step: &IdedExpr) -> Result<IdedExpr> {
        let is_own = |expr: &IdedExpr| matches!(&expr.expr, Expr::Ident(name) if name.starts_with('@'));
        let Expr::Call(written) = &step.expr else { return self.walk(step).map(|(made, _)| made) };
        let condition = |checker: &mut Self, expr: &IdedExpr| {
            let (made, of) = checker.walk(expr)?;
            checker.truth(expr, made, of)
        };
        let args = match (written.func_name.as_str(), written.args.as_slice()) {
            (operators::LOGICAL_AND | operators::LOGICAL_OR, [own, user]) if is_own(own) => {
                vec![own.clone(), condition(self, user)?]
            }
            (operators::CONDITIONAL, [user, then, own]) if is_own(own) => {
                vec![condition(self, user)?, self.step(then)?, own.clone()]
            }
            (operators::ADD, [own, added]) if is_own(own) => {
                vec![own.clone(), self.walk(added)?.0]
            }
            _ => return self.walk(step).map(|(made, _)| made),
        };
        Ok(call(step.id, &written.func_name, args))
    }

    fn call(&mut self, expr: &IdedExpr, written: &CallExpr) -> Result {
        let made = |function: &str, args, of| Ok((call(expr.id, function, args), of));
        match (written.func_name.as_str(), written.target.as_deref(), written.args.as_slice()) {
            (function @ (operators::LOGICAL_AND | operators::LOGICAL_OR), None, [left, right]) => {
                let args = vec![self.condition(left)?, self.condition(right)?];
                made(function, args, Type::Boolean)
            }
            (operators::LOGICAL_NOT, None, [one]) => {
                let args = vec![self.condition(one)?];
                made(operators::LOGICAL_NOT, args, Type::Boolean)
            }
            (operators::CONDITIONAL, None, [test, then, other]) => {
                let test = self.condition(test)?;
                let ((then, one), (other, two)) = (self.walk(then)?, self.walk(other)?);
                made(operators::CONDITIONAL, vec![test, then, other], if one == two { one } else { Type::Any })
            }
            (function @ (operators::EQUALS | operators::NOT_EQUALS), None, [left, right]) => {
                let args = self.compared(left, right)?;
                made(function, args, Type::Boolean)
            }
            (operators::LESS, None, [left, right]) => self.in_order(expr, functions::LESS, left, right),
            (operators::LESS_EQUALS, None, [left, right]) => self.in_order(expr, functions::AT_MOST, left, right),
            (operators::GREATER, None, [left, right]) => self.in_order(expr, functions::MORE, left, right),
            (operators::GREATER_EQUALS, None, [left, right]) => self.in_order(expr, functions::AT_LEAST, left, right),
            (operators::IN, None, [value, list]) => self.within(expr, value, list),
            (operators::INDEX, None, [of, index]) => {
                let ((of, kind), (index, _)) = (self.walk(of)?, self.walk(index)?);
                let element = match kind {
                    Type::List(element) => *element,
                    _ => Type::Any,
                };
                made(functions::MEMBER, vec![of, index], element)
            }
            (operators::ADD, None, [left, right]) => self.calculation(expr, functions::ADD, left, right),
            (operators::SUBSTRACT, None, [left, right]) => self.calculation(expr, functions::SUBTRACT, left, right),
            (operators::MULTIPLY, None, [left, right]) => self.calculation(expr, functions::MULTIPLY, left, right),
            (operators::DIVIDE, None, [left, right]) => self.calculation(expr, functions::DIVIDE, left, right),
            (operators::MODULO, None, [left, right]) => self.calculation(expr, functions::REMAINDER, left, right),
            (operators::NEGATE, None, [one]) => {
                let (one, of) = self.walk(one)?;
                let nothing = node(expr.id, Expr::Literal(LiteralValue::Int(0.into())));
                made(functions::SUBTRACT, vec![nothing, one], of)
            }
            (function, Some(target), [part]) => self.method(expr, function, target, part),
            ("size", Some(of), []) | ("size", None, [of]) => {
                let (of, _) = self.walk(of)?;
                made(functions::SIZE, vec![of], Type::Integer)
            }
            (function @ ("int" | "double" | "string"), None, [of]) => {
                let (of, _) = self.walk(of)?;
                let kind = match function {
                    "int" => Type::Integer,
                    "double" => Type::Number,
                    _ => Type::Text,
                };
                made(function, vec![of], kind)
            }
            (function, ..) => Err(self.unknown_function(expr, function)),
        }
    }

    fn unknown_function(&self, at: &IdedExpr, name: &str) -> Fault {
        match FUNCTIONS.iter().find(|function| function.name == name) {
            Some(function) => {
                self.fault(at, format!("`{name}` is called otherwise")).with_help(format!("`{}`", function.form))
            }
            None => self
                .fault(at, format!("unknown function `{name}`"))
                .with_known(name, FUNCTIONS.iter().map(|function| function.name)),
        }
    }

    fn method(&mut self, expr: &IdedExpr, function: &str, target: &IdedExpr, part: &IdedExpr) -> Result {
        let own = match function {
            "startsWith" => functions::STARTS,
            "endsWith" => functions::ENDS,
            "contains" => functions::CONTAINS,
            "matches" => MATCHES,
            _ => return Err(self.unknown_function(expr, function)),
        };
        let (value, of) = self.walk(target)?;
        let list = own == functions::CONTAINS && matches!(of, Type::List(_));
        if !list && !matches!(class(of), None | Some(Class::Text)) {
            return Err(self.fault(target, format!("`{function}` is asked of a text, this is {}", said(of))));
        }
        let argument = match own {
            MATCHES => self.pattern(part)?,
            _ => {
                let (argument, of) = self.walk(part)?;
                if !list && !matches!(class(of), None | Some(Class::Text)) {
                    return Err(self.fault(part, format!("expected a text, this is {}", said(of))));
                }
                argument
            }
        };
        Ok((call(expr.id, own, vec![value, argument]), Type::Boolean))
    }

    fn pattern(&mut self, at: &IdedExpr) -> Result<IdedExpr> {
        let Expr::Literal(LiteralValue::String(pattern)) = &at.expr else {
            return Err(self.fault(at, "expected a regular expression in quotes"));
        };
        let compiled = RegexBuilder::new(pattern.inner()).size_limit(MAX_PATTERN).build();
        let compiled = compiled.map_err(|error| {
            // The last line says what is wrong; those above draw what the place shows already.
            let told = error.to_string();
            let last = told.lines().last().unwrap_or_default();
            self.fault(at, format!("no regular expression: {}", last.strip_prefix("error: ").unwrap_or(last)))
        })?;
        self.checked.patterns.push(compiled);
        let number = i64::try_from(self.checked.patterns.len() - 1).unwrap_or(i64::MAX);
        Ok(node(at.id, Expr::Literal(LiteralValue::Int(number.into()))))
    }

    fn in_order(&mut self, expr: &IdedExpr, function: &str, left: &IdedExpr, right: &IdedExpr) -> Result {
        let args = self.compared(left, right)?;
        Ok((call(expr.id, function, args), Type::Boolean))
    }

    /// Two values that are held against each other.
    fn compared(&mut self, left: &IdedExpr, right: &IdedExpr) -> Result<Vec<IdedExpr>> {
        let ((one, left_of), (two, right_of)) = (self.walk(left)?, self.walk(right)?);
        if let (Some(left_class), Some(right_class)) = (class(left_of), class(right_of))
            && left_class != right_class
        {
            let message = format!("{} is never compared with {}", said(left_of), said(right_of));
            return Err(self.fault(right, message));
        }
        self.is_word(left_of, right)?;
        self.is_word(right_of, left)?;
        let (timed, texts) = ([left_of, right_of].contains(&Type::Time), [class(left_of), class(right_of)]);
        match timed && texts == [Some(Class::Text); 2] {
            true => Ok(vec![self.instant(one, left_of, left)?, self.instant(two, right_of, right)?]),
            false => Ok(vec![one, two]),
        }
    }

    /// A time or its text as a number.
    fn instant(&mut self, made: IdedExpr, of: Type, at: &IdedExpr) -> Result<IdedExpr> {
        match &made.expr {
            Expr::Ident(_) if of == Type::Time => Ok(self.ask(at, INSTANT.to_owned(), Asks::Instant)),
            Expr::Literal(LiteralValue::String(text)) => match Moment::parse(text.inner(), self.zone) {
                Ok(Moment::At(instant)) => {
                    Ok(node(at.id, Expr::Literal(LiteralValue::Int(nanoseconds(instant).into()))))
                }
                _ => Err(self.fault(at, "no time: expected one such as `2026-03-02T09:15:00Z`")),
            },
            _ => Err(self.fault(at, "a time is compared with a text in quotes, such as `\"2026-03-02T09:15:00Z\"`")),
        }
    }

    /// A text that a closed list of words is compared with has to be one of them.
    fn is_word(&self, of: Type, literal: &IdedExpr) -> Result<()> {
        let (Type::Word(words), Expr::Literal(LiteralValue::String(text))) = (of, &literal.expr) else {
            return Ok(());
        };
        if words.contains(&text.inner()) {
            return Ok(());
        }
        let known = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        let fault = self.fault(literal, format!("it is never `{}`, only one of {known}", text.inner()));
        Err(fault.with_known(text.inner(), words.iter().copied()))
    }

    fn within(&mut self, expr: &IdedExpr, value: &IdedExpr, list: &IdedExpr) -> Result {
        let ((one, of), (two, container)) = (self.walk(value)?, self.walk(list)?);
        if !matches!(container, Type::List(_) | Type::Any | Type::Object(_) | Type::Null) {
            let fault = self.fault(list, format!("expected a list, this is {}", said(container)));
            return Err(fault.with_help("`contains` looks for a part of a text"));
        }
        if let Expr::List(written) = &list.expr {
            written.elements.iter().try_for_each(|element| self.is_word(of, element))?;
        }
        Ok((call(expr.id, functions::WITHIN, vec![one, two]), Type::Boolean))
    }

    fn calculation(&mut self, expr: &IdedExpr, function: &str, left: &IdedExpr, right: &IdedExpr) -> Result {
        let ((one, left_of), (two, right_of)) = (self.walk(left)?, self.walk(right)?);
        let joins = function == functions::ADD;
        for (at, of) in [(left, left_of), (right, right_of)] {
            let fits = match class(of) {
                None | Some(Class::Number) => true,
                Some(Class::Text | Class::List) => joins,
                Some(Class::Boolean) => false,
            };
            if !fits {
                return Err(self.fault(at, format!("expected a number, this is {}", said(of))));
            }
        }
        let of = match (class(left_of), class(right_of)) {
            (Some(one), Some(other)) if one != other => {
                let message = format!("{} and {} cannot be added", said(left_of), said(right_of));
                return Err(self.fault(right, message));
            }
            (Some(Class::Number), Some(_)) if left_of == right_of => left_of,
            (Some(Class::Number), Some(_)) => Type::Number,
            (Some(Class::Text), Some(_)) => Type::Text,
            _ => Type::Any,
        };
        Ok((call(expr.id, function, vec![one, two]), of))
    }
}

/// What can be compared with each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Boolean,
    Number,
    Text,
    List,
}

fn class(of: Type) -> Option<Class> {
    match of {
        Type::Boolean => Some(Class::Boolean),
        Type::Integer | Type::Number => Some(Class::Number),
        Type::Text | Type::Time | Type::Word(_) => Some(Class::Text),
        Type::List(_) => Some(Class::List),
        Type::Object(_) | Type::Any | Type::Null => None,
    }
}

/// A type in a sentence.
fn said(of: Type) -> &'static str {
    match of {
        Type::Boolean => "a boolean",
        Type::Integer | Type::Number => "a number",
        Type::Text | Type::Word(_) => "a text",
        Type::Time => "a time",
        Type::List(_) => "a list",
        Type::Object(_) => "an object",
        Type::Any => "a value",
        Type::Null => "null",
    }
}

/// Whether an expression gives `true` or `false` and nothing else.
fn is_condition(expr: &IdedExpr) -> bool {
    match &expr.expr {
        Expr::Call(call) => call.func_name != functions::MEMBER && call.func_name != operators::CONDITIONAL,
        Expr::Comprehension(_) => true,
        _ => false,
    }
}

fn node(id: u64, expr: Expr) -> IdedExpr {
    IdedExpr { id, expr }
}

fn call(id: u64, function: &str, args: Vec<IdedExpr>) -> IdedExpr {
    node(id, Expr::Call(CallExpr { func_name: function.to_owned(), target: None, args }))
}

/// Patterns shared with the function that applies them.
pub(super) type Patterns = Arc<Vec<Regex>>;
