-- SPDX-License-Identifier: Apache-2.0
-- The rules that a constraint cannot say: rows that must stay, versions that step by one, and the
-- audit. `updated_at` is the one column that a trigger sets itself, where a writer left it as it was.
-- (INSERT OR REPLACE deletes without firing DELETE triggers, hence the insert_once triggers.)

CREATE TRIGGER settings_audit_no_update BEFORE UPDATE ON settings_audit
BEGIN SELECT RAISE(ABORT, 'settings_audit is append only'); END;
CREATE TRIGGER settings_audit_no_delete BEFORE DELETE ON settings_audit
BEGIN SELECT RAISE(ABORT, 'settings_audit is append only'); END;
CREATE TRIGGER settings_audit_no_replace BEFORE INSERT ON settings_audit
WHEN EXISTS (SELECT 1 FROM settings_audit WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'settings_audit is append only'); END;

-- routing_switch
CREATE TRIGGER routing_switch_no_delete BEFORE DELETE ON routing_switch
BEGIN SELECT RAISE(ABORT, 'routing_switch: rows stay; change them instead'); END;
CREATE TRIGGER routing_switch_insert_once BEFORE INSERT ON routing_switch
WHEN EXISTS (SELECT 1 FROM routing_switch WHERE id = 1)
BEGIN SELECT RAISE(ABORT, 'routing_switch: the row exists; update it'); END;
CREATE TRIGGER routing_switch_first_version BEFORE INSERT ON routing_switch
WHEN NEW.version IS NOT 1 + coalesce(
    (SELECT max(version) FROM settings_audit WHERE table_name = 'routing_switch' AND row_key = '1'), 0)
BEGIN SELECT RAISE(ABORT, 'routing_switch: version must follow the last audited one'); END;
CREATE TRIGGER routing_switch_no_backdating BEFORE UPDATE OF updated_at ON routing_switch
WHEN NEW.version = OLD.version AND NEW.updated_at <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
BEGIN SELECT RAISE(ABORT, 'routing_switch: updated_at changes only with the version'); END;
CREATE TRIGGER routing_switch_next_version BEFORE UPDATE OF
    id, mode, version, reason, updated_by, updated_host, request_uuid ON routing_switch
WHEN NEW.version IS NOT OLD.version + 1
BEGIN SELECT RAISE(ABORT, 'routing_switch: version must be the old version + 1'); END;
CREATE TRIGGER routing_switch_audit_insert AFTER INSERT ON routing_switch
BEGIN
    INSERT INTO settings_audit
        (who, host, table_name, row_key, old_value, new_value, reason, version, request_uuid)
    SELECT NEW.updated_by, NEW.updated_host, 'routing_switch', '1', '{}',
        json_object(
            'mode', NEW.mode, 'version', NEW.version, 'reason', NEW.reason,
            'updated_by', NEW.updated_by, 'updated_host', NEW.updated_host,
            'updated_at', NEW.updated_at, 'request_uuid', NEW.request_uuid),
        NEW.reason, NEW.version, nullif(NEW.request_uuid, '');
END;
CREATE TRIGGER routing_switch_audit_update AFTER UPDATE OF
    id, mode, version, reason, updated_by, updated_host, request_uuid ON routing_switch
BEGIN
    UPDATE routing_switch SET updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    WHERE id = NEW.id AND NEW.updated_at IS OLD.updated_at;
    INSERT INTO settings_audit
        (who, host, table_name, row_key, old_value, new_value, reason, version, request_uuid)
    SELECT now.updated_by, now.updated_host, 'routing_switch', '1',
        json_object(
            'mode', OLD.mode, 'version', OLD.version, 'reason', OLD.reason,
            'updated_by', OLD.updated_by, 'updated_host', OLD.updated_host,
            'updated_at', OLD.updated_at, 'request_uuid', OLD.request_uuid),
        json_object(
            'mode', now.mode, 'version', now.version, 'reason', now.reason,
            'updated_by', now.updated_by, 'updated_host', now.updated_host,
            'updated_at', now.updated_at, 'request_uuid', now.request_uuid),
        now.reason, now.version,
        CASE WHEN now.request_uuid <> OLD.request_uuid THEN nullif(now.request_uuid, '') END
    FROM routing_switch AS now WHERE now.id = NEW.id;
END;

-- routing_settings
CREATE TRIGGER routing_settings_no_delete BEFORE DELETE ON routing_settings
BEGIN SELECT RAISE(ABORT, 'routing_settings: rows stay; change them instead'); END;
CREATE TRIGGER routing_settings_insert_once BEFORE INSERT ON routing_settings
WHEN EXISTS (SELECT 1 FROM routing_settings WHERE id = 1)
BEGIN SELECT RAISE(ABORT, 'routing_settings: the row exists; update it'); END;
CREATE TRIGGER routing_settings_first_version BEFORE INSERT ON routing_settings
WHEN NEW.version IS NOT 1 + coalesce(
    (SELECT max(version) FROM settings_audit WHERE table_name = 'routing_settings' AND row_key = '1'), 0)
BEGIN SELECT RAISE(ABORT, 'routing_settings: version must follow the last audited one'); END;
CREATE TRIGGER routing_settings_no_backdating BEFORE UPDATE OF updated_at ON routing_settings
WHEN NEW.version = OLD.version AND NEW.updated_at <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
BEGIN SELECT RAISE(ABORT, 'routing_settings: updated_at changes only with the version'); END;
CREATE TRIGGER routing_settings_next_version BEFORE UPDATE OF
    id, objective, cost_weight, speed_weight, slow_factor, switch_margin, exploration_share,
    exploration_cap, pin_seconds, max_premium, version, reason, updated_by, updated_host,
    request_uuid ON routing_settings
WHEN NEW.version IS NOT OLD.version + 1
BEGIN SELECT RAISE(ABORT, 'routing_settings: version must be the old version + 1'); END;
CREATE TRIGGER routing_settings_audit_insert AFTER INSERT ON routing_settings
BEGIN
    INSERT INTO settings_audit
        (who, host, table_name, row_key, old_value, new_value, reason, version, request_uuid)
    SELECT NEW.updated_by, NEW.updated_host, 'routing_settings', '1', '{}',
        json_object(
            'objective', NEW.objective, 'cost_weight', NEW.cost_weight,
            'speed_weight', NEW.speed_weight, 'slow_factor', NEW.slow_factor,
            'switch_margin', NEW.switch_margin, 'exploration_share', NEW.exploration_share,
            'exploration_cap', NEW.exploration_cap, 'pin_seconds', NEW.pin_seconds,
            'max_premium', NEW.max_premium, 'version', NEW.version, 'reason', NEW.reason,
            'updated_by', NEW.updated_by, 'updated_host', NEW.updated_host,
            'updated_at', NEW.updated_at, 'request_uuid', NEW.request_uuid),
        NEW.reason, NEW.version, nullif(NEW.request_uuid, '');
END;
CREATE TRIGGER routing_settings_audit_update AFTER UPDATE OF
    id, objective, cost_weight, speed_weight, slow_factor, switch_margin, exploration_share,
    exploration_cap, pin_seconds, max_premium, version, reason, updated_by, updated_host,
    request_uuid ON routing_settings
BEGIN
    UPDATE routing_settings SET updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    WHERE id = NEW.id AND NEW.updated_at IS OLD.updated_at;
    INSERT INTO settings_audit
        (who, host, table_name, row_key, old_value, new_value, reason, version, request_uuid)
    SELECT now.updated_by, now.updated_host, 'routing_settings', '1',
        json_object(
            'objective', OLD.objective, 'cost_weight', OLD.cost_weight,
            'speed_weight', OLD.speed_weight, 'slow_factor', OLD.slow_factor,
            'switch_margin', OLD.switch_margin, 'exploration_share', OLD.exploration_share,
            'exploration_cap', OLD.exploration_cap, 'pin_seconds', OLD.pin_seconds,
            'max_premium', OLD.max_premium, 'version', OLD.version, 'reason', OLD.reason,
            'updated_by', OLD.updated_by, 'updated_host', OLD.updated_host,
            'updated_at', OLD.updated_at, 'request_uuid', OLD.request_uuid),
        json_object(
            'objective', now.objective, 'cost_weight', now.cost_weight,
            'speed_weight', now.speed_weight, 'slow_factor', now.slow_factor,
            'switch_margin', now.switch_margin, 'exploration_share', now.exploration_share,
            'exploration_cap', now.exploration_cap, 'pin_seconds', now.pin_seconds,
            'max_premium', now.max_premium, 'version', now.version, 'reason', now.reason,
            'updated_by', now.updated_by, 'updated_host', now.updated_host,
            'updated_at', now.updated_at, 'request_uuid', now.request_uuid),
        now.reason, now.version,
        CASE WHEN now.request_uuid <> OLD.request_uuid THEN nullif(now.request_uuid, '') END
    FROM routing_settings AS now WHERE now.id = NEW.id;
END;

-- route_settings
CREATE TRIGGER route_settings_no_delete BEFORE DELETE ON route_settings
BEGIN SELECT RAISE(ABORT, 'route_settings: rows stay; change them instead'); END;
CREATE TRIGGER route_settings_insert_once BEFORE INSERT ON route_settings
WHEN EXISTS (SELECT 1 FROM route_settings WHERE model = NEW.model AND provider = NEW.provider)
BEGIN SELECT RAISE(ABORT, 'route_settings: the row exists; update it'); END;
CREATE TRIGGER route_settings_first_version BEFORE INSERT ON route_settings
WHEN NEW.version IS NOT 1 + coalesce(
    (SELECT max(version) FROM settings_audit WHERE table_name = 'route_settings' AND row_key = NEW.model || '/' || NEW.provider), 0)
BEGIN SELECT RAISE(ABORT, 'route_settings: version must follow the last audited one'); END;
CREATE TRIGGER route_settings_no_backdating BEFORE UPDATE OF updated_at ON route_settings
WHEN NEW.version = OLD.version AND NEW.updated_at <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
BEGIN SELECT RAISE(ABORT, 'route_settings: updated_at changes only with the version'); END;
CREATE TRIGGER route_settings_next_version BEFORE UPDATE OF
    model, provider, enabled, fixed_position, score_bias, version, reason, updated_by,
    updated_host, request_uuid ON route_settings
WHEN NEW.version IS NOT OLD.version + 1
BEGIN SELECT RAISE(ABORT, 'route_settings: version must be the old version + 1'); END;
CREATE TRIGGER route_settings_same_key BEFORE UPDATE OF model, provider ON route_settings
WHEN NEW.model IS NOT OLD.model OR NEW.provider IS NOT OLD.provider
BEGIN SELECT RAISE(ABORT, 'route_settings: model and provider are the key and stay'); END;
CREATE TRIGGER route_settings_audit_insert AFTER INSERT ON route_settings
BEGIN
    INSERT INTO settings_audit
        (who, host, table_name, row_key, old_value, new_value, reason, version, request_uuid)
    SELECT NEW.updated_by, NEW.updated_host, 'route_settings', NEW.model || '/' || NEW.provider, '{}',
        json_object(
            'model', NEW.model, 'provider', NEW.provider, 'enabled', NEW.enabled,
            'fixed_position', NEW.fixed_position, 'score_bias', NEW.score_bias,
            'version', NEW.version, 'reason', NEW.reason, 'updated_by', NEW.updated_by,
            'updated_host', NEW.updated_host, 'updated_at', NEW.updated_at,
            'request_uuid', NEW.request_uuid),
        NEW.reason, NEW.version, nullif(NEW.request_uuid, '');
END;
CREATE TRIGGER route_settings_audit_update AFTER UPDATE OF
    model, provider, enabled, fixed_position, score_bias, version, reason, updated_by,
    updated_host, request_uuid ON route_settings
BEGIN
    UPDATE route_settings SET updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    WHERE model = NEW.model AND provider = NEW.provider AND NEW.updated_at IS OLD.updated_at;
    INSERT INTO settings_audit
        (who, host, table_name, row_key, old_value, new_value, reason, version, request_uuid)
    SELECT now.updated_by, now.updated_host, 'route_settings', NEW.model || '/' || NEW.provider,
        json_object(
            'model', OLD.model, 'provider', OLD.provider, 'enabled', OLD.enabled,
            'fixed_position', OLD.fixed_position, 'score_bias', OLD.score_bias,
            'version', OLD.version, 'reason', OLD.reason, 'updated_by', OLD.updated_by,
            'updated_host', OLD.updated_host, 'updated_at', OLD.updated_at,
            'request_uuid', OLD.request_uuid),
        json_object(
            'model', now.model, 'provider', now.provider, 'enabled', now.enabled,
            'fixed_position', now.fixed_position, 'score_bias', now.score_bias,
            'version', now.version, 'reason', now.reason, 'updated_by', now.updated_by,
            'updated_host', now.updated_host, 'updated_at', now.updated_at,
            'request_uuid', now.request_uuid),
        now.reason, now.version,
        CASE WHEN now.request_uuid <> OLD.request_uuid THEN nullif(now.request_uuid, '') END
    FROM route_settings AS now WHERE now.model = NEW.model AND now.provider = NEW.provider;
END;

