# SPDX-License-Identifier: Apache-2.0
"""The processes that the benchmark compares: each arm listens on a port of 127.0.0.1 and hands on to
the one shared upstream."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

START_PATIENCE_S = 20.0
# Where two processors are there, the measured proxy has one for itself.
PROXY_CPUS = {0}
LOAD_CPUS = {1}


class BenchError(Exception):
    """Something that keeps the benchmark from measuring; the text is for a person."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def pin(cpus):
    """For preexec_fn: keeps the child on its processors where the machine has enough of them."""
    def apply():
        if (os.cpu_count() or 1) >= 2 and cpus <= os.sched_getaffinity(0):
            os.sched_setaffinity(0, cpus)
    return apply


def start(command, cpus, log, **options):
    return subprocess.Popen(
        command, preexec_fn=pin(cpus), stderr=log, stdin=subprocess.DEVNULL, **options)


def stop(process):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until(ready, process, what):
    end = time.monotonic() + START_PATIENCE_S
    while time.monotonic() < end:
        if process.poll() is not None:
            raise BenchError(f"{what} ended with status {process.returncode} instead of starting")
        if ready():
            return
        time.sleep(0.02)
    raise BenchError(f"{what} is not ready after {START_PATIENCE_S:.0f} s")


def accepts(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def children(pid):
    """The process and its children."""
    found = [pid]
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if int(fields[1]) == pid:
            found.append(int(entry.name))
    return found


class Arm:
    """`name` for the table, `port` for the load, and what its processes use."""

    def __init__(self, name, port, process=None):
        self.name = name
        self.port = port
        self.process = process

    def pids(self):
        return children(self.process.pid) if self.process else []

    def cpu_s(self):
        """User and system time of all threads. /proc/PID/stat counts in ticks of 10 ms, which is too
        coarse for a light load, so the scheduler's nanoseconds are summed."""
        total = 0
        for pid in self.pids():
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
                total += int((task / "schedstat").read_text().split()[0])
        return total / 1e9

    def rss_kb(self):
        total = 0
        for pid in self.pids():
            for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("VmRSS:"):
                    total += int(line.split()[1])
        return total

    def stop(self):
        if self.process:
            stop(self.process)


def start_upstream(bin_dir, log):
    process = start(
        [bin_dir / "weir-bench-upstream"], LOAD_CPUS, log, stdout=subprocess.PIPE, text=True)
    words = process.stdout.readline().split()
    if len(words) != 2:
        raise BenchError("weir-bench-upstream did not say its port")
    return process, int(words[1])


NGINX_CONF = """
daemon off;
master_process on;
worker_processes 1;
{user}
pid {prefix}/nginx.pid;
error_log {prefix}/error.log warn;
events {{ worker_connections 16384; }}
http {{
    access_log off;
    client_body_temp_path {prefix}/body;
    proxy_temp_path {prefix}/proxy;
    fastcgi_temp_path {prefix}/fastcgi;
    uwsgi_temp_path {prefix}/uwsgi;
    scgi_temp_path {prefix}/scgi;
    keepalive_requests 1000000000;
    tcp_nodelay on;
    upstream provider {{
        server 127.0.0.1:{upstream};
        keepalive 1024;
        keepalive_requests 1000000000;
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://provider;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_buffering off;
        }}
    }}
}}
"""


def start_nginx(folder, upstream_port, log):
    program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not program:
        raise BenchError("nginx is not installed; packaging/install-deps.sh installs it")
    prefix = folder / "nginx"
    prefix.mkdir(parents=True, exist_ok=True)
    port = free_port()
    user = "user root;" if os.geteuid() == 0 else ""
    config = prefix / "nginx.conf"
    config.write_text(
        NGINX_CONF.format(user=user, prefix=prefix, upstream=upstream_port, port=port))
    process = start([program, "-p", prefix, "-c", config], PROXY_CPUS, log, stdout=log)
    wait_until(lambda: accepts(port), process, "nginx")
    return Arm("nginx", port, process)


AGENT_CONF = """
[agent]
listen = "127.0.0.1:{port}"
admin_listen = "127.0.0.1:{admin}"
service = "bench"

[store]
url = "sqlite:"

[provider.bench]
protocol = "openai"
base_url = "http://127.0.0.1:{upstream}/v1"
api_key_env = "WEIR_BENCH_KEY"

[model.bench]
fixed_order = ["bench"]

[[model.bench.route]]
provider = "bench"
upstream_model = "bench"
region = "local"
price = {{ input = 0.60, cached_input = 0.11, cache_write = 0.60, output = 2.20 }}
context_tokens = 200000
max_output_tokens = 100000
capabilities = ["stream"]
"""


def start_agent(program, folder, upstream_port, log):
    prefix = folder / "agent"
    prefix.mkdir(parents=True, exist_ok=True)
    port, admin = free_port(), free_port()
    config = prefix / "weir.toml"
    config.write_text(AGENT_CONF.format(port=port, admin=admin, upstream=upstream_port))
    environment = dict(os.environ, WEIR_BENCH_KEY="bench-key")
    process = start(
        [program, "--config", config, "--data-dir", prefix / "data"],
        PROXY_CPUS,
        log,
        stdout=log,
        env=environment)

    def ready():
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{admin}/readyz", timeout=1) as answer:
                return answer.status == 200
        except (OSError, urllib.error.URLError):
            return False

    wait_until(ready, process, "weir-agent")
    return Arm("agent", port, process)
