-- SPDX-License-Identifier: Apache-2.0
-- What people change while Weir runs: the off switch, the settings, and who changed them.
-- A writer names every change: version = old version + 1, a reason, and its own name. The triggers
-- write settings_audit, so a change made by hand in a database shell is audited like any other.

CREATE TABLE routing_switch (
    id           INTEGER NOT NULL PRIMARY KEY CONSTRAINT single_row CHECK (id = 1),
    mode         TEXT    NOT NULL CONSTRAINT known_mode CHECK (mode IN ('adaptive', 'shadow', 'fixed')),
    version      INTEGER NOT NULL CONSTRAINT positive_version CHECK (version >= 1),
    reason       TEXT    NOT NULL CONSTRAINT reason_given CHECK (length(trim(reason)) BETWEEN 1 AND 1000),
    updated_by   TEXT    NOT NULL CONSTRAINT writer_named CHECK (length(trim(updated_by)) BETWEEN 1 AND 256),
    updated_host TEXT    NOT NULL DEFAULT '' CONSTRAINT short_host CHECK (length(updated_host) <= 256),
    updated_at   TEXT    NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
                 CONSTRAINT a_time CHECK (julianday(updated_at) IS NOT NULL),
    updated_at_ms INTEGER GENERATED ALWAYS AS
                 (CAST(round((julianday(updated_at) - 2440587.5) * 86400000.0) AS INTEGER)) VIRTUAL,
    request_uuid TEXT    NOT NULL DEFAULT '' CONSTRAINT short_uuid CHECK (length(request_uuid) <= 64)
) STRICT;

-- The numeric columns are the keys of settingSpecs() in common/model/settings.cpp, with its ranges.
CREATE TABLE routing_settings (
    id                INTEGER NOT NULL PRIMARY KEY CONSTRAINT single_row CHECK (id = 1),
    objective         TEXT NOT NULL CONSTRAINT known_objective CHECK (objective IN ('score', 'routing_cost')),
    cost_weight       REAL NOT NULL CONSTRAINT cost_weight_range CHECK (cost_weight BETWEEN 0.0 AND 1.0),
    speed_weight      REAL NOT NULL CONSTRAINT speed_weight_range CHECK (speed_weight BETWEEN 0.0 AND 1.0),
    slow_factor       REAL NOT NULL CONSTRAINT slow_factor_range CHECK (slow_factor BETWEEN 1.5 AND 20.0),
    switch_margin     REAL NOT NULL CONSTRAINT switch_margin_range CHECK (switch_margin BETWEEN 0.0 AND 0.5),
    exploration_share REAL NOT NULL
                      CONSTRAINT exploration_share_range CHECK (exploration_share BETWEEN 0.01 AND 0.15),
    exploration_cap   REAL NOT NULL
                      CONSTRAINT exploration_cap_range CHECK (exploration_cap BETWEEN 0.02 AND 0.5),
    pin_seconds       REAL NOT NULL CONSTRAINT pin_seconds_range CHECK (pin_seconds BETWEEN 0.0 AND 3600.0),
    max_premium       REAL NOT NULL CONSTRAINT max_premium_range CHECK (max_premium BETWEEN 1.0 AND 100.0),
    version           INTEGER NOT NULL CONSTRAINT positive_version CHECK (version >= 1),
    updated_at        TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
                      CONSTRAINT a_time CHECK (julianday(updated_at) IS NOT NULL),
    updated_at_ms     INTEGER GENERATED ALWAYS AS
                      (CAST(round((julianday(updated_at) - 2440587.5) * 86400000.0) AS INTEGER)) VIRTUAL,
    updated_by        TEXT NOT NULL CONSTRAINT writer_named CHECK (length(trim(updated_by)) BETWEEN 1 AND 256),
    updated_host      TEXT NOT NULL DEFAULT '' CONSTRAINT short_host CHECK (length(updated_host) <= 256),
    reason            TEXT NOT NULL CONSTRAINT reason_given CHECK (length(trim(reason)) BETWEEN 1 AND 1000),
    request_uuid      TEXT NOT NULL DEFAULT '' CONSTRAINT short_uuid CHECK (length(request_uuid) <= 64),
    CONSTRAINT weights_sum_to_1 CHECK (abs(cost_weight + speed_weight - 1.0) <= 1e-9)
) STRICT;

-- A route without a row is enabled, stands where the configuration file puts it, and has no bias.
CREATE TABLE route_settings (
    model          TEXT NOT NULL CONSTRAINT model_named CHECK (length(model) BETWEEN 1 AND 256),
    provider       TEXT NOT NULL CONSTRAINT provider_named CHECK (length(provider) BETWEEN 1 AND 256),
    enabled        INTEGER NOT NULL DEFAULT 1 CONSTRAINT enabled_bool CHECK (enabled IN (0, 1)),
    fixed_position INTEGER CONSTRAINT fixed_position_range CHECK (fixed_position BETWEEN 1 AND 1000),
    score_bias     REAL NOT NULL DEFAULT 1.0
                   CONSTRAINT score_bias_range CHECK (score_bias BETWEEN 0.5 AND 1.5),
    version        INTEGER NOT NULL CONSTRAINT positive_version CHECK (version >= 1),
    updated_at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
                   CONSTRAINT a_time CHECK (julianday(updated_at) IS NOT NULL),
    updated_at_ms  INTEGER GENERATED ALWAYS AS
                   (CAST(round((julianday(updated_at) - 2440587.5) * 86400000.0) AS INTEGER)) VIRTUAL,
    updated_by     TEXT NOT NULL CONSTRAINT writer_named CHECK (length(trim(updated_by)) BETWEEN 1 AND 256),
    updated_host   TEXT NOT NULL DEFAULT '' CONSTRAINT short_host CHECK (length(updated_host) <= 256),
    reason         TEXT NOT NULL CONSTRAINT reason_given CHECK (length(trim(reason)) BETWEEN 1 AND 1000),
    request_uuid   TEXT NOT NULL DEFAULT '' CONSTRAINT short_uuid CHECK (length(request_uuid) <= 64),
    PRIMARY KEY (model, provider)
) STRICT;

-- Append only. request_uuid is NULL where a writer gave none of its own; the index makes the
-- database itself refuse the same write twice.
CREATE TABLE settings_audit (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    at           TEXT    NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    at_ms        INTEGER GENERATED ALWAYS AS
                 (CAST(round((julianday(at) - 2440587.5) * 86400000.0) AS INTEGER)) VIRTUAL,
    who          TEXT    NOT NULL,
    host         TEXT    NOT NULL,
    table_name   TEXT    NOT NULL,
    row_key      TEXT    NOT NULL,
    old_value    TEXT    NOT NULL CONSTRAINT old_json CHECK (json_valid(old_value)),
    new_value    TEXT    NOT NULL CONSTRAINT new_json CHECK (json_valid(new_value)),
    reason       TEXT    NOT NULL,
    version      INTEGER NOT NULL,
    request_uuid TEXT
) STRICT;
CREATE UNIQUE INDEX settings_audit_request ON settings_audit (request_uuid)
    WHERE request_uuid IS NOT NULL;
CREATE INDEX settings_audit_row ON settings_audit (table_name, row_key, version);
