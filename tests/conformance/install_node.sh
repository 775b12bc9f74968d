#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install_node.sh SOURCE BUILD: the pinned Node SDKs and the suite in the folder BUILD. Does nothing
# where they are there already.
set -eu
source=$1
build=$2
mkdir -p "$build"
cp "$source"/*.mjs "$source/package.json" "$build/"
if ! cmp -s "$source/package-lock.json" "$build/installed-lock.json"; then
    cp "$source/package-lock.json" "$build/"
    cd "$build"
    npm ci --ignore-scripts --no-audit --no-fund
    cp package-lock.json installed-lock.json
fi
