// SPDX-License-Identifier: Apache-2.0
#include "agent/http/head.h"
#include "tests/http/messages.h"

#include <QTest>

#include <cstdlib>
#include <new>
#include <set>

namespace {

std::size_t g_allocations = 0;

} // namespace

void* operator new(std::size_t size)
{
    ++g_allocations;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc{};
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

namespace weir::http {
namespace {

QString outcome(std::optional<HeadError> error)
{
    const std::string_view text = error ? describe(*error) : "accepted";
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString framingText(Framing framing, std::uint64_t contentLength)
{
    switch (framing) {
    case Framing::None:
        return "none";
    case Framing::Length:
        return "length " + QString::number(contentLength);
    case Framing::Chunked:
        return "chunked";
    case Framing::UntilClose:
        return "until close";
    }
    return "?";
}

/// "1.1, length 5, keep", the way the tables below put it.
template <class Head>
QString messageText(const Head& head)
{
    return "1." + QString::number(head.versionMinor) + ", " +
           framingText(head.framing, head.contentLength) + (head.keepAlive ? ", keep" : ", close");
}

QString requestText(std::string_view text)
{
    RequestHead head;
    const std::string bytes = messages::wire(text);
    if (const auto error = parseRequestHead(bytes, {}, head)) return outcome(error);
    return messageText(head) + (head.expectContinue ? ", expect" : "");
}

QString responseText(std::string_view text)
{
    ResponseHead head;
    const std::string bytes = messages::wire(text);
    if (const auto error = parseResponseHead(bytes, {}, head)) return outcome(error);
    return messageText(head);
}

/// How large the head is for somebody who gets the bytes in pieces that end at `cuts`.
std::optional<std::size_t>
endInPieces(std::string_view bytes, std::initializer_list<std::size_t> cuts)
{
    HeadEnd end;
    for (const std::size_t cut : cuts)
        if (const auto size = end.find(bytes.substr(0, cut))) return size;
    return end.find(bytes);
}

void addHeadRows(std::span<const messages::Head> heads)
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<QString>("expected");
    for (const messages::Head& head : heads)
        QTest::newRow(head.name) << std::string{head.text} << outcome(head.refused);
}

void addFramingRow(const char* text, const char* expected)
{
    QTest::newRow(text) << std::string{text} << QString{expected};
}

} // namespace

class TestHead final : public QObject
{
    Q_OBJECT

private slots:

    void requests_data() { addHeadRows(messages::requests()); }

    void requests();

    void responses_data() { addHeadRows(messages::responses()); }

    void responses();
    void requestFraming_data();
    void requestFraming();
    void responseFraming_data();
    void responseFraming();
    void targets_data();
    void targets();
    void fieldsAreTrimmedViews();
    void everyByteAtEveryPlaceOfAValue();
    void limits();
    void parsingRefillsWithoutAllocation();
    void endIsTheSameForEverySplit();
    void endIsFoundOfAnyLine_data();
    void endIsFoundOfAnyLine();
    void endLooksAtEachByteOnce();
    void errorsHaveStatusAndText();
};

void TestHead::requests()
{
    QFETCH(std::string, text);
    RequestHead head;
    const std::string bytes = messages::wire(text);
    QTEST(outcome(parseRequestHead(bytes, {}, head)), "expected");
}

void TestHead::responses()
{
    QFETCH(std::string, text);
    ResponseHead head;
    const std::string bytes = messages::wire(text);
    QTEST(outcome(parseResponseHead(bytes, {}, head)), "expected");
}

void TestHead::requestFraming_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<QString>("expected");
    const auto row = addFramingRow;
    row("GET / HTTP/1.1|Host: h||", "1.1, none, keep");
    row("GET / HTTP/1.9|Host: h||", "1.1, none, keep");
    row("GET / HTTP/1.0||", "1.0, none, close");
    row("GET / HTTP/1.0|Connection: keep-alive||", "1.0, none, keep");
    row("GET / HTTP/1.0|Connection: Keep-Alive, close||", "1.0, none, close");
    row("GET / HTTP/1.1|Host: h|Connection: close||", "1.1, none, close");
    row("GET / HTTP/1.1|Host: h|Connection: x , , CLOSE||", "1.1, none, close");
    row("GET / HTTP/1.1|Host: h|Connection: close, x||", "1.1, none, close");
    row("GET / HTTP/1.0|Connection: keep-alive, x||", "1.0, none, keep");
    row("GET / HTTP/1.1|Host: h|Connection: x|Connection: close||", "1.1, none, close");
    row("GET / HTTP/1.1|Host: h|Connection: closed, close-not||", "1.1, none, keep");
    row("GET / HTTP/1.1|Host: h|Connection:||", "1.1, none, keep");
    row("POST / HTTP/1.1|Host: h|Content-Length: 007||", "1.1, length 7, keep");
    row("POST / HTTP/1.1|Host: h|Content-Length: 0||", "1.1, length 0, keep");
    row("POST / HTTP/1.0|Content-Length: 7||", "1.0, length 7, close");
    row("POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||", "1.1, chunked, keep");
    row("POST / HTTP/1.1|Host: h|Expect: 100-continue|Content-Length: 7||",
        "1.1, length 7, keep, expect");
    row("POST / HTTP/1.1|Host: h|Expect: x, 100-Continue|Transfer-Encoding: chunked||",
        "1.1, chunked, keep, expect");
    row("POST / HTTP/1.1|Host: h|Expect: 100-continued|Content-Length: 7||", "1.1, length 7, keep");
    row("POST / HTTP/1.1|Host: h|Expect: 100-continue|Content-Length: 0||", "1.1, length 0, keep");
    row("GET / HTTP/1.1|Host: h|Expect: 100-continue||", "1.1, none, keep");
    row("POST / HTTP/1.0|Expect: 100-continue|Content-Length: 7||", "1.0, length 7, close");
}

void TestHead::requestFraming()
{
    QFETCH(std::string, text);
    QTEST(requestText(text), "expected");
}

void TestHead::responseFraming_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<QString>("expected");
    const auto row = addFramingRow;
    row("HTTP/1.1 200 OK|Content-Length: 7||", "1.1, length 7, keep");
    row("HTTP/1.1 200 OK|Content-Length: 7|Connection: close||", "1.1, length 7, close");
    row("HTTP/1.0 200 OK|Content-Length: 7||", "1.0, length 7, close");
    row("HTTP/1.0 200 OK|Content-Length: 7|Connection: keep-alive||", "1.0, length 7, keep");
    row("HTTP/1.1 200 OK|Transfer-Encoding: chunked||", "1.1, chunked, keep");
    row("HTTP/1.1 200 OK||", "1.1, until close, close");
    row("HTTP/1.1 200 OK|Connection: keep-alive||", "1.1, until close, close");
    row("HTTP/1.0 200 OK|Connection: keep-alive||", "1.0, until close, close");
    row("HTTP/1.1 100 Continue||", "1.1, none, keep");
    row("HTTP/1.1 101 Switching Protocols|Connection: upgrade||", "1.1, none, close");
    row("HTTP/1.1 103 Early Hints|Content-Length: 7||", "1.1, none, keep");
    row("HTTP/1.1 204 No Content||", "1.1, none, keep");
    row("HTTP/1.1 204 No Content|Transfer-Encoding: chunked||", "1.1, none, keep");
    row("HTTP/1.1 304 Not Modified|Content-Length: 7||", "1.1, none, keep");
    row("HTTP/1.1 205 Reset Content|Content-Length: 0||", "1.1, length 0, keep");
    row("HTTP/1.1 500 Broken|Content-Length: 2||", "1.1, length 2, keep");
}

void TestHead::responseFraming()
{
    QFETCH(std::string, text);
    QTEST(responseText(text), "expected");
}

void TestHead::targets_data()
{
    QTest::addColumn<std::string>("target");
    QTest::addColumn<std::string>("expected");
    const auto row = [](const char* target, const char* expected) {
        QTest::newRow(target) << std::string{target} << std::string{expected};
    };
    row("/", "/");
    row("//x/../y", "//x/../y");
    row("/v1/models?a=b|c", "/v1/models?a=b|c");
    row("/http://h/", "/http://h/");
    row("http://h/v1/models?a=http://b/c", "/v1/models?a=http://b/c");
    row("HTTP://h:8080/x", "/x");
    row("https://[::1]:8080/x", "/x");
    row("http://h", "/");
    row("http://h:8080", "/");
}

void TestHead::targets()
{
    QFETCH(std::string, target);
    const std::string bytes = "GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n";
    RequestHead head;
    QCOMPARE(outcome(parseRequestHead(bytes, {}, head)), "accepted");
    QTEST(std::string{head.target}, "expected");
    QVERIFY(head.target.data() >= bytes.data() && head.target.data() < bytes.data() + bytes.size());
}

void TestHead::fieldsAreTrimmedViews()
{
    const std::string bytes =
        messages::wire("POST /x HTTP/1.1|Host:h|X-Api-Key: \t a \t b \t |Empty: |x-api-key: c||");
    RequestHead head;
    QCOMPARE(outcome(parseRequestHead(bytes, {}, head)), "accepted");
    QCOMPARE(head.method, std::string_view{"POST"});
    std::string fields;
    for (const Field& field : head.fields) {
        fields += std::string{field.name} + "=" + std::string{field.value} + ";";
        QVERIFY(field.name.data() > bytes.data());
        QVERIFY(field.value.data() + field.value.size() < bytes.data() + bytes.size());
    }
    QCOMPARE(fields, std::string{"Host=h;X-Api-Key=a \t b;Empty=;x-api-key=c;"});
    QVERIFY(head.find("X-API-KEY") == "a \t b");
    QVERIFY(head.find("empty") == "");
    QVERIFY(!head.find("x-api"));

    ResponseHead response;
    const std::string answer = messages::wire("HTTP/1.1 200|Retry-After: 5||");
    QCOMPARE(outcome(parseResponseHead(answer, {}, response)), "accepted");
    QCOMPARE(response.status, 200);
    QVERIFY(response.find("retry-after") == "5");
    QVERIFY(!response.find("retry"));
}

void TestHead::everyByteAtEveryPlaceOfAValue()
{
    for (std::size_t place = 0; place < 20; ++place) {
        for (int byte = 0; byte < 256; ++byte) {
            std::string value(20, 'v');
            value[place] = static_cast<char>(byte);
            const std::string bytes = "GET / HTTP/1.1\r\nHost: h\r\nX:" + value + "\r\n\r\n";
            const bool control = (byte < 0x20 && byte != '\t') || byte == 0x7F;
            const HeadError error =
                byte == '\n' ? HeadError::BareLineFeed : HeadError::BadFieldValue;
            RequestHead head;
            QCOMPARE(
                outcome(parseRequestHead(bytes, {}, head)), control ? outcome(error) : "accepted");
        }
    }
}

void TestHead::limits()
{
    const std::string bytes = messages::wire("GET / HTTP/1.1|Host: h|A: 1|B: 2||");
    RequestHead head;
    const auto with = [&](std::size_t size, std::size_t fields) {
        return outcome(parseRequestHead(bytes, {.bytes = size, .fields = fields}, head));
    };
    QCOMPARE(with(bytes.size(), 3), "accepted");
    QCOMPARE(with(bytes.size() - 1, 3), outcome(HeadError::HeadTooLong));
    QCOMPARE(with(bytes.size(), 2), outcome(HeadError::TooManyFields));
    QCOMPARE(outcome(parseRequestHead({}, {}, head)), outcome(HeadError::BadLine));
}

void TestHead::parsingRefillsWithoutAllocation()
{
    const std::string first = messages::wire("POST / HTTP/1.1|Host: h|A: 1|Content-Length: 5||");
    const std::string second = messages::wire("GET /x HTTP/1.0|B: 2||");
    RequestHead head;
    QVERIFY(!parseRequestHead(first, {}, head));
    const std::size_t before = g_allocations;
    const auto refused = parseRequestHead(second, {}, head);
    const std::size_t after = g_allocations;
    QVERIFY(!refused);
    QCOMPARE(after, before);
    QCOMPARE(head.fields.size(), std::size_t{1});
    QCOMPARE(messageText(head), "1.0, none, close");
    QCOMPARE(head.contentLength, std::uint64_t{0});
}

void TestHead::endIsTheSameForEverySplit()
{
    for (const auto& table : {messages::requests(), messages::responses()}) {
        for (const messages::Head& message : table) {
            const std::string bytes = messages::wire(message.text) + "next|";
            const auto whole = HeadEnd{}.find(bytes);
            HeadEnd oneByOne;
            for (std::size_t i = 0; i <= bytes.size(); ++i) {
                const auto size = oneByOne.find(std::string_view{bytes}.substr(0, i));
                QCOMPARE(size.has_value(), whole.has_value() && i >= *whole);
                for (std::size_t j = i; j <= bytes.size(); ++j)
                    QVERIFY2(endInPieces(bytes, {i, j}) == whole, message.name);
            }
        }
    }
}

void TestHead::endIsFoundOfAnyLine_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<int>("size");
    const auto row = [](const char* name, const char* text, int size) {
        QTest::newRow(name) << std::string{text} << size;
    };
    row("CRLF CRLF", "a||b", 5);
    row("LF LF", "a\n\nb", 3);
    row("LF CRLF", "a\n|b", 4);
    row("CRLF LF", "a|\nb", 4);
    row("the first of two", "a||||", 5);
    row("an empty line first", "|a||", 7);
    row("empty lines only", "||", 4);
    row("one line", "a|b|", -1);
    row("CR CR LF", "a|\r|b", -1);
    row("CR only", "a\r\r\r", -1);
    row("nothing", "", -1);
}

void TestHead::endIsFoundOfAnyLine()
{
    QFETCH(std::string, text);
    const auto size = HeadEnd{}.find(messages::wire(text));
    QTEST(size ? static_cast<int>(*size) : -1, "size");
}

void TestHead::endLooksAtEachByteOnce()
{
    for (const char* const start : {"GET / HTTP/1.1", "GET / HTTP/1.1|Host: h|X"}) {
        std::string bytes = messages::wire(start);
        HeadEnd end;
        QVERIFY(!end.find(bytes));
        // What was looked at may turn into a head's end without being noticed.
        bytes.replace(0, 2, "\n\n");
        QVERIFY(!end.find(bytes));
        end.reset();
        QVERIFY(end.find(bytes) == 2U);
    }
}

void TestHead::errorsHaveStatusAndText()
{
    std::set<std::string_view> texts;
    for (int i = 0; i <= static_cast<int>(HeadError::BadStatus); ++i) {
        const auto error = static_cast<HeadError>(i);
        const bool tooMuch = error == HeadError::HeadTooLong || error == HeadError::TooManyFields;
        const int expected = tooMuch ? 431 : error == HeadError::BadVersion ? 505 : 400;
        QCOMPARE(statusFor(error), expected);
        QVERIFY(describe(error).ends_with('.'));
        QVERIFY(texts.insert(describe(error)).second);
    }
}

} // namespace weir::http

QTEST_APPLESS_MAIN(weir::http::TestHead)
#include "tst_head.moc"
