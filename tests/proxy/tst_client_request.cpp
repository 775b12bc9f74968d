// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/client_request.h"

#include <QTest>

using namespace weir;
using namespace weir::proxy;

namespace {

Config withKeys(std::initializer_list<const char*> keys)
{
    Config config;
    for (const char* key : keys)
        config.agent.clientKeys.emplace_back(key);
    return config;
}

ClientRequest read(const std::string& fields, const Config& config = {}, const char* line = nullptr)
{
    const std::string text = std::string{line != nullptr ? line : "POST /v1/chat/completions"} +
                             " HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
    http::RequestHead head;
    const auto error = http::parseRequestHead(text, {}, head);
    return error ? ClientRequest{} : readClientRequest(head, config);
}

} // namespace

class TestClientRequest final : public QObject
{
    Q_OBJECT

private slots:
    void knowsItsPaths_data();
    void knowsItsPaths();
    void acceptsOnlyConfiguredKeys_data();
    void acceptsOnlyConfiguredKeys();
    void forwardsNothingButTheAllowed();
    void namesTheConversationInTheContractsOrder();
    void readsWeirsOwnFields();
    void demandsAreNeverDropped();
    void readsTheSort();
    void aKeysOwnerIsTheCaller();
    void junkInAFieldHarmsOnlyThatField();
    void knowsABrowsersQuestion_data();
    void knowsABrowsersQuestion();
};

void TestClientRequest::knowsItsPaths_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<ApiPath>("endpoint");
    QTest::addColumn<Protocol>("protocol");
    QTest::addColumn<bool>("methodMatches");
    const auto row = [](const char* line,
                        const char* fields,
                        ApiPath endpoint,
                        Protocol protocol,
                        bool matches) {
        QTest::addRow("%s %s", line, fields)
            << QByteArray(line) << QByteArray(fields) << endpoint << protocol << matches;
    };
    row("POST /v1/chat/completions", "", ApiPath::ChatCompletions, Protocol::OpenAi, true);
    row("GET /v1/chat/completions", "", ApiPath::ChatCompletions, Protocol::OpenAi, false);
    row("POST /v1/messages?beta=true", "", ApiPath::Messages, Protocol::Anthropic, true);
    row("GET /v1/models", "", ApiPath::Models, Protocol::OpenAi, true);
    row("HEAD /v1/models", "", ApiPath::Models, Protocol::OpenAi, true);
    row("POST /v1/models", "", ApiPath::Models, Protocol::OpenAi, false);
    row("HEAD /v1/messages", "", ApiPath::Messages, Protocol::Anthropic, false);
    row("OPTIONS /v1/messages", "", ApiPath::Messages, Protocol::Anthropic, false);
    row("GET /v1/models", "anthropic-version: 1\r\n", ApiPath::Models, Protocol::Anthropic, true);
    row("GET /v1/models", "x-api-key: k\r\n", ApiPath::Models, Protocol::Anthropic, true);
    row("POST /v1/chat/completions/", "", ApiPath::Unknown, Protocol::OpenAi, true);
    row("POST /v2/messages", "x-api-key: k\r\n", ApiPath::Unknown, Protocol::Anthropic, true);
}

void TestClientRequest::knowsItsPaths()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, fields);
    const ClientRequest request = read(fields.toStdString(), {}, line.constData());
    QTEST(request.endpoint, "endpoint");
    QTEST(request.protocol, "protocol");
    QTEST(request.methodMatches, "methodMatches");
    QCOMPARE(QByteArray::fromStdString(request.query), line.contains('?') ? "?beta=true" : "");
}

void TestClientRequest::acceptsOnlyConfiguredKeys_data()
{
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<bool>("authorised");
    QTest::newRow("bearer") << QByteArray("Authorization: Bearer second\r\n") << true;
    QTest::newRow("lower case scheme") << QByteArray("authorization: bearer first\r\n") << true;
    QTest::newRow("x-api-key") << QByteArray("X-Api-Key: first\r\n") << true;
    QTest::newRow("none") << QByteArray() << false;
    QTest::newRow("empty bearer") << QByteArray("Authorization: Bearer \r\n") << false;
    QTest::newRow("a prefix") << QByteArray("Authorization: Bearer firs\r\n") << false;
    QTest::newRow("one more") << QByteArray("Authorization: Bearer firstx\r\n") << false;
    QTest::newRow("repeated") << QByteArray("Authorization: Bearer firstfirst\r\n") << false;
    QTest::newRow("basic") << QByteArray("Authorization: Basic first\r\n") << false;
}

void TestClientRequest::acceptsOnlyConfiguredKeys()
{
    QFETCH(QByteArray, fields);
    QTEST(read(fields.toStdString(), withKeys({"first", "second"})).authorised, "authorised");
    QVERIFY(read(fields.toStdString()).authorised);
}

void TestClientRequest::forwardsNothingButTheAllowed()
{
    const ClientRequest request =
        read("Cookie: c=1\r\nAuthorization: Bearer k\r\nX-Api-Key: k\r\ntraceparent: 00-1\r\n"
             "Accept-Encoding: gzip\r\nX-Weir-Task-Id: t\r\nX-Stainless-Lang: js\r\n"
             "anthropic-version: 2023-06-01\r\nAnthropic-Beta: a,b\r\nanthropic-beta: c\r\n");
    QCOMPARE(QByteArray::fromStdString(request.forwarded), "anthropic-version: 2023-06-01\r\n");
    QCOMPARE(QByteArray::fromStdString(request.betas), "a,b,c");
}

void TestClientRequest::namesTheConversationInTheContractsOrder()
{
    const std::string rest = "session_id: three\r\nx-session-affinity: four\r\n"
                             "x-session-id: two\r\nx-claude-code-session-id: five\r\n";
    QCOMPARE(read(rest).conversation, "two");
    QCOMPARE(read(rest + "X-Weir-Conversation-Id: one\r\n").conversation, "one");
    QCOMPARE(read("x-claude-code-session-id: five\r\n").conversation, "five");
    QVERIFY(read("").conversation.empty());
}

void TestClientRequest::readsWeirsOwnFields()
{
    const ClientRequest request =
        read("X-Weir-Task-Id: t-1\r\nx-weir-task-type: code-review\r\nX-Weir-Region: us, eu\r\n"
             "X-Weir-Terms: no_retention\r\nX-Weir-Deadline-Ms: 1500\r\nX-Weir-Priority: Batch\r\n"
             "X-Weir-Single-Shot: true\r\nX-Weir-Eval: True\r\n");
    QCOMPARE(request.taskId, "t-1");
    QCOMPARE(request.taskType, "code-review");
    QCOMPARE(request.regions, "us, eu");
    QCOMPARE(request.terms, "no_retention");
    QCOMPARE(request.deadline->count(), 1500);
    QCOMPARE(request.priority, std::optional{Priority::Batch});
    QVERIFY(request.singleShot);
    QVERIFY(request.eval);
    QVERIFY(!read("X-Weir-Eval: yes\r\n").eval);
    QVERIFY(!request.sort);
}

/// What demands nothing by mistake must not pass for a request that demands nothing.
void TestClientRequest::demandsAreNeverDropped()
{
    const ClientRequest both = read("X-Weir-Region: eu\r\nX-Weir-Region: ch\r\n");
    QCOMPARE(both.regions, "eu,ch");
    QCOMPARE(read("X-Weir-Terms: gdpr\r\nx-weir-terms: hipaa\r\n").terms, "gdpr,hipaa");
    for (const char* const nothing : {"", " ", ",", " , ,"}) {
        const std::string line = std::string{"X-Weir-Region: eu\r\nX-Weir-Region:"} + nothing;
        QCOMPARE(read(line + "\r\n").badField, std::string_view{"X-Weir-Region"});
    }
    const std::string many = "X-Weir-Terms: " + std::string(300, 'x') + "\r\n";
    QCOMPARE(read(many).badField, std::string_view{"X-Weir-Terms"});
}

void TestClientRequest::readsTheSort()
{
    QVERIFY(read("X-Weir-Sort: price\r\n").sort == SortBy::Price);
    QVERIFY(read("x-weir-sort: Speed\r\n").sort == SortBy::Speed);
    QVERIFY(read("X-Weir-Sort: score\r\n").sort == SortBy::Score);
    const ClientRequest request = read("X-Weir-Sort: cheapest\r\n");
    QVERIFY(!request.sort);
    QCOMPARE(request.badField, std::string_view{"X-Weir-Sort"});
}

void TestClientRequest::aKeysOwnerIsTheCaller()
{
    QCOMPARE(read("").caller, "");
    QCOMPARE(read("X-Weir-Caller: nightly reports \r\n").caller, "nightly reports");
    QCOMPARE(read("X-Weir-Caller: " + std::string(100, 'x') + "\r\n").caller.size(), 64U);
    Config config = withKeys({"sk-one", "sk-two"});
    config.agent.clientKeyNames = {"KEY_ONE", "KEY_TWO"};
    const std::string says = "X-Weir-Caller: somebody else\r\n";
    QCOMPARE(read("Authorization: Bearer sk-two\r\n" + says, config).caller, "KEY_TWO");
    QCOMPARE(read(says + "Authorization: Bearer sk-two\r\n", config).caller, "KEY_TWO");
}

void TestClientRequest::junkInAFieldHarmsOnlyThatField()
{
    const ClientRequest request =
        read("X-Weir-Deadline-Ms: soon\r\nX-Weir-Task-Id: t\r\nX-Weir-Single-Shot: maybe\r\n");
    QVERIFY(!request.deadline);
    QCOMPARE(request.badField, std::string_view{"X-Weir-Deadline-Ms"});
    QVERIFY(!request.singleShot);
    QCOMPARE(request.taskId, "t");
    QCOMPARE(read("X-Weir-Priority: soon\r\n").badField, std::string_view{"X-Weir-Priority"});
    QVERIFY(!read("X-Weir-Deadline-Ms: -5\r\n").deadline);
    QVERIFY(!read("X-Weir-Deadline-Ms: 0\r\n").deadline);
    QCOMPARE(read("X-Weir-Deadline-Ms: 99999999999\r\n").deadline->count(), 3'600'000);
    QCOMPARE(read("X-Weir-Task-Id: " + std::string(5000, 'x') + "\r\n").taskId.size(), 256U);
    QCOMPARE(
        read("X-Weir-Task-Id: \xED\xA0\x80t\r\n").taskId.find("\xED\xA0\x80"), std::string::npos);
}

void TestClientRequest::knowsABrowsersQuestion_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<bool>("preflight");
    QTest::addColumn<bool>("allowed");
    const auto row =
        [](const char* name, const char* line, const char* fields, bool preflight, bool allowed) {
            QTest::newRow(name) << QByteArray(line) << QByteArray(fields) << preflight << allowed;
        };
    const char* const asks = "OPTIONS /v1/messages";
    const char* const method =
        "Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n";
    row("a preflight", asks, method, true, true);
    row("nowhere", "OPTIONS /v1/files", method, false, true);
    row("a request", "POST /v1/messages", method, false, true);
    row("no method asked", asks, "Origin: https://a.example\r\n", false, true);
    row("no origin", asks, "Access-Control-Request-Method: POST\r\n", false, false);
    row("another origin",
        asks,
        "Origin: https://b.example\r\nAccess-Control-Request-Method: POST\r\n",
        false,
        false);
}

void TestClientRequest::knowsABrowsersQuestion()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, fields);
    Config config;
    config.agent.corsOrigins = {"https://a.example"};
    const ClientRequest request = read(fields.toStdString(), config, line.constData());
    QTEST(request.preflight, "preflight");
    QTEST(
        request.cors.find("Access-Control-Allow-Origin: https://a.example\r\n") !=
            std::string::npos,
        "allowed");
    QVERIFY(request.cors.starts_with("Vary: Origin\r\n"));
    const ClientRequest unasked = read(fields.toStdString(), {}, line.constData());
    QVERIFY(unasked.cors.empty());
    QVERIFY(!unasked.preflight);
}

QTEST_APPLESS_MAIN(TestClientRequest)
#include "tst_client_request.moc"
