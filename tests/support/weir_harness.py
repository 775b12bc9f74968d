# SPDX-License-Identifier: Apache-2.0
"""Starts a real weir-agent and scripted providers on free ports and looks at them from outside.

Standard library only. Programs are found in $WEIR_BIN_DIR (the build's bin/). Everything waits for a
condition, with a bound; nothing sleeps and hopes."""

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from agent_config import Config

BIN_DIR = Path(os.environ.get("WEIR_BIN_DIR", "bin"))
# Generous, because a loaded machine or a sanitizer build is slow; nothing waits for it to pass.
PATIENCE_S = float(os.environ.get("WEIR_PATIENCE_S", "30"))


def wait_until(condition, what, patience_s=PATIENCE_S):
    """The first true value of condition(); fails with `what` when the patience is over."""
    end = time.monotonic() + patience_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {patience_s:.0f} s in vain for {what}")
        time.sleep(0.02)


def dead_port():
    """A port on which nobody listens: bound once, so nobody else is likely to get it soon."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Answer:
    """One HTTP answer, read whole. `complete` is False where the body was cut."""

    def __init__(self, status, headers, body, complete):
        self.status = status
        self.headers = headers
        self.body = body
        self.complete = complete

    def json(self):
        return json.loads(self.body)

    def events(self):
        """The data of each server-sent event."""
        lines = self.body.decode().replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return [line[6:] for line in lines if line.startswith("data: ")]


def request(port, method, path, body=None, headers=None, timeout=PATIENCE_S, host="127.0.0.1"):
    """One request on a connection of its own. `body` may be bytes, or anything JSON can hold."""
    connection = http.client.HTTPConnection(host, port, timeout=timeout)
    try:
        raw = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        connection.request(method, path, raw, headers or {})
        answer = connection.getresponse()
        complete = True
        try:
            data = answer.read()
        except (http.client.IncompleteRead, ConnectionError) as cut:
            data, complete = getattr(cut, "partial", b""), False
        return Answer(answer.status, answer.headers, data, complete)
    finally:
        connection.close()


class Process:
    """A child whose output is collected line by line while it runs."""

    def __init__(self, arguments, env=None):
        self.lines = []
        self._changed = threading.Condition()
        self._is_told = False
        self.popen = subprocess.Popen(
            [str(argument) for argument in arguments],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.popen.stdout:
            with self._changed:
                self.lines.append(line.decode(errors="replace").rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    def output(self):
        with self._changed:
            return "\n".join(self.lines)

    def wait_line(self, pattern, start=0, patience_s=PATIENCE_S):
        """The match in the first line from `start` on that has one."""
        end = time.monotonic() + patience_s
        with self._changed:
            at = start
            while True:
                while at < len(self.lines):
                    match = re.search(pattern, self.lines[at])
                    if match:
                        return match
                    at += 1
                left = end - time.monotonic()
                if left <= 0 or (self.popen.poll() is not None and not self._reader.is_alive()):
                    shown = "\n".join(self.lines[-30:])
                    raise AssertionError(f"no line matched {pattern!r} in:\n{shown}")
                self._changed.wait(min(left, 0.2))

    def begin_stop(self):
        """SIGTERM, without waiting for what comes of it; once, since a second one means haste."""
        if self.popen.poll() is None and not self._is_told:
            self._is_told = True
            self.popen.terminate()

    def stop(self, patience_s=PATIENCE_S):
        if self.popen.poll() is None:
            self.begin_stop()
            try:
                self.popen.wait(patience_s)
            except subprocess.TimeoutExpired:
                self.popen.kill()
                self.popen.wait()
                raise AssertionError(f"{self.popen.args[0]} did not end on SIGTERM")
        self._reader.join(patience_s)
        self.popen.stdout.close()
        return self.popen.returncode


class FakeProvider:
    """A weir-fake-provider and its control port."""

    def __init__(self, script=None, tls=None):
        arguments = [BIN_DIR / "weir-fake-provider", "--port", "0", "--control-port", "0"]
        arguments += ["--set", json.dumps(script or {})]
        if tls:
            arguments += ["--tls-cert", tls[0], "--tls-key", tls[1]]
        self.process = Process(arguments)
        self.control_port = int(self.process.wait_line(r"^control .*:(\d+)$").group(1))
        self.port = int(self.process.wait_line(r"^listening .*:(\d+)$").group(1))

    def script(self, **keys):
        answer = request(self.control_port, "POST", "/_control", keys)
        assert answer.status == 200, answer.body
        return answer.json()

    def reset(self, **keys):
        """Back to the script of the start, counters at 0; then `keys`."""
        assert request(self.control_port, "POST", "/_reset", {}).status == 200
        if keys:
            self.script(**keys)

    def stats(self):
        return request(self.control_port, "GET", "/_stats").json()

    def requests(self, limit=1):
        return request(self.control_port, "GET", f"/_requests?limit={limit}").json()["requests"]

    def stop(self):
        return self.process.stop()


class Agent:
    """A weir-agent with a data directory of its own; kill() and start() again keep the directory."""

    def __init__(self, config, directory, keys=None, start=True):
        self.config = config
        self.directory = Path(directory)
        self.file = self.directory / "weir.toml"
        self.data_dir = self.directory / "data"
        self.data_dir.mkdir(parents=True, exist_ok=True)
        self.keys = keys or {}
        self.logs = []
        self.process = None
        self.write_config()
        if start:
            self.start()

    def write_config(self, text=None):
        self.file.write_text(text if text is not None else self.config.text())

    def environment(self):
        env = dict(os.environ)
        for name in self.config.providers:
            env[f"KEY_{name.upper()}"] = f"sk-{name}"
        env.update(self.keys)
        return env

    def command(self, *more):
        program = BIN_DIR / "weir-agent"
        return [program, "--config", self.file, "--data-dir", self.data_dir, *more]

    def start(self):
        self.process = Process(self.command(), self.environment())
        ready = self.process.wait_line(r"event=ready .*listen=\S+:(\d+) admin=\S+:(\d+)")
        self.port, self.admin_port = int(ready.group(1)), int(ready.group(2))

    def check(self):
        return subprocess.run(
            [str(each) for each in self.command("--check")],
            env=self.environment(),
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )

    def post(self, path, body, headers=None, **more):
        return request(self.port, "POST", path, body, headers, **more)

    def chat(self, model="m", stream=False, text="hi there", headers=None, **more):
        body = {"model": model, "messages": [{"role": "user", "content": text}], "stream": stream}
        body.update(more)
        return self.post("/v1/chat/completions", body, headers)

    def message(self, model="m", stream=False, text="hi there", headers=None, **more):
        body = {
            "model": model,
            "max_tokens": 100,
            "messages": [{"role": "user", "content": text}],
            "stream": stream,
        }
        body.update(more)
        return self.post("/v1/messages", body, headers)

    def admin(self, path):
        return request(self.admin_port, "GET", path)

    def status(self):
        return self.admin("/admin/v1/status").json()

    def ctl(self, *arguments, code=0):
        """What weirctl prints of this agent and its store; fails unless it ends with `code`."""
        places = ["--data-dir", self.data_dir, "--agent", f"http://127.0.0.1:{self.admin_port}"]
        done = subprocess.run(
            [str(each) for each in (BIN_DIR / "weirctl", *arguments, *places)],
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def turn(self, mode):
        """Turns the switch and waits until the agent runs by it: adaptive needs a summary first."""
        self.ctl("mode", "set", mode, "--reason", "test")
        wait_until(lambda: self.status()["effective_mode"] == mode, f"{mode} mode")

    def ledger(self, where="1", *values):
        """Rows of call_ledger as dictionaries, in the order of attempts."""
        uri = f"file:{self.data_dir / 'weir.db'}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=10)) as database:
            database.row_factory = sqlite3.Row
            rows = database.execute(
                f"SELECT * FROM call_ledger WHERE {where} "
                "ORDER BY started_at_ms, request_id, attempt",
                values,
            )
            return [dict(row) for row in rows]

    def attempts(self, answer, count=None):
        """The ledger rows of one answered request, once all `count` of them are there."""
        request_id = answer.headers["X-Weir-Request-Id"]
        wanted = count or int(answer.headers["X-Weir-Attempts"])

        def rows():
            found = self.ledger("request_id = ?", request_id)
            return found if len(found) >= wanted else None

        return wait_until(rows, f"{wanted} ledger rows of {request_id}")

    def rss_bytes(self):
        text = Path(f"/proc/{self.process.popen.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", text).group(1)) * 1024

    def signal(self, number):
        self.process.popen.send_signal(number)

    def kill(self):
        self.process.popen.kill()
        self.process.popen.wait()
        self.process.stop()
        self.logs.append(self.process.output())

    def begin_stop(self):
        """As the first half of stop()."""
        if self.process is not None:
            self.process.begin_stop()

    def stop(self):
        if self.process is None:
            return 0
        code = self.process.stop()
        self.logs.append(self.process.output())
        self.process = None
        return code

    def log(self):
        """Everything all its processes ever printed."""
        return "\n".join(self.logs + ([self.process.output()] if self.process else []))


class World(contextlib.ExitStack):
    """Providers, agents and a directory that go away together."""

    def __init__(self):
        super().__init__()
        self.directory = Path(tempfile.mkdtemp(prefix="weir-test-"))
        self.callback(shutil.rmtree, self.directory, True)
        self._agents = []

    def __exit__(self, *error):
        # All at once, since most of an end is waiting; then one by one, as for each other end.
        for agent in self._agents:
            agent.begin_stop()
        return super().__exit__(*error)

    def fake(self, script=None, tls=None):
        provider = FakeProvider(script, tls)
        self.callback(provider.stop)
        return provider

    def agent(self, config, keys=None, start=True):
        directory = self.directory / f"agent{len(self._agents) + 1}"
        return self.look_after(Agent(config, directory, keys, start))

    def look_after(self, agent):
        self._agents.append(agent)
        self.callback(agent.stop)
        return agent


SIGHUP = signal.SIGHUP
SIGTERM = signal.SIGTERM
