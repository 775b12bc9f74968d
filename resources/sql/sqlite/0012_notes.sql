-- SPDX-License-Identifier: Apache-2.0
-- What people say of incidents. The detector writes an incident and its events anew as it learns more; a
-- person's words stand apart and stay: they can be edited, and the audit keeps every version.

CREATE TABLE incident_note (
    id           TEXT    NOT NULL PRIMARY KEY CONSTRAINT id_given CHECK (length(id) BETWEEN 1 AND 64),
    incident_id  TEXT    NOT NULL REFERENCES incident (id),
    section      TEXT    NOT NULL CONSTRAINT known_section CHECK (section IN (
                     'timeline', 'overview', 'what_happened', 'factors', 'resolution', 'impact',
                     'responders', 'went_well', 'went_badly', 'action')),
    at_ms        INTEGER NOT NULL,
    at           TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', at_ms / 1000, 'unixepoch')
                 || printf('.%03dZ', at_ms % 1000)) VIRTUAL,
    text         TEXT    NOT NULL CONSTRAINT text_given CHECK (length(trim(text)) BETWEEN 1 AND 4000),
    version      INTEGER NOT NULL CONSTRAINT positive_version CHECK (version >= 1),
    created_by   TEXT    NOT NULL CONSTRAINT author_named CHECK (length(trim(created_by)) BETWEEN 1 AND 256),
    updated_by   TEXT    NOT NULL CONSTRAINT writer_named CHECK (length(trim(updated_by)) BETWEEN 1 AND 256),
    updated_host TEXT    NOT NULL DEFAULT '' CONSTRAINT short_host CHECK (length(updated_host) <= 256),
    updated_at   TEXT    NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
                 CONSTRAINT a_time CHECK (julianday(updated_at) IS NOT NULL),
    updated_at_ms INTEGER GENERATED ALWAYS AS
                 (CAST(round((julianday(updated_at) - 2440587.5) * 86400000.0) AS INTEGER)) VIRTUAL,
    request_uuid TEXT    NOT NULL DEFAULT '' CONSTRAINT short_uuid CHECK (length(request_uuid) <= 64)
) STRICT;
CREATE INDEX incident_note_by_time ON incident_note (incident_id, at_ms);

-- What was changed while an incident lasted.
CREATE INDEX settings_audit_by_time ON settings_audit (at_ms);

CREATE TRIGGER incident_note_no_delete BEFORE DELETE ON incident_note
BEGIN SELECT RAISE(ABORT, 'incident_note: rows stay; change them instead'); END;
CREATE TRIGGER incident_note_insert_once BEFORE INSERT ON incident_note
WHEN EXISTS (SELECT 1 FROM incident_note WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'incident_note: the row exists; update it'); END;
CREATE TRIGGER incident_note_first_version BEFORE INSERT ON incident_note
WHEN NEW.version IS NOT 1
BEGIN SELECT RAISE(ABORT, 'incident_note: the first version is 1'); END;
CREATE TRIGGER incident_note_next_version BEFORE UPDATE ON incident_note
WHEN NEW.version IS NOT OLD.version + 1
BEGIN SELECT RAISE(ABORT, 'incident_note: version must be the old version + 1'); END;
CREATE TRIGGER incident_note_same_key BEFORE UPDATE OF id, incident_id, created_by ON incident_note
WHEN NEW.id IS NOT OLD.id OR NEW.incident_id IS NOT OLD.incident_id OR NEW.created_by IS NOT OLD.created_by
BEGIN SELECT RAISE(ABORT, 'incident_note: id, incident and author stay'); END;
CREATE TRIGGER incident_note_audit_insert AFTER INSERT ON incident_note
BEGIN
    INSERT INTO settings_audit
        (who, host, table_name, row_key, old_value, new_value, reason, version, request_uuid)
    SELECT NEW.updated_by, NEW.updated_host, 'incident_note', NEW.id, '{}',
        json_object(
            'incident_id', NEW.incident_id, 'section', NEW.section, 'at', NEW.at, 'text', NEW.text,
            'version', NEW.version, 'updated_by', NEW.updated_by),
        substr(NEW.text, 1, 1000), NEW.version, nullif(NEW.request_uuid, '');
END;
CREATE TRIGGER incident_note_audit_update AFTER UPDATE ON incident_note
BEGIN
    INSERT INTO settings_audit
        (who, host, table_name, row_key, old_value, new_value, reason, version, request_uuid)
    SELECT NEW.updated_by, NEW.updated_host, 'incident_note', NEW.id,
        json_object(
            'incident_id', OLD.incident_id, 'section', OLD.section, 'at', OLD.at, 'text', OLD.text,
            'version', OLD.version, 'updated_by', OLD.updated_by),
        json_object(
            'incident_id', NEW.incident_id, 'section', NEW.section, 'at', NEW.at, 'text', NEW.text,
            'version', NEW.version, 'updated_by', NEW.updated_by),
        substr(NEW.text, 1, 1000), NEW.version,
        CASE WHEN NEW.request_uuid <> OLD.request_uuid THEN nullif(NEW.request_uuid, '') END;
END;
