//! A session and a log with random secrets in every place where a secret can stand.

use std::cell::RefCell;

use serde_json::{Value, json};

/// Transcripts with secrets of their own.
pub(crate) struct Plant {
    secrets: Vec<String>,
    lines: Vec<String>,
}

/// Random letters from a seed.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn letters(&mut self, count: usize, from: &str) -> String {
        let letters: Vec<char> = from.chars().collect();
        (0..count).map(|_| letters[(self.next() % letters.len() as u64) as usize]).collect()
    }
}

const WORD: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const ODD: &str = "ABCDEFGhijklmn0123456789/+=ü~!$";

impl Plant {
    pub(crate) fn new(seed: u64) -> Self {
        let dice = RefCell::new(Dice(0x9e37_79b9_7f4a_7c15 ^ (seed + 1)));
        let secrets = RefCell::new(Vec::new());
        let keep = |secret: String| {
            secrets.borrow_mut().push(secret.clone());
            secret
        };
        let word = |count: usize| dice.borrow_mut().letters(count, WORD);
        // The first letter and the last are such that nothing trims them.
        let odd = || keep(format!("q{}z", dice.borrow_mut().letters(14, ODD)));
        let plain = |count: usize| keep(word(count));
        let prefixed = |prefix: &str, count: usize| keep(format!("{prefix}{}", word(count)));
        let upper = |prefix: &str, count: usize| keep(format!("{prefix}{}", dice.borrow_mut().letters(count, UPPER)));

        let mut messages: Vec<Value> = vec![
            json!({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},
                "clientInfo":{"name":format!("desk {}", prefixed("ghp_", 36)),"version":"1"}}}),
            json!({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},
                "serverInfo":{"name":format!("srv {}", prefixed("xoxb-", 24)),"version":"1"},
                "instructions":format!("connect to postgres://ada:{}@db/notes", plain(14))}}),
            json!({"jsonrpc":"2.0","method":"notifications/initialized"}),
        ];
        let mut id = 1;
        let mut call = |name: &str, arguments: Value, result: Value| {
            messages.push(
                json!({"jsonrpc":"2.0","id":id,"method":"tools/call","params":{"name":name,"arguments":arguments}}),
            );
            messages.push(json!({"jsonrpc":"2.0","id":id,"result":{"content":[{"type":"text","text":result}]}}));
            id += 1;
        };
        let text = |text: String| Value::from(text);
        call("login", json!({"user":"ada","password":odd(),"otp_token":odd()}), text("ok".into()));
        let echoed = odd();
        call("login", json!({"client_secret":echoed}), text(format!("you said {echoed}, {}", percent(&echoed))));
        call(
            "fetch",
            json!({"headers":{"Authorization":format!("Bearer {}", plain(32)),"Cookie":format!("sid={}; a=b", plain(20))}}),
            text(format!("> Authorization: Basic {}\n> Cookie: sid={}", plain(24), plain(18))),
        );
        call(
            "fetch",
            json!({"url":format!("https://ada:{}@example.com/x?api_key={}&page=2", plain(12), plain(18))}),
            text(format!("redirected to https%3A%2F%2Fada:{}%40example.com", plain(12))),
        );
        call(
            "env",
            json!({"env":[{"name":"GITHUB_TOKEN","value":odd()},{"value":odd(),"name":"db-password"}]}),
            text(format!("export API_KEY={}\nSLACK_TOKEN='{}'", plain(16), plain(16))),
        );
        call(
            "run",
            json!({"args":["--user","ada","--api-key",odd(),format!("--token={}", plain(14))]}),
            text(format!("mysql --password {} --host db", plain(12))),
        );
        call(
            "nested",
            json!({"body":json!({"secret":odd(),"inner":json!({"access_token":odd()}).to_string()}).to_string()}),
            text(json!({"refresh_token":odd()}).to_string()),
        );
        call(
            "keys",
            json!({"a":prefixed("sk-ant-api03-", 40),"b":upper("AKIA", 16),"c":prefixed("sk-", 48),"d":prefixed("npm_", 36)}),
            text(format!("eyJ{}.{}.{}", plain(20), plain(30), plain(30))),
        );
        let pem: Vec<String> = (0..3).map(|_| plain(64)).collect();
        call(
            "pem",
            json!({"key":format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", pem.join("\n"))}),
            text("ok".into()),
        );
        call(&format!("tool-{}", prefixed("ghp_", 36)), json!({}), text("no such tool".into()));
        messages.push(json!({"jsonrpc":"2.0","id":90,"method":"resources/read","params":{"uri":format!("db://ada:{}@host/t?token={}", plain(12), plain(14))}}));
        messages.push(json!({"jsonrpc":"2.0","id":90,"error":{"code":-32002,"message":format!("denied for password={}", plain(14)),
            "data":{"authorization":odd()}}}));
        messages.push(json!({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":format!("token: {}", plain(16))}}));
        messages.push(json!({"jsonrpc":"2.0","id":91,"method":"elicitation/create","params":{"message":"Your key?","requestedSchema":
            {"type":"object","properties":{"api_key":{"type":"string","default":odd()}}}}}));
        messages.push(json!({"jsonrpc":"2.0","id":91,"result":{"action":"accept","content":{"api_key":odd()}}}));
        messages.push(json!({"jsonrpc":"2.0","id":format!("id-{}", prefixed("ghp_", 36)),"method":"ping"}));

        let mut lines: Vec<String> = messages.iter().map(Value::to_string).collect();
        // Every letter as an escape.
        let escaped: String = plain(16).chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
        lines.push(format!(r#"{{"jsonrpc":"2.0","id":95,"method":"x","params":{{"pass\u0077ord":"{escaped}"}}}}"#));
        // Text that is no message.
        lines.push(format!("server started with API_TOKEN={}", plain(20)));
        lines.push(format!("Authorization: Bearer {}", plain(30)));
        lines.push("-----BEGIN EC PRIVATE KEY-----".to_owned());
        lines.push(plain(64));
        lines.push(plain(64));
        lines.push("-----END EC PRIVATE KEY-----".to_owned());
        lines.push(format!(
            r#"{{"jsonrpc":"2.0","id":96,"method":"x","params":{{"password":"{}"}} trailing secret={}"#,
            plain(14),
            plain(14)
        ));
        lines.push(format!(r#"{{"jsonrpc":"2.0","id":97,"params":{{"token":"{}"#, plain(20)));
        Self { secrets: secrets.into_inner(), lines }
    }

    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(String::as_str)
    }

    /// Bare lines.
    pub(crate) fn lines(&self) -> String {
        self.lines.join("\n")
    }

    /// The log of a host.
    pub(crate) fn log(&self) -> String {
        let mut out = String::new();
        for (at, line) in self.lines.iter().enumerate() {
            let time = format!("2026-03-02T09:15:{:02}.000Z", at % 60);
            if line.starts_with("{\"") && serde_json::from_str::<Value>(line).is_ok() {
                let side = if line.contains("\"result\"") || line.contains("\"error\"") { "server" } else { "client" };
                out.push_str(&format!("{time} [notes] [info] Message from {side}: {line}\n"));
            } else {
                out.push_str(&format!("{line}\n"));
            }
        }
        out
    }
}

/// The forms in which a secret could still be read: as it is, half of it, percent-encoded, and as a JSON string.
pub(crate) fn forms(secret: &str) -> Vec<String> {
    let escaped = serde_json::to_string(secret).unwrap();
    let letters: Vec<char> = secret.chars().collect();
    let half = letters.len() / 2;
    let halves =
        [letters[..half.max(8)].iter().collect::<String>(), letters[letters.len() - half.max(8)..].iter().collect()];
    // Prefixes that everybody knows are no secret.
    let halves = halves.into_iter().filter(|half| !half.contains(['-', '_']));
    [secret.to_owned(), percent(secret), escaped[1..escaped.len() - 1].to_owned()].into_iter().chain(halves).collect()
}

fn percent(text: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if keep(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
