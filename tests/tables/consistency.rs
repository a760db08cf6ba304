//! The tables against each other.

use std::collections::BTreeSet;

use mcp_trace::protocol::{
    CAPABILITIES, ERROR_CODES, ERROR_RANGES, FEATURES, Feature, META_KEYS, METHODS, MethodKind, OTHER_VERSIONS, PHASES,
    Phase, Primitive, REVISIONS, RequiredSide, Revision, Side, Strength, TargetKey, TaskAugmentation, capability,
    method_set,
};

#[test]
fn rows_of_one_name_do_not_overlap_and_stand_in_order() {
    let mut names = BTreeSet::new();
    for group in METHODS.chunk_by(|one, next| (one.name, one.extension) == (next.name, next.extension)) {
        assert!(names.insert((group[0].name, group[0].extension)), "{} stands in two places", group[0].name);
        for row in group {
            assert!(row.since <= row.until, "{}", row.name);
        }
        for pair in group.windows(2) {
            let gap = Revision::all().find(|revision| *revision > pair[0].until);
            assert_eq!(gap, Some(pair[1].since), "{}: one row ends where the next begins", pair[0].name);
        }
    }
}

#[test]
fn neighbouring_rows_of_a_name_differ() {
    for pair in METHODS.windows(2).filter(|pair| (pair[0].name, pair[0].extension) == (pair[1].name, pair[1].extension))
    {
        let facts = |row: usize| {
            let mut row = pair[row];
            (row.since, row.until) = (Revision::FIRST, Revision::LATEST);
            row.summary = "";
            format!("{row:?}")
        };
        assert_ne!(facts(0), facts(1), "{} has a row too many", pair[0].name);
    }
}

#[test]
fn every_requirement_is_a_capability_of_its_revisions() {
    for row in METHODS {
        for requirement in row.requires {
            let sides: &[Side] = match requirement.side {
                RequiredSide::Client => &[Side::Client],
                RequiredSide::Server => &[Side::Server],
                RequiredSide::Receiver | RequiredSide::Sender => &[Side::Client, Side::Server],
                RequiredSide::Request => {
                    assert_eq!((requirement.path.len(), requirement.strength), (1, Strength::Must), "{}", row.name);
                    continue;
                }
            };
            for side in sides {
                for revision in Revision::all().filter(|revision| row.covers(*revision)) {
                    let found = capability(*side, requirement.path, Some(revision));
                    assert!(found.is_some(), "{} needs {:?} in {}", row.name, requirement.path, revision.as_str());
                }
            }
        }
    }
}

#[test]
fn what_a_capability_unlocks_needs_it() {
    for row in CAPABILITIES {
        for entry in row.unlocks {
            let first = entry.split(' ').next().unwrap();
            if !first.contains('/') {
                continue;
            }
            let set = method_set(first).unwrap_or_else(|| panic!("{first} is no method"));
            let needed = set.rows().iter().any(|method| {
                method.requires.iter().any(|requirement| requirement.path == row.path)
                    && (method.since..=method.until).contains(&row.since.max(method.since))
            });
            assert!(needed || first == "subscriptions/listen", "{first} does not need {:?}", row.path);
        }
        let words = row.unlocks.iter().flat_map(|entry| entry.split(' '));
        for word in words.filter(|word| word.contains('/')) {
            assert!(method_set(word).is_some(), "{word} is no method");
        }
    }
    let mut rows: Vec<_> = CAPABILITIES.iter().map(|row| (row.side.as_str(), row.path)).collect();
    rows.sort_unstable();
    assert!(rows.windows(2).all(|pair| pair[0] != pair[1]), "a capability has one row");
    for row in CAPABILITIES.iter().filter(|row| row.path.len() == 2) {
        assert!(capability(row.side, &row.path[..1], Some(row.since)).is_some(), "{:?} has no parent", row.path);
    }
}

#[test]
fn names_of_members_are_sorted_and_disjoint() {
    for row in METHODS {
        for (required, optional) in
            [(row.required_params, row.optional_params), (row.required_result, row.optional_result)]
        {
            for names in [required, optional] {
                assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{}: {names:?}", row.name);
            }
            assert!(required.iter().all(|name| !optional.contains(name)), "{}", row.name);
        }
        let target = match row.target {
            TargetKey::None => continue,
            TargetKey::Param(name) => name,
            TargetKey::Reference => "ref",
        };
        assert!(row.required_params.contains(&target), "{} has no {target}", row.name);
    }
}

#[test]
fn flags_agree_with_members_and_kinds() {
    for row in METHODS {
        let name = row.name;
        assert_eq!(row.paginated, row.optional_params.contains(&"cursor"), "{name}");
        assert_eq!(row.paginated, row.optional_result.contains(&"nextCursor"), "{name}");
        assert_eq!(row.cacheable, row.required_result.contains(&"cacheScope"), "{name}");
        assert_eq!(row.input_required, row.optional_params.contains(&"inputResponses"), "{name}");
        let by_request = row.task_augmentation == TaskAugmentation::Requested;
        assert_eq!(by_request, row.optional_params.contains(&"task"), "{name}");
        if row.kind == MethodKind::Notification {
            assert!(row.required_result.is_empty() && row.optional_result.is_empty() && !row.progress_token, "{name}");
        }
        assert_eq!(row.kind == MethodKind::Notification, name.contains("notifications/"), "{name}");
        assert_eq!(row.schema.is_empty(), row.extension.is_some(), "{name}");
        assert_eq!(row.page.starts_with("https://"), row.extension.is_some(), "{name}");
        assert!(!row.phases.is_empty(), "{name}");
        let primitive = row.feature.primitive().map_or("", Primitive::as_str);
        let prefix = name.trim_start_matches("notifications/");
        assert!(row.feature == Feature::Extension || prefix.starts_with(primitive), "{name} is {primitive}");
    }
}

#[test]
fn every_feature_and_phase_is_explained() {
    for row in METHODS {
        assert!(row.feature.info().is_some(), "{}", row.name);
    }
    assert!(Feature::Unknown.info().is_none());
    let first: Vec<_> = FEATURES.iter().take(6).map(|row| row.feature.primitive()).collect();
    assert_eq!(first, Primitive::ALL.map(Some));
    for (number, row) in FEATURES.iter().enumerate() {
        assert!(FEATURES[..number].iter().all(|earlier| earlier.feature != row.feature));
        if let Some(primitive) = row.feature.primitive() {
            let owner = format!("The {} owns", primitive.owner().as_str());
            assert!(row.what.contains(&owner), "{} does not say who owns it", primitive.as_str());
        }
    }
    let phases: Vec<_> = PHASES.iter().map(|row| row.phase).collect();
    assert_eq!(phases, [Phase::Initialization, Phase::Operation, Phase::Shutdown]);
    for row in PHASES {
        assert_eq!(row.phase.info().what, row.what);
    }
}

#[test]
fn prose_is_sentences() {
    let mut texts: Vec<(&str, &str)> = Vec::new();
    texts.extend(REVISIONS.iter().map(|row| (row.name, row.summary)));
    texts.extend(METHODS.iter().map(|row| (row.name, row.summary)));
    texts.extend(CAPABILITIES.iter().map(|row| (row.page, row.summary)));
    texts.extend(ERROR_CODES.iter().map(|row| (row.name, row.meaning)));
    texts.extend(ERROR_RANGES.iter().map(|row| ("range", row.meaning)));
    texts.extend(META_KEYS.iter().map(|row| (row.key, row.summary)));
    texts.extend(FEATURES.iter().flat_map(|row| [(row.page, row.what), (row.page, row.use_case)]));
    texts.extend(PHASES.iter().flat_map(|row| [row.what, row.handshake, row.stateless].map(|text| ("phase", text))));
    for (name, text) in texts {
        let sentence = text.starts_with(|first: char| first.is_uppercase() || first == '`') && text.ends_with('.');
        assert!(sentence, "{name}: {text:?} is no sentence");
        assert!(!text.contains("  ") && !text.contains('\n'), "{name}: {text:?} is badly broken");
    }
    for row in CAPABILITIES {
        assert!(row.summary.contains("without"), "{:?} does not say what is missing without it", row.path);
    }
    for (name, what) in OTHER_VERSIONS {
        assert!(what.starts_with(|first: char| first.is_lowercase()) && !what.ends_with('.'), "{name}");
    }
}

#[test]
fn pages_are_paths_with_at_most_one_anchor() {
    let pages = METHODS.iter().map(|row| row.page).chain(CAPABILITIES.iter().map(|row| row.page));
    for page in pages.chain(FEATURES.iter().map(|row| row.page)) {
        assert!(!page.is_empty() && page.matches('#').count() < 2 && !page.starts_with('/'), "{page}");
        assert!(!page.starts_with("20"), "{page} names a revision");
    }
    let row = method_set("tools/call").unwrap().rows()[0];
    assert!(row.url(Some(Revision::V2025_03_26)).ends_with("/2025-03-26/server/tools#calling-tools"));
    assert!(row.url(Some(Revision::LATEST)).contains("/2025-03-26/"), "the row ends there");
}
