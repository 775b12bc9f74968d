// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/answer.h"
#include "agent/protocol/stream_reader.h"
#include "agent/protocol/translate_answer.h"
#include "tests/protocol/answer_mutation.h"
#include "tests/protocol/golden_answer.h"
#include "tests/protocol/padded.h"
#include "tests/protocol/stream_promises.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace weir;
using namespace weir::protocol;
using golden::AnswerCase;

namespace {

constexpr UtcTime kNow{std::chrono::seconds{1796032800}};

void rowsOf(const char* folder)
{
    QTest::addColumn<QString>("path");
    const QDir dir(QString(WEIR_GOLDEN) + "/" + folder);
    const QStringList files = dir.entryList({"*.txt"}, QDir::Files, QDir::Name);
    QVERIFY(!files.isEmpty());
    for (const QString& file : files)
        QTest::newRow(qPrintable(file)) << dir.filePath(file);
}

AnswerCase caseOf(const QString& path)
{
    QFile file(path);
    const bool isOpen = file.open(QIODevice::ReadOnly);
    AnswerCase golden = golden::readAnswerCase(file.readAll().toStdString());
    if (!isOpen) golden.fault = "cannot be opened";
    return golden;
}

/// Without the line end of the file's section.
std::string_view document(std::string_view section)
{
    if (section.ends_with('\n')) section.remove_suffix(1);
    return section;
}

/// What can be seen of a stream that came in pieces.
struct Seen
{
    std::string bytes;
    std::string outcome;
    std::string finish;
    std::string usage;
    std::int64_t outputEvents = 0;
    bool hasOutput = false;

    bool operator==(const Seen&) const = default;
};

class Watcher final
{
public:
    explicit Watcher(const AnswerCase& golden)
        : m_reader(golden.upstream, golden.options())
    {
    }

    void feed(std::string_view piece)
    {
        const std::string copy{piece};
        m_reader.feed(copy, kNow, m_relay);
        take();
    }

    Seen end()
    {
        m_reader.atEnd(kNow, m_relay);
        if (m_reader.isComplete() && !m_reader.failure()) m_reader.finish(m_relay);
        take();
        m_seen.outcome = m_reader.isComplete() ? "complete" : "broken";
        if (m_reader.failure()) m_seen.outcome = toWord(m_reader.failure()->outcome);
        m_seen.finish = m_reader.finishReason();
        m_seen.usage = golden::shownUsage(m_reader.usage());
        m_seen.outputEvents = m_reader.outputEvents();
        m_seen.hasOutput = m_reader.hasOutput();
        return m_seen;
    }

private:
    void take()
    {
        for (const std::string_view piece : m_relay)
            m_seen.bytes += piece;
        m_relay.clear();
    }

    StreamReader m_reader;
    std::vector<std::string_view> m_relay;
    Seen m_seen;
};

Seen inOnePiece(const AnswerCase& golden)
{
    Watcher watcher{golden};
    watcher.feed(golden.upstreamBytes);
    return watcher.end();
}

} // namespace

class TestGoldenAnswers : public QObject
{
    Q_OBJECT

private slots:

    void answers_data() { rowsOf("answers"); }

    void answers();

    void streams_data() { rowsOf("streams"); }

    void streams();

    void splits_data() { rowsOf("streams"); }

    void splits();

    void mutations_data() { rowsOf("streams"); }

    void mutations();
};

void TestGoldenAnswers::answers()
{
    QFETCH(QString, path);
    const AnswerCase golden = caseOf(path);
    QVERIFY2(!golden.fault, golden.fault.value_or("").c_str());
    const Padded body{document(golden.upstreamBytes)};
    const AnswerFacts facts = readAnswer(golden.upstream, body.view(), kNow);
    std::string client{body.view()};
    Outcome outcome = facts.outcome;
    if (golden.isTranslated() && !facts.failure) {
        const auto translated = translateAnswer(protocolOf(golden.upstream), body.view(), kNow);
        client = translated.value_or("");
        if (!translated) outcome = translated.error().outcome;
    }
    QCOMPARE(shown(toWord(outcome)), shown(golden.outcome));
    const bool isAnswer = isSuccess(outcome) || outcome == Outcome::Refused;
    if (isAnswer) QCOMPARE(shown(client), shown(document(golden.clientBytes)));
    QVERIFY(!isAnswer || promises::isJson(client));
    QCOMPARE(shown(facts.finishReason), shown(golden.finish));
    QCOMPARE(shown(golden::shownUsage(facts.usage)), shown(golden.usage));
}

void TestGoldenAnswers::streams()
{
    QFETCH(QString, path);
    const AnswerCase golden = caseOf(path);
    QVERIFY2(!golden.fault, golden.fault.value_or("").c_str());
    const Seen seen = inOnePiece(golden);
    QCOMPARE(shown(seen.bytes), shown(golden.clientBytes));
    QVERIFY(seen.bytes == golden.clientBytes);
    QCOMPARE(shown(seen.outcome), shown(golden.outcome));
    QCOMPARE(shown(seen.finish), shown(golden.finish));
    QCOMPARE(shown(seen.usage), shown(golden.usage));
    QCOMPARE(QString::number(seen.outputEvents), shown(golden.output));
    QCOMPARE(seen.hasOutput, seen.outputEvents > 0);
    if (!golden.isTranslated()) return;
    const auto broken = promises::broken(golden.client, seen.bytes, golden.outcome == "complete");
    QVERIFY2(!broken, broken.value_or("").c_str());
}

// Wire cases B048, B056: however the bytes are cut, the client gets the same.
void TestGoldenAnswers::splits()
{
    QFETCH(QString, path);
    const AnswerCase golden = caseOf(path);
    const Seen whole = inOnePiece(golden);
    const std::string_view bytes = golden.upstreamBytes;
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        Watcher watcher{golden};
        watcher.feed(bytes.substr(0, cut));
        watcher.feed(bytes.substr(cut));
        QVERIFY2(watcher.end() == whole, std::to_string(cut).c_str());
    }
    Watcher watcher{golden};
    for (const char& byte : bytes)
        watcher.feed({&byte, 1});
    QVERIFY(watcher.end() == whole);
}

// Whatever a provider sends, in whatever order: a client can read its stream, and the pieces that
// it came in make no difference.
void TestGoldenAnswers::mutations()
{
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string text = file.readAll().toStdString();
    std::mt19937 random(11);
    for (int round = 0; round < 20; ++round) {
        const std::string mutated = mutatedAnswer(text, random);
        const AnswerCase golden = golden::readAnswerCase(mutated);
        const Seen seen = inOnePiece(golden);
        Watcher watcher{golden};
        const std::string_view bytes = golden.upstreamBytes;
        for (std::size_t at = 0; at < bytes.size(); at += 7)
            watcher.feed(bytes.substr(at, 7));
        QVERIFY2(watcher.end() == seen, mutated.c_str());
        if (!golden.isTranslated()) continue;
        auto broken = promises::broken(golden.client, seen.bytes, seen.outcome == "complete");
        const bool hasFailed = seen.outcome != "complete" && seen.outcome != "broken";
        // It may have failed behind its end.
        if (broken && hasFailed) broken = promises::broken(golden.client, seen.bytes, true);
        QVERIFY2(!broken, (broken.value_or("") + "\n" + mutated + seen.bytes).c_str());
    }
}

QTEST_APPLESS_MAIN(TestGoldenAnswers)
#include "tst_golden_answers.moc"
