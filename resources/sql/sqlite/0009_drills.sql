-- SPDX-License-Identifier: Apache-2.0
-- Failures provoked on purpose, bounded in time. A row is written twice at most: the start, and the end.
-- Agents end a drill by their own clocks, so a row whose end nobody wrote (no agent ran) only says that
-- nobody wrote it; whoever starts the next one writes it then.

CREATE TABLE drill (
    id           TEXT    NOT NULL PRIMARY KEY CONSTRAINT id_given CHECK (length(id) BETWEEN 1 AND 64),
    kind         TEXT    NOT NULL
                 CONSTRAINT known_kind CHECK (kind IN ('breaker', 'rate_limit', 'error', 'delay')),
    model        TEXT    NOT NULL CONSTRAINT model_named CHECK (length(model) BETWEEN 1 AND 256),
    provider     TEXT    NOT NULL CONSTRAINT provider_named CHECK (length(provider) BETWEEN 1 AND 256),
    share_ppm    INTEGER NOT NULL CONSTRAINT share_range CHECK (share_ppm BETWEEN 1 AND 1000000),
    delay_ms     INTEGER NOT NULL CONSTRAINT delay_range CHECK (
                     CASE kind WHEN 'delay' THEN delay_ms BETWEEN 1 AND 60000 ELSE delay_ms = 0 END),
    starts_at_ms INTEGER NOT NULL,
    starts_at    TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', starts_at_ms / 1000, 'unixepoch')
                 || printf('.%03dZ', starts_at_ms % 1000)) VIRTUAL,
    ends_at_ms   INTEGER NOT NULL,
    ends_at      TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', ends_at_ms / 1000, 'unixepoch')
                 || printf('.%03dZ', ends_at_ms % 1000)) VIRTUAL,
    abort_failure_ppm INTEGER NOT NULL
                 CONSTRAINT abort_range CHECK (abort_failure_ppm BETWEEN 0 AND 1000000),
    started_by   TEXT    NOT NULL CONSTRAINT starter_named CHECK (length(trim(started_by)) BETWEEN 1 AND 256),
    started_host TEXT    NOT NULL DEFAULT '' CONSTRAINT short_host CHECK (length(started_host) <= 256),
    reason       TEXT    NOT NULL CONSTRAINT reason_given CHECK (length(trim(reason)) BETWEEN 1 AND 1000),
    request_uuid TEXT    NOT NULL DEFAULT '' CONSTRAINT short_uuid CHECK (length(request_uuid) <= 64),
    ended_at_ms  INTEGER,
    ended_at     TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', ended_at_ms / 1000, 'unixepoch')
                 || printf('.%03dZ', ended_at_ms % 1000)) VIRTUAL,
    end_reason   TEXT    NOT NULL DEFAULT ''
                 CONSTRAINT known_end CHECK (end_reason IN ('', 'time', 'stopped', 'aborted')),
    end_text     TEXT    NOT NULL DEFAULT '' CONSTRAINT short_end CHECK (length(end_text) <= 1000),
    ended_by     TEXT    NOT NULL DEFAULT '' CONSTRAINT short_ender CHECK (length(ended_by) <= 256),
    ended_host   TEXT    NOT NULL DEFAULT '' CONSTRAINT short_end_host CHECK (length(ended_host) <= 256),
    CONSTRAINT an_hour_at_most
        CHECK (ends_at_ms > starts_at_ms AND ends_at_ms - starts_at_ms <= 3600000),
    CONSTRAINT whole_end CHECK (
        CASE WHEN ended_at_ms IS NULL THEN end_reason = '' AND end_text = '' AND ended_by = ''
        ELSE end_reason <> '' AND length(trim(end_text)) > 0 AND length(trim(ended_by)) > 0 END)
) STRICT;
CREATE UNIQUE INDEX drill_one_a_route ON drill (model, provider) WHERE ended_at_ms IS NULL;
CREATE INDEX drill_by_time ON drill (starts_at_ms, id);

-- What each agent saw of it: requests of the model, those that failed for their caller, those that the
-- drill had a hand in, and those that it left alone because they could go nowhere else.
CREATE TABLE drill_count (
    drill        TEXT    NOT NULL,
    agent        TEXT    NOT NULL,
    requests     INTEGER NOT NULL CONSTRAINT requests_not_negative CHECK (requests >= 0),
    failures     INTEGER NOT NULL CONSTRAINT failures_not_negative CHECK (failures >= 0),
    touched      INTEGER NOT NULL CONSTRAINT touched_not_negative CHECK (touched >= 0),
    spared       INTEGER NOT NULL CONSTRAINT spared_not_negative CHECK (spared >= 0),
    PRIMARY KEY (drill, agent)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER drill_no_delete BEFORE DELETE ON drill
BEGIN SELECT RAISE(ABORT, 'drill: rows stay; end it instead'); END;
CREATE TRIGGER drill_insert_once BEFORE INSERT ON drill
WHEN EXISTS (SELECT 1 FROM drill WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'drill: the row exists'); END;
CREATE TRIGGER drill_begins_running BEFORE INSERT ON drill
WHEN NEW.ended_at_ms IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'drill: a new one has not ended'); END;
CREATE TRIGGER drill_ends_once BEFORE UPDATE ON drill
WHEN OLD.ended_at_ms IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'drill: it has ended'); END;
CREATE TRIGGER drill_only_ends BEFORE UPDATE OF
    id, kind, model, provider, share_ppm, delay_ms, starts_at_ms, ends_at_ms, abort_failure_ppm, started_by,
    started_host, reason, request_uuid ON drill
BEGIN SELECT RAISE(ABORT, 'drill: only its end can be written'); END;
CREATE TRIGGER drill_audit_insert AFTER INSERT ON drill
BEGIN
    INSERT INTO settings_audit
        (who, host, table_name, row_key, old_value, new_value, reason, version, request_uuid)
    SELECT NEW.started_by, NEW.started_host, 'drill', NEW.id, '{}',
        json_object(
            'id', NEW.id, 'kind', NEW.kind, 'model', NEW.model, 'provider', NEW.provider,
            'share_ppm', NEW.share_ppm, 'delay_ms', NEW.delay_ms, 'starts_at', NEW.starts_at,
            'ends_at', NEW.ends_at, 'abort_failure_ppm', NEW.abort_failure_ppm, 'reason', NEW.reason),
        NEW.reason, 1, nullif(NEW.request_uuid, '');
END;
CREATE TRIGGER drill_audit_update AFTER UPDATE OF
    ended_at_ms, end_reason, end_text, ended_by, ended_host ON drill
BEGIN
    INSERT INTO settings_audit
        (who, host, table_name, row_key, old_value, new_value, reason, version, request_uuid)
    SELECT NEW.ended_by, NEW.ended_host, 'drill', NEW.id,
        json_object('id', OLD.id, 'ended_at', OLD.ended_at, 'end_reason', OLD.end_reason),
        json_object('id', NEW.id, 'ended_at', NEW.ended_at, 'end_reason', NEW.end_reason),
        NEW.end_text, 2, NULL;
END;
