//! Which member names, variables and options hold secrets.

/// A name that ends so, its case and `_`, `-`, `.` and blanks apart, holds a secret.
pub const ENDINGS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "secrets",
    "token",
    "jwt",
    "apikey",
    "accesskey",
    "accesskeyid",
    "authkey",
    "secretkey",
    "secretid",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "sessionkey",
    "authorization",
    "cookie",
    "cookies",
    "credential",
    "credentials",
    "connectionstring",
];

/// Names that end so and hold none: they tie messages together, or page through lists.
const OTHERS: &[&str] = &[
    "progresstoken",
    "pagetoken",
    "nexttoken",
    "continuationtoken",
    "synctoken",
    "starttoken",
    "endtoken",
    "stoptoken",
    "eostoken",
    "bostoken",
    "padtoken",
    "masktoken",
    "unktoken",
    "septoken",
    "clstoken",
];

/// Longer names are none that a person has chosen.
const MAX_NAME: usize = 128;

/// Whether a name says that its value is a secret.
pub(super) fn is_secret(name: &str) -> bool {
    if name.len() < 3 || name.len() > MAX_NAME {
        return false;
    }
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).map(|c| c.to_ascii_lowercase());
    let plain: String = letters.collect();
    ENDINGS.iter().any(|ending| plain.ends_with(ending)) && !OTHERS.iter().any(|other| plain.ends_with(other))
}

#[cfg(test)]
mod tests {
    use super::is_secret;

    #[test]
    fn names_are_known_in_every_spelling() {
        for name in ["password", "API_KEY", "x-api-key", "clientSecret", "GITHUB_TOKEN", "Set-Cookie", "Authorization"]
        {
            assert!(is_secret(name), "{name}");
        }
        for name in ["progressToken", "nextPageToken", "max_tokens", "tokens", "key", "id", "cursor", "passwordless"] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
