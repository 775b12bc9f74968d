-- SPDX-License-Identifier: Apache-2.0
-- What a report of requests needs besides their attempts: which attempt ended a request, who asked for
-- what, and the requests that ended without any attempt.

ALTER TABLE call_ledger
    ADD COLUMN final smallint NOT NULL DEFAULT 1 CONSTRAINT final_bool CHECK (final IN (0, 1)),
    ADD COLUMN priority text NOT NULL DEFAULT 'interactive'
        CONSTRAINT known_priority CHECK (priority IN ('interactive', 'batch')),
    ADD COLUMN caller text NOT NULL DEFAULT '',
    ADD COLUMN regions_asked text NOT NULL DEFAULT '',
    ADD COLUMN terms_asked text NOT NULL DEFAULT '',
    ADD COLUMN prompt_estimate bigint
        CONSTRAINT prompt_estimate_not_negative CHECK (prompt_estimate >= 0),
    ADD COLUMN mirror smallint NOT NULL DEFAULT 0 CONSTRAINT mirror_bool CHECK (mirror IN (0, 1)),
    ADD COLUMN eval smallint NOT NULL DEFAULT 0 CONSTRAINT eval_bool CHECK (eval IN (0, 1)),
    ADD COLUMN drill smallint NOT NULL DEFAULT 0 CONSTRAINT drill_bool CHECK (drill IN (0, 1));

CREATE TABLE unserved_request (
    request_id    text COLLATE "C" NOT NULL PRIMARY KEY,
    agent         text   NOT NULL,
    service       text   NOT NULL,
    task_id       text   NOT NULL,
    task_type     text   NOT NULL,
    model         text   NOT NULL,
    started_at_ms bigint NOT NULL,
    started_at    timestamptz(3) GENERATED ALWAYS AS (to_timestamp(started_at_ms / 1000.0)) STORED,
    why           text   NOT NULL CONSTRAINT known_why CHECK (why IN ('shed', 'no_route')),
    priority      text   NOT NULL CONSTRAINT known_priority CHECK (priority IN ('interactive', 'batch')),
    caller        text   NOT NULL,
    regions_asked text   NOT NULL,
    terms_asked   text   NOT NULL,
    mode          text   NOT NULL
                  CONSTRAINT known_mode CHECK (mode IN ('adaptive', 'shadow', 'fixed', 'failsafe'))
);
CREATE INDEX unserved_request_by_time ON unserved_request (started_at_ms);
CREATE TRIGGER unserved_request_no_truncate BEFORE TRUNCATE ON unserved_request
    EXECUTE FUNCTION weir_refuse('unserved_request: weir_ledger_maintain forgets what is old');
