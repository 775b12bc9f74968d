// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sqlite_store.h"
#include "tests/ctl/run.h"

#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <thread>

using namespace weir;
using namespace weir::ctl;

/// The verbs that read and write the store, on a store of their own and without an agent.
class TstCtlStore : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void saysThatThereIsNoStore();
    void bringsTheSchemaUpToDate();
    void findsTheStoreByTheConfiguration();
    void reportsABrokenConfiguration();
    void turnsTheSwitch();
    void reportsAConflict();
    void printsJson();
    void refusesAnAgentThatIsLate();
    void countsAnAgentThatHasFallenSilent();
    void changesSettings();
    void refusesABadSetting();
    void readsTheLedger();

private:
    [[nodiscard]] std::unique_ptr<store::Database> openStore() const;
    [[nodiscard]] std::string path(const char* name) const;
    /// The agent with this id said so long ago, for the last time, that it goes by version 1.
    void wasHeardOf(const std::string& id, int secondsAgo) const;

    std::unique_ptr<QTemporaryDir> m_dir;
};

namespace {

CallRecord call(int number, Outcome outcome, std::optional<std::int64_t> cost)
{
    CallRecord record;
    record.requestId = "req-" + std::to_string(number);
    record.startedAt = kNow + std::chrono::seconds{number};
    record.model = "glm-5.2";
    record.provider = number % 2 == 0 ? "baseten" : "fireworks";
    record.route = record.provider + "/x";
    record.outcome = outcome;
    record.costMicroUsd = cost;
    record.usage.inputUncached = 100;
    record.usage.output = 10;
    return record;
}

} // namespace

std::string TstCtlStore::path(const char* name) const
{
    return m_dir->filePath(QString(name)).toStdString();
}

void TstCtlStore::wasHeardOf(const std::string& id, int secondsAgo) const
{
    store::Heartbeat beat;
    beat.presence.agentId = id;
    beat.presence.service = "search";
    beat.presence.host = "here";
    beat.presence.effectiveMode = "fixed";
    beat.presence.switchVersion = 1;
    QVERIFY(openStore()->heartbeat(beat).has_value());
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(path("weir.db").c_str(), &database), SQLITE_OK);
    const std::string sql = "UPDATE agent_state SET last_seen_at_ms = last_seen_at_ms - " +
                            std::to_string(secondsAgo * 1000) + " WHERE agent = '" + id + "'";
    QCOMPARE(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    QCOMPARE(sqlite3_close(database), SQLITE_OK);
}

std::unique_ptr<store::Database> TstCtlStore::openStore() const
{
    store::SqliteOptions options;
    options.path = path("weir.db");
    options.host = "here";
    options.now = kNow;
    auto opened = store::openSqlite(options);
    if (!opened) qFatal("%s", opened.error().text().c_str());
    return std::move(*opened);
}

void TstCtlStore::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    QVERIFY(m_dir->isValid());
}

void TstCtlStore::saysThatThereIsNoStore()
{
    for (const std::vector<std::string>& verb : std::vector<std::vector<std::string>>{
             {"mode", "get"}, {"settings", "get"}, {"ledger", "query"}}) {
        std::vector<std::string> given = verb;
        given.insert(given.end(), {"--data-dir", path("none")});
        const Ran ran = weirctl(given);
        QCOMPARE(ran.exit, 1);
        QVERIFY2(has(ran.err, path("none") + "/weir.db: there is no store"), ran.err.c_str());
        QVERIFY2(has(ran.err, "--data-dir"), ran.err.c_str());
    }
    const Ran ran = weirctl({"mode", "get", "--store", "mysql://x"});
    QCOMPARE(ran.exit, 1);
    QVERIFY2(has(ran.err, "sqlite:"), ran.err.c_str());
}

void TstCtlStore::bringsTheSchemaUpToDate()
{
    const std::string dir = m_dir->path().toStdString();
    QCOMPARE(weirctl({"store", "migrate", "--data-dir", dir}).exit, 1);
    static_cast<void>(openStore());
    const Ran done = weirctl({"store", "migrate", "--data-dir", dir});
    QCOMPARE(done.err, std::string());
    QCOMPARE(done.exit, 0);
    QVERIFY2(
        has(done.out, "The store has schema ") && has(done.out, " already."), done.out.c_str());
    const auto json =
        nlohmann::json::parse(weirctl({"store", "migrate", "--data-dir", dir, "--json"}).out);
    QVERIFY(json.at("to").get<int>() > 0);
    QCOMPARE(json.at("from").get<int>(), json.at("to").get<int>());
    QCOMPARE(weirctl({"store"}).exit, 2);
}

void TstCtlStore::findsTheStoreByTheConfiguration()
{
    const auto store = openStore();
    QFile file(m_dir->filePath("weir.toml"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const std::string text =
        "[store]\nurl = \"sqlite:" + path("weir.db") +
        "\"\n"
        "[provider.a]\nbase_url = \"https://a.example/v1\"\napi_key_env = \"UNSET_HERE\"\n"
        "[[model.m.route]]\nprovider = \"a\"\nupstream_model = \"up\"\n";
    file.write(text.c_str());
    file.close();
    const Ran ran = weirctl({"mode", "get", "--config", path("weir.toml")});
    QCOMPARE(ran.err, std::string());
    QCOMPARE(ran.exit, 0);
    QVERIFY2(has(ran.out, "fixed, version 1, by weir-agent@here"), ran.out.c_str());
}

void TstCtlStore::reportsABrokenConfiguration()
{
    QFile file(m_dir->filePath("weir.toml"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[agent]\nthreads = 0\n");
    file.close();
    const Ran ran = weirctl({"mode", "get", "--config", path("weir.toml")});
    QCOMPARE(ran.exit, 1);
    QVERIFY2(has(ran.err, "weir.toml:"), ran.err.c_str());
    QVERIFY2(has(ran.err, "(and 2 faults more)"), ran.err.c_str());
}

void TstCtlStore::turnsTheSwitch()
{
    const auto store = openStore();
    const Ran ran = weirctl(
        {"mode",
         "set",
         "adaptive",
         "--reason",
         "quiet evening",
         "--data-dir",
         m_dir->path().toStdString()});
    QCOMPARE(ran.err, std::string());
    QCOMPARE(
        ran.out,
        std::string("The switch is adaptive now, version 2.\n"
                    "No agent runs; the next one that starts goes by it.\n"));
    QCOMPARE(ran.exit, 0);
    const auto decisions = store->readDecisions();
    QVERIFY(decisions.has_value());
    QCOMPARE(decisions->routingSwitch.mode, Mode::Adaptive);
    QCOMPARE(decisions->routingSwitch.reason, std::string("quiet evening"));
    QCOMPARE(decisions->routingSwitch.updatedBy, std::string("ada"));
    QVERIFY(!decisions->routingSwitch.requestUuid.empty());
    const auto audit = store->audit(1);
    QVERIFY(audit.has_value());
    QCOMPARE(audit->front().who, std::string("ada"));
}

void TstCtlStore::reportsAConflict()
{
    const auto store = openStore();
    const std::string dir = m_dir->path().toStdString();
    const Ran first = weirctl(
        {"mode", "set", "shadow", "--reason", "the first", "--if-version", "1", "--data-dir", dir});
    QCOMPARE(first.exit, 0);
    const Ran second = weirctl(
        {"mode",
         "set",
         "adaptive",
         "--reason",
         "late",
         "--if-version",
         "1",
         "--data-dir",
         dir,
         "--json"});
    QCOMPARE(second.exit, 1);
    QVERIFY2(
        has(second.err,
            "weirctl: nothing was changed, as somebody else has turned the switch: it is "
            "shadow, version 2, by ada@"),
        second.err.c_str());
    QVERIFY2(has(second.err, " ago: the first: look, and try again"), second.err.c_str());
    const auto json = nlohmann::json::parse(second.out);
    QCOMPARE(json.at("outcome").get<std::string>(), std::string("conflict"));
    QCOMPARE(json.at("switch").at("version").get<int>(), 2);
    QCOMPARE(store->readDecisions()->routingSwitch.mode, Mode::Shadow);
}

void TstCtlStore::printsJson()
{
    const auto store = openStore();
    const std::string dir = m_dir->path().toStdString();
    const Ran set =
        weirctl({"mode", "set", "shadow", "--reason", "look", "--data-dir", dir, "--json"});
    const auto json = nlohmann::json::parse(set.out);
    QCOMPARE(json.at("outcome").get<std::string>(), std::string("written"));
    QCOMPARE(json.at("switch").at("mode").get<std::string>(), std::string("shadow"));
    QCOMPARE(json.at("applied").at("of").get<int>(), 0);
    const Ran get = weirctl({"mode", "get", "--data-dir", dir, "--json"});
    QCOMPARE(nlohmann::json::parse(get.out).at("switch").at("version").get<int>(), 2);
    const Ran settings = weirctl({"settings", "get", "slow_factor", "--data-dir", dir, "--json"});
    QCOMPARE(nlohmann::json::parse(settings.out).dump(), std::string(R"({"slow_factor":3.0})"));
}

void TstCtlStore::refusesAnAgentThatIsLate()
{
    const auto store = openStore();
    wasHeardOf("88888888aaaaaaaa", 8);
    store::Heartbeat beat;
    beat.presence.agentId = "3f2a91c07be44d1a";
    beat.presence.service = "search";
    beat.presence.host = "here";
    beat.presence.effectiveMode = "fixed";
    beat.presence.switchVersion = 1;
    QVERIFY(store->heartbeat(beat).has_value());
    std::atomic<bool> over = false;
    std::thread agent([&] {
        while (!over) {
            static_cast<void>(store->heartbeat(beat));
            static_cast<void>(store->awaitChange(std::chrono::milliseconds{500}));
        }
    });
    const Ran ran = weirctl(
        {"mode", "set", "adaptive", "--reason", "x", "--data-dir", m_dir->path().toStdString()});
    over = true;
    store->wake();
    agent.join();
    QCOMPARE(ran.exit, 1);
    QVERIFY2(
        has(ran.err, "weirctl: Applied by 0/2 agents after ") &&
            has(ran.err, "; not yet by search@here (3f2a91c0…); not heard of for ") &&
            has(ran.err, ": search@here (88888888…).\n"),
        ran.err.c_str());
}

/// Stopped, cut off or dead: nobody knows until its grace is over, when it cannot be adaptive.
void TstCtlStore::countsAnAgentThatHasFallenSilent()
{
    const std::string dir = m_dir->path().toStdString();
    wasHeardOf("3f2a91c07be44d1a", 8);
    wasHeardOf("77777777aaaaaaaa", 16);
    const Ran get = weirctl({"mode", "get", "--data-dir", dir});
    QCOMPARE(get.exit, 0);
    QVERIFY2(has(get.out, "1/1 agents go by version 1.\n"), get.out.c_str());
    QVERIFY2(has(get.out, "Not heard of for "), get.out.c_str());
    QVERIFY2(has(get.out, ": search@here (3f2a91c0…).\n"), get.out.c_str());
}

void TstCtlStore::changesSettings()
{
    const auto store = openStore();
    const std::string dir = m_dir->path().toStdString();
    const Ran ran = weirctl(
        {"settings",
         "set",
         "slow_factor=4",
         "route.glm-5.2.baseten.enabled=false",
         "--reason",
         "try",
         "--data-dir",
         dir,
         "--agent",
         deadAgent()});
    QCOMPARE(ran.err, std::string());
    QCOMPARE(ran.exit, 0);
    QCOMPARE(
        ran.out,
        std::string("slow_factor  3 → 4\n"
                    "route.glm-5.2.baseten.enabled  true → false\n"
                    "The settings are version 2 now.\n"
                    "No agent runs; the next one that starts goes by it.\n"
                    "Every agent goes by the route's settings within 5 s.\n"));
    const auto decisions = store->readDecisions();
    QVERIFY(decisions.has_value());
    QCOMPARE(decisions->settings.number("slow_factor"), 4.0);
    QCOMPARE(decisions->routes.size(), 1U);
    QVERIFY(!decisions->routes.front().enabled);
    const Ran again =
        weirctl({"settings", "set", "slow_factor=4", "--reason", "try", "--data-dir", dir});
    QCOMPARE(again.out, std::string("Nothing to change: it stands so already.\n"));
    const Ran shown = weirctl({"settings", "get", "--data-dir", dir});
    QVERIFY2(has(shown.out, "slow_factor") && has(shown.out, "glm-5.2"), shown.out.c_str());
}

void TstCtlStore::refusesABadSetting()
{
    const auto store = openStore();
    const std::string dir = m_dir->path().toStdString();
    const Ran ran =
        weirctl({"settings", "set", "slow_factor=99", "--reason", "x", "--data-dir", dir});
    QCOMPARE(ran.exit, 2);
    QCOMPARE(
        ran.err,
        std::string("weirctl: slow_factor: must be a number between 1.5 and 20, not 99\n"));
    const Ran unknown = weirctl({"settings", "get", "slow_facter", "--data-dir", dir});
    QCOMPARE(unknown.exit, 2);
    QCOMPARE(
        unknown.err,
        std::string("weirctl: slow_facter: no such setting: did you mean slow_factor?\n"));
}

void TstCtlStore::readsTheLedger()
{
    const auto store = openStore();
    const std::string dir = m_dir->path().toStdString();
    const std::vector<CallRecord> records{
        call(1, Outcome::RateLimited, std::nullopt),
        call(2, Outcome::Ok, 999'999),
        call(3, Outcome::Ok, 2)};
    QVERIFY(store->ingest(records, "agent", {}).has_value());

    const Ran first = weirctl({"ledger", "query", "--limit", "2", "--json", "--data-dir", dir});
    QCOMPARE(first.exit, 0);
    const auto page = nlohmann::json::parse(first.out);
    QCOMPARE(page.at("rows").size(), 2U);
    QCOMPARE(page.at("rows").at(0).at("request_id").get<std::string>(), std::string("req-3"));
    QCOMPARE(page.at("totals").at("attempts").get<int>(), 3);
    QCOMPARE(page.at("totals").at("cost_micro_usd").get<int>(), 1'000'001);
    const auto next = page.at("next").get<std::string>();
    const Ran second =
        weirctl({"ledger", "query", "--limit", "2", "--after", next, "--json", "--data-dir", dir});
    const auto rest = nlohmann::json::parse(second.out);
    QCOMPARE(rest.at("rows").size(), 1U);
    QVERIFY(rest.at("next").is_null());

    const Ran people = weirctl({"ledger", "query", "--provider", "fireworks", "--data-dir", dir});
    QVERIFY2(has(people.out, "rate_limited") && !has(people.out, "baseten"), people.out.c_str());
    QVERIFY2(has(people.out, "$0.000002"), people.out.c_str());
    const Ran none = weirctl({"ledger", "query", "--until", "2020-01-01", "--data-dir", dir});
    QCOMPARE(none.out, std::string("No attempt matches.\n"));
}

QTEST_GUILESS_MAIN(TstCtlStore)
#include "tst_ctl_store.moc"
