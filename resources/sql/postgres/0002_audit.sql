-- SPDX-License-Identifier: Apache-2.0
-- The rules that a constraint cannot say: rows that must stay, versions that step by one, and the
-- audit. `updated_at` is the one column that a trigger sets itself, where a writer left it as it was.
-- What writes with its owner's rights (SECURITY DEFINER) keeps the schema it was made in, whatever
-- search_path its caller has: the caller must not choose what its names mean.

DO $$ BEGIN PERFORM set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true); END $$;

-- The rule broken is the trigger's argument; clients see it like a constraint's.
CREATE FUNCTION weir_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING
        ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
END $$;

CREATE FUNCTION weir_iso(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- A row as audit and notifications name it, and as the audit shows it.
CREATE FUNCTION weir_row_key(value jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(value ->> 'id', value ->> 'agent', (value ->> 'model') || '/' || (value ->> 'provider'))
$$;
CREATE FUNCTION weir_audited(value jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT value - 'id' - 'updated_at_ms' ||
        jsonb_build_object('updated_at', weir_iso((value ->> 'updated_at')::timestamptz))
$$;

-- Versions go on where the audit ends, also when a person repairs a row that vanished.
CREATE FUNCTION weir_first_version() RETURNS trigger LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
    IF NEW.version IS DISTINCT FROM 1 + coalesce((SELECT max(version) FROM settings_audit
            WHERE table_name = TG_TABLE_NAME AND row_key = weir_row_key(to_jsonb(NEW))), 0) THEN
        RAISE EXCEPTION '%: version must follow the last audited one', TG_TABLE_NAME USING
            ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION weir_stamp() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.updated_at := clock_timestamp();
    RETURN NEW;
END $$;

-- The arguments are the channel and the column that holds the version. A notification says
-- "version table/key" and never what changed.
CREATE FUNCTION weir_notify() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    value jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
BEGIN
    PERFORM pg_notify(TG_ARGV[0],
        (value ->> TG_ARGV[1]) || ' ' || TG_TABLE_NAME || '/' || weir_row_key(value));
    RETURN NULL;
END $$;

-- Its argument is the channel.
CREATE FUNCTION weir_audit() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    key    text  := weir_row_key(to_jsonb(NEW));
    before jsonb := '{}';
    uuid   text  := nullif(NEW.request_uuid, '');
BEGIN
    IF TG_OP = 'UPDATE' THEN
        before := weir_audited(to_jsonb(OLD));
        IF NEW.request_uuid = OLD.request_uuid THEN uuid := NULL; END IF;
    END IF;
    INSERT INTO settings_audit
        (who, host, table_name, row_key, old_value, new_value, reason, version, request_uuid)
    VALUES (NEW.updated_by, NEW.updated_host, TG_TABLE_NAME, key, before, weir_audited(to_jsonb(NEW)),
        NEW.reason, NEW.version, uuid);
    PERFORM pg_notify(TG_ARGV[0], NEW.version || ' ' || TG_TABLE_NAME || '/' || key);
    RETURN NULL;
END $$;

CREATE TRIGGER settings_audit_no_update BEFORE UPDATE ON settings_audit
    FOR EACH ROW EXECUTE FUNCTION weir_refuse('settings_audit is append only');
CREATE TRIGGER settings_audit_no_delete BEFORE DELETE ON settings_audit
    FOR EACH ROW EXECUTE FUNCTION weir_refuse('settings_audit is append only');
CREATE TRIGGER settings_audit_no_truncate BEFORE TRUNCATE ON settings_audit
    EXECUTE FUNCTION weir_refuse('settings_audit is append only');

-- routing_switch
CREATE TRIGGER routing_switch_no_delete BEFORE DELETE ON routing_switch
    FOR EACH ROW EXECUTE FUNCTION weir_refuse('routing_switch: rows stay; change them instead');
CREATE TRIGGER routing_switch_no_truncate BEFORE TRUNCATE ON routing_switch
    EXECUTE FUNCTION weir_refuse('routing_switch: rows stay; change them instead');
CREATE TRIGGER routing_switch_first_version BEFORE INSERT ON routing_switch
    FOR EACH ROW EXECUTE FUNCTION weir_first_version();
CREATE TRIGGER routing_switch_no_backdating BEFORE UPDATE OF updated_at ON routing_switch
    FOR EACH ROW WHEN (NEW.version = OLD.version AND NEW.updated_at <> OLD.updated_at)
    EXECUTE FUNCTION weir_refuse('routing_switch: updated_at changes only with the version');
CREATE TRIGGER routing_switch_next_version BEFORE UPDATE OF
    id, mode, version, reason, updated_by, updated_host, request_uuid ON routing_switch
    FOR EACH ROW WHEN (NEW.version IS DISTINCT FROM OLD.version + 1)
    EXECUTE FUNCTION weir_refuse('routing_switch: version must be the old version + 1');
CREATE TRIGGER routing_switch_stamp BEFORE UPDATE ON routing_switch
    FOR EACH ROW WHEN (NEW.version <> OLD.version AND NEW.updated_at = OLD.updated_at)
    EXECUTE FUNCTION weir_stamp();
CREATE TRIGGER routing_switch_audit_insert AFTER INSERT ON routing_switch
    FOR EACH ROW EXECUTE FUNCTION weir_audit('weir_switch');
CREATE TRIGGER routing_switch_audit_update AFTER UPDATE OF
    id, mode, version, reason, updated_by, updated_host, request_uuid ON routing_switch
    FOR EACH ROW EXECUTE FUNCTION weir_audit('weir_switch');

-- routing_settings
CREATE TRIGGER routing_settings_no_delete BEFORE DELETE ON routing_settings
    FOR EACH ROW EXECUTE FUNCTION weir_refuse('routing_settings: rows stay; change them instead');
CREATE TRIGGER routing_settings_no_truncate BEFORE TRUNCATE ON routing_settings
    EXECUTE FUNCTION weir_refuse('routing_settings: rows stay; change them instead');
CREATE TRIGGER routing_settings_first_version BEFORE INSERT ON routing_settings
    FOR EACH ROW EXECUTE FUNCTION weir_first_version();
CREATE TRIGGER routing_settings_no_backdating BEFORE UPDATE OF updated_at ON routing_settings
    FOR EACH ROW WHEN (NEW.version = OLD.version AND NEW.updated_at <> OLD.updated_at)
    EXECUTE FUNCTION weir_refuse('routing_settings: updated_at changes only with the version');
CREATE TRIGGER routing_settings_next_version BEFORE UPDATE OF
    id, objective, cost_weight, speed_weight, slow_factor, switch_margin, exploration_share,
    exploration_cap, pin_seconds, max_premium, version, reason, updated_by, updated_host,
    request_uuid ON routing_settings
    FOR EACH ROW WHEN (NEW.version IS DISTINCT FROM OLD.version + 1)
    EXECUTE FUNCTION weir_refuse('routing_settings: version must be the old version + 1');
CREATE TRIGGER routing_settings_stamp BEFORE UPDATE ON routing_settings
    FOR EACH ROW WHEN (NEW.version <> OLD.version AND NEW.updated_at = OLD.updated_at)
    EXECUTE FUNCTION weir_stamp();
CREATE TRIGGER routing_settings_audit_insert AFTER INSERT ON routing_settings
    FOR EACH ROW EXECUTE FUNCTION weir_audit('weir_settings');
CREATE TRIGGER routing_settings_audit_update AFTER UPDATE OF
    id, objective, cost_weight, speed_weight, slow_factor, switch_margin, exploration_share,
    exploration_cap, pin_seconds, max_premium, version, reason, updated_by, updated_host,
    request_uuid ON routing_settings
    FOR EACH ROW EXECUTE FUNCTION weir_audit('weir_settings');

-- route_settings
CREATE TRIGGER route_settings_no_delete BEFORE DELETE ON route_settings
    FOR EACH ROW EXECUTE FUNCTION weir_refuse('route_settings: rows stay; change them instead');
CREATE TRIGGER route_settings_no_truncate BEFORE TRUNCATE ON route_settings
    EXECUTE FUNCTION weir_refuse('route_settings: rows stay; change them instead');
CREATE TRIGGER route_settings_first_version BEFORE INSERT ON route_settings
    FOR EACH ROW EXECUTE FUNCTION weir_first_version();
CREATE TRIGGER route_settings_no_backdating BEFORE UPDATE OF updated_at ON route_settings
    FOR EACH ROW WHEN (NEW.version = OLD.version AND NEW.updated_at <> OLD.updated_at)
    EXECUTE FUNCTION weir_refuse('route_settings: updated_at changes only with the version');
CREATE TRIGGER route_settings_next_version BEFORE UPDATE OF
    model, provider, enabled, fixed_position, score_bias, version, reason, updated_by,
    updated_host, request_uuid ON route_settings
    FOR EACH ROW WHEN (NEW.version IS DISTINCT FROM OLD.version + 1)
    EXECUTE FUNCTION weir_refuse('route_settings: version must be the old version + 1');
CREATE TRIGGER route_settings_same_key BEFORE UPDATE OF model, provider ON route_settings
    FOR EACH ROW WHEN (NEW.model IS DISTINCT FROM OLD.model OR NEW.provider IS DISTINCT FROM OLD.provider)
    EXECUTE FUNCTION weir_refuse('route_settings: model and provider are the key and stay');
CREATE TRIGGER route_settings_stamp BEFORE UPDATE ON route_settings
    FOR EACH ROW WHEN (NEW.version <> OLD.version AND NEW.updated_at = OLD.updated_at)
    EXECUTE FUNCTION weir_stamp();
CREATE TRIGGER route_settings_audit_insert AFTER INSERT ON route_settings
    FOR EACH ROW EXECUTE FUNCTION weir_audit('weir_settings');
CREATE TRIGGER route_settings_audit_update AFTER UPDATE OF
    model, provider, enabled, fixed_position, score_bias, version, reason, updated_by,
    updated_host, request_uuid ON route_settings
    FOR EACH ROW EXECUTE FUNCTION weir_audit('weir_settings');
