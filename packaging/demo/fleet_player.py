# SPDX-License-Identifier: Apache-2.0
"""The demo of a fleet: one thing after the other is taken away, and what one should see is said."""

import threading
import time

from children import wait_until
from fleet_world import GRACE_S
from player import Player
from traffic import Traffic
from world import OPENAI_MODEL

CALLERS = (8, 3)
HOLD_S = 4
LEARN_S = 13


class FleetTraffic:
    """The three services' callers, each at its own agent; to the sums they are one."""

    def __init__(self, agents):
        self.of = {agent: Traffic(agent.base_url, CALLERS) for agent in agents}

    def start(self):
        for traffic in self.of.values():
            traffic.start()

    def stop(self):
        for traffic in self.of.values():
            traffic.stop()

    def since(self, moment):
        return [call for traffic in self.of.values() for call in traffic.since(moment)]

    @property
    def calls(self):
        return self.since(0)


class FleetActs:
    """What happens to the fleet, act by act; each waits for what it is about."""

    def __init__(self, player):
        self.player = player
        self.world = player.world
        self.story = player.story
        self.traffic = player.traffic
        self.began = time.monotonic()

    def each_after(self, condition, what, seconds=30.0, agents=None):
        """Seconds until the condition holds for each agent, by the slowest."""
        began = time.monotonic()
        for agent in agents or self.world.agents:
            self.player.await_that(lambda agent=agent: condition(agent.status()), what, seconds)
        return time.monotonic() - began

    def tell_callers(self, since):
        calls = self.traffic.since(since)
        errors = sum(1 for call in calls if call.error)
        seen = f"callers saw {errors} errors" if errors else "no caller noticed"
        times = sorted(call.seconds for call in calls) or [0.0]
        self.story.say(
            f"{len(calls)} calls in this act, half of them within {1000 * times[len(times) // 2]:.0f} "
            f"ms, all within {times[-1]:.1f} s; {seen}")

    def tell_agents(self):
        rows = [
            (each["service"], each["effective_mode"], each["mode_reason"], each["switch_version"],
             f"{each['last_seen_s']:.0f} s")
            for each in self.world.agents[-1].status()["agents"]]
        head = ("agent beside", "runs", "because of", "switch version", "heard of")
        self.story.table(head, sorted(rows))

    def hold(self, seconds=HOLD_S):
        until = time.monotonic() + seconds
        self.player.await_that(lambda: time.monotonic() > until, "time to pass", seconds + 5)

    def await_adaptive(self):
        return self.each_after(
            lambda status: status["effective_mode"] == "adaptive", "every agent to be adaptive", 60)

    # The acts

    def calm(self):
        self.story.chapter("Three agents, one mind")
        began = time.monotonic()
        ids = len(self.world.agents)
        self.each_after(lambda status: len(status["agents"]) == ids, "all to know each other")
        self.player.await_that(lambda: len(self.traffic.since(began)) > 60, "some traffic")
        self.story.say("every agent shows the whole fleet; this is what the last one knows of all:")
        self.tell_agents()
        holder = self.player.await_that(self.world.holder, "an agent to be elected")
        self.story.say(f"the agent beside {holder.service} is elected: it makes the summaries for all")

    def adaptive(self):
        self.story.chapter("A person turns the switch to adaptive")
        took = self.turn("adaptive", "the demo begins")
        self.story.say(f"all three run by it {1000 * took:.0f} ms after weirctl was started, and said so")
        self.tell_agents()

    def turn(self, mode, reason):
        began = time.monotonic()
        turning = threading.Thread(
            target=self.world.weirctl, args=("mode", "set", mode, "--reason", reason))
        turning.start()
        self.each_after(lambda status: status["effective_mode"] == mode, f"all agents to run {mode}")
        took = time.monotonic() - began
        turning.join()
        return took

    def model(self, status):
        return next(each for each in status["models"] if each["name"] == OPENAI_MODEL)

    def provider_gone(self):
        self.story.chapter("The leading provider is gone: one agent's trouble is everybody's knowledge")
        leader = self.player.await_that(
            lambda: self.model(self.world.agents[0].status())["leader"].get("default"), "a leader")
        # Gates that began with nothing learn for ten seconds what the agents know.
        self.hold(max(0, self.began + LEARN_S - time.monotonic()))
        began = time.monotonic()
        self.world.script(leader, listening=False)
        self.story.say(f"{leader} refuses connections; its breaker should open on every agent")

        def is_open(status):
            routes = self.model(status)["routes"]
            return next(r for r in routes if r["provider"] == leader)["breaker"] != "closed"

        took = self.each_after(is_open, f"{leader}'s breaker to open on every agent", 60)
        self.story.say(f"it is open on all three after {took:.1f} s")
        self.world.script(leader, listening=None)
        took = self.each_after(lambda status: not is_open(status), "the breaker to close", 90)
        self.story.say(f"{leader} is back; closed on all three {took:.1f} s later")
        self.tell_callers(began)

    def redis_gone(self):
        self.story.chapter("Redis is killed")
        began = time.monotonic()
        self.world.redis.kill()
        self.story.say("each agent should go on with its part of every rate, and say that Redis is down")
        took = self.each_after(lambda status: status["redis"] == "down", "all agents to say so")
        self.story.say(f"all three say so after {took:.1f} s; the off switch does not need it:")
        took = self.turn("fixed", "the switch without Redis")
        self.story.say(f"turned to fixed, all three run by it after {1000 * took:.0f} ms")
        self.turn("adaptive", "and back")
        self.player.screenshot("fleet-redis-gone", "--theme", "dark")
        self.world.redis.start()
        took = self.each_after(lambda status: status["redis"] == "ok", "Redis to be found again")
        self.story.say(f"Redis is back, empty; found by all after {took:.1f} s, and taught what they knew")
        self.tell_callers(began)

    def redis_silent(self):
        self.story.chapter("Redis hangs: it accepts connections and says nothing (SIGSTOP)")
        began = time.monotonic()
        self.world.redis.pause()
        self.story.say("no request should wait for it")
        self.each_after(lambda status: status["redis"] == "down", "all agents to say so")
        self.hold()
        self.world.redis.resume()
        self.each_after(lambda status: status["redis"] == "ok", "Redis to be found again")
        self.tell_callers(began)

    def postgres_gone(self):
        self.story.chapter("Postgres is killed (kill -9)")
        began = time.monotonic()
        self.world.postgres.kill()
        self.story.say(
            f"calls should go on; for {GRACE_S} s by the last decisions, then in the fixed order, since "
            "nobody could turn the switch now; what belongs in the ledger waits on disk")
        self.each_after(
            lambda status: status["effective_mode"] == "failsafe", "all agents to go to the fixed order")
        status = self.world.agents[0].status()
        self.story.say(
            f"failsafe on all three after {time.monotonic() - began:.1f} s ({status['mode_reason']}); "
            f"{status['ledger_backlog_rows']} rows wait at the first agent alone")
        self.player.screenshot("fleet-postgres-gone", "--theme", "dark")
        self.world.postgres.start()
        took = self.await_adaptive()
        self.story.say(f"Postgres is back; adaptive again on all three {took:.1f} s later")
        took = self.each_after(lambda status: status["ledger_backlog_rows"] == 0, "the spools to drain")
        self.story.say(f"and nothing waits any more {took:.1f} s after that")
        self.tell_callers(began)

    def one_cut_off(self):
        self.story.chapter("One agent is cut off from both servers: its packets vanish")
        began = time.monotonic()
        lonely, *others = self.world.agents[::-1]
        lonely.postgres.black_hole()
        lonely.redis.black_hole()
        self.story.say(f"only the agent beside {lonely.service} should go to the fixed order")
        self.each_after(
            lambda status: status["effective_mode"] == "failsafe", "it to go there", 60, [lonely])
        modes = {agent.service: agent.status()["effective_mode"] for agent in self.world.agents}
        self.story.say(
            f"after {time.monotonic() - began:.1f} s: "
            + ", ".join(f"{service} {mode}" for service, mode in modes.items()))
        lonely.postgres.relay()
        lonely.redis.relay()
        self.await_adaptive()
        self.tell_callers(began)

    def elected_gone(self):
        self.story.chapter("The elected agent dies, and its service with it (kill -9)")
        began = time.monotonic()
        holder = self.player.await_that(self.world.holder, "an agent to be elected")
        self.traffic.of[holder].pause()
        # What is answered is on its disk within 20 ms, and so survives the death.
        self.hold(0.5)
        holder.kill()
        killed = time.monotonic()
        self.story.say(f"it was the one beside {holder.service}; another should take over within 15 s")
        heir = self.player.await_that(
            lambda: (other := self.world.holder()) not in (None, holder) and other, "another", 30)
        self.story.say(
            f"the one beside {heir.service} is elected after {time.monotonic() - killed:.1f} s; the dead "
            "one stays on the list until a person forgets it, or it comes back:")
        self.player.await_that(
            lambda: any(each["last_seen_s"] > 10 for each in heir.status()["agents"]), "it to be missed")
        self.story.quote(self.world.weirctl_text("agents", "list"))
        holder.start()
        self.traffic.of[holder].resume()
        self.await_adaptive()
        self.tell_callers(began)

    def reread(self):
        self.story.chapter("What people read afterwards")
        replay = self.world.weirctl("decisions", "replay", "--since", "1h")
        self.story.say(
            f"weirctl decisions replay: {replay['decisions']} decisions of three agents computed again, "
            f"{replay['mismatches']} mismatches")
        self.story.quote(self.world.weirctl_text("agents", "list"))


class FleetPlayer(Player):
    def make_traffic(self):
        return FleetTraffic(self.world.agents)

    def make_acts(self):
        return FleetActs(self)

    def play(self):
        acts = self.acts
        acts.calm()
        self.screenshot("fleet-calm", "--theme", "light")
        acts.adaptive()
        self.incidents()
        while not self.is_headless:
            self.incidents()

    def incidents(self):
        acts = self.acts
        acts.provider_gone()
        acts.redis_gone()
        acts.redis_silent()
        acts.postgres_gone()
        acts.one_cut_off()
        acts.elected_gone()

    def finish(self):
        """The books, and what the providers say of them."""
        self.world.mend()
        is_good = super().finish()
        found, _ = self.world.ledger()
        cost = sum(row["cost_micro_usd"] or 0 for row in found)
        billed = wait_until(self.world.billed, "the providers' bills")
        same = "the same" if cost == billed else "NOT THE SAME"
        self.story.say(
            f"the ledger's cost is {cost} micro-dollars, the providers say that they billed {billed}: "
            f"{same}")
        return is_good and cost == billed
