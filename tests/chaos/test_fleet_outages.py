# SPDX-License-Identifier: Apache-2.0
"""Everything that can be taken away from a fleet is taken away, in random order and under load. No
caller notices, and in the end the books agree: callers, ledger and the providers' bills.

The order comes of a seed that is printed; WEIR_CHAOS_SEED repeats it, WEIR_CHAOS_ROUNDS=5 goes on for
longer."""

import json
import os
import random
import statistics
import time
import unittest

from fleet import QUICK, Fleet
from fleet_books import Books
from fleet_load import Load
from private_server import fixed_port

SEED = int(os.environ.get("WEIR_CHAOS_SEED", "0")) or random.SystemRandom().randrange(1, 1 << 31)
ROUNDS = int(os.environ.get("WEIR_CHAOS_ROUNDS", "1"))
AGENTS = 4
RPS = 24
# Some outages are over before the grace time is, some are not.
GRACE_S = 3
SHORT_S, LONG_S = 1.0, GRACE_S + 2.0
RECOVERY_S = 25.0
# p1 fails now and then, so that there are failed attempts in the ledger, too.
SCRIPTS = ({**QUICK, "status": 503, "fault_share": 0.05}, QUICK, QUICK)
# Providers take some 30 ms; a call that waited for a server would take from 100 ms to many seconds, as
# would every other one at that time.
SOON_S = 0.5


def for_all(how, *servers):
    return lambda fleet: [agent.cut_off(how, *servers) for agent in fleet.agents]


def slow(server, ms):
    return lambda fleet: [getattr(agent, server).slow(ms) for agent in fleet.agents]


def turned_away(fleet):
    """The server is there and takes no more connections."""
    for role in (agent.user for agent in fleet.agents):
        fleet.postgres.psql(f"ALTER ROLE {role} CONNECTION LIMIT 0")
    fleet.postgres.psql(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename LIKE 'agent%'"
    )


def let_in(fleet):
    for role in (agent.user for agent in fleet.agents):
        fleet.postgres.psql(f"ALTER ROLE {role} CONNECTION LIMIT -1")


def redis_says(*words):
    return lambda fleet: fleet.redis.redis_cli(*words)


def half_cut_off(fleet):
    for agent in fleet.agents[: len(fleet.agents) // 2]:
        agent.cut_off("black_hole", "redis")


def restarted_into_a_black_hole(fleet):
    """B121: who connects again in time has a connection that says nothing from then on."""
    fleet.redis.restart()
    fleet.await_reach(store=None)
    for_all("black_hole", "redis")(fleet)


def made_a_replica(fleet):
    """Of a server that is not there."""
    fleet.redis.redis_cli("REPLICAOF", "127.0.0.1", fixed_port())


def wants_a_password(fleet):
    """Of everybody who connects again."""
    fleet.redis.redis_cli("CONFIG", "SET", "requirepass", "another")
    for_all("cut", "redis")(fleet)


def wants_none(fleet):
    fleet.redis.redis_cli("-a", "another", "CONFIG", "SET", "requirepass", "")


def nothing(_):
    pass


RELAY = for_all("relay")
STORE, REDIS = {"store": "down"}, {"redis": "down"}
# What is taken away, how it comes back, and what every agent says of it where it takes long (B107).
OUTAGES = {
    "postgres: killed": (lambda f: f.postgres.kill(), lambda f: f.postgres.start(), STORE),
    "postgres: SIGSTOP": (lambda f: f.postgres.pause(), lambda f: f.postgres.resume(), STORE),
    "postgres: black hole": (for_all("black_hole", "postgres"), RELAY, STORE),
    "postgres: refused": (for_all("refuse", "postgres"), RELAY, STORE),
    "postgres: connections cut": (for_all("cut", "postgres"), nothing, {}),
    "postgres: restarted": (lambda f: f.postgres.restart(), nothing, {}),
    "postgres: read-only": (lambda f: f.postgres.read_only(), lambda f: f.postgres.read_only(False), {}),
    "postgres: no connections left": (turned_away, let_in, STORE),
    "postgres: slow": (slow("postgres", 300), RELAY, {}),
    "redis: killed, comes back empty": (lambda f: f.redis.kill(), lambda f: f.redis.start(), REDIS),
    "redis: SIGSTOP": (lambda f: f.redis.pause(), lambda f: f.redis.resume(), REDIS),
    "redis: black hole": (for_all("black_hole", "redis"), RELAY, REDIS),
    "redis: refused": (for_all("refuse", "redis"), RELAY, REDIS),
    "redis: connections cut": (for_all("cut", "redis"), nothing, {}),
    "redis: restarted with its data": (lambda f: f.redis.restart(), nothing, {}),
    "redis: read-only": (made_a_replica, redis_says("REPLICAOF", "NO", "ONE"), REDIS),
    "redis: out of memory": (
        redis_says("CONFIG", "SET", "maxmemory", "1"),
        redis_says("CONFIG", "SET", "maxmemory", "0"),
        REDIS,
    ),
    "redis: wants a password": (wants_a_password, wants_none, REDIS),
    "redis: forgot its scripts": (redis_says("SCRIPT", "FLUSH"), nothing, {}),
    "redis: restarted into a black hole": (restarted_into_a_black_hole, RELAY, REDIS),
    "redis: slow": (slow("redis", 150), RELAY, REDIS),
    "redis: half the fleet cut off": (half_cut_off, RELAY, {}),
}


class Outage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(f"WEIR_CHAOS_SEED={SEED}", flush=True)
        cls.draw = random.Random(SEED)
        cls.fleet = Fleet(agents=AGENTS, scripts=SCRIPTS, settings_grace_s=GRACE_S)
        cls.addClassCleanup(cls.fleet.close)
        cls.load = Load(cls.fleet, rps=RPS)
        cls.addClassCleanup(cls.load.stop)
        cls.load.__enter__()
        cls.fleet.turn("adaptive")

    def scenes(self):
        """Everything once, in random order; each as (name, what is done)."""
        scenes = [(name, lambda how=how: self.take_away(*how)) for name, how in OUTAGES.items()]
        for how in ("kill", "pause", "stop"):
            scenes.append((f"the elected agent: {how}", lambda how=how: self.end_elected(how)))
            scenes.append((f"both servers away: {how} an agent", lambda how=how: self.end_in_it(how)))
        self.draw.shuffle(scenes)
        return scenes

    def hold(self):
        """For how long."""
        length = self.draw.choice((SHORT_S, SHORT_S, LONG_S))
        time.sleep(length)
        return length

    def take_away(self, take, give_back, says):
        take(self.fleet)
        if give_back is nothing:
            # It is over already, and lasts no longer by waiting.
            time.sleep(SHORT_S)
        elif self.hold() == LONG_S:
            for agent in self.fleet.agents:
                status = agent.status()
                self.assertEqual({key: status[key] for key in says}, says, f"agent {agent.number}")
        give_back(self.fleet)

    def end_elected(self, how):
        self.end(self.fleet.holder(), how)

    def end_in_it(self, how):
        """An agent goes, and has to come back without either server; what its spool held then is
        moved by its next life."""
        away = [("refuse", "relay"), ("black_hole", "relay")]
        gone, back = self.draw.choice(away)
        for agent in self.fleet.agents:
            agent.cut_off(gone)
        self.hold()
        self.end(self.draw.choice(self.fleet.agents), how)
        self.hold()
        for agent in self.fleet.agents:
            agent.cut_off(back)

    def end(self, agent, how):
        getattr(agent, how)()
        time.sleep(SHORT_S)
        if how == "pause":
            agent.resume()
        else:
            agent.start()

    def recover(self):
        began = time.monotonic()
        self.fleet.await_reach(patience_s=RECOVERY_S)
        self.fleet.await_modes("adaptive", patience_s=RECOVERY_S)
        self.fleet.await_drained(RECOVERY_S)
        return time.monotonic() - began

    def check(self, name, mark):
        """No caller noticed."""
        calls = self.load.since(mark)
        self.assertEqual(self.load.failures(mark), [], name)
        times = [
            call.ended - call.began
            for call in calls
            if call.is_good and not call.agent.was_paused(call.began, call.ended)
        ]
        self.assertGreater(len(times), RPS / 4, f"{name}: calls went on")
        self.assertLess(statistics.median(times), SOON_S, f"{name}: nobody waits for a server")
        return f"{len(calls):4} calls, median {1000 * statistics.median(times):3.0f} ms, worst " + (
            f"{1000 * max(times):4.0f} ms"
        )

    def test_no_caller_notices_and_the_books_agree(self):
        for _ in range(ROUNDS):
            for name, scene in self.scenes():
                began, mark = time.monotonic(), self.load.mark()
                scene()
                took = time.monotonic() - began
                recovered = self.recover()
                told = self.check(name, mark)
                print(f"{name:34} {took:4.1f} s, well after {recovered:4.1f} s; {told}", flush=True)
        self.load.stop()
        books = Books(self.fleet, self.load)
        print(books.story())
        self.assertEqual(books.faults(), [])
        self.assertEqual(self.load.failures(), [])
        told = json.loads(self.fleet.ctl("ledger", "query", "--limit", "1", "--json"))["totals"]
        self.assertEqual((told["attempts"], told["cost_micro_usd"]), (len(books.rows), books.cost))


if __name__ == "__main__":
    unittest.main()
