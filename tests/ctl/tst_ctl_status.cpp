// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/status_view.h"
#include "common/model/status_json.h"

#include <QFile>
#include <QTest>

using namespace weir;
using namespace weir::ctl;

/// What `status` and `top` make of a recorded status.
class TstCtlStatus : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void showsEverythingWide();
    void fitsEveryWidth_data();
    void fitsEveryWidth();
    void keepsWhatMattersWhenNarrow();
    void coloursWhatMatters();
    void saysHowManyLinesAreHidden();
    void saysThatItIsStale();
    void waitsForTheFirstSnapshot();
    void isPlainWhenAllIsWell();
    void letsNoEscapeSequenceThrough();

private:
    AgentStatus m_status;
};

namespace {

std::string plain(const std::vector<Line>& lines)
{
    std::string text;
    for (const Line& line : lines)
        text += toText(line, Paint::Plain) + '\n';
    return text;
}

bool has(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

void TstCtlStatus::initTestCase()
{
    QFile file(QStringLiteral(WEIR_STATUS_SAMPLE));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const Result<AgentStatus> status = statusFromJson(file.readAll().toStdString());
    QVERIFY(status.has_value());
    m_status = *status;
}

void TstCtlStatus::showsEverythingWide()
{
    const QString shown = QString::fromStdString(plain(statusLines(m_status, kUnlimited)));
    const QString expected = QStringLiteral(
        " FAILSAFE   there is no summary yet, though the switch says adaptive  switch v4 by ada 12 "
        "min ago  “evening load”\n"
        "code-review@build-7 · weir 0.1.0 · 44 req/s · 17 clients · store ok · redis none · ledger "
        "backlog 3 · settings v7 · 1/2 agents on v4\n"
        "! no_credit coreweave/glm-5.2  the provider says that its credit is used up  for 42 s\n"
        "\n"
        "  PROVIDER   ROUTE                              STATE                   SHARE  REQ/S  "
        "ERRORS  429  TTFT p50     p95  TOK/S  IN FLIGHT   COST/MIN  TOK/EST\n"
        "glm-5.2\n"
        "▸ baseten    zai-org/GLM-5.2@us                 ready                    93 %     41   "
        "0.4 %    2    640 ms   1.2 s     71         17  $0.021300     ≤1.3\n"
        "  fireworks  accounts/fireworks/models/glm-5p2  probing                 7.0 %    3.1    "
        "25 %    0     2.3 s    15 s     38          1          –     ≤2.0\n"
        "  coreweave  glm-5.2                            benched 42 s no_credit    0 %      0      "
        " –    0         –       –      –          0  $0.000000        –\n"
        "kimi-k3\n"
        "  baseten    moonshotai/Kimi-K3                 off                         –      0      "
        " –    0         –       –      –          0          –        –\n"
        "\n"
        "AGENT             SERVICE      HOST     MODE                               SWITCH  "
        "SETTINGS       SEEN\n"
        "3f2a91c07be44d1a  code-review  build-7  failsafe: there is no summary yet      v4        "
        "v7  0.4 s ago\n"
        "77aa01            search       build-9  fixed                                  v3        "
        "v7  7.0 s ago\n");
    QCOMPARE(shown, expected);
}

void TstCtlStatus::fitsEveryWidth_data()
{
    QTest::addColumn<int>("width");
    for (const int width : {1, 10, 20, 40, 60, 80, 100, 120, 132, 160, 200}) {
        QTest::newRow(qPrintable(QString::number(width))) << width;
    }
}

void TstCtlStatus::fitsEveryWidth()
{
    QFETCH(int, width);
    const auto cells = static_cast<std::size_t>(width);
    for (const Line& line : topLines(m_status, {9.0, "gone"}, cells, 100)) {
        QVERIFY2(cellsOf(line) <= cells, toText(line, Paint::Plain).c_str());
    }
}

void TstCtlStatus::keepsWhatMattersWhenNarrow()
{
    const std::string shown = plain(routeLines(m_status, 80));
    for (const char* part : {"PROVIDER", "STATE", "SHARE", "REQ/S", "ERRORS", "TTFT p50"}) {
        QVERIFY2(has(shown, part), (std::string{part} + " is missing in\n" + shown).c_str());
    }
    QVERIFY(!has(shown, "TOK/S"));
    const std::string tiny = plain(routeLines(m_status, 40));
    QVERIFY2(has(tiny, "benched 42 s") && has(tiny, "REQ/S"), tiny.c_str());
}

void TstCtlStatus::coloursWhatMatters()
{
    std::string shown;
    for (const Line& line : statusLines(m_status, kUnlimited))
        shown += toText(line, Paint::Ansi) + '\n';
    QVERIFY(has(shown, "\x1b[1;97;41m FAILSAFE \x1b[0m"));
    QVERIFY(has(shown, "\x1b[32mready\x1b[0m"));
    QVERIFY(has(shown, "\x1b[33mprobing\x1b[0m"));
    QVERIFY(has(shown, "\x1b[1;31mbenched 42 s no_credit\x1b[0m"));
    QVERIFY(has(shown, "\x1b[2moff\x1b[0m"));
}

void TstCtlStatus::saysHowManyLinesAreHidden()
{
    const std::size_t all = topLines(m_status, {}, 120, 100).size();
    QCOMPARE(topLines(m_status, {}, 120, all).size(), all);
    const std::vector<Line> cut = topLines(m_status, {}, 120, all - 1);
    QCOMPARE(cut.size(), all - 1);
    QCOMPARE(toText(cut.back(), Paint::Plain), std::string("… 2 more lines"));
    QCOMPARE(topLines(m_status, {}, 120, 1).size(), 1U);
}

void TstCtlStatus::saysThatItIsStale()
{
    QVERIFY(!has(plain(topLines(m_status, {2.9, ""}, 120, 100)), "STALE"));
    QVERIFY(has(plain(topLines(m_status, {3.1, ""}, 120, 100)), "STALE 3.1 s"));
    const std::string gone = plain(topLines(m_status, {12.0, "nothing listens there"}, 120, 100));
    QVERIFY2(has(gone, " STALE 12 s   nothing listens there; reconnecting"), gone.c_str());
    QVERIFY2(has(gone, "▸ baseten"), "what was known last stays to be seen");
}

void TstCtlStatus::waitsForTheFirstSnapshot()
{
    QCOMPARE(
        plain(topLines(std::nullopt, {}, 80, 24)),
        std::string(" NO DATA   waiting for the first snapshot\n"));
    QCOMPARE(
        plain(topLines(std::nullopt, {1.0, "nothing listens there"}, 80, 24)),
        std::string(" NO DATA   nothing listens there; trying again\n"));
}

void TstCtlStatus::isPlainWhenAllIsWell()
{
    AgentStatus status;
    status.service = "search";
    status.host = "a";
    status.version = "1";
    status.mode = Mode::Adaptive;
    status.effectiveMode = EffectiveMode::Adaptive;
    status.modeReason = "switch";
    status.switchVersion = 2;
    status.agents.resize(1);
    QCOMPARE(
        plain(statusLines(status, kUnlimited)),
        std::string(
            " ADAPTIVE   switch v2\n"
            "search@a · weir 1 · 0 req/s · 0 clients · store ok · redis none · ledger backlog 0 · "
            "settings v0 · 1 agent\n"
            "\n"
            "no model is configured\n"));
    AgentStatus unread;
    QVERIFY(
        has(plain(headerLines(unread, kUnlimited)), "the switch says nothing  switch never read"));
}

void TstCtlStatus::letsNoEscapeSequenceThrough()
{
    AgentStatus status = m_status;
    const std::string bad = "\x1b]0;owned\x07\r\n";
    status.switchReason = status.switchBy = status.service = status.host = status.version = bad;
    status.modeReason = status.store = status.redis = bad;
    status.alerts.front() = {bad, bad, {}, bad};
    status.drills.emplace_back();
    Drill& drill = status.drills.front().drill;
    drill.id = drill.model = drill.provider = drill.reason = bad;
    AgentPresence& agent = status.agents.front();
    agent.agentId = agent.service = agent.host = agent.version = bad;
    agent.effectiveMode = agent.modeReason = agent.store = agent.redis = bad;
    status.models.front().name = bad;
    status.models.front().routes.front().provider = bad;
    status.models.front().routes.front().route = bad;
    status.models.front().routes.front().gate = bad;
    status.models.front().routes.back().benchReason = bad;
    for (const Line& line : topLines(status, {9.0, bad}, kUnlimited, 100)) {
        QVERIFY(toText(line, Paint::Plain).find_first_of("\x1b\x07\r\n") == std::string::npos);
    }
}

QTEST_APPLESS_MAIN(TstCtlStatus)
#include "tst_ctl_status.moc"
