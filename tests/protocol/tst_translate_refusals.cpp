// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/json_tree.h"
#include "agent/protocol/translate_request.h"
#include "tests/protocol/padded.h"
#include "tests/protocol/translation_promises.h"

#include <QTest>

using namespace weir;
using namespace weir::protocol;

namespace {

/// The error for a request that has these members besides what every request has.
std::optional<ApiError> refusalOf(Protocol client, const std::string& members)
{
    const Padded body(
        R"({"model":"m","max_tokens":5,"messages":[{"role":"user","content":"hi"}],)" + members +
        "}");
    json::Tree tree;
    if (!tree.readPadded(body.view())) qFatal("no JSON: %s", members.c_str());
    const bool isOpenAi = client == Protocol::OpenAi;
    TranslationTarget target;
    target.protocol = isOpenAi ? Protocol::Anthropic : Protocol::OpenAi;
    target.upstreamModel = "up";
    return inexpressible(client, tree.root(), target);
}

void addColumns()
{
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("param");
}

void row(const char* members, const char* param)
{
    QTest::newRow(members) << QString(members) << QString(param);
}

void addOpenAiMessages()
{
    row(R"("messages":{})", "messages");
    row(R"("messages":[])", "messages");
    row(R"("messages":[{"role":"system","content":"s"}])", "messages");
    row(R"("messages":[7])", "messages[0].role");
    row(R"("messages":[{"role":"function","name":"f","content":"x"}])", "messages[0].role");
    row(R"("messages":[{"role":"user","content":"hi","name":"Ann"}])", "messages[0].name");
    row(R"("messages":[{"role":"user","content":7}])", "messages[0].content");
    row(R"("messages":[{"role":"user","content":[7]}])", "messages[0].content[0]");
    row(R"("messages":[{"role":"user","content":[{"type":"text"}]}])",
        "messages[0].content[0].text");
    row(R"("messages":[{"role":"user","content":[{"type":"text","text":"a","x":1}]}])",
        "messages[0].content[0].x");
    row(R"("messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"ftp://x"}}]}])",
        "messages[0].content[0].image_url");
    row(R"("messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/svg+xml;base64,AA"}}]}])",
        "messages[0].content[0].image_url");
    row(R"("messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x/","detail":"low"}}]}])",
        "messages[0].content[0].image_url.detail");
    row(R"("messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"file-1"}}]}])",
        "messages[0].content[0].file.file_id");
    row(R"("messages":[{"role":"user","content":[{"type":"file","file":{"file_data":"data:text/plain;base64,AA"}}]}])",
        "messages[0].content[0].file.file_data");
    row(R"("messages":[{"role":"system","content":[{"type":"image_url","image_url":{"url":"https://x/"}}]}])",
        "messages[0].content[0].type");
    row(R"("messages":[{"role":"assistant","content":"x","audio":{"id":"a"}}])",
        "messages[0].audio");
    row(R"("messages":[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}])",
        "messages[0].function_call");
    row(R"("messages":[{"role":"assistant","tool_calls":[{"id":"a","type":"custom","custom":{}}]}])",
        "messages[0].tool_calls[0].type");
    row(R"("messages":[{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"f"}}]}])",
        "messages[0].tool_calls[0].id");
    row(R"("messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"},"extra_content":{"google":{"thought_signature":"s"}}}]}])",
        "messages[0].tool_calls[0].extra_content");
    row(R"("messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":{}}}]}])",
        "messages[0].tool_calls[0].function.arguments");
    row(R"("messages":[{"role":"tool","tool_call_id":"a","content":"x"}])",
        "messages[0].tool_call_id");
    row(R"("messages":[{"role":"assistant","content":"a","reasoning_details":[{"type":"reasoning.text","text":"t","format":"anthropic-claude-v1","index":0}]}])",
        "messages[0].reasoning_details[0]");
}

void addAnthropicMessages()
{
    row(R"("messages":7)", "messages");
    row(R"("messages":[7])", "messages[0]");
    row(R"("messages":[])", "messages");
    row(R"("messages":[{"role":"user","content":[]}])", "messages");
    row(R"("messages":[{"role":"user","content":[{"type":"text","text":""}]}])", "messages");
    row(R"("system":"s","messages":[{"role":"system","content":"x"}])", "messages");
    row(R"("messages":[{"role":"user"}])", "messages[0].content");
    row(R"("messages":[{"role":"tool","content":"x"}])", "messages[0].role");
    row(R"("messages":[{"role":"user","content":"x","id":"m"}])", "messages[0].id");
    row(R"("messages":[{"role":"user","content":[{"type":"image","source":{"type":"file","file_id":"f"}}]}])",
        "messages[0].content[0].source.type");
    row(R"("messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"AA"}}]}])",
        "messages[0].content[0].source");
    row(R"("messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"}}]}])",
        "messages[0].content[0].source");
    row(R"("messages":[{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"A"},"citations":{"enabled":true}}]}])",
        "messages[0].content[0].citations");
    row(R"("messages":[{"role":"user","content":[{"type":"search_result","source":"s"}]}])",
        "messages[0].content[0].type");
    row(R"("messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"tool_reference","tool_name":"t"}]}]}])",
        "messages[0].content[0].content[0].type");
    row(R"("messages":[{"role":"user","content":[{"type":"tool_result","content":"x"}]}])",
        "messages[0].content[0].tool_use_id");
    row(R"("messages":[{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"web_search","input":{}}]}])",
        "messages[0].content[0].type");
    row(R"("messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":"{}"}]}])",
        "messages[0].content[0].input");
    row(R"("messages":[{"role":"assistant","content":[{"type":"text","text":"x","citations":[{"type":"char_location"}]}]}])",
        "messages[0].content[0].citations");
}

} // namespace

/// Nothing that has an effect on the answer is left out: what the other protocol cannot say is
/// refused, and the error names the place.
class TestTranslateRefusals final : public QObject
{
    Q_OBJECT

private slots:
    void ofOpenAi_data();
    void ofOpenAi();
    void ofAnthropic_data();
    void ofAnthropic();
    void keepsItsPromises_data();
    void keepsItsPromises();
};

void TestTranslateRefusals::ofOpenAi_data()
{
    addColumns();
    row(R"("seed":9007199254740993)", "seed");
    row(R"("n":2)", "n");
    row(R"("logprobs":true)", "logprobs");
    row(R"("top_logprobs":2)", "top_logprobs");
    row(R"("logit_bias":{"50256":-100})", "logit_bias");
    row(R"("frequency_penalty":0.1)", "frequency_penalty");
    row(R"("presence_penalty":-1)", "presence_penalty");
    row(R"("audio":{"voice":"alloy"})", "audio");
    row(R"("modalities":["text","audio"])", "modalities");
    row(R"("prediction":{"type":"content","content":"x"})", "prediction");
    row(R"("web_search_options":{})", "web_search_options");
    row(R"("verbosity":"low")", "verbosity");
    row(R"("store":true)", "store");
    row(R"("service_tier":"flex")", "service_tier");
    row(R"("temperature":1.2)", "temperature");
    row(R"("temperature":"hot")", "temperature");
    row(R"("max_completion_tokens":"5")", "max_completion_tokens");
    row(R"("max_completion_tokens":5.5)", "max_completion_tokens");
    row(R"("reasoning_effort":"high")", "reasoning_effort");
    row(R"("reasoning":{"effort":"high"})", "reasoning");
    row(R"("stop":"\n")", "stop");
    row(R"("stop":["a",""])", "stop[1]");
    row(R"("stop":["a",1])", "stop[1]");
    row(R"("user":7)", "user");
    row(R"("functions":[{"name":"f"}])", "functions");
    row(R"("function_call":"auto")", "function_call");
    row(R"("stream_options":{"include_usage":true,"include_obfuscation":true})", "stream_options");
    row(R"("response_format":{"type":"json_schema"})", "response_format.json_schema");
    row(R"("response_format":{"type":"json_schema","json_schema":{"name":"n"}})",
        "response_format.json_schema.schema");
    row(R"("response_format":{"type":"json_schema","json_schema":{"schema":{},"description":"d"}})",
        "response_format.json_schema.description");
    row(R"("tools":{})", "tools");
    row(R"("tools":[7])", "tools[0]");
    row(R"("tools":[{"type":"function"}])", "tools[0].function");
    row(R"("tools":[{"type":"function","function":{"name":"f","parameters":[]}}])",
        "tools[0].function.parameters");
    row(R"("tools":[{"type":"function","function":{"name":"f","grammar":"g"}}])",
        "tools[0].function.grammar");
    row(R"("tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"any")",
        "tool_choice");
    row(R"("tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"allowed_tools"})",
        "tool_choice.type");
    row(R"("tool_choice":"required")", "tool_choice");
    addOpenAiMessages();
}

void TestTranslateRefusals::ofOpenAi()
{
    QFETCH(QString, members);
    QFETCH(QString, param);
    const auto refusal = refusalOf(Protocol::OpenAi, members.toStdString());
    QVERIFY(refusal);
    QCOMPARE(shown(refusal->param), param);
    QVERIFY(shown(refusal->message).contains(param));
}

void TestTranslateRefusals::ofAnthropic_data()
{
    addColumns();
    row(R"("top_k":5)", "top_k");
    row(R"("container":"c")", "container");
    row(R"("mcp_servers":[{"type":"url","url":"u","name":"n"}])", "mcp_servers");
    row(R"("context_management":{"edits":[{"type":"compact_20260112"}]})", "context_management");
    row(R"("context_management":{"other":1})", "context_management");
    row(R"("inference_geo":"us")", "inference_geo");
    row(R"("service_tier":"priority")", "service_tier");
    row(R"("speed":"fast")", "speed");
    row(R"("reasoning_effort":"low")", "reasoning_effort");
    row(R"("thinking":{"type":"enabled","budget_tokens":2000})", "thinking");
    row(R"("thinking":{"type":"adaptive"})", "thinking");
    row(R"("thinking":{"type":"hard"})", "thinking.type");
    row(R"("output_config":{"effort":"low"})", "output_config.effort");
    row(R"("output_config":{"task_budget":{}})", "output_config.task_budget");
    row(R"("output_config":{"format":{"type":"grammar"}})", "output_config.format.type");
    row(R"("output_format":{"type":"json_schema"})", "output_format.schema");
    row(R"("metadata":{"user_id":"u","team":"t"})", "metadata.team");
    row(R"("max_tokens":"5")", "max_tokens");
    row(R"("stop_sequences":"x")", "stop_sequences");
    row(R"("tools":[{"name":"f"}])", "tools[0].input_schema");
    row(R"("tools":[{"input_schema":{}}])", "tools[0].name");
    row(R"("tools":[{"type":"bash_20250124","name":"bash"}])", "tools[0].type");
    row(R"("tools":[{"name":"f","input_schema":{},"input_examples":[{}]}])",
        "tools[0].input_examples");
    row(R"("tools":[{"name":"f","input_schema":{}}],"tool_choice":{"type":"tool"})", "tool_choice");
    row(R"("tool_choice":{"type":"any"})", "tool_choice");
    row(R"("system":7)", "system");
    row(R"("system":[{"type":"image"}])", "system[0].type");
    addAnthropicMessages();
}

void TestTranslateRefusals::ofAnthropic()
{
    QFETCH(QString, members);
    QFETCH(QString, param);
    const auto refusal = refusalOf(Protocol::Anthropic, members.toStdString());
    QVERIFY(refusal);
    QCOMPARE(shown(refusal->param), param);
    QVERIFY(shown(refusal->message).contains(param));
}

void TestTranslateRefusals::keepsItsPromises_data()
{
    QTest::addColumn<QString>("request");
    const auto request = [](const char* text) { QTest::newRow(text) << QString(text); };
    request("{}");
    request(R"({"messages":[]})");
    request(R"({"messages":[{}]})");
    request(R"({"":0,"messages":[{"role":"user","content":"hi"}]})");
    request(R"({"messages":[{"role":"user","content":[[[[[[[[[[1]]]]]]]]]]}]})");
}

/// What the fuzzer asks of any input.
void TestTranslateRefusals::keepsItsPromises()
{
    QFETCH(QString, request);
    for (const Protocol client : {Protocol::OpenAi, Protocol::Anthropic}) {
        const auto broken = promises::broken(client, request.toStdString());
        QVERIFY2(!broken, broken.value_or(std::string{}).c_str());
    }
}

QTEST_APPLESS_MAIN(TestTranslateRefusals)
#include "tst_translate_refusals.moc"
