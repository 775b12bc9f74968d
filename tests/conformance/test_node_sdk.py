# SPDX-License-Identifier: Apache-2.0
"""test_node_sdk.py SUITE: runs SUITE.test.mjs, installed in $WEIR_NODE_DIR, against an agent."""

import os
import subprocess
import sys

from faults import FAULTS, Pools
from sdk_world import Refusals, Upstreams
from weir_harness import World

# Under the limit of ctest, so that what the suite said so far is shown.
BOUND_S = 160


def environment(suite, world):
    """What the suite reads: the agent's address, and who stands behind it."""
    if suite == "sdk":
        agent = Pools(world).agent
        return {"WEIR_URL": f"http://127.0.0.1:{agent.port}", "WEIR_FAULTS": ",".join(FAULTS)}
    if suite == "errors":
        return {"WEIR_URL": Refusals(world).url}
    upstreams = Upstreams(world)
    variables = {"WEIR_URL": upstreams.url}
    for protocol, fake in upstreams.fakes.items():
        variables[f"WEIR_CONTROL_{protocol.upper()}"] = f"http://127.0.0.1:{fake.control_port}"
    return variables


def main():
    suite = sys.argv[1]
    with World() as world:
        done = subprocess.run(
            ["node", "--test", f"{suite}.test.mjs"],
            cwd=os.environ["WEIR_NODE_DIR"],
            env={**os.environ, **environment(suite, world)},
            timeout=BOUND_S,
            check=False,
        )
        return done.returncode


if __name__ == "__main__":
    sys.exit(main())
