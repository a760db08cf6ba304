#![allow(clippy::unwrap_used)]

use super::{ERROR_CODES, error_meaning, error_range};
use crate::protocol::Revision;

#[test]
fn a_code_means_what_its_revision_says() {
    let late = error_meaning(-32602, Some(Revision::V2026_07_28)).unwrap();
    let early = error_meaning(-32602, Some(Revision::V2025_06_18)).unwrap();
    assert!(late.meaning.contains("resource") && !early.meaning.contains("resource"));
    assert_eq!(error_meaning(-32020, Some(Revision::V2026_07_28)).unwrap().name, "HeaderMismatch");
}

#[test]
fn a_code_of_another_revision_is_known_all_the_same() {
    let resource = error_meaning(-32002, Some(Revision::V2026_07_28)).unwrap();
    assert!(!resource.covers(Revision::V2026_07_28));
    assert!(resource.meaning.contains("-32602"));
    assert_eq!(error_meaning(-32603, None).unwrap().name, "InternalError");
    assert_eq!(error_meaning(-32600, None).unwrap().revisions.unwrap().1, Revision::LATEST);
    assert_eq!(error_meaning(-32001, Some(Revision::V2025_06_18)).unwrap().revisions, None);
    assert!(error_meaning(0, None).is_none());
    assert!(error_meaning(i64::MIN, Some(Revision::LATEST)).is_none());
}

#[test]
fn rows_of_a_code_do_not_overlap() {
    for (number, row) in ERROR_CODES.iter().enumerate() {
        for other in &ERROR_CODES[number + 1..] {
            let both = Revision::all().filter(|revision| row.covers(*revision) && other.covers(*revision)).count();
            assert!(row.code != other.code || both == 0, "{}", row.code);
        }
    }
}

#[test]
fn the_narrowest_range_that_the_revision_knows_is_found() {
    assert_eq!(error_range(-32030, Some(Revision::V2026_07_28)).unwrap().to, -32020);
    assert_eq!(error_range(-32010, Some(Revision::V2026_07_28)).unwrap().from, -32019);
    assert_eq!(error_range(-32010, Some(Revision::V2025_11_25)).unwrap().from, -32768);
    assert_eq!(error_range(-32030, None).unwrap().from, -32099);
    assert!(error_range(-31999, None).is_none());
    assert!(error_range(1, None).is_none());
}
