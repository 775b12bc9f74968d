// SPDX-License-Identifier: Apache-2.0
#include "common/model/status_json.h"
#include "tests/admin/client.h"
#include "tests/admin/prometheus.h"
#include "tests/admin/running.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace weir;
using namespace weir::admin;

class TestAdminServer final : public QObject
{
    Q_OBJECT

private slots:
    void pages_data();
    void pages();
    void readiness();
    void decisionPages();
    void keepAliveAndPipelining();
    void oneByteAtATime();
    void headHasNoBody();
    void oldClient();
    void liveStream();
    void token_data();
    void token();
    void offLoopbackNeedsAToken();
    void portInUse();
    void stopEndsEverything();
    void noPageShowsAKey();
};

void TestAdminServer::pages_data()
{
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("part");

    const QByteArray json = "application/json";
    QTest::newRow("livez") << QByteArray("/livez") << 200 << json << QByteArray(R"("ok")");
    QTest::newRow("metrics") << QByteArray("/metrics") << 200
                             << QByteArray("text/plain; version=0.0.4; charset=utf-8")
                             << QByteArray("weir_attempts_total{");
    QTest::newRow("status") << QByteArray("/admin/v1/status") << 200 << json
                            << QByteArray(R"("agent_id":"agent-1")");
    QTest::newRow("a query is ignored")
        << QByteArray("/admin/v1/status?x=1") << 200 << json << QByteArray("agent_id");
    QTest::newRow("unknown") << QByteArray("/") << 404 << json << QByteArray("not_found");
    QTest::newRow("a longer path")
        << QByteArray("/admin/v1/statusx") << 404 << json << QByteArray("not_found");
    QTest::newRow("decisions") << QByteArray("/admin/v1/decisions") << 200 << json
                               << QByteArray(R"("request_id":"r-1")");
    QTest::newRow("limit") << QByteArray("/admin/v1/decisions?a=b&limit=1000") << 200 << json
                           << QByteArray("r-1");
    for (const char* bad : {"0", "1001", "-1", "x", "1x", "", "99999999999999999999"}) {
        QTest::addRow("limit=%s", bad) << QByteArray("/admin/v1/decisions?limit=") + bad << 400
                                       << json << QByteArray("bad_limit");
    }
}

void TestAdminServer::pages()
{
    QFETCH(QByteArray, target);
    QFETCH(int, status);
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, part);
    Running running;
    Client client(running.port());
    const Reply reply = client.get(target.toStdString());
    QCOMPARE(reply.status, status);
    const std::string field = "Content-Type: " + type.toStdString() + "\r\n";
    QVERIFY(reply.head.find(field) != std::string::npos);
    QVERIFY(reply.head.find("Cache-Control: no-store\r\n") != std::string::npos);
    QVERIFY(reply.body.find(part.toStdString()) != std::string::npos);
    if (target == "/metrics") {
        QCOMPARE(MetricsPage::parse(reply.body).error, std::string());
    } else {
        QVERIFY(nlohmann::json::accept(reply.body));
    }
}

void TestAdminServer::readiness()
{
    Running running;
    Client client(running.port());
    QCOMPARE(client.get("/readyz").status, 503);
    running.server->setReady();
    QCOMPARE(client.get("/readyz").status, 200);
    QCOMPARE(client.get("/livez").status, 200);
    running.stop();

    Running draining([](ServerOptions&, World& world) { world.draining = true; });
    draining.server->setReady();
    Client other(draining.port());
    const Reply reply = other.get("/readyz");
    QCOMPARE(reply.status, 503);
    QVERIFY(reply.body.find("draining") != std::string::npos);
    QCOMPARE(other.get("/livez").status, 200);
}

void TestAdminServer::decisionPages()
{
    Running running;
    Client client(running.port());
    const Reply known = client.get("/admin/v1/decisions/r-1");
    QCOMPARE(known.status, 200);
    QCOMPARE(nlohmann::json::parse(known.body).at("attempts").size(), 1U);
    QCOMPARE(client.get("/admin/v1/decisions/r-2").status, 404);
    QCOMPARE(client.get("/admin/v1/decisions/").status, 404);
}

void TestAdminServer::keepAliveAndPipelining()
{
    Running running;
    Client client(running.port());
    QCOMPARE(client.get("/livez").status, 200);
    std::string many;
    for (int i = 0; i < 50; ++i) {
        many += "GET /admin/v1/decisions/" + std::to_string(i) + " HTTP/1.1\r\nHost: t\r\n\r\n";
    }
    QVERIFY(client.send(many + kGet));
    for (int i = 0; i < 50; ++i)
        QCOMPARE(client.receive().status, 404);
    QCOMPARE(client.receive().status, 200);
    QCOMPARE(client.get("/livez", "Connection: close\r\n").status, 200);
    QCOMPARE(client.drain(), 0);
}

void TestAdminServer::oneByteAtATime()
{
    Running running;
    Client client(running.port());
    for (const char* at = kGet; *at != '\0'; ++at)
        QVERIFY(client.send({at, 1}));
    QCOMPARE(client.receive().status, 200);
}

void TestAdminServer::headHasNoBody()
{
    Running running;
    Client client(running.port());
    for (const char* target : {"/admin/v1/status", "/nowhere"}) {
        QVERIFY(client.send(std::string("HEAD ") + target + " HTTP/1.1\r\nHost: test\r\n\r\n"));
        const Reply reply = client.receive(false);
        QVERIFY(reply.head.find("Content-Length: 0\r\n") == std::string::npos);
        // The next answer starts right after the head.
        QCOMPARE(client.get("/livez").body, std::string(R"({"status":"ok"})"));
    }
    QVERIFY(client.send("HEAD /admin/v1/live HTTP/1.1\r\nHost: test\r\n\r\n"));
    QCOMPARE(client.receive(false).status, 200);
    QCOMPARE(client.drain(), 0);
}

void TestAdminServer::oldClient()
{
    Running running;
    Client client(running.port());
    QVERIFY(client.send("GET /livez HTTP/1.0\r\n\r\n"));
    QCOMPARE(client.receive().status, 200);
    QCOMPARE(client.drain(), 0);
}

void TestAdminServer::liveStream()
{
    Running running;
    Client client(running.port());
    QVERIFY(client.send("GET /admin/v1/live HTTP/1.1\r\nHost: test\r\n\r\n"));
    const Reply head = client.receive(false);
    QCOMPARE(head.status, 200);
    QVERIFY(head.head.find("Content-Type: text/event-stream\r\n") != std::string::npos);
    QVERIFY(head.head.find("Content-Length") == std::string::npos);
    constexpr std::string_view kStart = "event: snapshot\ndata: ";
    for (int i = 0; i < 3; ++i) {
        const std::string event = client.until("\n\n");
        QVERIFY(event.starts_with(kStart));
        const std::string data = event.substr(kStart.size(), event.size() - kStart.size() - 2);
        const Result<AgentStatus> status = statusFromJson(data);
        QVERIFY(status.has_value());
        QCOMPARE(status->models.at(0).routes.at(0).outcomes1m.at("ok"), 1);
        // What happens between two snapshots stands in the next.
        Client other(running.port());
        QCOMPARE(other.get("/livez").status, 200);
    }
}

void TestAdminServer::token_data()
{
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<int>("status");

    QTest::newRow("none") << QByteArray() << 401;
    QTest::newRow("right") << QByteArray("Authorization: Bearer t0ken\r\n") << 200;
    QTest::newRow("scheme in small letters")
        << QByteArray("authorization: bearer t0ken\r\n") << 200;
    QTest::newRow("wrong") << QByteArray("Authorization: Bearer t0kem\r\n") << 401;
    QTest::newRow("longer") << QByteArray("Authorization: Bearer t0ken2\r\n") << 401;
    QTest::newRow("shorter") << QByteArray("Authorization: Bearer t0ke\r\n") << 401;
    QTest::newRow("empty") << QByteArray("Authorization: Bearer \r\n") << 401;
    QTest::newRow("bare") << QByteArray("Authorization: t0ken\r\n") << 401;
    QTest::newRow("basic") << QByteArray("Authorization: Basic t0ken\r\n") << 401;
}

void TestAdminServer::token()
{
    QFETCH(QByteArray, fields);
    QFETCH(int, status);
    Running running([](ServerOptions& options, World&) {
        options.listen.host = "0.0.0.0";
        options.token = Secret("t0ken");
    });
    Client client(running.port());
    for (const char* target :
         {"/livez", "/metrics", "/admin/v1/status", "/admin/v1/decisions", "/nowhere"}) {
        const Reply reply = client.get(target, fields.toStdString());
        QCOMPARE(
            reply.status, std::string_view(target) == "/nowhere" && status == 200 ? 404 : status);
        const bool asks = reply.head.find("WWW-Authenticate: Bearer\r\n") != std::string::npos;
        QCOMPARE(asks, status == 401);
        QVERIFY(reply.body.find("t0ken") == std::string::npos);
    }
    QCOMPARE(client.get("/admin/v1/live", "Authorization: Bearer x\r\n").status, 401);
}

void TestAdminServer::offLoopbackNeedsAToken()
{
    for (const char* host : {"0.0.0.0", "::"}) {
        World world;
        const LiveStats stats(at(0).instant);
        const RecentDecisions decisions;
        boost::asio::io_context io;
        ServerOptions options;
        options.listen = {host, 0};
        const auto server =
            Server::open(io, options, world.sources(), stats, decisions, [] { return at(0); });
        QVERIFY(!server.has_value());
        QCOMPARE(server.error().code, std::string("admin_token_missing"));
    }
}

void TestAdminServer::portInUse()
{
    Running running;
    World world;
    const LiveStats stats(at(0).instant);
    const RecentDecisions decisions;
    boost::asio::io_context io;
    ServerOptions options;
    options.listen.port = running.port();
    const auto second =
        Server::open(io, options, world.sources(), stats, decisions, [] { return at(0); });
    QVERIFY(!second.has_value());
    QCOMPARE(second.error().code, std::string("bind_failed"));
    QVERIFY(second.error().detail.find(std::to_string(running.port())) != std::string::npos);
}

void TestAdminServer::stopEndsEverything()
{
    Running running;
    Client idle(running.port());
    QCOMPARE(idle.get("/livez").status, 200);
    Client half(running.port());
    QVERIFY(half.send("GET /liv"));
    Client live(running.port());
    QVERIFY(live.send("GET /admin/v1/live HTTP/1.1\r\nHost: test\r\n\r\n"));
    QVERIFY(!live.until("\n\n").empty());
    running.stop();
    QCOMPARE(idle.drain(), 0);
    QVERIFY(half.drain() >= 0);
    QVERIFY(live.drain() >= 0);
}

void TestAdminServer::noPageShowsAKey()
{
    Running running;
    Client client(running.port());
    for (const char* target :
         {"/livez",
          "/readyz",
          "/metrics",
          "/admin/v1/status",
          "/admin/v1/decisions",
          "/admin/v1/decisions/r-1"}) {
        const Reply reply = client.get(target);
        QVERIFY(reply.status != 0);
        QVERIFY((reply.head + reply.body).find(kCanary) == std::string::npos);
    }
}

QTEST_APPLESS_MAIN(TestAdminServer)
#include "tst_admin_server.moc"
