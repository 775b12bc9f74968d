-- SPDX-License-Identifier: Apache-2.0
-- One row a request whose copy a candidate got: how both answered, and how they were judged. No text
-- of either. The calls themselves are in call_ledger (column mirror).

CREATE TABLE mirror_comparison (
    request_id               TEXT    NOT NULL PRIMARY KEY CONSTRAINT request_given CHECK (length(request_id) BETWEEN 1 AND 256),
    at_ms                    INTEGER NOT NULL,
    at                       TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', at_ms / 1000, 'unixepoch')
                             || printf('.%03dZ', at_ms % 1000)) VIRTUAL,
    task_type                TEXT    NOT NULL,
    served_model             TEXT    NOT NULL,
    served_provider          TEXT    NOT NULL,
    served_outcome           TEXT    NOT NULL,
    served_schema_valid      INTEGER CONSTRAINT served_schema_bool CHECK (served_schema_valid IN (0, 1)),
    served_refused           INTEGER NOT NULL CONSTRAINT served_refused_bool CHECK (served_refused IN (0, 1)),
    served_score_ppm         INTEGER CONSTRAINT served_score_range CHECK (served_score_ppm BETWEEN 0 AND 1000000),
    served_ttft_ms           INTEGER,
    served_duration_ms       INTEGER NOT NULL,
    served_output            INTEGER,
    served_cost_micro_usd    INTEGER,
    candidate_model          TEXT    NOT NULL,
    candidate_provider       TEXT    NOT NULL,
    candidate_outcome        TEXT    NOT NULL,
    candidate_schema_valid   INTEGER CONSTRAINT candidate_schema_bool CHECK (candidate_schema_valid IN (0, 1)),
    candidate_refused        INTEGER NOT NULL CONSTRAINT candidate_refused_bool CHECK (candidate_refused IN (0, 1)),
    candidate_score_ppm      INTEGER CONSTRAINT candidate_score_range CHECK (candidate_score_ppm BETWEEN 0 AND 1000000),
    candidate_ttft_ms        INTEGER,
    candidate_duration_ms    INTEGER NOT NULL,
    candidate_output         INTEGER,
    candidate_cost_micro_usd INTEGER,
    -- A pair has two grades or none.
    CONSTRAINT graded_both CHECK ((served_score_ppm IS NULL) = (candidate_score_ppm IS NULL))
) STRICT;
CREATE INDEX mirror_comparison_by_time ON mirror_comparison (at_ms);
