// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/answer.h"
#include "agent/protocol/splice.h"
#include "agent/protocol/stream_reader.h"
#include "tests/protocol/padded.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

using namespace weir;
using namespace weir::protocol;

namespace {

constexpr int kRounds = 3000;

/// Pieces that a grammar cares about, to be put anywhere.
constexpr std::array<std::string_view, 24> kPieces = {
    "{",     "}",       "[",    "]",   ",",  ":",  "\"",   "\\",   "\\u",    "\\ud800",
    "null",  "true",    "-1",   "1e9", "\n", "\r", "\n\n", "\r\n", "data: ", "event: error\n",
    "error", "choices", "\xFF", "語"};

/// Changes a text a little, the same way for the same seed.
std::string mutated(std::string text, std::mt19937& random)
{
    const auto below = [&random](std::size_t bound) {
        return random() % std::max<std::size_t>(bound, 1);
    };
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
        const std::size_t at = below(text.size() + 1);
        switch (below(5)) {
        case 0:
            text.erase(at, below(20));
            break;
        case 1:
            text.insert(at, kPieces.at(below(kPieces.size())));
            break;
        case 2:
            if (at < text.size()) text[at] = static_cast<char>(below(256));
            break;
        case 3:
            text.insert(at, text.substr(below(text.size() + 1), below(40)));
            break;
        default:
            text.resize(at);
            break;
        }
    }
    return text;
}

const std::vector<std::string> kRequests = {
    R"({"model":"m:floor","stream":true,"provider":{"only":["a"]},"messages":[{"role":"system",)"
    R"("content":"s"},{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image_url",)"
    R"("image_url":{"url":"u"}}]}],"stream_options":{"a":1,"include_usage":false},"models":["x"]})",
    R"({"messages":[{"role":"assistant","content":[{"type":"thinking","signature":"s"},)"
    R"({"type":"tool_result","content":[{"type":"image","source":{}}]}]}],"system":[{"text":"\u00e9"}],)"
    R"("max_tokens":5,"tools":[{}],"output_config":{"format":{}},"model":"m"})",
    R"({"max_tokens":5,"models":[],"messages":[{"role":"assistant","content":[{"type":"thinking",)"
    R"("signature":"weir:unsigned"},{"type":"text","text":"x"}]},{"role":"assistant","content":[)"
    R"({"type":"thinking","signature":"weir:unsigned"}]}],"max_completion_tokens":3})",
};

const std::vector<std::string> kAnswers = {
    R"({"choices":[{"index":0,"message":{"content":"hi","tool_calls":[{"function":{"name":"f",)"
    R"("arguments":"{}"}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":2,)"
    R"("prompt_tokens_details":{"cached_tokens":4}}})",
    R"({"type":"message","content":[{"type":"text","text":"hi"},{"type":"tool_use","input":{}}],)"
    R"("stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":2}})",
    R"({"error":{"message":"x","type":"t","code":429,"metadata":{"raw":"y"}}})",
};

const std::vector<std::string> kStreams = {
    ": x\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"h\\u00e9\"}}]}\n\n"
    "data: "
    "{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"{\"}}]},"
    "\"finish_reason\":\"stop\"}]}\r\n\r\ndata: "
    "{\"choices\":[],\"usage\":{\"completion_tokens\":7}}\r\r"
    "data: [DONE]\n\n",
    "event: message_start\ndata: "
    "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3}}}\n\n"
    "event: content_block_delta\ndata: "
    "{\"type\":\"content_block_delta\",\"delta\":{\"text\":\"x\"}}\n\n"
    "event: message_delta\ndata: "
    "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},"
    "\"usage\":{\"output_tokens\":2}}\n\nevent: message_stop\ndata: "
    "{\"type\":\"message_stop\"}\n\n",
};

Protocol protocolOf(std::mt19937& random)
{
    return random() % 2 == 0 ? Protocol::OpenAi : Protocol::Anthropic;
}

/// Everything that can be seen of a reader, after the stream came in these pieces.
std::string
readStream(Protocol protocol, std::string_view stream, const std::vector<std::size_t>& cuts)
{
    StreamReader reader{conversationApi(protocol), {.dropUsageChunk = true, .lineBytesMax = 400}};
    std::string seen;
    std::vector<std::string_view> relay;
    const auto feed = [&](std::string_view piece) {
        const std::string copy{piece};
        relay.clear();
        reader.feed(copy, UtcTime{}, relay);
        for (const std::string_view part : relay)
            seen += part;
    };
    std::size_t at = 0;
    for (const std::size_t cut : cuts) {
        feed(stream.substr(at, cut - at));
        at = cut;
    }
    feed(stream.substr(at));
    relay.clear();
    reader.atEnd(UtcTime{}, relay);
    for (const std::string_view part : relay)
        seen += part;
    const TokenUsage usage = reader.usage();
    seen += "|" + reader.finishReason() + "|" + std::to_string(reader.outputEvents()) + "|" +
            std::to_string(usage.output.value_or(-1)) + (reader.hasOutput() ? "o" : "") +
            (reader.isTerminated() ? "t" : "");
    if (reader.failure()) seen += toWord(reader.failure()->outcome);
    return seen;
}

} // namespace

/// Seeded mutations of good inputs: nothing may crash (run under the sanitizers), and what must
/// hold for every input holds.
class TestProtocolMutations : public QObject
{
    Q_OBJECT

private slots:
    void requests();
    void answers();
    void streams();
};

void TestProtocolMutations::requests()
{
    std::mt19937 random(1);
    int accepted = 0;
    for (int round = 0; round < kRounds; ++round) {
        const Padded body{mutated(kRequests.at(random() % kRequests.size()), random)};
        const Protocol protocol = protocolOf(random);
        const auto facts = readRequest(conversationApi(protocol), body.view());
        if (!facts) {
            QCOMPARE(facts.error().status, 400);
            continue;
        }
        ++accepted;
        const auto splices = upstreamSplices(protocol, *facts, "up", true, {});
        std::vector<std::string_view> pieces;
        appendPieces(body.view(), splices, pieces);
        std::string out;
        for (const std::string_view piece : pieces)
            out += piece;
        QCOMPARE(out.size(), splicedSize(body.view(), splices));
        const Padded again{out};
        const auto upstream = readRequest(conversationApi(protocol), again.view());
        QVERIFY2(upstream.has_value(), out.c_str());
        QCOMPARE(shown(upstream->model), QString("up"));
        QVERIFY(upstream->removals.empty());
        QVERIFY(!upstream->usageEdit);
        QVERIFY(upstream->needs == facts->needs);
        QCOMPARE(upstream->promptHash, facts->promptHash);
    }
    QVERIFY(accepted > kRounds / 20);
}

void TestProtocolMutations::answers()
{
    std::mt19937 random(2);
    int answers = 0;
    for (int round = 0; round < kRounds; ++round) {
        const std::size_t which = random() % kAnswers.size();
        const Padded body{mutated(kAnswers.at(which), random)};
        const Protocol protocol = which == 1 ? Protocol::Anthropic : Protocol::OpenAi;
        const AnswerFacts facts = readAnswer(protocol, body.view(), UtcTime{});
        const bool isAnswer = isSuccess(facts.outcome) || facts.outcome == Outcome::Refused;
        if (facts.failure) {
            QVERIFY(facts.failure->error.status >= 400);
            QCOMPARE(facts.failure->outcome, facts.outcome);
        } else {
            QVERIFY(isAnswer);
            ++answers;
        }
    }
    QVERIFY(answers > kRounds / 20);
}

void TestProtocolMutations::streams()
{
    std::mt19937 random(3);
    for (int round = 0; round < kRounds; ++round) {
        const std::string stream = mutated(kStreams.at(random() % kStreams.size()), random);
        const Protocol protocol = protocolOf(random);
        const std::string whole = readStream(protocol, stream, {});
        std::vector<std::size_t> cuts;
        for (int i = 0; i < 3; ++i)
            cuts.push_back(random() % (stream.size() + 1));
        std::sort(cuts.begin(), cuts.end());
        QCOMPARE(shown(readStream(protocol, stream, cuts)), shown(whole));
        if (round % 16 != 0) continue;
        std::vector<std::size_t> everyByte;
        for (std::size_t cut = 1; cut < stream.size(); ++cut)
            everyByte.push_back(cut);
        QCOMPARE(shown(readStream(protocol, stream, everyByte)), shown(whole));
    }
}

QTEST_APPLESS_MAIN(TestProtocolMutations)
#include "tst_protocol_mutations.moc"
