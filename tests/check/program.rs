//! Cases for the real program: a folder with a configuration, arguments, and what has to come out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is run, and what it has to say on its two streams taken together.
#[derive(Clone, Copy, Default)]
pub(super) struct Case {
    pub(super) name: &'static str,
    /// `mcp-trace.toml` in the working directory; empty: none.
    pub(super) config: &'static str,
    /// Further files there: name and text.
    pub(super) files: &'static [(&'static str, &'static str)],
    /// Behind `check`.
    pub(super) args: &'static [&'static str],
    pub(super) code: i32,
    pub(super) with: &'static [&'static str],
    pub(super) without: &'static [&'static str],
}

/// A folder of its own, empty at the start. Nothing above it is read.
pub(super) fn folder(group: &str, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check").join(group).join(name.replace(' ', "-"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join(".git")).unwrap();
    folder
}

/// Exit code, standard output and standard error of `check` in a folder.
pub(super) fn check(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-trace"));
    let output = command.arg("check").args(args).current_dir(folder).env_clear().output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

pub(super) fn run_cases(group: &str, cases: &[Case]) {
    let mut wrong = Vec::new();
    for case in cases {
        let folder = folder(group, case.name);
        if !case.config.is_empty() {
            fs::write(folder.join("mcp-trace.toml"), case.config).unwrap();
        }
        for (name, text) in case.files {
            fs::write(folder.join(name), text).unwrap();
        }
        let (code, out, err) = check(&folder, case.args);
        let said = format!("{out}{err}");
        let mut complain = |what: String| wrong.push(format!("{}: {what}\n{said}", case.name));
        if code != case.code {
            complain(format!("exit code {code}, expected {}", case.code));
        }
        case.with.iter().filter(|text| !said.contains(**text)).for_each(|text| complain(format!("lacks `{text}`")));
        case.without.iter().filter(|text| said.contains(**text)).for_each(|text| complain(format!("has `{text}`")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
