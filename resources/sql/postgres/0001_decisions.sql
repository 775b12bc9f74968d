-- SPDX-License-Identifier: Apache-2.0
-- What people change while Weir runs: the off switch, the settings, and who changed them.
-- A writer names every change: version = old version + 1, a reason, and its own name. The triggers
-- write settings_audit, so a change made by hand in psql is audited like any other.
-- Texts that are compared or ordered are COLLATE "C": the order of the code and of SQLite, and cheap.

CREATE TABLE routing_switch (
    id           bigint NOT NULL PRIMARY KEY CONSTRAINT single_row CHECK (id = 1),
    mode         text   NOT NULL CONSTRAINT known_mode CHECK (mode IN ('adaptive', 'shadow', 'fixed')),
    version      bigint NOT NULL CONSTRAINT positive_version CHECK (version >= 1),
    reason       text   NOT NULL CONSTRAINT reason_given CHECK (length(trim(reason)) BETWEEN 1 AND 1000),
    updated_by   text   NOT NULL CONSTRAINT writer_named CHECK (length(trim(updated_by)) BETWEEN 1 AND 256),
    updated_host text   NOT NULL DEFAULT '' CONSTRAINT short_host CHECK (length(updated_host) <= 256),
    updated_at   timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    updated_at_ms bigint GENERATED ALWAYS AS
                 ((extract(epoch FROM updated_at AT TIME ZONE 'UTC') * 1000)::bigint) STORED,
    request_uuid text   NOT NULL DEFAULT '' CONSTRAINT short_uuid CHECK (length(request_uuid) <= 64)
);

-- The numeric columns are the keys of settingSpecs() in common/model/settings.cpp, with its ranges.
CREATE TABLE routing_settings (
    id                bigint NOT NULL PRIMARY KEY CONSTRAINT single_row CHECK (id = 1),
    objective         text NOT NULL CONSTRAINT known_objective CHECK (objective IN ('score', 'routing_cost')),
    cost_weight       double precision NOT NULL
                      CONSTRAINT cost_weight_range CHECK (cost_weight BETWEEN 0.0 AND 1.0),
    speed_weight      double precision NOT NULL
                      CONSTRAINT speed_weight_range CHECK (speed_weight BETWEEN 0.0 AND 1.0),
    slow_factor       double precision NOT NULL
                      CONSTRAINT slow_factor_range CHECK (slow_factor BETWEEN 1.5 AND 20.0),
    switch_margin     double precision NOT NULL
                      CONSTRAINT switch_margin_range CHECK (switch_margin BETWEEN 0.0 AND 0.5),
    exploration_share double precision NOT NULL
                      CONSTRAINT exploration_share_range CHECK (exploration_share BETWEEN 0.01 AND 0.15),
    exploration_cap   double precision NOT NULL
                      CONSTRAINT exploration_cap_range CHECK (exploration_cap BETWEEN 0.02 AND 0.5),
    pin_seconds       double precision NOT NULL
                      CONSTRAINT pin_seconds_range CHECK (pin_seconds BETWEEN 0.0 AND 3600.0),
    max_premium       double precision NOT NULL
                      CONSTRAINT max_premium_range CHECK (max_premium BETWEEN 1.0 AND 100.0),
    version           bigint NOT NULL CONSTRAINT positive_version CHECK (version >= 1),
    updated_at        timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    updated_at_ms     bigint GENERATED ALWAYS AS
                      ((extract(epoch FROM updated_at AT TIME ZONE 'UTC') * 1000)::bigint) STORED,
    updated_by        text NOT NULL CONSTRAINT writer_named CHECK (length(trim(updated_by)) BETWEEN 1 AND 256),
    updated_host      text NOT NULL DEFAULT '' CONSTRAINT short_host CHECK (length(updated_host) <= 256),
    reason            text NOT NULL CONSTRAINT reason_given CHECK (length(trim(reason)) BETWEEN 1 AND 1000),
    request_uuid      text NOT NULL DEFAULT '' CONSTRAINT short_uuid CHECK (length(request_uuid) <= 64),
    CONSTRAINT weights_sum_to_1 CHECK (abs(cost_weight + speed_weight - 1.0) <= 1e-9)
);

-- A route without a row is enabled, stands where the configuration file puts it, and has no bias.
CREATE TABLE route_settings (
    model          text COLLATE "C" NOT NULL CONSTRAINT model_named CHECK (length(model) BETWEEN 1 AND 256),
    provider       text COLLATE "C" NOT NULL
                   CONSTRAINT provider_named CHECK (length(provider) BETWEEN 1 AND 256),
    enabled        smallint NOT NULL DEFAULT 1 CONSTRAINT enabled_bool CHECK (enabled IN (0, 1)),
    fixed_position bigint CONSTRAINT fixed_position_range CHECK (fixed_position BETWEEN 1 AND 1000),
    score_bias     double precision NOT NULL DEFAULT 1.0
                   CONSTRAINT score_bias_range CHECK (score_bias BETWEEN 0.5 AND 1.5),
    version        bigint NOT NULL CONSTRAINT positive_version CHECK (version >= 1),
    updated_at     timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    updated_at_ms  bigint GENERATED ALWAYS AS
                   ((extract(epoch FROM updated_at AT TIME ZONE 'UTC') * 1000)::bigint) STORED,
    updated_by     text NOT NULL CONSTRAINT writer_named CHECK (length(trim(updated_by)) BETWEEN 1 AND 256),
    updated_host   text NOT NULL DEFAULT '' CONSTRAINT short_host CHECK (length(updated_host) <= 256),
    reason         text NOT NULL CONSTRAINT reason_given CHECK (length(trim(reason)) BETWEEN 1 AND 1000),
    request_uuid   text NOT NULL DEFAULT '' CONSTRAINT short_uuid CHECK (length(request_uuid) <= 64),
    PRIMARY KEY (model, provider)
);

-- Append only. request_uuid is NULL where a writer gave none of its own; the index makes the
-- database itself refuse the same write twice. `who` is what the writer said, db_user what it
-- logged in as.
CREATE TABLE settings_audit (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at           timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    at_ms        bigint GENERATED ALWAYS AS
                 ((extract(epoch FROM at AT TIME ZONE 'UTC') * 1000)::bigint) STORED,
    who          text   NOT NULL,
    host         text   NOT NULL,
    table_name   text COLLATE "C" NOT NULL,
    row_key      text COLLATE "C" NOT NULL,
    old_value    jsonb  NOT NULL,
    new_value    jsonb  NOT NULL,
    reason       text   NOT NULL,
    version      bigint NOT NULL,
    request_uuid text COLLATE "C",
    db_user      text   NOT NULL DEFAULT session_user
);
CREATE UNIQUE INDEX settings_audit_request ON settings_audit (request_uuid)
    WHERE request_uuid IS NOT NULL;
CREATE INDEX settings_audit_row ON settings_audit (table_name, row_key, version);
