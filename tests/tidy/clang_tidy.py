#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over what matters most first, within a time bound.

Order: the files that the last day's commits touched, then all of common/, then the rest of agent/.
What the bound leaves out is named, so that nobody takes silence for a clean bill.

usage: clang_tidy.py BUILD_DIR [--seconds N] [--jobs N] [FILE...]
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
LAYERS = ("common/", "agent/")


def changed_lately():
    command = ["git", "-C", str(ROOT), "log", "--since=1.day", "--name-only", "--format="]
    log = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return set(log.split())


def candidates(build):
    """Rooted paths of what the build compiles, most important first."""
    database = json.loads((build / "compile_commands.json").read_text())
    files = {pathlib.Path(entry["file"]).resolve() for entry in database}
    rooted = sorted(str(f.relative_to(ROOT)) for f in files if f.is_relative_to(ROOT))
    rooted = [path for path in rooted if path.startswith(LAYERS)]
    changed = changed_lately()
    rank = lambda path: (path not in changed, not path.startswith("common/"), path)
    return sorted(rooted, key=rank)


def check(build, path, deadline):
    """None where there was no time for it, else the findings as text."""
    left = deadline - time.monotonic()
    if left <= 0:
        return None
    command = ["clang-tidy", "-p", str(build), "--quiet", str(ROOT / path)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=left, check=False)
    except subprocess.TimeoutExpired:
        return None
    return run.stdout if run.returncode != 0 else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()

    build = options.build.resolve()
    files = options.files or candidates(build)
    deadline = time.monotonic() + options.seconds
    with ThreadPoolExecutor(options.jobs) as pool:
        reports = list(pool.map(lambda path: check(build, path, deadline), files))

    left_out = [path for path, report in zip(files, reports) if report is None]
    findings = [report for report in reports if report]
    for report in findings:
        print(report)
    if left_out:
        print(f"clang-tidy: no time for {len(left_out)} files: {' '.join(left_out)}")
    print(f"clang-tidy: {len(files) - len(left_out)} files read, {len(findings)} with findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
