// SPDX-License-Identifier: Apache-2.0
#include "common/model/config_json.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace weir;

class TestConfigJson final : public QObject
{
    Q_OBJECT

private slots:
    void showsNoSecret();
    void masksThePasswordOfAStoreUrl_data();
    void masksThePasswordOfAStoreUrl();
};

void TestConfigJson::showsNoSecret()
{
    Config config;
    config.providers["p"].apiKey = Secret("canary-provider");
    config.agent.clientKeys.emplace_back("canary-client");
    config.agent.adminToken = Secret("canary-admin");
    const std::string text = toJson(config).dump();
    QVERIFY(text.find("canary") == std::string::npos);
    QVERIFY(text.find("****") != std::string::npos);
}

void TestConfigJson::masksThePasswordOfAStoreUrl_data()
{
    QTest::addColumn<QByteArray>("url");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const char* url, const char* shown) {
        QTest::newRow(url) << QByteArray(url) << QByteArray(shown);
    };
    row("sqlite:", "sqlite:");
    row("sqlite:/var/lib/weir/weir.db", "sqlite:/var/lib/weir/weir.db");
    row("postgresql://db:5432/weir", "postgresql://db:5432/weir");
    row("postgresql://weir@db/weir", "postgresql://weir@db/weir");
    row("postgresql://weir:pass@db/weir", "postgresql://weir:****@db/weir");
    row("postgresql://weir:p@ss:x@db/weir", "postgresql://weir:****@db/weir");
    row("postgresql://db/weir?user=weir&password=p@ss&sslmode=require",
        "postgresql://db/weir?user=weir&password=****&sslmode=require");
    row("postgresql://a:b@db/weir?sslpassword=c&password=d&passfile=e",
        "postgresql://a:****@db/weir?sslpassword=****&password=****&passfile=e");
    row("redis://:pass@cache:6379", "redis://:****@cache:6379");
}

void TestConfigJson::masksThePasswordOfAStoreUrl()
{
    QFETCH(QByteArray, url);
    Config config;
    config.store.url = url.toStdString();
    config.store.redis = url.toStdString();
    const auto json = toJson(config);
    QTEST(QByteArray::fromStdString(json["store"]["url"].get<std::string>()), "shown");
    QTEST(QByteArray::fromStdString(json["store"]["redis"].get<std::string>()), "shown");
}

QTEST_APPLESS_MAIN(TestConfigJson)
#include "tst_config_json.moc"
