// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/answer.h"
#include "tests/protocol/padded.h"

#include <QTest>

using namespace weir;
using namespace weir::protocol;

namespace {

AnswerFacts readOf(Protocol protocol, std::string_view body)
{
    const Padded padded{body};
    return readAnswer(protocol, padded.view(), UtcTime{});
}

/// Counts as "uncached/cached/written/output/reasoning", "-" where unknown, "~" estimated, "!"
/// inconsistent.
QString shown(const TokenUsage& usage)
{
    const auto count = [](const std::optional<std::int64_t>& value) {
        return value ? QString::number(*value) : QString("-");
    };
    return count(usage.inputUncached) + "/" + count(usage.inputCached) + "/" +
           count(usage.cacheWrite) + "/" + count(usage.output) + "/" + count(usage.reasoning) +
           (usage.estimated ? "~" : "") + (usage.inconsistent ? "!" : "");
}

} // namespace

class TestAnswer : public QObject
{
    Q_OBJECT

private slots:
    void classifies_data();
    void classifies();
    void readsUsage_data();
    void readsUsage();
    void readsDialects_data();

    void readsDialects() { readsUsage(); }

    void pricesEachTokenOnce();
    void estimatesWhatIsMissing();
    void tellsTheClientWhatFailed();
    void namesTheEnd_data();
    void namesTheEnd();
};

void TestAnswer::classifies_data()
{
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<QString>("finish");
    const auto row = [](bool anthropic, const char* body, const char* outcome, const char* finish) {
        QTest::addRow("%.100s", body)
            << anthropic << QByteArray(body) << QString(outcome) << QString(finish);
    };
    row(false,
        R"({"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]})",
        "ok",
        "stop");
    row(false, R"({"choices":[{"finish_reason":null,"message":{"content":"hi"}}]})", "ok", "");
    // B045: empty for a reason that is no failure.
    row(false,
        R"({"choices":[{"message":{"content":""},"finish_reason":"length"}]})",
        "length",
        "length");
    row(false,
        R"({"choices":[{"message":{"content":null},"finish_reason":"length"}]})",
        "length",
        "length");
    row(false,
        R"({"choices":[{"message":{"reasoning_content":"hm"},"finish_reason":"length"}]})",
        "length",
        "length");
    row(false,
        R"({"choices":[{"message":{"reasoning_content":"hm"},"finish_reason":"stop"}]})",
        "ok",
        "stop");
    row(false,
        R"({"choices":[{"message":{"content":null,"tool_calls":[{"id":"a"}]},"finish_reason":"tool_calls"}]})",
        "ok",
        "tool_calls");
    // B043
    row(false,
        R"({"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]})",
        "refused",
        "content_filter");
    row(false, R"({"choices":[]})", "malformed", "");
    row(false, R"({"choices":null})", "malformed", "");
    row(false, R"({"choices":[{}]})", "malformed", "");
    row(false, R"({"id":"x"})", "malformed", "");
    row(false, R"(<html></html>)", "malformed", "");
    row(false, "", "malformed", "");
    row(false, R"({"choices":[{"message":{"content":"hi"})", "malformed", "");
    row(false, R"({"choices":[{"message":{"content":"hi"}}]} x)", "malformed", "");
    // B006, B060
    row(false, R"({"error":{"message":"could not process image"}})", "server_error", "");
    row(false, R"({"choices":[],"error":{"code":502,"message":"x"}})", "server_error", "");
    row(false,
        R"({"choices":[{"message":{"content":""},"error":{"code":429}}]})",
        "rate_limited",
        "");
    row(false, R"({"error":null,"choices":[{"message":{},"finish_reason":"stop"}]})", "ok", "stop");
    row(false, R"({"choices":[{"message":{},"finish_reason":"error"}]})", "server_error", "error");
    row(true,
        R"({"type":"message","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn"})",
        "ok",
        "end_turn");
    row(true, R"({"type":"message","content":[],"stop_reason":"end_turn"})", "ok", "end_turn");
    row(true,
        R"({"type":"message","content":[],"stop_reason":"max_tokens"})",
        "length",
        "max_tokens");
    row(true, R"({"type":"message","content":[],"stop_reason":"refusal"})", "refused", "refusal");
    row(true, R"({"type":"message","stop_reason":"end_turn"})", "malformed", "");
    row(true, R"({"type":"message","content":"hi"})", "malformed", "");
    row(true,
        R"({"type":"error","error":{"type":"overloaded_error","message":"x"}})",
        "overloaded",
        "");
}

void TestAnswer::classifies()
{
    QFETCH(bool, anthropic);
    QFETCH(QByteArray, body);
    QFETCH(QString, outcome);
    QFETCH(QString, finish);
    const AnswerFacts facts = readOf(
        anthropic ? Protocol::Anthropic : Protocol::OpenAi,
        {body.data(), static_cast<std::size_t>(body.size())});
    QCOMPARE(weir::protocol::shown(toWord(facts.outcome)), outcome);
    QCOMPARE(weir::protocol::shown(facts.finishReason), finish);
    const bool isAnswer = outcome == "ok" || outcome == "length" || outcome == "refused";
    QCOMPARE(facts.failure.has_value(), !isAnswer);
    if (facts.failure) QCOMPARE(facts.failure->outcome, facts.outcome);
}

void TestAnswer::readsUsage_data()
{
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QByteArray>("usage");
    QTest::addColumn<QString>("classes");
    const auto row = [](bool anthropic, const char* usage, const char* classes) {
        QTest::addRow("%s", usage) << anthropic << QByteArray(usage) << QString(classes);
    };
    row(false, R"({"prompt_tokens":10,"completion_tokens":3,"total_tokens":13})", "10/-/-/3/-");
    // B095
    row(false,
        R"({"prompt_tokens":10020,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":10000}})",
        "20/10000/-/1/-");
    row(true,
        R"({"input_tokens":20,"cache_read_input_tokens":10000,"output_tokens":1})",
        "20/10000/-/1/-");
    row(false, R"({"prompt_tokens":10,"completion_tokens":3,"cached_tokens":4})", "6/4/-/3/-");
    row(false,
        R"({"prompt_tokens":10,"completion_tokens":3,"prompt_cache_hit_tokens":4,"prompt_cache_miss_tokens":6})",
        "6/4/-/3/-");
    row(false,
        R"({"prompt_tokens":10,"completion_tokens":9,"completion_tokens_details":{"reasoning_tokens":5}})",
        "10/-/-/9/5");
    // xAI counts reasoning beside the completion; the total tells.
    row(false,
        R"({"prompt_tokens":10,"completion_tokens":9,"total_tokens":39,"completion_tokens_details":{"reasoning_tokens":20}})",
        "10/-/-/29/20");
    row(false,
        R"({"prompt_tokens":1000,"completion_tokens":0,"prompt_tokens_details":{"cached_tokens":300,"cache_write_tokens":100}})",
        "600/300/100/0/-");
    row(false, R"({"prompt_tokens":10.0,"completion_tokens":3})", "10/-/-/3/-");
    row(false, R"({"prompt_tokens":"10","completion_tokens":null})", "-/-/-/-/-");
    row(false,
        R"({"prompt_tokens":10,"completion_tokens":3,"prompt_tokens_details":null})",
        "10/-/-/3/-");
    // Contradictions are clamped and said.
    row(false,
        R"({"prompt_tokens":10,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":50}})",
        "0/10/-/3/-!");
    row(false, R"({"prompt_tokens":-10,"completion_tokens":3})", "0/-/-/3/-!");
    row(false, R"({"prompt_tokens":10,"completion_tokens":3,"total_tokens":9})", "10/-/-/3/-!");
    // Google: thoughts are billed as output and counted in the total alone.
    row(false,
        R"({"prompt_tokens":20,"completion_tokens":198,"total_tokens":623})",
        "20/-/-/603/-!");
    row(false,
        R"({"prompt_tokens":21,"completion_tokens":0,"total_tokens":81,"completion_tokens_details":{"reasoning_tokens":60}})",
        "21/-/-/60/60");
    row(false,
        R"({"prompt_tokens":10,"completion_tokens":3,"completion_tokens_details":{"reasoning_tokens":5}})",
        "10/-/-/3/3!");
    row(false,
        R"({"prompt_tokens":9223372036854775807,"completion_tokens":1,"total_tokens":9223372036854775807})",
        "1000000000000/-/-/1/-!");
    row(true,
        R"({"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":null})",
        "1/-/-/2/-");
    row(false, "null", "-/-/-/-/-");
    row(false, "[]", "-/-/-/-/-");
}

// What servers of both protocols were seen to send.
void TestAnswer::readsDialects_data()
{
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QByteArray>("usage");
    QTest::addColumn<QString>("classes");
    const auto row = [](bool anthropic, const char* usage, const char* classes) {
        QTest::addRow("%s", usage) << anthropic << QByteArray(usage) << QString(classes);
    };
    // Mistral, SGLang, OpenRouter, Groq's times, vLLM's nulls.
    row(false, R"({"prompt_tokens":10,"completion_tokens":3,"num_cached_tokens":4})", "6/4/-/3/-");
    row(false,
        R"({"prompt_tokens":10,"completion_tokens":9,"reasoning_tokens":5,"prompt_tokens_details":{"cached_tokens":8}})",
        "2/8/-/9/5");
    row(false,
        R"({"prompt_tokens":194,"completion_tokens":2,"total_tokens":196,"cost":0.95,"cost_details":{"upstream_inference_cost":19},"prompt_tokens_details":{"cached_tokens":0,"cache_write_tokens":100,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}})",
        "94/0/100/2/0");
    row(false,
        R"({"queue_time":0.02,"prompt_tokens":40,"prompt_time":0.001,"completion_tokens":5,"completion_time":0.01,"total_tokens":45})",
        "40/-/-/5/-");
    row(false,
        R"({"prompt_tokens":10,"total_tokens":13,"completion_tokens":3,"prompt_tokens_details":null,"completion_tokens_details":null})",
        "10/-/-/3/-");
    // B096; Anthropic's writes by how long they stay.
    row(true,
        R"({"input_tokens":600,"cache_read_input_tokens":300,"cache_creation_input_tokens":100,"output_tokens":0})",
        "600/300/100/0/-");
    row(true,
        R"({"input_tokens":600,"cache_creation":{"ephemeral_5m_input_tokens":60,"ephemeral_1h_input_tokens":40},"output_tokens":1})",
        "600/-/100/1/-");
    row(true,
        R"({"input_tokens":6,"cache_creation":{"ephemeral_5m_input_tokens":60,"ephemeral_1h_input_tokens":40},"cache_creation_input_tokens":100,"output_tokens":1})",
        "6/-/100/1/-");
    row(true,
        R"({"input_tokens":6,"cache_creation":null,"cache_read_input_tokens":null,"output_tokens":1})",
        "6/-/-/1/-");
}

void TestAnswer::readsUsage()
{
    QFETCH(bool, anthropic);
    QFETCH(QByteArray, usage);
    QFETCH(QString, classes);
    const std::string body =
        R"({"content":[],"choices":[{"message":{}}],"usage":)" + usage.toStdString() + "}";
    QCOMPARE(
        shown(readOf(anthropic ? Protocol::Anthropic : Protocol::OpenAi, body).usage), classes);
}

// Wire case B096.
void TestAnswer::pricesEachTokenOnce()
{
    const Price price{3'000'000, 300'000, 3'750'000, 0};
    const char* const openAi =
        R"({"choices":[{"message":{}}],"usage":{"prompt_tokens":1000,"completion_tokens":0,)"
        R"("prompt_tokens_details":{"cached_tokens":300,"cache_write_tokens":100}}})";
    const char* const anthropic =
        R"({"content":[],"usage":{"input_tokens":600,"cache_read_input_tokens":300,)"
        R"("cache_creation_input_tokens":100,"output_tokens":0}})";
    QVERIFY(costMicroUsd(price, readOf(Protocol::OpenAi, openAi).usage) == 2265);
    QVERIFY(costMicroUsd(price, readOf(Protocol::Anthropic, anthropic).usage) == 2265);
}

// Four bytes a token, rounded up; the prompt stays unknown.
void TestAnswer::estimatesWhatIsMissing()
{
    const auto usage = [](Protocol protocol, const char* body) {
        return shown(readOf(protocol, body).usage);
    };
    QCOMPARE(
        usage(Protocol::OpenAi, R"({"choices":[{"message":{"content":"12345"}}]})"),
        QString("-/-/-/2/-~"));
    QCOMPARE(
        usage(
            Protocol::OpenAi,
            R"({"choices":[{"message":{"content":"\u8a9e","reasoning":"x","tool_calls":[{"id":"no",)"
            R"("function":{"name":"ab","arguments":"{}"}}]}}]})"),
        QString("-/-/-/2/-~"));
    QCOMPARE(
        usage(
            Protocol::Anthropic,
            R"({"content":[{"type":"text","text":"1234"},{"type":"tool_use","input":{"a":1}}]})"),
        QString("-/-/-/3/-~"));
    QCOMPARE(usage(Protocol::OpenAi, R"({"choices":[{"message":{}}]})"), QString("-/-/-/-/-"));
}

void TestAnswer::tellsTheClientWhatFailed()
{
    const AnswerFacts facts =
        readOf(Protocol::OpenAi, R"({"error":{"code":402,"message":"Insufficient credits"}})");
    QCOMPARE(facts.failure->error.status, 402);
    QCOMPARE(weir::protocol::shown(facts.failure->error.message), QString("Insufficient credits"));
    QCOMPARE(facts.outcome, Outcome::NoCredit);
    QCOMPARE(readOf(Protocol::OpenAi, "<html>").failure->error.status, 502);
}

void TestAnswer::namesTheEnd_data()
{
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("outcome");
    const auto row = [](const char* reason, const char* outcome) {
        QTest::newRow(reason) << QString(reason) << QString(outcome);
    };
    for (const char* const reason :
         {"stop",
          "tool_calls",
          "function_call",
          "end_turn",
          "stop_sequence",
          "tool_use",
          "pause_turn",
          "never heard of",
          ""}) {
        row(reason, "ok");
    }
    row("length", "length");
    row("max_tokens", "length");
    row("model_context_window_exceeded", "length");
    row("content_filter", "refused");
    row("refusal", "refused");
    row("error", "server_error");
}

void TestAnswer::namesTheEnd()
{
    QFETCH(QString, reason);
    QFETCH(QString, outcome);
    QCOMPARE(weir::protocol::shown(toWord(outcomeOfFinish(reason.toStdString()))), outcome);
}

QTEST_APPLESS_MAIN(TestAnswer)
#include "tst_answer.moc"
