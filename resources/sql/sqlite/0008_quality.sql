-- SPDX-License-Identifier: Apache-2.0
-- How well each route does each task type. eval_run is the history of eval runs, one row for each route of
-- a run; eval_score is what routing goes by: the newest run that told enough. Figures only: no text of a
-- prompt or an answer. Shares are in millionths, NULL where no case tells.

CREATE TABLE eval_run (
    run             TEXT    NOT NULL,
    model           TEXT    NOT NULL,
    provider        TEXT    NOT NULL,
    task_type       TEXT    NOT NULL,
    eval_set        TEXT    NOT NULL,
    eval_set_hash   TEXT    NOT NULL,
    grader          TEXT    NOT NULL,
    who             TEXT    NOT NULL,
    host            TEXT    NOT NULL,
    started_at_ms   INTEGER NOT NULL,
    scored_at_ms    INTEGER NOT NULL,
    scored_at       TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', scored_at_ms / 1000, 'unixepoch')
                    || printf('.%03dZ', scored_at_ms % 1000)) VIRTUAL,
    cases           INTEGER NOT NULL CONSTRAINT cases_positive CHECK (cases >= 1),
    unanswered      INTEGER NOT NULL CONSTRAINT unanswered_within CHECK (unanswered BETWEEN 0 AND cases),
    cut             INTEGER NOT NULL CONSTRAINT cut_within CHECK (cut BETWEEN 0 AND cases),
    tells           INTEGER NOT NULL CONSTRAINT tells_bool CHECK (tells IN (0, 1)),
    score_ppm       INTEGER NOT NULL CONSTRAINT score_share CHECK (score_ppm BETWEEN 0 AND 1000000),
    schema_valid_ppm INTEGER CONSTRAINT schema_valid_share CHECK (schema_valid_ppm BETWEEN 0 AND 1000000),
    refused_ppm     INTEGER CONSTRAINT refused_share CHECK (refused_ppm BETWEEN 0 AND 1000000),
    input_tokens    INTEGER CONSTRAINT input_tokens_not_negative CHECK (input_tokens >= 0),
    output_tokens   INTEGER CONSTRAINT output_tokens_not_negative CHECK (output_tokens >= 0),
    cost_micro_usd  INTEGER CONSTRAINT cost_not_negative CHECK (cost_micro_usd >= 0),
    latency_p50_ms  INTEGER CONSTRAINT latency_not_negative CHECK (latency_p50_ms >= 0),
    PRIMARY KEY (run, model, provider)
) STRICT, WITHOUT ROWID;
CREATE INDEX eval_run_by_time ON eval_run (scored_at_ms);

CREATE TABLE eval_score (
    model           TEXT    NOT NULL,
    provider        TEXT    NOT NULL,
    task_type       TEXT    NOT NULL,
    run             TEXT    NOT NULL,
    eval_set        TEXT    NOT NULL,
    eval_set_hash   TEXT    NOT NULL,
    scored_at_ms    INTEGER NOT NULL,
    cases           INTEGER NOT NULL CONSTRAINT cases_positive CHECK (cases >= 1),
    unanswered      INTEGER NOT NULL CONSTRAINT unanswered_within CHECK (unanswered BETWEEN 0 AND cases),
    score_ppm       INTEGER NOT NULL CONSTRAINT score_share CHECK (score_ppm BETWEEN 0 AND 1000000),
    schema_valid_ppm INTEGER CONSTRAINT schema_valid_share CHECK (schema_valid_ppm BETWEEN 0 AND 1000000),
    refused_ppm     INTEGER CONSTRAINT refused_share CHECK (refused_ppm BETWEEN 0 AND 1000000),
    PRIMARY KEY (model, provider, task_type)
) STRICT, WITHOUT ROWID;
