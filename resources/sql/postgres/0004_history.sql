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

-- Every agent writes rows of its own, so that no two wait for each other; nobody asks who wrote them. Steps
-- that have settled are therefore added up to one row of agent '' (weir_history_settle): else a fleet's
-- history would be as many times longer as it has agents.
CREATE INDEX route_10s_unsettled ON route_10s (started_at_ms) WHERE agent <> '';
CREATE INDEX route_minute_unsettled ON route_minute (started_at_ms) WHERE agent <> '';
CREATE INDEX route_10min_unsettled ON route_10min (started_at_ms) WHERE agent <> '';

-- What of route_10min has settled, in steps of 6 h, for charts over months: they read route_6h.
CREATE TABLE route_6h_settled (
    LIKE route_10s INCLUDING GENERATED INCLUDING INDEXES,
    CONSTRAINT whole_step CHECK (started_at_ms % 21600000 = 0)
) WITH (fillfactor = 60);
CREATE VIEW route_6h AS
    SELECT * FROM route_6h_settled UNION ALL SELECT * FROM route_10min WHERE agent <> '';

DO $$ BEGIN PERFORM set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true); END $$;

-- The sum of histograms; damaged ones count as empty.
CREATE FUNCTION weir_histogram_sum(texts text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(string_agg(bucket || ':' || held, ',' ORDER BY bucket), '') FROM (
        SELECT split_part(entry, ':', 1)::int AS bucket, sum(split_part(entry, ':', 2)::bigint) AS held
        FROM unnest(texts) AS each, string_to_table(each, ',') AS entry
        WHERE each ~ '^[0-9]{1,4}:[0-9]{1,15}(,[0-9]{1,4}:[0-9]{1,15})*$' GROUP BY 1) AS buckets
$$;

-- Moves up to `rows_max` rows of agents from `name`, whose steps began before `before_ms`, into the rows of
-- agent ''; and adds them to `longer`, if any, by its step. Rows that somebody is writing wait for another
-- time. Returns how many rows went.
CREATE FUNCTION weir_history_settle(
    name text, before_ms bigint, rows_max int, longer text DEFAULT NULL, longer_ms bigint DEFAULT NULL)
RETURNS bigint LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    columns text;
    sums    text;
    adding  text;
    add_to  text;
    moved   bigint;
BEGIN
    SELECT string_agg(quote_ident(attname), ', '), string_agg(format('sum(%I)', attname), ', '),
        string_agg(format('%1$I = old.%1$I + excluded.%1$I', attname), ', ')
    INTO STRICT columns, sums, adding FROM pg_attribute WHERE attrelid = 'route_10s'::regclass
        AND atttypid = 'bigint'::regtype AND attname <> 'started_at_ms' AND attnum > 0 AND NOT attisdropped;
    -- For a table's name and the start of its step.
    add_to := $sql$
        INSERT INTO %1$I AS old (started_at_ms, agent, model, provider, task_type, ttft_us, milli_tps, $sql$ ||
            columns || $sql$)
        SELECT %2$s, '', model, provider, task_type, weir_histogram_sum(array_agg(ttft_us)),
            weir_histogram_sum(array_agg(milli_tps)), $sql$ || sums || $sql$
        FROM taken GROUP BY 1, 3, 4, 5 ORDER BY 1, 3, 4, 5
        ON CONFLICT (started_at_ms, agent, model, provider, task_type) DO UPDATE SET
            ttft_us = weir_histogram_sum(ARRAY[old.ttft_us, excluded.ttft_us]),
            milli_tps = weir_histogram_sum(ARRAY[old.milli_tps, excluded.milli_tps]), $sql$ || adding;
    EXECUTE format($sql$
        WITH taken AS (DELETE FROM %1$I WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM %1$I WHERE agent <> '' AND started_at_ms < $1
            ORDER BY started_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING *),
        settled AS ($sql$ || format(add_to, name, 'started_at_ms') || ')' || CASE WHEN longer IS NULL THEN ''
            ELSE ', longer AS (' || format(add_to, longer, format('started_at_ms / %1$s * %1$s', longer_ms)) || ')'
            END || ' SELECT count(*) FROM taken', name) INTO STRICT moved USING before_ms, rows_max;
    RETURN moved;
END $$;

CREATE TRIGGER route_10s_no_truncate BEFORE TRUNCATE ON route_10s
    EXECUTE FUNCTION weir_refuse('route_10s: weir_ledger_maintain forgets what is old');
CREATE TRIGGER route_minute_no_truncate BEFORE TRUNCATE ON route_minute
    EXECUTE FUNCTION weir_refuse('route_minute: weir_ledger_maintain forgets what is old');
CREATE TRIGGER route_10min_no_truncate BEFORE TRUNCATE ON route_10min
    EXECUTE FUNCTION weir_refuse('route_10min: weir_ledger_maintain forgets what is old');
CREATE TRIGGER route_6h_settled_no_truncate BEFORE TRUNCATE ON route_6h_settled
    EXECUTE FUNCTION weir_refuse('route_6h_settled: weir_ledger_maintain forgets what is old');
