-- SPDX-License-Identifier: Apache-2.0
-- Who may do what. weir_viewer reads; weir_operator also turns the switch and runs drills;
-- weir_engineer also changes settings and scores; weir_agent writes what agents find out, ends drills, and
-- changes neither switch nor settings. Nobody but the owner touches settings_audit, and not even he
-- changes it. What a role may write, the triggers still judge: a drill can only be ended, say.
-- Roles belong to the whole cluster and have no login: grant them to the users of each place.

DO $$ BEGIN PERFORM set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true); END $$;

-- Trigger functions with the owner's rights are for the tables above, nobody else's.
REVOKE EXECUTE ON FUNCTION weir_audit(), weir_audit_drill(), weir_forget(text, text, bigint, int),
    weir_history_settle(text, bigint, int, text, bigint), weir_ledger_count(),
    weir_ledger_ensure_day(bigint), weir_ledger_settle(), weir_ledger_maintain(int, int) FROM PUBLIC;

-- What is not in place: "" or words for an administrator. Anyone may ask.
CREATE FUNCTION weir_roles_trouble() RETURNS text LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
    WITH wanted AS (
        SELECT name, place, r.oid, r.oid IS NOT NULL AND has_schema_privilege(r.oid, current_schema(), 'USAGE')
            AND has_table_privilege(r.oid, 'routing_switch', 'SELECT') AS can_read
        FROM unnest(ARRAY['weir_viewer', 'weir_operator', 'weir_engineer', 'weir_agent'])
            WITH ORDINALITY AS each (name, place)
        LEFT JOIN pg_roles r ON r.rolname = name)
    SELECT concat_ws('; ',
        (SELECT 'no role ' || string_agg(name, ', ' ORDER BY place) FROM wanted WHERE oid IS NULL),
        (SELECT 'nothing granted to ' || string_agg(name, ', ' ORDER BY place) FROM wanted WHERE oid IS NOT NULL AND NOT can_read))
$$;

-- Makes the roles that are missing, where its caller may, and grants each what it needs. The owner of
-- the tables may call it again at any time. Returns weir_roles_trouble().
CREATE FUNCTION weir_grant_roles() RETURNS text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    wanted text;
BEGIN
    -- One at a time, and not during a migration: see agent/store/migrations.cpp.
    PERFORM pg_advisory_xact_lock(hashtext('weir.migrate'));
    FOREACH wanted IN ARRAY ARRAY['weir_viewer', 'weir_operator', 'weir_engineer', 'weir_agent'] LOOP
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN CONTINUE; END IF;
        BEGIN
            EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
        EXCEPTION
            -- Another database of the cluster was quicker.
            WHEN duplicate_object OR unique_violation THEN NULL;
            WHEN insufficient_privilege THEN RETURN weir_roles_trouble();
        END;
    END LOOP;
    -- The schema may be another one's, who has granted this or will be asked to.
    BEGIN
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO weir_viewer, weir_operator, weir_engineer, weir_agent',
            current_schema());
    EXCEPTION WHEN insufficient_privilege THEN NULL;
    END;
    GRANT SELECT ON schema_version, routing_switch, routing_settings, route_settings, settings_audit,
        call_ledger, unserved_request, spool_position, route_10s, route_minute, route_10min, agent_state,
        summary_snapshot, gate_state, incident, incident_event, eval_run, eval_score, drill, drill_count,
        mirror_comparison, job_lease, fleet_report, route_6h, route_6h_settled, ledger_total, ledger_counted
        TO weir_viewer, weir_operator, weir_engineer, weir_agent;

    GRANT UPDATE ON routing_switch TO weir_operator, weir_engineer;
    GRANT INSERT ON drill TO weir_operator, weir_engineer;
    GRANT UPDATE ON drill TO weir_operator, weir_engineer, weir_agent;
    -- An agent that ends takes itself off the list.
    GRANT DELETE ON agent_state TO weir_operator, weir_engineer, weir_agent;

    GRANT UPDATE ON routing_settings TO weir_engineer;
    GRANT INSERT, UPDATE ON route_settings TO weir_engineer;
    GRANT INSERT ON eval_run TO weir_engineer;
    GRANT INSERT, UPDATE ON eval_score TO weir_engineer;

    GRANT INSERT ON call_ledger, unserved_request, summary_snapshot, mirror_comparison TO weir_agent;
    GRANT USAGE ON SEQUENCE call_ledger_row TO weir_agent;
    GRANT DELETE ON summary_snapshot TO weir_agent;
    GRANT INSERT, UPDATE ON spool_position, route_10s, route_minute, route_10min, agent_state, gate_state,
        incident, drill_count, job_lease, fleet_report TO weir_agent;
    GRANT INSERT, DELETE ON incident_event TO weir_agent;
    GRANT SELECT, INSERT ON fleet_secret TO weir_agent;
    GRANT EXECUTE ON FUNCTION weir_ledger_ensure_day(bigint), weir_ledger_settle(), weir_ledger_maintain(int, int)
        TO weir_agent;
    RETURN weir_roles_trouble();
END $$;

DO $$
DECLARE
    trouble text := weir_grant_roles();
BEGIN
    IF trouble <> '' THEN
        RAISE WARNING 'roles: %', trouble USING HINT =
            'as a user who may create roles: SELECT weir_grant_roles()';
    END IF;
END $$;
