# SPDX-License-Identifier: Apache-2.0
"""SQL that makes the ledger of a fleet: 20 agents, 3 models, 4 providers, 4 task types, and its history and
totals as they are once they have settled."""

DAY_MS = 86_400_000
AGENTS = 20
# What rarely happens: one attempt in so many. `no_credit` comes three times in the whole ledger.
RARE = {"reset": 500, "deadline": 20_000}

_ATTEMPTS = """
INSERT INTO call_ledger (request_id, attempt, agent, service, task_id, task_type, conversation, model, provider,
    route, protocol, stream, started_at_ms, ttft_ms, duration_ms, outcome, http_status, finish_reason,
    input_uncached, input_cached, cache_write, output, reasoning, tokens_estimated, cost_micro_usd, explored,
    pinned, spilled, hedged, single_shot, usage_inconsistent, shadow_choice, mode, reason, level, snapshot_id,
    settings_version, switch_version, seed, eligible_mask, held_mask, decision, final, priority, caller,
    prompt_estimate)
SELECT id, 1, 'agent-' || n % {agents}, 'svc', CASE WHEN n % 5 < 2 THEN id ELSE 'task-' || {day} || '-' || n / 50 END,
    (ARRAY['default', 'code-review', 'chat', 'extract'])[1 + h % 4], left(md5(n::text), 16),
    (ARRAY['glm-5.2', 'sonnet-4.5', 'qwen-3'])[1 + h / 4 % 3], p, p || '/zai-org/GLM-5.2@us', 'openai', 1, ms,
    300 + h % 900, 2000 + h % 9000,
    CASE WHEN n = 7 AND {day} IN (0, 40, 80) THEN 'no_credit' WHEN (n + {day}) % {deadline} = 11 THEN 'deadline'
        WHEN n % {reset} = 3 THEN 'reset' WHEN h % 1000 < 950 THEN 'ok' WHEN h % 1000 < 980 THEN 'rate_limited'
        ELSE 'server_error' END,
    200, 'stop', h % 3000, h % 7000, 0, h % 800, 0, 0, h % 20000, 0, (n % 3 = 0)::int, 0, 0, 0, 0, 0, 'adaptive',
    'leader', 0, 'd1925081dc4fa4e5', 3, 2, h::bigint * 1234567, 7, 0,
    CASE WHEN n % 10 > 0 THEN repeat(md5(n::text), 14) END, 1, 'interactive', 'caller', 1200
FROM (SELECT n, ms, lpad(to_hex(ms), 12, '0') || left(md5(n::text || ms), 20) AS id, h,
        (ARRAY['baseten', 'fireworks', 'coreweave', 'alder'])[1 + h / 16 % 4] AS p
    FROM (SELECT n, {from_ms} + n::bigint * {length_ms} / {rows} AS ms, abs(hashint8(n + {day} * 7919)) AS h
        FROM generate_series(0, {rows} - 1) AS n) AS a) AS b;
"""

_SUMS = (
    "count(*), count(*) FILTER (WHERE outcome = 'ok'), 0, 0, 0, 0, 0, 0, 0, "
    "count(*) FILTER (WHERE outcome = 'no_credit'), count(*) FILTER (WHERE outcome = 'rate_limited'), 0, "
    "count(*) FILTER (WHERE outcome = 'server_error'), 0, count(*) FILTER (WHERE outcome = 'reset'), 0, 0, "
    "count(*) FILTER (WHERE outcome = 'deadline'), 0, 0, 0, sum(pinned), 0, sum(input_uncached), "
    "sum(input_cached), 0, sum(output), 0, 0, sum(cost_micro_usd), 0"
)
# The histograms: 60 and 50 buckets, as many as a day's spread of times fills.
_HISTORY = """
INSERT INTO {table} SELECT started_at_ms, agent, model, provider, task_type, {named} FROM (
    SELECT started_at_ms / {step_ms} * {step_ms} AS started_at_ms, {agent} AS agent, model, provider, task_type,
        ARRAY[{sums}]::bigint[] AS s, count(*) AS n FROM call_ledger
    WHERE started_at_ms >= {from_ms} AND started_at_ms < {to_ms} GROUP BY 1, 2, 3, 4, 5) AS steps;
"""
_TOTALS = """
INSERT INTO ledger_total SELECT started_at_ms / 3600000 * 3600000, model, provider, task_type, outcome, count(*),
    sum(input_uncached), sum(input_cached), 0, sum(output), 0, 0, sum(cost_micro_usd), 0
FROM call_ledger WHERE started_at_ms >= {from_ms} AND started_at_ms < {to_ms} GROUP BY 1, 2, 3, 4, 5;
"""
# Buckets that n attempts fill, spread over at most `most`.
_SPREAD = (
    "(SELECT string_agg({first} + b || ':' || (n + {most} - 1 - b) / {most}, ',' ORDER BY b) "
    "FROM generate_series(0, least(n, {most}) - 1) AS b)"
)


def history(table, step_ms, agent, from_ms, to_ms):
    """The steps of a stretch, of each agent or ('' ) added up."""
    columns = (
        "calls ok length refused client_cancelled bad_request context_overflow model_unavailable auth "
        "no_credit "
        "rate_limited overloaded server_error connect_failed reset ttft_timeout idle_timeout deadline "
        "stream_broken "
        "malformed explored pinned spilled input_uncached input_cached cache_write output reasoning "
        "tokens_unknown "
        "cost_micro_usd cost_unknown"
    ).split()
    names = [f"n_{name}" if 0 < number < 20 else name for number, name in enumerate(columns)]
    into = f"{table} (started_at_ms, agent, model, provider, task_type, {', '.join(names)}, ttft_us, milli_tps)"
    named = ", ".join(f"s[{number}]" for number in range(1, len(names) + 1))
    named += f", {_SPREAD.format(first=1100, most=60)}, {_SPREAD.format(first=900, most=50)}"
    return _HISTORY.format(
        table=into, step_ms=step_ms, agent=agent, named=named, sums=_SUMS, from_ms=from_ms, to_ms=to_ms
    )


def day(number, start_ms, length_ms, rows):
    """The ledger's day that was `number` days ago, and what is kept of it. Today is `length_ms` long."""
    end_ms = start_ms + length_ms
    made = [
        f"SELECT weir_ledger_ensure_day({start_ms});",
        _ATTEMPTS.format(
            agents=AGENTS, day=number, from_ms=start_ms, length_ms=length_ms, rows=rows, **RARE
        ),
        _TOTALS.format(from_ms=start_ms, to_ms=end_ms),
        history("route_6h_settled", 21_600_000, "''", start_ms, end_ms),
    ]
    for table, step_ms, kept in (("route_10min", 600_000, 35), ("route_minute", 60_000, 8), ("route_10s", 10_000, 2)):
        if number < kept:
            made.append(history(table, step_ms, "''", start_ms, end_ms))
    return "\n".join(made)


def unsettled(now_ms):
    """The last half hour as its agents wrote it: their rows stand for the settled ones."""
    made = []
    for table, step_ms in (("route_10min", 600_000), ("route_minute", 60_000), ("route_10s", 10_000)):
        from_ms = (now_ms - 1_800_000) // 600_000 * 600_000
        made.append(f"DELETE FROM {table} WHERE started_at_ms >= {from_ms};")
        made.append(history(table, step_ms, "agent", from_ms, now_ms + step_ms))
    made.append("UPDATE ledger_counted SET xact = pg_snapshot_xmin(pg_current_snapshot());")
    return "\n".join(made)
