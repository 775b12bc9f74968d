# SPDX-License-Identifier: Apache-2.0
"""Keys are found nowhere that a person or a program could look."""

import secrets
import unittest

from weir_harness import SIGHUP, Config, World, dead_port

CANARIES = {
    "KEY_P": "sk-canary-provider-" + secrets.token_hex(12),
    "KEY_ECHO": "sk-canary-echo-" + secrets.token_hex(12),
    "KEY_GONE": "sk-canary-gone-" + secrets.token_hex(12),
    "CLIENT_KEY": "canary-client-" + secrets.token_hex(12),
}
WRONG_KEY = "canary-wrong-" + secrets.token_hex(12)
ADMIN_PAGES = (
    "/livez",
    "/readyz",
    "/metrics",
    "/admin/v1/status",
    "/admin/v1/decisions?limit=100",
)


class Secrets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        cls.fake = cls.world.fake({"expect_key": CANARIES["KEY_P"]})
        echo = CANARIES["KEY_ECHO"]
        # A provider that is careless with the key it was given.
        cls.echo = cls.world.fake(
            {
                "status": 401,
                "headers": {"x-your-key": echo},
                "body": {"error": {"message": f"Incorrect API key provided: {echo}"}},
            }
        )
        config = Config(client_keys_env="CLIENT_KEY")
        config.provider("p", cls.fake.port).provider("echo", cls.echo.port)
        config.provider("gone", dead_port())
        config.model("m", ["p"]).model("echoed", ["echo"]).model("moved", ["echo", "gone", "p"])
        config.model("lost", ["gone"])
        cls.agent = cls.world.agent(config, CANARIES)
        cls.places = {}
        cls.run_traffic()
        cls.look_everywhere()

    @classmethod
    def run_traffic(cls):
        good = {"Authorization": f"Bearer {CANARIES['CLIENT_KEY']}"}
        bad = {"Authorization": f"Bearer {WRONG_KEY}"}
        cls.answers = {}
        for stream in (False, True):
            for model in ("m", "moved", "echoed", "lost", "unknown"):
                cls.answers[model, stream] = cls.agent.chat(model, stream, headers=good)
            cls.answers["wrong key", stream] = cls.agent.chat("m", stream, headers=bad)
            cls.answers["no key", stream] = cls.agent.chat("m", stream)
        cls.answers["bad body", False] = cls.agent.post("/v1/chat/completions", b"{", good)
        x_api_key = {"x-api-key": CANARIES["CLIENT_KEY"]}
        cls.answers["x-api-key", False] = cls.agent.message("m", headers=x_api_key)
        for name, answer in cls.answers.items():
            cls.places[f"answer to {name}"] = str(answer.headers).encode() + answer.body

    @classmethod
    def look_everywhere(cls):
        for page in ADMIN_PAGES:
            cls.places[page] = cls.agent.admin(page).body
        decisions = cls.agent.admin("/admin/v1/decisions?limit=1").json()
        found = decisions if isinstance(decisions, list) else decisions.get("decisions", [])
        for each in found:
            page = f"/admin/v1/decisions/{each['request_id']}"
            cls.places[page] = cls.agent.admin(page).body
        check = cls.agent.check()
        cls.checked = check
        cls.places["--check"] = check.stdout + check.stderr
        cls.agent.write_config("[agent\n")
        cls.agent.signal(SIGHUP)
        cls.agent.process.wait_line("event=reload_refused")
        cls.agent.stop()
        cls.places["log"] = cls.agent.log().encode()
        for file in cls.agent.data_dir.rglob("*"):
            if file.is_file():
                cls.places[str(file)] = file.read_bytes()

    def test_the_run_used_the_keys(self):
        self.assertEqual(self.answers["m", False].status, 200)
        self.assertEqual(self.answers["m", True].status, 200)
        self.assertEqual(self.answers["moved", False].status, 200)
        self.assertEqual(self.answers["wrong key", False].status, 401)
        self.assertEqual(self.answers["no key", False].status, 401)
        self.assertEqual(self.fake.stats()["keys_rejected"], 0)
        self.assertEqual(self.checked.returncode, 0, self.checked.stderr)
        self.assertTrue(any("weir.db" in place for place in self.places))

    def test_a_client_key_is_not_sent_upstream(self):
        for provider in (self.fake, self.echo):
            for seen in provider.requests(100):
                self.assertNotIn(CANARIES["CLIENT_KEY"], seen["head"] + seen["body"])

    def test_no_key_is_found_anywhere(self):
        for place, content in self.places.items():
            for name, canary in {**CANARIES, "wrong": WRONG_KEY}.items():
                with self.subTest(place=place, key=name):
                    self.assertNotIn(canary.encode(), content)


if __name__ == "__main__":
    unittest.main()
