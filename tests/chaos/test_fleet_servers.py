# SPDX-License-Identifier: Apache-2.0
"""The private servers and the relays before them do to their users what the fleet's tests need."""

import os
import socket
import subprocess
import sys
import time
import unittest
from pathlib import Path

import servers
from gateway import Gateway
from private_server import members
from servers import PrivatePostgres, PrivateRedis, ServerError
from weir_harness import PATIENCE_S, wait_until


class Servers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.postgres = PrivatePostgres(password="the password")
        cls.addClassCleanup(cls.postgres.close)
        cls.redis = PrivateRedis()
        cls.addClassCleanup(cls.redis.close)

    def connect(self, port):
        """A Redis connection that answers PING, bounded."""
        stream = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self.addCleanup(stream.close)
        return stream

    def ping(self, stream, timeout=PATIENCE_S):
        stream.settimeout(timeout)
        stream.sendall(b"PING\r\n")
        return stream.recv(100)

    def test_postgres_keeps_what_it_has_through_all_but_emptying(self):
        self.postgres.psql("CREATE TABLE t (n int); INSERT INTO t VALUES (1)")
        self.postgres.kill()
        self.assertEqual(members(self.postgres.folder), [])
        with self.assertRaisesRegex(ServerError, "refused"):
            self.postgres.psql("TABLE t")
        self.postgres.start()
        self.postgres.restart()
        self.postgres.pause()
        self.postgres.stop()
        self.postgres.start()
        self.assertEqual(self.postgres.rows("SELECT n FROM t"), [{"n": 1}])
        self.postgres.read_only()
        with self.assertRaisesRegex(ServerError, "read-only"):
            self.postgres.psql("INSERT INTO t VALUES (2)")
        self.postgres.read_only(False)
        self.postgres.psql("INSERT INTO t VALUES (2)")
        with self.assertRaisesRegex(ServerError, "password"):
            self.postgres.psql("TABLE t", password="another")
        self.postgres.restart(empty=True)
        with self.assertRaisesRegex(ServerError, "does not exist"):
            self.postgres.psql("TABLE t")

    def test_redis_comes_back_with_all_or_empty(self):
        self.redis.redis_cli("SET", "a", "1")
        self.redis.restart()
        self.assertEqual(self.redis.redis_cli("GET", "a"), "1")
        self.redis.kill()
        self.redis.start()
        self.assertEqual(self.redis.redis_cli("DBSIZE"), "0")
        with self.assertRaisesRegex(ServerError, "unknown command"):
            self.redis.redis_cli("NONSENSE")

    def test_a_paused_server_accepts_and_does_not_answer(self):
        stream = self.connect(self.redis.port)
        self.assertEqual(self.ping(stream), b"+PONG\r\n")
        self.redis.pause()
        with self.assertRaises(TimeoutError):
            self.ping(stream, 0.2)
        self.connect(self.redis.port)
        self.redis.resume()
        stream.settimeout(PATIENCE_S)
        self.assertEqual(stream.recv(100), b"+PONG\r\n")

    def test_a_relay_takes_the_network_away_and_gives_it_back(self):
        with Gateway(self.redis.port) as relay:
            stream = self.connect(relay.port)
            self.assertEqual(self.ping(stream), b"+PONG\r\n")
            began = time.monotonic()
            relay.slow(200)
            self.ping(stream)
            self.assertGreaterEqual(time.monotonic() - began, 0.2)
            relay.black_hole()
            with self.assertRaises(TimeoutError):
                self.ping(stream, 0.2)
            late = self.connect(relay.port)
            with self.assertRaises(TimeoutError):
                self.ping(late, 0.2)
            relay.relay()
            for each in (stream, late):
                each.settimeout(PATIENCE_S)
                self.assertEqual(each.recv(100), b"+PONG\r\n")
            relay.cut()
            with self.assertRaises(ConnectionResetError):
                self.ping(stream)
            again = self.connect(relay.port)
            self.ping(again)
            relay.refuse()
            with self.assertRaises(ConnectionResetError):
                self.ping(again)
            with self.assertRaises(ConnectionRefusedError):
                self.connect(relay.port)
            relay.relay()
            self.ping(self.connect(relay.port))
            self.assertEqual(relay.accepted, 4)

    def test_the_program_runs_a_command_and_clears_up(self):
        show = "import os; print(os.environ['WEIR_TEST_POSTGRES'], os.environ['WEIR_TEST_REDIS'])"
        command = [sys.executable, "-B", servers.__file__, "--postgres", "--redis", "--"]
        done = subprocess.run(
            [*command, sys.executable, "-c", f"{show}; raise SystemExit(7)"],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertRegex(done.stdout, r"^postgresql://\S+/weir redis://127\.0\.0\.1:\d+\n$")
        for url in done.stdout.split():
            port = int(url.rpartition(":")[2].partition("/")[0])
            with self.assertRaises(ConnectionRefusedError):
                self.connect(port)

    def test_nothing_is_left_of_one_who_is_killed(self):
        code = "import servers, sys; s = servers.PrivatePostgres(); print(s.folder, flush=True)"
        child = subprocess.Popen(
            [sys.executable, "-B", "-c", f"{code}; sys.stdin.read()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.path.dirname(servers.__file__)},
        )
        folder = Path(child.stdout.readline().strip())
        self.assertTrue(members(folder))
        child.kill()
        child.communicate()
        wait_until(lambda: not folder.exists(), "the folder to go")
        self.assertEqual(members(folder), [])


if __name__ == "__main__":
    unittest.main()
