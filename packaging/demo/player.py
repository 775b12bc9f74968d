# SPDX-License-Identifier: Apache-2.0
"""Plays the acts: what they wait for, what they show, and the sums at the end."""

import os
import subprocess
import time

from acts import Acts
from children import Failed, wait_until
from story import Totals, usd
from traffic import Traffic


class Closed(Exception):
    """The console was closed."""


class Player:
    """Plays the acts of one demo; a Closed ends it early."""

    def __init__(self, world, story, is_headless):
        self.world = world
        self.story = story
        self.is_headless = is_headless
        self.traffic = self.make_traffic()
        self.console = None
        self.acts = self.make_acts()

    def make_traffic(self):
        return Traffic(self.world.base_url)

    def make_acts(self):
        return Acts(self)

    def await_that(self, condition, what, seconds=30.0):
        def watched():
            if self.console is not None and self.console.poll() is not None:
                raise Closed
            return condition()

        return wait_until(watched, what, seconds)

    def await_served(self, provider, count, since):
        """Until this provider has served so many calls that began after `since`."""

        def served():
            calls = [c for c in self.traffic.since(since) if c.provider == provider and not c.error]
            return calls if len(calls) >= count else None

        return self.await_that(served, f"{count} calls served by {provider}")

    def screenshot(self, name, *arguments):
        if not self.is_headless:
            return
        path = self.world.folder / f"{name}.png"
        path.unlink(missing_ok=True)
        command = self.world.console_command("--page", "live", "--screenshot", path, *arguments)
        run = subprocess.run(
            [str(part) for part in command], capture_output=True, text=True, timeout=60, check=False,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
        if run.returncode != 0 or not path.exists():
            raise Failed(f"weir-console --screenshot: {run.stderr.strip()[-800:]}")
        self.story.say(f"the console's Live page is painted to {path.name}")

    def open_console(self):
        if self.is_headless:
            return
        self.console, _ = self.world.children.start("console", self.world.console_command())
        self.story.say("the console is open; close it to end the demo")

    def turn_switch(self, mode, reason):
        before = time.monotonic()
        self.world.weirctl("mode", "set", mode, "--reason", reason)

        def acknowledged():
            status = self.world.status()
            return status if status["mode"] == mode else None

        status = self.await_that(acknowledged, f"the agent to acknowledge {mode}")
        self.story.say(
            f"the switch is turned to {mode}; the agent acknowledges after "
            f"{time.monotonic() - before:.1f} s and runs {status['effective_mode']} "
            f"({status['mode_reason']})")

    def play(self):
        """The whole story once; on the desktop its incidents go on until the console is closed."""
        acts = self.acts
        acts.calm()
        self.screenshot("live-calm", "--theme", "light")
        acts.adaptive()
        acts.discovery()
        acts.burst()
        acts.slowdown()
        acts.credit()
        acts.gone()
        acts.shadow()
        acts.quality()
        self.acts.await_incidents()
        while not self.is_headless:
            self.incidents()

    def incidents(self):
        self.acts.burst()
        self.acts.credit()
        self.acts.gone()
        self.acts.shadow()

    def finish(self):
        """The ledger against what the callers saw. True where everything adds up."""
        self.traffic.stop()
        self.story.chapter("What the ledger says")
        attempts = sum(call.attempts for call in self.traffic.calls)

        def rows():
            found, total = self.world.ledger()
            served = [row for row in found if not row["mirror"] and not row["eval"]]
            return (found, total) if len(served) >= attempts else None

        found, total = wait_until(rows, f"all {attempts} attempts to be in the ledger")
        totals = Totals(found, total, self.traffic.calls)
        totals.tell(self.story)
        faults = totals.faults()
        for fault in faults:
            self.story.say(f"DOES NOT ADD UP: {fault}")
        if not faults:
            self.story.say(
                f"every attempt stands there once; the cost of each, to the micro-dollar, is what its "
                f"tokens cost by the price list: ${usd(sum(totals.cost.values()))}")
        self.acts.reread()
        return not faults
