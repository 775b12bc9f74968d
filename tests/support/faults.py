# SPDX-License-Identifier: Apache-2.0
"""The ways in which the first provider of a pool fails, and pools that have each of them."""

import socket

from weir_harness import Config, dead_port

PROTOCOLS = ("openai", "anthropic")
# How the provider is scripted (None: there is none), its limits in the agent, the ledger's word.
FAULTS = {
    "dead": (None, {"connect_timeout_ms": 300}, "connect_failed"),
    "refuses": (None, {}, "connect_failed"),
    "hangs": ({"fault": "hang"}, {"ttft_timeout_ms": 400}, "ttft_timeout"),
    "resets": ({"fault": "reset"}, {}, "reset"),
    "s500": ({"status": 500}, {}, "server_error"),
    "s429": ({"status": 429}, {}, "rate_limited"),
    "s402": ({"status": 402}, {}, "no_credit"),
    "s404": ({"status": 404}, {}, "model_unavailable"),
    "html": ({"fault": "html_200"}, {}, "malformed"),
}
# Not a failure of the provider but the caller's own mistake.
CALLERS_FAULT = {"s400": ({"status": 400}, {}, "bad_request")}


def deaf_port(world):
    """A port whose queue is full, so that a connection to it is never answered at all."""
    listener = world.enter_context(socket.socket())
    listener.bind(("127.0.0.1", 0))
    listener.listen(0)
    for _ in range(3):
        filler = world.enter_context(socket.socket())
        filler.setblocking(False)
        filler.connect_ex(listener.getsockname())
    return listener.getsockname()[1]


class Pools:
    """An agent with a healthy model for each protocol, `m` and `claude`, and for each fault and
    protocol a model `<fault>-<protocol>`, whose second provider is healthy."""

    def __init__(self, world):
        self.world = world
        self.healthy = world.fake()
        self.failing = {}
        config = Config()
        for protocol in PROTOCOLS:
            config.provider(f"ok_{protocol}", self.healthy.port, protocol)
        config.model("m", ["ok_openai"]).model("claude", ["ok_anthropic"])
        for name, (script, limits, _) in {**FAULTS, **CALLERS_FAULT}.items():
            port = self._port(name, script)
            for protocol in PROTOCOLS:
                config.provider(f"{name}_{protocol}", port, protocol, **limits)
                config.model(f"{name}-{protocol}", [f"{name}_{protocol}", f"ok_{protocol}"])
        self.agent = world.agent(config)

    def _port(self, name, script):
        if script is None:
            return deaf_port(self.world) if name == "dead" else dead_port()
        self.failing[name] = self.world.fake(script)
        return self.failing[name].port
