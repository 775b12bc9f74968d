-- SPDX-License-Identifier: Apache-2.0
-- What a report of requests needs besides their attempts: which attempt ended a request, who asked for
-- what, and the requests that ended without any attempt. Of the rows from before, each request's last
-- attempt counts as final.

ALTER TABLE call_ledger ADD COLUMN final INTEGER NOT NULL DEFAULT 1 CONSTRAINT final_bool CHECK (final IN (0, 1));
ALTER TABLE call_ledger ADD COLUMN priority TEXT NOT NULL DEFAULT 'interactive'
    CONSTRAINT known_priority CHECK (priority = 'interactive' OR priority = 'batch');
ALTER TABLE call_ledger ADD COLUMN caller TEXT NOT NULL DEFAULT '';
ALTER TABLE call_ledger ADD COLUMN regions_asked TEXT NOT NULL DEFAULT '';
ALTER TABLE call_ledger ADD COLUMN terms_asked TEXT NOT NULL DEFAULT '';
ALTER TABLE call_ledger ADD COLUMN prompt_estimate INTEGER
    CONSTRAINT prompt_estimate_not_negative CHECK (prompt_estimate >= 0);
ALTER TABLE call_ledger ADD COLUMN mirror INTEGER NOT NULL DEFAULT 0 CONSTRAINT mirror_bool CHECK (mirror IN (0, 1));
ALTER TABLE call_ledger ADD COLUMN eval INTEGER NOT NULL DEFAULT 0 CONSTRAINT eval_bool CHECK (eval IN (0, 1));
ALTER TABLE call_ledger ADD COLUMN drill INTEGER NOT NULL DEFAULT 0 CONSTRAINT drill_bool CHECK (drill IN (0, 1));

UPDATE call_ledger SET final = 0 WHERE EXISTS (SELECT 1 FROM call_ledger AS later
    WHERE later.request_id = call_ledger.request_id AND later.attempt > call_ledger.attempt);

CREATE TABLE unserved_request (
    request_id    TEXT    NOT NULL PRIMARY KEY,
    agent         TEXT    NOT NULL,
    service       TEXT    NOT NULL,
    task_id       TEXT    NOT NULL,
    task_type     TEXT    NOT NULL,
    model         TEXT    NOT NULL,
    started_at_ms INTEGER NOT NULL,
    started_at    TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', started_at_ms / 1000, 'unixepoch')
                  || printf('.%03dZ', started_at_ms % 1000)) VIRTUAL,
    why           TEXT    NOT NULL CONSTRAINT known_why CHECK (why IN ('shed', 'no_route')),
    priority      TEXT    NOT NULL CONSTRAINT known_priority CHECK (priority IN ('interactive', 'batch')),
    caller        TEXT    NOT NULL,
    regions_asked TEXT    NOT NULL,
    terms_asked   TEXT    NOT NULL,
    mode          TEXT    NOT NULL
                  CONSTRAINT known_mode CHECK (mode IN ('adaptive', 'shadow', 'fixed', 'failsafe'))
) STRICT, WITHOUT ROWID;
CREATE INDEX unserved_request_by_time ON unserved_request (started_at_ms);
