// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/header_state.h"
#include "tests/app/support/samples.h"

#include <QTest>

using namespace weir;
using namespace weir::model;
using test::agentRow;
using test::sampleTime;

namespace {

struct Agent
{
    EffectiveMode mode;
    const char* reason = "switch";
};

Fleet fleetOf(const std::vector<Agent>& agents)
{
    Fleet fleet;
    std::vector<AgentStateRow> rows;
    for (std::size_t i = 0; i < agents.size(); ++i) {
        rows.push_back(
            agentRow("agent-" + std::to_string(i + 1), agents[i].mode, 42, sampleTime()));
        rows.back().modeReason = agents[i].reason;
    }
    fleet.hear(rows, sampleTime());
    return fleet;
}

HeaderFacts facts()
{
    HeaderFacts facts;
    facts.row = test::switchRow(Mode::Fixed, 42, "maria", sampleTime() - std::chrono::minutes{12});
    facts.summaryAgeS = 960.0;
    facts.listeningSince = sampleTime() - std::chrono::seconds{15};
    return facts;
}

constexpr auto kAdaptive = EffectiveMode::Adaptive;
constexpr auto kFixed = EffectiveMode::Fixed;
constexpr auto kFailsafe = EffectiveMode::Failsafe;

} // namespace

Q_DECLARE_METATYPE(std::vector<Agent>)

class TestConsoleHeader final : public QObject
{
    Q_OBJECT

private slots:

    void pillSaysWhatAgentsReport_data()
    {
        QTest::addColumn<std::vector<Agent>>("agents");
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("glyph");
        const auto row =
            [](const char* name, std::vector<Agent> agents, const char* text, Glyph glyph) {
                QTest::newRow(name)
                    << std::move(agents) << QString::fromUtf8(text) << static_cast<int>(glyph);
            };
        row("adaptive", {{kAdaptive}, {kAdaptive}}, "ADAPTIVE", Glyph::Disc);
        row("off", {{kFixed}}, "FIXED ORDER · switched off by maria 12 m", Glyph::Square);
        row("stale summary",
            {{kFailsafe, "summary_old"}},
            "FIXED ORDER · summary 16 m old",
            Glyph::Square);
        row("no summary",
            {{kFailsafe, "no_summary"}},
            "FIXED ORDER · no summary yet",
            Glyph::Square);
        row("unreadable",
            {{kFailsafe, "settings_unreadable"}},
            "FIXED ORDER · switch unreadable",
            Glyph::Square);
        row("missing row",
            {{kFailsafe, "switch_missing"}},
            "FIXED ORDER · switch unreadable",
            Glyph::Square);
        row("worst reason first",
            {{kFixed}, {kFailsafe, "settings_unreadable"}},
            "FIXED ORDER · switch unreadable",
            Glyph::Square);
        row("mixed",
            {{kAdaptive},
             {kAdaptive},
             {kAdaptive},
             {kAdaptive},
             {kAdaptive},
             {kFixed},
             {kFailsafe}},
            "MIXED 5 adaptive / 2 fixed",
            Glyph::HalfSquare);
        row("silence", {}, "UNKNOWN · no agent heard for 15 s", Glyph::Circle);
    }

    void pillSaysWhatAgentsReport()
    {
        QFETCH(std::vector<Agent>, agents);
        QFETCH(QString, text);
        QFETCH(int, glyph);
        const HeaderState state = headerState(fleetOf(agents), facts(), sampleTime());
        QCOMPARE(state.text(), text);
        QCOMPARE(static_cast<int>(state.glyph), glyph);
        QVERIFY(text.startsWith(state.word));
    }

    void silentAgentsAreCountedButNotBelieved()
    {
        Fleet fleet = fleetOf({{kAdaptive}, {kFixed}});
        const UtcTime later = sampleTime() + std::chrono::seconds{16};
        fleet.hear({agentRow("agent-1", kAdaptive, 42, later)}, later);
        const HeaderState state = headerState(fleet, facts(), later);
        QCOMPARE(state.text(), QStringLiteral("ADAPTIVE"));
        QCOMPARE(state.agents, QStringLiteral("1/2 agents"));
        QVERIFY(!state.isEveryAgentHeard);
    }

    void aSkewedClockKeepsNobodyAlive()
    {
        Fleet fleet;
        const auto ahead = agentRow("agent-1", kAdaptive, 42, sampleTime() + std::chrono::hours{1});
        fleet.hear({ahead}, sampleTime());
        const UtcTime later = sampleTime() + std::chrono::seconds{16};
        fleet.hear({ahead}, later);
        QVERIFY(fleet.heard(later).empty());
        // One an hour behind is alive as long as its heartbeat moves.
        const UtcTime behind = sampleTime() - std::chrono::hours{1};
        fleet.hear({agentRow("agent-2", kAdaptive, 42, behind)}, later);
        QVERIFY(fleet.heard(later).empty());
        fleet.hear({agentRow("agent-2", kAdaptive, 42, behind + std::chrono::seconds{1})}, later);
        QCOMPARE(fleet.heard(later).size(), std::size_t{1});
    }

    void anAgentsAnswerCountsMoreThanItsOlderRow()
    {
        Fleet fleet = fleetOf({{kAdaptive}});
        AgentStatus status = test::sampleStatus();
        status.switchVersion = 43;
        const UtcTime later = sampleTime() + std::chrono::seconds{2};
        fleet.hear(status, later);
        const HeaderState state = headerState(fleet, facts(), later);
        QCOMPARE(state.word, QStringLiteral("FIXED ORDER"));
        QCOMPARE(state.version, QStringLiteral("v43"));
        // The row in the console's hand is of another version: no name is put to it.
        QCOMPARE(state.detail, QStringLiteral("switched off"));
    }

    void theFirstRowWasTurnedOffByNobody()
    {
        HeaderFacts known = facts();
        known.row->version = 1;
        known.row->updatedBy = "weir-agent";
        Fleet fleet;
        fleet.hear({agentRow("agent-1", kFixed, 1, sampleTime())}, sampleTime());
        QCOMPARE(
            headerState(fleet, known, sampleTime()).text(),
            QStringLiteral("FIXED ORDER · not turned on yet"));
    }

    void namesFromOutsideCannotTurnTheTextAround()
    {
        HeaderFacts known = facts();
        known.row->updatedBy = "ma\u202Eria\n<b>x</b>";
        const HeaderState state = headerState(fleetOf({{kFixed}}), known, sampleTime());
        QVERIFY(!state.detail.contains(QChar(0x202E)));
        QVERIFY(!state.detail.contains(QChar('\n')));
        QVERIFY(state.detail.contains(QStringLiteral("<b>x</b>")));
    }
};

QTEST_APPLESS_MAIN(TestConsoleHeader)
#include "tst_console_header.moc"
