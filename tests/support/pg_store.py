# SPDX-License-Identifier: Apache-2.0
"""The store's schema in a private Postgres, without any Weir: made from resources/sql, used by psql."""

import contextlib
import itertools
import os
import queue
import re
import subprocess
import threading
from pathlib import Path

from private_server import START_S
from servers import ServerError

SQL = Path(__file__).resolve().parents[2] / "resources" / "sql"
VERSIONS = """
CREATE TABLE schema_version (version bigint NOT NULL PRIMARY KEY, name text NOT NULL,
    applied_at text NOT NULL, applied_at_ms bigint NOT NULL);
"""
FIRST_ROWS = """
INSERT INTO routing_switch (id, mode, version, reason, updated_by) VALUES (1, 'fixed', 1, 'first', 'agent');
INSERT INTO routing_settings (id, objective, cost_weight, speed_weight, slow_factor, switch_margin,
    exploration_share, exploration_cap, pin_seconds, max_premium, version, updated_by, reason)
VALUES (1, 'score', 0.7, 0.3, 3, 0.05, 0.05, 0.2, 300, 1.75, 1, 'agent', 'first');
"""
DAY_MS = 86_400_000


def migrations(engine):
    """The texts of resources/sql in their order, by file name."""
    return {file.stem: file.read_text() for file in sorted((SQL / engine).glob("*.sql"))}


def attempt_row(**columns):
    """An INSERT of one attempt into the ledger."""
    row = {
        "request_id": "r1", "attempt": 1, "agent": "a", "service": "s", "task_id": "t", "task_type": "default",
        "conversation": "", "model": "m", "provider": "p", "route": "p/m", "protocol": "openai", "stream": 0,
        "started_at_ms": 1_796_032_800_000, "duration_ms": 10, "outcome": "ok", "finish_reason": "stop",
        "tokens_estimated": 0, "explored": 0, "pinned": 0, "spilled": 0, "hedged": 0, "single_shot": 0,
        "usage_inconsistent": 0, "shadow_choice": 0, "mode": "fixed", "reason": "fixed", "level": 0,
        "snapshot_id": "", "settings_version": 1, "switch_version": 1, "seed": 1, "eligible_mask": 1,
        "held_mask": 0, **columns,
    }  # fmt: skip
    values = ", ".join("NULL" if value is None else repr(value) for value in row.values())
    return f"INSERT INTO call_ledger ({', '.join(row)}) VALUES ({values})"


def history_row(table, started_at_ms, agent="a", **columns):
    """An INSERT of one step into a table of the history."""
    named = re.findall(r"(\w+) +bigint +NOT NULL", migrations("postgres")["0004_history"])
    row = {"agent": agent, "model": "m", "provider": "p", "task_type": "t", "ttft_us": "", "milli_tps": ""}
    row |= dict.fromkeys(named, 0) | {"started_at_ms": started_at_ms} | columns
    return f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join(map(repr, row.values()))})"


class PgStore:
    """A database with the whole schema and the first rows, owned by `owner`. `said`: what the server
    warned of."""

    _numbers = itertools.count(1)

    def __init__(self, server, owner="postgres"):
        self.server = server
        self.name = f"store{next(self._numbers)}"
        self._shells = {}
        if owner != "postgres":
            server.psql(f"CREATE DATABASE {self.name} OWNER {owner}", database="postgres")
            self.said = self.migrate(owner=owner)
            return
        # Made once a server, and then copied, which takes a fifth of the time.
        if not hasattr(server, "store_said"):
            name, self.name = self.name, "store_template"
            server.psql(f"CREATE DATABASE {self.name}", database="postgres")
            server.store_said = self.migrate()
            self.name = name
        server.psql(f"CREATE DATABASE {self.name} TEMPLATE store_template", database="postgres")
        self.said = server.store_said

    @staticmethod
    def forget(server):
        """What is copied has been dropped."""
        if hasattr(server, "store_said"):
            del server.store_said

    def close(self):
        """Its own connections."""
        for shell in self._shells.values():
            shell.close()
        self._shells.clear()

    def migrate(self, schema="public", owner="postgres"):
        """Returns what the server warned of."""
        if schema != "public":
            self.psql(f"CREATE SCHEMA IF NOT EXISTS {schema} AUTHORIZATION {owner}")
        # As the agent does: a connection with this search_path, everything in one transaction.
        script = f"SET search_path = {schema}; BEGIN;" + VERSIONS
        for number, (name, sql) in enumerate(migrations("postgres").items(), 1):
            script += f"{sql}; INSERT INTO schema_version VALUES ({number}, '{name}', '', 0);"
        script += FIRST_ROWS + "COMMIT;"
        return self._run(script, owner).stderr

    def url(self, user="postgres"):
        return self.server.url(user=user, database=self.name)

    def psql(self, sql, user="postgres"):
        """As the server's, without a new connection each time."""
        try:
            return self._shell(user, "ON_ERROR_STOP=1").run(f"{sql}; DISCARD ALL")
        except ServerError:
            self._shells.pop((threading.get_ident(), user, "ON_ERROR_STOP=1")).close()
            raise

    def rows(self, query, user="postgres"):
        return self.server.rows(query, user=user, database=self.name)

    def refusal(self, sql, user="postgres"):
        """The server's complaint of one transaction, with its SQLSTATE and its constraint; "" where it
        did as told."""
        said = self._shell(user, "VERBOSITY=verbose").run(f"BEGIN; {sql}; COMMIT; DISCARD ALL")
        return said if "ERROR:" in said else ""

    def _shell(self, user, variable):
        """One that stays: most of a psql's time is its start."""
        key = (threading.get_ident(), user, variable)
        if key not in self._shells:
            self._shells[key] = Session(self.server, self.url(user), "-v", variable)
        return self._shells[key]

    def session(self, user="postgres"):
        return Session(self.server, self.url(user))

    def _run(self, script, user):
        words = [self.server.bin / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1"]
        done = subprocess.run(
            [*map(str, words), self.url(user)],
            input=script,
            capture_output=True,
            text=True,
            timeout=START_S,
            check=False,
        )
        if done.returncode != 0:
            raise ServerError(done.stderr.strip())
        return done


class Session:
    """A psql that stays: transactions left open, locks held, notifications received."""

    _marks = itertools.count(1)

    def __init__(self, server, url, *words):
        self._psql = subprocess.Popen(
            [str(server.bin / "psql"), "-XAtq", *words, url],
            # What is not worse than a warning is not said.
            env={**os.environ, "PGOPTIONS": "-c client_min_messages=error"} if words else None,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._lines = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._psql.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def send(self, sql):
        """Starts it; `answer()` waits for its end."""
        mark = f"-- done {next(self._marks)}"
        self._psql.stdin.write(f"{sql};\n\\echo '{mark}'\n")
        self._psql.stdin.flush()
        self._mark = mark

    def answer(self):
        lines = []
        while True:
            line = self._lines.get(timeout=START_S)
            if line is None:
                raise ServerError("\n".join(lines))
            if line == self._mark:
                return "\n".join(lines)
            lines.append(line)

    def run(self, sql):
        self.send(sql)
        return self.answer()

    def notifications(self):
        """Those that came since the last time, as "channel: payload"."""
        told = [line for line in self.run("SELECT").splitlines() if line]
        return [line.split('"')[1] + ": " + line.split('"')[3] for line in told]

    def close(self):
        with contextlib.suppress(BrokenPipeError):
            self._psql.stdin.close()
        self._psql.wait(START_S)
        self._reader.join(START_S)
        self._psql.stdout.close()
