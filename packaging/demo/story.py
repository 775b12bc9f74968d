# SPDX-License-Identifier: Apache-2.0
"""The demo as a story with times: on the terminal, and in story.txt to read again."""

import collections
import decimal
import time

from world import PRICES, SCRIPTS

USD = decimal.Decimal("0.000001")
CLASSES = (
    ("input_uncached", "input"),
    ("input_cached", "cached_input"),
    ("cache_write", "cache_write"),
    ("output", "output"),
)


class Story:
    def __init__(self, path):
        self._began = time.monotonic()
        self._file = open(path, "w", encoding="utf-8")

    def _print(self, line=""):
        print(line, flush=True)
        self._file.write(line + "\n")
        self._file.flush()

    def chapter(self, title):
        self._print()
        self._print(title)

    def say(self, text):
        self._print(f"  {time.monotonic() - self._began:6.1f} s  {text}")

    def quote(self, text):
        for line in text.rstrip().splitlines():
            self._print(f"    {line}".rstrip())

    def table(self, head, rows):
        cells = [head] + [[str(cell) for cell in row] for row in rows]
        widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
        for row in cells:
            first = row[0].ljust(widths[0])
            rest = "  ".join(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))
            self._print(f"    {first}  {rest}")

    def close(self):
        self._file.close()


def usd(micro):
    return f"{micro * USD:.6f}"


def cost_from_tokens(row):
    """What the row's tokens cost by the configured prices, in micro-dollars rounded half up.

    A provider that does not report a cache class did not bill one.
    """
    prices = PRICES[row["provider"].removesuffix("-messages")]
    total = sum(
        (row[tokens] or 0) * decimal.Decimal(prices[price]) for tokens, price in CLASSES)
    return int(total.quantize(decimal.Decimal(1), decimal.ROUND_HALF_UP))


class Totals:
    """The ledger's rows, added up and checked against what the callers saw."""

    def __init__(self, rows, total, calls):
        # Copies for comparison and eval runs are nobody's calls, but cost what they cost.
        self.asides = [row for row in rows if row["mirror"] or row["eval"]]
        self.rows = [row for row in rows if not row["mirror"] and not row["eval"]]
        self.total = total
        self.calls = calls
        self.errors = [call for call in calls if call.error]
        self.by_provider = collections.defaultdict(collections.Counter)
        self.cost = collections.Counter()
        for row in self.rows:
            self.by_provider[row["provider"]][row["outcome"]] += 1
            self.cost[row["provider"]] += row["cost_micro_usd"] or 0
        self.requests = {row["request_id"] for row in self.rows}

    def faults(self):
        """What does not add up, as sentences; nothing where all is well."""
        faults = [f"a caller got {call.error}" for call in self.errors[:5]]
        keys = collections.Counter((row["request_id"], row["attempt"]) for row in self.rows)
        doubled = sum(1 for count in keys.values() if count > 1)
        if doubled:
            faults.append(f"{doubled} attempts stand in the ledger twice")
        missing = [call for call in self.calls if call.request_id not in self.requests]
        if missing:
            faults.append(f"{len(missing)} answered calls are not in the ledger")
        attempts = sum(call.attempts for call in self.calls)
        if attempts != len(self.rows):
            faults.append(f"the callers counted {attempts} attempts, the ledger {len(self.rows)}")
        added = sum(self.cost.values()) + sum(row["cost_micro_usd"] or 0 for row in self.asides)
        if added != self.total["cost_micro_usd"]:
            faults.append(f"weirctl's total is {self.total['cost_micro_usd']}, the rows' sum {added}")
        for row in self.rows:
            wanted = cost_from_tokens(row)
            if row["cost_micro_usd"] is not None and row["cost_micro_usd"] != wanted:
                faults.append(
                    f"{row['request_id']}: cost {row['cost_micro_usd']}, by its tokens {wanted}")
        return faults

    def tell(self, story):
        served = collections.Counter(call.provider for call in self.calls if not call.error)
        failed_over = sum(1 for call in self.calls if call.attempts > 1 and not call.error)
        story.say(f"{len(self.calls)} calls by the OpenAI and the Anthropic SDK, "
                  f"{len(self.errors)} errors seen by a caller")
        story.say("served by " + ", ".join(f"{name} {count}" for name, count in served.most_common()))
        story.say(f"{failed_over} calls were saved by a failover")
        story.say(f"{len(self.asides)} more attempts were copies and eval cases, which nobody waited for")
        story.say(f"{len(self.rows)} attempts in the ledger, ${usd(sum(self.cost.values()))} in all:")
        rows = []
        names = [n for p in SCRIPTS for n in (p, f"{p}-messages") if n in self.by_provider]
        for name in names:
            outcomes = self.by_provider[name]
            good = outcomes["ok"] + outcomes["length"]
            bad = ", ".join(
                f"{count} {word}" for word, count in sorted(outcomes.items())
                if word not in ("ok", "length"))
            tokens = [
                sum(row[field] or 0 for row in self.rows if row["provider"] == name)
                for field, _ in CLASSES]
            rows.append((name, sum(outcomes.values()), good, *tokens, usd(self.cost[name]), bad or "-"))
        story.table(
            ["provider", "attempts", "good", "input", "cached", "written", "output", "USD", "the rest"],
            rows)
