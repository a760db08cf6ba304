#!/usr/bin/env bash
# Counts a directory of generated recordings in every way that docs/scale.md describes, and compares what comes out: merged
# shards byte by byte with one run over everything, queries line by line with `stats`.
#
#   benches/scale.sh
#
# What is not installed is skipped, and a line says so. Environment: FILES (24), BYTES (4000000) of each, PYTHON (python3), with
# the packages pyspark, duckdb and chdb as far as they are to be tried; KEEP=1 keeps the files.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

FILES=${FILES:-24}
BYTES=${BYTES:-4000000}
PYTHON=${PYTHON:-python3}
SCALE=$PWD/benches/scale

cargo build --quiet --release --bin mcp-trace
TRACE=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/mcp-trace
WORK=$(mktemp -d)
[ "${KEEP:-0}" = 1 ] && echo "files: $WORK" || trap 'rm -rf "$WORK"' EXIT
rustc --edition 2024 -O -o "$WORK/gen" benches/gen/main.rs
mkdir "$WORK/logs"
formats=(ndjson desktop timed)
for number in $(seq "$FILES"); do
    format=${formats[number % 3]}
    "$WORK/gen" --shape mixed --bytes "$BYTES" --format "$format" --seed "$number" >"$WORK/logs/$number-$format.log" 2>/dev/null
done
cd "$WORK"
PATH=$(dirname "$TRACE"):$PATH

failed=0
skipped() { printf '%-34s SKIPPED, %s\n' "$1" "$2"; }
now() { date +%s%N; }
# Runs a way and compares what it has written with what is wanted: name, wanted, got, command.
try() {
    local start seconds same=same
    start=$(now)
    eval "$4"
    seconds=$(awk -v ns="$(($(now) - start))" 'BEGIN { printf "%.2f", ns / 1e9 }')
    cmp -s "$2" "$3" || { same=DIFFERENT; failed=1; }
    printf '%-34s %8s s   %s\n' "$1" "$seconds" "$same"
}
has_module() { "$PYTHON" -c "import $1" 2>/dev/null; }

echo "$FILES files, $(du -sm logs | cut -f1) MB, $(nproc) processors"
mcp-trace stats logs --threads 1 --format json >whole.json
try 'one run, one thread' whole.json got.json \
    'mcp-trace stats logs --threads 1 --format json > got.json'
try 'one run' whole.json got.json \
    'mcp-trace stats logs --format json > got.json'
mkdir parts
try 'xargs' whole.json got.json \
    'find logs -type f -print0 | xargs -0 -P "$(nproc)" -n 8 sh -c '\''mcp-trace stats --format json "$@" > "parts/$$.json"'\'' sh
     mcp-trace stats --merge parts --format json > got.json'
if command -v parallel >/dev/null; then
    try 'GNU parallel' whole.json got.json \
        'find logs -type f -print0 | parallel -0 -n 8 mcp-trace stats --format json | mcp-trace stats --merge - --format json > got.json'
else
    skipped 'GNU parallel' 'not installed'
fi
if has_module pyspark && command -v java >/dev/null; then
    try 'Spark, local mode' whole.json got.json \
        '"$PYTHON" "$SCALE/spark.py" "$TRACE" "$WORK/spark" 4 logs/* >spark.log 2>&1 || tail spark.log
         cat spark/part-* | mcp-trace stats --merge - --format json > got.json'
else
    skipped 'Spark, local mode' 'pyspark or java is not installed'
fi

# The records of everything, and how many messages of each method `stats` counts in them.
find logs -type f -exec mcp-trace --format ndjson {} + >records.ndjson
mcp-trace stats logs --by method --format csv | awk -F, '$1 == "group" { print $3 "," $4 }' | sort -t, -k2,2nr -k1,1 >methods.csv
for engine in duckdb chdb; do
    if has_module "$engine"; then
        try "$engine, by Parquet" methods.csv got.csv "\"\$PYTHON\" \"\$SCALE/query.py\" $engine records.ndjson $engine.parquet >got.csv"
    else
        skipped "$engine, by Parquet" 'its package is not installed'
    fi
done
exit $failed
