#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays the demo: providers, an agent (or a fleet), real SDK clients, and incidents that are provoked.

packaging/demo.sh builds what this needs and calls it. `--headless` plays the acts once, checks that
the ledger and the callers agree, and leaves screenshots; otherwise the acts repeat until the console
is closed.
"""

import argparse
import os
import pathlib
import shutil
import signal
import sys

from children import Failed
from player import Closed, Player
from story import Story
from world import World


def stop_on_signals():
    def stop(number, _frame):
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


def run(options):
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost"
    world_type, player_type = World, Player
    if options.fleet:
        # With the servers and relays of the tests.
        sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests" / "support"))
        from fleet_player import FleetPlayer
        from fleet_world import FleetWorld

        world_type, player_type = FleetWorld, FleetPlayer
    world = world_type(options.programs, options.folder)
    story = Story(options.folder / "story.txt")
    is_good = True
    try:
        story.chapter("Setting up")
        world.start_providers()
        story.say("scripted providers listen: " + ", ".join(
            f"{name} :{port}" for name, port in world.ports.items()))
        world.start_agent()
        story.say(world.ready())
        demo = player_type(world, story, options.headless)
        demo.open_console()
        demo.traffic.start()
        try:
            demo.play()
        except Closed:
            pass
        is_good = demo.finish()
        demo.screenshot("live-end", "--theme", "light")
    finally:
        stubborn = world.stop()
        story.say("everything is stopped" + (f", {stubborn} by force" if stubborn else ""))
        story.say(f"to look at: {options.folder} (screenshots, {world.left}logs, story.txt)")
        story.close()
    return 0 if is_good and not stubborn else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of the binaries")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="where the demo leaves things")
    parser.add_argument("--headless", action="store_true")
    parser.add_argument("--fleet", action="store_true")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    stop_on_signals()
    try:
        return run(options)
    except Failed as failure:
        print(f"demo: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
