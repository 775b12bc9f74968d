# SPDX-License-Identifier: Apache-2.0
"""A whole fleet: agents on a private Postgres and a private Redis, each behind relays of its own, and
scripted providers that write bills. What is done to an agent is noted, so that a caller's failure can
be told from one that its own dead agent explains."""

import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from gateway import Gateway
from private_server import fixed_port
from servers import PrivatePostgres, PrivateRedis
from weir_harness import BIN_DIR, PATIENCE_S, Agent, Config, World, wait_until

# USD per million tokens; the sums that come of them have to be rounded.
PRICES = (
    {"input": 0.6, "cached_input": 0.11, "cache_write": 0.75, "output": 2.2},
    {"input": 0.73, "cached_input": 0.13, "cache_write": 0.81, "output": 2.61},
    {"input": 0.31, "cached_input": 0.07, "cache_write": 0.4, "output": 1.13},
)
QUICK = {"ttft_s": {"median": 0.02, "sigma": 0.2}, "output_tokens": {"median": 12, "sigma": 0.4}}
# Long enough to look at every request of a run again.
BOOKS = {"keep_requests": 400000, "keep_bytes": 1 << 30}
TIMING = {
    "settings_poll_s": 1.0,
    "settings_grace_s": 4,
    "summary_interval_s": 1,
    "summary_max_age_s": 20,
    "breaker_open_s": 1,
    "ledger_flush_ms": 100,
    "drain_s": 5,
}

# Who publishes a summary, and who had the right to at that moment.
PUBLISHERS = """
CREATE TABLE published (number serial, summary text, publisher text, holder text, token bigint);
CREATE FUNCTION note_publisher() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    INSERT INTO published (summary, publisher, holder, token)
        SELECT NEW.id, session_user, split_part(holder, ' ', 1), token FROM job_lease WHERE job = 'summary';
    RETURN NEW;
END $$;
CREATE TRIGGER note_publisher AFTER INSERT ON summary_snapshot
    FOR EACH ROW EXECUTE FUNCTION note_publisher();
"""


def begin(times):
    """A time of which the end is not known yet."""
    if not times or times[-1][1] is not None:
        times.append([time.monotonic(), None])


def end(times):
    if times and times[-1][1] is None:
        times[-1][1] = time.monotonic()


def overlaps(times, began, ended):
    return any(since < ended and (until is None or until > began) for since, until in times)


class FleetAgent(Agent):
    """An agent that reaches the servers through `postgres` and `redis`, its own relays. Its ports
    stay the same over its lives. `gone` are the times in which callers cannot count on it, `paused`
    those in which they wait."""

    def __init__(self, fleet, number, config, directory):
        self.fleet = fleet
        self.number = number
        self.postgres = Gateway(fleet.postgres.port)
        self.redis = Gateway(fleet.redis.port)
        self.port, self.admin_port = fixed_port(), fixed_port()
        self.gone = []
        self.paused = []
        config.agent["listen"] = f"127.0.0.1:{self.port}"
        config.agent["admin_listen"] = f"127.0.0.1:{self.admin_port}"
        config.sections["store"] = {
            "url": fleet.postgres.url(user=self.user, port=self.postgres.port),
            "redis": fleet.redis.url(port=self.redis.port),
        }
        super().__init__(config, directory, start=False)

    @property
    def user(self):
        """Whom it is in Postgres: a user of its own, so that what it wrote can be told."""
        return f"agent{self.number}"

    @property
    def agent_id(self):
        return (self.data_dir / "agent_id").read_text().strip()

    @property
    def is_paused(self):
        return bool(self.paused) and self.paused[-1][1] is None

    def is_up(self):
        return self.process is not None and not self.is_paused

    def start(self):
        super().start()
        end(self.gone)

    def was_gone(self, began, ended):
        return overlaps(self.gone, began, ended)

    def was_paused(self, began, ended):
        return overlaps(self.paused, began, ended)

    def kill(self):
        begin(self.gone)
        super().kill()
        self.process = None
        end(self.paused)

    def begin_stop(self):
        self.resume()
        begin(self.gone)
        super().begin_stop()

    def stop(self):
        if self.process is None:
            return 0
        self.resume()
        begin(self.gone)
        return super().stop()

    def pause(self):
        """SIGSTOP: its callers wait until resume(), and then get their answers."""
        begin(self.paused)
        self.signal(signal.SIGSTOP)

    def resume(self):
        if self.is_paused:
            self.signal(signal.SIGCONT)
            end(self.paused)

    def cut_off(self, how, *servers):
        """Sets its relays ("refuse", "black_hole", "relay", "cut") to these servers, by name."""
        for server in servers or ("postgres", "redis"):
            getattr(getattr(self, server), how)()

    def ctl(self, *arguments, code=0):
        return self.fleet.ctl(*arguments, "--agent", f"http://127.0.0.1:{self.admin_port}", code=code)

    def metrics(self):
        """The samples of /metrics by name and labels, as they stand there."""
        lines = self.admin("/metrics").body.decode().splitlines()
        samples = (line.rpartition(" ") for line in lines if line and not line.startswith("#"))
        return {name: float(value) for name, _, value in samples}


class Fleet(World):
    """Providers p1, p2, … (with `scripts`, one for each) that all serve the models `models`, in that
    fixed order; `agents` agents; both servers. `start`: whether the agents run at once."""

    def __init__(self, agents=3, scripts=(QUICK, QUICK, QUICK), models=("m",), start=True, **timing):
        super().__init__()
        try:
            self.postgres = self.enter_context(PrivatePostgres())
            self.redis = self.enter_context(PrivateRedis())
            self.models = models
            self.timing = {**TIMING, **timing}
            self.providers = {}
            for at, script in enumerate(scripts):
                price = PRICES[at % len(PRICES)]
                self.providers[f"p{at + 1}"] = self.fake({"price": price, **BOOKS, **script})
            self.agents = [self._make(number) for number in range(agents)]
            self._create_store()
            if start:
                self.start(self.agents)
        except BaseException:
            self.close()
            raise

    def _create_store(self):
        """As an administrator does it: the schema by its owner, then a user for each agent that may do
        what agents do. Whatever publishes a summary is written down."""
        self.ctl("store", "migrate")
        roles = (f"CREATE ROLE {agent.user} LOGIN IN ROLE weir_agent;" for agent in self.agents)
        self.postgres.psql("".join(roles) + PUBLISHERS)

    def published(self):
        """Each summary's publisher, in the order of the commits."""
        return self.postgres.rows("SELECT * FROM published ORDER BY number")

    def _make(self, number):
        agent = FleetAgent(self, number, self.config(), self.directory / f"agent{number}")
        self.callback(agent.postgres.close)
        self.callback(agent.redis.close)
        return self.look_after(agent)

    def config(self):
        config = Config(service="fleet")
        config.sections["timing"].update(self.timing)
        for name, provider in self.providers.items():
            config.provider(name, provider.port)
        for model in self.models:
            config.model(model, list(self.providers))
            for at, route in enumerate(config.models[model]):
                route["price"] = PRICES[at % len(PRICES)]
        return config

    def start(self, agents):
        """Several at once, since most of a start is waiting."""
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda agent: agent.start(), agents))

    def up(self):
        return [agent for agent in self.agents if agent.is_up()]

    # Verbs and looks

    def ctl(self, *arguments, code=0):
        """weirctl on the store, as an administrator."""
        words = [BIN_DIR / "weirctl", *arguments, "--store", self.postgres.url()]
        done = subprocess.run(
            list(map(str, words)), capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def set_mode(self, mode, reason="a test"):
        self.ctl("mode", "set", mode, "--reason", reason)

    def await_modes(self, mode, agents=None, patience_s=PATIENCE_S):
        """Until these agents (default: all that are up) run in that effective mode."""
        for agent in agents or self.up():
            wait_until(
                lambda agent=agent: agent.status()["effective_mode"] == mode,
                f"agent {agent.number} to run {mode}",
                patience_s,
            )

    def turn(self, mode, patience_s=PATIENCE_S):
        self.set_mode(mode)
        self.await_modes(mode, patience_s=patience_s)

    def await_reach(self, store="ok", redis="ok", agents=None, patience_s=PATIENCE_S):
        """Until these agents say so of their reach of the servers; None: whatever it is."""
        for agent in agents or self.up():

            def reaches(agent=agent):
                said = agent.status()
                return store in (None, said["store"]) and redis in (None, said["redis"])

            wait_until(
                reaches, f"agent {agent.number} to say store {store}, redis {redis}", patience_s
            )

    def await_drained(self, patience_s=PATIENCE_S):
        """Until nothing of the ledger waits in a spool."""
        for agent in self.up():
            wait_until(
                lambda agent=agent: agent.status()["ledger_backlog_rows"] == 0,
                f"the spool of agent {agent.number} to drain",
                patience_s,
            )

    def lease(self):
        """(agent, token) of who does the fleet's jobs; None where nobody does."""
        found = self.postgres.rows(
            "SELECT split_part(holder, ' ', 1) AS holder, token FROM job_lease WHERE until > clock_timestamp()"
        )
        if not found:
            return None
        holder = next((a for a in self.agents if a.agent_id == found[0]["holder"]), None)
        return holder, found[0]["token"]

    def holder(self, other_than=None, patience_s=PATIENCE_S):
        """The agent that does the fleet's jobs, once there is one (other than that one)."""

        def find():
            found = self.lease()
            return found[0] if found and found[0] not in (None, other_than) else None

        return wait_until(find, "an agent to be elected", patience_s)

    def call_ledger(self, where="true", columns="*"):
        return self.postgres.rows(f"SELECT {columns} FROM call_ledger WHERE {where}")

    def bill(self):
        """What each provider says it billed, added up over its models."""
        total = {}
        for name, provider in self.providers.items():
            each = total[name] = {"calls": 0, "micro_usd": 0}
            for bill in provider.stats()["billed"].values():
                for key in each:
                    each[key] += bill[key]
        return total
