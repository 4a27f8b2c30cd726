#!/bin/sh
# Set up a build folder with tests, once: setup.sh FOLDER [MESON-OPTION...]
# One that was set up without tests, for want of cmocka, is set up again.
set -eu
folder=$1
shift

with_tests() {
    python3 - "$folder/meson-info/intro-buildoptions.json" <<'PYTHON'
import json, sys
options = {option["name"]: option["value"] for option in json.load(open(sys.argv[1]))}
sys.exit(options.get("tests") != "enabled")
PYTHON
}

if [ ! -f "$folder/build.ninja" ]; then
    exec meson setup "$folder" -Dtests=enabled "$@"
elif ! with_tests; then
    exec meson setup --reconfigure "$folder" -Dtests=enabled "$@"
fi
