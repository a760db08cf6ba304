//! The contract as a JSON Schema (2020-12), made from the types of [`super::v1`].

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{Schema, json_schema};

use super::v1::{V1Document, V1Record, V1Stats};

/// The JSON Schema of everything that `ndjson` (one record) and `json` (one document) write.
///
/// A line of `ndjson` is valid against it, so is a whole `json` document, and what `stats --format json` writes; `$defs` names each record by its
/// word. Every member is required, so a renamed, dropped or retyped one fails; others may be added within version 1.
pub fn schema() -> serde_json::Value {
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(Strict);
    let mut generator = settings.into_generator();
    let record = generator.subschema_for::<V1Record<'_>>();
    let document = generator.subschema_for::<V1Document<'_>>();
    let stats = generator.subschema_for::<V1Stats>();
    let mut schema = json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": super::v1::VERSION,
        "description": "The JSON output of mcp-trace: a record (one line of ndjson), a document (json), or figures (stats).",
        "anyOf": [record, document, stats],
    });
    let definitions = generator.take_definitions(true);
    schema.insert("$defs".to_owned(), definitions.into());
    schema.into()
}

/// Requires all members of every object; records exclude each other by their word.
#[derive(Clone)]
struct Strict;

impl Transform for Strict {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(properties) = schema.get("properties").and_then(|properties| properties.as_object()) {
            let names: Vec<_> = properties.keys().cloned().map(serde_json::Value::from).collect();
            schema.insert("required".to_owned(), names.into());
        }
        transform_subschemas(self, schema);
    }
}
