# SPDX-License-Identifier: Apache-2.0
"""What happens to the providers while the demo watches, act by act. Conditions are awaited, never
times: an act goes on as soon as Weir has done what the act is about."""

import json
import pathlib
import time

from children import Failed
from world import COMPARED, OPENAI_MODEL, QUICK_S, SCRIPTS

CHEAP = "cedar"
SLOW_S = 0.5
COPIES = 50
# From so many on the report may say what to do.
COMPARED_MIN = 30
HEALTHY = {"status": None, "listening": None, "retry_after": None}
COLUMNS = ("provider", "rank", "score", "cost index", "speed index", "calls", "share",
           "permitted/s", "gate", "breaker")


def figure(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


class Acts:
    """The acts of one demo run; `demo` has the world, the story, the traffic and patience."""

    def __init__(self, demo):
        self.demo = demo
        self.world = demo.world
        self.story = demo.story
        self.traffic = demo.traffic
        self.spilled = ""

    # What Weir says of itself

    def model(self):
        models = self.world.status()["models"]
        return next(model for model in models if model["name"] == OPENAI_MODEL)

    def leader(self):
        return self.model()["leader"].get("default")

    def route(self, provider):
        return next(route for route in self.model()["routes"] if route["provider"] == provider)

    def calls(self, since):
        """Calls of the model that the acts are about."""
        return [call for call in self.traffic.since(since) if call.client == "openai"]

    def share(self, provider, since):
        calls = self.calls(since)
        return sum(call.provider == provider for call in calls) / max(len(calls), 1)

    def tell_routes(self, since):
        calls = self.calls(since)
        rows = []
        for route in sorted(self.model()["routes"], key=lambda route: route["rank"] or 99):
            served = sum(call.provider == route["provider"] for call in calls)
            rows.append((
                route["provider"], route["rank"], figure(route["score"]), figure(route["cost_index"]),
                figure(route["speed_index"]), served, f"{100 * served / max(len(calls), 1):.0f} %",
                figure(route["permitted_rps"], 1), route["gate"],
                route["bench_reason"] or route["breaker"]))
        self.story.table(COLUMNS, rows)

    def tell_callers(self, since):
        calls = self.traffic.since(since)
        errors = sum(1 for call in calls if call.error)
        moved = sum(1 for call in calls if call.attempts > 1 and not call.error)
        self.story.say(
            f"{len(calls)} calls in this act, {moved} of them saved by a failover; "
            + (f"callers saw {errors} errors" if errors else "no caller noticed"))

    def await_share(self, provider, at_least, what, seconds=60.0, count=40):
        """Until `provider` serves so large a share of the newest calls."""

        def serves():
            newest = self.calls(0)[-count:]
            good = sum(call.provider == provider for call in newest)
            return len(newest) == count and good >= at_least * count

        began = time.monotonic()
        self.demo.await_that(serves, what, seconds)
        return time.monotonic() - began

    def await_leader(self, provider, seconds=60.0):
        began = time.monotonic()
        self.demo.await_that(
            lambda: self.leader() == provider, f"{provider} to lead {OPENAI_MODEL}", seconds)
        return time.monotonic() - began

    def remember_spill(self, since):
        """One call that had to go elsewhere; its decision is explained at the end."""
        for call in self.calls(since):
            if call.reason == "spill" and not call.error:
                self.spilled = self.spilled or call.request_id

    # The acts

    def calm(self):
        self.story.chapter("All is well in the fixed order")
        began = time.monotonic()
        calls = self.demo.await_served("alder", 40, began)
        self.demo.await_served("alder-messages", 10, began)
        self.story.say(
            f"alder, first in the fixed order, serves: {len(calls)} calls "
            f"({', '.join(sorted({c.client + ' ' + c.kind for c in calls}))}); nobody tries the others")

    def adaptive(self):
        self.story.chapter("A person turns the switch to adaptive; nobody touches anything after that")
        change = "exploration_share=0.1"
        self.world.weirctl("settings", "set", change, "--reason", "a demo of minutes instead of days")
        self.story.say(
            f"weirctl settings set {change}: each other provider is tried with a tenth of the tasks "
            "instead of 5 %, since the demo is short")
        self.demo.turn_switch("adaptive", "the demo begins")

    def discovery(self):
        self.story.chapter(f"Discovery: {CHEAP} is last in the fixed order and costs half")
        began = time.monotonic()
        explored = self.demo.await_that(
            lambda: [call for call in self.calls(began) if call.reason == "explore"],
            "a task that explores")
        self.story.say(
            f"the first task that explores comes after {explored[0].at - began:.1f} s; alder leads, "
            "since nothing is known of the others")
        self.await_leader(CHEAP, 120)
        calls = self.calls(began)
        tried = sum(call.provider == CHEAP for call in calls)
        self.story.say(
            f"{CHEAP} leads after {time.monotonic() - began:.1f} s, {len(calls)} calls and {tried} "
            f"tries of {CHEAP}")
        ramped = self.await_share(CHEAP, 0.6, f"{CHEAP} to serve most calls", 60)
        self.story.say(f"its share grows step by step; it serves most calls {ramped:.1f} s later")
        self.tell_routes(time.monotonic() - 5)
        self.tell_callers(began)

    def slowdown(self):
        self.story.chapter(f"{CHEAP} becomes slow, without an error of its own")
        began = time.monotonic()
        self.world.script(CHEAP, ttft_s={"median": SLOW_S, "sigma": 0.2})
        self.story.say(
            f"{CHEAP}'s first token takes {1000 * SLOW_S:.0f} ms instead of {1000 * QUICK_S:.0f} ms; who "
            "waits far longer than the fastest provider takes is given to the next")
        self.demo.await_that(
            lambda: self.leader() != CHEAP, f"{CHEAP} to lose the lead for being slow", 120)
        # Healed as soon as it is out: what it is slow for now, it must unlearn later.
        lost = time.monotonic()
        self.world.script(CHEAP, ttft_s=SCRIPTS[CHEAP]["ttft_s"])
        self.story.say(f"{self.leader()} leads after {lost - began:.1f} s: {CHEAP} takes more than "
                       "three times as long as the fastest, and so comes last, cheap as it is")
        helper = self.leader()
        moved = self.await_share(helper, 0.55, f"{helper} to serve most calls", 60)
        self.tell_routes(time.monotonic() - 2)
        self.story.say(f"{helper} serves most calls {moved:.1f} s later; {CHEAP} is quick again and "
                       "is tried with a share of the tasks")
        self.await_leader(CHEAP, 180)
        self.story.say(
            f"{CHEAP} leads again {time.monotonic() - lost:.1f} s after it was well, with "
            f"{sum(c.provider == CHEAP for c in self.calls(lost))} quick calls since")
        self.await_share(CHEAP, 0.05, f"{CHEAP} to serve again", 90)
        self.tell_callers(began)

    def burst(self):
        self.story.chapter(f"{CHEAP}, the leader, answers 429: over its rate")
        before = self.route(CHEAP)["permitted_rps"]
        began = time.monotonic()
        self.world.script(CHEAP, status=429, retry_after="1")
        self.demo.await_that(
            lambda: self.route(CHEAP)["gate"] in ("cut", "floor"), f"{CHEAP}'s rate to be cut", 60)
        cut = time.monotonic()
        lowest = self.route(CHEAP)["permitted_rps"]
        self.story.say(
            f"{cut - began:.1f} s later its permitted rate is cut: from {before:.1f} to "
            f"{lowest:.1f} calls/s")
        self.tell_routes(began)
        self.demo.await_that(
            lambda: self.leader() != CHEAP
            or [call for call in self.calls(began) if call.reason == "spill"],
            "traffic to spill", 30)
        self.remember_spill(began)
        self.world.script(CHEAP, **HEALTHY)
        self.story.say(f"calls spill to the next in order; {CHEAP} takes calls again from now on")
        healed = time.monotonic()
        self.demo.await_that(
            lambda: self.route(CHEAP)["permitted_rps"] > 1.05 * lowest,
            f"{CHEAP}'s permitted rate to grow", 120)
        self.await_leader(CHEAP, 120)
        self.await_share(CHEAP, 0.1, f"{CHEAP} to serve its share again", 120)
        spilled = sum(call.reason == "spill" for call in self.calls(began))
        self.story.say(
            f"{time.monotonic() - healed:.1f} s after it was well {CHEAP} leads and its permitted rate "
            f"climbs: {self.route(CHEAP)['permitted_rps']:.1f} calls/s (all of it in some five minutes); "
            f"{spilled} calls spilled, more went elsewhere by plan")
        self.tell_routes(time.monotonic() - 5)
        self.tell_callers(began)

    def credit(self):
        self.story.chapter(f"{CHEAP}'s account is out of credit")
        began = time.monotonic()
        self.world.script(CHEAP, status=402)
        self.demo.await_that(
            lambda: self.route(CHEAP)["bench_reason"] == "no_credit", "the account to be held", 30)
        held = time.monotonic()
        self.story.say(
            f"{held - began:.1f} s after the account ran dry it is held; one call each half minute "
            "asks whether credit is back")
        helper = self.demo.await_that(
            lambda: self.leader() if self.leader() != CHEAP else None, "another to lead", 30)
        self.await_share(helper, 0.6, f"{helper} to serve most calls", 60)
        self.tell_routes(held)
        for alert in self.world.status()["alerts"]:
            if alert["kind"] != "no_credit":
                continue
            self.story.say(f"alert {alert['kind']}: {alert['text']}")
        self.world.script(CHEAP, **HEALTHY)
        paid = time.monotonic()
        self.story.say("credit is paid")
        self.demo.await_that(
            lambda: self.route(CHEAP)["bench_reason"] is None, "the hold to end", 90)
        self.await_leader(CHEAP, 90)
        asked = [call for call in self.calls(held) if call.provider == CHEAP]
        self.story.say(
            f"a probe succeeded; {CHEAP} leads again {time.monotonic() - paid:.1f} s after credit was "
            f"paid, with {len(asked)} calls served")
        self.tell_callers(began)

    def gone(self):
        self.story.chapter("Two providers are gone")
        began = time.monotonic()
        self.world.script(CHEAP, listening=False)
        self.story.say(f"{CHEAP} refuses connections")
        self.demo.await_that(
            lambda: self.route(CHEAP)["breaker"] != "closed", f"{CHEAP}'s breaker to open", 30)
        self.story.say(f"its breaker opens {time.monotonic() - began:.1f} s later; then alder answers 500")
        self.world.script("alder", status=500)
        self.demo.await_that(
            lambda: self.route("alder")["breaker"] != "closed", "alder's breaker to open", 30)
        self.await_share("birch", 0.9, "birch to serve", 30)
        self.tell_routes(time.monotonic() - 2)
        self.demo.screenshot("live-incident", "--theme", "dark")
        back = time.monotonic()
        for provider in (CHEAP, "alder"):
            self.world.script(provider, **HEALTHY)
        for provider in (CHEAP, "alder"):
            self.demo.await_that(
                lambda name=provider: self.route(name)["breaker"] == "closed",
                f"{provider}'s breaker to close", 90)
        self.await_leader(CHEAP, 90)
        self.story.say(
            f"both are well again: breakers closed and {CHEAP} leads {time.monotonic() - back:.1f} s later")
        self.tell_callers(began)

    def shadow(self):
        self.story.chapter("Shadow: the fixed order serves, and Weir says what it would do")
        began = time.monotonic()
        self.demo.turn_switch("shadow", "the demo shows the switch")
        self.await_share("alder", 0.95, "the fixed order to serve", 30)
        self.story.say("alder serves, first in the fixed order")
        self.demo.turn_switch("adaptive", "the demo turns it back")
        self.await_share(CHEAP, 0.05, f"{CHEAP} to serve again", 60)
        self.tell_callers(began)

    def quality(self):
        self.story.chapter("Which model is good enough? An eval run, and a mirror of real calls")
        cases = pathlib.Path(__file__).parent / "sentiment.jsonl"
        self.story.say("weirctl eval run sentiment.jsonl --task classify: both models of the ladder")
        models = [word for model in COMPARED.values() for word in ("--model", model)]
        self.story.quote(self.world.weirctl_text(
            "eval", "run", cases, "--task", "classify", *models, "--data", self.world.base_url))
        scores = self.world.weirctl("eval", "list")["scores"]
        found = {score["provider"]: score["score"] for score in scores}
        if found.get("maple") != 1.0 or not 0.0 < found.get("rowan", 0.0) < 0.7:
            raise Failed(f"eval list found {found}")
        self.story.say("rowan is below the task's quality floor of 0.7: it is no step down any more")
        for number in range(COPIES):
            self.traffic.extract(json.dumps({"city": f"Bern {number}"}))

        def compared():
            reports = self.world.weirctl("mirror", "report", "--since", "1h")["reports"]
            return sum(report["copies"] for report in reports) >= COMPARED_MIN

        self.demo.await_that(compared, f"{COMPARED_MIN} comparisons", 60)
        self.story.say(f"{COPIES} calls of the task extract, each copied to rowan where its gate has room; "
                       "nobody waited for a copy; weirctl mirror report:")
        self.story.quote(self.world.weirctl_text("mirror", "report", "--since", "1h"))

    def await_incidents(self):
        """Incidents are judged by whole minutes: the last ones are not there at once."""
        wanted = {"rate_limit_burst", "demotion", "credit_exhausted"}

        def noticed():
            listed = self.world.weirctl("incidents", "list", "--since", "1h")["incidents"]
            return wanted <= {incident["kind"] for incident in listed}

        self.demo.await_that(noticed, f"the incidents {', '.join(sorted(wanted))}", 150)

    # What people read afterwards

    def reread(self):
        self.story.chapter("What people read afterwards")
        replay = self.world.weirctl("decisions", "replay", "--since", "1h")
        self.story.say(
            f"weirctl decisions replay: {replay['decisions']} decisions computed again from their "
            f"records, {replay['mismatches']} mismatches")
        if replay["mismatches"] or replay["unreadable"] or not replay["decisions"]:
            raise Failed(f"decisions replay found {replay}")
        self.story.say("weirctl incidents list (an incident ends when it was calm for some minutes):")
        self.story.quote(self.world.weirctl_text("incidents", "list", "--since", "1h"))
        if self.spilled:
            self.story.say("weirctl decisions show: why the first call that spilled went elsewhere")
            self.story.quote(self.world.weirctl_text("decisions", "show", self.spilled))
