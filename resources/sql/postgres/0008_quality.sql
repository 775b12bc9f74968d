-- SPDX-License-Identifier: Apache-2.0
-- How well each route does each task type. eval_run is the history of eval runs, one row for each route of
-- a run; eval_score is what routing goes by: the newest run that told enough. Figures only: no text of a
-- prompt or an answer. Shares are in millionths, NULL where no case tells.

CREATE TABLE eval_run (
    run             text COLLATE "C" NOT NULL,
    model           text COLLATE "C" NOT NULL,
    provider        text COLLATE "C" NOT NULL,
    task_type       text COLLATE "C" NOT NULL,
    eval_set        text   NOT NULL,
    eval_set_hash   text   NOT NULL,
    grader          text   NOT NULL,
    who             text   NOT NULL,
    host            text   NOT NULL,
    started_at_ms   bigint NOT NULL,
    scored_at_ms    bigint NOT NULL,
    scored_at       timestamptz(3) GENERATED ALWAYS AS (to_timestamp(scored_at_ms / 1000.0)) STORED,
    cases           bigint NOT NULL CONSTRAINT cases_positive CHECK (cases >= 1),
    unanswered      bigint NOT NULL CONSTRAINT unanswered_within CHECK (unanswered BETWEEN 0 AND cases),
    cut             bigint NOT NULL CONSTRAINT cut_within CHECK (cut BETWEEN 0 AND cases),
    tells           smallint NOT NULL CONSTRAINT tells_bool CHECK (tells IN (0, 1)),
    score_ppm       bigint NOT NULL CONSTRAINT score_share CHECK (score_ppm BETWEEN 0 AND 1000000),
    schema_valid_ppm bigint CONSTRAINT schema_valid_share CHECK (schema_valid_ppm BETWEEN 0 AND 1000000),
    refused_ppm     bigint CONSTRAINT refused_share CHECK (refused_ppm BETWEEN 0 AND 1000000),
    input_tokens    bigint CONSTRAINT input_tokens_not_negative CHECK (input_tokens >= 0),
    output_tokens   bigint CONSTRAINT output_tokens_not_negative CHECK (output_tokens >= 0),
    cost_micro_usd  bigint CONSTRAINT cost_not_negative CHECK (cost_micro_usd >= 0),
    latency_p50_ms  bigint CONSTRAINT latency_not_negative CHECK (latency_p50_ms >= 0),
    PRIMARY KEY (run, model, provider)
);
CREATE INDEX eval_run_by_time ON eval_run (scored_at_ms);

CREATE TABLE eval_score (
    model           text COLLATE "C" NOT NULL,
    provider        text COLLATE "C" NOT NULL,
    task_type       text COLLATE "C" NOT NULL,
    run             text COLLATE "C" NOT NULL,
    eval_set        text   NOT NULL,
    eval_set_hash   text   NOT NULL,
    scored_at_ms    bigint NOT NULL,
    cases           bigint NOT NULL CONSTRAINT cases_positive CHECK (cases >= 1),
    unanswered      bigint NOT NULL CONSTRAINT unanswered_within CHECK (unanswered BETWEEN 0 AND cases),
    score_ppm       bigint NOT NULL CONSTRAINT score_share CHECK (score_ppm BETWEEN 0 AND 1000000),
    schema_valid_ppm bigint CONSTRAINT schema_valid_share CHECK (schema_valid_ppm BETWEEN 0 AND 1000000),
    refused_ppm     bigint CONSTRAINT refused_share CHECK (refused_ppm BETWEEN 0 AND 1000000),
    PRIMARY KEY (model, provider, task_type)
);

CREATE TRIGGER eval_score_notify AFTER INSERT OR UPDATE ON eval_score
    FOR EACH ROW EXECUTE FUNCTION weir_notify('weir_settings', 'scored_at_ms');
CREATE TRIGGER eval_run_no_truncate BEFORE TRUNCATE ON eval_run
    EXECUTE FUNCTION weir_refuse('eval_run: weir_ledger_maintain forgets what is old');
CREATE TRIGGER eval_score_no_truncate BEFORE TRUNCATE ON eval_score
    EXECUTE FUNCTION weir_refuse('eval_score: routing goes by it; a new run replaces its rows');
