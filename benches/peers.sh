#!/usr/bin/env bash
# Counts messages by kind and method with `mcp-trace stats` and with other programs, side by side in one run, and prints ratios. Each of
# them has to say the same before anything is timed; what stands in benches/peers is all that they are asked.
#
#   benches/peers.sh [part…]     parts: mixed small recordings directory memory (default: all)
#
# What is not installed is skipped, and a line says so. Environment: ROUNDS (7), BYTES (1000000000) of mixed and SMALL (100000000) of small
# messages, BIG (3000000000) of the largest memory run, PYTHON (python3; with msgspec, orjson, duckdb, polars and chdb as far as they are
# to be tried), RECORDINGS (../shared/recordings), KEEP=1 keeps the generated files.
set -euo pipefail
cd "$(dirname "$0")/.."
ROUNDS=${ROUNDS:-7}
BYTES=${BYTES:-1000000000}
SMALL=${SMALL:-100000000}
BIG=${BIG:-3000000000}
PYTHON=${PYTHON:-python3}
RECORDINGS=${RECORDINGS:-../shared/recordings}
PARTS=${*:-mixed small recordings directory memory}
source benches/lib.sh
PEERS=benches/peers

# Names of peers, those first that need least time.
peers=()
offer() { # name, how to ask for its version
    if eval "$2" >"$WORK/version" 2>/dev/null; then
        peers+=("$1")
        printf '%-10s %s\n' "$1" "$(head -n 1 "$WORK/version")"
    else
        printf '%-10s SKIPPED, not installed\n' "$1"
    fi
}
python_has() { echo "$PYTHON -c 'import $1; print(\"Python,\", $1.__version__)'"; }
"$TRACE" --version
offer duckdb "$(python_has duckdb)"
offer polars "$(python_has polars)"
offer chdb "$(python_has chdb)"
offer msgspec "$(python_has msgspec)"
offer orjson "$(python_has orjson)"
offer json "$PYTHON --version"
offer node "node --version"
offer jaq "jaq --version"
offer jq "jq --version"
offer gojq "gojq --version"

# Counts with one of them: name, file.
count_with() {
    case $1 in
    stats*) "$TRACE" stats --threads "${1#stats}" --by kind,outcome,method --format csv "$2" ;;
    duckdb | polars | chdb) "$PYTHON" $PEERS/query.py "$1" 2 "$2" ;;
    msgspec | orjson | json) "$PYTHON" $PEERS/count.py "$1" "$2" ;;
    node) node $PEERS/count.mjs "$2" ;;
    jq | jaq | gojq) "$1" -nr -f $PEERS/count.jq "$2" ;;
    wc) wc -l "$2" ;;
    cat) cat "$2" ;;
    esac
}
# The groups of `stats` as lines of `kind,method,messages`, as the others write them: an answer has the method of its request, which they
# do not look for.
grouped() {
    awk -F, '$1 == "group" && $3 != "" {
        key = $3 == "response" ? ($4 == "error" ? "error," : "response,") : $3 "," $5
        count[key] += $6
    } END { for (key in count) print key "," count[key] }' | sort
}

# Whether all count the same in a file, which nothing is timed without.
agree() {
    local peer
    count_with stats1 "$1" | grouped >"$WORK/ours"
    for peer in "${peers[@]}"; do
        if ! count_with "$peer" "$1" 2>"$WORK/error" | sort | cmp -s - "$WORK/ours"; then
            echo "$peer counts other messages than mcp-trace: nothing that follows would mean anything" >&2
            tail -n 3 "$WORK/error" >&2
            exit 1
        fi
    done
    printf '  %s messages, the same by kind and method: mcp-trace %s\n' "$(awk -F, '{ n += $3 } END { print n }' "$WORK/ours")" "${peers[*]}"
}

# Times all of them over a file, then says the ratios with the targets given as lines of: what, of what, le or ge, target.
race() {
    local file=$1 a b how target
    agree "$file"
    run_once() { count_with "$1" "$file"; }
    interleaved "$ROUNDS" cat wc stats1 stats2 "${peers[@]}"
    while read -r a b how target; do
        if grep -q " $a " "$WORK/times" && grep -q " $b " "$WORK/times"; then
            if [ -n "$target" ]; then
                verdict "$a takes, of $b" "$(ratio "$a" "$b")" x "$how" "$target"
            else
                printf '  %-52s %9.2f x\n' "$a takes, of $b" "$(ratio "$a" "$b")"
            fi
        fi
    done
}

mixed() {
    title "mixed, $BYTES bytes"
    generate mixed "$BYTES" ndjson "$WORK/mixed.jsonl"
    race "$WORK/mixed.jsonl" <<<"stats1 wc le 3.0
stats2 wc le 2.0
jq stats1 ge 20
gojq stats1 ge 25
jaq stats1 ge 9
node stats1 ge 8
msgspec stats1 ge 3.3
polars stats1 ge 2.3
chdb stats1 ge 2.3
duckdb stats1 ge 1.6
duckdb stats2 ge 2.3
orjson stats1
json stats1"
}

small() {
    title "small, $SMALL bytes"
    generate small "$SMALL" ndjson "$WORK/small.jsonl"
    race "$WORK/small.jsonl" <<<"stats1 wc le 7
jq stats1 ge 35
jaq stats1 ge 25
duckdb stats1 ge 2.7
polars stats1
chdb stats1
msgspec stats1
orjson stats1
json stats1
node stats1"
}

recordings() {
    title "recorded sessions, repeated to $SMALL bytes with their members in another order"
    if ! ls "$RECORDINGS"/*/raw.ndjson >/dev/null 2>&1; then
        echo "  SKIPPED: no recordings"
        return
    fi
    "$PYTHON" $PEERS/shuffle.py "$SMALL" 1 "$RECORDINGS"/*/raw.ndjson >"$WORK/recorded.jsonl"
    race "$WORK/recorded.jsonl" <<<"stats1 wc
jq stats1
jaq stats1
duckdb stats1
msgspec stats1
json stats1"
}

directory() {
    title "a directory of 16 files, $BYTES bytes together, one thread and two, $ROUNDS rounds"
    local number
    mkdir -p "$WORK/many"
    for number in $(seq 16); do
        "$GEN" --shape mixed --bytes $((BYTES / 16)) --seed "$number" >"$WORK/many/$number.jsonl" 2>/dev/null
    done
    run_once() { "$TRACE" stats --threads "${1#stats}" "$WORK/many"; }
    interleaved "$ROUNDS" stats1 stats2
    verdict "one thread takes, of two" "$(ratio stats1 stats2)" x ge 1.6
    ratios_of stats1 stats2 | sort -g | awk '{ r[NR] = $1 } END { printf "  in the %d rounds from %.2f to %.2f x\n", NR, r[1], r[NR] }'
}

memory() {
    title "peak memory of stats"
    if ! [ -x /usr/bin/time ]; then
        echo "  SKIPPED: no /usr/bin/time"
        return
    fi
    local bytes threads peak
    for bytes in 10000000 100000000 "$BIG"; do
        generate mixed "$bytes" ndjson "$WORK/memory.jsonl"
        for threads in 1 2; do
            /usr/bin/time -v "$TRACE" stats --threads $threads "$WORK/memory.jsonl" 2>"$WORK/time" >/dev/null
            peak=$(awk '/Maximum resident/ { print $NF / 1024 }' "$WORK/time")
            verdict "$((bytes / 1000000)) MB, $threads threads" "$peak" MiB le $((threads == 1 ? 12 : 20))
        done
        rm "$WORK/memory.jsonl"
    done
}

for part in mixed small recordings directory memory; do
    if wanted $part; then $part; fi
done
