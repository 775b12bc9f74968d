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
    IF to_regclass(part) IS NOT NULL THEN RETURN false; END IF;
    PERFORM pg_advisory_xact_lock(hashtext('weir.call_ledger'), hashtext(current_schema()));
    -- Vacuumed at each twentieth that comes, for call_ledger_by_word.
    EXECUTE format('CREATE TABLE %I (LIKE call_ledger INCLUDING ALL) '
        'WITH (autovacuum_vacuum_insert_scale_factor = 0.05)', part);
    EXECUTE format('ALTER TABLE call_ledger ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
        part, from_ms, from_ms + 86400000);
    EXECUTE format('CREATE TRIGGER call_ledger_no_truncate BEFORE TRUNCATE ON %I EXECUTE FUNCTION '
        'weir_refuse(''call_ledger: old days are dropped instead (weir_ledger_maintain)'')', part);
    RETURN true;
-- Somebody was quicker.
EXCEPTION WHEN duplicate_table THEN RETURN false;
END $$;

-- Forgets rows of `name` that are older than `days`, 50,000 a call, oldest first.
CREATE FUNCTION weir_forget(name text, time_column text, days int) RETURNS bigint LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
    gone bigint;
BEGIN
    EXECUTE format('DELETE FROM %1$I WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$I WHERE %2$I < %3$s '
        'ORDER BY %2$I LIMIT 50000 FOR UPDATE SKIP LOCKED))', name, time_column,
        floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - days * 86400000::bigint);
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END $$;

-- To be called each hour or so, by anyone, best not inside a transaction. Makes the days ahead, forgets
-- what is old in bounded bites, and drops the days before `keep_days`. Says what it did, a row each:
-- created and dropped days, pruned tables; "more" where a table has more to forget (call again soon),
-- "busy" where somebody held what it needed for longer than half a second (call again later).
CREATE FUNCTION weir_ledger_maintain(days_ahead int, keep_days int)
RETURNS TABLE (action text, name text, rows bigint) LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '500ms' AS $$
DECLARE
    now_ms bigint := floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
    day_ms bigint;
    oldest text;
    part   text;
    old    record;
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
        END;
    END LOOP;
    FOR old IN SELECT * FROM (VALUES
            ('unserved_request', 'started_at_ms', keep_days), ('mirror_comparison', 'at_ms', keep_days),
            ('eval_run', 'scored_at_ms', 400), ('route_10s', 'started_at_ms', 3),
            ('route_minute', 'started_at_ms', 35), ('route_10min', 'started_at_ms', 400)
            ) AS ages (tab, time_column, days) LOOP
        rows := weir_forget(old.tab, old.time_column, old.days);
        name := old.tab;
        IF rows > 0 THEN action := 'pruned'; RETURN NEXT; END IF;
        IF rows >= 50000 THEN action := 'more'; RETURN NEXT; END IF;
    END LOOP;
    oldest := weir_ledger_day(now_ms - keep_days * 86400000::bigint);
    FOR part IN SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'call_ledger'::regclass AND c.relname ~ '^call_ledger_\d{8}$'
            AND c.relname < oldest ORDER BY c.relname LOOP
        BEGIN
            LOCK TABLE call_ledger IN ACCESS EXCLUSIVE MODE;
            EXECUTE format('DROP TABLE %I', part);
            RETURN QUERY SELECT 'dropped', part, 0::bigint;
        EXCEPTION WHEN lock_not_available THEN
            RETURN QUERY SELECT 'busy', part, 0::bigint;
            EXIT;
        END;
    END LOOP;
END $$;

-- Yesterday too: an agent may have kept its rows over midnight.
DO $$
BEGIN
    PERFORM weir_ledger_ensure_day(
        floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + day * 86400000::bigint)
    FROM generate_series(-1, 2) AS day;
END $$;
