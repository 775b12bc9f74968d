-- SPDX-License-Identifier: Apache-2.0
-- What the brain learned and went by: every published summary whole, the state of each route's gate,
-- incidents, and the record that each request's decision can be recomputed from.
-- Times are epoch milliseconds with a text form.

-- The inputs and the choice of the decision, encoded (common/model/decision_record.h), on attempt 1.
-- NULL: none was kept.
ALTER TABLE call_ledger ADD COLUMN decision TEXT;

CREATE TABLE summary_snapshot (
    id               TEXT    NOT NULL PRIMARY KEY CONSTRAINT id_given CHECK (length(id) BETWEEN 1 AND 64),
    computed_at_ms   INTEGER NOT NULL,
    computed_at      TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', computed_at_ms / 1000, 'unixepoch')
                     || printf('.%03dZ', computed_at_ms % 1000)) VIRTUAL,
    settings_version INTEGER NOT NULL,
    json             TEXT    NOT NULL CONSTRAINT whole_json CHECK (json_valid(json))
) STRICT;
CREATE INDEX summary_snapshot_by_time ON summary_snapshot (computed_at_ms);

-- One row a route. first_seen stays for good: a route that was ever used never starts slowly again.
CREATE TABLE gate_state (
    model         TEXT    NOT NULL CONSTRAINT model_named CHECK (length(model) BETWEEN 1 AND 256),
    provider      TEXT    NOT NULL CONSTRAINT provider_named CHECK (length(provider) BETWEEN 1 AND 256),
    first_seen_ms INTEGER NOT NULL,
    first_seen    TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', first_seen_ms / 1000, 'unixepoch')
                  || printf('.%03dZ', first_seen_ms % 1000)) VIRTUAL,
    updated_at_ms INTEGER NOT NULL,
    updated_at    TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', updated_at_ms / 1000, 'unixepoch')
                  || printf('.%03dZ', updated_at_ms % 1000)) VIRTUAL,
    state         TEXT    NOT NULL,
    PRIMARY KEY (model, provider)
) STRICT;

CREATE TABLE incident (
    id             TEXT    NOT NULL PRIMARY KEY CONSTRAINT id_given CHECK (length(id) BETWEEN 1 AND 256),
    kind           TEXT    NOT NULL,
    key            TEXT    NOT NULL,
    model          TEXT    NOT NULL,
    provider       TEXT    NOT NULL,
    task_type      TEXT    NOT NULL,
    onset_ms       INTEGER NOT NULL,
    onset          TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', onset_ms / 1000, 'unixepoch')
                   || printf('.%03dZ', onset_ms % 1000)) VIRTUAL,
    detected_ms    INTEGER NOT NULL CONSTRAINT detected_after_onset CHECK (detected_ms >= onset_ms),
    peak_ms        INTEGER NOT NULL,
    end_ms         INTEGER,
    ended          TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', end_ms / 1000, 'unixepoch')
                   || printf('.%03dZ', end_ms % 1000)) VIRTUAL,
    count          INTEGER NOT NULL CONSTRAINT count_from_1 CHECK (count >= 1),
    parent         TEXT    NOT NULL,
    diverted_calls INTEGER NOT NULL,
    user_failures  INTEGER NOT NULL,
    extra_cost_micro_usd INTEGER NOT NULL
) STRICT;
CREATE INDEX incident_by_onset ON incident (onset_ms, id);
CREATE UNIQUE INDEX incident_one_open ON incident (kind, key) WHERE end_ms IS NULL;

-- What happened in it, in order; rewritten whole with the incident.
CREATE TABLE incident_event (
    incident_id TEXT    NOT NULL REFERENCES incident (id) ON DELETE CASCADE,
    position    INTEGER NOT NULL,
    at_ms       INTEGER NOT NULL,
    at          TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', at_ms / 1000, 'unixepoch')
                || printf('.%03dZ', at_ms % 1000)) VIRTUAL,
    kind        TEXT    NOT NULL,
    detail      TEXT    NOT NULL,
    PRIMARY KEY (incident_id, position)
) STRICT, WITHOUT ROWID;
