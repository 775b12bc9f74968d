-- SPDX-License-Identifier: Apache-2.0
-- What each agent last said of itself, each second and on change: which switch and settings versions
-- it goes by, since when, and the mode it really runs. Times are epoch milliseconds with a second form.
-- Half of each page stays free and no index but the key exists, so a heartbeat rewrites its row in
-- its page and leaves nothing for a vacuum to find.

CREATE TABLE agent_state (
    agent            text COLLATE "C" NOT NULL PRIMARY KEY,
    service          text   NOT NULL,
    host             text   NOT NULL,
    version          text   NOT NULL,
    effective_mode   text   NOT NULL
                     CONSTRAINT known_mode CHECK (effective_mode IN ('adaptive', 'shadow', 'fixed', 'failsafe')),
    mode_reason      text   NOT NULL,
    switch_version   bigint NOT NULL,
    settings_version bigint NOT NULL,
    applied_at_ms    bigint NOT NULL,
    applied_at       timestamptz(3) GENERATED ALWAYS AS (to_timestamp(applied_at_ms / 1000.0)) STORED,
    last_seen_at_ms  bigint NOT NULL,
    last_seen_at     timestamptz(3) GENERATED ALWAYS AS (to_timestamp(last_seen_at_ms / 1000.0)) STORED,
    store            text   NOT NULL CONSTRAINT store_reach CHECK (store IN ('ok', 'down')),
    redis            text   NOT NULL CONSTRAINT redis_reach CHECK (redis IN ('ok', 'down', 'none')),
    ledger_backlog_rows bigint NOT NULL,
    summary_age_s    double precision,
    clock_skew_ms    bigint
) WITH (fillfactor = 50);

-- Told where somebody would look again, never for a mere sign of life.
CREATE TRIGGER agent_state_came_or_went AFTER INSERT OR DELETE ON agent_state
    FOR EACH ROW EXECUTE FUNCTION weir_notify('weir_agent', 'switch_version');
CREATE TRIGGER agent_state_changed AFTER UPDATE ON agent_state
    FOR EACH ROW WHEN (
        OLD.effective_mode <> NEW.effective_mode OR OLD.mode_reason <> NEW.mode_reason OR
        OLD.switch_version <> NEW.switch_version OR OLD.settings_version <> NEW.settings_version)
    EXECUTE FUNCTION weir_notify('weir_agent', 'switch_version');
CREATE TRIGGER agent_state_no_truncate BEFORE TRUNCATE ON agent_state
    EXECUTE FUNCTION weir_refuse('agent_state: delete the rows of agents that are gone for good');
