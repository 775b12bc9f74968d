# SPDX-License-Identifier: Apache-2.0
"""What the demo of a fleet sets up: three agents on a Postgres and a Redis of its own, each behind
relays by which the demo takes the network away."""

import signal
import subprocess

from children import Failed, wait_until
from gateway import Gateway
from servers import PrivatePostgres, PrivateRedis
from world import World, answers, free_port, get_json

AGENTS = ("reviews", "search", "support")
# Production waits longer before it gives the settings up; the demo is short.
GRACE_S = 6
STORE_TOML = """
[store]
url = "{url}"
redis = "{redis}"
"""


class FleetAgent:
    """A sidecar of the fleet, named after the service that it runs beside."""

    def __init__(self, world, service, port):
        self.world = world
        self.service = service
        self.port = free_port(port)
        self.admin_port = free_port(port + 1)
        self.postgres = Gateway(world.postgres.port)
        self.redis = Gateway(world.redis.port)
        self.data = world.folder / f"data-{service}"
        self.process = None
        self.lives = 0

    @property
    def base_url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def admin_url(self):
        return f"http://127.0.0.1:{self.admin_port}"

    @property
    def agent_id(self):
        return (self.data / "agent_id").read_text().strip()

    def start(self):
        self.lives += 1
        self.data.mkdir(parents=True, exist_ok=True)
        config = self.world.folder / f"{self.service}.toml"
        config.write_text(self.world.toml_for(self))
        command = [
            self.world.programs / "weir-agent", "--config", config, "--data-dir", self.data]
        name = f"agent-{self.service}" + (f"-{self.lives}" if self.lives > 1 else "")
        self.process, log = self.world.children.start(name, command, env=self.world.keys())

        def ready():
            self.world.children.require_alive(self.process, log)
            return answers(f"{self.admin_url}/readyz")

        wait_until(ready, f"the agent of {self.service} to be ready")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def status(self):
        return get_json(f"{self.admin_url}/admin/v1/status")


class FleetWorld(World):
    """The servers, the agents, and the doors of the first agent for the console and weirctl."""

    left = ""

    def __init__(self, programs, folder):
        super().__init__(programs, folder)
        self.postgres = PrivatePostgres()
        self.redis = PrivateRedis()
        self.agents = [
            FleetAgent(self, service, 8790 + 10 * number) for number, service in enumerate(AGENTS)]
        self.port, self.admin_port = self.agents[0].port, self.agents[0].admin_port

    @property
    def store_url(self):
        return self.postgres.url()

    def toml_for(self, agent):
        self.port, self.admin_port = agent.port, agent.admin_port
        text = self._agent_toml().replace('service = "demo"', f'service = "{agent.service}"')
        self.port, self.admin_port = self.agents[0].port, self.agents[0].admin_port
        url = self.postgres.url(user=agent.service, port=agent.postgres.port)
        return (
            f"{text}settings_grace_s = {GRACE_S}\n"
            + STORE_TOML.format(url=url, redis=self.redis.url(port=agent.redis.port))
        )

    def start_agent(self):
        """The schema by its owner, then each agent with a user that may do what agents do."""
        command = [self.programs / "weirctl", "store", "migrate", "--store", self.store_url]
        run = subprocess.run(
            [str(part) for part in command], capture_output=True, text=True, timeout=60, check=False)
        if run.returncode != 0:
            raise Failed(f"weirctl store migrate: {run.stderr.strip()}")
        for agent in self.agents:
            self.postgres.psql(f"CREATE ROLE {agent.service} LOGIN IN ROLE weir_agent")
            agent.start()

    def ready(self):
        return (
            f"a private Postgres (:{self.postgres.port}) and a private Redis (:{self.redis.port}) run, and "
            f"three agents beside the services {', '.join(AGENTS)}"
        )

    def holder(self):
        """The agent that makes the summaries."""
        found = self.postgres.psql(
            "SELECT holder FROM job_lease WHERE job = 'summary' AND until > clock_timestamp()")
        return next((agent for agent in self.agents if agent.agent_id == found), None)

    def mend(self):
        """Gives back whatever an act that was cut short had taken away."""
        for server in (self.postgres, self.redis):
            server.resume()
            server.start()
        for agent in self.agents:
            agent.postgres.relay()
            agent.redis.relay()
            if agent.process.poll() is not None:
                agent.start()

    def stop(self):
        stubborn = super().stop()
        for agent in self.agents:
            agent.postgres.close()
            agent.redis.close()
        self.postgres.close()
        self.redis.close()
        return stubborn
