#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures weir-agent against nginx as a plain reverse proxy and against the direct connection: one
shared upstream, one interleaved run whose order is reversed each round, so that whatever else the
machine does hits every arm alike. The ledger is on. Prints a table; keeps all figures as JSON.

    tests/bench/run.py --bin-dir build/release/bin
"""

import argparse
import dataclasses
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import time
import urllib.request

import arms
import report


@dataclasses.dataclass(frozen=True)
class Plan:
    rounds: int = 5
    seconds: float = 3.0
    warm_up: float = 0.5
    json_connections: int = 32
    json_rate: float = 1000.0
    sse_connections: int = 32
    sse_rate: float = 40.0
    chunks: int = 30
    interval_us: int = 5000
    held_streams: int = 500


# The ledger is done when nothing has come for so long.
LEDGER_PATIENCE_S = 5.0

QUICK = Plan(
    rounds=1, seconds=0.8, warm_up=0.2, json_rate=200.0, sse_rate=20.0, chunks=10, held_streams=50)


class Bench:
    def __init__(self, plan, bin_dir, log):
        self.plan = plan
        self.bin_dir = bin_dir
        self.log = log
        self.answered = {}

    def command(self, arm, mode, seconds, **options):
        words = [self.bin_dir / "weir-bench-load", "--mode", mode, "--port", str(arm.port)]
        words += ["--seconds", str(seconds), "--warm-up", str(self.plan.warm_up)]
        for name, value in options.items():
            words += ["--" + name.replace("_", "-"), str(value)]
        return words

    def load(self, arm, mode, **options):
        """One run of the load: its figures, with the arm's CPU seconds over all of it."""
        before = arm.cpu_s()
        done = subprocess.run(
            self.command(arm, mode, self.plan.seconds, **options),
            preexec_fn=arms.pin(arms.LOAD_CPUS),
            stdout=subprocess.PIPE,
            stderr=self.log,
            check=True,
            timeout=self.plan.seconds + self.plan.warm_up + 30)
        result = json.loads(done.stdout)
        result["cpu_s"] = arm.cpu_s() - before
        self.answered[arm.name] = self.answered.get(arm.name, 0) + result["completed_all"]
        if result["completed"] == 0 or result["errors"] > 0:
            raise arms.BenchError(f"{arm.name}, {mode}: not every request was answered: {result}")
        return result

    def ask_once(self, arm):
        """One request, after which every process of the arm has come to life."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{arm.port}/v1/chat/completions",
            data=b'{"model":"bench","messages":[{"role":"user","content":"hello"}]}',
            headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            if not json.load(answer)["choices"]:
                raise arms.BenchError(f"{arm.name} gave an answer without a choice")
        self.answered[arm.name] = 1

    def json_saturated(self, arm):
        found = self.load(arm, "closed", connections=self.plan.json_connections)
        figures = {"json_rps": found["per_s"]}
        if arm.process:
            figures["json_cpu_us"] = found["cpu_s"] * 1e6 / found["completed_all"]
        return figures

    def json_open(self, arm):
        found = self.load(arm, "open", connections=256, rate=self.plan.json_rate)
        figures = {
            "json_open_p50_us": found["latency_us"]["p50"],
            "json_open_p99_us": found["latency_us"]["p99"],
        }
        if arm.process:
            figures["json_open_cpu_us"] = found["cpu_s"] * 1e6 / found["completed_all"]
        return figures

    def sse_saturated(self, arm):
        found = self.load(
            arm, "closed", connections=self.plan.sse_connections, stream=1, chunks=self.plan.chunks)
        figures = {"sse_streams": found["per_s"]}
        if arm.process:
            figures["sse_cpu_us"] = found["cpu_s"] * 1e6 / found["completed_all"]
        return figures

    def sse_open(self, arm):
        found = self.load(
            arm,
            "open",
            connections=256,
            rate=self.plan.sse_rate,
            stream=1,
            chunks=self.plan.chunks,
            interval_us=self.plan.interval_us)
        figures = {
            "sse_open_first_p50_us": found["first_us"]["p50"],
            "sse_open_first_p99_us": found["first_us"]["p99"],
            "sse_open_travel_p50_us": found["travel_us"]["p50"],
            "sse_open_travel_p99_us": found["travel_us"]["p99"],
        }
        if arm.process:
            figures["sse_open_cpu_us"] = found["cpu_s"] * 1e6 / found["chunks_all"]
        return figures

    def hold(self, arm):
        """Resident memory after one request, and what each of many live streams adds."""
        if not arm.process:
            return {}
        self.ask_once(arm)
        idle = arm.rss_kb()
        count = self.plan.held_streams
        command = self.command(
            arm, "hold", 10, connections=count, stream=1, chunks=100, interval_us=200000)
        with subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=self.log, text=True) as load:
            try:
                if not load.stdout.readline().startswith("holding"):
                    raise arms.BenchError(f"{arm.name} did not serve {count} streams at once")
                time.sleep(1.0)
                held = arm.rss_kb()
            finally:
                load.kill()
        return {"rss_idle_kb": idle, "rss_stream_kb": (held - idle) / count}

    def round(self, order):
        figures = {arm.name: {} for arm in order}
        measures = [self.json_saturated, self.json_open, self.sse_saturated, self.sse_open]
        for measure in measures:
            for arm in order:
                figures[arm.name].update(measure(arm))
        for arm in order:
            if arm.process:
                figures[arm.name]["rss_after_kb"] = arm.rss_kb()
        report.add_differences(figures)
        return figures


def ledger_rows(folder, least):
    """The rows of the agent's ledger once they are all there or come no more, and the seconds that
    took."""
    path = folder / "agent" / "data" / "weir.db"
    start = grown = time.monotonic()
    rows = -1
    while time.monotonic() - grown < LEDGER_PATIENCE_S:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            found = connection.execute("SELECT count(*) FROM call_ledger").fetchone()[0]
        finally:
            connection.close()
        if found > rows:
            rows, grown = found, time.monotonic()
        if rows >= least:
            break
        time.sleep(0.1)
    return rows, grown - start


def measure(plan, bin_dir, agent, folder):
    folder.mkdir(parents=True)
    with open(folder / "log.txt", "w", encoding="utf-8") as log:
        started = []
        upstream, port = arms.start_upstream(bin_dir, log)
        try:
            started.append(arms.start_nginx(folder, port, log))
            started.append(arms.start_agent(agent, folder, port, log))
            order = [arms.Arm("direct", port)] + started
            bench = Bench(plan, bin_dir, log)
            held = {arm.name: bench.hold(arm) for arm in order}
            rounds = []
            for number in range(plan.rounds):
                rounds.append(bench.round(order if number % 2 == 0 else order[::-1]))
                print(f"round {number + 1} of {plan.rounds} done", flush=True)
            for name, figures in held.items():
                rounds[0][name].update(figures)
            return rounds, bench.answered["agent"], ledger_rows(folder, bench.answered["agent"])
        finally:
            for arm in started:
                arm.stop()
            arms.stop(upstream)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--bin-dir", type=pathlib.Path, required=True, help="the build's bin folder")
    parser.add_argument("--agent", type=pathlib.Path, help="another weir-agent than the build's")
    parser.add_argument("--quick", action="store_true", help="a smoke test of about 20 s")
    parser.add_argument("--rounds", type=int, help="5 without it")
    parser.add_argument("--seconds", type=float, help="of each measurement, 3 without it")
    options = parser.parse_args()
    bin_dir = options.bin_dir.resolve()
    agent = (options.agent or bin_dir / "weir-agent").resolve()
    plan = QUICK if options.quick else Plan()
    if options.rounds:
        plan = dataclasses.replace(plan, rounds=options.rounds)
    if options.seconds:
        plan = dataclasses.replace(plan, seconds=options.seconds)
    folder = bin_dir.parent / ("bench-quick" if options.quick else "bench")
    shutil.rmtree(folder, ignore_errors=True)
    names = ["direct", "nginx", "agent"]
    try:
        rounds, answered, (rows, rows_s) = measure(plan, bin_dir, agent, folder)
    except (arms.BenchError, OSError, subprocess.SubprocessError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    result = report.summary(rounds, names)
    document = {
        "plan": dataclasses.asdict(plan),
        "summary": result,
        "rounds": rounds,
        "ledger": {"answered": answered, "rows": rows, "after_s": rows_s},
    }
    (folder / "result.json").write_text(json.dumps(document, indent=1) + "\n")
    print(report.table(result, names))
    print(f"ledger: {rows} rows {rows_s:.1f} s after the last of {answered} whole answers; any more "
          "are those that a run's end cut off")
    missing = [key for key, _, _, _ in report.FIGURES if result[key]["median"]["agent"] is None]
    if missing:
        print(f"bench: no figure for {', '.join(missing)}", file=sys.stderr)
        return 1
    if rows < answered:
        print(f"bench: the ledger lacks {answered - rows} rows; see {folder / 'log.txt'}",
              file=sys.stderr)
        return 1
    print(f"all figures: {folder / 'result.json'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
