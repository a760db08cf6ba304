//! Which versions a server is known to support: by lists that it sent, and by sessions that it agreed to.

use compact_str::CompactString;

use super::{Caps, SessionBook};
use crate::annotate::{Kind, Outcome};
use crate::jsonrpc::RawJson;
use crate::rules::context::Seen;

/// Versions of one server that are remembered.
const MAX_VERSIONS: usize = 32;
/// Servers that are remembered by name and version.
const MAX_SERVERS: usize = 64;
/// Bytes of a name that count.
const MAX_NAME: usize = 256;

impl SessionBook {
    /// Takes what a message says of versions.
    pub(super) fn see_versions(&mut self, seen: &Seen<'_>, caps: &mut Caps) {
        match (seen.kind, seen.message.outcome) {
            (Kind::Request, _) => {
                if let Some(version) = named_version(seen)
                    && self.named.as_deref() != Some(&*version)
                {
                    self.named = Some(CompactString::new(version.get(..MAX_NAME).unwrap_or(&version)));
                }
            }
            (Kind::Response, Some(Outcome::Result)) if seen.method == Some("server/discover") => {
                self.support(seen.get("supportedVersions"), caps);
            }
            (Kind::Response, Some(Outcome::Error)) => {
                self.support(seen.get("data").and_then(|data| data.get("supported")), caps);
            }
            _ => {}
        }
    }

    fn support(&mut self, list: Option<RawJson<'_>>, caps: &mut Caps) {
        for version in list.into_iter().flat_map(RawJson::elements).filter_map(RawJson::as_str) {
            keep(&mut self.supported, &version, caps);
        }
    }
}

/// Adds a version to those of a server.
fn keep(versions: &mut Vec<CompactString>, version: &str, caps: &mut Caps) {
    if versions.iter().any(|known| *known == *version) {
        return;
    }
    match versions.len() < MAX_VERSIONS {
        true => versions.push(CompactString::new(version.get(..MAX_NAME).unwrap_or(version))),
        false => caps.lost("rule-versions", 1),
    }
}

/// The version that `_meta` of a request names.
pub(in crate::rules) fn named_version<'a>(seen: &Seen<'a>) -> Option<std::borrow::Cow<'a, str>> {
    seen.get("_meta")?.get("io.modelcontextprotocol/protocolVersion")?.as_str()
}

/// Servers by name and version, with the versions of the protocol that they agreed to. Further ones are not remembered.
#[derive(Debug, Default)]
pub struct Servers(Vec<(CompactString, Vec<CompactString>)>);

impl Servers {
    /// Whether the server that sends this `initialize` result has agreed to a version in an earlier session.
    pub fn agreed(&self, seen: &Seen<'_>, version: &str) -> bool {
        let Some(server) = server_of(seen) else { return false };
        let known = self.0.iter().find(|(name, _)| *name == server);
        known.is_some_and(|(_, versions)| versions.iter().any(|known| known == version))
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>, caps: &mut Caps) {
        if seen.kind != Kind::Response || seen.method != Some("initialize") || !seen.is_result() {
            return;
        }
        let version = seen.get("protocolVersion").and_then(RawJson::as_str);
        let Some((server, version)) = server_of(seen).zip(version) else { return };
        let at = self.0.iter().position(|(name, _)| *name == server);
        let versions = match at {
            Some(at) => &mut self.0[at].1,
            None if self.0.len() < MAX_SERVERS => {
                self.0.push((server, Vec::new()));
                let last = self.0.len() - 1;
                &mut self.0[last].1
            }
            None => return caps.lost("rule-versions", 1),
        };
        keep(versions, &version, caps);
    }
}

fn server_of(seen: &Seen<'_>) -> Option<CompactString> {
    let info = seen.get("serverInfo")?.text();
    (info.len() <= MAX_NAME).then(|| CompactString::new(info))
}
