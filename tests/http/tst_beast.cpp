// SPDX-License-Identifier: Apache-2.0
#include "tests/http/messages.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <QTest>

namespace weir::http {
namespace {

namespace beast = boost::beast::http;

QString number(std::uint64_t value)
{
    return QString::number(value);
}

/// What both parsers have to agree on where both accept: where the body ends and what comes then.
QString meaning(Framing framing, std::uint64_t contentLength, bool keepAlive)
{
    const QString then = keepAlive ? "keep" : "close";
    if (framing == Framing::Chunked) return "chunked, " + then;
    if (framing == Framing::Length) return "length " + number(contentLength) + ", " + then;
    return "no length, " + then;
}

/// Nothing for a head that it refuses or does not see the end of.
template <bool isRequest>
std::optional<QString> beastReads(const std::string& bytes)
{
    beast::parser<isRequest, beast::empty_body> parser;
    parser.header_limit(65536);
    // The tests ask what the head says; what would be allowed to follow is another matter.
    parser.body_limit(boost::none);
    boost::system::error_code error;
    parser.put(boost::asio::buffer(bytes), error);
    if (error || !parser.is_header_done()) return std::nullopt;
    const auto length = parser.content_length();
    const Framing framing = parser.chunked() ? Framing::Chunked
                            : length         ? Framing::Length
                                             : Framing::None;
    return meaning(framing, length.value_or(0), parser.keep_alive());
}

std::optional<QString> weReadRequest(const std::string& bytes)
{
    RequestHead head;
    if (HeadEnd{}.find(bytes) != bytes.size() || parseRequestHead(bytes, {}, head))
        return std::nullopt;
    return meaning(head.framing, head.contentLength, head.keepAlive);
}

std::optional<QString> weReadResponse(const std::string& bytes)
{
    ResponseHead head;
    if (HeadEnd{}.find(bytes) != bytes.size() || parseResponseHead(bytes, {}, head))
        return std::nullopt;
    return meaning(head.framing, head.contentLength, head.keepAlive);
}

std::optional<QString> beastReadsBody(const std::string& body)
{
    beast::request_parser<beast::string_body> parser;
    parser.eager(true);
    parser.body_limit(boost::none);
    boost::system::error_code error;
    const std::string bytes = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
    parser.put(boost::asio::buffer(bytes), error);
    if (error || !parser.is_done()) return std::nullopt;
    return QString::fromStdString(parser.get().body());
}

void addRows(std::span<const messages::Head> heads)
{
    QTest::addColumn<const messages::Head*>("head");
    for (const messages::Head& head : heads)
        QTest::newRow(head.name) << &head;
}

/// Every difference has to have a reason, and every reason a difference.
void compare(std::optional<QString> ours, std::optional<QString> theirs, const char* beastDiffers)
{
    const QString story =
        "Weir: " + ours.value_or("refused") + "; Beast: " + theirs.value_or("refused");
    QVERIFY2((ours != theirs) == (beastDiffers != nullptr), qPrintable(story));
}

} // namespace

class TestBeast final : public QObject
{
    Q_OBJECT

private slots:

    void requests_data() { addRows(messages::requests()); }

    void requests();

    void responses_data() { addRows(messages::responses()); }

    void responses();
    void bodies_data();
    void bodies();
};

void TestBeast::requests()
{
    QFETCH(const messages::Head*, head);
    const std::string bytes = messages::wire(head->text);
    compare(weReadRequest(bytes), beastReads<true>(bytes), head->beastDiffers);
}

void TestBeast::responses()
{
    QFETCH(const messages::Head*, head);
    const std::string bytes = messages::wire(head->text);
    compare(weReadResponse(bytes), beastReads<false>(bytes), head->beastDiffers);
}

void TestBeast::bodies_data()
{
    QTest::addColumn<const messages::Body*>("body");
    for (const messages::Body& body : messages::bodies())
        QTest::newRow(body.name) << &body;
}

void TestBeast::bodies()
{
    QFETCH(const messages::Body*, body);
    const std::optional<QString> ours =
        body->refused ? std::nullopt
                      : std::optional{QString::fromUtf8(
                            body->payload.data(), static_cast<qsizetype>(body->payload.size()))};
    compare(ours, beastReadsBody(messages::wire(body->text)), body->beastDiffers);
}

} // namespace weir::http

QTEST_APPLESS_MAIN(weir::http::TestBeast)
#include "tst_beast.moc"
