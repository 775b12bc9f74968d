# SPDX-License-Identifier: Apache-2.0
"""Many agents and one rate: what they send to a provider together stays within the bound of the gate
(routing.md section 5), no agent is favoured, none that is idle keeps rate from the others, and where half
of them cannot see the others it is twice the rate at most.

WEIR_FLEET_AGENTS=50 makes the fleet larger."""

import math
import os
import threading
import time
import unittest

from fleet import QUICK, Fleet
from fleet_load import Load
from weir_harness import wait_until

AGENTS = int(os.environ.get("WEIR_FLEET_AGENTS", "20"))
WINDOW_MS = 10_000
SECONDS = 32
HARD_RPS = 12  # what p1 takes, and nobody was told
QUOTA_RPS = 8  # what the contract with p2 allows, and the agents know
DEMAND_RPS = {"hard": 18, "told": 14}
# Not so quick that a busy machine looks like a slow provider.
STEADY = {**QUICK, "ttft_s": {"median": 0.15, "sigma": 0.1}}
SCRIPTS = ({**STEADY, "capacity_rps": HARD_RPS}, STEADY, STEADY, STEADY, STEADY)


class GateFleet(Fleet):
    """Two models of five providers each: ten routes. p1 leads `hard`, p2 leads `told`."""

    def config(self):
        config = super().config()
        config.models["hard"].sort(key=lambda route: route["provider"] != "p1")
        config.models["told"].sort(key=lambda route: route["provider"] != "p2")
        for routes in config.models.values():
            for place, route in enumerate(routes):
                price = 5 + 3 * place
                route["price"] = {"input": price, "cached_input": 1 + place, "output": 4 * price}
        config.models["told"][0]["quota"] = {"rps": QUOTA_RPS}
        return config


def bound(lim_rps):
    """What may be sent in ten seconds: routing.md section 5, with the guard buckets' depths, of which
    each agent's is two calls at least."""
    return 10 * lim_rps + 3 * math.sqrt(10 * lim_rps) + max(2 * AGENTS, 3 * lim_rps)


class Permitted:
    """What the fleet says that it permits on a route, sampled while it runs."""

    def __init__(self, fleet, model, provider):
        self.fleet = fleet
        self.model, self.provider = model, provider
        self.samples = []  # (epoch ms, calls a second)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _run(self):
        while not self._stop.wait(0.5):
            models = self.fleet.agents[-1].status()["models"]
            routes = next(each for each in models if each["name"] == self.model)["routes"]
            rps = next(each for each in routes if each["provider"] == self.provider)["permitted_rps"]
            if rps:
                self.samples.append((int(time.time() * 1000), rps))

    def most(self, since_ms, until_ms):
        """The largest of that time and the exchange before it."""
        found = [rps for at, rps in self.samples if since_ms - 2000 <= at < until_ms]
        return max(found, default=None)


class Gate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fleet = GateFleet(agents=AGENTS, scripts=SCRIPTS, models=("hard", "told"))
        cls.addClassCleanup(cls.fleet.close)
        cls.fleet.turn("adaptive", 60)
        cls.hard = Load(cls.fleet, rps=DEMAND_RPS["hard"], model="hard")
        cls.told = Load(cls.fleet, rps=DEMAND_RPS["told"], model="told")
        for load in (cls.hard, cls.told):
            cls.addClassCleanup(load.stop)
            load.__enter__()

    def rows(self, model, provider, since_ms):
        """The attempts there, once all of them are in the ledger."""
        self.fleet.await_drained()
        where = f"model = '{model}' AND provider = '{provider}' AND started_at_ms >= {since_ms}"
        found = self.fleet.call_ledger(where, "started_at_ms, agent, outcome")
        return sorted(found, key=lambda row: row["started_at_ms"])

    def fullest(self, rows, lim=None):
        """(attempts, bound) of the ten seconds that come nearest to their bound."""
        starts = [row["started_at_ms"] for row in rows]
        worst = (0, 1.0)
        end = 0
        for at, first in enumerate(starts):
            while end < len(starts) and starts[end] < first + WINDOW_MS:
                end += 1
            rps = lim(first, first + WINDOW_MS)
            if rps and (end - at) / bound(rps) > worst[0] / worst[1]:
                worst = (end - at, bound(rps))
        return worst

    def run_for(self, seconds):
        """Lets the load run; the time since when, in epoch milliseconds."""
        since = int(time.time() * 1000)
        until = time.monotonic() + seconds
        wait_until(lambda: time.monotonic() > until, "the time to pass", seconds + 5)
        return since

    def tearDown(self):
        for load in (self.hard, self.told):
            self.assertEqual(load.failures(), [])

    def test_1_the_sum_of_all_agents_stays_within_the_bound(self):
        """B111."""
        self.run_for(10)
        with Permitted(self.fleet, "hard", "p1") as permitted:
            since = self.run_for(SECONDS)
        rows = self.rows("hard", "p1", since)
        self.assertGreater(len(rows), 4 * SECONDS, "the leader is used")
        sent, most = self.fullest(rows, permitted.most)
        self.assertLessEqual(sent, most)
        late = [row for row in rows if row["started_at_ms"] > since + 15_000]
        rejected = sum(row["outcome"] == "rate_limited" for row in late) / len(late)
        served = sum(row["outcome"] == "ok" for row in late) / (SECONDS - 15)
        self.assertLess(rejected, 0.1)
        # One cut leaves half of what was too much, and seconds later little of it is back: a fleet
        # that cut twice for one overload would be below.
        self.assertGreater(served, 0.5 * HARD_RPS)
        told = self.rows("told", "p2", since)
        sent_told, most_told = self.fullest(told, lambda *_: QUOTA_RPS)
        self.assertLessEqual(sent_told, most_told)
        self.assertLessEqual(len(told) / SECONDS, 1.05 * QUOTA_RPS)
        self.assertGreater(len(told) / SECONDS, 0.6 * QUOTA_RPS)
        print(
            f"{AGENTS} agents: p1 takes {HARD_RPS}/s, {served:.1f}/s served, {100 * rejected:.1f} % "
            f"rejected; fullest ten seconds {sent} of {most:.0f}; p2's quota {QUOTA_RPS}/s, "
            f"{len(told) / SECONDS:.1f}/s sent, fullest {sent_told} of {most_told:.0f}"
        )
        self.check_fairness(told)

    def check_fairness(self, rows):
        """Equal demand gets equal parts, as far as chance allows."""
        counts = [0] * AGENTS
        numbers = {agent.agent_id: agent.number for agent in self.fleet.agents}
        for row in rows:
            counts[numbers[row["agent"]]] += 1
        mean = sum(counts) / AGENTS
        chi2 = sum((count - mean) ** 2 / mean for count in counts)
        # Of the normal approximation of chi-square: five standard deviations above its mean.
        limit = (AGENTS - 1) + 5 * math.sqrt(2 * (AGENTS - 1))
        print(f"fairness: {min(counts)} to {max(counts)} calls an agent, chi-square {chi2:.0f}")
        self.assertLess(chi2, limit)

    def test_2_idle_agents_keep_nothing_from_the_others(self):
        """All traffic comes by two agents from now on."""
        few = self.fleet.agents[:2]
        self.told.agents = self.hard.agents = few
        self.run_for(8)
        since = self.run_for(12)
        rows = self.rows("told", "p2", since)
        self.assertEqual({row["agent"] for row in rows}, {agent.agent_id for agent in few})
        rps = len(rows) / 12
        print(f"two agents of {AGENTS} busy: {rps:.1f}/s of the quota's {QUOTA_RPS}/s")
        self.assertGreater(rps, 0.75 * QUOTA_RPS)
        self.assertLessEqual(*self.fullest(rows, lambda *_: QUOTA_RPS))
        self.told.agents = self.hard.agents = self.fleet.agents

    def test_3_half_of_the_fleet_cut_off_sends_twice_the_rate_at_most(self):
        half = self.fleet.agents[: AGENTS // 2]
        for agent in half:
            agent.cut_off("black_hole", "redis")
        self.fleet.await_reach(redis="down", agents=half)
        since = self.run_for(15)
        rows = self.rows("told", "p2", since)
        for agent in half:
            agent.cut_off("relay")
        self.fleet.await_reach()
        sent, most = self.fullest(rows, lambda *_: 2 * QUOTA_RPS)
        rps = len(rows) / 15
        print(f"half cut off: {rps:.1f}/s of twice {QUOTA_RPS}/s; fullest {sent} of {most:.0f}")
        self.assertLessEqual(rps, 2 * QUOTA_RPS)
        self.assertLessEqual(sent, most)

    def test_4_a_dead_route_is_probed_by_three_in_the_whole_fleet(self):
        """B031. Its provider answers nothing but a late 503; whatever waits, and wherever, three are
        on their way to it at a time."""
        # What the other model sends there has a breaker of its own.
        self.hard.stop()
        dead = self.fleet.providers["p5"]
        dead.script(status=503, status_delay_ms=1500)
        self.addCleanup(dead.script, status=None, status_delay_ms=None)
        only = {"provider": {"only": ["p5", "p4"], "order": ["p5", "p4"]}}

        def breaker(agent):
            models = agent.status()["models"]
            routes = next(each for each in models if each["name"] == "told")["routes"]
            return next(each for each in routes if each["provider"] == "p5")["breaker"]

        stop, most, answers = threading.Event(), [0], []

        def ask(agent):
            while not stop.is_set():
                answers.append(agent.chat("told", text=f"{time.time()}", **only))

        def watch():
            while not stop.is_set():
                if breaker(asking[0]) != "closed":
                    most[0] = max(most[0], dead.stats()["in_flight"])

        asking = self.fleet.agents[:12]
        threads = [threading.Thread(target=ask, args=(agent,)) for agent in asking]
        for thread in threads:
            thread.start()
        try:
            for agent in asking:
                wait_until(lambda agent=agent: breaker(agent) != "closed", "the breaker to open")
            wait_until(lambda: dead.stats()["in_flight"] == 0, "what was under way to end")
            threads.append(threading.Thread(target=watch))
            threads[-1].start()
            before = dead.stats()["requests"]
            wait_until(lambda: dead.stats()["requests"] >= before + 4, "probes")
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        print(f"{len(answers)} calls by 12 agents, {most[0]} probes at a time at most")
        self.assertLessEqual(most[0], 3)
        failed = [(dict(answer.headers), answer.body) for answer in answers if answer.status != 200]
        self.assertEqual(failed, [])


if __name__ == "__main__":
    unittest.main()
