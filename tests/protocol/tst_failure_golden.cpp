// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/answer.h"
#include "agent/protocol/stream_reader.h"
#include "agent/proxy/failure_answer.h"
#include "tests/protocol/golden_failure.h"
#include "tests/protocol/padded.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QFile>
#include <QTest>

using namespace weir;
using namespace weir::protocol;
using golden::FailureCase;

namespace {

// 2026-11-30T10:00:00Z
constexpr UtcTime kNow{std::chrono::seconds{1796032800}};
constexpr const char* kFolder = WEIR_GOLDEN_FAILURES;

/// The first failure of a stream, as an attempt meets it.
std::optional<Failure> failureInStream(const FailureCase& golden)
{
    StreamReader reader(conversationApi(golden.from), {});
    std::vector<std::string_view> relay;
    reader.feed(golden.body, kNow, relay);
    if (!reader.failure()) reader.atEnd(kNow, relay);
    return reader.failure();
}

/// What an attempt makes of the answer.
proxy::AttemptResult resultOf(const FailureCase& golden)
{
    proxy::AttemptResult result;
    result.httpStatus = golden.status;
    result.contentType = fieldOf(golden, "content-type");
    if (golden.status < 200 || golden.status > 299) {
        result.answer.append(golden.body);
        result.hasAnswer = true;
        result.failure = classify(golden.status, golden.fields, golden.body, kNow);
    } else if (result.contentType.starts_with("text/event-stream")) {
        result.failure = failureInStream(golden);
    } else {
        result.failure =
            readAnswer(conversationApi(golden.from), Padded(golden.body).view(), kNow).failure;
    }
    if (result.failure) result.outcome = result.failure->outcome;
    return result;
}

std::string textOr(const nlohmann::json& member, const char* otherwise)
{
    return member.is_string() ? member.get<std::string>() : otherwise;
}

/// A client's view, worded like the line in the file.
QString told(Protocol client, const FailureCase& golden)
{
    ProviderConfig provider;
    provider.name = "p1";
    provider.protocol = golden.from;
    proxy::AttemptResult result = resultOf(golden);
    const proxy::FailureAnswer answer = failureAnswer(client, provider, result);
    if (client == golden.from && answer.status == golden.status && answer.body == golden.body) {
        return "as it came";
    }
    const auto document = nlohmann::json::parse(answer.body, nullptr, false);
    if (!document.is_object() || !document["error"].is_object()) return "no error at all";
    const nlohmann::json error = document["error"];
    std::string line = std::to_string(answer.status) + " " + textOr(error["type"], "-");
    if (client == Protocol::OpenAi) {
        line += " " + textOr(error["code"], "-") + " " + textOr(error["param"], "-");
    } else if (document["type"] != "error") {
        return "not Anthropic's shape";
    }
    return shown(line + " | " + textOr(error["message"], "-"));
}

/// What the client of a request with this one attempt is told about another, worded like the file.
QString advised(const FailureCase& golden)
{
    std::vector<proxy::AttemptResult> results;
    results.push_back(resultOf(golden));
    const proxy::Advice advice = proxy::adviceFor(results, 0);
    QStringList words;
    if (advice.retryAfter) {
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(*advice.retryAfter);
        words << QString("wait %1").arg(seconds.count());
    }
    if (advice.shouldRetry) words << (*advice.shouldRetry ? "yes" : "no");
    return words.join(", ");
}

} // namespace

/// Every file of golden/failures is one row; README.md there says how to add one.
class TestFailureGolden final : public QObject
{
    Q_OBJECT

private slots:
    void failures_data();
    void failures();
};

void TestFailureGolden::failures_data()
{
    QTest::addColumn<QByteArray>("text");
    const QDir folder(kFolder);
    const QStringList names = folder.entryList({"*.txt"}, QDir::Files, QDir::Name);
    QVERIFY2(!names.isEmpty(), kFolder);
    for (const QString& name : names) {
        QFile file(folder.filePath(name));
        QVERIFY2(file.open(QFile::ReadOnly), qPrintable(name));
        QTest::newRow(qPrintable(name)) << file.readAll();
    }
}

void TestFailureGolden::failures()
{
    QFETCH(QByteArray, text);
    const FailureCase golden =
        golden::readFailureCase({text.data(), static_cast<std::size_t>(text.size())});
    QVERIFY2(!golden.fault, golden.fault.value_or("").c_str());
    const proxy::AttemptResult result = resultOf(golden);
    QVERIFY(result.failure);
    const Failure& failure = *result.failure;
    QCOMPARE(shown(toWord(failure.outcome)), shown(golden.outcome));
    const QString wait =
        failure.retryAfter ? QString::number(failure.retryAfter->count()) : QString();
    QCOMPARE(wait, shown(golden.wait));
    const QString retry =
        failure.shouldRetry ? (*failure.shouldRetry ? QString("true") : QString("false")) : "";
    QCOMPARE(retry, shown(golden.retry));
    QCOMPARE(advised(golden), shown(golden.advice));
    QCOMPARE(told(Protocol::OpenAi, golden), shown(golden.toOpenAi));
    QCOMPARE(told(Protocol::Anthropic, golden), shown(golden.toAnthropic));
}

QTEST_APPLESS_MAIN(TestFailureGolden)
#include "tst_failure_golden.moc"
