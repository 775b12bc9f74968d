# SPDX-License-Identifier: Apache-2.0
"""Medians over the rounds, and the table."""

import statistics

# (key, heading, unit, digits); the order of the table.
FIGURES = [
    ("json_rps", "JSON 1 kB, saturated: requests", "/s", 0),
    ("json_cpu_us", "JSON 1 kB, saturated: CPU a request", "us", 1),
    ("json_open_p50_us", "JSON 1 kB, fixed rate: latency p50", "us", 0),
    ("json_open_p99_us", "JSON 1 kB, fixed rate: latency p99", "us", 0),
    ("json_open_added_p50_us", "JSON 1 kB, fixed rate: added p50", "us", 0),
    ("json_open_added_p99_us", "JSON 1 kB, fixed rate: added p99", "us", 0),
    ("json_open_cpu_us", "JSON 1 kB, fixed rate: CPU a request", "us", 1),
    ("sse_streams", "SSE, saturated: streams", "/s", 0),
    ("sse_cpu_us", "SSE, saturated: CPU a stream", "us", 1),
    ("sse_open_first_p50_us", "SSE, fixed rate: first event p50", "us", 0),
    ("sse_open_first_p99_us", "SSE, fixed rate: first event p99", "us", 0),
    ("sse_open_travel_p50_us", "SSE, fixed rate: an event's travel p50", "us", 0),
    ("sse_open_travel_p99_us", "SSE, fixed rate: an event's travel p99", "us", 0),
    ("sse_open_added_p50_us", "SSE, fixed rate: added to an event p50", "us", 0),
    ("sse_open_added_p99_us", "SSE, fixed rate: added to an event p99", "us", 0),
    ("sse_open_cpu_us", "SSE, fixed rate: CPU an event", "us", 1),
    ("rss_idle_kb", "Memory: resident, idle", "kB", 0),
    ("rss_stream_kb", "Memory: a live stream", "kB", 1),
    ("rss_after_kb", "Memory: resident, after the load", "kB", 0),
]

ADDED = [
    ("json_open_added_p50_us", "json_open_p50_us"),
    ("json_open_added_p99_us", "json_open_p99_us"),
    ("sse_open_added_p50_us", "sse_open_travel_p50_us"),
    ("sse_open_added_p99_us", "sse_open_travel_p99_us"),
]


def add_differences(round_figures):
    """What an arm adds to the direct connection of the same round."""
    direct = round_figures["direct"]
    for name, figures in round_figures.items():
        if name == "direct":
            continue
        for added, whole in ADDED:
            figures[added] = figures[whole] - direct[whole]


def median(rounds, arm, key):
    values = [entry[arm][key] for entry in rounds if key in entry.get(arm, {})]
    return statistics.median(values) if values else None


def ratios(rounds, key):
    """The agent's figure over nginx', round by round."""
    result = []
    for entry in rounds:
        agent, nginx = entry.get("agent", {}).get(key), entry.get("nginx", {}).get(key)
        if agent is not None and nginx is not None and nginx > 0 and agent >= 0:
            result.append(agent / nginx)
    return result


def summary(rounds, arms):
    result = {}
    for key, _, _, _ in FIGURES:
        found = ratios(rounds, key)
        result[key] = {
            "median": {arm: median(rounds, arm, key) for arm in arms},
            "agent_to_nginx": statistics.median(found) if found else None,
            "agent_to_nginx_range": [min(found), max(found)] if found else None,
        }
    return result


def table(result, arms):
    lines = [
        f"{'':44}" + "".join(f"{arm:>12}" for arm in arms) + f"{'agent/nginx':>14}  {'range':<12}"
    ]
    for key, heading, unit, digits in FIGURES:
        entry = result[key]
        line = f"{heading + ' [' + unit + ']':44}"
        for arm in arms:
            value = entry["median"][arm]
            line += f"{'-' if value is None else format(value, f'.{digits}f'):>12}"
        if entry["agent_to_nginx"] is not None:
            low, high = entry["agent_to_nginx_range"]
            line += f"{entry['agent_to_nginx']:>14.2f}  {low:.2f} - {high:.2f}"
        lines.append(line)
    return "\n".join(lines)
