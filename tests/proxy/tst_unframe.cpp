// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/unframe.h"

#include <QTest>

using namespace weir;
using namespace weir::proxy;

class TestUnframe final : public QObject
{
    Q_OBJECT

private slots:
    void chunksBecomeOnePiece();
    void everySplitGivesTheSameBytes();
    void bytesBehindTheEndAreNoticed();
    void aBrokenChunkIsAnError();
};

void TestUnframe::chunksBecomeOnePiece()
{
    std::string bytes = "3\r\nabc\r\n2;x=1\r\nde\r\n0\r\n\r\n";
    http::BodyReader reader(http::Framing::Chunked, 0);
    const Unframed result = unframe(reader, bytes);
    QCOMPARE(result.payload, "abcde");
    QVERIFY(reader.finished());
    QVERIFY(!result.surplus && !result.error);
}

void TestUnframe::everySplitGivesTheSameBytes()
{
    const std::string whole = "3\r\nabc\r\na\r\n0123456789\r\n0\r\nX: y\r\n\r\n";
    for (std::size_t cut = 1; cut < whole.size(); ++cut) {
        http::BodyReader reader(http::Framing::Chunked, 0);
        std::string first = whole.substr(0, cut);
        std::string second = whole.substr(cut);
        std::string payload{unframe(reader, first).payload};
        payload += unframe(reader, second).payload;
        QCOMPARE(payload, "abc0123456789");
        QVERIFY(reader.finished());
    }
}

void TestUnframe::bytesBehindTheEndAreNoticed()
{
    std::string bytes = "abcHTTP/1.1 200";
    http::BodyReader reader(http::Framing::Length, 3);
    const Unframed result = unframe(reader, bytes);
    QCOMPARE(result.payload, "abc");
    QVERIFY(result.surplus);
}

void TestUnframe::aBrokenChunkIsAnError()
{
    std::string bytes = "3\r\nabcd\r\n";
    http::BodyReader reader(http::Framing::Chunked, 0);
    QVERIFY(unframe(reader, bytes).error);
}

QTEST_APPLESS_MAIN(TestUnframe)
#include "tst_unframe.moc"
