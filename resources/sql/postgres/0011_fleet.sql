-- SPDX-License-Identifier: Apache-2.0
-- What the agents of one store share besides what they learn: who does a job for all of them, what it
-- found out, and the secret that they hash conversations with; and the making and dropping of the
-- ledger's days. Times are epoch milliseconds with a second form.

-- Whoever has a job, until when by the database's clock; over and given up look the same. token rises with
-- each change of holder, and what an earlier one still writes is refused.
CREATE TABLE job_lease (
    job      text COLLATE "C" NOT NULL PRIMARY KEY CONSTRAINT job_named CHECK (length(job) BETWEEN 1 AND 64),
    holder   text   NOT NULL CONSTRAINT holder_named CHECK (length(holder) BETWEEN 1 AND 256),
    token    bigint NOT NULL CONSTRAINT token_from_1 CHECK (token >= 1),
    until_ms bigint NOT NULL,
    until    timestamptz(3) GENERATED ALWAYS AS (to_timestamp(until_ms / 1000.0)) STORED
) WITH (fillfactor = 50);
CREATE TRIGGER job_lease_token_rises BEFORE UPDATE ON job_lease
    FOR EACH ROW WHEN (NEW.token < OLD.token OR (NEW.token = OLD.token AND NEW.holder <> OLD.holder))
    EXECUTE FUNCTION weir_refuse('job_lease: a new holder has a higher token');
CREATE TRIGGER job_lease_no_delete BEFORE DELETE ON job_lease
    FOR EACH ROW EXECUTE FUNCTION weir_refuse('job_lease: rows stay, for tokens never start again');
CREATE TRIGGER job_lease_no_truncate BEFORE TRUNCATE ON job_lease
    EXECUTE FUNCTION weir_refuse('job_lease: rows stay, for tokens never start again');

CREATE TABLE fleet_report (
    name  text COLLATE "C" NOT NULL PRIMARY KEY CONSTRAINT name_given CHECK (length(name) BETWEEN 1 AND 64),
    at_ms bigint NOT NULL,
    at    timestamptz(3) GENERATED ALWAYS AS (to_timestamp(at_ms / 1000.0)) STORED,
    json  json   NOT NULL
) WITH (fillfactor = 50);
CREATE TRIGGER fleet_report_no_truncate BEFORE TRUNCATE ON fleet_report
    EXECUTE FUNCTION weir_refuse('fleet_report: the next one replaces it');

-- Drawn once by the first agent; it never leaves the store for a log, a status or a page.
CREATE TABLE fleet_secret (
    id     bigint NOT NULL PRIMARY KEY CONSTRAINT single_row CHECK (id = 1),
    secret text   NOT NULL CONSTRAINT secret_hex CHECK (secret ~ '^[0-9a-f]{64}$')
);
CREATE TRIGGER fleet_secret_stays BEFORE UPDATE OR DELETE ON fleet_secret
    FOR EACH ROW EXECUTE FUNCTION weir_refuse('fleet_secret: it stays');
CREATE TRIGGER fleet_secret_no_truncate BEFORE TRUNCATE ON fleet_secret
    EXECUTE FUNCTION weir_refuse('fleet_secret: it stays');

DO $$ BEGIN PERFORM set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true); END $$;

-- The partition of the day in which a time lies.
CREATE FUNCTION weir_ledger_day(at_ms bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT 'call_ledger_' || to_char(timestamp 'epoch' + at_ms / 86400000 * interval '1 day', 'YYYYMMDD')
$$;

CREATE FUNCTION weir_ledger_has_day(day_ms bigint) RETURNS boolean LANGUAGE sql SET search_path FROM CURRENT AS $$
    SELECT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(weir_ledger_day(day_ms))
        AND inhparent = 'call_ledger'::regclass AND NOT inhdetachpending)
$$;

-- Makes the partition of the day in which `day_ms` lies; true where it was not there. Safe at any
-- time from any number of connections: the table is made aside and attached, which waits for no
-- reader and no writer (CREATE … PARTITION OF would wait for all of them), and one at a time.
CREATE FUNCTION weir_ledger_ensure_day(day_ms bigint) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    from_ms bigint := day_ms - day_ms % 86400000;
    part    text   := weir_ledger_day(day_ms);
BEGIN
    IF day_ms IS NULL OR day_ms NOT BETWEEN 0 AND 253402300799999 THEN
        RAISE EXCEPTION 'call_ledger: % is no time between 1970 and 9999', day_ms
            USING ERRCODE = 'check_violation', TABLE = 'call_ledger', CONSTRAINT = 'a_day';
    END IF;
    IF weir_ledger_has_day(day_ms) THEN RETURN false; END IF;
    PERFORM pg_advisory_xact_lock(hashtext('weir.call_ledger'), hashtext(current_schema()));
    -- Vacuumed at each twentieth that comes, for call_ledger_by_word.
    EXECUTE format('CREATE TABLE %I (LIKE call_ledger INCLUDING ALL) '
        'WITH (autovacuum_vacuum_insert_scale_factor = 0.05)', part);
    EXECUTE format('ALTER TABLE call_ledger ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
        part, from_ms, from_ms + 86400000);
    EXECUTE format('CREATE TRIGGER call_ledger_no_truncate BEFORE TRUNCATE ON %I EXECUTE FUNCTION '
        'weir_refuse(''call_ledger: old days are dropped instead (weir_ledger_maintain)'')', part);
    RETURN true;
EXCEPTION WHEN duplicate_table THEN
    -- Somebody was quicker; or it was detached, by somebody who knows why.
    IF weir_ledger_has_day(day_ms) THEN RETURN false; END IF;
    RAISE EXCEPTION 'call_ledger: % is there, but is no partition of it', part
        USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'attach it again, or rename it and a new one is made';
END $$;

-- Deletes up to `rows_max` rows of `name` from before a time, oldest first. Rows that somebody is writing wait
-- for another time. Returns how many went.
CREATE FUNCTION weir_forget(name text, time_column text, before_ms bigint, rows_max int)
RETURNS bigint LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    gone bigint;
BEGIN
    EXECUTE format($sql$
        DELETE FROM %1$I WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$I WHERE %2$I < $1
            ORDER BY %2$I LIMIT $2 FOR UPDATE SKIP LOCKED)) $sql$, name, time_column)
        USING before_ms, rows_max;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END $$;

-- Attempts by hour, so that the sums of a long time need no look at its rows: those of transactions before
-- ledger_counted.xact are in here, the others must be added (weir_ledger_totals does).
CREATE TABLE ledger_total (
    hour_ms        bigint NOT NULL,
    model          text COLLATE "C" NOT NULL,
    provider       text COLLATE "C" NOT NULL,
    task_type      text COLLATE "C" NOT NULL,
    outcome        text COLLATE "C" NOT NULL,
    calls          bigint NOT NULL,
    input_uncached bigint NOT NULL,
    input_cached   bigint NOT NULL,
    cache_write    bigint NOT NULL,
    output         bigint NOT NULL,
    reasoning      bigint NOT NULL,
    tokens_unknown bigint NOT NULL,
    cost_micro_usd bigint NOT NULL,
    cost_unknown   bigint NOT NULL,
    PRIMARY KEY (hour_ms, model, provider, task_type, outcome)
) WITH (fillfactor = 80);
CREATE TABLE ledger_counted (
    id   bigint NOT NULL PRIMARY KEY CONSTRAINT single_row CHECK (id = 1),
    xact xid8   NOT NULL
);
INSERT INTO ledger_counted VALUES (1, '0');
CREATE TRIGGER ledger_total_no_truncate BEFORE TRUNCATE ON ledger_total
    EXECUTE FUNCTION weir_refuse('ledger_total: it goes with the days');
CREATE TRIGGER ledger_counted_no_truncate BEFORE TRUNCATE ON ledger_counted
    EXECUTE FUNCTION weir_refuse('ledger_counted: without it everything is counted twice');

-- Counts the attempts of transactions that are over and were not counted: some 200,000 a call. True where
-- more are left.
CREATE FUNCTION weir_ledger_count() RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    since   xid8;
    settled xid8;
    upto    xid8;
BEGIN
    -- One at a time; what follows sees what the one before has counted.
    SELECT xact INTO STRICT since FROM ledger_counted FOR UPDATE;
    settled := pg_snapshot_xmin(pg_current_snapshot());
    SELECT xact INTO upto FROM call_ledger WHERE xact >= since AND xact < settled
        ORDER BY xact, row OFFSET 200000 LIMIT 1;
    -- A transaction is counted whole, however large.
    IF upto = since THEN
        SELECT xact INTO upto FROM call_ledger WHERE xact > since AND xact < settled ORDER BY xact, row LIMIT 1;
    END IF;
    INSERT INTO ledger_total AS old
    SELECT started_at_ms / 3600000 * 3600000, model, provider, task_type, outcome, count(*),
        coalesce(sum(input_uncached), 0), coalesce(sum(input_cached), 0), coalesce(sum(cache_write), 0),
        coalesce(sum(output), 0), coalesce(sum(reasoning), 0),
        count(*) FILTER (WHERE input_uncached IS NULL OR output IS NULL),
        coalesce(sum(cost_micro_usd), 0), count(*) FILTER (WHERE cost_micro_usd IS NULL)
    FROM call_ledger WHERE xact >= since AND xact < coalesce(upto, settled) GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (hour_ms, model, provider, task_type, outcome) DO UPDATE SET
        calls = old.calls + excluded.calls, input_uncached = old.input_uncached + excluded.input_uncached,
        input_cached = old.input_cached + excluded.input_cached,
        cache_write = old.cache_write + excluded.cache_write, output = old.output + excluded.output,
        reasoning = old.reasoning + excluded.reasoning,
        tokens_unknown = old.tokens_unknown + excluded.tokens_unknown,
        cost_micro_usd = old.cost_micro_usd + excluded.cost_micro_usd,
        cost_unknown = old.cost_unknown + excluded.cost_unknown;
    UPDATE ledger_counted SET xact = coalesce(upto, settled);
    RETURN upto IS NOT NULL;
END $$;

-- The sums of all attempts that started in [from_ms, to_ms) by provider and outcome; '' does not filter.
CREATE FUNCTION weir_ledger_totals(
    from_ms bigint, to_ms bigint, of_model text, of_provider text, of_task_type text, of_outcome text)
RETURNS TABLE (provider text, outcome text, calls bigint, input_uncached bigint, input_cached bigint,
    cache_write bigint, output bigint, reasoning bigint, tokens_unknown bigint, cost_micro_usd bigint,
    cost_unknown bigint) LANGUAGE plpgsql STABLE SET search_path FROM CURRENT
SET jit = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    counted  xid8   := (SELECT xact FROM ledger_counted);
    -- The whole hours between, if any.
    first_ms bigint := least((greatest(from_ms, 0) + 3599999) / 3600000 * 3600000, to_ms);
    last_ms  bigint := greatest(to_ms / 3600000 * 3600000, first_ms);
BEGIN
    RETURN QUERY
    WITH loose AS (
        SELECT l.* FROM call_ledger l WHERE started_at_ms >= from_ms AND started_at_ms < first_ms
        UNION ALL
        SELECT l.* FROM call_ledger l WHERE started_at_ms >= last_ms AND started_at_ms < to_ms
        UNION ALL
        -- The upper bound only tells the planner that there are few.
        SELECT l.* FROM call_ledger l
        WHERE xact >= counted AND xact < pg_snapshot_xmax(pg_current_snapshot())
            AND started_at_ms >= first_ms AND started_at_ms < last_ms),
    parts AS (
        SELECT t.* FROM ledger_total t WHERE hour_ms >= first_ms AND hour_ms < last_ms
        UNION ALL
        SELECT started_at_ms, l.model, l.provider, l.task_type, l.outcome, 1, coalesce(l.input_uncached, 0),
            coalesce(l.input_cached, 0), coalesce(l.cache_write, 0), coalesce(l.output, 0),
            coalesce(l.reasoning, 0), (l.input_uncached IS NULL OR l.output IS NULL)::int,
            coalesce(l.cost_micro_usd, 0), (l.cost_micro_usd IS NULL)::int FROM loose l)
    SELECT p.provider, p.outcome, sum(p.calls)::bigint, sum(p.input_uncached)::bigint,
        sum(p.input_cached)::bigint, sum(p.cache_write)::bigint, sum(p.output)::bigint,
        sum(p.reasoning)::bigint, sum(p.tokens_unknown)::bigint, sum(p.cost_micro_usd)::bigint,
        sum(p.cost_unknown)::bigint
    FROM parts p WHERE (of_model = '' OR p.model = of_model) AND (of_provider = '' OR p.provider = of_provider)
        AND (of_task_type = '' OR p.task_type = of_task_type) AND (of_outcome = '' OR p.outcome = of_outcome)
    GROUP BY p.provider, p.outcome ORDER BY p.provider, p.outcome;
END $$;

-- Counts attempts into ledger_total and adds settled steps of the history up, in bounded bites. True where
-- there is more to do. (weir_ledger_maintain does it too.)
CREATE FUNCTION weir_ledger_settle() RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '500ms' AS $$
DECLARE
    bite     CONSTANT int := 20000;
    now_ms   bigint := floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
    has_more boolean := false;
    job      record;
BEGIN
    BEGIN
        has_more := weir_ledger_count();
    -- Somebody else is counting.
    EXCEPTION WHEN lock_not_available THEN NULL;
    END;
    -- A row may still come a quarter of an hour after its step has ended, or later; then it settles later.
    FOR job IN SELECT * FROM (VALUES ('route_10s', 10000, NULL), ('route_minute', 60000, NULL),
            ('route_10min', 600000, 'route_6h_settled')) AS each (tab, step_ms, longer) LOOP
        has_more := has_more OR bite <=
            weir_history_settle(job.tab, now_ms - job.step_ms - 900000, bite, job.longer, 21600000);
    END LOOP;
    RETURN has_more;
END $$;

-- To be called each minute or so, by anyone, not inside a transaction. Makes the days ahead, settles, forgets
-- what is old in bounded bites, and drops the days before `keep_days`. Says what it did, a row each: created
-- and dropped days, pruned tables with their rows; "more" where there is more to do (call again soon), "busy"
-- where somebody held what it needed for longer than half a second (call again later), "detached" for a table
-- that has a day's name and is no partition.
CREATE FUNCTION weir_ledger_maintain(days_ahead int, keep_days int)
RETURNS TABLE (action text, name text, rows bigint) LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '500ms' AS $$
DECLARE
    bite   CONSTANT int := 20000;
    now_ms bigint := floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
    day_ms bigint;
    part   text;
    job    record;
BEGIN
    IF days_ahead IS NULL OR days_ahead NOT BETWEEN 0 AND 31
            OR keep_days IS NULL OR keep_days NOT BETWEEN 1 AND 36500 THEN
        RAISE EXCEPTION 'weir_ledger_maintain: 0 to 31 days ahead, 1 to 36500 days kept'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    FOR day_ms IN SELECT now_ms + day * 86400000::bigint FROM generate_series(0, days_ahead) AS day LOOP
        BEGIN
            IF weir_ledger_ensure_day(day_ms) THEN
                RETURN QUERY SELECT 'created', weir_ledger_day(day_ms), 0::bigint;
            END IF;
        EXCEPTION WHEN lock_not_available THEN
            RETURN QUERY SELECT 'busy', weir_ledger_day(day_ms), 0::bigint;
        WHEN object_not_in_prerequisite_state THEN
            RETURN QUERY SELECT 'detached', weir_ledger_day(day_ms), 0::bigint;
        END;
    END LOOP;
    IF weir_ledger_settle() THEN RETURN QUERY SELECT 'more', 'route_10s', 0::bigint; END IF;
    FOR job IN SELECT * FROM (VALUES
            ('unserved_request', 'started_at_ms', keep_days), ('mirror_comparison', 'at_ms', keep_days),
            ('eval_run', 'scored_at_ms', 400), ('route_10s', 'started_at_ms', 3),
            ('route_minute', 'started_at_ms', 35), ('route_10min', 'started_at_ms', 400),
            ('route_6h_settled', 'started_at_ms', 800)) AS each (tab, time_column, days) LOOP
        name := job.tab;
        rows := weir_forget(job.tab, job.time_column, now_ms - job.days * 86400000::bigint, bite);
        IF rows > 0 THEN action := 'pruned'; RETURN NEXT; END IF;
        IF rows >= bite THEN action := 'more'; RETURN NEXT; END IF;
    END LOOP;
    FOR part IN SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'call_ledger'::regclass AND c.relname ~ '^call_ledger_\d{8}$'
            AND c.relname < weir_ledger_day(now_ms - keep_days * 86400000::bigint) ORDER BY c.relname LOOP
        BEGIN
            LOCK TABLE call_ledger IN ACCESS EXCLUSIVE MODE;
            EXECUTE format('DROP TABLE %I', part);
            day_ms := extract(epoch FROM to_date(right(part, 8), 'YYYYMMDD')) * 1000;
            DELETE FROM ledger_total WHERE hour_ms >= day_ms AND hour_ms < day_ms + 86400000;
            RETURN QUERY SELECT 'dropped', part, 0::bigint;
        EXCEPTION WHEN lock_not_available THEN
            RETURN QUERY SELECT 'busy', part, 0::bigint;
            EXIT;
        END;
    END LOOP;
END $$;

DO $$
BEGIN
    PERFORM weir_ledger_ensure_day(
        floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + day * 86400000::bigint)
    FROM generate_series(-1, 2) AS day;
END $$;
