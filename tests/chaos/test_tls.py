# SPDX-License-Identifier: Apache-2.0
"""TLS to providers: a certificate that can be verified is served, any other is a failed connection."""

import subprocess
import unittest

from weir_harness import Config, World


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class Authority:
    """A certificate authority in a folder."""

    def __init__(self, folder, name):
        self.folder = folder
        self.name = name
        self.cert = folder / f"{name}.pem"
        self.key = folder / f"{name}.key"
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", self.key, "-out", self.cert, "-days", "2", "-subj", f"/CN={name}",
                "-addext", "basicConstraints=critical,CA:TRUE")

    def issue(self, subject, alternative):
        """(certificate, key) of a server that is known as `alternative`."""
        stem = self.folder / f"{self.name}-{subject}"
        request, cert, key = (stem.with_suffix(end) for end in (".csr", ".pem", ".key"))
        extensions = stem.with_suffix(".ext")
        extensions.write_text(f"subjectAltName={alternative}\n")
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", key, "-out", request, "-subj", f"/CN={subject}")
        openssl("x509", "-req", "-in", request, "-CA", self.cert, "-CAkey", self.key,
                "-CAcreateserial", "-days", "2", "-out", cert, "-extfile", extensions)
        return cert, key


class Tls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        trusted = Authority(cls.world.directory, "trusted")
        stranger = Authority(cls.world.directory, "stranger")
        here = trusted.issue("here", "IP:127.0.0.1,DNS:localhost")
        elsewhere = trusted.issue("elsewhere", "DNS:elsewhere.example")
        cls.good = cls.world.fake(tls=here)
        cls.other = cls.world.fake(tls=elsewhere)
        plain = cls.world.fake()
        config = Config()
        https = {"scheme": "https"}
        config.provider("by_name", cls.good.port, host="localhost", ca_file=trusted.cert, **https)
        config.provider("by_address", cls.good.port, ca_file=trusted.cert, **https)
        config.provider("unknown_ca", cls.good.port, ca_file=stranger.cert, **https)
        config.provider("system_ca", cls.good.port, **https)
        config.provider("wrong_host", cls.other.port, ca_file=trusted.cert, **https)
        config.provider("not_tls", plain.port, ca_file=trusted.cert, **https)
        config.provider("ok", plain.port)
        for name in list(config.providers):
            config.model(name, [name, "ok"] if name != "ok" else ["ok"])
        cls.agent = cls.world.agent(config)

    def test_a_verified_provider_serves(self):
        for name in ("by_name", "by_address"):
            for stream in (True, False):
                with self.subTest(name, stream=stream):
                    answer = self.agent.chat(name, stream)
                    self.assertEqual(answer.status, 200)
                    self.assertEqual(answer.headers["X-Weir-Provider"], name)

    def test_an_unverified_one_is_a_failed_connection(self):
        for name in ("unknown_ca", "system_ca", "wrong_host", "not_tls"):
            with self.subTest(name):
                answer = self.agent.chat(name)
                self.assertEqual(answer.status, 200)
                self.assertEqual(answer.headers["X-Weir-Provider"], "ok")
                rows = self.agent.attempts(answer)
                outcomes = [(row["provider"], row["outcome"]) for row in rows]
                self.assertEqual(outcomes, [(name, "connect_failed"), ("ok", "ok")])


if __name__ == "__main__":
    unittest.main()
