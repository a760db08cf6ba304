//! Writes MCP traffic for measurements to standard output and its tally to standard error:
//! `gen --shape mixed|small|large --bytes N --format ndjson|desktop|timed|sse --seed S`.
//!
//! The same arguments give the same bytes; `tests/generator.rs` pins a digest of each shape.

mod random;
mod traffic;
mod wrap;

use std::io::{self, Write};
use std::process::ExitCode;

use traffic::{Shape, Traffic};
use wrap::Wrap;

struct Wish {
    shape: Shape,
    bytes: u64,
    wrap: Wrap,
    seed: u64,
}

fn wish(mut arguments: impl Iterator<Item = String>) -> Option<Wish> {
    let mut wish = Wish { shape: Shape::Mixed, bytes: 1_000_000, wrap: Wrap::Ndjson, seed: 20_250_102 };
    while let Some(name) = arguments.next() {
        let value = arguments.next()?;
        match (name.as_str(), value.as_str()) {
            ("--shape", "mixed") => wish.shape = Shape::Mixed,
            ("--shape", "small") => wish.shape = Shape::Small,
            ("--shape", "large") => wish.shape = Shape::Large,
            ("--format", "ndjson") => wish.wrap = Wrap::Ndjson,
            ("--format", "desktop") => wish.wrap = Wrap::Desktop,
            ("--format", "timed") => wish.wrap = Wrap::Timed,
            ("--format", "sse") => wish.wrap = Wrap::Sse,
            ("--bytes", count) => wish.bytes = count.parse().ok()?,
            ("--seed", seed) => wish.seed = seed.parse().ok()?,
            _ => return None,
        }
    }
    Some(wish)
}

fn generate(wish: &Wish, out: &mut impl Write) -> io::Result<Traffic> {
    let mut traffic = Traffic::new(wish.shape, wish.seed);
    let (mut message, mut page, mut written) = (Vec::new(), Vec::new(), 0);
    while written + (page.len() as u64) < wish.bytes {
        message.clear();
        let from_client = traffic.message(&mut message);
        wrap::write(wish.wrap, &message, from_client, traffic.clock_ms(), &mut page);
        if page.len() >= 1 << 18 {
            out.write_all(&page)?;
            written += page.len() as u64;
            page.clear();
        }
    }
    out.write_all(&page)?;
    Ok(traffic)
}

#[allow(clippy::print_stderr)]
fn main() -> ExitCode {
    let Some(wish) = wish(std::env::args().skip(1)) else {
        eprintln!("usage: gen [--shape mixed|small|large] [--bytes N] [--format ndjson|desktop|timed|sse] [--seed S]");
        return ExitCode::from(2);
    };
    match generate(&wish, &mut io::stdout().lock()) {
        Ok(Traffic { tally, .. }) => {
            eprintln!(
                "requests={} responses={} errors={} notifications={}",
                tally.requests, tally.responses, tally.errors, tally.notifications
            );
            ExitCode::SUCCESS
        }
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gen: cannot write: {error}");
            ExitCode::FAILURE
        }
    }
}
