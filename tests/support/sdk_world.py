# SPDX-License-Identifier: Apache-2.0
"""What the SDKs' suites meet: an agent between them and one picky provider of each protocol."""

import json

from weir_harness import Config

PROTOCOLS = ("openai", "anthropic")
CAPABILITIES = ("stream", "tools", "json_schema", "images", "reasoning")
OPENAI_ONLY = ("responses", "embeddings")
TEXT = "The river rises over the weir and finds its level, 語🌍 slowly für everyone who waits."
# A PNG of one pixel: real enough for whoever looks into it.
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Upstreams:
    """`by-openai` and `by-anthropic` are served by the provider of that protocol. `openai-first`
    and `anthropic-first` have both, in that order. The providers refuse what the real ones do."""

    def __init__(self, world, keys=None, anthropic_betas=None, **agent):
        self.world = world
        self.fakes = {}
        config = Config(**agent)
        for number, protocol in enumerate(PROTOCOLS):
            # Seeds of their own: what one has signed the other does not know.
            self.fakes[protocol] = world.fake({"strict": True, "seed": number + 1})
            more = {}
            if protocol == "anthropic" and anthropic_betas:
                more["betas"] = anthropic_betas
            config.provider(protocol, self.fakes[protocol].port, protocol, **more)
        for protocol, other in (PROTOCOLS, PROTOCOLS[::-1]):
            more = OPENAI_ONLY if protocol == "openai" else ()
            config.model(f"by-{protocol}", [protocol], capabilities=[*CAPABILITIES, *more])
            config.model(f"{protocol}-first", [protocol, other], capabilities=CAPABILITIES)
        self.agent = world.agent(config, keys)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.agent.port}"

    def reset(self, **script):
        for fake in self.fakes.values():
            fake.reset(**script)

    def seen(self, protocol, limit=1):
        """The bodies of the last requests that this provider got, oldest first."""
        return [json.loads(each["body"]) for each in self.fakes[protocol].requests(limit)]

    def seen_head(self, protocol):
        return self.fakes[protocol].requests()[0]["head"].lower()


# How the only provider of a pool refuses; each has a model of its own: some are benched for it.
REFUSALS = {
    "s400": {"status": 400},
    "s401": {"status": 401},
    "s402": {"status": 402},
    "s404": {"status": 404},
    "s429": {"status": 429, "retry_after": 2},
    "s500": {"status": 500},
    "s503": {"status": 503},
    "s529": {"status": 529},
    "openai_overflow": {
        "status": 400,
        "body": {
            "error": {
                "message": "This model's maximum context length is 8192 tokens. However, your "
                "messages resulted in 9001 tokens.",
                "type": "invalid_request_error",
                "param": "messages",
                "code": "context_length_exceeded",
            }
        },
    },
    "anthropic_overflow": {
        "status": 400,
        "body": {
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": "prompt is too long: 9001 tokens > 8192 maximum",
            },
        },
    },
    # After the first words of a stream.
    "error": {"fault": "error_after"},
    "cut": {"fault": "cut_fin"},
}


class Refusals:
    """An agent with a model `<name>-<protocol>` for each of REFUSALS and provider's protocol."""

    def __init__(self, world):
        config = Config()
        for name, script in REFUSALS.items():
            port = world.fake(script).port
            for protocol in PROTOCOLS:
                if name.endswith("_overflow") and not name.startswith(protocol):
                    continue
                config.provider(f"{name}_{protocol}", port, protocol)
                model = f"overflow-{protocol}" if "overflow" in name else f"{name}-{protocol}"
                config.model(model, [f"{name}_{protocol}"], capabilities=CAPABILITIES)
        self.agent = world.agent(config)
        self.url = f"http://127.0.0.1:{self.agent.port}"
