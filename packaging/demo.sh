#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, builds, and shows Weir at work: three scripted providers, an agent, the console, and traffic
# from the OpenAI and the Anthropic SDK. A person turns the switch to adaptive; after that nobody touches
# anything while Weir finds the cheaper provider and providers slow down, refuse, fail and recover.
#
#   packaging/demo.sh               until the console is closed
#   packaging/demo.sh --headless    about four minutes; prints the story, leaves screenshots and the
#                                   ledger in build/demo/
#   packaging/demo.sh --fleet       the same for three agents on a Postgres and a Redis of its own, which
#                                   are taken away one after the other; with --headless about a minute
set -euo pipefail
cd "$(dirname "$0")/.."

arguments=()
for argument in "$@"; do
    case $argument in
    --headless | --fleet) arguments+=("$argument") ;;
    *)
        sed -n '3,11s/^# \{0,1\}//p' packaging/demo.sh >&2
        exit 2
        ;;
    esac
done
if [[ ${arguments[*]-} != *--headless* && -z ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
    echo "demo: no display to open the console on; use packaging/demo.sh --headless" >&2
    exit 2
fi

packaging/install-deps.sh
cmake --preset release
cmake --build --preset release --target weir-agent weirctl weir-fake-provider weir-console

venv=build/demo-venv
wanted=packaging/demo/requirements.txt
if ! cmp -s "$wanted" "$venv/installed.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$venv/installed.txt"
fi

export PYTHONDONTWRITEBYTECODE=1
exec "$venv/bin/python" packaging/demo/demo.py --programs build/release/bin --folder build/demo \
    "${arguments[@]}"
