-- SPDX-License-Identifier: Apache-2.0
-- What each agent last said of itself, each second and on change: which switch and settings versions
-- it goes by, since when, and the mode it really runs. Times are epoch milliseconds with a text form.

CREATE TABLE agent_state (
    agent            TEXT    NOT NULL PRIMARY KEY,
    service          TEXT    NOT NULL,
    host             TEXT    NOT NULL,
    version          TEXT    NOT NULL,
    effective_mode   TEXT    NOT NULL
                     CONSTRAINT known_mode CHECK (effective_mode IN ('adaptive', 'shadow', 'fixed', 'failsafe')),
    mode_reason      TEXT    NOT NULL,
    switch_version   INTEGER NOT NULL,
    settings_version INTEGER NOT NULL,
    applied_at_ms    INTEGER NOT NULL,
    applied_at       TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', applied_at_ms / 1000, 'unixepoch')
                     || printf('.%03dZ', applied_at_ms % 1000)) VIRTUAL,
    last_seen_at_ms  INTEGER NOT NULL,
    last_seen_at     TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', last_seen_at_ms / 1000, 'unixepoch')
                     || printf('.%03dZ', last_seen_at_ms % 1000)) VIRTUAL,
    store            TEXT    NOT NULL CONSTRAINT store_reach CHECK (store IN ('ok', 'down')),
    redis            TEXT    NOT NULL CONSTRAINT redis_reach CHECK (redis IN ('ok', 'down', 'none')),
    ledger_backlog_rows INTEGER NOT NULL,
    summary_age_s    REAL,
    clock_skew_ms    INTEGER
) STRICT;
