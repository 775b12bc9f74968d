// SPDX-License-Identifier: Apache-2.0
#include "agent/http/body.h"
#include "agent/http/head.h"
#include "agent/http/write.h"

#include <QTest>

#include <limits>

namespace weir::http {

class TestWrite final : public QObject
{
    Q_OBJECT

private slots:
    void request();
    void statusLine_data();
    void statusLine();
    void everyStatusIsReadBack();
    void numbers();
    void fieldsFromOutside_data();
    void fieldsFromOutside();
    void chunkHeader_data();
    void chunkHeader();
    void chunksAreReadBack();
};

void TestWrite::request()
{
    std::string out;
    appendRequestLine(out, "POST", "/v1/messages?beta=true");
    appendField(out, "Host", "h");
    appendField(out, "Content-Length", 12U);
    appendBlankLine(out);
    QCOMPARE(
        out,
        std::string{
            "POST /v1/messages?beta=true HTTP/1.1\r\nHost: h\r\nContent-Length: 12\r\n\r\n"});
    RequestHead head;
    QVERIFY(!parseRequestHead(out, {}, head));
    QCOMPARE(head.contentLength, std::uint64_t{12});
}

void TestWrite::statusLine_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<std::string>("expected");
    QTest::newRow("200") << 200 << std::string{"HTTP/1.1 200 OK\r\n"};
    QTest::newRow("429") << 429 << std::string{"HTTP/1.1 429 Too Many Requests\r\n"};
    QTest::newRow("502") << 502 << std::string{"HTTP/1.1 502 Bad Gateway\r\n"};
    QTest::newRow("unknown") << 529 << std::string{"HTTP/1.1 529 \r\n"};
}

void TestWrite::statusLine()
{
    QFETCH(int, status);
    std::string out;
    appendStatusLine(out, status);
    QTEST(out, "expected");
}

void TestWrite::everyStatusIsReadBack()
{
    for (int status = 100; status < 600; ++status) {
        std::string out;
        appendStatusLine(out, status);
        appendBlankLine(out);
        ResponseHead head;
        QVERIFY(!parseResponseHead(out, {}, head));
        QCOMPARE(head.status, status);
    }
}

void TestWrite::numbers()
{
    std::string out;
    appendField(out, "A", std::uint64_t{0});
    appendField(out, "B", std::numeric_limits<std::uint64_t>::max());
    QCOMPARE(out, std::string{"A: 0\r\nB: 18446744073709551615\r\n"});
}

void TestWrite::fieldsFromOutside_data()
{
    QTest::addColumn<std::string>("value");
    QTest::addColumn<std::string>("expected");
    const auto row = [](const char* name, std::string value, const char* expected) {
        QTest::newRow(name) << std::move(value) << std::string{expected};
    };
    row("plain", "text/plain; charset=utf-8", "X: text/plain; charset=utf-8\r\n");
    row("empty", "", "X: \r\n");
    row("a field of its own", "a\r\nSet-Cookie: b", "X: a  Set-Cookie: b\r\n");
    row("a body of its own", "a\r\n\r\nb", "X: a    b\r\n");
    row("LF", "a\nb", "X: a b\r\n");
    row("NUL", std::string("a\0b", 3), "X: a b\r\n");
    row("escape and DEL", "\x1B[2J\x7F", "X:  [2J \r\n");
    row("tab and UTF-8 stay", "a\tb\xC3\xBC", "X: a\tb\xC3\xBC\r\n");
}

void TestWrite::fieldsFromOutside()
{
    QFETCH(std::string, value);
    QFETCH(std::string, expected);
    std::string out = "HTTP/1.1 200 OK\r\n";
    const std::size_t before = out.size();
    appendField(out, "X", value);
    QCOMPARE(out.substr(before), expected);
    appendBlankLine(out);
    ResponseHead head;
    QVERIFY(!parseResponseHead(out, {}, head));
    QCOMPARE(head.fields.size(), std::size_t{1});
}

void TestWrite::chunkHeader_data()
{
    QTest::addColumn<std::size_t>("size");
    QTest::addColumn<std::string>("expected");
    QTest::newRow("one") << std::size_t{1} << std::string{"1\r\n"};
    QTest::newRow("letters") << std::size_t{0xABC} << std::string{"abc\r\n"};
    QTest::newRow("largest") << std::numeric_limits<std::size_t>::max()
                             << std::string{"ffffffffffffffff\r\n"};
}

void TestWrite::chunkHeader()
{
    QFETCH(std::size_t, size);
    const ChunkHeader header{size};
    QTEST(std::string{header.text()}, "expected");
}

void TestWrite::chunksAreReadBack()
{
    std::string out;
    std::string expected;
    for (const std::size_t size : {1U, 9U, 16U, 255U, 4096U}) {
        const std::string data(size, 'd');
        expected += data;
        out.append(ChunkHeader{size}.text()).append(data).append(kChunkEnd);
    }
    out.append(kLastChunk);
    BodyReader reader{Framing::Chunked, 0};
    std::string payload;
    for (std::string_view rest = out; !reader.finished();) {
        const BodyReader::Step step = reader.next(rest);
        QVERIFY(!step.error && step.consumed > 0);
        payload += step.data;
        rest.remove_prefix(step.consumed);
    }
    QCOMPARE(payload, expected);
}

} // namespace weir::http

QTEST_APPLESS_MAIN(weir::http::TestWrite)
#include "tst_write.moc"
