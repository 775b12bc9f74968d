#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs scenarios under every policy and prints the README's table.

    tests/sim/policy_table.py --bin-dir build/release/bin

Regret: how much worse than the oracle a policy does in the router's own currency, 0.7 of cost per task and
0.3 of median task time.
"""

import argparse
import json
import pathlib
import subprocess
import sys

SCENARIOS = [
    ("02-discovery", "a cheaper, faster provider appears"),
    ("03-leader-buckles", "the leader buckles under load"),
    ("05-credit", "the leader's credit runs out"),
    ("06-four-slowdowns", "four slowdowns without errors"),
    ("07-two-bursts", "two bursts of 429s"),
    ("20-leader-dead", "the leader is dead for 20 minutes"),
]
POLICIES = ["adaptive", "fixed", "round-robin", "oracle"]


def totals(weirctl, scenario, policy):
    run = subprocess.run(
        [weirctl, "simulate", scenario, "--policy", policy, "--json"],
        capture_output=True, text=True, check=False, timeout=600)
    if run.returncode != 0:
        sys.exit(f"{scenario} {policy}: {run.stderr.strip()}")
    return json.loads(run.stdout)


def regret(run, oracle):
    cost = run["cost_per_task_usd"] / oracle["cost_per_task_usd"]
    time = run["task_time_s"]["p50"] / oracle["task_time_s"]["p50"]
    return 0.7 * cost + 0.3 * time - 1.0


def row(title, policy, run, oracle):
    shares = " ".join(
        f"{name} {100 * one['share']:.0f} %" for name, one in sorted(run["by_provider"].items()))
    worse = "" if policy == "oracle" else f"{100 * regret(run, oracle):+.1f} %"
    return (
        f"| {title} | {policy} | {shares} | ${run['cost_per_task_usd']:.5f} "
        f"| {run['task_time_s']['p50']:.0f} / {run['task_time_s']['p95']:.0f} s "
        f"| {run['user_failures']} of {run['calls']} | {worse} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin-dir", type=pathlib.Path, required=True)
    options = parser.parse_args()
    folder = pathlib.Path(__file__).resolve().parents[2] / "resources" / "scenarios"
    print("| what happens | policy | attempts by provider | a task | task time p50 / p95 "
          "| failed calls | regret |")
    print("|---|---|---|---|---|---|---|")
    for name, title in SCENARIOS:
        runs = {
            policy: totals(options.bin_dir / "weirctl", folder / f"{name}.json", policy)
            for policy in POLICIES}
        for policy in POLICIES:
            print(row(title if policy == "adaptive" else "", policy, runs[policy], runs["oracle"]))


if __name__ == "__main__":
    main()
