#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a desktop reads of the console is valid, and names the version that is built.
set -euo pipefail
cd "$(dirname "$0")/../../packaging/desktop"

desktop-file-validate dev.weir.console.desktop
appstreamcli validate --no-net dev.weir.console.metainfo.xml
grep -q "<release version=\"$1\"" dev.weir.console.metainfo.xml || {
    echo "dev.weir.console.metainfo.xml: no release of version $1" >&2
    exit 1
}
