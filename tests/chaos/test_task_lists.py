# SPDX-License-Identifier: Apache-2.0
"""The task lists of seed document 003, as resources/config/task-lists.toml has them: every list is
walked down to its end, and the caps on failovers, second tries and time are counted at the
providers."""

import json
import re
import shutil
import subprocess
import time
import tomllib
import unittest
from pathlib import Path

import weir_harness as weir

FILE = Path(__file__).resolve().parents[2] / "resources/config/task-lists.toml"
LISTS = {
    "classify": ["openai/gpt-4o-mini", "anthropic/claude-haiku", "self-hosted/llama-3-8b"],
    "classify-bulk": ["self-hosted/llama-3-8b", "openai/gpt-4o-mini"],
    "extract-structured": ["openai/gpt-4o-mini", "anthropic/claude-haiku"],
    "chat-customer-facing": ["openai/gpt-4o", "anthropic/claude-sonnet", "openai/gpt-4o-mini"],
    "code-generation": ["anthropic/claude-sonnet", "openai/gpt-4o"],
    "summarize": ["openai/gpt-4o-mini", "anthropic/claude-haiku"],
}
LEVELS = ("L0", "L1", "L2")
SORRY = "The assistant is not available right now. Please try again in a minute."


class TaskLists(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = weir.World()
        cls.addClassCleanup(cls.world.close)
        cls.providers = tomllib.loads(FILE.read_text())["provider"]

    def setUp(self):
        """The file as it is, but for addresses: a provider of its own for each model, so that one
        model of a provider can fail alone."""
        config = tomllib.loads(FILE.read_text())
        written = weir.Config()
        written.agent["service"] = config["agent"]["service"]
        self.fakes = {}
        for name, model in config["model"].items():
            route = model["route"][0]
            own = f"{route['provider']}-{name}"
            self.fakes[f"{route['provider']}/{name}"] = fake = self.world.fake({"text": f"by {name}"})
            source = dict(self.providers[route["provider"]])
            source["base_url"] = f"http://127.0.0.1:{fake.port}/v1"
            source.pop("api_key_env", None)
            written.providers[own] = source
            written.models[name] = [{**route, "provider": own}]
        written.tasks = config["task"]
        self.tasks = config["task"]
        self.agent = self.world.agent(written)
        self.addCleanup(self.agent.begin_stop)

    def ask(self, task, **headers):
        fields = {"X-Weir-Task-Type": task}
        fields.update({name.replace("_", "-"): value for name, value in headers.items()})
        return self.agent.chat("auto", headers=fields)

    def calls(self):
        return {name: fake.stats()["requests"] for name, fake in self.fakes.items()}

    def test_the_file_is_a_valid_configuration(self):
        """As it is shipped, and with the budget of the document where it names no other."""
        done = subprocess.run(
            [str(weir.BIN_DIR / "weir-agent"), "--config", str(FILE), "--check", "--data-dir",
             str(self.world.directory / "unused")],
            env={"OPENAI_API_KEY": "sk-one", "ANTHROPIC_API_KEY": "sk-two"},
            capture_output=True, timeout=weir.PATIENCE_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotRegex(done.stdout.decode(), re.compile("sk-one|sk-two"))
        self.assertEqual(set(self.tasks), set(LISTS))
        for task, models in LISTS.items():
            self.assertEqual(self.tasks[task]["models"], [each.split("/")[1] for each in models])
        checked = json.loads(done.stdout)
        self.assertEqual(checked["task"]["classify"]["deadline_ms"], 60000)

    def test_each_list_is_walked_in_its_order(self):
        """Down to its last model, each step told by its level; callers name no provider."""
        for task, models in LISTS.items():
            for fake in self.fakes.values():
                fake.reset()
            for step, name in enumerate(models):
                with self.subTest(task=task, step=step):
                    answer = self.ask(task)
                    self.assertEqual(answer.status, 200, answer.body)
                    text = answer.json()["choices"][0]["message"]["content"]
                    self.assertEqual(text, f"by {name.split('/')[1]}")
                    self.assertEqual(answer.headers["X-Weir-Level"], LEVELS[step])
                    self.assertEqual(answer.headers["X-Weir-Attempts"], str(step + 1))
                self.fakes[name].script(status=500)
                self.forget_breakers()

    def forget_breakers(self):
        """Steps are counted from a healthy view: an opened breaker would skip the dead model."""
        self.agent.kill()
        shutil.rmtree(self.agent.data_dir)
        self.agent.data_dir.mkdir()
        self.agent.start()

    def test_a_429_moves_on_at_once(self):
        """"Don't waste time retrying the same provider": one call each."""
        self.fakes["openai/gpt-4o-mini"].script(status=429)
        answer = self.ask("summarize")
        self.assertEqual((answer.status, answer.headers["X-Weir-Level"]), (200, "L1"))
        self.assertEqual(self.calls()["openai/gpt-4o-mini"], 1)

    def test_a_transient_error_is_tried_once_more_where_it_was(self):
        """The second call serves, and nobody else is asked."""
        self.fakes["openai/gpt-4o-mini"].script(status=503, times=1)
        answer = self.ask("summarize")
        self.assertEqual((answer.status, answer.headers["X-Weir-Level"]), (200, "L0"))
        self.assertEqual(self.calls()["openai/gpt-4o-mini"], 2)
        self.assertEqual(self.calls()["anthropic/claude-haiku"], 0)

    def test_a_permanent_error_is_the_callers(self):
        """No second try and no failover: it would only move the mistake."""
        self.fakes["openai/gpt-4o-mini"].script(status=422)
        answer = self.ask("summarize")
        self.assertEqual((answer.status, answer.headers["X-Weir-Attempts"]), (422, "1"))
        self.assertEqual(sum(self.calls().values()), 1)

    def test_at_most_two_failovers_and_one_retry_a_provider(self):
        """Counted at the providers, for every list and every failure that moves a request on."""
        for script in ({"status": 503}, {"status": 500}, {"fault": "reset"}, {"status": 429}):
            for task, models in LISTS.items():
                for fake in self.fakes.values():
                    fake.reset(**script)
                before = self.calls()
                answer = self.ask(task)
                asked = {name: count - before[name] for name, count in self.calls().items()}
                with self.subTest(task=task, script=script):
                    self.assertGreaterEqual(answer.status, 429)
                    self.assertLessEqual(len([1 for count in asked.values() if count]), 3)
                    self.assertLessEqual(max(asked.values()), 2)
                    self.assertLessEqual(int(answer.headers["X-Weir-Attempts"]), 4)
                    self.assertEqual({name for name, count in asked.items() if count} - set(models), set())

    def test_the_last_error_goes_to_the_caller(self):
        """In the operator's words where the task has some, with a time to come back."""
        for fake in self.fakes.values():
            fake.script(status=500)
        answer = self.ask("chat-customer-facing")
        self.assertEqual(answer.json()["error"]["message"], SORRY)
        self.assertEqual(answer.headers["Retry-After"], "60")
        self.assertEqual(answer.headers["X-Weir-Level"], "L4")

    def test_one_budget_of_time_for_all_tries(self):
        """Silent providers together cost the caller one budget, not one each."""
        for fake in self.fakes.values():
            fake.script(fault="hang")
        began = time.monotonic()
        answer = self.ask("chat-customer-facing", X_Weir_Deadline_Ms="1500")
        took = time.monotonic() - began
        self.assertEqual(answer.status, 504)
        self.assertGreaterEqual(took, 1.4)
        self.assertLess(took, 1.5 * 2)
        self.assertLessEqual(sum(self.calls().values()), 3)


if __name__ == "__main__":
    unittest.main()
