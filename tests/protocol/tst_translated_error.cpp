// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/translated_error.h"
#include "tests/protocol/padded.h"

#include <QTest>

using namespace weir;
using namespace weir::protocol;

namespace {

Failure badRequest(std::string param, std::string message)
{
    Failure failure;
    failure.outcome = Outcome::BadRequest;
    failure.error.status = 400;
    failure.error.type = "invalid_request_error";
    failure.error.code = "some_code";
    failure.error.param = std::move(param);
    failure.error.message = std::move(message);
    return failure;
}

} // namespace

/// The providers' own bodies stand in golden/failures; here are the edges.
class TestTranslatedError final : public QObject
{
    Q_OBJECT

private slots:
    void namesForAnthropic_data();
    void namesForAnthropic();
    void namesForOpenAi_data();
    void namesForOpenAi();
    void theSameProtocolIsLeftAlone();
    void figures_data();
    void figures();
};

void TestTranslatedError::namesForAnthropic_data()
{
    QTest::addColumn<QString>("param");
    QTest::addColumn<QString>("name");
    const auto row = [](const char* param, const char* name) {
        QTest::newRow(param) << QString(param) << QString(name);
    };
    row("", "");
    row("model", "model");
    row("max_completion_tokens", "max_tokens");
    row("max_tokens", "max_tokens");
    row("stop", "stop_sequences");
    row("messages[3].content[0].image_url", "messages");
    row("messages.[3].content", "messages");
    row("tools[12].function.name", "tools.12");
    row("tools", "tools");
    row("parallel_tool_calls", "tool_choice");
    row("frequency_penalty", "frequency_penalty");
    row("tools[", "tools");
    row("[0]", "");
}

void TestTranslatedError::namesForAnthropic()
{
    QFETCH(QString, param);
    QFETCH(QString, name);
    const ApiError error =
        translated(badRequest(param.toStdString(), "No."), Protocol::OpenAi, Protocol::Anthropic);
    QCOMPARE(shown(error.message), name.isEmpty() ? QString("No.") : name + ": No.");
}

void TestTranslatedError::namesForOpenAi_data()
{
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("param");
    const auto row = [](const char* message, const char* param) {
        QTest::newRow(message) << QString(message) << QString(param);
    };
    row("max_tokens: must be positive", "max_tokens");
    row("stop_sequences.0: too long", "stop");
    row("system.1.cache_control: too many", "messages");
    row("messages: at least one is required", "messages");
    row("tools.10.custom.name: invalid", "tools[10]");
    row("thinking.budget_tokens: too small", "reasoning_effort");
    // Words that merely look like a path.
    row("error: something", "");
    row("model x is gone: sorry", "");
    row("messages", "");
    row("", "");
}

void TestTranslatedError::namesForOpenAi()
{
    QFETCH(QString, message);
    QFETCH(QString, param);
    const ApiError error =
        translated(badRequest({}, message.toStdString()), Protocol::Anthropic, Protocol::OpenAi);
    QCOMPARE(shown(error.param), param);
    QCOMPARE(shown(error.message), message);
}

void TestTranslatedError::theSameProtocolIsLeftAlone()
{
    const Failure failure = badRequest("stop", "No.");
    for (const Protocol protocol : {Protocol::OpenAi, Protocol::Anthropic}) {
        const ApiError error = translated(failure, protocol, protocol);
        QCOMPARE(shown(error.param), QString("stop"));
        QCOMPARE(shown(error.code), QString("some_code"));
        QCOMPARE(shown(error.message), QString("No."));
    }
}

void TestTranslatedError::figures_data()
{
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("told");
    const auto row = [](const char* message, const char* told) {
        QTest::newRow(message) << QString(message) << QString(told);
    };
    row("prompt is too long: 1,213,462 tokens > 1_000_000 maximum",
        "prompt is too long: 1213462 tokens > 1000000 maximum");
    row("maximum context length is 4096. However, you requested 5000. Sorry.",
        "prompt is too long: 5000 tokens > 4096 maximum");
    // What would mean that the request fits was misread.
    row("maximum context length is 4096 tokens, you requested 7 tokens",
        "prompt is too long: maximum context length is 4096 tokens, you requested 7 tokens");
    // A figure far behind the words belongs to something else.
    row("you requested too much, as anybody can see who counts to 5000",
        "prompt is too long: you requested too much, as anybody can see who counts to 5000");
    row("input token count (99999999999999999999) exceeds the number of tokens allowed (5)",
        "prompt is too long: input token count (99999999999999999999) exceeds the number of tokens "
        "allowed (5)");
    row("maximum context length", "prompt is too long: maximum context length");
}

void TestTranslatedError::figures()
{
    QFETCH(QString, message);
    QFETCH(QString, told);
    Failure failure;
    failure.outcome = Outcome::ContextOverflow;
    failure.error.status = 413;
    failure.error.message = message.toStdString();
    failure.error.overflow = readOverflow(failure.error.message);
    const ApiError error = translated(failure, Protocol::OpenAi, Protocol::Anthropic);
    QCOMPARE(shown(error.message), told);
    QCOMPARE(error.status, 400);
}

QTEST_APPLESS_MAIN(TestTranslatedError)
#include "tst_translated_error.moc"
