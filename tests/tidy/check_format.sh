#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fails with the places that clang-format 14 would write differently. Cure: clang-format -i FILE.
set -euo pipefail
cd "$(dirname "$0")/../.."

clang-format --version | grep -q 'version 14\.' || {
    echo "check_format: needs clang-format 14, other versions format differently" >&2
    exit 1
}
find common agent app tests -name node_modules -prune -o \( -name '*.cpp' -o -name '*.h' \) -print0 |
    xargs -0 -n 20 -P 2 clang-format --dry-run -Werror
