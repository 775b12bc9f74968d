// SPDX-License-Identifier: Apache-2.0
#include "agent/http/body.h"
#include "tests/http/messages.h"

#include <QTest>

#include <array>
#include <set>

namespace weir::http {
namespace {

struct Read
{
    std::string payload;
    std::size_t consumed = 0;
    std::optional<BodyError> error;
    bool finished = false;

    bool operator==(const Read&) const = default;
};

/// Feeds one piece to its end, the way a connection does.
void feed(BodyReader& reader, std::string_view piece, Read& read)
{
    while (!read.error) {
        const BodyReader::Step step = reader.next(piece);
        read.payload += step.data;
        read.consumed += step.consumed;
        read.error = step.error;
        piece.remove_prefix(step.consumed);
        if (step.consumed == 0) break;
    }
    read.finished = reader.finished();
}

/// What comes of `bytes` when they arrive in pieces that end at `cuts`, and the peer closes then.
Read readInPieces(
    BodyReader reader, std::string_view bytes, std::initializer_list<std::size_t> cuts)
{
    Read read;
    std::size_t from = 0;
    for (const std::size_t cut : cuts) {
        feed(reader, bytes.substr(from, cut - from), read);
        from = cut;
    }
    feed(reader, bytes.substr(from), read);
    if (!read.error) read.error = reader.atEnd();
    return read;
}

Read readByBytes(BodyReader reader, std::string_view bytes)
{
    Read read;
    for (const char& c : bytes)
        feed(reader, {&c, 1}, read);
    if (!read.error) read.error = reader.atEnd();
    return read;
}

QString outcome(std::optional<BodyError> error)
{
    const std::string_view text = error ? describe(*error) : "accepted";
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString chunkedOutcome(const std::string& bytes)
{
    return outcome(readInPieces({Framing::Chunked, 0}, bytes, {}).error);
}

} // namespace

class TestBody final : public QObject
{
    Q_OBJECT

private slots:
    void chunked_data();
    void chunked();
    void everySplitOfChunked();
    void everySplitOfLength();
    void nothing();
    void length();
    void lengthCutShort();
    void untilClose();
    void payloadIsNotCopied();
    void stopsAtTheNextMessage();
    void extensionsAreBounded();
    void trailersAreBounded();
    void largestChunk();
    void errorsHaveText();
};

void TestBody::chunked_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("payload");
    QTest::addColumn<QString>("expected");
    for (const messages::Body& body : messages::bodies())
        QTest::newRow(body.name) << std::string{body.text} << std::string{body.payload}
                                 << outcome(body.refused);
}

void TestBody::chunked()
{
    QFETCH(std::string, text);
    const Read read = readInPieces({Framing::Chunked, 0}, messages::wire(text), {});
    QTEST(outcome(read.error), "expected");
    QTEST(read.payload, "payload");
    QCOMPARE(read.finished, !read.error.has_value());
}

void TestBody::everySplitOfChunked()
{
    const BodyReader reader{Framing::Chunked, 0};
    for (const messages::Body& body : messages::bodies()) {
        const std::string bytes = messages::wire(body.text) + "next";
        const Read whole = readInPieces(reader, bytes, {});
        QVERIFY2(readByBytes(reader, bytes) == whole, body.name);
        for (std::size_t i = 0; i <= bytes.size(); ++i)
            for (std::size_t j = i; j <= bytes.size(); ++j)
                QVERIFY2(readInPieces(reader, bytes, {i, j}) == whole, body.name);
    }
}

void TestBody::everySplitOfLength()
{
    const std::string bytes = "hello\r\nnext";
    for (const Framing framing : {Framing::None, Framing::Length, Framing::UntilClose}) {
        const BodyReader reader{framing, 7};
        const Read whole = readInPieces(reader, bytes, {});
        QVERIFY(readByBytes(reader, bytes) == whole);
        for (std::size_t i = 0; i <= bytes.size(); ++i)
            QVERIFY(readInPieces(reader, bytes, {i}) == whole);
    }
}

void TestBody::nothing()
{
    for (BodyReader reader :
         {BodyReader{}, BodyReader{Framing::None, 5}, BodyReader{Framing::Length, 0}}) {
        QVERIFY(reader.finished());
        const BodyReader::Step step = reader.next("next");
        QVERIFY(step.consumed == 0 && step.data.empty() && !step.error);
        QVERIFY(!reader.atEnd());
    }
}

void TestBody::length()
{
    BodyReader reader{Framing::Length, 5};
    QVERIFY(!reader.finished());
    const BodyReader::Step step = reader.next("hello, next");
    QVERIFY(step.data == "hello");
    QCOMPARE(step.consumed, std::size_t{5});
    QVERIFY(reader.finished());
}

void TestBody::lengthCutShort()
{
    BodyReader reader{Framing::Length, 5};
    QVERIFY(reader.next("hell").data == "hell");
    QCOMPARE(outcome(reader.atEnd()), outcome(BodyError::Truncated));
}

void TestBody::untilClose()
{
    BodyReader reader{Framing::UntilClose, 0};
    QVERIFY(reader.next("hello").data == "hello");
    QVERIFY(!reader.finished());
    QVERIFY(!reader.atEnd());
    QVERIFY(reader.finished());
}

void TestBody::payloadIsNotCopied()
{
    const std::string bytes = messages::wire("5|hello|0||");
    BodyReader reader{Framing::Chunked, 0};
    const BodyReader::Step step = reader.next(bytes);
    QVERIFY(step.data.data() == bytes.data() + 3);
    // The framing before the data went with it, the framing after it goes in one step as well.
    QCOMPARE(step.consumed, std::size_t{8});
    QCOMPARE(reader.next(std::string_view{bytes}.substr(8)).consumed, bytes.size() - 8);
    QVERIFY(reader.finished());
}

void TestBody::stopsAtTheNextMessage()
{
    const std::string body = messages::wire("5|hello|0|X: y||");
    const Read read = readInPieces({Framing::Chunked, 0}, body + "GET / HTTP/1.1", {});
    QVERIFY(read.finished);
    QCOMPARE(read.consumed, body.size());
}

void TestBody::extensionsAreBounded()
{
    const auto chunk = [](std::size_t extension, std::size_t size) {
        std::array<char, 17> digits{};
        std::snprintf(digits.data(), digits.size(), "%zx", size);
        return std::string{digits.data()} + ";" + std::string(extension - 1, 'x') + "\r\n" +
               std::string(size, 'd') + "\r\n";
    };
    const std::string end = "0\r\n\r\n";
    const QString tooLong = outcome(BodyError::ExtensionTooLong);
    QCOMPARE(chunkedOutcome(chunk(8192, 1) + end), "accepted");
    QCOMPARE(chunkedOutcome(chunk(8193, 1) + end), tooLong);
    QCOMPARE(chunkedOutcome("0;" + std::string(8192, 'x') + "\r\n\r\n"), tooLong);
    QCOMPARE(chunkedOutcome("5" + std::string(8193, ' ')), tooLong);

    // A signature on every chunk is paid for by the data, and a short mark is free; a byte with an
    // essay each time is not.
    std::string signedChunks;
    std::string marks;
    std::string essays;
    for (int i = 0; i < 1000; ++i)
        signedChunks += chunk(100, 100);
    for (int i = 0; i < 1000; ++i)
        marks += chunk(17, 1);
    for (int i = 0; i < 100; ++i)
        essays += chunk(100, 1);
    QCOMPARE(chunkedOutcome(signedChunks + end), "accepted");
    QCOMPARE(chunkedOutcome(marks + end), "accepted");
    QCOMPARE(chunkedOutcome(essays + end), tooLong);
}

void TestBody::trailersAreBounded()
{
    const QString tooLong = outcome(BodyError::TrailerTooLong);
    QCOMPARE(chunkedOutcome("0\r\nX: " + std::string(8180, 'x') + "\r\n\r\n"), "accepted");
    QCOMPARE(chunkedOutcome("0\r\nX: " + std::string(8200, 'x') + "\r\n\r\n"), tooLong);
    QCOMPARE(chunkedOutcome("0\r\n" + std::string(8200, 'x')), tooLong);
    // At the very limit, too, a body is either finished or refused.
    for (std::size_t size = 8180; size < 8200; ++size) {
        const std::string bytes = "0\r\nX: " + std::string(size, 'x') + "\r\n\r\n";
        const Read read = readInPieces({Framing::Chunked, 0}, bytes, {});
        QCOMPARE(read.finished, !read.error.has_value());
    }
    const std::string both = "0;" + std::string(8000, 'x') + "\r\nX: " + std::string(8000, 'x');
    QCOMPARE(chunkedOutcome(both + "\r\n\r\n"), "accepted");
    std::string lines;
    for (int i = 0; i < 3000; ++i)
        lines += "X:\r\n";
    QCOMPARE(chunkedOutcome("0\r\n" + lines + "\r\n"), tooLong);
}

void TestBody::largestChunk()
{
    BodyReader reader{Framing::Chunked, 0};
    const BodyReader::Step step = reader.next("7FFFFFFFFFFFFFFF\r\nhello");
    QVERIFY(!step.error);
    QVERIFY(step.data == "hello");
    QCOMPARE(outcome(reader.atEnd()), outcome(BodyError::Truncated));
}

void TestBody::errorsHaveText()
{
    std::set<std::string_view> texts;
    for (int i = 0; i <= static_cast<int>(BodyError::Truncated); ++i) {
        const auto error = static_cast<BodyError>(i);
        QVERIFY(describe(error).ends_with('.'));
        QVERIFY(texts.insert(describe(error)).second);
    }
}

} // namespace weir::http

QTEST_APPLESS_MAIN(weir::http::TestBody)
#include "tst_body.moc"
