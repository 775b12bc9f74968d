// SPDX-License-Identifier: Apache-2.0
// weir-bench-ledger fill SPOOL ROWS: rows into a spool, as an agent's workers leave them.
// weir-bench-ledger move SPOOL STORE: the spool into the store, as an agent does; prints seconds.
// weir-bench-ledger ask STORE DAYS: reads lines "question rounds"; prints for each the milliseconds
// of every round and the rows of the last.

#include "agent/store/ledger_writer.h"
#include "agent/store/open.h"
#include "agent/store/record_codec.h"
#include "tests/bench/ledger_queries.h"
#include "tests/bench/ledger_rows.h"

#include <chrono>
#include <iostream>
#include <span>
#include <string>

using namespace weir;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::uint64_t kSpoolBytesMax = 8ULL << 30U;
constexpr std::size_t kFramesBytes = 1U << 20U;
/// A day, so that its partition need not be made at each run.
constexpr UtcTime kStart = fromEpochMs(1'796'032'800'000);

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

int failed(const Error& error)
{
    std::cerr << "weir-bench-ledger: " << error.text() << '\n';
    return 1;
}

int fill(const std::string& folder, std::int64_t rows)
{
    store::SpoolWriter writer(folder, kSpoolBytesMax);
    std::string frames;
    for (std::int64_t number = 0; number < rows; ++number) {
        store::appendFrame(bench::ledgerRow(number, kStart), frames);
        if (frames.size() < kFramesBytes && number + 1 < rows) continue;
        if (const Status<> written = writer.append(frames); !written) {
            return failed(written.error());
        }
        frames.clear();
    }
    return 0;
}

Result<std::unique_ptr<store::Database>> openStore(const std::string& url, store::Use use)
{
    store::OpenOptions options;
    options.use = use;
    options.mode = store::OpenMode::Existing;
    return store::open(url, ".", options);
}

int move(const std::string& folder, const std::string& url)
{
    const auto database = openStore(url, store::Use::Ledger);
    if (!database) return failed(database.error());
    store::LedgerWriter writer(**database, folder, "bench");
    // What a start costs once is no part of the throughput.
    if (const auto known = (*database)->spoolPosition("bench"); !known) {
        return failed(known.error());
    }
    const Clock::time_point start = Clock::now();
    for (;;) {
        const Result<std::size_t> moved = writer.step();
        if (!moved) return failed(moved.error());
        if (*moved == 0) break;
    }
    std::cout << secondsSince(start) << ' ' << writer.gauge().ingestedRows << '\n';
    return 0;
}

int ask(const std::string& url, int days)
{
    const auto database = openStore(url, store::Use::Learn);
    if (!database) return failed(database.error());
    std::string name;
    for (int rounds = 0; std::cin >> name >> rounds;) {
        std::size_t answered = 0;
        for (int round = 0; round < rounds; ++round) {
            const auto question = bench::ledgerQuestion(**database, name, round, days);
            if (!question) return failed(question.error());
            const Clock::time_point start = Clock::now();
            const Result<std::size_t> rows = (*question)();
            if (!rows) return failed(rows.error());
            std::cout << secondsSince(start) * 1000.0 << ' ';
            answered = *rows;
        }
        std::cout << answered << std::endl;
    }
    return 0;
}

} // namespace

int main(int count, char** given)
{
    const std::span<char*> words(given, static_cast<std::size_t>(count));
    const std::string verb = count > 1 ? words[1] : "";
    if (verb == "fill" && count == 4) return fill(words[2], std::stoll(words[3]));
    if (verb == "move" && count == 4) return move(words[2], words[3]);
    if (verb == "ask" && count == 4) return ask(words[2], std::stoi(words[3]));
    std::cerr << "weir-bench-ledger: fill SPOOL ROWS, move SPOOL STORE, or ask STORE DAYS\n";
    return 2;
}
