//! Ctrl-C: the first asks the run to end with its summary, the second ends the program at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// The exit code of a program that Ctrl-C ended, as shells count it.
const KILLED: i32 = 130;

/// A flag that Ctrl-C sets.
pub(super) fn on_ctrl_c() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    // In this order: at the first Ctrl-C the flag is still down when the shutdown looks at it.
    flag::register_conditional_shutdown(SIGINT, KILLED, Arc::clone(&stop))?;
    flag::register(SIGINT, Arc::clone(&stop))?;
    Ok(stop)
}
