# SPDX-License-Identifier: Apache-2.0
"""A private Postgres and a private Redis on free ports of the loopback, with verbs to break them.

As classes for tests in Python; as a program for everybody else:

    servers.py [--postgres] [--redis] -- COMMAND…

sets WEIR_TEST_POSTGRES and WEIR_TEST_REDIS to the URLs, runs the command, takes the servers away
whatever happens, and returns the command's code. Standard library only; nothing of the system's own
servers is touched."""

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import zlib
from pathlib import Path

from private_server import SIGNALS, START_S, PrivateServer, ServerError, program

BUILD = Path(__file__).resolve().parents[2] / "build"


class PrivatePostgres(PrivateServer):
    """A Postgres of its own, nothing synced to the disk (a killed server loses nothing by that, a
    killed machine would). Everybody on the loopback is trusted; where `password` is given, every user
    needs a password, and `postgres` has this one. `options` are settings of the server."""

    ready = "ready to accept connections"

    def __init__(self, password=None, options=None):
        self.password = password
        self.options = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "fsync": "off",
            "full_page_writes": "off",
            "shared_buffers": "32MB",
            "dynamic_shared_memory_type": "mmap",
            "max_connections": 200,
            "timezone": "UTC",
            **(options or {}),
        }
        newest = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda bin: float(bin.parts[-2]))
        self.bin = Path(program("initdb", *map(str, reversed(newest)))).resolve().parent
        super().__init__("postgres")

    def set_up(self):
        """Making a cluster takes a second of a processor, copying one the fifth of it: those without a
        password are copies of one that is kept with what was built."""
        user = self._owner[0] if self._owner else os.geteuid()
        kept = BUILD / f"empty-postgres-{zlib.crc32(str(self.bin).encode()):08x}-of-{user}"
        if self.password or not os.access(BUILD, os.W_OK):
            self._make()
        elif kept.is_dir():
            self._copy(kept, self.folder / "data")
        else:
            self._make()
            own = BUILD / f"{kept.name}.{self.folder.name}"
            self._copy(self.folder / "data", own)
            try:
                own.rename(kept)
            except OSError:
                # Another test was faster.
                shutil.rmtree(own)

    @staticmethod
    def _copy(cluster, to):
        subprocess.run(["cp", "-a", cluster, to], check=True)

    def _make(self):
        secret = self.folder / "password"
        secret.write_text(self.password or "unused")
        secret.chmod(0o644)
        words = [self.bin / "initdb", "-D", self.folder / "data", "-U", "postgres", "-E", "UTF8"]
        words += ["--no-sync", "--no-instructions", "--locale=C.UTF-8", f"--pwfile={secret}"]
        words += ["-A", "scram-sha-256" if self.password else "trust"]
        made = self._spawn(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said, _ = made.communicate()
        secret.unlink()
        if made.returncode != 0:
            raise ServerError(f"initdb: {said.decode(errors='replace')[-2000:]}")

    def command(self):
        words = [self.bin / "postgres", "-D", self.folder / "data", "-p", self.port]
        for name, value in self.options.items():
            words += ["-c", f"{name}={value}"]
        return words

    def forget(self):
        shutil.rmtree(self.folder / "data")
        self.set_up()

    def fill(self):
        self.psql("CREATE DATABASE weir", database="postgres")

    def url(self, user="postgres", password=None, database="weir", port=None):
        """`port`: of a gateway before it. The superuser's password is added by itself."""
        secret = password or (self.password if user == "postgres" else None)
        who = f"{user}:{secret}" if secret else user
        return f"postgresql://{who}@127.0.0.1:{port or self.port}/{database}"

    def psql(self, sql, **where):
        """What psql prints, unaligned and without headings; `where` as for url()."""
        words = [self.bin / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", self.url(**where)]
        done = subprocess.run(
            list(map(str, words)),
            input=sql,
            env={**os.environ, "PGCONNECT_TIMEOUT": "5", "PGCLIENTENCODING": "UTF8"},
            capture_output=True,
            text=True,
            timeout=START_S,
            check=False,
        )
        if done.returncode != 0:
            raise ServerError(f"psql: {done.stderr.strip()}")
        return done.stdout.strip("\n")

    def rows(self, query, **where):
        """The rows of a query as dictionaries; numbers beyond JSON's are text in the query."""
        found = self.psql(f"SELECT coalesce(json_agg(each), '[]') FROM ({query}) AS each", **where)
        return json.loads(found)

    def read_only(self, is_on=True):
        """As a server that was made a standby: reads work, each write fails with 25006."""
        word = "on" if is_on else "off"
        self.psql(f"ALTER SYSTEM SET default_transaction_read_only = {word}")
        self.psql("SELECT pg_reload_conf()")


class PrivateRedis(PrivateServer):
    """A Redis of its own that writes nothing down: who kills it gets it back empty. `options` are
    lines of its configuration, e.g. {"maxmemory": "2mb"}."""

    ready = "Ready to accept connections"

    def __init__(self, options=None):
        self.options = {"bind": "127.0.0.1", "save": "", "appendonly": "no", **(options or {})}
        self.bin = program("redis-server")
        super().__init__("redis")

    def command(self):
        words = [self.bin, "--port", self.port, "--dir", self.folder, "--daemonize", "no"]
        for name, value in self.options.items():
            words += [f"--{name}", value]
        return words

    def start(self):
        super().start()
        # Read by now; it must not come back at a later start.
        self.forget()

    def forget(self):
        (self.folder / "dump.rdb").unlink(missing_ok=True)

    def restart(self, empty=False):
        if self.is_running() and not empty:
            self.resume()
            self.redis_cli("SAVE")
        super().restart(empty)

    def url(self, user=None, password=None, port=None):
        secret = password or self.options.get("requirepass")
        who = f"{user or ''}:{secret}@" if secret else ""
        return f"redis://{who}127.0.0.1:{port or self.port}"

    def redis_cli(self, *arguments):
        """What redis-cli prints of one command; fails where the server answers with an error."""
        words = [program("redis-cli"), "-e", "--raw", "-u", self.url(), "--no-auth-warning"]
        done = subprocess.run(
            [*words, *map(str, arguments)],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=START_S,
            check=False,
        )
        if done.returncode != 0:
            raise ServerError(f"redis-cli: {(done.stderr or done.stdout).strip()}")
        return done.stdout.strip("\n")


def run(command, env):
    """The command's code, as a shell would say it; the signals meant for us are passed on."""
    child = subprocess.Popen(command, env={**os.environ, **env})
    for number in SIGNALS:
        signal.signal(number, lambda number, _: child.send_signal(number))
    code = child.wait()
    return code if code >= 0 else 128 - code


def main():
    parser = argparse.ArgumentParser(description="Runs a command with servers of its own.")
    parser.add_argument("--postgres", action="store_true", help="sets WEIR_TEST_POSTGRES")
    parser.add_argument("--redis", action="store_true", help="sets WEIR_TEST_REDIS")
    parser.add_argument("command", nargs="+", metavar="COMMAND")
    options = parser.parse_args()
    for number in SIGNALS:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        with contextlib.ExitStack() as servers:
            env = {}
            if options.postgres:
                env["WEIR_TEST_POSTGRES"] = servers.enter_context(PrivatePostgres()).url()
            if options.redis:
                env["WEIR_TEST_REDIS"] = servers.enter_context(PrivateRedis()).url()
            return run(options.command, env)
    except (ServerError, OSError) as error:
        print(f"servers: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
