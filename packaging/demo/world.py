# SPDX-License-Identifier: Apache-2.0
"""What the demo sets up: scripted providers and an agent before them."""

import json
import pathlib
import socket
import subprocess
import urllib.error
import urllib.request

from children import Children, Failed, wait_until

PROVIDERS = ("alder", "birch", "cedar")
# Each has a model of its own, to be compared: maple repeats what it is asked, rowan says one word.
COMPARED = {"maple": "tagger", "rowan": "tagger-small"}
OPENAI_MODEL = "glm-5.2"
ANTHROPIC_MODEL = "sonnet-4.5"

# USD per million tokens; the demo recomputes the ledger's costs from them. Cedar stands last in the
# fixed order and costs half of what the others do.
PRICES = {
    "alder": {"input": "0.60", "cached_input": "0.12", "cache_write": "0.60", "output": "2.20"},
    "birch": {"input": "0.70", "cached_input": "0.14", "cache_write": "0.70", "output": "2.60"},
    "cedar": {"input": "0.30", "cached_input": "0.06", "cache_write": "0.30", "output": "1.10"},
    "maple": {"input": "0.40", "cached_input": "0.40", "cache_write": "0.40", "output": "1.60"},
    "rowan": {"input": "0.10", "cached_input": "0.10", "cache_write": "0.10", "output": "0.40"},
}

# Fast and terse providers: the story takes minutes, and what is learned needs many calls.
QUICK_S = 0.04
SCRIPTS = {
    "alder": {"seed": 1, "ttft_s": {"median": QUICK_S, "sigma": 0.2}, "tokens_per_s": 800},
    "birch": {"seed": 2, "ttft_s": {"median": 0.05, "sigma": 0.2}, "tokens_per_s": 700},
    "cedar": {"seed": 3, "ttft_s": {"median": QUICK_S, "sigma": 0.2}, "tokens_per_s": 800},
    "maple": {"seed": 4, "ttft_s": {"median": QUICK_S, "sigma": 0.2}, "echo": True},
    "rowan": {"seed": 5, "ttft_s": {"median": QUICK_S, "sigma": 0.2}, "text": "positive"},
}
COMMON_SCRIPT = {
    "output_tokens": {"median": 28, "sigma": 0.2},
    "chunk_tokens": 4,
    "cache": {"hit_warm": 0.9, "ttl_s": 300},
}

AGENT_TOML = """\
[agent]
listen = "127.0.0.1:{port}"
admin_listen = "127.0.0.1:{admin_port}"
service = "demo"

{providers}
[model."{openai_model}"]
fixed_order = ["alder", "birch", "cedar"]

[model."{anthropic_model}"]
fixed_order = ["alder-messages", "birch-messages", "cedar-messages"]

{routes}
[task.chat]
models = ["{openai_model}"]
deadline_ms = 20000

[task.classify]
models = ["tagger", "tagger-small"]
quality_floor = 0.7

[task.extract]
models = ["tagger"]
mirror = {{ model = "tagger-small", share = 1.0 }}

# Production learns every five minutes and waits longer before it tries a broken provider again; the
# demo is short.
[timing]
summary_interval_s = 1
summary_max_age_s = 20
breaker_open_s = 3
ledger_flush_ms = 200
drain_s = 5
"""

PROVIDER_TOML = """\
[provider.{name}]
protocol = "{protocol}"
base_url = "http://127.0.0.1:{port}/v1"
api_key_env = "{key_env}"
connect_timeout_ms = 1000
ttft_timeout_ms = 3000
idle_timeout_ms = 5000
"""

ROUTE_TOML = """\
[[model."{model}".route]]
provider = "{name}"
upstream_model = "{upstream}"
region = "eu"
price = {{ input = {input}, cached_input = {cached_input}, cache_write = {cache_write}, output = {output} }}
context_tokens = 200000
max_output_tokens = 32768
capabilities = ["stream", "tools", "json_schema"]
"""


def get_json(url, timeout=3):
    with urllib.request.urlopen(url, timeout=timeout) as response:
        return json.load(response)


def answers(url):
    try:
        with urllib.request.urlopen(url, timeout=2) as response:
            return response.status == 200
    except (urllib.error.URLError, OSError):
        return False


def free_port(wished):
    """The wished port where nobody has it, else one that the system chooses."""
    for port in (wished, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return probe.getsockname()[1]
    raise Failed("no free port on 127.0.0.1")


class World:
    """Folders, ports and processes of one demo run."""

    def __init__(self, programs: pathlib.Path, folder: pathlib.Path):
        self.programs = programs
        self.folder = folder
        self.children = Children(folder / "logs")
        self.ports = {}
        self.control_ports = {}
        self.port = free_port(8790)
        self.admin_port = free_port(8791)
        self.config = folder / "weir.toml"
        self.data = folder / "data"
        self.agent = None

    # What is left to look at afterwards, beside screenshots and logs.
    left = "data/weir.db, "

    @property
    def base_url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def admin_url(self):
        return f"http://127.0.0.1:{self.admin_port}"

    @property
    def store_url(self):
        return f"sqlite:{self.data / 'weir.db'}"

    def keys(self):
        return {f"{name.upper()}_API_KEY": f"demo-key-of-{name}" for name in SCRIPTS}

    def start_providers(self):
        for name in SCRIPTS:
            price = {key: float(usd) for key, usd in PRICES[name].items()}
            script = {**COMMON_SCRIPT, **SCRIPTS[name], "price": price}
            script["expect_key"] = f"demo-key-of-{name}"
            path = self.folder / f"{name}.json"
            path.write_text(json.dumps(script, indent=2) + "\n")
            command = [self.programs / "weir-fake-provider", "--config", path, "--control-port", "0"]
            process, log = self.children.start(name, command)
            said = wait_until(lambda: self._addresses(process, log), f"{name} to listen")
            self.ports[name] = said["listening"]
            self.control_ports[name] = said["control"]

    def _addresses(self, process, log):
        self.children.require_alive(process, log)
        lines = [line.split() for line in log.read_text().splitlines()]
        said = {words[0]: int(words[1].rsplit(":", 1)[1]) for words in lines if len(words) == 2}
        return said if "listening" in said else None

    def script(self, provider, **changes):
        """Changes how a provider behaves from now on."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.control_ports[provider]}/_control",
            data=json.dumps(changes).encode(),
            headers={"Content-Type": "application/json"},
        )
        urllib.request.urlopen(request, timeout=3).close()

    def billed(self):
        """What all providers say that their answers cost, in micro-dollars."""
        stats = [
            get_json(f"http://127.0.0.1:{port}/_stats") for port in self.control_ports.values()]
        return sum(bill["micro_usd"] for each in stats for bill in each["billed"].values())

    def start_agent(self):
        self.config.write_text(self._agent_toml())
        self.data.mkdir(parents=True, exist_ok=True)
        command = [
            self.programs / "weir-agent", "--config", self.config, "--data-dir", self.data,
        ]
        process, log = self.children.start("agent", command, env=self.keys())

        def ready():
            self.children.require_alive(process, log)
            return answers(f"{self.admin_url}/readyz")

        wait_until(ready, "the agent to be ready")
        self.agent = process

    def _agent_toml(self):
        providers = ""
        routes = ""
        for name in SCRIPTS:
            key_env = f"{name.upper()}_API_KEY"
            port = self.ports[name]
            model = COMPARED.get(name, OPENAI_MODEL)
            upstream = "zai-org/GLM-5.2" if name in PROVIDERS else model
            providers += PROVIDER_TOML.format(
                name=name, protocol="openai", port=port, key_env=key_env) + "\n"
            routes += ROUTE_TOML.format(
                model=model, name=name, upstream=upstream, **PRICES[name]) + "\n"
        for name in PROVIDERS:
            key_env = f"{name.upper()}_API_KEY"
            providers += PROVIDER_TOML.format(
                name=f"{name}-messages", protocol="anthropic", port=self.ports[name],
                key_env=key_env) + "\n"
            routes += ROUTE_TOML.format(
                model=ANTHROPIC_MODEL, name=f"{name}-messages", upstream="claude-sonnet-4-5",
                **PRICES[name]) + "\n"
        return AGENT_TOML.format(
            port=self.port, admin_port=self.admin_port, providers=providers, routes=routes,
            openai_model=OPENAI_MODEL, anthropic_model=ANTHROPIC_MODEL)

    def ready(self):
        """A line for the story."""
        return f"weir-agent is ready: services use {self.base_url}, people {self.admin_url}"

    def stop(self):
        """The names of those that had to be forced."""
        return self.children.stop()

    def status(self):
        return get_json(f"{self.admin_url}/admin/v1/status")

    def weirctl_text(self, *arguments):
        """Runs a verb of weirctl and returns what it printed."""
        command = [
            self.programs / "weirctl", *arguments, "--agent", self.admin_url, "--store", self.store_url,
        ]
        run = subprocess.run(
            [str(part) for part in command], capture_output=True, text=True, timeout=60, check=False)
        if run.returncode != 0:
            raise Failed(f"weirctl {' '.join(arguments)}: {run.stderr.strip() or run.stdout.strip()}")
        return run.stdout

    def weirctl(self, *arguments):
        """The same as JSON."""
        return json.loads(self.weirctl_text(*arguments, "--json"))

    def ledger(self):
        """Every row of the ledger, page by page, and weirctl's totals of them all."""
        rows = []
        more = []
        while True:
            page = self.weirctl("ledger", "query", "--limit", "1000", *more)
            rows += page["rows"]
            if page["next"] is None:
                return rows, page["totals"]
            more = ["--after", page["next"]]

    def console_command(self, *arguments):
        return [
            self.programs / "weir-console", "--store", self.store_url, "--agent", self.admin_url,
            "--profile", "demo", *arguments,
        ]
