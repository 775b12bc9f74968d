// SPDX-License-Identifier: Apache-2.0
#include "common/routing/incident_report.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;

namespace {

constexpr std::int64_t kTen = 1'796'032'800'000; // 2026-11-30T10:00Z
constexpr std::int64_t kMinute = 60'000;

Incident slowdown()
{
    Incident incident;
    incident.id = "0123456789ab";
    incident.kind = IncidentKind::Slowdown;
    incident.key = "glm/baseten/code";
    incident.onsetMs = kTen + 2 * kMinute;
    incident.detectedMs = kTen + 5 * kMinute;
    incident.peakMs = kTen + 9 * kMinute;
    incident.endMs = kTen + 125 * kMinute;
    incident.count = 2;
    incident.divertedCalls = 5400;
    incident.userFailures = 3;
    incident.extraCostMicroUsd = 12'345'678;
    incident.events = {
        {kTen + 2 * kMinute, "onset", "first bad minute"},
        {kTen + 5 * kMinute, "detected", "TTFT x2.8 of its 48 h mean"},
        {kTen + 9 * kMinute, "peak", "TTFT x3.1"},
        {kTen + 7 * kMinute, "leader_change", "glm/code: baseten -> fireworks (slow3x)"}};
    return incident;
}

} // namespace

class TestIncidentReport final : public QObject
{
    Q_OBJECT

private slots:
    void readsAsAPage();
    void openIncident();
    void engineersAndMarkup();
    void listsItsGroup();
};

void TestIncidentReport::readsAsAPage()
{
    QCOMPARE(
        QString::fromStdString(incidentReport(slowdown())),
        R"(# slowdown of glm/baseten/code since 2026-11-30T10:02:00Z, 2 h 3 min

First tokens came much later than over the 48 hours before.

| | |
|---|---|
| Incident | 0123456789ab |
| Where | glm/baseten/code |
| First bad minute | 2026-11-30T10:02:00Z |
| Found after | 3 min |
| Peak | 2026-11-30T10:09:00Z, TTFT x3.1 |
| End | 2026-11-30T12:05:00Z |
| Lasted | 2 h 3 min |
| Times opened | 2 |
| Calls diverted | 5400 |
| Failures that users saw | 3 |
| Extra cost | $12.3456 |

## Timeline (UTC)

- 2026-11-30T10:02:00Z onset: first bad minute
- 2026-11-30T10:05:00Z detected: TTFT x2.8 of its 48 h mean
- 2026-11-30T10:07:00Z leader\_change: glm/code: baseten -\> fireworks (slow3x)
- 2026-11-30T10:09:00Z peak: TTFT x3.1

## What an engineer did

none
)");
}

void TestIncidentReport::openIncident()
{
    Incident incident = slowdown();
    incident.endMs.reset();
    const QString text = QString::fromStdString(incidentReport(incident));
    QVERIFY(
        text.startsWith("# slowdown of glm/baseten/code since 2026-11-30T10:02:00Z, still open"));
    QVERIFY(text.contains("| End | still open |"));
    QVERIFY(!text.contains("Lasted"));
}

void TestIncidentReport::engineersAndMarkup()
{
    Incident incident = slowdown();
    incident.events.push_back({kTen, "engineer", "locked `baseten`\n# <b>ann</b>"});
    const QString text = QString::fromStdString(incidentReport(incident));
    QVERIFY(text.endsWith("## What an engineer did\n\n- 2026-11-30T10:00:00Z engineer: locked "
                          "\\`baseten\\` \\# \\<b\\>ann\\</b\\>\n"));
}

void TestIncidentReport::listsItsGroup()
{
    Incident outage = slowdown();
    outage.id = "aaaaaaaaaaaa";
    outage.kind = IncidentKind::Outage;
    Incident slow = slowdown();
    slow.parent = outage.id;
    Incident stranger = slowdown();
    stranger.id = "bbbbbbbbbbbb";
    const std::vector<Incident> all{outage, slow, stranger};
    const QString ofSlow = QString::fromStdString(incidentReport(slow, all));
    QVERIFY(ofSlow.contains("(aaaaaaaaaaaa, heads the group)"));
    QVERIFY(!ofSlow.contains("bbbbbbbbbbbb"));
    const QString ofOutage = QString::fromStdString(incidentReport(outage, all));
    QVERIFY(ofOutage.contains("2 h 3 min (0123456789ab)\n"));
    QVERIFY(!QString::fromStdString(incidentReport(stranger, all)).contains("same group"));
}

QTEST_APPLESS_MAIN(TestIncidentReport)
#include "tst_incident_report.moc"
