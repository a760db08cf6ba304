#!/usr/bin/env bash
# Measures mcp-trace beside cat, wc, jq and jaq on generated traffic, all in one run.
#
#   benches/compare.sh [part…]     parts: ratios memory latency startup instructions (default: all)
#
# Absolute times depend on the machine and on what else it does; ratios of one round, memory and instruction counts
# are what can be compared later. Environment: ROUNDS (7), BYTES (100000000) of the ratio runs, BIG (1000000000) of
# the largest memory run, KEEP=1 keeps the generated files.
set -euo pipefail
cd "$(dirname "$0")/.."
ROUNDS=${ROUNDS:-7}
BYTES=${BYTES:-100000000}
BIG=${BIG:-1000000000}
PARTS=${*:-ratios memory latency startup instructions}
source benches/lib.sh

echo "mcp-trace: $("$TRACE" --version)"
for peer in jq jaq; do
    if have $peer; then echo "$peer: $($peer --version)"; else echo "$peer: SKIPPED, not installed"; fi
done

# What jq and jaq have to do for a line that can be compared: kind, method, id, and the message itself.
ANNOTATE='{kind: (if has("method") then (if has("id") then "request" else "notification" end) else "response" end),
    method: .method, id: .id, payload: .}'

ratios() {
    local mixed=$WORK/mixed.jsonl desktop=$WORK/desktop.log
    generate mixed "$BYTES" ndjson "$mixed"
    generate mixed "$BYTES" desktop "$desktop"

    title "counts on mixed $BYTES bytes, generator, mcp-trace and jq"
    local tally ours theirs
    tally=$(tail -n 1 "$mixed.tally")
    ours=$("$TRACE" --format ndjson "$mixed" | tail -n 1 | awk '{
        split("requests responses error_responses notifications", names, " ")
        for (i = 1; i <= 4; i++) { match($0, "\"" names[i] "\":[0-9]+"); value[i] = substr($0, RSTART, RLENGTH); sub(/.*:/, "", value[i]) }
        print "requests=" value[1] " responses=" value[2] - value[3] " errors=" value[3] " notifications=" value[4]
    }')
    echo "  generator  $tally"
    echo "  mcp-trace  $ours"
    if have jq; then
        theirs=$(jq -r 'if has("method") then (if has("id") then "q" else "n" end) elif has("error") then "e" else "r" end' "$mixed" |
            awk '{ count[$1]++ } END { print "requests=" count["q"] + 0 " responses=" count["r"] + 0 " errors=" count["e"] + 0 " notifications=" count["n"] + 0 }')
        echo "  jq         $theirs"
    fi
    if [ "$tally" != "$ours" ] || [ "${theirs:-$tally}" != "$tally" ]; then
        echo "counts differ: nothing that follows would mean anything" >&2
        exit 1
    fi

    local names=(cat wc ndjson payload table summary desktop)
    have jq && names+=(jq)
    have jaq && names+=(jaq)
    run_once() {
        case $1 in
        cat) cat "$mixed" ;;
        wc) wc -l "$mixed" ;;
        ndjson) "$TRACE" --format ndjson "$mixed" ;;
        payload) "$TRACE" --format ndjson --payload "$mixed" ;;
        table) "$TRACE" "$mixed" ;;
        summary) "$TRACE" --format summary "$mixed" ;;
        desktop) "$TRACE" --format summary "$desktop" ;;
        jq) jq -c "$ANNOTATE" "$mixed" ;;
        jaq) jaq -c "$ANNOTATE" "$mixed" ;;
        esac
    }

    title "wall time, $ROUNDS interleaved rounds after one to warm up"
    interleaved "$ROUNDS" "${names[@]}"

    title "medians of the ratios of each round"
    verdict "ndjson takes, of cat" "$(ratio ndjson cat)" x le 8
    verdict "ndjson --payload takes, of cat" "$(ratio payload cat)" x le 8
    printf '  %-52s %9.2f x\n' "ndjson takes, of wc -l" "$(ratio ndjson wc)"
    printf '  %-52s %9.2f x\n' "table takes, of cat" "$(ratio table cat)"
    printf '  %-52s %9.2f x\n' "summary takes, of cat" "$(ratio summary cat)"
    # Without records: those of a log with times say more than those of bare lines.
    verdict "Desktop log takes, of the same bare, summary" "$(ratio desktop summary)" x le 1.10
    if have jq; then
        verdict "jq takes, of ndjson" "$(ratio jq ndjson)" x ge 20
        verdict "jq takes, of ndjson --payload" "$(ratio jq payload)" x ge 20
        verdict "jq takes, of the table" "$(ratio jq table)" x ge 15
    else
        echo "  jq: SKIPPED"
    fi
    if have jaq; then
        verdict "jaq takes, of ndjson" "$(ratio jaq ndjson)" x ge 6
        verdict "jaq takes, of ndjson --payload" "$(ratio jaq payload)" x ge 6
    else
        echo "  jaq: SKIPPED"
    fi
}

memory() {
    title "peak memory on a pipe"
    if ! [ -x /usr/bin/time ]; then
        echo "  SKIPPED: no /usr/bin/time"
        return
    fi
    local bytes options peak
    for options in "--format ndjson" "--format ndjson --payload" "--format table"; do
        for bytes in 10000000 100000000 "$BIG"; do
            # shellcheck disable=SC2086 # the options are several words
            "$GEN" --bytes "$bytes" --seed $SEED 2>/dev/null | /usr/bin/time -v "$TRACE" $options 2>"$WORK/time" >/dev/null
            peak=$(awk '/Maximum resident/ { print $NF / 1024 }' "$WORK/time")
            verdict "$options, $((bytes / 1000000)) MB" "$peak" MiB le 12
        done
    done
}

latency() {
    title "from a line on a live pipe to its row, median of 20"
    measure() { # label target-ms command…
        local label=$1 target=$2 number begin row method params
        shift 2
        coproc LIVE { "$@" 2>/dev/null; }
        local to=${LIVE[1]} from=${LIVE[0]} pid=$LIVE_PID
        sleep 0.3
        : >"$WORK/latency"
        for ((number = 0; number < 21; number++)); do
            begin=$(now)
            # A session begins with the handshake; a message before it would wait for what follows.
            if ((number == 0)); then
                method=initialize
                params='{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}'
            else
                method=tools/list
                params='{}'
            fi
            printf '{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}\n' "$number" "$method" "$params" >&"$to"
            while IFS= read -r -t 5 row <&"$from"; do [[ $row == *$method* ]] && break; done
            # The first one also says how long it takes to find out the format.
            if ((number == 0)); then
                printf '  %-52s %9.2f ms\n' "$label, first row" "$(awk -v ns=$(($(now) - begin)) 'BEGIN { print ns / 1e6 }')"
            else
                echo "$(($(now) - begin))" >>"$WORK/latency"
            fi
            sleep 0.02
        done
        eval "exec $to>&-"
        wait "$pid" 2>/dev/null || true
        verdict "$label, later rows" "$(awk '{ print $1 / 1e6 }' "$WORK/latency" | median)" ms le "$target"
    }
    measure "mcp-trace --format ndjson" 50 "$TRACE" --format ndjson
    measure "mcp-trace" 50 "$TRACE"
    measure "cat" 50 cat
    if have jq; then measure "jq --unbuffered" 50 jq --unbuffered -c .; else echo "  jq: SKIPPED"; fi
}

startup() {
    title "start-up, median of 41, one fork of the shell included"
    local number name begin
    : >"$WORK/startup"
    for ((number = 0; number < 41; number++)); do
        for name in true mcp-trace jq jaq; do
            case $name in
            true) begin=$(now) && /bin/true && echo "$name $(($(now) - begin))" ;;
            mcp-trace) begin=$(now) && "$TRACE" --version >/dev/null && echo "$name $(($(now) - begin))" ;;
            *) have $name && begin=$(now) && $name --version >/dev/null && echo "$name $(($(now) - begin))" ;;
            esac || true
        done
    done >"$WORK/startup"
    took() { awk -v n="$1" '$1 == n { print $2 / 1e6 }' "$WORK/startup" | median; }
    verdict "mcp-trace --version" "$(took mcp-trace)" ms le 10
    printf '  %-52s %9.2f ms\n' true "$(took true)"
    for name in jq jaq; do
        if have $name; then printf '  %-52s %9.2f ms\n' "$name --version" "$(took $name)"; else echo "  $name: SKIPPED"; fi
    done
}

instructions() {
    title "instructions a byte"
    if ! have valgrind; then
        echo "  SKIPPED: no valgrind"
        return
    fi
    local shape bytes target
    while read -r shape bytes target; do
        generate "$shape" "$bytes" ndjson "$WORK/$shape-$bytes.jsonl"
        per_byte() { # format
            valgrind --tool=callgrind --callgrind-out-file=/dev/null "$TRACE" --format "$1" "$WORK/$shape-$bytes.jsonl" 2>&1 >/dev/null |
                awk -v b="$(wc -c <"$WORK/$shape-$bytes.jsonl")" '/refs:/ { gsub(",", "", $NF); print $NF / b }'
        }
        # Reading, checking, pairing and counting without a record a message; then with one of about 900 bytes.
        verdict "summary, $shape $((bytes / 1000000)) MB" "$(per_byte summary)" Ir/B le "$target"
        printf '  %-52s %9.2f Ir/B\n' "ndjson, $shape $((bytes / 1000000)) MB" "$(per_byte ndjson)"
    done <<<"mixed 10000000 7
small 5000000 25
large 10000000 12"
}

for part in ratios memory latency startup instructions; do
    if wanted $part; then $part; fi
done
