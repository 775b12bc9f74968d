# SPDX-License-Identifier: Apache-2.0
"""A server of one's own from outside: so many at once, so many in line, and something behind it."""

import concurrent.futures
import json
import socket
import threading
import unittest

import weir_harness as weir

BATCH = {"X-Weir-Priority": "batch"}


class OwnServer(unittest.TestCase):
    """A local server that does two things at once, two may wait, and an API behind it."""

    def setUp(self):
        self.world = weir.World()
        self.addCleanup(self.world.close)
        self.local = self.world.fake({"ttft_ms": 600, "output_tokens": 3})
        self.api = self.world.fake({"ttft_ms": 10, "output_tokens": 3})
        self.config = weir.Config()
        self.config.provider("local", self.local.port).provider("api", self.api.port)
        self.config.model("m", ["local", "api"])
        self.config.models["m"][0].update({"max_in_flight": 2, "max_queue": 2})

    def together(self, agent, count, **headers):
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            calls = [
                pool.submit(agent.chat, text=f"one of many {number}", headers=headers)
                for number in range(count)
            ]
            return [call.result() for call in calls]

    def waiting(self, agent):
        return agent.status()["models"][0]["routes"][0]["waiting"]

    def most_at_once(self, agent):
        rows = agent.ledger("provider = 'local'")
        spans = [(row["started_at_ms"], row["started_at_ms"] + row["duration_ms"]) for row in rows]
        # Two of them may touch: the clock of the ledger counts whole milliseconds.
        return max(sum(1 for a, b in spans if a + 2 <= start < b - 2) for start, _ in spans) + 1

    def test_two_run_two_wait_and_the_rest_goes_to_the_api_at_once(self):
        agent = self.world.agent(self.config)
        answers = self.together(agent, 8)
        self.assertEqual({answer.status for answer in answers}, {200})
        providers = [answer.headers["X-Weir-Provider"] for answer in answers]
        self.assertEqual((providers.count("local"), providers.count("api")), (4, 4))
        for answer in answers:
            spilled = answer.headers["X-Weir-Provider"] == "api"
            self.assertEqual(answer.headers["X-Weir-Reason"], "spill" if spilled else "fixed")
            self.assertEqual(answer.headers["X-Weir-Attempts"], "1")
        weir.wait_until(lambda: len(agent.ledger("1")) == 8, "the ledger")
        self.assertLessEqual(self.most_at_once(agent), 3)
        self.assertEqual({row["outcome"] for row in agent.ledger("1")}, {"ok"})
        for row in agent.ledger("provider = 'local'"):
            self.assertLess(row["ttft_ms"], 1100, "time in the queue is none of the provider's")

    def test_users_go_before_batch(self):
        self.config.models["m"][0].update({"max_in_flight": 1, "max_queue": 4})
        agent = self.world.agent(self.config)
        order = []
        lock = threading.Lock()

        def ask(name, headers):
            agent.chat(text=name, headers=headers)
            with lock:
                order.append(name)

        threads = []
        for number, (name, headers) in enumerate(
            [("first", {}), ("batch", BATCH), ("user one", {}), ("user two", {})]
        ):
            thread = threading.Thread(target=ask, args=(name, headers))
            thread.start()
            threads.append(thread)
            weir.wait_until(
                lambda: self.local.stats()["in_flight"] == 1 and self.waiting(agent) == number,
                f"{name} to stand in line",
            )
        for thread in threads:
            thread.join()
        self.assertEqual(order, ["first", "user one", "user two", "batch"])

    def test_errors_and_silence_of_the_local_server_fail_over(self):
        agent = self.world.agent(self.config)
        self.local.script(status=500)
        answer = agent.chat()
        self.assertEqual((answer.status, answer.headers["X-Weir-Provider"]), (200, "api"))
        self.assertEqual(answer.headers["X-Weir-Reason"], "failover")

    def test_who_leaves_leaves_the_queue(self):
        self.local.script(ttft_ms=5000)
        agent = self.world.agent(self.config)
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "x"}]}).encode()
        head = (
            f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode()
        clients = []
        for number in range(4):
            client = socket.create_connection(("127.0.0.1", agent.port))
            client.sendall(head + body)
            clients.append(client)
            expected = max(number - 1, 0)
            weir.wait_until(
                lambda: self.local.stats()["in_flight"] == min(number + 1, 2)
                and self.waiting(agent) == expected,
                "the queue to fill",
            )
        for client in clients[2:]:
            client.close()
        weir.wait_until(lambda: self.waiting(agent) == 0, "the queue to be empty")
        self.assertEqual(self.local.stats()["in_flight"], 2)
        for client in clients[:2]:
            client.close()
        weir.wait_until(lambda: self.local.stats()["in_flight"] == 0, "the attempts to end")
        self.assertEqual(agent.ledger("provider = 'api'"), [])

    def test_nothing_behind_it_is_said_and_full_is_an_honest_answer(self):
        self.config.model("m", ["local"], max_in_flight=1, max_queue=1)
        agent = self.world.agent(self.config)
        check = agent.check()
        self.assertEqual(check.returncode, 0)
        self.assertIn("warning: model.m.route[1].max_in_flight", check.stderr.decode())
        agent.process.wait_line("event=config_warning .*max_in_flight")
        answers = self.together(agent, 4)
        statuses = sorted(answer.status for answer in answers)
        self.assertEqual(statuses, [200, 200, 429, 429])
        for answer in answers:
            if answer.status == 200:
                continue
            self.assertEqual(answer.json()["error"]["code"], "over_capacity")
            self.assertEqual(answer.headers["X-Weir-Level"], "L4")
            self.assertGreaterEqual(int(answer.headers["Retry-After"]), 1)

    def test_a_full_step_goes_down_the_ladder(self):
        self.config.model("m", ["local"], max_in_flight=1, max_queue=0).model("small", ["api"])
        self.config.tasks["t"] = {"models": ["m", "small"]}
        agent = self.world.agent(self.config)
        self.assertNotIn("warning", agent.check().stderr.decode())
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            first = pool.submit(agent.chat, model="auto", headers={"X-Weir-Task-Type": "t"})
            weir.wait_until(lambda: self.local.stats()["in_flight"] == 1, "the first to run")
            second = agent.chat(model="auto", headers={"X-Weir-Task-Type": "t"})
            self.assertEqual(first.result().headers["X-Weir-Level"], "L0")
        self.assertEqual((second.status, second.headers["X-Weir-Level"]), (200, "L1"))

    def test_a_stop_ends_the_waiting(self):
        self.local.script(ttft_ms=15000)
        agent = self.world.agent(self.config)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            calls = [pool.submit(agent.chat, text=f"call {number}") for number in range(4)]
            weir.wait_until(lambda: self.waiting(agent) == 2, "two to wait")
            agent.signal(weir.SIGTERM)
            agent.process.wait_line("event=draining")
            agent.signal(weir.SIGTERM)
            agent.process.popen.wait(weir.PATIENCE_S)
            for call in calls:
                try:
                    self.assertNotEqual(call.result().status, 200)
                except OSError:
                    pass
        self.assertEqual(agent.process.popen.returncode, 0)

    def test_the_capacity_may_change_while_it_runs(self):
        self.local.script(ttft_ms=3000)
        agent = self.world.agent(self.config)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            calls = [pool.submit(agent.chat, text=f"call {number}") for number in range(4)]
            weir.wait_until(lambda: self.waiting(agent) == 2, "two to wait")
            self.config.models["m"][0].update({"max_in_flight": 4})
            agent.write_config()
            agent.signal(weir.SIGHUP)
            weir.wait_until(lambda: self.local.stats()["in_flight"] == 4, "all to run")
            for call in calls:
                self.assertEqual(call.result().headers["X-Weir-Provider"], "local")


if __name__ == "__main__":
    unittest.main()
