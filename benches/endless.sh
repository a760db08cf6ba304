#!/usr/bin/env bash
# Feeds each line-based format a stream that is larger than memory, and one line that never ends, and prints the peak of
# resident memory. Nothing is written to a disk.
#
#   benches/endless.sh [format…]     folders of fixtures/formats, or FOLDER/ENDING (default: all that are lines)
#
# Environment: BYTES (2200000000) of each stream, MAX_LINE (16M) for `--max-line`, which bounds what is kept of a line,
# LIMIT (128) MiB that no format may exceed, TRACE (the program; built if unset). Exit 1 when a format needs more than LIMIT.
# Those who write endlessly are stopped by a broken pipe.
set -eu
shopt -s lastpipe
cd "$(dirname "$0")/.."
export LC_ALL=C

BYTES=${BYTES:-2200000000}
MAX_LINE=${MAX_LINE:-16M}
LIMIT=${LIMIT:-128}
if [ -z "${TRACE:-}" ]; then
    cargo build --quiet --release --bin mcp-trace
    TRACE=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/mcp-trace
fi
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# Documents end, and what is packed cannot be repeated: benches/compare.sh measures archives.
documents='\.(har|json|vcr|gz|zst|txtar|cast|pcap|pcapng)$|/utf-16/|/markdown/|/mcp-cassette/'
failed=0

# Peak of resident memory in MiB and megabytes a second of what reads standard input: label.
measure() {
    local start seconds peak verdict=
    start=$(date +%s%N)
    # A stream that was cut at so many bytes may well end inside of a message.
    /usr/bin/time -f %M -o "$WORK/peak" "$TRACE" --format ndjson --max-line "$MAX_LINE" - >/dev/null 2>"$WORK/said" || true
    seconds=$(awk -v ns="$(($(date +%s%N) - start))" 'BEGIN { printf "%.1f", ns / 1e9 }')
    peak=$(awk 'END { printf "%.1f", $1 / 1024 }' "$WORK/peak")
    if awk -v peak="$peak" -v limit="$LIMIT" 'BEGIN { exit !(peak > limit) }'; then
        verdict='TOO MUCH'
        failed=1
    fi
    printf '%-36s %-9s %8s MiB %7s s  %s\n' "$1" "$2" "$peak" "$seconds" "$verdict"
}

echo "$("$TRACE" --version): streams of $BYTES bytes"
for file in fixtures/formats/*/2025-11-25-handshake.*; do
    format=$(basename "$(dirname "$file")")
    [[ $file =~ $documents ]] && continue
    name=$format/${file##*/2025-11-25-handshake.}
    [ $# -gt 0 ] && [[ " $* " != *" $format "* && " $* " != *" $name "* ]] && continue
    # A block that is large enough for the copying not to count.
    : >"$WORK/block"
    while [ "$(stat -c %s "$WORK/block")" -lt 4000000 ]; do
        for _ in 1 2 3 4 5 6 7 8; do cat "$file"; [ -n "$(tail -c 1 "$file")" ] && echo; done >>"$WORK/block" || true
    done
    (while :; do cat "$WORK/block"; done 2>/dev/null | head -c "$BYTES") | measure "$name" stream
    # The first line with a message, without its end and with one string after the other in place of that.
    line=$(grep -m 1 jsonrpc "$file" || head -n 1 "$file")
    (printf '%s' "${line%????}"; (yes 'and so on, ' 2>/dev/null | tr -d '\n') 2>/dev/null | head -c "$BYTES") |
        measure "$name" 'one line'
done
exit $failed
