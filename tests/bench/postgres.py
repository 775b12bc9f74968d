#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures a store on Postgres, on a server of its own that syncs to the disk:
    throughput  an agent's writer (spool to ledger, history included) against psql's \\copy of the same rows
    queries     what people ask of a ledger of --rows attempts over 90 days; 20 million need 40 GB of disk
    heartbeats  how many agents one agent_state can hold, and what it leaves behind

    tests/bench/postgres.py --bin-dir build/release/bin --rows 20000000
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import pg_report
import pg_rows
from pg_store import PgStore
from servers import PrivatePostgres, ServerError

# As it is installed, but for what a server with 4 GB of memory is usually given.
OPTIONS = {
    "fsync": "on",
    "full_page_writes": "on",
    "shared_buffers": "1GB",
    "max_wal_size": "8GB",
    "effective_cache_size": "3GB",
    "random_page_cost": "1.1",
}
DAYS = 90
BOUND_MS = 300
QUESTIONS = (
    "newest next_page request task task_unknown provider provider_unknown model task_type outcome_1_in_500 "
    "outcome_1_in_20000 outcome_almost_never outcome_never decided an_hour provider_in_an_hour totals "
    "totals_provider "
    "totals_outcome totals_a_day history_24h history_7d history_90d incidents tasks_1h"
).split()
# Reads each attempt of a day; nobody waits for less than that.
REPORTS = ["tasks_24h"]
# As the console reads what its charts show of a day (app/link/store_rows.cpp).
CONSOLE = """
SELECT started_at_ms, model, provider, calls, n_model_unavailable + n_auth + n_no_credit + n_rate_limited + n_overloaded
    + n_server_error + n_connect_failed + n_reset + n_ttft_timeout + n_idle_timeout + n_stream_broken + n_malformed,
    n_rate_limited, cost_micro_usd, ttft_us FROM {} WHERE started_at_ms >= {} AND started_at_ms < {}
    ORDER BY started_at_ms, model, provider;
"""
BEAT = """
\\set agent random(1, {agents})
INSERT INTO agent_state (agent, service, host, version, effective_mode, mode_reason, switch_version,
    settings_version, applied_at_ms, last_seen_at_ms, store, redis, ledger_backlog_rows, summary_age_s, clock_skew_ms)
VALUES ('agent-' || :agent, 'code-review', 'host-' || :agent, '1.0.0', 'adaptive', '', 7, 3, 1796032800000,
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint, 'ok', 'ok', 0, 12.5, 1)
ON CONFLICT (agent) DO UPDATE SET last_seen_at_ms = excluded.last_seen_at_ms, service = excluded.service,
    host = excluded.host, version = excluded.version, effective_mode = excluded.effective_mode,
    mode_reason = excluded.mode_reason, switch_version = excluded.switch_version,
    settings_version = excluded.settings_version, applied_at_ms = excluded.applied_at_ms, store = excluded.store,
    redis = excluded.redis, ledger_backlog_rows = excluded.ledger_backlog_rows,
    summary_age_s = excluded.summary_age_s, clock_skew_ms = excluded.clock_skew_ms RETURNING clock_skew_ms;
"""


class Bench:
    def __init__(self, options, server, folder):
        self.bin = options.bin_dir.resolve() / "weir-bench-ledger"
        self.options = options
        self.server = server
        self.folder = folder

    def ledger(self, *words, **more):
        done = subprocess.run(
            [self.bin, *map(str, words)], stdout=subprocess.PIPE, text=True, check=True, **more
        )
        return done.stdout

    def psql(self, store, script):
        """What psql prints of it with \\timing on."""
        done = subprocess.run(
            [self.server.bin / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", store.url()],
            input="\\timing on\n" + script,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return done.stdout

    # The ledger's throughput

    def throughput(self):
        rows = self.options.moved_rows
        spool = self.folder / "spool"
        spool.mkdir()
        self.ledger("fill", spool, rows)
        lines = self.folder / "rows.copy"
        rounds = []
        for number in range(self.options.rounds + 1):
            arms = {"agent": lambda: self.moved(spool), "psql \\copy": lambda: self.copied(lines)}
            if not lines.exists():
                self.moved(spool, lines)
                continue
            order = list(arms.items())
            found = {name: rows / run() for name, run in (order if number % 2 else order[::-1])}
            rounds.append({name: found[name] for name in arms})
            print(f"round {number} of {self.options.rounds} done", flush=True)
        text, ratio = pg_report.throughput(rounds)
        print(text)
        return ratio

    def fresh(self):
        store = PgStore(self.server)
        store.psql(f"SELECT weir_ledger_ensure_day(1796032800000 + n * {pg_rows.DAY_MS}) FROM "
                   f"generate_series(0, 1) AS n")
        store.psql("CHECKPOINT")
        return store

    def moved(self, spool, lines=None):
        """Seconds; the spool is used up, so each run has one of its own."""
        store = self.fresh()
        own = self.folder / "own"
        shutil.copytree(spool, own)
        seconds, count = self.ledger("move", own, store.url()).split()
        shutil.rmtree(own)
        if int(count) != self.options.moved_rows:
            raise ServerError(f"{count} rows arrived of {self.options.moved_rows}")
        if lines:
            self.columns = store.psql(
                "SELECT string_agg(attname, ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = "
                "'call_ledger'::regclass "
                "AND attnum > 0 AND attgenerated = '' AND attname NOT IN ('row', 'xact')"
            )
            self.psql(store, f"\\copy (SELECT {self.columns} FROM call_ledger ORDER BY row) TO '{lines}'")
        self.drop(store)
        return float(seconds)

    def copied(self, lines):
        store = self.fresh()
        told = self.psql(store, f"\\copy call_ledger ({self.columns}) FROM '{lines}'")
        self.drop(store)
        return float(told.split("Time: ")[1].split()[0]) / 1000

    def drop(self, store):
        store.close()
        self.server.psql(f"DROP DATABASE {store.name} WITH (FORCE)", database="postgres")

    # Questions to a large ledger

    def queries(self):
        store = PgStore(self.server)
        self.fill(store)
        asked = QUESTIONS + REPORTS
        script = "".join(f"{name} {self.options.asked if name in QUESTIONS else 3}\n" for name in asked)
        answers = []
        for name, line in zip(asked, self.ledger("ask", store.url(), DAYS, input=script).splitlines(), strict=True):
            *times, rows = line.split()
            answers.append((name, list(map(float, times)), int(rows)))
        answers.insert(-len(REPORTS), self.console(store))
        text, slow = pg_report.queries(answers, BOUND_MS)
        print(text)
        self.drop(store)
        return [name for name in slow if name not in REPORTS]

    def fill(self, store):
        start = time.monotonic()
        now_ms = int(time.time() * 1000)
        today_ms = now_ms // pg_rows.DAY_MS * pg_rows.DAY_MS
        rows = max(self.options.rows // DAYS, 1)

        def make(number):
            length_ms = now_ms - today_ms if number == 0 else pg_rows.DAY_MS
            part = max(rows * length_ms // pg_rows.DAY_MS, 1)
            script = pg_rows.day(number, today_ms - number * pg_rows.DAY_MS, length_ms, part)
            self.psql(store, "SET synchronous_commit = off; SET jit = off;" + script)
            name = store.psql(f"SELECT weir_ledger_day({today_ms - number * pg_rows.DAY_MS})")
            self.psql(store, f"VACUUM (ANALYZE) {name};")

        with ThreadPoolExecutor(2) as makers:
            list(makers.map(make, range(DAYS - 1, -1, -1)))
        self.psql(store, pg_rows.unsettled(now_ms))
        for table in ("route_10s", "route_minute", "route_10min", "route_6h_settled", "ledger_total"):
            self.psql(store, f"VACUUM (ANALYZE) {table};")
        size = store.psql(f"SELECT count(*), pg_size_pretty(pg_database_size('{store.name}')) FROM "
                          f"call_ledger")
        print(f"{size.replace('|', ' attempts, ')}, made in {time.monotonic() - start:.0f} s", flush=True)

    def console(self, store):
        now_ms = int(time.time() * 1000)
        hour_ms = now_ms - 3_600_000
        script = "\\o /dev/null\n"
        for _ in range(self.options.asked):
            script += CONSOLE.format("route_minute", now_ms - pg_rows.DAY_MS, hour_ms)
            script += CONSOLE.format("route_10s", hour_ms, now_ms)
        told = [float(part.split()[0]) for part in self.psql(store, script).split("Time: ")[1:]]
        times = [sum(told[place : place + 2]) for place in range(0, len(told), 2)]
        rows = store.psql(f"SELECT count(*) FROM route_minute WHERE started_at_ms >= "
                          f"{now_ms - pg_rows.DAY_MS}")
        return ("console_24h", times, int(rows))

    # Heartbeats

    def heartbeats(self):
        store = PgStore(self.server)
        script = self.folder / "beat.sql"
        script.write_text(BEAT.format(agents=self.options.agents))
        seconds = self.options.seconds
        for label, more in (("each on the disk", []), ("synchronous_commit off", ["-c", "synchronous_commit=off"])):
            store.psql("SELECT pg_stat_reset()")
            done = subprocess.run(
                [self.server.bin / "pgbench", "-n", "-f", script, "-c", "16", "-j", "2", "-T", str(seconds), store.url()],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=True,
                env={"PGOPTIONS": " ".join(more), "PATH": "/usr/bin:/bin"},
            )
            rate = float(done.stdout.split("tps = ")[1].split()[0])
            time.sleep(1)
            hot, dead, size = store.psql(
                "SELECT round(100.0 * n_tup_hot_upd / greatest(n_tup_upd, 1), 1), n_dead_tup, "
                "pg_relation_size('agent_state') / 8192 FROM pg_stat_user_tables WHERE relname = "
                "'agent_state'"
            ).split("|")
            print(f"{label}: {rate:.0f} heartbeats/s of {self.options.agents} agents, who need "
                  f"{self.options.agents}; "
                  f"{hot} % inside their page, {dead} dead rows left, {size} pages")  # fmt: skip
        self.drop(store)
        return rate


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("parts", nargs="*", default=["throughput", "queries", "heartbeats"])
    parser.add_argument("--bin-dir", type=pathlib.Path, required=True, help="the build's bin folder")
    parser.add_argument("--rounds", type=int, default=5, help="of the throughput")
    parser.add_argument("--moved-rows", type=int, default=200_000, help="of the throughput")
    parser.add_argument("--rows", type=int, default=1_000_000, help="of the ledger that is asked")
    parser.add_argument("--asked", type=int, default=40, help="times each question is asked")
    parser.add_argument("--agents", type=int, default=500, help="who send heartbeats")
    parser.add_argument("--seconds", type=int, default=10, help="of heartbeats")
    parser.add_argument("--quick", action="store_true", help="a smoke test of half a minute")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.moved_rows, options.rows, options.asked, options.seconds = 1, 5000, 100_000, 3, 2
    failed = []
    try:
        with PrivatePostgres(options=OPTIONS) as server, tempfile.TemporaryDirectory() as folder:
            bench = Bench(options, server, pathlib.Path(folder))
            if "throughput" in options.parts and bench.throughput() < 0.7:
                failed.append("the agent's writer reaches less than 0.7 of psql's \\copy")
            slow = bench.queries() if "queries" in options.parts else []
            if slow:
                failed.append(f"p95 over {BOUND_MS} ms: {', '.join(slow)}")
            if "heartbeats" in options.parts and bench.heartbeats() < options.agents:
                failed.append("too few heartbeats")
    except (ServerError, OSError, subprocess.SubprocessError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    for each in failed:
        print(f"bench: {each}", file=sys.stderr)
    # A smoke test only asks whether it runs.
    return 1 if failed and not options.quick else 0


if __name__ == "__main__":
    sys.exit(main())
