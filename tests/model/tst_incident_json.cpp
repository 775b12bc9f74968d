// SPDX-License-Identifier: Apache-2.0
#include "common/model/incident_json.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace weir;

namespace {

/// Every field differs from its default.
Incident fullIncident()
{
    Incident incident;
    incident.id = "0123456789ab";
    incident.kind = IncidentKind::UnloadedRateLimit;
    incident.key = "glm/baseten";
    incident.model = "glm";
    incident.provider = "baseten";
    incident.taskType = "code \"review\"";
    incident.onsetMs = 1'796'032'800'001;
    incident.detectedMs = 1'796'032'860'000;
    incident.peakMs = -1;
    incident.endMs = INT64_MAX;
    incident.count = 3;
    incident.parent = "ba9876543210";
    incident.divertedCalls = INT64_MIN;
    incident.userFailures = 7;
    incident.extraCostMicroUsd = 9'007'199'254'740'993; // no double holds it
    incident.events = {{1, "onset", ""}, {2, "peak", "43.0 % \xE2\x86\x92 limited\n"}};
    return incident;
}

} // namespace

class TestIncidentJson final : public QObject
{
    Q_OBJECT

private slots:
    void roundTrip();
    void everyKindHasAWord();
    void refusesWhatIsNoIncident_data();
    void refusesWhatIsNoIncident();
};

void TestIncidentJson::roundTrip()
{
    Incident open = fullIncident();
    open.endMs.reset();
    open.parent.clear();
    open.events.clear();
    for (const Incident& incident : {fullIncident(), open}) {
        const auto back = incidentFromJson(toJson(incident).dump());
        QVERIFY(back.has_value());
        QVERIFY(*back == incident);
    }
    const std::vector<Incident> both{fullIncident(), open};
    const auto back = incidentsFromJson(toJson(both).dump());
    QVERIFY(back.has_value());
    QVERIFY(*back == both);
    QVERIFY(toJson(open)["end_ms"].is_null());
    QVERIFY(toJson(open)["parent"].is_null());
}

void TestIncidentJson::everyKindHasAWord()
{
    for (int i = 0; i <= static_cast<int>(IncidentKind::BudgetBurn); ++i) {
        Incident incident = fullIncident();
        incident.kind = static_cast<IncidentKind>(i);
        QVERIFY(incidentFromJson(toJson(incident).dump()).value() == incident);
    }
}

void TestIncidentJson::refusesWhatIsNoIncident_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::newRow("no text") << ""
                             << "";
    QTest::newRow("kind of no incident") << "kind"
                                         << "\"thunder\"";
    QTest::newRow("fraction") << "onset_ms"
                              << "1.5";
    QTest::newRow("text for a number") << "user_failures"
                                       << "\"7\"";
    QTest::newRow("too large") << "peak_ms"
                               << "9223372036854775808";
    QTest::newRow("never opened") << "count"
                                  << "0";
    QTest::newRow("no events") << "events"
                               << "[1]";
    QTest::newRow("null") << "id"
                          << "null";
}

void TestIncidentJson::refusesWhatIsNoIncident()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    std::string text;
    if (!key.isEmpty()) {
        auto json = toJson(fullIncident());
        json[key.toStdString()] = nlohmann::ordered_json::parse(value.toStdString());
        text = json.dump();
    }
    const auto read = incidentFromJson(text);
    QVERIFY(!read.has_value());
    QCOMPARE(read.error().code, std::string{"bad_incident"});
    QVERIFY(!read.error().detail.empty());
}

QTEST_APPLESS_MAIN(TestIncidentJson)
#include "tst_incident_json.moc"
