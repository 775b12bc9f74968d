#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What sharing gates through Redis costs, by the size of the fleet: ten routes of five providers, each
agent with a connection of its own, on a private Redis. Prints a table; fails where an agent is left
without answers.

    tests/bench/fleet.py --bin-dir build/release/bin [--quick] [--agents 3,20,100,500] [--seconds 20]"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

from servers import PrivateRedis, ServerError  # noqa: E402

COLUMNS = (
    ("agents", "agents", "{agents}"),
    ("asks/s", "of an agent", "{asks:.2f}"),
    ("scripts/s", "of an agent", "{scripts:.2f}"),
    ("pins/s", "heard", "{pins_heard:.0f}"),
    ("Redis CPU", "of a core", "{redis_cpu:.1%}"),
    ("Redis CPU", "us/s an agent", "{redis_us:.0f}"),
    ("agent CPU", "us/s", "{agent_us:.0f}"),
    ("in", "kB/s", "{in_kb:.0f}"),
    ("out", "kB/s", "{out_kb:.0f}"),
    ("exchange", "p50 ms", "{p50:.2f}"),
    ("exchange", "p99 ms", "{p99:.2f}"),
)


def measure(binary, agents, seconds):
    with PrivateRedis() as redis:
        words = [str(binary), str(redis.port), str(agents), str(seconds)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=seconds + 60, check=True)
    found = json.loads(done.stdout)
    found["redis_us"] = 1e6 * found["redis_cpu"] / agents
    found["agent_us"] = 1e6 * found["agent_cpu"]
    found["in_kb"] = agents * found["in_bytes"] / 1000
    found["out_kb"] = agents * found["out_bytes"] / 1000
    found.update(found["exchange_ms"])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin-dir", type=Path, required=True)
    parser.add_argument("--quick", action="store_true", help="whether it runs at all")
    parser.add_argument("--agents", default="3,20,100,500")
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    sizes = [3, 20] if options.quick else [int(size) for size in options.agents.split(",")]
    seconds = 2 if options.quick else options.seconds
    rows = [[head for head, _, _ in COLUMNS], [unit for _, unit, _ in COLUMNS]]
    stranded = 0
    try:
        for size in sizes:
            found = measure(options.bin_dir / "weir-bench-fleet", size, seconds)
            stranded += found["local"]
            rows.append([text.format(**found) for _, _, text in COLUMNS])
    except (ServerError, subprocess.SubprocessError) as error:
        print(f"fleet: {error}", file=sys.stderr)
        return 1
    widths = [max(len(row[i]) for row in rows) for i in range(len(COLUMNS))]
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths)))
    if stranded:
        print(f"fleet: {stranded} agents were without answers at the end", file=sys.stderr)
    return 1 if stranded else 0


if __name__ == "__main__":
    sys.exit(main())
