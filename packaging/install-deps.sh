#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what building, testing and the demo need on a bare Debian 12, as root or as a user with sudo.
# A second run asks dpkg once and is done.
set -euo pipefail

build=(g++ cmake ninja-build pkg-config ccache lld git ca-certificates)
libraries=(
    libboost1.81-dev libssl-dev nlohmann-json3-dev libsimdjson-dev libtomlplusplus-dev libexpected-dev
    libpq-dev libsqlite3-dev libhiredis-dev libspdlog-dev libfmt-dev libcli11-dev libre2-dev libbenchmark-dev
    libsentencepiece-dev)
# Three that nothing pulls in: Qt Charts cannot be configured without libqt6opengl6-dev, and the two SQL
# drivers are loaded by name when the console opens a store.
console=(
    qt6-base-dev qt6-charts-dev qt6-svg-dev libqt6opengl6-dev libqt6sql6-psql libqt6sql6-sqlite
    qtkeychain-qt6-dev
    libgl-dev libxkbcommon-dev fonts-roboto-unhinted fonts-jetbrains-mono fonts-dejavu-core)
checks=(clang clang-tidy libclang-rt-14-dev clang-format)
tests=(
    sqlite3 json-schema-test-suite postgresql redis-server xvfb xauth openbox xdotool desktop-file-utils appstream imagemagick
    poppler-utils nginx-light wrk tmux curl procps
    python3 python3-venv)
wanted=("${build[@]}" "${libraries[@]}" "${console[@]}" "${checks[@]}" "${tests[@]}")

# The SDK tests need Node.js 18 or newer with npm. One from elsewhere stays as it is: Debian's npm
# would conflict with it.
nodeMajor=$(node --version 2>/dev/null | sed -n 's/^v\([0-9]*\)\..*/\1/p' || true)
if [[ ${nodeMajor:-0} -lt 18 ]] || ! command -v npm >/dev/null; then
    wanted+=(nodejs npm)
fi

missing=()
installed=" $(dpkg-query -W -f '${db:Status-Status}:${Package} ' "${wanted[@]}" 2>/dev/null || true) "
for package in "${wanted[@]}"; do
    [[ $installed == *" installed:$package "* ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
    echo "install-deps: all ${#wanted[@]} packages are present"
    exit 0
fi

asRoot=()
if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || {
        echo "install-deps: run this as root, or install sudo; missing: ${missing[*]}" >&2
        exit 1
    }
    asRoot=(sudo)
fi

# Postgres, Redis and nginx are needed as programs that a test starts for itself on ports of its own.
# While they are installed, Debian's policy hook keeps their system services from starting.
policy=/usr/sbin/policy-rc.d
if [[ ! -e $policy ]]; then
    trap '"${asRoot[@]}" rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' | "${asRoot[@]}" tee "$policy" >/dev/null
    "${asRoot[@]}" chmod 755 "$policy"
fi

echo "install-deps: installing ${#missing[@]} packages: ${missing[*]}"
apt=("${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
"${apt[@]}" update
"${apt[@]}" install --no-install-recommends "${missing[@]}"
