-- SPDX-License-Identifier: Apache-2.0
-- Failures provoked on purpose, bounded in time. A row is written twice at most: the start, and the end.
-- Agents end a drill by their own clocks, so a row whose end nobody wrote (no agent ran) only says that
-- nobody wrote it; whoever starts the next one writes it then.

CREATE TABLE drill (
    id           text COLLATE "C" NOT NULL PRIMARY KEY CONSTRAINT id_given CHECK (length(id) BETWEEN 1 AND 64),
    kind         text   NOT NULL
                 CONSTRAINT known_kind CHECK (kind IN ('breaker', 'rate_limit', 'error', 'delay')),
    model        text COLLATE "C" NOT NULL CONSTRAINT model_named CHECK (length(model) BETWEEN 1 AND 256),
    provider     text COLLATE "C" NOT NULL CONSTRAINT provider_named CHECK (length(provider) BETWEEN 1 AND 256),
    share_ppm    bigint NOT NULL CONSTRAINT share_range CHECK (share_ppm BETWEEN 1 AND 1000000),
    delay_ms     bigint NOT NULL CONSTRAINT delay_range CHECK (
                     CASE kind WHEN 'delay' THEN delay_ms BETWEEN 1 AND 60000 ELSE delay_ms = 0 END),
    starts_at_ms bigint NOT NULL,
    starts_at    timestamptz(3) GENERATED ALWAYS AS (to_timestamp(starts_at_ms / 1000.0)) STORED,
    ends_at_ms   bigint NOT NULL,
    ends_at      timestamptz(3) GENERATED ALWAYS AS (to_timestamp(ends_at_ms / 1000.0)) STORED,
    abort_failure_ppm bigint NOT NULL
                 CONSTRAINT abort_range CHECK (abort_failure_ppm BETWEEN 0 AND 1000000),
    started_by   text   NOT NULL CONSTRAINT starter_named CHECK (length(trim(started_by)) BETWEEN 1 AND 256),
    started_host text   NOT NULL DEFAULT '' CONSTRAINT short_host CHECK (length(started_host) <= 256),
    reason       text   NOT NULL CONSTRAINT reason_given CHECK (length(trim(reason)) BETWEEN 1 AND 1000),
    request_uuid text   NOT NULL DEFAULT '' CONSTRAINT short_uuid CHECK (length(request_uuid) <= 64),
    ended_at_ms  bigint,
    ended_at     timestamptz(3) GENERATED ALWAYS AS (to_timestamp(ended_at_ms / 1000.0)) STORED,
    end_reason   text   NOT NULL DEFAULT ''
                 CONSTRAINT known_end CHECK (end_reason IN ('', 'time', 'stopped', 'aborted')),
    end_text     text   NOT NULL DEFAULT '' CONSTRAINT short_end CHECK (length(end_text) <= 1000),
    ended_by     text   NOT NULL DEFAULT '' CONSTRAINT short_ender CHECK (length(ended_by) <= 256),
    ended_host   text   NOT NULL DEFAULT '' CONSTRAINT short_end_host CHECK (length(ended_host) <= 256),
    CONSTRAINT an_hour_at_most
        CHECK (ends_at_ms > starts_at_ms AND ends_at_ms - starts_at_ms <= 3600000),
    CONSTRAINT whole_end CHECK (
        CASE WHEN ended_at_ms IS NULL THEN end_reason = '' AND end_text = '' AND ended_by = ''
        ELSE end_reason <> '' AND length(trim(end_text)) > 0 AND length(trim(ended_by)) > 0 END)
);
CREATE UNIQUE INDEX drill_one_a_route ON drill (model, provider) WHERE ended_at_ms IS NULL;
CREATE INDEX drill_by_time ON drill (starts_at_ms, id);

-- What each agent saw of it: requests of the model, those that failed for their caller, those that the
-- drill had a hand in, and those that it left alone because they could go nowhere else.
CREATE TABLE drill_count (
    drill        text COLLATE "C" NOT NULL,
    agent        text COLLATE "C" NOT NULL,
    requests     bigint NOT NULL CONSTRAINT requests_not_negative CHECK (requests >= 0),
    failures     bigint NOT NULL CONSTRAINT failures_not_negative CHECK (failures >= 0),
    touched      bigint NOT NULL CONSTRAINT touched_not_negative CHECK (touched >= 0),
    spared       bigint NOT NULL CONSTRAINT spared_not_negative CHECK (spared >= 0),
    PRIMARY KEY (drill, agent)
) WITH (fillfactor = 50);

DO $$ BEGIN PERFORM set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true); END $$;

-- A drill has two versions: it started, it ended.
CREATE FUNCTION weir_audit_drill() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO settings_audit
            (who, host, table_name, row_key, old_value, new_value, reason, version, request_uuid)
        VALUES (NEW.started_by, NEW.started_host, 'drill', NEW.id, '{}', jsonb_build_object(
            'id', NEW.id, 'kind', NEW.kind, 'model', NEW.model, 'provider', NEW.provider,
            'share_ppm', NEW.share_ppm, 'delay_ms', NEW.delay_ms, 'starts_at', weir_iso(NEW.starts_at),
            'ends_at', weir_iso(NEW.ends_at), 'abort_failure_ppm', NEW.abort_failure_ppm,
            'reason', NEW.reason), NEW.reason, 1, nullif(NEW.request_uuid, ''));
    ELSE
        INSERT INTO settings_audit
            (who, host, table_name, row_key, old_value, new_value, reason, version)
        VALUES (NEW.ended_by, NEW.ended_host, 'drill', NEW.id, jsonb_build_object(
            'id', OLD.id, 'ended_at', weir_iso(OLD.ended_at), 'end_reason', OLD.end_reason),
            jsonb_build_object(
            'id', NEW.id, 'ended_at', weir_iso(NEW.ended_at), 'end_reason', NEW.end_reason),
            NEW.end_text, 2);
    END IF;
    PERFORM pg_notify('weir_settings', CASE TG_OP WHEN 'INSERT' THEN 1 ELSE 2 END || ' drill/' || NEW.id);
    RETURN NULL;
END $$;

CREATE TRIGGER drill_no_delete BEFORE DELETE ON drill
    FOR EACH ROW EXECUTE FUNCTION weir_refuse('drill: rows stay; end it instead');
CREATE TRIGGER drill_no_truncate BEFORE TRUNCATE ON drill
    EXECUTE FUNCTION weir_refuse('drill: rows stay; end it instead');
CREATE TRIGGER drill_begins_running BEFORE INSERT ON drill
    FOR EACH ROW WHEN (NEW.ended_at_ms IS NOT NULL)
    EXECUTE FUNCTION weir_refuse('drill: a new one has not ended');
CREATE TRIGGER drill_ends_once BEFORE UPDATE ON drill
    FOR EACH ROW WHEN (OLD.ended_at_ms IS NOT NULL)
    EXECUTE FUNCTION weir_refuse('drill: it has ended');
CREATE TRIGGER drill_only_ends BEFORE UPDATE OF
    id, kind, model, provider, share_ppm, delay_ms, starts_at_ms, ends_at_ms, abort_failure_ppm, started_by,
    started_host, reason, request_uuid ON drill
    FOR EACH ROW EXECUTE FUNCTION weir_refuse('drill: only its end can be written');
CREATE TRIGGER drill_audit_insert AFTER INSERT ON drill
    FOR EACH ROW EXECUTE FUNCTION weir_audit_drill();
CREATE TRIGGER drill_audit_update AFTER UPDATE OF
    ended_at_ms, end_reason, end_text, ended_by, ended_host ON drill
    FOR EACH ROW EXECUTE FUNCTION weir_audit_drill();
CREATE TRIGGER drill_count_no_truncate BEFORE TRUNCATE ON drill_count
    EXECUTE FUNCTION weir_refuse('drill_count: it tells what drills did');
