// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/json_tree.h"
#include "agent/protocol/translate_request.h"
#include "tests/protocol/padded.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace weir;
using namespace weir::protocol;
using nlohmann::ordered_json;

namespace {

constexpr int kConversations = 60;
constexpr std::size_t kTurns = 6;

using Messages = std::vector<ordered_json>;

/// Makes conversations as clients of one protocol keep them: each turn is what is added to the
/// messages before the next request.
class Speaker final
{
public:
    explicit Speaker(std::uint32_t seed)
        : m_random(seed)
    {
    }

    std::vector<Messages> openAi()
    {
        std::vector<Messages> turns(kTurns);
        if (chance(2)) turns[0].push_back({{"role", "system"}, {"content", text()}});
        if (chance(3)) turns[0].push_back({{"role", "developer"}, {"content", parts()}});
        for (std::size_t turn = 0; turn < kTurns; ++turn) {
            if (turn > 0) answerOpenAi(turns[turn]);
            if (chance(3)) turns[turn].push_back({{"role", "system"}, {"content", text()}});
            turns[turn].push_back({{"role", "user"}, {"content", chance(2) ? text() : parts()}});
            turns[turn].push_back({{"role", "user"}, {"content", "go on"}});
        }
        return turns;
    }

    std::vector<Messages> anthropic()
    {
        std::vector<Messages> turns(kTurns);
        for (std::size_t turn = 0; turn < kTurns; ++turn) {
            ordered_json user = ordered_json::array();
            if (turn > 0) answerAnthropic(turns[turn], user);
            for (const ordered_json& part : parts())
                user.push_back(part);
            user.push_back({{"type", "text"}, {"text", "go on"}});
            turns[turn].push_back({{"role", "user"}, {"content", user}});
            if (chance(3)) turns[turn].push_back({{"role", "system"}, {"content", text()}});
        }
        return turns;
    }

private:
    std::size_t below(std::size_t bound) { return m_random() % bound; }

    bool chance(std::size_t oneOf) { return below(oneOf) == 0; }

    ordered_json text()
    {
        return chance(8) ? std::string{} : "text \"" + std::to_string(below(100)) + "\" é\n";
    }

    ordered_json parts()
    {
        ordered_json list = ordered_json::array();
        for (std::size_t count = 1 + below(3); count > 0; --count) {
            list.push_back({{"type", "text"}, {"text", text()}});
            if (chance(3)) list.back()["cache_control"] = {{"type", "ephemeral"}};
        }
        return list;
    }

    /// Ids as servers write them, equal ones in several turns among them.
    std::string id()
    {
        const std::string number = std::to_string(below(4));
        return (chance(2) ? "functions.f:" : "call_") + number;
    }

    void answerOpenAi(Messages& turn)
    {
        ordered_json answer = {{"role", "assistant"}, {"content", text()}};
        Messages results;
        for (std::size_t count = below(4); count > 0; --count) {
            const std::string called = id();
            answer["tool_calls"].push_back(
                {{"id", called},
                 {"type", "function"},
                 {"function", {{"name", "f"}, {"arguments", chance(2) ? "" : "{\"a\": 1}"}}}});
            results.push_back(
                {{"role", "tool"},
                 {"tool_call_id", called},
                 {"content", chance(2) ? text() : parts()}});
            if (chance(3)) results.push_back({{"role", "user"}, {"content", text()}});
        }
        if (chance(3)) {
            answer["reasoning_details"] = {
                {{"type", "reasoning.text"},
                 {"text", "t"},
                 {"signature", "s"},
                 {"format", "anthropic-claude-v1"},
                 {"index", 0}}};
        }
        std::shuffle(results.begin(), results.end(), m_random);
        turn.push_back(answer);
        turn.insert(turn.end(), results.begin(), results.end());
    }

    void answerAnthropic(Messages& turn, ordered_json& user)
    {
        ordered_json content = ordered_json::array();
        if (chance(3)) {
            content.push_back(
                {{"type", "thinking"}, {"thinking", "t"}, {"signature", "weir:unsigned"}});
        }
        content.push_back({{"type", "text"}, {"text", text()}});
        for (std::size_t count = below(3); count > 0; --count) {
            const std::string called = "toolu_" + std::to_string(m_random());
            content.push_back(
                {{"type", "tool_use"}, {"id", called}, {"name", "f"}, {"input", {{"a", 1}}}});
            user.push_back(
                {{"type", "tool_result"}, {"tool_use_id", called}, {"content", parts()}});
        }
        turn.push_back({{"role", "assistant"}, {"content", content}});
    }

    std::mt19937 m_random;
};

/// The prompt of the translated request, piece by piece, in the order in which a model reads it.
/// Cache marks are no part of it.
std::vector<std::string> promptOf(Protocol client, const Messages& messages)
{
    const Protocol other = client == Protocol::OpenAi ? Protocol::Anthropic : Protocol::OpenAi;
    const ordered_json request = {{"model", "m"}, {"max_tokens", 5}, {"messages", messages}};
    const Padded body(request.dump());
    json::Tree tree;
    if (!tree.readPadded(body.view())) qFatal("no JSON");
    const auto translated =
        translateRequest(client, tree.root(), {.protocol = other, .upstreamModel = "up"});
    if (!translated) qFatal("%s", translated.error().message.c_str());
    const ordered_json document = ordered_json::parse(*translated);
    std::vector<std::string> pieces;
    for (ordered_json block : document.value("system", ordered_json::array())) {
        block.erase("cache_control");
        pieces.push_back("system " + block.dump());
    }
    for (const ordered_json& message : document["messages"]) {
        if (other == Protocol::OpenAi) {
            pieces.push_back(message.dump());
            continue;
        }
        for (ordered_json block : message["content"]) {
            block.erase("cache_control");
            pieces.push_back(message["role"].get<std::string>() + ' ' + block.dump());
        }
    }
    return pieces;
}

} // namespace

/// Wire case B091: the translated prompt of turn n is a prefix of turn n+1's, or no provider could
/// reuse what it has cached.
class TestPromptPrefix final : public QObject
{
    Q_OBJECT

private slots:
    void everyTurnContinuesTheOneBefore_data();
    void everyTurnContinuesTheOneBefore();
};

void TestPromptPrefix::everyTurnContinuesTheOneBefore_data()
{
    QTest::addColumn<bool>("fromOpenAi");
    QTest::newRow("to Anthropic") << true;
    QTest::newRow("to OpenAI") << false;
}

void TestPromptPrefix::everyTurnContinuesTheOneBefore()
{
    QFETCH(bool, fromOpenAi);
    std::size_t pieces = 0;
    for (int seed = 0; seed < kConversations; ++seed) {
        Speaker speaker(static_cast<std::uint32_t>(seed));
        const auto turns = fromOpenAi ? speaker.openAi() : speaker.anthropic();
        Messages messages;
        std::vector<std::string> before;
        for (const Messages& turn : turns) {
            messages.insert(messages.end(), turn.begin(), turn.end());
            const auto now =
                promptOf(fromOpenAi ? Protocol::OpenAi : Protocol::Anthropic, messages);
            QVERIFY(now.size() >= before.size());
            for (std::size_t i = 0; i < before.size(); ++i)
                QCOMPARE(shown(now[i]), shown(before[i]));
            before = now;
        }
        pieces += before.size();
    }
    QVERIFY(pieces > kConversations * kTurns);
}

QTEST_APPLESS_MAIN(TestPromptPrefix)
#include "tst_prompt_prefix.moc"
