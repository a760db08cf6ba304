# What the measuring scripts share; to be sourced from the project's folder. Builds the program (TRACE) and the generator (GEN), makes a
# folder for files (WORK, kept with KEEP=1), and has the words that times and ratios are told with.
export LC_ALL=C
SEED=20250102

cargo build --quiet --release --bin mcp-trace
TARGET=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
TRACE=$TARGET/release/mcp-trace
WORK=$(mktemp -d)
[ "${KEEP:-0}" = 1 ] && echo "files: $WORK" || trap 'rm -rf "$WORK"' EXIT
# Without cargo: as an example it would first build every dependency of the tests.
GEN=$WORK/gen
rustc --edition 2024 -O -o "$GEN" benches/gen/main.rs

have() { command -v "$1" >/dev/null; }
wanted() { [[ " $PARTS " == *" $1 "* ]]; }
title() { printf '\n== %s\n' "$*"; }
now() { date +%s%N; }
generate() { # shape bytes format file
    [ -s "$4" ] || "$GEN" --shape "$1" --bytes "$2" --format "$3" --seed $SEED >"$4" 2>"$4.tally"
}
# Prints a figure with its target: label, value, unit, comparison (le or ge), target.
verdict() {
    awk -v label="$1" -v value="$2" -v unit="$3" -v how="$4" -v target="$5" 'BEGIN {
        met = how == "le" ? value <= target : value >= target
        printf "  %-52s %9.2f %-5s target %s %-7s %s\n", label, value, unit, how == "le" ? "<=" : ">=", target, met ? "met" : "MISSED"
    }'
}
median() { sort -g | awk '{ a[NR] = $1 } END { if (NR) print NR % 2 ? a[(NR + 1) / 2] : (a[NR / 2] + a[NR / 2 + 1]) / 2 }'; }

# Times commands in interleaved rounds after one to warm up: rounds, then names, each of which `run_once` runs. Every round begins with
# another one, so that drift lands on all of them.
interleaved() {
    local rounds=$1 round place name begin
    shift
    local names=("$@")
    : >"$WORK/times"
    for ((round = 0; round <= rounds; round++)); do
        for ((place = 0; place < ${#names[@]}; place++)); do
            name=${names[((place + round) % ${#names[@]})]}
            begin=$(now)
            run_once "$name" >/dev/null
            ((round == 0)) || echo "$round $name $(($(now) - begin))" >>"$WORK/times"
        done
    done
    for name in "${names[@]}"; do
        printf '  %-10s median %8.1f ms\n' "$name" "$(awk -v n="$name" '$2 == n { print $3 / 1e6 }' "$WORK/times" | median)"
    done
}
# What one takes of another in each of those rounds.
ratios_of() {
    awk -v a="$1" -v b="$2" '{ t[$1, $2] = $3; rounds[$1] } END { for (r in rounds) if (t[r, b]) print t[r, a] / t[r, b] }' "$WORK/times"
}
ratio() { ratios_of "$1" "$2" | median; }
