#!/bin/sh
# Install the Debian packages that a task needs, and do nothing when all of them are there.
#
#   scripts/packages.sh TASK             install what is missing for
#                                        build, demo, check, check-browser, bench, bench-check, accuracy, coverage, lint, fuzz or torture
#   scripts/packages.sh --missing TASK   only print it
#
# What is there is found out by looking for the thing itself (a command, a library), so a compiler
# or a Node that did not come from a package is as good. Installing takes root or a sudo that asks
# nothing; without either, the one command to run is printed and the exit status is 1.
set -eu

# One line per thing: task(s), how to look for it, Debian package. A package whose name ends in "?"
# is wanted but not needed: the tests that use it are skipped where it cannot be had.
things='
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|command make|make
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|c-compiler|gcc libc6-dev
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|command pkg-config|pkgconf
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|command python3|python3
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|command meson|meson
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|command ninja|ninja-build
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|library gumbo|libgumbo-dev
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|library jansson|libjansson-dev
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|library yajl|libyajl-dev
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|library libmicrohttpd|libmicrohttpd-dev
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|library nettle|nettle-dev
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|library sqlite3|libsqlite3-dev
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|library libxxhash|libxxhash-dev
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|library libpcre2-8|libpcre2-dev
build demo check check-browser bench bench-check accuracy coverage lint fuzz torture|library libutf8proc|libutf8proc-dev
check coverage lint torture|library cmocka|libcmocka-dev
check bench coverage|command git|git
check coverage|command patch|patch
check coverage torture|command setfacl|acl
check coverage torture|command setfattr|attr
check torture|command strace|strace
check|command openssl|openssl
check|program nginx|nginx-light
check lint fuzz coverage|command clang|clang
check lint fuzz coverage|clang-runtime|libclang-rt-dev
check|command ld.lld|lld
check|command clang-format|clang-format
check|command c++|g++
check|library zlib|zlib1g-dev
lint|command clang-tidy|clang-tidy
check check-browser coverage|command npm|npm?
check check-browser coverage|command node|nodejs?
check check-browser|chromium|chromium?
torture|command mkfs.ext4|e2fsprogs
torture|command mkfs.xfs|xfsprogs
torture|command losetup|mount
bench|command perl|perl
bench|command npm|npm?
bench|command node|nodejs?
bench-check|command valgrind|valgrind
accuracy|command npm|npm
coverage|command llvm-cov|llvm
'

have() {
    case $1 in
    command) command -v "$2" >/dev/null 2>&1 ;;
    program) PATH="$PATH:/usr/sbin:/sbin" command -v "$2" >/dev/null 2>&1 ;;
    library) pkg-config --exists "$2" 2>/dev/null ;;
    chromium) # under whichever name
        command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 ||
            command -v google-chrome >/dev/null 2>&1 ;;
    c-compiler) echo '#include <stdio.h>' | "${CC:-cc}" -E - >/dev/null 2>&1 ;;
    clang-runtime) # what sanitizers, fuzzers and counters of coverage link to
        test -n "$(find "$(clang -print-resource-dir 2>/dev/null || echo /nowhere)" \
            -name 'libclang_rt.asan*' 2>/dev/null)" ;;
    esac
}

missing() {
    task=$1
    echo "$things" | while IFS='|' read -r tasks how package; do
        case " $tasks " in *" $task "*) ;; *) continue ;; esac
        # shellcheck disable=SC2086 # $how is a word and its argument
        have $how || echo "$package"
    done | tr ' ' '\n' | sort -u
}

install() {
    as_root=
    if [ "$(id -u)" != 0 ]; then
        as_root='sudo -n'
        $as_root true 2>/dev/null || return 1
    fi
    command -v apt-get >/dev/null 2>&1 || return 1
    options='-q -y --no-install-recommends -o DPkg::Lock::Timeout=120'
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install $options "$@"
}

if [ "${1:-}" = --missing ]; then
    missing "$2"
    exit
fi

all=$(missing "$1")
needed=$(echo "$all" | grep -v '?$' || true)
wanted=$(echo "$all" | sed -n 's/?$//p')

# shellcheck disable=SC2086 # lists of words
if [ -n "$needed" ]; then
    echo "installing:" $needed $wanted
    if ! { install $needed $wanted || { [ -n "$wanted" ] && install $needed; }; }; then
        echo "make $1 needs packages that could not be installed. Run this and try again:" >&2
        echo "  sudo apt-get update && sudo apt-get install -y" $needed $wanted >&2
        exit 1
    fi
elif [ -n "$wanted" ]; then
    echo "installing:" $wanted
    install $wanted || echo "without" $wanted": what needs it is left out"
fi
