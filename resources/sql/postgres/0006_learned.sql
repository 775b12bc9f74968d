-- SPDX-License-Identifier: Apache-2.0
-- What the brain learned and went by: every published summary whole, the state of each route's gate,
-- incidents, and the record that each request's decision can be recomputed from.
-- Times are epoch milliseconds with a second form.

-- The inputs and the choice of the decision, encoded (common/model/decision_record.h), on attempt 1.
-- NULL: none was kept.
ALTER TABLE call_ledger ADD COLUMN decision text;

CREATE TABLE summary_snapshot (
    id               text COLLATE "C" NOT NULL PRIMARY KEY
                     CONSTRAINT id_given CHECK (length(id) BETWEEN 1 AND 64),
    computed_at_ms   bigint NOT NULL,
    computed_at      timestamptz(3) GENERATED ALWAYS AS (to_timestamp(computed_at_ms / 1000.0)) STORED,
    settings_version bigint NOT NULL,
    -- json and not jsonb: the bytes stay as they were published.
    json             json   NOT NULL
);
CREATE INDEX summary_snapshot_by_time ON summary_snapshot (computed_at_ms);

CREATE TRIGGER summary_snapshot_published AFTER INSERT ON summary_snapshot
    FOR EACH ROW EXECUTE FUNCTION weir_notify('weir_summary', 'computed_at_ms');
CREATE TRIGGER summary_snapshot_no_truncate BEFORE TRUNCATE ON summary_snapshot
    EXECUTE FUNCTION weir_refuse('summary_snapshot: the newest stays');

-- One row a route. first_seen stays for good: a route that was ever used never starts slowly again.
CREATE TABLE gate_state (
    model         text COLLATE "C" NOT NULL CONSTRAINT model_named CHECK (length(model) BETWEEN 1 AND 256),
    provider      text COLLATE "C" NOT NULL
                  CONSTRAINT provider_named CHECK (length(provider) BETWEEN 1 AND 256),
    first_seen_ms bigint NOT NULL,
    first_seen    timestamptz(3) GENERATED ALWAYS AS (to_timestamp(first_seen_ms / 1000.0)) STORED,
    updated_at_ms bigint NOT NULL,
    updated_at    timestamptz(3) GENERATED ALWAYS AS (to_timestamp(updated_at_ms / 1000.0)) STORED,
    state         text   NOT NULL,
    PRIMARY KEY (model, provider)
) WITH (fillfactor = 50);
CREATE TRIGGER gate_state_no_truncate BEFORE TRUNCATE ON gate_state
    EXECUTE FUNCTION weir_refuse('gate_state: rows stay, for first_seen does');

CREATE TABLE incident (
    id             text COLLATE "C" NOT NULL PRIMARY KEY
                   CONSTRAINT id_given CHECK (length(id) BETWEEN 1 AND 256),
    kind           text COLLATE "C" NOT NULL,
    key            text COLLATE "C" NOT NULL,
    model          text   NOT NULL,
    provider       text   NOT NULL,
    task_type      text   NOT NULL,
    onset_ms       bigint NOT NULL,
    onset          timestamptz(3) GENERATED ALWAYS AS (to_timestamp(onset_ms / 1000.0)) STORED,
    detected_ms    bigint NOT NULL CONSTRAINT detected_after_onset CHECK (detected_ms >= onset_ms),
    peak_ms        bigint NOT NULL,
    end_ms         bigint,
    ended          timestamptz(3) GENERATED ALWAYS AS (to_timestamp(end_ms / 1000.0)) STORED,
    count          bigint NOT NULL CONSTRAINT count_from_1 CHECK (count >= 1),
    parent         text   NOT NULL,
    diverted_calls bigint NOT NULL,
    user_failures  bigint NOT NULL,
    extra_cost_micro_usd bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX incident_by_onset ON incident (onset_ms, id);
CREATE UNIQUE INDEX incident_one_open ON incident (kind, key) WHERE end_ms IS NULL;

-- What happened in it, in order; rewritten whole with the incident.
CREATE TABLE incident_event (
    incident_id text COLLATE "C" NOT NULL REFERENCES incident (id) ON DELETE CASCADE,
    position    bigint NOT NULL,
    at_ms       bigint NOT NULL,
    at          timestamptz(3) GENERATED ALWAYS AS (to_timestamp(at_ms / 1000.0)) STORED,
    kind        text   NOT NULL,
    detail      text   NOT NULL,
    PRIMARY KEY (incident_id, position)
);
CREATE TRIGGER incident_no_truncate BEFORE TRUNCATE ON incident
    EXECUTE FUNCTION weir_refuse('incident: delete single ones instead');
CREATE TRIGGER incident_event_no_truncate BEFORE TRUNCATE ON incident_event
    EXECUTE FUNCTION weir_refuse('incident_event: delete the incident instead');
