// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/body_buffer.h"
#include "agent/proxy/runtime.h"
#include "agent/proxy/upstream_request.h"

#include <QTest>

using namespace weir;
using namespace weir::proxy;

namespace {

/// One model with one route, as a configuration file would make it.
std::shared_ptr<const Runtime> runtimeFor(Protocol protocol, const BaseUrl& url)
{
    auto config = std::make_shared<Config>();
    ProviderConfig provider;
    provider.name = "p";
    provider.protocol = protocol;
    provider.baseUrl = url;
    provider.apiKey = Secret("upstream-key");
    config->providers["p"] = provider;
    RouteConfig route;
    route.provider = "p";
    route.upstreamModel = "vendor/Name";
    config->models["m"] = {"m", {"p"}, {route}};
    config->tasks["default"] = {};
    fleet::RouteStates states({}, Instant{}, UtcTime{});
    return *makeRuntime(config, states, Instant{});
}

ClientRequest requestTo(ApiPath path)
{
    ClientRequest request;
    request.endpoint = path;
    request.protocol = protocol::protocolOf(apiOf(path));
    return request;
}

QByteArray sent(const Runtime& runtime, const ClientRequest& request, std::string_view body)
{
    BodyBuffer buffer;
    buffer.append(body);
    const RouteRuntime& route = runtime.models.begin()->second.routes.front();
    const protocol::Api api = apiOf(request.endpoint);
    const auto facts = protocol::readRequest(api, buffer.view());
    if (!facts) return "refused";
    Translation translation(api, buffer.view());
    const auto upstream =
        UpstreamRequest::make(request, *facts, buffer.view(), route, translation, {});
    if (!upstream) return "cannot be told: " + QByteArray::fromStdString(upstream.error().param);
    std::vector<std::string_view> pieces;
    upstream->appendPieces(pieces);
    QByteArray bytes;
    for (const std::string_view piece : pieces) {
        bytes.append(piece.data(), static_cast<qsizetype>(piece.size()));
    }
    return bytes;
}

} // namespace

class TestUpstreamRequest final : public QObject
{
    Q_OBJECT

private slots:
    void isMadeFromTheRoutesOwnRecord();
    void speaksAnthropicsWay();
    void passesTheBodyAsItCame();
    void speaksTheOtherProtocol();
    void passesResponsesAndEmbeddings();
};

void TestUpstreamRequest::isMadeFromTheRoutesOwnRecord()
{
    const auto runtime = runtimeFor(Protocol::OpenAi, {false, "host", 8080, "/base/v1"});
    const QByteArray bytes = sent(
        *runtime,
        requestTo(ApiPath::ChatCompletions),
        R"({"model":"m","messages":[{"role":"user","content":"hi"}]})");
    QCOMPARE(
        bytes,
        "POST /base/v1/chat/completions HTTP/1.1\r\nHost: host:8080\r\nUser-Agent: weir\r\n"
        "Content-Type: application/json\r\nAuthorization: Bearer upstream-key\r\n"
        "Content-Length: 67\r\n\r\n"
        R"({"model":"vendor/Name","messages":[{"role":"user","content":"hi"}]})");
}

void TestUpstreamRequest::speaksAnthropicsWay()
{
    const auto runtime = runtimeFor(Protocol::Anthropic, {true, "api.test", 443, "/v1"});
    const std::string_view body =
        R"({"model":"m","max_tokens":1,"messages":[{"role":"user","content":"hi"}]})";
    ClientRequest request = requestTo(ApiPath::Messages);
    request.query = "?beta=true";
    const QByteArray bytes = sent(*runtime, request, body);
    QVERIFY2(bytes.startsWith("POST /v1/messages?beta=true HTTP/1.1\r\nHost: api.test\r\n"), bytes);
    QVERIFY(bytes.contains("\r\nx-api-key: upstream-key\r\n"));
    QVERIFY(bytes.contains("\r\nanthropic-version: 2023-06-01\r\n"));
    request.hasAnthropicVersion = true;
    request.forwarded = "anthropic-version: 2024-01-01\r\n";
    QCOMPARE(sent(*runtime, request, body).count("anthropic-version"), 1);
}

void TestUpstreamRequest::passesTheBodyAsItCame()
{
    const auto runtime = runtimeFor(Protocol::OpenAi, {false, "h", 80, ""});
    const std::string_view body =
        R"({ "zebra":1e2, "seed":9007199254740993, "x":{"k":null},"a":1,"a":2,)"
        "\n"
        R"( "messages":[{"role":"user","content":"\u00e9é"}] , "model" : "m" })";
    std::string expected{body};
    expected.replace(expected.find("\"m\""), 3, "\"vendor/Name\"");
    QVERIFY(sent(*runtime, requestTo(ApiPath::ChatCompletions), body)
                .endsWith(QByteArray::fromStdString(expected)));
}

void TestUpstreamRequest::speaksTheOtherProtocol()
{
    const auto runtime = runtimeFor(Protocol::OpenAi, {false, "h", 80, "/v1"});
    ClientRequest request = requestTo(ApiPath::Messages);
    request.query = "?beta=true";
    request.hasAnthropicVersion = true;
    request.forwarded = "anthropic-version: 2024-01-01\r\n";
    const QByteArray bytes = sent(
        *runtime,
        request,
        R"({"model":"m","max_tokens":9,"messages":[{"role":"user","content":"\u00e9"}]})");
    // Words of the client's protocol stay behind; the texts are the client's bytes.
    QVERIFY2(bytes.startsWith("POST /v1/chat/completions HTTP/1.1\r\n"), bytes);
    QVERIFY(!bytes.contains("anthropic"));
    QVERIFY(bytes.contains(R"("model":"vendor/Name")"));
    QVERIFY(bytes.contains(R"("content":"\u00e9")"));
    const qsizetype body = bytes.indexOf("\r\n\r\n") + 4;
    const QByteArray length = "Content-Length: " + QByteArray::number(bytes.size() - body) + "\r\n";
    QVERIFY(bytes.contains(length));
    QCOMPARE(
        sent(*runtime, request, R"({"model":"m","max_tokens":9,"top_k":5,"messages":[]})"),
        "cannot be told: top_k");
}

void TestUpstreamRequest::passesResponsesAndEmbeddings()
{
    const auto runtime = runtimeFor(Protocol::OpenAi, {false, "h", 80, "/v1"});
    const std::string_view body = R"({"model":"m","input":"hi", "x":1.0})";
    QByteArray bytes = sent(*runtime, requestTo(ApiPath::Responses), body);
    QVERIFY2(bytes.startsWith("POST /v1/responses HTTP/1.1\r\n"), bytes);
    QVERIFY(bytes.endsWith(R"({"model":"vendor/Name","input":"hi", "x":1.0})"));
    bytes = sent(*runtime, requestTo(ApiPath::Embeddings), body);
    QVERIFY2(bytes.startsWith("POST /v1/embeddings HTTP/1.1\r\n"), bytes);
    QVERIFY(bytes.endsWith(R"({"model":"vendor/Name","input":"hi", "x":1.0})"));
}

QTEST_APPLESS_MAIN(TestUpstreamRequest)
#include "tst_upstream_request.moc"
