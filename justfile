# Everything that a change has to pass
ci:
    .ci/run

# Format and lint
check:
    cargo fmt --check
    cargo clippy --all-targets -- -D warnings

# Run the tests
test:
    cargo test

# Write generated pages, shown output and snapshots anew
bless:
    BLESS=1 INSTA_UPDATE=always cargo test

# Licences, advisories and sources of the dependencies
deny:
    cargo deny check
