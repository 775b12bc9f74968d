// SPDX-License-Identifier: Apache-2.0
#include "tests/store/samples.h"

#include "agent/store/pg_store.h"
#include "agent/store/sqlite_store.h"
#include "tests/store/foreign_client.h"

#include <QString>

#include <mutex>
#include <set>

namespace weir::tests {

CallRecord sampleRecord(int number)
{
    CallRecord record;
    record.requestId = "req-" + std::to_string(number);
    record.attempt = 2;
    record.agentId = "agent-1";
    record.service = "code-review";
    record.taskId = "task-7";
    record.taskType = "search";
    record.conversation = "c0ffee";
    record.model = "glm-5.2";
    record.provider = "baseten";
    record.route = "baseten/zai-org/GLM-5.2@us";
    record.protocol = Protocol::Anthropic;
    record.stream = true;
    record.startedAt = kNoon + std::chrono::milliseconds{number};
    record.ttftMs = 640;
    record.durationMs = 2640;
    record.outcome = Outcome::Length;
    record.httpStatus = 200;
    record.finishReason = "max_tokens";
    record.usage = {
        .inputUncached = 1200,
        .inputCached = 300,
        .cacheWrite = 7,
        .output = 150,
        .reasoning = 40,
        .estimated = true,
        .inconsistent = true};
    record.costMicroUsd = 2265;
    record.flags = static_cast<std::uint16_t>(CallFlag::Explored) |
                   static_cast<std::uint16_t>(CallFlag::SingleShot);
    record.mode = EffectiveMode::Adaptive;
    record.reason = Reason::LastResort;
    record.level = 3;
    record.snapshotId = "snap-9";
    record.settingsVersion = 41;
    record.switchVersion = 42;
    record.seed = 0xFEDCBA9876543210;
    record.eligibleMask = 0x8000000000000001;
    record.heldMask = 2;
    record.decision = "d1 7 3 2";
    record.last = true;
    record.priority = Priority::Batch;
    record.caller = "TEAM_A_KEY";
    record.regionsAsked = "eu,ch";
    record.termsAsked = "no_retention";
    record.promptEstimate = 1600;
    return record;
}

bool onPostgres()
{
    return qEnvironmentVariableIsSet("WEIR_TEST_POSTGRES");
}

std::string postgresUrl(const std::filesystem::path& path)
{
    static std::mutex mutex;
    static std::set<std::string> made;
    const QString server = qEnvironmentVariable("WEIR_TEST_POSTGRES");
    const std::string name = "weir_" + std::to_string(std::hash<std::string>{}(path.string()));
    const std::scoped_lock lock(mutex);
    if (made.insert(name).second) {
        // A test that broke off may have left it.
        ForeignClient shell(server.toStdString());
        shell.run("CREATE DATABASE " + QString::fromStdString(name));
    }
    return server.left(server.lastIndexOf('/') + 1).toStdString() + name;
}

std::unique_ptr<store::Database> openStore(const std::filesystem::path& path)
{
    if (onPostgres()) {
        store::PgOptions options;
        options.url = postgresUrl(path);
        options.deadline = std::chrono::seconds{10};
        options.host = "host-a";
        auto opened = store::openPostgres(options);
        if (!opened) qFatal("cannot open the store: %s", opened.error().text().c_str());
        // Now, not with the test's first question.
        const auto reached = (*opened)->spoolPosition("nobody");
        if (!reached) qFatal("cannot reach the store: %s", reached.error().text().c_str());
        return std::move(*opened);
    }
    auto opened = store::openSqlite(
        {.path = path,
         .mode = store::OpenMode::CreateOrUpgrade,
         .busyTimeout = std::chrono::milliseconds{5000},
         .host = "host-a",
         .now = kNoon});
    if (!opened) qFatal("cannot open the store: %s", opened.error().text().c_str());
    return std::move(*opened);
}

} // namespace weir::tests
