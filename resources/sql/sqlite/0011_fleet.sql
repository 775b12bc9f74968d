-- SPDX-License-Identifier: Apache-2.0
-- What the agents of one store share besides what they learn: who does a job for all of them, what it
-- found out, and the secret that they hash conversations with. Times are epoch milliseconds with a text form.

-- Whoever has a job, until when by the database's clock; over and given up look the same. token rises with
-- each change of holder, and what an earlier one still writes is refused.
CREATE TABLE job_lease (
    job      TEXT    NOT NULL PRIMARY KEY CONSTRAINT job_named CHECK (length(job) BETWEEN 1 AND 64),
    holder   TEXT    NOT NULL CONSTRAINT holder_named CHECK (length(holder) BETWEEN 1 AND 256),
    token    INTEGER NOT NULL CONSTRAINT token_from_1 CHECK (token >= 1),
    until_ms INTEGER NOT NULL,
    until    TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', until_ms / 1000, 'unixepoch')
             || printf('.%03dZ', until_ms % 1000)) VIRTUAL
) STRICT;

CREATE TABLE fleet_report (
    name  TEXT    NOT NULL PRIMARY KEY CONSTRAINT name_given CHECK (length(name) BETWEEN 1 AND 64),
    at_ms INTEGER NOT NULL,
    at    TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%S', at_ms / 1000, 'unixepoch')
          || printf('.%03dZ', at_ms % 1000)) VIRTUAL,
    json  TEXT    NOT NULL CONSTRAINT whole_json CHECK (json_valid(json))
) STRICT;

-- Drawn once by the first agent; it never leaves the store for a log, a status or a page.
CREATE TABLE fleet_secret (
    id     INTEGER NOT NULL PRIMARY KEY CONSTRAINT single_row CHECK (id = 1),
    secret TEXT    NOT NULL CONSTRAINT secret_hex
           CHECK (length(secret) = 64 AND secret NOT GLOB '*[^0-9a-f]*')
) STRICT;
