//! What the surroundings say: terminals, their width, the locale. Read once; `plan` decides on it.

use std::io::{self, IsTerminal};

/// The surroundings of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment {
    pub(super) stdin_terminal: bool,
    pub(super) stdout_terminal: bool,
    pub(super) stderr_terminal: bool,
    /// What anstream decides for standard output: NO_COLOR, CLICOLOR_FORCE, CLICOLOR, TERM, in this order.
    pub(super) stdout_color: bool,
    /// The width of the terminal on standard output.
    pub(super) terminal_width: Option<usize>,
    /// COLUMNS, which comes before the terminal's own width.
    pub(super) columns: Option<String>,
    /// The first of LC_ALL, LC_CTYPE and LANG that is set and not empty.
    pub(super) locale: Option<String>,
    /// HOME, else USERPROFILE.
    pub(super) home: Option<String>,
    /// XDG_CONFIG_HOME.
    pub(super) config_home: Option<String>,
    /// XDG_CACHE_HOME.
    pub(super) cache_home: Option<String>,
    /// APPDATA.
    pub(super) app_data: Option<String>,
    /// LOCALAPPDATA.
    pub(super) local_app_data: Option<String>,
}

impl Environment {
    /// Looks around.
    pub(super) fn read() -> Self {
        let stdout = io::stdout();
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            stdin_terminal: io::stdin().is_terminal(),
            stdout_terminal: stdout.is_terminal(),
            stderr_terminal: io::stderr().is_terminal(),
            stdout_color: anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
            terminal_width: terminal_size::terminal_size_of(&stdout).map(|(width, _)| usize::from(width.0)),
            columns: variable("COLUMNS"),
            locale: ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable),
            home: ["HOME", "USERPROFILE"].into_iter().find_map(variable),
            config_home: variable("XDG_CONFIG_HOME"),
            cache_home: variable("XDG_CACHE_HOME"),
            app_data: variable("APPDATA"),
            local_app_data: variable("LOCALAPPDATA"),
        }
    }

    /// Whether the locale is known and cannot show more than ASCII for sure. Without a locale (Windows, bare
    /// containers) UTF-8 is assumed.
    pub(super) fn ascii_only(&self) -> bool {
        self.locale.as_deref().is_some_and(|locale| {
            let locale = locale.to_ascii_lowercase();
            !locale.contains("utf-8") && !locale.contains("utf8")
        })
    }

    /// The width for tables on standard output.
    pub(super) fn width(&self) -> usize {
        let columns = self.columns.as_deref().and_then(|columns| columns.parse().ok());
        columns.or(self.terminal_width).unwrap_or(Self::WIDTH).clamp(40, usize::from(u16::MAX))
    }

    /// The width where nothing tells one.
    pub(super) const WIDTH: usize = 120;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_known_locale_without_utf8_means_ascii() {
        let ascii = |locale: Option<&str>| {
            Environment { locale: locale.map(str::to_owned), ..Environment::default() }.ascii_only()
        };
        assert!(!ascii(None));
        assert!(!ascii(Some("de_DE.UTF-8")));
        assert!(!ascii(Some("C.utf8")));
        assert!(ascii(Some("C")));
        assert!(ascii(Some("de_DE.ISO-8859-1")));
    }

    #[test]
    fn columns_come_before_the_terminal() {
        let mut around = Environment { terminal_width: Some(90), columns: Some("70".into()), ..Environment::default() };
        assert_eq!(around.width(), 70);
        around.columns = Some("wide".into());
        assert_eq!(around.width(), 90);
        around.terminal_width = None;
        assert_eq!(around.width(), Environment::WIDTH);
        around.columns = Some("3".into());
        assert_eq!(around.width(), 40);
    }
}
