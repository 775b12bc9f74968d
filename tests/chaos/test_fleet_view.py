# SPDX-License-Identifier: Apache-2.0
"""Any agent, and the terminal, show the whole fleet; who was killed stays to be seen until a person
forgets it, who ends properly goes by itself."""

import json
import unittest

from fleet import Fleet
from fleet_load import Load
from weir_harness import wait_until


# Until then an agent that says nothing may be alive (agent/ctl/agents_view.h).
SILENT_S = 10.0


class View(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fleet = Fleet(agents=3)
        cls.addClassCleanup(cls.fleet.close)
        cls.fleet.turn("adaptive")

    def seen_by(self, agent):
        """{agent id: seconds since it was heard of}, in that agent's status."""
        return {each["agent_id"]: each["last_seen_s"] for each in agent.status()["agents"]}

    def ids(self, agents):
        return {agent.agent_id for agent in agents}

    def await_seen(self, wanted):
        for agent in self.fleet.up():
            wait_until(
                lambda agent=agent: set(self.seen_by(agent)) == self.ids(wanted),
                f"agent {agent.number} to see {[each.number for each in wanted]}",
            )

    def test_every_agent_shows_the_whole_fleet(self):
        self.await_seen(self.fleet.agents)
        for agent in self.fleet.agents:
            rows = agent.status()["agents"]
            for row in rows:
                self.assertEqual(row["service"], "fleet")
                self.assertEqual(row["effective_mode"], "adaptive")
                self.assertLess(row["last_seen_s"], 10)
        said = json.loads(self.fleet.ctl("agents", "list", "--json"))["agents"]
        self.assertEqual({row["agent_id"] for row in said}, self.ids(self.fleet.agents))
        text = self.fleet.agents[1].ctl("status")
        for agent in self.fleet.agents:
            self.assertIn(agent.agent_id[:8], text)

    def test_figures_of_any_agent_are_those_of_the_fleet(self):
        """Traffic goes to one agent only; the others show it, too."""
        busy, *idle = self.fleet.agents
        with Load(self.fleet, rps=20, threads=4, agents=[busy]) as load:
            load.await_calls(60)
            for agent in idle:

                def shows(agent=agent):
                    routes = agent.status()["models"][0]["routes"]
                    return sum(route["rps_1m"] or 0 for route in routes) > 0.5

                wait_until(shows, f"agent {agent.number} to show the fleet's calls")
            wait_until(lambda: self.alike("weir_permitted_rps", 0.2), "all to permit the same rates")
            wait_until(lambda: self.alike("weir_score", 0.0), "all to have the same scores")
        self.assertEqual(load.failures(), [])

    def alike(self, name, tolerance):
        """Whether the samples of that name are the same in the metrics of all agents."""
        found = [
            {key: value for key, value in agent.metrics().items() if key.startswith(name + "{")}
            for agent in self.fleet.agents
        ]
        return bool(found[0]) and all(
            each.keys() == found[0].keys()
            and all(abs(each[key] - found[0][key]) <= tolerance * found[0][key] for key in each)
            for each in found
        )

    def test_a_conversation_is_known_to_all(self):
        """Its next turns come to another agent each, and go where its prefix is warm. Forty of them,
        so that chance cannot send all of them right."""
        first, *others = self.fleet.agents
        talks = [{"X-Weir-Conversation-Id": f"talk-{number}"} for number in range(40)]
        # One in three sorts goes elsewhere than the rest, by the caller's own order.
        homes = {}
        for number, talk in enumerate(talks):
            order = {"provider": {"order": [f"p{number % 3 + 1}"]}}
            answer = first.chat(headers=talk, **order)
            homes[number] = answer.headers["X-Weir-Provider"]
        self.assertEqual(set(homes.values()), set(self.fleet.providers))

        def is_told():
            """The last batch has been there for as long as everybody takes to read it."""
            seconds = int(self.fleet.redis.redis_cli("TIME").split()[0])
            newest = self.fleet.redis.redis_cli("XREVRANGE", "weir:1:pins", "+", "-", "COUNT", 1)
            return newest and seconds - int(newest.split("-")[0]) // 1000 > 3

        wait_until(is_told, "the fleet to be told")
        for agent in others:
            for number, talk in enumerate(talks):
                answer = agent.chat(headers=talk)
                found = (answer.headers["X-Weir-Provider"], answer.headers["X-Weir-Reason"])
                self.assertEqual(found, (homes[number], "pinned"), f"{number} at {agent.number}")

    def test_a_ghost_stays_until_it_is_forgotten(self):
        ghost, *others = self.fleet.agents
        self.await_seen(self.fleet.agents)
        ghost.kill()
        for agent in others:
            wait_until(
                lambda agent=agent: self.seen_by(agent).get(ghost.agent_id, 0) > 3,
                "the ghost to be seen as one that is silent",
            )
        # It may be alive as yet.
        said = self.fleet.ctl("agents", "forget", ghost.agent_id, code=1)
        self.assertIn("stop it first", said)
        wait_until(lambda: self.seen_by(others[0])[ghost.agent_id] > SILENT_S, "it to be silent")
        self.assertIn(ghost.agent_id[:8], others[0].ctl("status"))
        self.fleet.ctl("agents", "forget", ghost.agent_id)
        self.await_seen(others)
        self.assertIn(ghost.agent_id, self.fleet.ctl("agents", "forget", ghost.agent_id, code=1))
        # One that is alive after all comes back.
        ghost.start()
        self.await_seen(self.fleet.agents)
        self.fleet.await_modes("adaptive")

    def test_one_that_ends_properly_removes_itself(self):
        leaving, *others = self.fleet.agents
        self.await_seen(self.fleet.agents)
        self.assertEqual(leaving.stop(), 0)
        self.await_seen(others)
        leaving.start()
        self.await_seen(self.fleet.agents)
        self.fleet.await_modes("adaptive")


if __name__ == "__main__":
    unittest.main()
