-- SPDX-License-Identifier: Apache-2.0
-- The ledger: one row per upstream attempt, written once, never changed. NULL means unknown, 0 means
-- zero. Money is in whole micro-dollars. Times are UTC: *_ms is epoch milliseconds, the text form is
-- computed from it. seed and the masks are unsigned 64-bit numbers in two's complement.
-- Word lists are CASE, not IN: for IN, SQLite builds a temporary index at every insert, which doubled its cost.
-- Newest first is ORDER BY started_at_ms DESC, request_id DESC, attempt DESC, and pages go by those.

CREATE TABLE call_ledger (
    request_id    TEXT    NOT NULL,
    attempt       INTEGER NOT NULL CONSTRAINT attempt_from_1 CHECK (attempt >= 1),
    agent         TEXT    NOT NULL,
    service       TEXT    NOT NULL,
    task_id       TEXT    NOT NULL,
    task_type     TEXT    NOT NULL,
    conversation  TEXT    NOT NULL,
    model         TEXT    NOT NULL,
    provider      TEXT    NOT NULL,
    route         TEXT    NOT NULL,
    protocol      TEXT    NOT NULL CONSTRAINT known_protocol CHECK (protocol IN ('openai', 'anthropic')),
    stream        INTEGER NOT NULL CONSTRAINT stream_bool CHECK (stream IN (0, 1)),
    started_at_ms INTEGER NOT NULL,
    started_at    TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', started_at_ms / 1000, 'unixepoch')
                  || printf('.%03dZ', started_at_ms % 1000)) VIRTUAL,
    ttft_ms       INTEGER CONSTRAINT ttft_not_negative CHECK (ttft_ms >= 0),
    duration_ms   INTEGER NOT NULL CONSTRAINT duration_not_negative CHECK (duration_ms >= 0),
    outcome       TEXT    NOT NULL CONSTRAINT known_outcome CHECK (CASE outcome
                      WHEN 'ok' THEN 1 WHEN 'length' THEN 1 WHEN 'refused' THEN 1
                      WHEN 'client_cancelled' THEN 1 WHEN 'bad_request' THEN 1
                      WHEN 'context_overflow' THEN 1 WHEN 'model_unavailable' THEN 1
                      WHEN 'auth' THEN 1 WHEN 'no_credit' THEN 1 WHEN 'rate_limited' THEN 1
                      WHEN 'overloaded' THEN 1 WHEN 'server_error' THEN 1
                      WHEN 'connect_failed' THEN 1 WHEN 'reset' THEN 1 WHEN 'ttft_timeout' THEN 1
                      WHEN 'idle_timeout' THEN 1 WHEN 'deadline' THEN 1
                      WHEN 'stream_broken' THEN 1 WHEN 'malformed' THEN 1
                      ELSE 0 END),
    http_status   INTEGER CONSTRAINT http_status_range CHECK (http_status BETWEEN 100 AND 999),
    finish_reason TEXT    NOT NULL,
    input_uncached INTEGER CONSTRAINT input_uncached_not_negative CHECK (input_uncached >= 0),
    input_cached  INTEGER CONSTRAINT input_cached_not_negative CHECK (input_cached >= 0),
    cache_write   INTEGER CONSTRAINT cache_write_not_negative CHECK (cache_write >= 0),
    output        INTEGER CONSTRAINT output_not_negative CHECK (output >= 0),
    reasoning     INTEGER CONSTRAINT reasoning_not_negative CHECK (reasoning >= 0),
    tokens_estimated   INTEGER NOT NULL CONSTRAINT tokens_estimated_bool CHECK (tokens_estimated IN (0, 1)),
    cost_micro_usd     INTEGER CONSTRAINT cost_not_negative CHECK (cost_micro_usd >= 0),
    explored           INTEGER NOT NULL CONSTRAINT explored_bool CHECK (explored IN (0, 1)),
    pinned             INTEGER NOT NULL CONSTRAINT pinned_bool CHECK (pinned IN (0, 1)),
    spilled            INTEGER NOT NULL CONSTRAINT spilled_bool CHECK (spilled IN (0, 1)),
    hedged             INTEGER NOT NULL CONSTRAINT hedged_bool CHECK (hedged IN (0, 1)),
    single_shot        INTEGER NOT NULL CONSTRAINT single_shot_bool CHECK (single_shot IN (0, 1)),
    usage_inconsistent INTEGER NOT NULL CONSTRAINT inconsistent_bool CHECK (usage_inconsistent IN (0, 1)),
    shadow_choice      INTEGER NOT NULL CONSTRAINT shadow_choice_bool CHECK (shadow_choice IN (0, 1)),
    mode          TEXT    NOT NULL
                  CONSTRAINT known_mode CHECK (CASE mode
                      WHEN 'adaptive' THEN 1 WHEN 'shadow' THEN 1 WHEN 'fixed' THEN 1
                      WHEN 'failsafe' THEN 1
                      ELSE 0 END),
    reason        TEXT    NOT NULL CONSTRAINT known_reason CHECK (CASE reason
                      WHEN 'leader' THEN 1 WHEN 'pinned' THEN 1 WHEN 'explore' THEN 1
                      WHEN 'spill' THEN 1 WHEN 'failover' THEN 1 WHEN 'override' THEN 1
                      WHEN 'single-shot' THEN 1 WHEN 'last-resort' THEN 1 WHEN 'fixed' THEN 1
                      ELSE 0 END),
    level         INTEGER NOT NULL CONSTRAINT level_range CHECK (level BETWEEN 0 AND 4),
    snapshot_id   TEXT    NOT NULL,
    settings_version INTEGER NOT NULL,
    switch_version   INTEGER NOT NULL,
    seed          INTEGER NOT NULL,
    eligible_mask INTEGER NOT NULL,
    held_mask     INTEGER NOT NULL,
    PRIMARY KEY (request_id, attempt)
) STRICT;
CREATE INDEX call_ledger_by_time ON call_ledger (started_at_ms, request_id, attempt);

-- How far an agent's spool has been read into the ledger: stored in the transaction of the rows
-- themselves, so that a crash between the two cannot happen. One row a spool folder.
CREATE TABLE spool_position (
    agent      TEXT    NOT NULL PRIMARY KEY,
    segment    INTEGER NOT NULL,
    segment_id INTEGER NOT NULL,
    offset     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
