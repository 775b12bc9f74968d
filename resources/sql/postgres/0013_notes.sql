-- SPDX-License-Identifier: Apache-2.0
-- What people say of incidents. The detector writes an incident and its events anew as it learns more; a
-- person's words stand apart and stay: they can be edited, and the audit keeps every version.

DO $$ BEGIN PERFORM set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true); END $$;

CREATE TABLE incident_note (
    id           text COLLATE "C" NOT NULL PRIMARY KEY CONSTRAINT id_given CHECK (length(id) BETWEEN 1 AND 64),
    incident_id  text COLLATE "C" NOT NULL REFERENCES incident (id),
    section      text   NOT NULL CONSTRAINT known_section CHECK (section IN (
                     'timeline', 'overview', 'what_happened', 'factors', 'resolution', 'impact',
                     'responders', 'went_well', 'went_badly', 'action')),
    at_ms        bigint NOT NULL,
    at           timestamptz(3) GENERATED ALWAYS AS (to_timestamp(at_ms / 1000.0)) STORED,
    text         text   NOT NULL CONSTRAINT text_given CHECK (length(trim(text)) BETWEEN 1 AND 4000),
    version      bigint NOT NULL CONSTRAINT positive_version CHECK (version >= 1),
    created_by   text   NOT NULL CONSTRAINT author_named CHECK (length(trim(created_by)) BETWEEN 1 AND 256),
    updated_by   text   NOT NULL CONSTRAINT writer_named CHECK (length(trim(updated_by)) BETWEEN 1 AND 256),
    updated_host text   NOT NULL DEFAULT '' CONSTRAINT short_host CHECK (length(updated_host) <= 256),
    updated_at   timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    updated_at_ms bigint GENERATED ALWAYS AS
                 ((extract(epoch FROM updated_at AT TIME ZONE 'UTC') * 1000)::bigint) STORED,
    request_uuid text   NOT NULL DEFAULT '' CONSTRAINT short_uuid CHECK (length(request_uuid) <= 64)
);
CREATE INDEX incident_note_by_time ON incident_note (incident_id, at_ms);

-- What was changed while an incident lasted.
CREATE INDEX settings_audit_by_time ON settings_audit (at_ms);

CREATE FUNCTION weir_audit_note() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    before jsonb := '{}';
    uuid   text  := nullif(NEW.request_uuid, '');
BEGIN
    IF TG_OP = 'UPDATE' THEN
        before := jsonb_build_object('incident_id', OLD.incident_id, 'section', OLD.section,
            'at', weir_iso(OLD.at), 'text', OLD.text, 'version', OLD.version, 'updated_by', OLD.updated_by);
        IF NEW.request_uuid = OLD.request_uuid THEN uuid := NULL; END IF;
    END IF;
    INSERT INTO settings_audit
        (who, host, table_name, row_key, old_value, new_value, reason, version, request_uuid)
    VALUES (NEW.updated_by, NEW.updated_host, 'incident_note', NEW.id, before, jsonb_build_object(
        'incident_id', NEW.incident_id, 'section', NEW.section, 'at', weir_iso(NEW.at), 'text', NEW.text,
        'version', NEW.version, 'updated_by', NEW.updated_by), substr(NEW.text, 1, 1000), NEW.version, uuid);
    RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION weir_audit_note() FROM PUBLIC;

CREATE TRIGGER incident_note_no_delete BEFORE DELETE ON incident_note
    FOR EACH ROW EXECUTE FUNCTION weir_refuse('incident_note: rows stay; change them instead');
CREATE TRIGGER incident_note_no_truncate BEFORE TRUNCATE ON incident_note
    EXECUTE FUNCTION weir_refuse('incident_note: rows stay; change them instead');
CREATE TRIGGER incident_note_first_version BEFORE INSERT ON incident_note
    FOR EACH ROW WHEN (NEW.version IS DISTINCT FROM 1)
    EXECUTE FUNCTION weir_refuse('incident_note: the first version is 1');
CREATE TRIGGER incident_note_next_version BEFORE UPDATE ON incident_note
    FOR EACH ROW WHEN (NEW.version IS DISTINCT FROM OLD.version + 1)
    EXECUTE FUNCTION weir_refuse('incident_note: version must be the old version + 1');
CREATE TRIGGER incident_note_same_key BEFORE UPDATE OF id, incident_id, created_by ON incident_note
    FOR EACH ROW WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.incident_id IS DISTINCT FROM OLD.incident_id
        OR NEW.created_by IS DISTINCT FROM OLD.created_by)
    EXECUTE FUNCTION weir_refuse('incident_note: id, incident and author stay');
CREATE TRIGGER incident_note_audit_insert AFTER INSERT ON incident_note
    FOR EACH ROW EXECUTE FUNCTION weir_audit_note();
CREATE TRIGGER incident_note_audit_update AFTER UPDATE ON incident_note
    FOR EACH ROW EXECUTE FUNCTION weir_audit_note();

-- Everyone reads them; whoever may turn the switch may also say why.
ALTER FUNCTION weir_grant_roles() RENAME TO weir_grant_first_roles;
CREATE FUNCTION weir_grant_roles() RETURNS text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    trouble text := weir_grant_first_roles();
BEGIN
    IF trouble <> '' THEN RETURN trouble; END IF;
    GRANT SELECT ON incident_note TO weir_viewer, weir_operator, weir_engineer, weir_agent;
    GRANT INSERT, UPDATE ON incident_note TO weir_operator, weir_engineer;
    RETURN trouble;
END $$;

-- Where roles are missing, 0012 has said so.
DO $$ BEGIN PERFORM weir_grant_roles(); END $$;
