//! The functions of the expression language, and operators that take null for what it is: something that is not there.
//! In plain CEL `null > 5` is an error; here such a comparison is false, and a member of null is null.

use std::cmp::Ordering;

use cel::common::types::{CelBool, CelDouble, CelInt, CelList, CelNull, CelString, DYN_TYPE};
use cel::common::value::CowVal;
use cel::{Env, ExecutionError};

/// A row of [`FUNCTIONS`].
pub struct FunctionInfo {
    /// The name.
    pub name: &'static str,
    /// How it is called.
    pub form: &'static str,
    /// What it gives.
    pub what: &'static str,
}

const fn function(name: &'static str, form: &'static str, what: &'static str) -> FunctionInfo {
    FunctionInfo { name, form, what }
}

/// Every function that an expression can call.
pub const FUNCTIONS: &[FunctionInfo] = &[
    function("startsWith", "method.startsWith(\"tools/\")", "whether a text begins so"),
    function("endsWith", "method.endsWith(\"/list\")", "whether a text ends so"),
    function("contains", "error.message.contains(\"refused\")", "whether a text holds another, or a list an element"),
    function("matches", "target.matches(\"^file:\")", "whether a regular expression is found in a text"),
    function("size", "size(flags)", "characters of a text, elements of a list, members of an object"),
    function("has", "has(payload.params.cursor)", "whether a member is there and not null"),
    function("exists", "flags.exists(f, f == \"orphan\")", "whether a condition holds for an element"),
    function("all", "requires.all(r, r.declared == true)", "whether it holds for all of them"),
    function("exists_one", "requires.exists_one(r, r.side == \"client\")", "whether it holds for exactly one"),
    function("filter", "size(requires.filter(r, r.declared == false))", "the elements for which it holds"),
    function("map", "payload.result.tools.map(t, t.name)", "a list of what becomes of each element"),
    function("int", "int(id)", "a number without its fraction, or that of a text"),
    function("double", "double(target)", "a number, also of a text"),
    function("string", "string(id)", "a text of a number"),
];

/// What operators and functions are called by in a compiled expression. No name that can be typed begins so.
pub(super) const LESS: &str = "@less";
pub(super) const AT_MOST: &str = "@at-most";
pub(super) const MORE: &str = "@more";
pub(super) const AT_LEAST: &str = "@at-least";
pub(super) const MEMBER: &str = "@member";
pub(super) const WITHIN: &str = "@within";
pub(super) const ELEMENTS: &str = "@elements";
pub(super) const SIZE: &str = "@size";
pub(super) const STARTS: &str = "@starts";
pub(super) const ENDS: &str = "@ends";
pub(super) const CONTAINS: &str = "@contains";
pub(super) const ADD: &str = "@add";
pub(super) const SUBTRACT: &str = "@subtract";
pub(super) const MULTIPLY: &str = "@multiply";
pub(super) const DIVIDE: &str = "@divide";
pub(super) const REMAINDER: &str = "@remainder";

type Args<'b, 'v> = Vec<CowVal<'b, 'v>>;
type Given<'b, 'v> = Result<CowVal<'b, 'v>, ExecutionError>;

/// The environment in which expressions run.
pub(super) fn environment() -> Env {
    let mut env = Env::stdlib().with_optional_support(false);
    let two: [(&str, cel::common::functions::Function); 14] = [
        (LESS, |args| ordered(&args, Ordering::is_lt)),
        (AT_MOST, |args| ordered(&args, Ordering::is_le)),
        (MORE, |args| ordered(&args, Ordering::is_gt)),
        (AT_LEAST, |args| ordered(&args, Ordering::is_ge)),
        (MEMBER, member),
        (WITHIN, |args| Ok(boolean(holds(&args[1], &args[0])))),
        (STARTS, |args| texts(&args, |text, part| text.starts_with(part))),
        (ENDS, |args| texts(&args, |text, part| text.ends_with(part))),
        (CONTAINS, |args| match text_of(&args[0]) {
            Some(_) => texts(&args, |text, part| text.contains(part)),
            None => Ok(boolean(holds(&args[0], &args[1]))),
        }),
        (ADD, |args| calculated(args, |a, b| a.as_adder().map(|a| a.add(b).map(CowVal::into_owned)))),
        (SUBTRACT, |args| calculated(args, |a, b| a.as_subtractor().map(|a| a.sub(b).map(CowVal::into_owned)))),
        (MULTIPLY, |args| calculated(args, |a, b| a.as_multiplier().map(|a| a.mul(b).map(CowVal::into_owned)))),
        (DIVIDE, |args| calculated(args, |a, b| a.as_divider().map(|a| a.div(b).map(CowVal::into_owned)))),
        (REMAINDER, |args| calculated(args, |a, b| a.as_modder().map(|a| a.modulo(b).map(CowVal::into_owned)))),
    ];
    for (name, op) in two {
        env.add_overload(name, name, vec![DYN_TYPE, DYN_TYPE], op).expect("every operator is declared once");
    }
    let one: [(&str, cel::common::functions::Function); 2] = [(ELEMENTS, elements), (SIZE, size)];
    for (name, op) in one {
        env.add_overload(name, name, vec![DYN_TYPE], op).expect("every operator is declared once");
    }
    env
}

fn boolean<'b, 'v>(value: bool) -> CowVal<'b, 'v> {
    CowVal::owned(CelBool::from(value))
}

fn text_of<'t>(value: &'t CowVal<'_, '_>) -> Option<&'t str> {
    value.downcast_ref::<CelString<'_>>().map(|text| text.inner())
}

fn is_null(value: &CowVal<'_, '_>) -> bool {
    value.downcast_ref::<CelNull>().is_some()
}

/// Only two numbers and two texts have an order.
fn ordered<'b, 'v>(args: &Args<'b, 'v>, holds: fn(Ordering) -> bool) -> Given<'b, 'v> {
    let order = args[0].as_comparer().and_then(|value| value.compare(args[1].as_ref()).ok());
    Ok(boolean(order.is_some_and(holds)))
}

fn texts<'b, 'v>(args: &Args<'b, 'v>, holds: fn(&str, &str) -> bool) -> Given<'b, 'v> {
    Ok(boolean(text_of(&args[0]).zip(text_of(&args[1])).is_some_and(|(text, part)| holds(text, part))))
}

/// Whether a list has an element, or an object a member of that name.
fn holds(container: &CowVal<'_, '_>, value: &CowVal<'_, '_>) -> bool {
    container.as_container().is_some_and(|container| container.contains(value.as_ref()).unwrap_or(false))
}

fn member<'b, 'v>(args: Args<'b, 'v>) -> Given<'b, 'v> {
    let found = args[0].as_indexer().and_then(|value| value.get(args[1].as_ref()).ok().map(CowVal::into_owned));
    Ok(found.map_or_else(|| CowVal::owned(CelNull), CowVal::Owned))
}

/// The elements of null are none.
fn elements<'b, 'v>(mut args: Args<'b, 'v>) -> Given<'b, 'v> {
    match is_null(&args[0]) {
        true => Ok(CowVal::owned(CelList::from(Vec::new()))),
        false => Ok(args.swap_remove(0)),
    }
}

fn size<'b, 'v>(args: Args<'b, 'v>) -> Given<'b, 'v> {
    let number = |size: usize| CowVal::owned(CelInt::from(i64::try_from(size).unwrap_or(i64::MAX)));
    Ok(match (text_of(&args[0]), args[0].as_sizer()) {
        (Some(text), _) => number(text.chars().count()),
        (None, Some(sized)) => CowVal::owned(sized.size()),
        (None, None) => CowVal::owned(CelNull),
    })
}

type Calculation = for<'b, 'v> fn(
    &'b (dyn cel::common::value::Val + 'v),
    &'b (dyn cel::common::value::Val + 'v),
) -> Option<Result<Box<dyn cel::common::value::Val + 'v>, ExecutionError>>;

/// Of null comes null. An integer beside a number with a fraction is taken for one.
fn calculated<'b, 'v>(args: Args<'b, 'v>, calculate: Calculation) -> Given<'b, 'v> {
    if args.iter().any(is_null) {
        return Ok(CowVal::owned(CelNull));
    }
    let fraction = args.iter().any(|value| value.downcast_ref::<CelDouble>().is_some());
    let widened = |value: CowVal<'b, 'v>| match value.downcast_ref::<CelInt>() {
        Some(number) if fraction => CowVal::owned(CelDouble::from(*number.inner() as f64)),
        _ => value,
    };
    let args: Args<'b, 'v> = args.into_iter().map(widened).collect();
    match calculate(args[0].as_ref(), args[1].as_ref()) {
        Some(value) => value.map(CowVal::Owned),
        None => Err(ExecutionError::no_such_overload(
            "calculation",
            args.iter().map(|value| value.get_type().name().to_owned()).collect(),
        )),
    }
}
