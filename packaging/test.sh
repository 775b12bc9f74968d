#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is needed, builds, runs the tests, and ends in ctest's own summary.
#
#   packaging/test.sh                   fuzzing, the programs optimised, every header alone, all tests under asan
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

configure() {
    step "$1: configure" cmake --preset "$1"
}

build() {
    local preset=$1
    shift
    step "$preset: build" cmake --build --preset "$preset" "$@"
}

headers() {
    build "$1" --target all_verify_interface_header_sets
}

if [[ ${#presets[@]} -gt 0 ]]; then
    for preset in "${presets[@]}"; do
        configure "$preset"
        build "$preset"
        headers "$preset"
        step "$preset: test" ctest --preset "$preset"
    done
    exit 0
fi

# What reads the bytes of others, under a fuzzer.
configure fuzz
build fuzz

# What is shipped: the programs as they are, with the real SDKs and clients that go wrong, a fleet under faults,
# short benchmarks, and days of traffic in the simulator. (One agent's faults are played under the sanitizers.)
configure release
build release --target weir-agent weirctl weir-fake-provider weir-bench-upstream weir-bench-load \
    weir-bench-ledger weir-bench-decide weir-bench-fleet tst_scenarios tst_scenarios_fleet tst_scenarios_ladder tst_guarding_rules
# The tests of the programs mostly wait, so the fuzzing goes on beside them.
nice -n 19 ctest --preset fuzz >build/fuzz.log 2>&1 &
fuzzing=$!
step "release: test the programs, and whole scenarios" \
    ctest --preset release --label-regex 'conformance|wire|bench|sim_long'
# A dozen agents and two servers leave two cores no time for sanitizers.
step "release: a fleet under faults" ctest --preset release --tests-regex '^chaos_fleet_'
step "fuzz: a minute each, without a finding" wait "$fuzzing" || {
    cat build/fuzz.log
    exit 1
}

# Every header compiles alone; without optimisation that is quick to know.
configure dev
headers dev

# Every test, under the sanitizers. Last, so that the summary of all of them stands at the end.
configure asan
build asan
step "asan: test" ctest --preset asan --label-exclude bench --exclude-regex '^chaos_fleet_'
