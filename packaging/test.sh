#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is needed, builds, runs the tests, and ends in ctest's own summary.
#
#   packaging/test.sh                   release (what must run optimised), then asan with every test
#   packaging/test.sh --preset dev      one preset with every test; also asan, tsan, tidy, release
#   packaging/test.sh --no-install      leave the packages alone
set -euo pipefail
cd "$(dirname "$0")/.."

presets=()
install=yes
while [[ $# -gt 0 ]]; do
    case $1 in
    --preset)
        presets+=("${2:?--preset needs a name}")
        shift 2
        ;;
    --no-install)
        install=no
        shift
        ;;
    *)
        sed -n '3,7s/^# \{0,1\}//p' packaging/test.sh >&2
        exit 2
        ;;
    esac
done

began=$SECONDS
step() {
    printf '\n==> %s (after %d s)\n' "$1" "$((SECONDS - began))"
    shift
    "$@"
}

[[ $install == no ]] || step "install" packaging/install-deps.sh

build() {
    step "$1: configure" cmake --preset "$1"
    step "$1: build" cmake --build --preset "$1"
}

headers() {
    step "$1: every header compiles alone" \
        cmake --build --preset "$1" --target all_verify_interface_header_sets
}

if [[ ${#presets[@]} -gt 0 ]]; then
    for preset in "${presets[@]}"; do
        build "$preset"
        headers "$preset"
        step "$preset: test" ctest --preset "$preset"
    done
    exit 0
fi

# The optimised binary first: its start-up, memory and benchmark smoke tests carry the label "release".
build release
step "release: test" ctest --preset release --label-regex release
build asan
headers asan
step "asan: test" ctest --preset asan
