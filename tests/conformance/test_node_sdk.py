# SPDX-License-Identifier: Apache-2.0
"""Runs node/conformance.test.mjs, installed in $WEIR_NODE_DIR, against a real agent."""

import os
import subprocess
import sys

from faults import FAULTS, Pools
from weir_harness import World

BOUND_S = 100


def main():
    folder = os.environ["WEIR_NODE_DIR"]
    with World() as world:
        agent = Pools(world).agent
        env = dict(os.environ)
        env["WEIR_URL"] = f"http://127.0.0.1:{agent.port}"
        env["WEIR_FAULTS"] = ",".join(FAULTS)
        command = ["node", "--test", "conformance.test.mjs"]
        done = subprocess.run(command, cwd=folder, env=env, timeout=BOUND_S, check=False)
        return done.returncode


if __name__ == "__main__":
    sys.exit(main())
