#!/bin/sh
# Run libFuzzer on each harness of tests/fuzz, or on those named: fuzz.sh [NAME...]
#
# FUZZ_SECONDS=60 is for each. What was found to be interesting is kept in build-fuzz/corpus/NAME and is
# where the next run begins; an input that fails is left as build-fuzz/crash-*, and
# build/tests/fuzz/fuzz_NAME_replay FILE runs it again.
set -eu
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}

CC=clang scripts/setup.sh build-fuzz -Dfuzzing=true -Db_sanitize=address,undefined \
    -Db_lundef=false --buildtype=debugoptimized >/dev/null
names=${*:-text plan nearby call rpc}
cd build-fuzz
for name in $names; do
    ninja --quiet "tests/fuzz/fuzz_$name" "tests/fuzz/fuzz_${name}_replay"
    mkdir -p "corpus/$name"
    "tests/fuzz/fuzz_${name}_replay" --seeds "corpus/$name"
    echo "fuzz $name: $seconds s"
    "tests/fuzz/fuzz_$name" -max_total_time="$seconds" -max_len=2048 -verbosity=0 \
        -print_final_stats=1 "corpus/$name"
done
