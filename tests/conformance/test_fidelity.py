# SPDX-License-Identifier: Apache-2.0
"""Where client and provider speak the same protocol, the provider gets the client's bytes: only the
model's name changes, and stream_options where usage would be missing (wire case B092)."""

import json
import re
import unittest

from weir_harness import Config, World

# Bodies that a program would not write back as it read them.
BODIES = {
    "spaces": '{ "model" : "%s" ,\n\t"messages" : [ { "role":"user", "content":"hi" } ] %s }',
    "order": '{"zebra":1,"messages":[{"content":"hi","role":"user"}],"apple":2,"model":"%s"%s}',
    "numbers": '{"model":"%s","messages":[{"role":"user","content":"hi"}],"seed":9007199254740993,'
    '"a":1.0,"b":1e2,"c":-0.0,"d":1E+2,"e":0.10000000000000000555%s}',
    "twice": '{"model":"%s","messages":[{"role":"user","content":"hi"}],"a":1,"a":2%s}',
    "unknown": '{"model":"%s","messages":[{"role":"user","content":"hi"}],"x_vendor":{"k":null,'
    '"l":[]}%s}',
    "escapes": '{"model":"%s","messages":[{"role":"user","content":"\\u00e9 é \\/ / \\ud83c\\udf0d'
    ' 🌍 \\u0000"}]%s}',
    "the model's name elsewhere": '{"metadata":{"model":"m"},"model":"%s","messages":[{"role":"user",'
    '"content":"\\"model\\":\\"m\\""}]%s}',
}
STREAM_OPTIONS = re.compile(r'("stream_options":\{"include_usage":true\},?)')


class Fidelity(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        cls.fake = cls.world.fake()
        config = Config().provider("o", cls.fake.port).provider("a", cls.fake.port, "anthropic")
        config.model("m", ["o"]).model("claude", ["a"])
        cls.agent = cls.world.agent(config)

    def seen(self, path, text, headers=None):
        answer = self.agent.post(path, text.encode(), headers)
        self.assertEqual(answer.status, 200, answer.body)
        return self.fake.requests()[0]

    def test_openai_bodies(self):
        for name, body in BODIES.items():
            with self.subTest(name):
                seen = self.seen("/v1/chat/completions", body % ("m", ""))
                self.assertEqual(seen["body"], body % ("up/o/m", ""))

    def test_openai_streams_get_stream_options_and_nothing_else(self):
        for name, body in BODIES.items():
            with self.subTest(name):
                seen = self.seen("/v1/chat/completions", body % ("m", ',"stream":true'))["body"]
                self.assertTrue(json.loads(seen)["stream_options"]["include_usage"])
                without = STREAM_OPTIONS.sub("", seen, count=1)
                self.assertEqual(without, body % ("up/o/m", ',"stream":true'))

    def test_stream_options_of_the_client_are_its_own(self):
        more = ',"stream":true,"stream_options":{"include_usage":true}'
        for name, body in BODIES.items():
            with self.subTest(name):
                seen = self.seen("/v1/chat/completions", body % ("m", more))
                self.assertEqual(seen["body"], body % ("up/o/m", more))

    def test_anthropic_bodies(self):
        for name, body in BODIES.items():
            for more in (',"max_tokens":9', ',"max_tokens":9,"stream":true'):
                with self.subTest(name, more=more):
                    seen = self.seen("/v1/messages", body % ("claude", more))
                    self.assertEqual(seen["body"], body % ("up/a/claude", more))

    def test_the_clients_credentials_and_connection_stay_behind(self):
        headers = {
            "Authorization": "Bearer client-secret",
            "x-api-key": "client-secret",
            "Cookie": "session=client-secret",
            "Connection": "keep-alive, x-hop",
            "x-hop": "client-secret",
            "Accept-Encoding": "gzip",
        }
        body = BODIES["unknown"]
        for path, text in (
            ("/v1/chat/completions", body % ("m", "")),
            ("/v1/messages", body % ("claude", ',"max_tokens":9')),
        ):
            with self.subTest(path):
                head = self.seen(path, text, headers)["head"].lower()
                for word in ("client-secret", "gzip", "x-hop", "cookie"):
                    self.assertNotIn(word, head)
                self.assertIn("sk-o" if "chat" in path else "sk-a", head)


if __name__ == "__main__":
    unittest.main()
