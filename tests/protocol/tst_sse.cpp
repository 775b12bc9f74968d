// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/sse.h"
#include "tests/protocol/padded.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using weir::protocol::shown;
using weir::protocol::SseEvent;
using weir::protocol::SseFramer;

namespace {

constexpr std::size_t kLimit = 1000;

/// What a framer made of a stream: one line an event, "name|data|", comments as "#", then "~" and
/// what is left.
struct Framed
{
    std::string events;
    /// All raw bytes in order.
    std::string raw;
    bool overflowed = false;

    bool operator==(const Framed&) const = default;
};

class Framing final
{
public:
    void feed(std::string_view bytes)
    {
        // A copy that goes away: what the framer still needs it must have kept itself.
        const std::string piece{bytes};
        m_framer.feed(piece);
        SseEvent event;
        std::vector<std::string_view> raws;
        while (m_framer.next(event)) {
            raws.push_back(event.raw);
            m_framed.events += event.commentOnly
                                   ? std::string{"#"}
                                   : std::string{event.name} + "|" + std::string{event.data} + "|";
            m_framed.events += "\n";
        }
        for (const std::string_view raw : raws)
            m_framed.raw += raw;
    }

    Framed result()
    {
        m_framed.overflowed = m_framer.overflowed();
        // What is left of an event that is too long depends on the split, and is of no use.
        if (m_framed.overflowed) return m_framed;
        m_framed.events += "~" + std::string{m_framer.rest()};
        m_framed.raw += m_framer.rest();
        return m_framed;
    }

private:
    SseFramer m_framer{kLimit};
    Framed m_framed;
};

Framed framed(std::string_view stream, const std::vector<std::size_t>& cuts)
{
    Framing framing;
    std::size_t at = 0;
    for (const std::size_t cut : cuts) {
        framing.feed(stream.substr(at, cut - at));
        at = cut;
    }
    framing.feed(stream.substr(at));
    return framing.result();
}

std::string replaced(std::string text, std::string_view from, std::string_view to)
{
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
    }
    return text;
}

} // namespace

class TestSse : public QObject
{
    Q_OBJECT

private slots:
    void cutsEvents_data();
    void cutsEvents();

    void isTheSameForEverySplit_data() { cutsEvents_data(); }

    void isTheSameForEverySplit();
    void keepsPendingCarriageReturn();
    void deliversEachEventAsItArrives();
    void holdsNothingBetweenEvents();
    void finishTakesLastLineAsWhole();
    void refusesLongEvents();
    void isLinearForBareCarriageReturns();
};

void TestSse::cutsEvents_data()
{
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QByteArray>("events");
    const auto row = [](const char* name, const char* stream, const char* events) {
        QTest::newRow(name) << QByteArray(stream) << QByteArray(events);
    };
    row("one", "data: a\n\n", "|a|\n~");
    row("B047 CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", "|a|\n|b|\n~");
    row("B047 bare CR", "data: a\r\rdata: b\r\rx", "|a|\n|b|\n~x");
    row("B047 mixed",
        "data: a\r\n\ndata: b\n\r\ndata: c\r\n\rdata: d\n\n",
        "|a|\n|b|\n|c|\n|d|\n~");
    row("B048 CRLF CRLF", "data: {}\r\n\r\ndata: 1\n\n", "|{}|\n|1|\n~");
    row("B051 comments", ": OPENROUTER PROCESSING\n\n: x\n\ndata: a\n\n", "#\n#\n|a|\n~");
    row("B053 heart-beat without blank line", ": ping\ndata: a\n\n", "|a|\n~");
    row("B056 multi-byte", "data: 語🌍é\n\n", "|語🌍é|\n~");
    row("name", "event: error\ndata: a\n\n", "error|a|\n~");
    row("several data lines", "data: a\ndata:b\ndata\ndata: c\n\n", "|a\nb\n\nc|\n~");
    row("only one space goes", "data:  a\n\n", "| a|\n~");
    row("other fields", "id: 7\nretry: 10\ndata: a\nfoo: b\ndatax: c\n\n", "|a|\n~");
    row("no data", "event: ping\n\n", "ping||\n~");
    row("blank lines", "\n\r\n\ndata: a\n\n\n\n", "#\n#\n#\n|a|\n#\n#\n~");
    row("byte order mark",
        "\xEF\xBB\xBF"
        "data: a\n\n",
        "|a|\n~");
    row("mark later is a name",
        "\n\xEF\xBB\xBF"
        "data: a\n\n",
        "#\n||\n~");
    row("unfinished", "data: a\n\ndata: b\nda", "|a|\n~data: b\nda");
    row("unfinished CR", "data: a\n\r", "~data: a\n\r");
    row("nothing", "", "~");
}

void TestSse::cutsEvents()
{
    QFETCH(QByteArray, stream);
    QFETCH(QByteArray, events);
    const Framed whole = framed(stream.toStdString(), {});
    QCOMPARE(shown(whole.events), QString::fromUtf8(events));
    QCOMPARE(shown(whole.raw), QString::fromUtf8(stream));
}

void TestSse::isTheSameForEverySplit()
{
    QFETCH(QByteArray, stream);
    const std::string bytes = stream.toStdString();
    for (const char* const lineEnd : {"\n", "\r\n", "\r"}) {
        const std::string text = replaced(bytes, "\n", lineEnd);
        const Framed whole = framed(text, {});
        std::vector<std::size_t> everyByte;
        for (std::size_t cut = 0; cut < text.size(); ++cut) {
            QVERIFY(framed(text, {cut}) == whole);
            QVERIFY(framed(text, {cut, std::min(cut + 1, text.size())}) == whole);
            everyByte.push_back(cut);
        }
        QVERIFY(framed(text, everyByte) == whole);
        std::mt19937 random(42);
        for (int round = 0; round < 50; ++round) {
            std::vector<std::size_t> cuts;
            for (int i = 0; i < 4; ++i)
                cuts.push_back(random() % (text.size() + 1));
            std::sort(cuts.begin(), cuts.end());
            QVERIFY(framed(text, cuts) == whole);
        }
    }
}

// Wire case B048: the three segments it names.
void TestSse::keepsPendingCarriageReturn()
{
    SseFramer framer{kLimit};
    SseEvent event;
    framer.feed("data: {}\r");
    QVERIFY(!framer.next(event));
    framer.feed("\n\r");
    QVERIFY(!framer.next(event));
    framer.feed("\n");
    QVERIFY(framer.next(event));
    QCOMPARE(shown(event.raw), QString("data: {}\r\n\r\n"));
    QCOMPARE(shown(event.data), QString("{}"));
    QVERIFY(!framer.next(event));
    QVERIFY(framer.rest().empty());
}

void TestSse::deliversEachEventAsItArrives()
{
    SseFramer framer{kLimit};
    SseEvent event;
    for (const char* const piece : {"data: 1\r\n\r\n", "data: 2\n\n"}) {
        framer.feed(piece);
        QVERIFY(framer.next(event));
        QCOMPARE(shown(event.raw), QString(piece));
        QVERIFY(!framer.next(event));
    }
}

void TestSse::holdsNothingBetweenEvents()
{
    SseFramer framer{kLimit};
    SseEvent event;
    framer.feed("data: ab");
    QVERIFY(!framer.next(event));
    QCOMPARE(framer.rest().size(), std::size_t{8});
    const std::string rest = "c\n\ndata: d\n\n";
    framer.feed(rest);
    QVERIFY(framer.next(event));
    const std::string_view first = event.raw;
    QVERIFY(framer.next(event));
    // What lies whole in the input is not copied, and the first event still stands.
    QCOMPARE(event.raw.data(), rest.data() + 3);
    QCOMPARE(shown(first), QString("data: abc\n\n"));
    QVERIFY(!framer.next(event));
    QVERIFY(framer.rest().empty());
}

void TestSse::finishTakesLastLineAsWhole()
{
    SseFramer framer{kLimit};
    SseEvent event;
    QVERIFY(!framer.finish(event));
    framer.feed("event: x\ndata: [DONE]");
    QVERIFY(!framer.next(event));
    QVERIFY(framer.finish(event));
    QCOMPARE(shown(event.name), QString("x"));
    QCOMPARE(shown(event.data), QString("[DONE]"));
    QCOMPARE(shown(event.raw), QString("event: x\ndata: [DONE]"));
}

void TestSse::refusesLongEvents()
{
    const std::string fits = "data: " + std::string(kLimit - 8, 'x') + "\n\n";
    QVERIFY(!framed(fits, {}).overflowed);
    const std::string tooLong = fits + "data: x" + std::string(kLimit - 8, 'x') + "\n\ndata: a\n\n";
    const Framed whole = framed(tooLong, {});
    QVERIFY(whole.overflowed);
    QCOMPARE(shown(whole.raw), shown(fits));
    for (std::size_t cut = 0; cut < tooLong.size(); cut += 7) {
        QVERIFY(framed(tooLong, {cut}) == whole);
    }
    // Many short lines make a long event too.
    std::string lines;
    while (lines.size() <= kLimit)
        lines += ":\n";
    QVERIFY(framed(lines, {}).overflowed);
}

// A provider that ends lines with CR alone must not make the framer look for LF again and again:
// this takes minutes when each line scans the rest of the input.
void TestSse::isLinearForBareCarriageReturns()
{
    std::string stream;
    for (int line = 0; line < 400000; ++line)
        stream += ":\r";
    stream += "\r\n";
    SseFramer framer{stream.size()};
    SseEvent event;
    framer.feed(stream);
    QVERIFY(framer.next(event));
    QCOMPARE(event.raw.size(), stream.size());
    QVERIFY(event.commentOnly);
}

QTEST_APPLESS_MAIN(TestSse)
#include "tst_sse.moc"
