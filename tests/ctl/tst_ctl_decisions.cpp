// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sqlite_store.h"
#include "common/model/saved_decision.h"
#include "common/routing/decide.h"
#include "tests/ctl/run.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::ctl;

namespace {

SavedDecision decided(EffectiveMode mode)
{
    SavedDecision saved;
    saved.providers = {"baseten", "fireworks"};
    DecisionInput& input = saved.served.input;
    input.mode = mode;
    input.nowMs = epochMs(kNow);
    input.seed = 7;
    input.routes.resize(2);
    input.routes[1].fixedPosition = 1;
    saved.served.decision = routing::decide({}, input);
    if (mode != EffectiveMode::Shadow) return saved;
    saved.shadow = saved.served;
    saved.shadow->input.mode = EffectiveMode::Adaptive;
    saved.shadow->input.sort = SortBy::Price;
    saved.shadow->input.routes[0].listPriceNanoUsd = 900;
    saved.shadow->input.routes[1].listPriceNanoUsd = 100;
    saved.shadow->decision = routing::decide({}, saved.shadow->input);
    return saved;
}

CallRecord record(int number, const SavedDecision& saved)
{
    CallRecord call;
    call.requestId = "req-" + std::to_string(number);
    call.startedAt = kNow - std::chrono::minutes{number};
    call.model = "glm";
    call.taskType = "default";
    call.provider = "baseten";
    call.route = "baseten/x";
    call.decision = encode(saved);
    return call;
}

} // namespace

class TestCtlDecisions final : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        store::SqliteOptions options;
        options.path = m_dir->filePath("weir.db").toStdString();
        options.host = "here";
        options.now = kNow;
        auto opened = store::openSqlite(options);
        if (!opened) qFatal("%s", opened.error().text().c_str());
        m_store = std::move(*opened);
    }

    void cleanup() { m_store.reset(); }

    void replaysWhatWasSaved()
    {
        add({record(1, decided(EffectiveMode::Fixed)), record(2, decided(EffectiveMode::Shadow))});
        const Ran ran = run({"decisions", "replay", "--json"});
        QCOMPARE(ran.exit, 0);
        const auto json = nlohmann::json::parse(ran.out);
        QCOMPARE(json.at("decisions").get<int>(), 2);
        QCOMPARE(json.at("mismatches").get<int>(), 0);
        QCOMPARE(json.at("first_choice").at("baseten").at("was").get<int>(), 2);
        QVERIFY(!json.contains("changed"));
    }

    /// A record that says something else than the rules do, and one whose summary is gone.
    void reportsWhatDoesNotReplay()
    {
        SavedDecision wrong = decided(EffectiveMode::Fixed);
        std::swap(wrong.served.decision.candidates[0], wrong.served.decision.candidates[1]);
        SavedDecision lost = decided(EffectiveMode::Fixed);
        lost.served.snapshotId = "gone";
        add({record(1, wrong), record(2, lost), record(3, decided(EffectiveMode::Fixed))});
        const Ran ran = run({"decisions", "replay", "--json"});
        QCOMPARE(ran.exit, 1);
        const auto json = nlohmann::json::parse(ran.out);
        QCOMPARE(json.at("decisions").get<int>(), 3);
        QCOMPARE(json.at("mismatches").get<int>(), 1);
        QCOMPARE(json.at("unreadable").get<int>(), 1);
        QCOMPARE(json.at("request_ids").size(), 2U);
        QVERIFY(has(run({"decisions", "replay"}).out, "req-1"));
        QCOMPARE(run({"decisions", "replay", "--since", "30s"}).exit, 0);
    }

    void asksWhatWouldHaveBeen()
    {
        add({record(1, decided(EffectiveMode::Fixed))});
        const Ran ran = run({"decisions", "replay", "--set", "slow_factor=2", "--json"});
        QCOMPARE(ran.exit, 0);
        QVERIFY(nlohmann::json::parse(ran.out).contains("changed"));
        const Ran bad = run({"decisions", "replay", "--set", "slow_factor=900"});
        QCOMPARE(bad.exit, 2);
        QVERIFY2(has(bad.err, "slow_factor"), bad.err.c_str());
    }

    void countsAgreement()
    {
        add({record(1, decided(EffectiveMode::Shadow)), record(2, decided(EffectiveMode::Fixed))});
        const auto json = nlohmann::json::parse(run({"decisions", "agreement", "--json"}).out);
        QCOMPARE(json.at("decisions").get<int>(), 1);
        QCOMPARE(json.at("agreed").get<int>(), 0);
        QCOMPARE(json.at("first_choice").at("fireworks").at("shadow").get<int>(), 1);
        QCOMPARE(json.at("first_choice").at("baseten").at("fixed").get<int>(), 1);
    }

    void showsWhy()
    {
        add({record(1, decided(EffectiveMode::Fixed))});
        const Ran people = run({"decisions", "show", "req-1"});
        QCOMPARE(people.exit, 0);
        QVERIFY2(has(people.out, "baseten") && has(people.out, "fireworks"), people.out.c_str());
        const auto json = nlohmann::json::parse(run({"decisions", "show", "req-1", "--json"}).out);
        QCOMPARE(json.at("explanation").at("routes").size(), 2U);
        const Ran none = run({"decisions", "show", "req-9"});
        QCOMPARE(none.exit, 1);
        QVERIFY(has(none.err, "req-9"));
    }

    void listsTheNewestFirst()
    {
        CallRecord second = record(2, decided(EffectiveMode::Shadow));
        CallRecord without = record(3, decided(EffectiveMode::Fixed));
        without.decision.clear();
        add({record(1, decided(EffectiveMode::Fixed)), second, without});
        const auto json = nlohmann::json::parse(run({"decisions", "list", "--json"}).out);
        QCOMPARE(json.at("decisions").size(), 2U);
        QCOMPARE(
            json["decisions"][0]["order"].get<std::string>(), std::string{"baseten > fireworks"});
        QCOMPARE(
            json["decisions"][1]["shadow_order"].get<std::string>(),
            std::string{"fireworks > baseten"});
        QCOMPARE(
            nlohmann::json::parse(run({"decisions", "list", "--limit", "1", "--json"}).out)
                .at("decisions")
                .size(),
            1U);
        QVERIFY(has(run({"decisions", "list"}).out, "req-2"));
    }

    void showsIncidents()
    {
        Incident incident;
        incident.id = "outage-1";
        incident.kind = IncidentKind::Outage;
        incident.key = "glm/baseten";
        incident.onsetMs = incident.detectedMs = incident.peakMs = epochMs(kNow) - 60'000;
        incident.userFailures = 3;
        incident.events = {{incident.onsetMs, "onset", "9 of 9 failed"}};
        const auto lease = m_store->takeLease("summary", "agent-1", std::chrono::hours{1}).value();
        QVERIFY(m_store->saveIncidents({&incident, 1}, lease.value()));
        const auto json = nlohmann::json::parse(run({"incidents", "list", "--json"}).out);
        QCOMPARE(json["incidents"][0]["kind"].get<std::string>(), std::string{"outage"});
        QVERIFY(json["incidents"][0]["end"].is_null());
        QVERIFY(has(run({"incidents", "list", "--open"}).out, "glm/baseten"));
        QVERIFY(has(run({"incidents", "show", "outage-1"}).out, "9 of 9 failed"));
        QCOMPARE(run({"incidents", "show", "outage-2"}).exit, 1);
        const Ran lines = run({"incidents", "export"});
        QCOMPARE(nlohmann::json::parse(lines.out)["user_failures"].get<int>(), 3);
        QCOMPARE(run({"incidents"}).exit, 2);
    }

private:
    void add(const std::vector<CallRecord>& records)
    {
        QVERIFY(m_store->ingest(records, "agent", {}));
    }

    [[nodiscard]] Ran run(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.end(), {"--data-dir", m_dir->path().toStdString()});
        return weirctl(arguments);
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<store::Database> m_store;
};

QTEST_APPLESS_MAIN(TestCtlDecisions)
#include "tst_ctl_decisions.moc"
