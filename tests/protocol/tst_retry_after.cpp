// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/retry_after.h"
#include "tests/protocol/padded.h"

#include <QTest>

#include <vector>

using namespace weir;
using namespace weir::protocol;

Q_DECLARE_METATYPE(std::optional<qint64>)

namespace {

// 2026-11-30T10:00:00Z
constexpr UtcTime kNow{std::chrono::seconds{1796032800}};

/// "name: value" lines.
std::vector<http::Field> fieldsOf(std::string_view lines)
{
    std::vector<http::Field> fields;
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
        const std::size_t colon = line.find(": ");
        fields.push_back({line.substr(0, colon), line.substr(colon + 2)});
    }
    return fields;
}

std::optional<qint64> waitMs(const QByteArray& headers, const QByteArray& body)
{
    const auto wait = retryAfter(
        fieldsOf({headers.data(), static_cast<std::size_t>(headers.size())}),
        {body.data(), static_cast<std::size_t>(body.size())},
        kNow);
    return wait ? std::optional<qint64>{wait->count()} : std::nullopt;
}

} // namespace

class TestRetryAfter : public QObject
{
    Q_OBJECT

private slots:
    void readsHeaders_data();
    void readsHeaders();
    void readsBody_data();
    void readsBody();
};

/// B034.
void TestRetryAfter::readsHeaders_data()
{
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<std::optional<qint64>>("ms");
    const auto row = [](const char* headers, std::optional<qint64> ms) {
        QTest::newRow(headers) << QByteArray(headers) << ms;
    };
    row("Retry-After: 3", 3000);
    row("retry-after: 0", 0);
    row("retry-after: 1.5", 1500);
    row("retry-after: 1.1", 1100);
    row("retry-after: 0.0004", 1);
    row("retry-after: -5", 0);
    row("retry-after: 86400", 86400000);
    row("retry-after: 99999999999999999999999", 100LL * 366 * 86400 * 1000);
    row("Retry-After: Mon, 30 Nov 2026 10:00:07 GMT", 7000);
    row("Retry-After: Monday, 30-Nov-26 10:00:07 GMT", 7000);
    row("Retry-After: Mon Nov 30 10:00:07 2026", 7000);
    row("Retry-After: Mon, 30 Nov 2026 09:00:00 GMT", 0);
    row("Retry-After: Thu, 01 Jan 1970 00:00:00 GMT", 0);
    for (const char* const junk :
         {"retry-after: soon",
          "retry-after: ",
          "retry-after: nan",
          "retry-after: inf",
          "retry-after: 1e3",
          "retry-after: 0x10",
          "retry-after: 3, 4",
          "retry-after: 1.2.3",
          "retry-after: Mon, 31 Nov 2026 10:00:07 GMT",
          "retry-after: Mon, 30 Nov 2026 10:00:07 PST",
          "retry-after: Mon, 30 Nov 2026 25:00:07 GMT",
          "x-other: 3"}) {
        row(junk, std::nullopt);
    }
    row("retry-after-ms: 250\nretry-after: 9", 250);
    row("retry-after: 9\nx-ms-retry-after-ms: 12.5", 13);
    row("retry-after-ms: junk\nretry-after: 9", 9000);
    row("retry-after: junk\nretry-after: 2", 2000);
    row("x-ratelimit-remaining-requests: 0\nx-ratelimit-reset-requests: 6m0s", 360000);
    row("x-ratelimit-remaining-tokens: 0\nx-ratelimit-reset-tokens: 12ms", 12);
    row("x-ratelimit-remaining-tokens: 0\nx-ratelimit-reset-tokens: 2m59.56s", 179560);
    row("x-ratelimit-remaining-tokens: 5\nx-ratelimit-reset-tokens: 12ms", std::nullopt);
    row("x-ratelimit-reset-tokens: 12ms", std::nullopt);
    row("x-ratelimit-remaining-requests: 0\nx-ratelimit-reset-requests: 2s\n"
        "x-ratelimit-remaining-tokens: 0\nx-ratelimit-reset-tokens: 5s",
        5000);
    row("anthropic-ratelimit-input-tokens-remaining: 0\n"
        "anthropic-ratelimit-input-tokens-reset: 2026-11-30T10:00:02Z",
        2000);
    row("x-ratelimit-remaining: 0\nx-ratelimit-reset: 30", 30000);
    row("x-ratelimit-remaining: 0\nx-ratelimit-reset: 1796032804", 4000);
    row("x-ratelimit-remaining: 0\nx-ratelimit-reset: 1796032800500", 500);
    row("x-ratelimit-remaining: 0\nx-ratelimit-reset: 1796032700", 0);
    row("ratelimit-remaining: 0\nratelimit-reset: junk", std::nullopt);
    row("x-ratelimit-remaining: 0\nx-ratelimit-reset: 30\nretry-after: 1", 1000);
}

void TestRetryAfter::readsHeaders()
{
    QFETCH(QByteArray, headers);
    QFETCH(std::optional<qint64>, ms);
    QVERIFY(waitMs(headers, {}) == ms);
}

void TestRetryAfter::readsBody_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<std::optional<qint64>>("ms");
    const auto row = [](const char* body, std::optional<qint64> ms) {
        QTest::newRow(body) << QByteArray(body) << ms;
    };
    row("Rate limit reached. Please try again in 1.5s. Visit …", 1500);
    row("please Try Again In 20 seconds.", 20000);
    row("try again in 6m0s.", 360000);
    row("try again in 350ms.", 350);
    row("Please retry in 34.074824224s.", 34075);
    row("Please retry after 26 seconds.", 26000);
    row("try again after 1 minute", 60000);
    row(R"({"error":{"details":[{"retryDelay": "34s"}]}})", 34000);
    row(R"({"error":{"retry_after": 5}})", 5000);
    row(R"({"error":{"retry_after_ms":120}})", 120);
    row("try again in a while, or retry in 2s", 2000);
    row("try again in 20.", std::nullopt);
    row("try again in", std::nullopt);
    row("try again in 5 apples", std::nullopt);
    row("", std::nullopt);
}

void TestRetryAfter::readsBody()
{
    QFETCH(QByteArray, body);
    QFETCH(std::optional<qint64>, ms);
    QVERIFY(waitMs({}, body) == ms);
    // A header says it better.
    QVERIFY(waitMs("retry-after: 7", body) == std::optional<qint64>{7000});
}

QTEST_APPLESS_MAIN(TestRetryAfter)
#include "tst_retry_after.moc"
