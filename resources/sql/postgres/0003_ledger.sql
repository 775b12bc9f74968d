-- SPDX-License-Identifier: Apache-2.0
-- The ledger: one row per upstream attempt, written once, never changed. NULL means unknown, 0 means
-- zero. Money is in whole micro-dollars. Times are UTC: *_ms is epoch milliseconds, the other form is
-- computed from it. seed and the masks are unsigned 64-bit numbers in two's complement.
-- Newest first is ORDER BY started_at_ms DESC, request_id DESC, attempt DESC, and pages go by those.
-- One partition a day (UTC) of started_at_ms, made and dropped by the functions of 0011_fleet.sql;
-- no default partition, for it would have to be searched and locked at every new day.
-- Rows become visible in the order of commits, not of numbers, so who follows the ledger goes by
-- (xact, row) and stops before pg_snapshot_xmin(pg_current_snapshot()): behind it nothing can appear.

CREATE SEQUENCE call_ledger_row CACHE 100;

CREATE TABLE call_ledger (
    request_id    text COLLATE "C" NOT NULL,
    attempt       bigint NOT NULL CONSTRAINT attempt_from_1 CHECK (attempt >= 1),
    agent         text COLLATE "C" NOT NULL,
    service       text   NOT NULL,
    task_id       text COLLATE "C" NOT NULL,
    task_type     text COLLATE "C" NOT NULL,
    conversation  text   NOT NULL,
    model         text COLLATE "C" NOT NULL,
    provider      text COLLATE "C" NOT NULL,
    route         text   NOT NULL,
    protocol      text   NOT NULL CONSTRAINT known_protocol CHECK (protocol IN ('openai', 'anthropic')),
    stream        smallint NOT NULL CONSTRAINT stream_bool CHECK (stream IN (0, 1)),
    started_at_ms bigint NOT NULL,
    started_at    timestamptz(3) GENERATED ALWAYS AS (to_timestamp(started_at_ms / 1000.0)) STORED,
    ttft_ms       bigint CONSTRAINT ttft_not_negative CHECK (ttft_ms >= 0),
    duration_ms   bigint NOT NULL CONSTRAINT duration_not_negative CHECK (duration_ms >= 0),
    outcome       text COLLATE "C" NOT NULL CONSTRAINT known_outcome CHECK (outcome IN (
                      'ok', 'length', 'refused', 'client_cancelled', 'bad_request', 'context_overflow',
                      'model_unavailable', 'auth', 'no_credit', 'rate_limited', 'overloaded',
                      'server_error', 'connect_failed', 'reset', 'ttft_timeout', 'idle_timeout',
                      'deadline', 'stream_broken', 'malformed')),
    http_status   bigint CONSTRAINT http_status_range CHECK (http_status BETWEEN 100 AND 999),
    finish_reason text   NOT NULL,
    input_uncached bigint CONSTRAINT input_uncached_not_negative CHECK (input_uncached >= 0),
    input_cached  bigint CONSTRAINT input_cached_not_negative CHECK (input_cached >= 0),
    cache_write   bigint CONSTRAINT cache_write_not_negative CHECK (cache_write >= 0),
    output        bigint CONSTRAINT output_not_negative CHECK (output >= 0),
    reasoning     bigint CONSTRAINT reasoning_not_negative CHECK (reasoning >= 0),
    tokens_estimated   smallint NOT NULL CONSTRAINT tokens_estimated_bool CHECK (tokens_estimated IN (0, 1)),
    cost_micro_usd     bigint CONSTRAINT cost_not_negative CHECK (cost_micro_usd >= 0),
    explored           smallint NOT NULL CONSTRAINT explored_bool CHECK (explored IN (0, 1)),
    pinned             smallint NOT NULL CONSTRAINT pinned_bool CHECK (pinned IN (0, 1)),
    spilled            smallint NOT NULL CONSTRAINT spilled_bool CHECK (spilled IN (0, 1)),
    hedged             smallint NOT NULL CONSTRAINT hedged_bool CHECK (hedged IN (0, 1)),
    single_shot        smallint NOT NULL CONSTRAINT single_shot_bool CHECK (single_shot IN (0, 1)),
    usage_inconsistent smallint NOT NULL CONSTRAINT inconsistent_bool CHECK (usage_inconsistent IN (0, 1)),
    shadow_choice      smallint NOT NULL CONSTRAINT shadow_choice_bool CHECK (shadow_choice IN (0, 1)),
    mode          text   NOT NULL
                  CONSTRAINT known_mode CHECK (mode IN ('adaptive', 'shadow', 'fixed', 'failsafe')),
    reason        text   NOT NULL CONSTRAINT known_reason CHECK (reason IN (
                      'leader', 'pinned', 'explore', 'spill', 'failover', 'override', 'single-shot',
                      'last-resort', 'fixed')),
    level         bigint NOT NULL CONSTRAINT level_range CHECK (level BETWEEN 0 AND 4),
    snapshot_id   text   NOT NULL,
    settings_version bigint NOT NULL,
    switch_version   bigint NOT NULL,
    seed          bigint NOT NULL,
    eligible_mask bigint NOT NULL,
    held_mask     bigint NOT NULL,
    row           bigint NOT NULL DEFAULT nextval('call_ledger_row'),
    xact          xid8   NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (request_id, attempt, started_at_ms)
) PARTITION BY RANGE (started_at_ms);
ALTER SEQUENCE call_ledger_row OWNED BY call_ledger.row;
-- The time alone: the rest of the page's order is sorted among the few rows of one millisecond.
CREATE INDEX call_ledger_by_time ON call_ledger (started_at_ms);
CREATE INDEX call_ledger_by_row ON call_ledger (xact, row);
-- For filters that match almost nothing: which stretches of 32 pages may hold a word at all. Two bytes a
-- row, and next to nothing to keep up, as stretches are summed up by (auto)vacuum, not by inserts. What
-- matches often is found by time.
CREATE INDEX call_ledger_by_word ON call_ledger USING brin (
    task_id text_bloom_ops (n_distinct_per_range = 300),
    conversation text_bloom_ops (n_distinct_per_range = 300),
    task_type text_bloom_ops (n_distinct_per_range = 20),
    model text_bloom_ops (n_distinct_per_range = 20),
    provider text_bloom_ops (n_distinct_per_range = 20),
    outcome text_bloom_ops (n_distinct_per_range = 20)) WITH (pages_per_range = 32);
CREATE TRIGGER call_ledger_no_truncate BEFORE TRUNCATE ON call_ledger
    EXECUTE FUNCTION weir_refuse('call_ledger: old days are dropped instead (weir_ledger_maintain)');

-- How far an agent's spool has been read into the ledger: stored in the transaction of the rows
-- themselves, so that a crash between the two cannot happen. One row a spool folder.
CREATE TABLE spool_position (
    agent      text COLLATE "C" NOT NULL PRIMARY KEY,
    segment    bigint NOT NULL,
    segment_id bigint NOT NULL,
    "offset"   bigint NOT NULL
) WITH (fillfactor = 50);
CREATE TRIGGER spool_position_no_truncate BEFORE TRUNCATE ON spool_position
    EXECUTE FUNCTION weir_refuse('spool_position: without it every spool is read again');
