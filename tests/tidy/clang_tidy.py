#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over what matters most first, within a time bound.

Order: the layers that are clean and must stay so, of them first what the last day's commits touched;
then whatever else these commits touched in common/ and agent/. A finding in a clean layer fails; elsewhere
it is printed, and a layer joins CLEAN once it has none. What the bound leaves out is named, so that nobody
takes silence for a clean bill.

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
CLEAN = ("common/",)


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

    def rank(path):
        return (not path.startswith(CLEAN), path not in changed, path)

    return sorted((p for p in rooted if p.startswith(CLEAN) or p in changed), key=rank)


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
    findings = {path: report for path, report in zip(files, reports) if report}
    for report in findings.values():
        print(report)
    if left_out:
        print(f"clang-tidy: no time for {len(left_out)} files: {' '.join(left_out)}")
    print(f"clang-tidy: {len(files) - len(left_out)} files read, {len(findings)} with findings")
    return 1 if any(path.startswith(CLEAN) for path in findings) else 0


if __name__ == "__main__":
    sys.exit(main())
