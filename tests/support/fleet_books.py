# SPDX-License-Identifier: Apache-2.0
"""The audit of a fleet's books: what the callers saw, what the ledger says, and what the providers
billed must be the same story, call by call and in the sums."""

import collections

from weir_harness import PATIENCE_S, wait_until

TOKENS = ("input_uncached", "input_cached", "output")
SHOWN = 3


class Books:
    """Made when the load has stopped and all agents run; waits until nothing is left in a spool.
    faults() are sentences; none where the stories agree."""

    def __init__(self, fleet, load, patience_s=PATIENCE_S):
        self.fleet = fleet
        self.calls = {call.mark: call for call in load.since()}
        self.rows = []
        fleet.await_drained(patience_s)
        # What is missing after that stays missing, and faults() tells it.
        try:
            wait_until(lambda: not self.lost(self._read()), "the ledger", min(patience_s, 10))
        except AssertionError:
            self._read()
        self.entered = collections.defaultdict(list)
        for row in self.rows:
            if row["cost_micro_usd"]:
                self.entered[row["task_id"], row["provider"]].append(row["cost_micro_usd"])
        self.billed = self._bills()
        self.cost = sum(map(sum, self.entered.values()))
        self.bill = sum(each["micro_usd"] for each in fleet.bill().values())
        self.died = sum(
            sum(costs) for key, costs in self.billed.items() if key not in self.entered
        )

    def _read(self):
        columns = ", ".join(("request_id, attempt, task_id, provider, outcome, cost_micro_usd", *TOKENS))
        self.rows = self.fleet.call_ledger("task_id LIKE 'call-%'", columns)
        return self.rows

    def _bills(self):
        """{(mark, provider): [micro-dollars, …]} of all answers that a provider sent whole."""
        found = collections.defaultdict(list)
        for name, provider in self.fleet.providers.items():
            for seen in provider.requests(1 << 30):
                mark = seen.get("body", "").partition('"call-')[2].partition(" ")[0]
                if mark and "billed_micro_usd" in seen:
                    found[f"call-{mark}", name].append(seen["billed_micro_usd"])
        return found

    def lost(self, rows):
        """Calls of which the ledger lacks an attempt that it owes."""
        found = collections.Counter(row["request_id"] for row in rows)
        return [
            call
            for call in self.calls.values()
            if call.is_owed and found[call.request_id] < call.attempts
        ]

    def faults(self):
        faults = []
        keys = collections.Counter((row["request_id"], row["attempt"]) for row in self.rows)
        doubled = [key for key, count in keys.items() if count > 1]
        if doubled:
            faults.append(f"{len(doubled)} attempts stand in the ledger twice: {doubled[:SHOWN]}")
        lost = self.lost(self.rows)
        if lost:
            faults.append(f"{len(lost)} answered calls are not in the ledger: {lost[:SHOWN]}")
        faults += self._faults_of_answers()[:SHOWN] + self._faults_of_bills()[:SHOWN]
        if self.cost + self.died != self.bill:
            faults.append(f"the sums differ: {self.story()}")
        return faults

    def _faults_of_answers(self):
        """A good answer named the usage that its last attempt has in the ledger."""
        faults = []
        rows = collections.defaultdict(dict)
        for row in self.rows:
            rows[row["request_id"]][row["attempt"]] = row
        for call in self.calls.values():
            found = rows[call.request_id]
            if not call.is_good or len(found) < call.attempts:
                continue
            last = found.get(call.attempts)
            if sorted(found) != list(range(1, call.attempts + 1)):
                faults.append(f"{call.mark}: {call.attempts} attempts, the ledger has {sorted(found)}")
            elif tuple(last[token] for token in TOKENS) != call.usage:
                faults.append(f"{call.mark}: the caller was told {call.usage}, the ledger has {last}")
        return faults

    def _faults_of_bills(self):
        """A row costs what was billed; what was billed has a row, unless the call's agent died."""
        faults = []
        for key in self.entered.keys() | self.billed.keys():
            entered, billed = sorted(self.entered.get(key, [])), sorted(self.billed.get(key, []))
            call = self.calls.get(key[0])
            died = call is None or call.is_excused or not call.is_owed
            if entered != billed and (entered or not died):
                faults.append(f"{key}: billed {billed}, in the ledger {entered}; {call}")
        return faults

    def story(self):
        """For the test's output."""
        good = sum(call.is_good for call in self.calls.values())
        excused = sum(not call.is_good and call.is_excused for call in self.calls.values())
        return (
            f"{good} of {len(self.calls)} calls answered, {excused} died with their agent; "
            f"{len(self.rows)} rows that cost {self.cost} micro-dollars, billed {self.bill}, "
            f"of that {self.died} for answers that died with their agent"
        )
