// SPDX-License-Identifier: Apache-2.0
#include "tests/admin/client.h"
#include "tests/admin/running.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace weir;
using namespace weir::admin;

class TestAdminHostile final : public QObject
{
    Q_OBJECT

private slots:
    void halfClosedClientIsServed();
    void badRequests_data();
    void badRequests();
    void bodiesEndTheConnection();
    void silentClientsAreClosed_data();
    void silentClientsAreClosed();
    void slowLiveReaderIsDropped();
    void tooManyConnections();
};

void TestAdminHostile::halfClosedClientIsServed()
{
    Running running;
    Client client(running.port());
    QVERIFY(client.send(kGet));
    client.halfClose();
    QCOMPARE(client.receive().status, 200);
    QCOMPARE(client.drain(), 0);
}

void TestAdminHostile::badRequests_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("status");

    QTest::newRow("no HTTP") << QByteArray("hello\r\n\r\n") << 400;
    QTest::newRow("no host") << QByteArray("GET / HTTP/1.1\r\n\r\n") << 400;
    QTest::newRow("folded") << QByteArray("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n") << 400;
    QTest::newRow("two lengths") << QByteArray("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
                                               "Content-Length: 2\r\n\r\n")
                                 << 400;
    QTest::newRow("version") << QByteArray("GET / HTTP/2.0\r\nHost: a\r\n\r\n") << 505;
    QTest::newRow("huge head") << "GET / HTTP/1.1\r\nHost: a\r\nX: " + QByteArray(100000, 'x') +
                                      "\r\n\r\n"
                               << 431;
    QTest::newRow("many fields") << "GET / HTTP/1.1\r\nHost: a\r\n" +
                                        QByteArray("X: y\r\n").repeated(200) + "\r\n"
                                 << 431;
    QTest::newRow("endless head") << QByteArray(100000, 'x') << 431;
}

void TestAdminHostile::badRequests()
{
    QFETCH(QByteArray, request);
    QFETCH(int, status);
    Running running;
    Client client(running.port());
    client.send(request.toStdString());
    const Reply reply = client.receive();
    QCOMPARE(reply.status, status);
    QVERIFY(nlohmann::json::accept(reply.body));
    client.halfClose();
    QVERIFY(client.drain() >= 0);
    Client next(running.port());
    QCOMPARE(next.get("/livez").status, 200);
}

void TestAdminHostile::bodiesEndTheConnection()
{
    Running running;
    Client client(running.port());
    QVERIFY(client.send("POST /admin/v1/status HTTP/1.1\r\nHost: test\r\nContent-Length: 37\r\n\r\n"
                        "GET /livez HTTP/1.1\r\nHost: smuggled\r\n\r\n"));
    const Reply reply = client.receive();
    QCOMPARE(reply.status, 405);
    QVERIFY(reply.head.find("Allow: GET, HEAD\r\n") != std::string::npos);
    QVERIFY(reply.head.find("Connection: close\r\n") != std::string::npos);
    client.halfClose();
    QCOMPARE(client.drain(), 0);

    Client other(running.port());
    QVERIFY(other.send("DELETE /livez HTTP/1.1\r\nHost: test\r\n\r\n"));
    QCOMPARE(other.receive().status, 405);
    QCOMPARE(other.get("/livez").status, 200);
}

void TestAdminHostile::silentClientsAreClosed_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<int>("answers");

    QTest::newRow("never says a word") << QByteArray() << 0;
    QTest::newRow("half a request") << QByteArray("GET /livez HT") << 0;
    QTest::newRow("idle after a request") << QByteArray(kGet) << 1;
    QTest::newRow("half of the second") << QByteArray(kGet) + "GET" << 1;
    QTest::newRow("does not close after an error") << QByteArray("junk\r\n\r\n") << 1;
}

void TestAdminHostile::silentClientsAreClosed()
{
    QFETCH(QByteArray, first);
    QFETCH(int, answers);
    Running running([](ServerOptions& options, World&) {
        options.limits.headTicks = 4;
        options.limits.idleTicks = 6;
    });
    Client client(running.port());
    QVERIFY(client.send(first.toStdString()));
    for (int i = 0; i < answers; ++i)
        QVERIFY(client.receive().status != 0);
    QCOMPARE(client.drain(), 0);
}

void TestAdminHostile::slowLiveReaderIsDropped()
{
    Running running([](ServerOptions& options, World& world) {
        options.connectionsMax = 2;
        options.limits.snapshotsMissed = 3;
        ModelConfig model = world.config->models.at("glm");
        for (int i = 0; i < 200; ++i) {
            model.name = "model-" + std::to_string(i);
            world.config->models.emplace(model.name, model);
        }
    });
    Client witness(running.port());
    const std::size_t snapshotBytes = witness.get("/admin/v1/status").body.size();
    QVERIFY(snapshotBytes > 150000);
    Client slow(running.port(), 4096);
    QVERIFY(slow.send("GET /admin/v1/live HTTP/1.1\r\nHost: test\r\n\r\n"));
    QCOMPARE(slow.receive(false).status, 200);
    // The slow one has the second and last place; a third client is let in once it is gone.
    while (Client(running.port()).get("/livez").status != 200) {
        QCOMPARE(witness.get("/livez").status, 200);
    }
    // The stream has ended inside its first snapshot: nothing had been kept for the slow one.
    const std::int64_t left = slow.drain();
    QVERIFY(left >= 0);
    QVERIFY(left < static_cast<std::int64_t>(snapshotBytes));
}

void TestAdminHostile::tooManyConnections()
{
    Running running([](ServerOptions& options, World&) { options.connectionsMax = 2; });
    Client first(running.port());
    QCOMPARE(first.get("/livez").status, 200);
    {
        Client second(running.port());
        QCOMPARE(second.get("/livez").status, 200);
        Client third(running.port());
        QCOMPARE(third.get("/livez").status, 0);
        QCOMPARE(first.get("/livez", "Connection: close\r\n").status, 200);
    }
    QCOMPARE(first.drain(), 0);
    Client fourth(running.port());
    QCOMPARE(fourth.get("/livez").status, 200);
}

QTEST_APPLESS_MAIN(TestAdminHostile)
#include "tst_admin_hostile.moc"
