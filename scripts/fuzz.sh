#!/bin/sh
# Run libFuzzer on each harness of tests/fuzz, or on those named: fuzz.sh [NAME...]
#
# SECONDS=60 is for each. What was found to be interesting is kept in build-fuzz/corpus/NAME and is
# where the next run begins; an input that fails is left as build-fuzz/crash-*, and
# build/tests/fuzz/fuzz_NAME_replay FILE runs it again.
set -eu
cd "$(dirname "$0")/.."
seconds=${SECONDS:-60}

CC=clang scripts/setup.sh build-fuzz -Dfuzzing=true -Db_sanitize=address,undefined \
    -Db_lundef=false --buildtype=debugoptimized >/dev/null
ninja -C build-fuzz --quiet
cd build-fuzz
for name in ${*:-text plan call rpc}; do
    mkdir -p "corpus/$name"
    "tests/fuzz/fuzz_${name}_replay" --seeds "corpus/$name"
    echo "fuzz $name: $seconds s"
    "tests/fuzz/fuzz_$name" -max_total_time="$seconds" -max_len=2048 -verbosity=0 \
        -print_final_stats=1 "corpus/$name"
done
