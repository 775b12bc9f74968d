// SPDX-License-Identifier: Apache-2.0
#include "tests/store/samples.h"

#include <sqlite3.h>

#include <QStringList>

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

std::unique_ptr<store::Database> openStore(const std::filesystem::path& path)
{
    auto opened = store::openSqlite(
        {.path = path,
         .mode = store::OpenMode::CreateOrUpgrade,
         .busyTimeout = std::chrono::milliseconds{5000},
         .host = "host-a",
         .now = kNoon});
    if (!opened) qFatal("cannot open the store: %s", opened.error().text().c_str());
    return std::move(*opened);
}

ForeignClient::ForeignClient(const std::filesystem::path& path)
{
    sqlite3* db = nullptr;
    if (sqlite3_open(path.c_str(), &db) != SQLITE_OK) qFatal("cannot open %s", path.c_str());
    sqlite3_busy_timeout(db, 5000);
    m_db = db;
}

ForeignClient::~ForeignClient()
{
    sqlite3_close(static_cast<sqlite3*>(m_db));
}

QString ForeignClient::run(const QString& sql)
{
    char* complaint = nullptr;
    sqlite3_exec(
        static_cast<sqlite3*>(m_db), sql.toUtf8().constData(), nullptr, nullptr, &complaint);
    const QString text = QString::fromUtf8(complaint);
    sqlite3_free(complaint);
    return text;
}

QString ForeignClient::rows(const QString& sql)
{
    QStringList lines;
    const auto addLine = [](void* to, int count, char** values, char**) {
        QStringList cells;
        for (int i = 0; i < count; ++i)
            cells << QString::fromUtf8(values[i]);
        *static_cast<QStringList*>(to) << cells.join('|');
        return 0;
    };
    char* complaint = nullptr;
    sqlite3_exec(
        static_cast<sqlite3*>(m_db), sql.toUtf8().constData(), addLine, &lines, &complaint);
    const QString text = QString::fromUtf8(complaint);
    sqlite3_free(complaint);
    return text.isEmpty() ? lines.join('\n') : text;
}

} // namespace weir::tests
