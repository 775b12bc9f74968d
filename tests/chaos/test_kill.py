# SPDX-License-Identifier: Apache-2.0
"""kill -9 under load: what was answered longer ago than the spool's flush bound is in the ledger
exactly once."""

import http.client
import os
import threading
import time
import unittest

from weir_harness import Config, World, request, wait_until

KILLS = int(os.environ.get("WEIR_KILLS", "8"))
CALLS_BEFORE_KILL = 25
CLIENTS = 4
# The flush bound is 20 ms after the record (agent/store/spool.h); the rest is for a machine whose
# processors are busy with something else.
BOUND_S = 0.020 + 0.130


class Load:
    """Clients that ask without a pause, and note every answer that they got whole."""

    def __init__(self, agent):
        self.agent = agent
        self.answers = []  # (request id, attempts, when its last byte was here)
        self.stopped = threading.Event()
        self.up = threading.Event()
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.run, args=(at,)) for at in range(CLIENTS)]

    def run(self, client):
        count = client
        while not self.stopped.is_set():
            if not self.up.wait(0.1):
                continue
            count += 1
            body = {
                "model": "m",
                "messages": [{"role": "user", "content": f"question {count}"}],
                "stream": count % 2 == 0,
            }
            try:
                answer = request(self.agent.port, "POST", "/v1/chat/completions", body)
            except (OSError, http.client.HTTPException):
                continue
            done = time.monotonic()
            if answer.status == 200 and answer.complete:
                found = (
                    answer.headers["X-Weir-Request-Id"],
                    int(answer.headers["X-Weir-Attempts"]),
                    done,
                )
                with self.lock:
                    self.answers.append(found)

    def count(self):
        with self.lock:
            return len(self.answers)

    def owed(self, start, now):
        """The answers from `start` on that the spool must hold at `now`."""
        with self.lock:
            return [each for each in self.answers[start:] if each[2] < now - BOUND_S]


class Kill(unittest.TestCase):
    def test_no_acknowledged_call_is_lost_or_doubled(self):
        with World() as world:
            failing = world.fake({"status": 500, "fault_share": 0.3})
            healthy = world.fake()
            config = Config().provider("p1", failing.port).provider("p2", healthy.port)
            config.model("m", ["p1", "p2"])
            agent = world.agent(config)
            config.agent["listen"] = f"127.0.0.1:{agent.port}"
            agent.write_config()
            load = Load(agent)
            for thread in load.threads:
                thread.start()
            owed = {}
            try:
                for kill in range(KILLS):
                    base = load.count()
                    load.up.set()
                    wait_until(
                        lambda: len(load.owed(base, time.monotonic())) >= CALLS_BEFORE_KILL,
                        "answers",
                    )
                    killed_at = time.monotonic()
                    agent.kill()
                    load.up.clear()
                    for request_id, attempts, _ in load.owed(base, killed_at):
                        owed[request_id] = attempts
                    agent.start()
            finally:
                load.stopped.set()
                for thread in load.threads:
                    thread.join()
            self.assertGreaterEqual(len(owed), KILLS * CALLS_BEFORE_KILL)
            self.check(agent, owed)

    def check(self, agent, owed):
        def missing():
            rows = {}
            for row in agent.ledger():
                rows.setdefault(row["request_id"], []).append(row["attempt"])
            return {each: rows.get(each) for each in owed if each not in rows}, rows

        wait_until(lambda: not missing()[0], "every acknowledged call in the ledger", 10)
        _, rows = missing()
        for request_id, attempts in owed.items():
            self.assertEqual(sorted(rows[request_id]), list(range(1, attempts + 1)), request_id)
        for request_id, attempts in rows.items():
            self.assertEqual(len(attempts), len(set(attempts)), f"{request_id} twice")
        print(f"{KILLS} kills, {len(owed)} calls owed, all of them in the ledger once")


if __name__ == "__main__":
    unittest.main()
