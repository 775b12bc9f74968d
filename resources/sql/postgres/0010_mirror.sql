-- SPDX-License-Identifier: Apache-2.0
-- One row a request whose copy a candidate got: how both answered, and how they were judged. No text
-- of either. The calls themselves are in call_ledger (column mirror).

CREATE TABLE mirror_comparison (
    request_id               text COLLATE "C" NOT NULL PRIMARY KEY CONSTRAINT request_given CHECK (length(request_id) BETWEEN 1 AND 256),
    at_ms                    bigint NOT NULL,
    at                       timestamptz(3) GENERATED ALWAYS AS (to_timestamp(at_ms / 1000.0)) STORED,
    task_type                text   NOT NULL,
    served_model             text   NOT NULL,
    served_provider          text   NOT NULL,
    served_outcome           text   NOT NULL,
    served_schema_valid      smallint CONSTRAINT served_schema_bool CHECK (served_schema_valid IN (0, 1)),
    served_refused           smallint NOT NULL CONSTRAINT served_refused_bool CHECK (served_refused IN (0, 1)),
    served_score_ppm         bigint CONSTRAINT served_score_range CHECK (served_score_ppm BETWEEN 0 AND 1000000),
    served_ttft_ms           bigint,
    served_duration_ms       bigint NOT NULL,
    served_output            bigint,
    served_cost_micro_usd    bigint,
    candidate_model          text   NOT NULL,
    candidate_provider       text   NOT NULL,
    candidate_outcome        text   NOT NULL,
    candidate_schema_valid   smallint CONSTRAINT candidate_schema_bool CHECK (candidate_schema_valid IN (0, 1)),
    candidate_refused        smallint NOT NULL CONSTRAINT candidate_refused_bool CHECK (candidate_refused IN (0, 1)),
    candidate_score_ppm      bigint CONSTRAINT candidate_score_range CHECK (candidate_score_ppm BETWEEN 0 AND 1000000),
    candidate_ttft_ms        bigint,
    candidate_duration_ms    bigint NOT NULL,
    candidate_output         bigint,
    candidate_cost_micro_usd bigint,
    -- A pair has two grades or none.
    CONSTRAINT graded_both CHECK ((served_score_ppm IS NULL) = (candidate_score_ppm IS NULL))
);
CREATE INDEX mirror_comparison_by_time ON mirror_comparison (at_ms);
CREATE TRIGGER mirror_comparison_no_truncate BEFORE TRUNCATE ON mirror_comparison
    EXECUTE FUNCTION weir_refuse('mirror_comparison: weir_ledger_maintain forgets what is old');
