-- SPDX-License-Identifier: Apache-2.0
-- History for charts, kept pre-aggregated at 10 s, 1 min and 10 min: the same columns three times.
-- started_at_ms is the start of the step; n_<outcome> are the attempts with that outcome and sum to
-- calls; tokens and cost are sums of what is known, *_unknown counts the attempts where it was not.
-- Histograms are mergeable ("index:count,..." in rising order; common/base/histogram.h): ttft_us in
-- microseconds, milli_tps in thousandths of an output token per second, first output to last.
-- A step's row is rewritten at every flush while the step lasts: the room left in each page keeps
-- the rewriting inside it.

CREATE TABLE route_10s (
    started_at_ms  bigint NOT NULL CONSTRAINT whole_step CHECK (started_at_ms % 10000 = 0),
    started_at     timestamptz(3) GENERATED ALWAYS AS (to_timestamp(started_at_ms / 1000.0)) STORED,
    agent          text COLLATE "C" NOT NULL,
    model          text COLLATE "C" NOT NULL,
    provider       text COLLATE "C" NOT NULL,
    task_type      text COLLATE "C" NOT NULL,
    calls          bigint NOT NULL,
    n_ok bigint NOT NULL, n_length bigint NOT NULL,
    n_refused bigint NOT NULL, n_client_cancelled bigint NOT NULL,
    n_bad_request bigint NOT NULL, n_context_overflow bigint NOT NULL,
    n_model_unavailable bigint NOT NULL, n_auth bigint NOT NULL,
    n_no_credit bigint NOT NULL, n_rate_limited bigint NOT NULL,
    n_overloaded bigint NOT NULL, n_server_error bigint NOT NULL,
    n_connect_failed bigint NOT NULL, n_reset bigint NOT NULL,
    n_ttft_timeout bigint NOT NULL, n_idle_timeout bigint NOT NULL,
    n_deadline bigint NOT NULL, n_stream_broken bigint NOT NULL,
    n_malformed bigint NOT NULL,
    explored       bigint NOT NULL,
    pinned         bigint NOT NULL,
    spilled        bigint NOT NULL,
    input_uncached bigint NOT NULL,
    input_cached   bigint NOT NULL,
    cache_write    bigint NOT NULL,
    output         bigint NOT NULL,
    reasoning      bigint NOT NULL,
    tokens_unknown bigint NOT NULL,
    cost_micro_usd bigint NOT NULL,
    cost_unknown   bigint NOT NULL,
    ttft_us        text   NOT NULL,
    milli_tps      text   NOT NULL,
    PRIMARY KEY (started_at_ms, agent, model, provider, task_type)
) WITH (fillfactor = 60);

CREATE TABLE route_minute (
    LIKE route_10s INCLUDING GENERATED INCLUDING INDEXES,
    CONSTRAINT whole_step CHECK (started_at_ms % 60000 = 0)
) WITH (fillfactor = 60);

CREATE TABLE route_10min (
    LIKE route_10s INCLUDING GENERATED INCLUDING INDEXES,
    CONSTRAINT whole_step CHECK (started_at_ms % 600000 = 0)
) WITH (fillfactor = 60);

CREATE TRIGGER route_10s_no_truncate BEFORE TRUNCATE ON route_10s
    EXECUTE FUNCTION weir_refuse('route_10s: weir_ledger_maintain forgets what is old');
CREATE TRIGGER route_minute_no_truncate BEFORE TRUNCATE ON route_minute
    EXECUTE FUNCTION weir_refuse('route_minute: weir_ledger_maintain forgets what is old');
CREATE TRIGGER route_10min_no_truncate BEFORE TRUNCATE ON route_10min
    EXECUTE FUNCTION weir_refuse('route_10min: weir_ledger_maintain forgets what is old');
