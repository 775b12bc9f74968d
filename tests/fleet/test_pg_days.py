# SPDX-License-Identifier: Apache-2.0
"""The ledger's days in Postgres: made ahead and on demand, dropped by age, waited for by nobody; and what is
told to whoever listens."""

import unittest

from pg_store import DAY_MS, PgStore, attempt_row, history_row
from servers import PrivatePostgres

PARTITIONS = "SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'call_ledger'::regclass ORDER BY 1"
TODAY = "(extract(epoch FROM date_trunc('day', clock_timestamp() AT TIME ZONE 'UTC')) * 1000)::bigint"
# The order in which a reader follows the ledger (agent/store/sql_facts.cpp).
SETTLED = (
    "SELECT request_id FROM call_ledger WHERE xact < pg_snapshot_xmin(pg_current_snapshot()) "
    "AND (xact, row) > ({}, {}) ORDER BY xact, row"
)


class Days(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = PrivatePostgres()
        cls.addClassCleanup(cls.server.close)

    def setUp(self):
        self.store = PgStore(self.server)
        self.addCleanup(self.store.close)
        self.today = int(self.store.psql(f"SELECT {TODAY}"))

    def session(self, **options):
        session = self.store.session(**options)
        self.addCleanup(session.close)
        return session

    def day(self, offset):
        return self.store.psql(f"SELECT weir_ledger_day({self.today + offset * DAY_MS})")

    def days(self):
        return self.store.psql(PARTITIONS).splitlines()

    def maintain(self, ahead, keep):
        told = self.store.psql(f"SELECT action, name, rows FROM weir_ledger_maintain({ahead}, {keep})")
        return [tuple(line.split("|")) for line in told.splitlines()]

    def test_a_new_store_has_the_days_around_now(self):
        self.assertEqual(self.days(), [self.day(offset) for offset in (-1, 0, 1, 2)])

    def test_days_are_made_ahead_once(self):
        self.assertEqual(self.maintain(4, 30), [("created", self.day(3), "0"), ("created", self.day(4), "0")])
        self.assertEqual(self.maintain(4, 30), [])

    def test_a_row_needs_its_day_and_gets_it_on_demand(self):
        late = self.today - 35 * DAY_MS + 12345
        self.assertIn("no partition", self.store.refusal(attempt_row(started_at_ms=late)))
        self.assertEqual(self.store.psql(f"SELECT weir_ledger_ensure_day({late})"), "t")
        self.assertEqual(self.store.psql(f"SELECT weir_ledger_ensure_day({late})"), "f")
        self.store.psql(attempt_row(started_at_ms=late))
        self.assertEqual(self.store.psql("SELECT started_at_ms FROM ONLY " + self.day(-35)), str(late))
        # The last and the first millisecond of two days.
        self.store.psql(attempt_row(request_id="r2", started_at_ms=self.today - 1))
        self.store.psql(attempt_row(request_id="r3", started_at_ms=self.today))
        told = self.store.psql("SELECT request_id, tableoid::regclass FROM call_ledger WHERE request_id > "
                               "'r1' ORDER BY 1")
        self.assertEqual(told.splitlines(), [f"r2|{self.day(-1)}", f"r3|{self.day(0)}"])

    def test_a_day_is_whole(self):
        """A day made later has the key, the indexes and the rules of the others."""
        self.store.psql("SELECT weir_ledger_ensure_day(0)")
        for row, complaint in (
            (attempt_row(started_at_ms=5, cost_micro_usd=-1), "cost_not_negative"),
            (attempt_row(started_at_ms=5) + "; " + attempt_row(started_at_ms=5), "23505"),
            ("TRUNCATE call_ledger_19700101", "old days are dropped"),
        ):
            self.assertIn(complaint, self.store.refusal(row))
        indexes = "SELECT count(*) FROM pg_index WHERE indrelid = '{}'::regclass"
        self.assertEqual(
            self.store.psql(indexes.format("call_ledger_19700101")), self.store.psql(indexes.format("call_ledger"))
        )

    def test_a_time_that_is_none_is_refused(self):
        for value in ("-1", "253402300800000", "NULL"):
            self.assertIn("no time between 1970 and 9999", self.store.refusal(f"SELECT weir_ledger_ensure_day({value})"))
        for ages in ("-1, 30", "32, 30", "2, 0", "NULL, 30", "2, NULL"):
            self.assertIn("22023", self.store.refusal(f"SELECT weir_ledger_maintain({ages})"))

    def test_many_ask_for_the_same_days_at_once(self):
        sessions = [self.session() for _ in range(8)]
        for session in sessions:
            session.run("SET statement_timeout = '20s'")
        for round in range(10):
            first = round * 3 * DAY_MS
            for number, session in enumerate(sessions):
                # Each inside a transaction that has written, in another order of days.
                wanted = [first + (number + step) % 3 * DAY_MS for step in range(3)]
                session.send(
                    f"BEGIN; INSERT INTO spool_position VALUES ('a{number}', {round}, 0, 0) "
                    f"ON CONFLICT (agent) DO UPDATE SET segment = excluded.segment; "
                    f"SELECT sum(weir_ledger_ensure_day(day)::int) FROM unnest(ARRAY{wanted}::bigint[]) "
                    f"AS day; COMMIT"
                )
            made = [session.answer() for session in sessions]
            self.assertEqual(sum(map(int, made)), 3, made)
        self.assertEqual(len(self.days()), 4 + 30)

    def test_nobody_waits_while_a_day_is_made(self):
        self.store.psql(attempt_row(started_at_ms=self.today))
        maker, reader, writer = (self.session() for _ in range(3))
        for session in (reader, writer):
            session.run("SET lock_timeout = '2s'")
        # One who reads for long, one who has written and not committed: the day is made all the same.
        self.assertEqual(reader.run("BEGIN; SELECT count(*) FROM call_ledger"), "1")
        self.assertEqual(writer.run("BEGIN; " + attempt_row(request_id="r2", started_at_ms=self.today)), "")
        self.assertEqual(maker.run("SET lock_timeout = '2s'; BEGIN; SELECT weir_ledger_ensure_day(0)"), "t")
        # And before its maker has committed, others read and write.
        self.assertEqual(reader.run("SELECT count(*) FROM call_ledger"), "1")
        self.assertEqual(writer.run(attempt_row(request_id="r3", started_at_ms=self.today) + "; COMMIT"), "")
        self.assertEqual(maker.run("COMMIT"), "")

    def test_old_days_go_and_nothing_else(self):
        for offset in (-40, -31, -30):
            self.store.psql(f"SELECT weir_ledger_ensure_day({self.today + offset * DAY_MS})")
            self.store.psql(attempt_row(request_id=f"r{offset}", started_at_ms=self.today + offset * DAY_MS))
        self.store.psql("CREATE TABLE call_ledger_notes (day text)")
        self.assertEqual(self.maintain(2, 30), [("dropped", self.day(-40), "0"), ("dropped", self.day(-31), "0")])
        self.assertEqual(self.store.psql("SELECT request_id FROM call_ledger"), "r-30")
        self.assertEqual(self.maintain(2, 30), [])

    def test_a_day_in_use_is_dropped_another_time(self):
        self.store.psql("SELECT weir_ledger_ensure_day(0)")
        reader = self.session()
        reader.run("BEGIN; SELECT count(*) FROM call_ledger")
        self.assertEqual(self.maintain(2, 30), [("busy", "call_ledger_19700101", "0")])
        reader.run("COMMIT")
        self.assertEqual(self.maintain(2, 30), [("dropped", "call_ledger_19700101", "0")])

    def test_old_rows_of_other_tables_go_in_bites(self):
        old = self.today - 4 * DAY_MS
        self.store.psql(history_row("route_10s", old) + "; " + history_row("route_10s", self.today))
        self.store.psql(history_row("route_minute", old) + "; " + history_row("route_minute", self.today - 36 * DAY_MS))
        self.store.psql(history_row("route_10min", 0))
        self.store.psql(
            "INSERT INTO unserved_request (request_id, agent, service, task_id, task_type, model, "
            "started_at_ms, why, "
            "priority, caller, regions_asked, terms_asked, mode) SELECT 'r' || n, 'a', 's', 't', 'tt', "
            "'m', n, 'shed', "
            "'batch', '', '', '', 'fixed' FROM generate_series(1, 20001) AS n"
        )
        self.assertEqual(
            self.maintain(2, 30),
            [("pruned", "unserved_request", "20000"), ("more", "unserved_request", "20000"), ("pruned", "route_10s", "1"),
             ("pruned", "route_minute", "1"), ("pruned", "route_10min", "1"), ("pruned", "route_6h_settled", "1")],
        )  # fmt: skip
        self.assertEqual(self.maintain(2, 30), [("pruned", "unserved_request", "1")])
        self.assertEqual(self.maintain(2, 30), [])
        self.assertEqual(self.store.psql("SELECT count(*) FROM route_minute"), "1")

    def test_an_old_row_that_somebody_holds_is_left_for_another_time(self):
        self.store.psql(history_row("route_10s", 0) + "; " + history_row("route_10s", 10000))
        holder = self.session()
        holder.run("BEGIN; UPDATE route_10s SET calls = 1 WHERE started_at_ms = 0")
        for _ in range(2):
            self.assertEqual(self.maintain(2, 30), [("pruned", "route_10s", "1")])
            holder.run("COMMIT")

    def settle(self):
        """Until there is nothing to do; an hour's call does it as well as a minute's."""
        if self.store.psql("SELECT weir_ledger_settle()") == "t":
            self.settle()

    def test_settled_steps_are_added_up(self):
        """The sums and histograms of a step are the same before and after, whatever reads them."""
        old, new = self.today - 12 * 3_600_000, self.today + DAY_MS
        for started in (old, old + 600_000, new):
            for number, agent in enumerate(("a", "b", "c")):
                said = {"calls": number + 1, "n_ok": number, "ttft_us": f"{number}:1,700:2", "milli_tps": "5:1"}
                self.store.psql(history_row("route_10min", started, agent=agent, **said))
        read = (
            "SELECT started_at_ms / 21600000, model, sum(calls), sum(n_ok), "
            "weir_histogram_sum(array_agg(ttft_us)), "
            "weir_histogram_sum(array_agg(milli_tps)) FROM {} GROUP BY 1, 2 ORDER BY 1"
        )
        before = self.store.psql(read.format("route_10min"))
        self.assertIn("|m|12|6|0:2,1:2,2:2,700:12|5:6", before)
        self.assertEqual(self.store.psql(read.format("route_6h")), before)
        self.settle()
        for table in ("route_10min", "route_6h"):
            self.assertEqual(self.store.psql(read.format(table)), before)
        told = "SELECT agent, count(*) FROM {} GROUP BY 1 ORDER BY 1"
        self.assertEqual(self.store.psql(told.format("route_10min")), "|2\na|1\nb|1\nc|1")
        self.assertEqual(self.store.psql(told.format("route_6h")), "|1\na|1\nb|1\nc|1")
        # One comes late, one is damaged: sums go on, a histogram that cannot be read counts as empty.
        self.store.psql(history_row("route_10min", old, agent="a", calls=5, ttft_us="0:1", milli_tps="junk"))
        self.assertEqual(self.maintain(2, 30), [])
        wanted = before.replace("|m|12|6|0:2,1:2,2:2,700:12|5:6", "|m|17|6|0:3,1:2,2:2,700:12|5:6")
        for table in ("route_10min", "route_6h"):
            self.assertEqual(self.store.psql(read.format(table)), wanted)

    def test_a_step_that_somebody_is_writing_settles_later(self):
        self.store.psql(history_row("route_minute", self.today - 3_600_000, calls=1))
        writer = self.session()
        writer.run("BEGIN; UPDATE route_minute SET calls = calls + 1")
        self.settle()
        self.assertEqual(self.store.psql("SELECT agent, calls FROM route_minute"), "a|1")
        writer.run("COMMIT")
        self.settle()
        self.assertEqual(self.store.psql("SELECT agent, calls FROM route_minute"), "|2")

    def test_many_settle_at_once(self):
        """Whoever thinks it is elected: nothing is added up twice."""
        rows = [history_row("route_10s", self.today - 3_600_000 + step * 10_000, agent=agent, calls=1)
                for step in range(60) for agent in "abcde"]  # fmt: skip
        self.store.psql("; ".join(rows))
        sessions = [self.session() for _ in range(4)]
        for session in sessions:
            session.send("SELECT weir_ledger_settle()")
        self.assertEqual([session.answer() for session in sessions], ["f"] * 4)
        self.assertEqual(self.store.psql("SELECT agent, count(*), sum(calls) FROM route_10s GROUP BY 1"), "|60|300")

    def totals(self, *filters):
        given = [repr(each) for each in filters]
        return self.store.psql(f"SELECT * FROM weir_ledger_totals({', '.join(given)})").splitlines()

    def test_totals_are_those_of_the_rows(self):
        """Counted or not, within whole hours and at their edges, with a transaction still open."""
        hour = 3_600_000
        start = self.today - 5 * hour
        number = 0
        def some_rows():
            nonlocal number
            for minutes in range(0, 300, 7):
                number += 1
                self.store.psql(attempt_row(
                    request_id=f"r{number}", started_at_ms=start + minutes * 60_000, model=f"m{number % 2}",
                    provider=f"p{number % 3}", outcome=("ok", "reset")[number % 5 == 0], output=number % 7 or None,
                    input_uncached=3, cost_micro_usd=number % 11 or None))  # fmt: skip
        some_rows()
        self.settle()
        some_rows()
        late = self.session()
        late.run("BEGIN; " + attempt_row(request_id="late", started_at_ms=start + hour))
        some_rows()
        self.maintain(2, 30)
        late.run("COMMIT")
        self.assertGreater(int(self.store.psql("SELECT sum(calls) FROM ledger_total")), 40)
        direct = (
            "SELECT provider, outcome, count(*), sum(input_uncached), coalesce(sum(input_cached), 0), "
            "coalesce(sum(cache_write), 0), coalesce(sum(output), 0), coalesce(sum(reasoning), 0), "
            "count(*) FILTER (WHERE input_uncached IS NULL OR output IS NULL), "
            "coalesce(sum(cost_micro_usd), 0), "
            "count(*) - count(cost_micro_usd) FROM call_ledger WHERE started_at_ms >= {} AND "
            "started_at_ms < {} "
            "AND ('{}' IN ('', model)) AND ('{}' IN ('', provider)) AND ('{}' IN ('', task_type)) AND "
            "('{}' IN ('', outcome)) "
            "GROUP BY 1, 2 ORDER BY 1, 2"
        )
        self.store.psql("UPDATE call_ledger SET input_uncached = 0 WHERE request_id = 'late'")
        for filters in (
            (0, 9_223_372_036_854_775_807, "", "", "", ""),
            (start + 1, start + 5 * hour - 1, "", "", "", ""),
            (start + hour, start + 2 * hour, "", "", "", ""),
            (start + hour + 60_000, start + hour + 1_800_000, "", "", "", ""),
            (start + hour - 60_000, start + hour + 1_800_000, "", "", "", ""),
            (0, start + 3 * hour, "m1", "", "default", ""),
            (0, start + 3 * hour, "m1", "p2", "", "reset"),
            (0, 0, "", "", "", ""),
            (start, start - hour, "", "", "", ""),
        ):
            with self.subTest(filters):
                self.assertEqual(self.totals(*filters), self.store.psql(direct.format(*filters)).splitlines())
        # Counting goes on where it ended, and nothing is counted twice.
        self.maintain(2, 30)
        everything = (0, 9_223_372_036_854_775_807, "", "", "", "")
        self.assertEqual(self.totals(*everything), self.store.psql(direct.format(*everything)).splitlines())
        self.assertEqual(self.store.psql("SELECT sum(calls) FROM ledger_total"), str(number + 1))

    def test_totals_go_with_their_day(self):
        self.store.psql("SELECT weir_ledger_ensure_day(0)")
        self.store.psql(attempt_row(started_at_ms=5) + "; " + attempt_row(request_id="r2", started_at_ms=self.today))
        self.assertEqual(self.store.psql("SELECT weir_ledger_count(); SELECT sum(calls) FROM ledger_total"), "f\n2")
        self.assertEqual(self.maintain(2, 30), [("dropped", "call_ledger_19700101", "0")])
        self.assertEqual(self.store.psql("SELECT sum(calls) FROM ledger_total"), "1")

    def test_readers_pass_no_row_by(self):
        """A row committed late has a low number: who follows the ledger waits for it rather than miss it."""
        slow, quick = self.session(), self.session()
        slow.run("BEGIN; " + attempt_row(request_id="slow", started_at_ms=self.today))
        quick.run(attempt_row(request_id="quick", started_at_ms=self.today))
        self.assertEqual(self.store.psql("SELECT request_id FROM call_ledger"), "quick")
        self.assertEqual(self.store.psql(SETTLED.format("'0'", 0)), "")
        slow.run("COMMIT")
        self.assertEqual(self.store.psql(SETTLED.format("'0'", 0)).splitlines(), ["slow", "quick"])
        xact, row = self.store.psql("SELECT xact, row FROM call_ledger WHERE request_id = 'slow'").split("|")
        self.assertEqual(self.store.psql(SETTLED.format(f"'{xact}'", row)), "quick")

    def test_crossed_writers_are_told_apart(self):
        """Two who write the same steps in opposite orders: one is refused as a deadlock, and may try again."""
        one, other = self.session(), self.session()
        for agent in ("a", "b"):
            self.store.psql(history_row("route_10s", self.today, agent=agent))
        touch = "UPDATE route_10s SET calls = calls + 1 WHERE agent = '{}'"
        one.run("\\set VERBOSITY sqlstate\nBEGIN; " + touch.format("a"))
        other.run("\\set VERBOSITY sqlstate\nBEGIN; " + touch.format("b"))
        one.send(touch.format("b"))
        other.send(touch.format("a"))
        said = [one.answer(), other.answer()]
        self.assertEqual(sorted(said), ["", "ERROR:  40P01"])
        for session in (one, other):
            session.run("COMMIT")
        self.assertEqual(self.store.psql("SELECT calls FROM route_10s").splitlines(), ["1", "1"])

    def test_serializable_writers_are_told_apart(self):
        one, other = self.session(), self.session()
        self.store.psql(history_row("route_10s", self.today))
        for session in (one, other):
            session.run("\\set VERBOSITY sqlstate\nBEGIN ISOLATION LEVEL SERIALIZABLE; SELECT calls FROM "
                        "route_10s")
        one.run("UPDATE route_10s SET calls = calls + 1; COMMIT")
        self.assertEqual(other.run("UPDATE route_10s SET calls = calls + 1"), "ERROR:  40001")


class Notifications(unittest.TestCase):
    """Channels carry a version and an id, never the data."""

    @classmethod
    def setUpClass(cls):
        cls.server = PrivatePostgres()
        cls.addClassCleanup(cls.server.close)
        cls.store = PgStore(cls.server)
        cls.addClassCleanup(cls.store.close)

    def setUp(self):
        self.ear = self.store.session()
        self.addCleanup(self.ear.close)
        self.ear.run("LISTEN weir_switch; LISTEN weir_settings; LISTEN weir_agent; LISTEN weir_summary")

    def heard(self, sql):
        self.store.psql(sql)
        return self.ear.notifications()

    def test_decisions(self):
        turn = "UPDATE routing_switch SET version = version + 1, mode = 'shadow'"
        self.assertEqual(self.heard(turn), ["weir_switch: 2 routing_switch/1"])
        self.assertEqual(self.heard(f"BEGIN; {turn}; ROLLBACK"), [])
        tune = "UPDATE routing_settings SET version = version + 1, pin_seconds = 60"
        self.assertEqual(self.heard(tune), ["weir_settings: 2 routing_settings/1"])
        route = "INSERT INTO route_settings (model, provider, version, updated_by, reason) VALUES ('m', 'p', 1, 'a', 'r')"
        self.assertEqual(self.heard(route), ["weir_settings: 1 route_settings/m/p"])
        score = (
            "INSERT INTO eval_score (model, provider, task_type, run, eval_set, eval_set_hash, "
            "scored_at_ms, cases, "
            "unanswered, score_ppm) VALUES ('m', 'p', 't', 'r', 's', 'h', 7, 1, 0, 5) "
            "ON CONFLICT (model, provider, task_type) DO UPDATE SET score_ppm = excluded.score_ppm"
        )
        self.assertEqual(self.heard(score), ["weir_settings: 7 eval_score/m/p"])
        self.assertEqual(self.heard(score), ["weir_settings: 7 eval_score/m/p"])
        drill = (
            "INSERT INTO drill (id, kind, model, provider, share_ppm, delay_ms, starts_at_ms, ends_at_ms, "
            "abort_failure_ppm, started_by, reason) VALUES ('d', 'error', 'm', 'p', 1, 0, 0, 1000, 0, "
            "'ann', 'why')"
        )
        self.assertEqual(self.heard(drill), ["weir_settings: 1 drill/d"])
        end = "UPDATE drill SET ended_at_ms = 5, end_reason = 'time', end_text = 'over', ended_by = 'a'"
        self.assertEqual(self.heard(end), ["weir_settings: 2 drill/d"])

    def test_summaries(self):
        publish = "INSERT INTO summary_snapshot (id, computed_at_ms, settings_version, json) VALUES ('s1', 1000, 1, '{}')"
        self.assertEqual(self.heard(publish), ["weir_summary: 1000 summary_snapshot/s1"])
        self.assertEqual(self.heard(publish + " ON CONFLICT (id) DO NOTHING"), [])

    def test_agents_but_not_their_heartbeats(self):
        come = (
            "INSERT INTO agent_state (agent, service, host, version, effective_mode, mode_reason, "
            "switch_version, "
            "settings_version, applied_at_ms, last_seen_at_ms, store, redis, ledger_backlog_rows) "
            "VALUES ('a1', 's', 'h', 'v', 'fixed', '', 1, 1, 0, 0, 'ok', 'ok', 0)"
        )
        beat = "UPDATE agent_state SET last_seen_at_ms = last_seen_at_ms + 1000, ledger_backlog_rows = 5, redis = 'down'"
        self.assertEqual(self.heard(come), ["weir_agent: 1 agent_state/a1"])
        self.assertEqual(self.heard(f"{beat}; {beat}"), [])
        for change in ("switch_version = 2", "settings_version = 2", "effective_mode = 'failsafe'", "mode_reason = 'x'"):
            self.assertEqual(self.heard(f"{beat}, {change}"), ["weir_agent: 2 agent_state/a1"], change)
        self.assertEqual(self.heard("DELETE FROM agent_state"), ["weir_agent: 2 agent_state/a1"])


if __name__ == "__main__":
    unittest.main()
