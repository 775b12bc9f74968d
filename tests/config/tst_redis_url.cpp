// SPDX-License-Identifier: Apache-2.0
#include "agent/config/redis_url.h"

#include <QTest>

using namespace weir;
using namespace weir::config;

/// Where the fleet's Redis is, as people write it.
class TstRedisUrl : public QObject
{
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
};

void TstRedisUrl::reads_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("parts");
    const auto row = [](const char* url, const char* parts) { QTest::newRow(url) << url << parts; };
    row("redis://cache", "|| cache 6379 0");
    row("redis://cache/", "|| cache 6379 0");
    row("redis://127.0.0.1:7000", "|| 127.0.0.1 7000 0");
    row("redis://[::1]:7000/3", "|| ::1 7000 3");
    row("redis://:secret@cache", "|secret| cache 6379 0");
    row("redis://weir:secret@cache:6380/15", "weir|secret| cache 6380 15");
    row("redis://we%3air:p%40s%2Fs%25@cache", "we:ir|p@s/s%| cache 6379 0");
    row("redis://weir:a@b:c@cache", "weir|a@b:c| cache 6379 0");
}

void TstRedisUrl::reads()
{
    QFETCH(QString, url);
    QFETCH(QString, parts);
    const Result<RedisAddress> address = parseRedisUrl(url.toStdString());
    QVERIFY2(address, address ? "" : address.error().detail.c_str());
    const std::string read = address->user + '|' + std::string{address->password.reveal()} + "| " +
                             address->host + ' ' + std::to_string(address->port) + ' ' +
                             std::to_string(address->database);
    QCOMPARE(QString::fromStdString(read), parts);
}

void TstRedisUrl::refuses_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("cure");
    const auto row = [](const char* url, const char* cure) { QTest::newRow(url) << url << cure; };
    row("cache:6379", "redis://[user:password@]host:6379");
    row("rediss://:hunter2@cache", "stunnel");
    row("redis://", "no proper host");
    row("redis://:6379", "no proper host");
    row("redis://::1:6379", "no proper host");
    row("redis://[::1", "no proper host");
    row("redis://cache:0", "between 1 and 65535");
    row("redis://cache:65536", "between 1 and 65535");
    row("redis://cache:6379/one", "number of a database");
    row("redis://cache:6379/-1", "number of a database");
    row("redis://cache:6379/1/2", "number of a database");
    row("redis://cache?db=1", "query");
    row("redis://hunter2@cache", "user without a password");
    row("redis://weir:@cache", "empty password");
    row("redis://weir:hunter2%@cache", "%25");
    row("redis://weir:hunter2%zz@cache", "%25");
    row("redis://weir:hunter2/x@cache", "%2F");
}

void TstRedisUrl::refuses()
{
    QFETCH(QString, url);
    QFETCH(QString, cure);
    const Result<RedisAddress> address = parseRedisUrl(url.toStdString());
    QVERIFY(!address);
    QCOMPARE(address.error().code, std::string{"bad_redis_url"});
    const QString detail = QString::fromStdString(address.error().text());
    QVERIFY2(detail.contains(cure), qPrintable(detail));
    QVERIFY(!detail.contains("hunter2"));
}

QTEST_APPLESS_MAIN(TstRedisUrl)
#include "tst_redis_url.moc"
