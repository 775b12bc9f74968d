# SPDX-License-Identifier: Apache-2.0
"""One agent does the jobs of the fleet: who it is, and what becomes of them when it goes."""

import copy
import shutil
import time
import unittest

from fleet import Fleet
from fleet_load import Load
from weir_harness import wait_until

TAKEOVER_S = 15.0


class Election(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fleet = Fleet(agents=4)
        cls.addClassCleanup(cls.fleet.close)
        cls.load = Load(cls.fleet, rps=8, threads=4)
        cls.addClassCleanup(cls.load.stop)
        cls.load.__enter__()
        cls.fleet.turn("adaptive")

    def tearDown(self):
        """Whatever happened: nobody ever published without being elected, and no two at a time."""
        self.assertEqual(self.load.failures(), [])
        published = self.fleet.published()
        ids = {agent.agent_id: agent.user for agent in self.fleet.agents}
        tokens = [each["token"] for each in published]
        self.assertEqual(tokens, sorted(tokens))
        for each in published:
            self.assertEqual(each["publisher"], ids.get(each["holder"], "postgres"), each)
        holders = {(each["token"], each["publisher"]) for each in published}
        self.assertEqual(len(holders), len({token for token, _ in holders}), holders)

    def count(self):
        return len(self.fleet.published())

    def await_takeover(self, former, since):
        """Until another agent has published; the seconds that took."""
        before = self.count()

        def taken():
            return [each for each in self.fleet.published()[before:] if each["publisher"] != former.user]

        wait_until(taken, "another agent to publish", TAKEOVER_S - (time.monotonic() - since))
        return time.monotonic() - since

    def test_all_agents_go_by_the_same_summary(self):
        before = self.count()
        wait_until(lambda: self.count() >= before + 3, "three summaries more")

        def newest():
            return {agent.status()["summary"]["id"] for agent in self.fleet.agents}

        wait_until(lambda: len(newest()) == 1, "all agents to have the newest summary")

    def test_another_takes_over_from_one_that_was_killed(self):
        holder = self.fleet.holder()
        since = time.monotonic()
        holder.kill()
        print(f"killed: another published {self.await_takeover(holder, since):.1f} s later")
        holder.start()
        self.fleet.await_modes("adaptive")

    def test_one_that_was_stopped_and_wakes_cannot_publish(self):
        holder = self.fleet.holder()
        token = self.fleet.lease()[1]
        since = time.monotonic()
        holder.pause()
        print(f"stopped: another published {self.await_takeover(holder, since):.1f} s later")
        self.assertGreater(self.fleet.lease()[1], token)
        before = self.count()
        holder.resume()
        wait_until(lambda: self.count() >= before + 4, "summaries after it woke")
        late = [each for each in self.fleet.published()[before:] if each["publisher"] == holder.user]
        self.assertEqual(late, [], "nobody gave it back its job")
        self.fleet.await_modes("adaptive")

    def test_one_that_is_cut_off_is_replaced(self):
        holder = self.fleet.holder()
        since = time.monotonic()
        holder.cut_off("black_hole", "postgres")
        took = self.await_takeover(holder, since)
        print(f"cut off: another published {took:.1f} s later")
        holder.cut_off("relay")
        self.fleet.await_modes("adaptive")

    def test_one_that_ends_properly_hands_it_over_at_once(self):
        holder = self.fleet.holder()
        since = time.monotonic()
        self.assertEqual(holder.stop(), 0)
        took = self.await_takeover(holder, since)
        print(f"ended: another published {took:.1f} s after the signal")
        holder.start()
        self.fleet.await_modes("adaptive")


class Copy(unittest.TestCase):
    def test_a_copied_data_directory_makes_no_second_holder(self):
        """A machine that was cloned brings its agent's id along."""
        with Fleet(agents=1) as fleet:
            agent = fleet.agents[0]
            fleet.holder()
            token = fleet.lease()[1]
            config = copy.deepcopy(agent.config)
            config.agent |= {"listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0"}
            twin = fleet.agent(config, start=False)
            shutil.copytree(agent.data_dir, twin.data_dir, dirs_exist_ok=True)
            twin.start()
            wait_until(lambda: twin.status()["summary"], "the copy to have the summary")
            agent.kill()
            elected = twin.process.wait_line(r"event=elected .*token=(\d+)")
            self.assertEqual(int(elected.group(1)), token + 1)


if __name__ == "__main__":
    unittest.main()
