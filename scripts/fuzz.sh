#!/bin/sh
# Run libFuzzer on each harness of tests/fuzz, or on those named: fuzz.sh [--keep] [NAME...]
#
# FUZZ_SECONDS=60 is for each. It begins with the seeds of the harness and with tests/fuzz/corpus; what was
# found to be interesting is in build-fuzz/corpus/NAME and is where the next run begins. --keep writes the
# fewest of these inputs that reach as much to tests/fuzz/corpus instead of fuzzing. An input that fails is
# left as build-fuzz/crash-*, and build/tests/fuzz/fuzz_NAME_replay FILE runs it again.
#
# With FUZZ_RUNS=N there is no search: each takes N inputs, which are its corpus changed by chance, with the
# sanitizers too. That is ten times as quick.
#
# build-fuzz/campaign.txt keeps what ended without a finding: the harness, inputs, seconds, and the print of the
# program that took them. The scoreboard of `make torture` counts what the program took that the sources still
# make; --prints NAME... tells the prints that it compares.
set -eu
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}
keep=
prints=
case ${1:-} in
--keep) keep=1; shift ;;
--prints) prints=1; shift ;;
esac

# Of the code of a program, wherever it stands and whatever its comments say.
print_of() {
    objcopy --strip-debug --remove-section=.note.gnu.build-id "$1" "$1.bare"
    sha256sum <"$1.bare" | cut -c 1-16
}

CC=clang scripts/setup.sh build-fuzz -Dfuzzing=true -Db_sanitize=address,undefined \
    -Db_lundef=false --buildtype=debugoptimized >/dev/null
names=${*:-text plan tolerant similar_places regex selector dom path records history json repair call rpc http review_diff}
cd build-fuzz
for name in $names; do
    kept=../tests/fuzz/corpus/$name.txt
    replay=tests/fuzz/fuzz_${name}_replay
    if [ -n "$prints" ]; then
        ninja --quiet "$replay" >&2
        echo "$name $(print_of "$replay")"
        continue
    fi
    ninja --quiet "tests/fuzz/fuzz_$name" "$replay"
    mkdir -p "corpus/$name"
    "$replay" --seeds "corpus/$name" "$kept"
    if [ -n "$keep" ]; then
        rm -rf "fewest/$name"
        mkdir -p "fewest/$name"
        "tests/fuzz/fuzz_$name" -merge=1 -max_len=2048 -verbosity=0 "fewest/$name" "corpus/$name"
        "$replay" --pack "fewest/$name"/* | LC_ALL=C sort >"$kept"
        echo "keep $name: $(wc -l <"$kept") inputs"
        continue
    fi
    took=$(print_of "$replay")
    began=$(date +%s)
    if [ -n "${FUZZ_RUNS:-}" ]; then
        echo "fuzz $name: $FUZZ_RUNS inputs"
        inputs=$("$replay" "$FUZZ_RUNS" "$kept" | sed -n 's/ inputs$//p')
        [ -n "$inputs" ]
    else
        echo "fuzz $name: $seconds s"
        "tests/fuzz/fuzz_$name" -max_total_time="$seconds" -max_len=2048 -verbosity=0 -print_final_stats=1 \
            "corpus/$name" >"$name.log" 2>&1 || { cat "$name.log"; exit 1; }
        inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$name.log")
    fi
    echo "$name $inputs $(($(date +%s) - began)) $took" | tee -a campaign.txt
done
[ -n "$keep$prints" ] || python3 ../tests/torture/run.py --fuzzed
