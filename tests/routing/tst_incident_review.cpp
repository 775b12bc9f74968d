// SPDX-License-Identifier: Apache-2.0
#include "common/routing/incident_review.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;

namespace {

constexpr std::int64_t kTen = 1'796'032'800'000; // 2026-11-30T10:00Z
constexpr std::int64_t kMinute = 60'000;

Incident slowdown()
{
    Incident incident;
    incident.id = "INC-231";
    incident.kind = IncidentKind::Slowdown;
    incident.key = "glm/baseten/code";
    incident.onsetMs = kTen + 2 * kMinute;
    incident.detectedMs = kTen + 5 * kMinute;
    incident.peakMs = kTen + 9 * kMinute;
    incident.endMs = kTen + 125 * kMinute;
    incident.divertedCalls = 5400;
    incident.extraCostMicroUsd = 12'345'678;
    incident.events = {{kTen + 131'000, "onset", "first bad minute"}};
    return incident;
}

IncidentNote note(NoteSection section, const std::string& text, const std::string& who = "maria")
{
    IncidentNote note;
    note.id = text;
    note.section = section;
    note.atMs = kTen + 21 * kMinute;
    note.text = text;
    note.version = 1;
    note.createdBy = who;
    note.updatedBy = who;
    return note;
}

} // namespace

class TestIncidentReview final : public QObject
{
    Q_OBJECT

private slots:

    void hasEveryPart()
    {
        const QString text = QString::fromStdString(incidentReview(slowdown(), {}));
        qsizetype at = 0;
        for (const char* title :
             {"# INC-231: slowdown of glm/baseten/code",
              "## Overview",
              "## What happened",
              "## Contributing factors",
              "## Resolution",
              "## Impact",
              "## Responders",
              "## Timeline (UTC)",
              "## What went well",
              "## What did not go well",
              "## Action items"}) {
            const qsizetype found = text.indexOf(QString::fromLatin1(title), at);
            QVERIFY2(found >= at, title);
            at = found;
        }
        QVERIFY(text.contains("| Calls diverted | 5400 |"));
        QVERIFY(text.contains("| Extra cost | $12.3456 |"));
        QVERIFY(text.contains("- 2026-11-30T10:02:11Z onset: first bad minute\n"));
    }

    void whatOnlyPeopleKnowIsTodo()
    {
        QCOMPARE(missingParts({}).size(), 6U);
        const std::vector<IncidentNote> notes{
            note(NoteSection::Resolution, "they rolled back"),
            note(NoteSection::Timeline, "called support"),
            note(NoteSection::Action, "ask for an alert, jon, Friday")};
        ReviewFacts facts;
        facts.notes = notes;
        QCOMPARE(
            missingParts(facts),
            (std::vector<std::string>{
                "What happened",
                "Contributing factors",
                "What went well",
                "What did not go well"}));
        const QString text = QString::fromStdString(incidentReview(slowdown(), facts));
        QCOMPARE(text.count(kMissing.data()), 4);
        QVERIFY(text.contains("## Resolution\n\n- they rolled back (maria)\n"));
        QVERIFY(text.contains("- [ ] ask for an alert, jon, Friday (maria)\n"));
        QVERIFY(text.contains("- 2026-11-30T10:21:00Z called support (maria)\n"));
        QVERIFY(text.contains("## Responders\n\n- maria\n"));
    }

    /// Of everything, in the order of time, each with the way to its evidence.
    void timelineHasItsLinks()
    {
        const std::vector<ReviewLine> lines{
            {kTen, "adaptive ON, jon", "weir://settings/41"},
            {kTen + 20 * kMinute, "adaptive OFF, maria", "weir://settings/42"}};
        const std::vector<std::string> people{"maria", "jon"};
        ReviewFacts facts;
        facts.lines = lines;
        facts.people = people;
        facts.link = "weir://incidents/INC-231";
        const QString text = QString::fromStdString(incidentReview(slowdown(), facts));
        const QString on = "- 2026-11-30T10:00:00Z adaptive ON, jon (data: weir://settings/41)\n";
        QVERIFY(text.contains(on + "- 2026-11-30T10:02:11Z onset"));
        QVERIFY(text.contains("- jon\n- maria\n"));
        QVERIFY(text.contains("| Data | weir://incidents/INC-231 |"));
    }

    void wordsOfPeopleAreNoMarkup()
    {
        const std::vector<IncidentNote> notes{
            note(NoteSection::WhatHappened, "<b>![x](file:///etc/passwd)\n# no", "ma|ria")};
        ReviewFacts facts;
        facts.notes = notes;
        const QString text = QString::fromStdString(incidentReview(slowdown(), facts));
        QVERIFY(!text.contains("<b>") || text.contains("\\<b\\>"));
        QVERIFY(!text.contains("\n# no"));
        QVERIFY(text.contains("!\\[x\\]"));
        QVERIFY(text.contains("(ma\\|ria)"));
    }
};

QTEST_APPLESS_MAIN(TestIncidentReview)
#include "tst_incident_review.moc"
