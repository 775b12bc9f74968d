# SPDX-License-Identifier: Apache-2.0
"""Short capacity from outside: a quota that a failover does not break, batch work that is put off before
users feel it, callers that get their fair part, and what a failover would take. Real processes; rates are
kept by an open loop, so that a slow answer does not lower the load."""

import concurrent.futures
import json
import threading
import time
import unittest

import weir_harness as weir

BATCH = {"X-Weir-Priority": "batch"}


class Load:
    """Requests at a steady rate, each a conversation of its own, whatever became of those before."""

    def __init__(self, agent, rps, name, **headers):
        self.agent = agent
        self.gap = 1 / rps
        self.name = name
        self.headers = headers
        self.answers = []
        self._stop = threading.Event()
        self._pool = concurrent.futures.ThreadPoolExecutor(max_workers=24)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _send(self, number):
        started = time.monotonic()
        try:
            answer = self.agent.chat(text=f"{self.name} {number} {started}", headers=self.headers)
            self.answers.append((started, answer.status, answer))
        except OSError as error:
            self.answers.append((started, 0, error))

    def _run(self):
        due = time.monotonic()
        number = 0
        while not self._stop.wait(max(due - time.monotonic(), 0)):
            number += 1
            self._pool.submit(self._send, number)
            due += self.gap

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
        self._pool.shutdown()

    def since(self, start):
        return [answer for answer in list(self.answers) if answer[0] >= start]


def served(answers):
    return sum(1 for _, status, _ in answers if status == 200)


class Capacity(unittest.TestCase):
    def setUp(self):
        self.world = weir.World()
        self.addCleanup(self.world.close)

    def adaptive(self, agent):
        weir.wait_until(lambda: agent.status()["summary"], "a first summary")
        agent.turn("adaptive")

    def config(self, fakes, quotas, **route):
        config = weir.Config()
        config.sections["timing"].update({"summary_interval_s": 1, "summary_max_age_s": 60})
        for name, fake in fakes.items():
            config.provider(name, fake.port)
        config.model("m", list(fakes), **route)
        for each in config.models["m"]:
            if each["provider"] in quotas:
                each["quota"] = quotas[each["provider"]]
        return config

    def assert_quota_kept(self, agent, provider, rps, since_ms):
        """In every ten seconds, from the tenth second on, no more than the quota and one second of it."""
        starts = [
            row["started_at_ms"]
            for row in agent.ledger("provider = ? AND started_at_ms >= ?", provider, since_ms)
        ]
        for first in starts:
            within = sum(1 for start in starts if first <= start < first + 10_000)
            self.assertLessEqual(within, 11 * rps + 2, f"{provider} in ten seconds")

    def assert_replays(self, agent):
        counts = json.loads(agent.ctl("decisions", "replay", "--since", "1h", "--json"))
        self.assertGreater(counts["decisions"], 0)
        self.assertEqual((counts["mismatches"], counts["unreadable"]), (0, 0), counts)

    def test_the_surge_of_a_failover_fits_the_quotas_and_batch_waits(self):
        """Seed document 001 at a fifth: 12 requests a second, 8 of them of users; the secondary may take
        4.5, a third route 6. The primary dies."""
        quotas = {"b": {"rps": 4.5}, "c": {"rps": 6}}
        fakes = {
            "a": self.world.fake({"ttft_ms": 40, "output_tokens": 5}),
            "b": self.world.fake({"ttft_ms": 40, "output_tokens": 5, "capacity_rps": 4.5}),
            "c": self.world.fake({"ttft_ms": 40, "output_tokens": 5, "capacity_rps": 6}),
        }
        config = self.config(fakes, quotas)
        agent = self.world.agent(config)
        self.adaptive(agent)
        with Load(agent, 8, "user") as users, Load(agent, 4, "batch", **BATCH) as batch:
            weir.wait_until(lambda: served(users.answers) > 60, "steady traffic")
            died = time.monotonic()
            died_ms = int(time.time() * 1000)
            fakes["a"].script(status=503)
            weir.wait_until(
                lambda: agent.status()["models"][0]["routes"][0]["breaker"] == "open",
                "the breaker to open",
            )
            switched = time.monotonic()
            before = {name: fake.stats()["statuses"] for name, fake in fakes.items()}
            weir.wait_until(lambda: served(users.since(switched)) >= 8 * 20, "twenty seconds more")
            statuses = {name: fake.stats()["statuses"] for name, fake in fakes.items()}
        failures = [answer for answer in users.since(died) if answer[1] != 200]
        self.assertEqual(failures, [])
        for name in ("b", "c"):
            more = {
                status: count - before[name].get(status, 0) for status, count in statuses[name].items()
            }
            refused = more.get("429", 0)
            self.assertGreater(sum(more.values()), 40, name)
            self.assertLess(refused, 0.01 * sum(more.values()) + 1, f"429s of {name}: {more}")
            self.assert_quota_kept(agent, name, quotas[name]["rps"], died_ms)
        put_off = [answer for _, status, answer in batch.since(switched) if status == 429]
        self.assertGreater(len(put_off), 10)
        self.assertGreater(served(batch.since(switched)), 5, "what fits is served")
        waits = set()
        for answer in put_off:
            self.assertEqual(answer.json()["error"]["code"], "shed")
            waits.add(int(answer.headers["Retry-After"]))
        self.assertGreater(len(waits), 1, "not all come back at once")
        self.assertTrue(all(1 <= wait <= 300 for wait in waits), waits)
        self.assert_replays(agent)

    def test_one_callers_burst_does_not_use_up_the_tier(self):
        fakes = {"a": self.world.fake({"ttft_ms": 20, "output_tokens": 5})}
        agent = self.world.agent(self.config(fakes, {"a": {"rps": 8}}))
        self.adaptive(agent)
        crowd = {**BATCH, "X-Weir-Caller": "nightly"}
        few = {**BATCH, "X-Weir-Caller": "reports"}
        with Load(agent, 24, "crowd", **crowd) as loud, Load(agent, 2, "few", **few) as quiet:
            weir.wait_until(lambda: len(quiet.answers) >= 10, "a first five seconds")
            start = time.monotonic()
            weir.wait_until(lambda: len(quiet.since(start)) >= 40, "twenty seconds")
            end = time.monotonic()
        share = served(quiet.since(start)) / len(quiet.since(start))
        self.assertGreater(share, 0.6, "who asks for little gets most of it, not 8 in 26 like all others")
        loud_rps = served(loud.since(start)) / (end - start)
        self.assertGreater(loud_rps, 3.5, "and the rest is not left lying")
        self.assertLess(loud_rps, 7.5)
        self.assert_replays(agent)
        callers = {row["caller"] for row in agent.ledger("1")}
        self.assertEqual(callers, {"nightly", "reports"})

    def test_users_are_served_beyond_a_quota_and_batch_is_not(self):
        fakes = {"a": self.world.fake({"ttft_ms": 20, "output_tokens": 5})}
        agent = self.world.agent(self.config(fakes, {"a": {"rps": 2}}))
        self.adaptive(agent)
        with Load(agent, 6, "user") as users, Load(agent, 4, "batch", **BATCH) as batch:
            weir.wait_until(lambda: len(users.answers) >= 24, "four seconds")
            start = time.monotonic()
            weir.wait_until(lambda: len(users.since(start)) >= 42, "seven seconds")
        self.assertEqual(served(users.answers), len(users.answers), "users are never dropped")
        late = batch.since(start)
        self.assertLess(served(late), 0.2 * len(late))

    def test_a_quota_moves_nothing_in_fixed_mode(self):
        fakes = {
            "a": self.world.fake({"ttft_ms": 10, "output_tokens": 5}),
            "b": self.world.fake({"ttft_ms": 10, "output_tokens": 5}),
        }
        agent = self.world.agent(self.config(fakes, {"a": {"rps": 0.5}}))
        for number in range(12):
            answer = agent.chat(text=f"fixed {number}", headers=BATCH)
            self.assertEqual((answer.status, answer.headers["X-Weir-Provider"]), (200, "a"))

    def test_what_a_failover_needs_is_shown(self):
        """Eighty requests of users and forty of batch work within a minute or two, and a secondary that
        may take one in two seconds."""
        fakes = {
            "a": self.world.fake({"ttft_ms": 1, "output_tokens": 5}),
            "b": self.world.fake({"ttft_ms": 1, "output_tokens": 5}),
        }
        agent = self.world.agent(self.config(fakes, {"b": {"rps": 0.5}}))
        for number in range(120):
            self.assertEqual(agent.chat(headers=BATCH if number % 3 == 0 else {}).status, 200)

        def shortage():
            answer = json.loads(agent.ctl("capacity", "--json"))
            of_a, of_b = answer["models"][0]["failover"] or ({"ratio": None}, None)
            return (of_a, of_b) if (of_a["ratio"] or 0) > 1 else None

        of_a, of_b = weir.wait_until(shortage, "the ledger to be counted")
        self.assertEqual((of_a["provider"], of_a["others"], of_a["capacity_rps"]), ("a", ["b"], 0.5))
        self.assertGreater(of_a["interactive_ratio"], 1)
        self.assertLess(of_a["interactive_ratio"], of_a["ratio"])
        self.assertEqual((of_b["ratio"], of_b["unknown"]), (None, ["a"]))
        alert = next(each for each in agent.status()["alerts"] if each["kind"] == "failover_capacity")
        self.assertIn("a full failover of a needs", alert["text"])
        self.assertIn("short for users", agent.ctl("capacity"))
        metrics = agent.admin("/metrics").body.decode()
        self.assertRegex(metrics, r'weir_failover_capacity_ratio\{model="m",provider="a"\} [1-9]')
        self.assertIn('weir_alert{kind="failover_capacity"', metrics)

    def test_a_quota_of_tokens_is_kept(self):
        """About 120 tokens a request, 3,600 a minute and a tenth of that at once."""
        fakes = {
            "a": self.world.fake({"ttft_ms": 10, "output_tokens": 20, "input_tokens": 100}),
            "b": self.world.fake({"ttft_ms": 10, "output_tokens": 20, "input_tokens": 100}),
        }
        config = self.config(fakes, {"a": {"tokens_per_minute": 3600}})
        # The cheaper one would get everything.
        for route in config.models["m"]:
            if route["provider"] == "b":
                route["price"] = {"input": 5, "cached_input": 1, "output": 20}
        agent = self.world.agent(config)
        self.adaptive(agent)
        start = time.monotonic()
        with Load(agent, 6, "user") as users:
            weir.wait_until(lambda: served(users.answers) >= 100, "some traffic")
            seconds = time.monotonic() - start
        self.assertEqual(served(users.answers), len(users.answers))
        tokens = sum(
            row["input_uncached"] + (row["input_cached"] or 0) + row["output"]
            for row in agent.ledger("provider = 'a' AND outcome = 'ok'")
        )
        self.assertGreater(tokens, 0)
        self.assertLess(tokens, 60 * (seconds + 6) + 6 * 120)


if __name__ == "__main__":
    unittest.main()
