#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install_python.sh PYTHON REQUIREMENTS VENV: the pinned Python SDKs in a virtual environment. Does
# nothing where they are there already.
set -eu
python=$1
requirements=$2
venv=$3
if ! cmp -s "$requirements" "$venv/installed.txt"; then
    rm -rf "$venv"
    "$python" -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: -r "$requirements"
    cp "$requirements" "$venv/installed.txt"
fi
