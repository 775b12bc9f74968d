# SPDX-License-Identifier: Apache-2.0
"""Figures of a run against Postgres, as text."""

import statistics


def percentile(values, share):
    """The smallest value that `share` of them do not exceed."""
    ranked = sorted(values)
    return ranked[max(0, -(-len(ranked) * share // 100) - 1)]


def throughput(rounds):
    """`rounds`: {arm: rows a second} each."""
    lines = [f"{'Into the ledger, one connection':40}{'rows/s':>12}  range"]
    for arm in rounds[0]:
        values = [each[arm] for each in rounds]
        lines.append(f"{arm:40}{statistics.median(values):12.0f}  {min(values):.0f} to {max(values):.0f}")
    ratios = [each["agent"] / each["psql \\copy"] for each in rounds]
    lines.append(f"{'agent / psql, round by round':40}{statistics.median(ratios):12.2f}  "
                 f"{min(ratios):.2f} to {max(ratios):.2f}")  # fmt: skip
    return "\n".join(lines), statistics.median(ratios)


def queries(answers, bound_ms):
    """`answers`: (name, milliseconds of each round, rows of the last)."""
    lines = [f"{'Question':28}{'p50 ms':>10}{'p95 ms':>10}{'rows':>10}"]
    slow = []
    for name, times, rows in answers:
        p95 = percentile(times, 95)
        if p95 >= bound_ms:
            slow.append(name)
        mark = "  over" if p95 >= bound_ms else ""
        lines.append(f"{name:28}{percentile(times, 50):10.1f}{p95:10.1f}{rows:10}{mark}")
    return "\n".join(lines), slow
