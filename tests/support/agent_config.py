# SPDX-License-Identifier: Apache-2.0
"""The configuration file of an agent under test."""

import json


def toml_value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml_value(each) for each in value) + "]"
    return json.dumps(str(value), ensure_ascii=False)


def toml_table(name, values):
    return f"{name}\n" + "".join(f"{key} = {toml_value(each)}\n" for key, each in values.items())


class Config:
    """An agent's configuration file, with the limits short enough for tests. provider() and model()
    add to it; text() writes it."""

    def __init__(self, **agent):
        self.agent = {"listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "service": "test"}
        self.agent.update(agent)
        self.sections = {
            "timing": {
                "settings_poll_s": 0.2,
                "breaker_open_s": 1,
                "ledger_flush_ms": 50,
                "drain_s": 10,
            },
            "limits": {},
        }
        self.providers = {}
        self.models = {}
        self.tasks = {}

    def provider(self, name, port, protocol="openai", scheme="http", host="127.0.0.1", **keys):
        self.providers[name] = {
            "protocol": protocol,
            "base_url": f"{scheme}://{host}:{port}/v1",
            "api_key_env": f"KEY_{name.upper()}",
            "connect_timeout_ms": 2000,
            "ttft_timeout_ms": 20000,
            "idle_timeout_ms": 20000,
        }
        self.providers[name].update(keys)
        return self

    def model(self, name, providers, **route):
        keys = {
            "price": {"input": 0.6, "cached_input": 0.11, "cache_write": 0.75, "output": 2.2},
            "context_tokens": 200000,
            "max_output_tokens": 32768,
            "capabilities": ["stream", "tools", "json_schema", "images"],
        }
        keys.update(route)
        self.models[name] = [
            {"provider": each, "upstream_model": f"up/{each}/{name}", **keys} for each in providers
        ]
        return self

    def text(self):
        parts = [toml_table("[agent]", self.agent)]
        for name, values in self.providers.items():
            parts.append(toml_table(f"[provider.{name}]", values))
        for name, routes in self.models.items():
            order = [route["provider"] for route in routes]
            parts.append(toml_table(f"[model.{json.dumps(name)}]", {"fixed_order": order}))
            for route in routes:
                parts.append(toml_table(f"[[model.{json.dumps(name)}.route]]", route))
        for name, values in self.tasks.items():
            parts.append(toml_table(f"[task.{name}]", values))
        for name, values in self.sections.items():
            parts.append(toml_table(f"[{name}]", values))
        return "\n".join(parts)
