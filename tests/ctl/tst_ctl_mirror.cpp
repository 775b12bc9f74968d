// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sqlite_store.h"
#include "tests/ctl/run.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::ctl;

namespace {

using Json = nlohmann::json;

MirrorComparison pair(int number, const char* task)
{
    MirrorComparison comparison;
    comparison.requestId = std::string{task} + std::to_string(number);
    comparison.at = kNow - std::chrono::minutes{number};
    comparison.taskType = task;
    comparison.served = {"big", "baseten", Outcome::Ok, true, false, 800'000, 300, 2300, 100, 1000};
    comparison.candidate = {
        "small", "fireworks", Outcome::Ok, true, false, 800'000, 150, 1150, 100, 250};
    return comparison;
}

} // namespace

/// `weirctl mirror report`.
class TstCtlMirror : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase()
    {
        store::SqliteOptions options;
        options.path = m_dir.filePath("weir.db").toStdString();
        options.host = "here";
        options.now = kNow;
        auto store = store::openSqlite(options);
        if (!store) qFatal("%s", store.error().text().c_str());
        std::vector<MirrorComparison> all;
        for (int i = 0; i < 40; ++i)
            all.push_back(pair(i, "review"));
        for (int i = 0; i < 10; ++i)
            all.push_back(pair(i, "summary"));
        MirrorComparison old = pair(1, "old");
        old.at = kNow - std::chrono::hours{25};
        all.push_back(old);
        QVERIFY((*store)->addComparisons(all).has_value());
    }

    void printsForPeople()
    {
        const Ran ran = report({});
        QCOMPARE(ran.exit, 0);
        QVERIFY(has(ran.out, "review: small beside big\n"));
        QVERIFY(has(ran.out, "40, 0 failed\n"));
        QVERIFY(has(ran.out, "0.800 against 0.800, +0.000 (95 %: +0.000 to +0.000), 40 graded\n"));
        QVERIFY(has(ran.out, "100 % against 100 % of 40\n"));
        QVERIFY(has(ran.out, "cost 0.25, first output 0.50, tokens a second 2.00\n"));
        QVERIFY(has(ran.out, "promote to the ladder: it is as good as what serves\n"));
        QVERIFY(has(ran.out, "keep comparing (needs about 20 more): too few were graded\n"));
        QVERIFY(!has(ran.out, "old"));
    }

    void asksForATimeAndATask()
    {
        const Ran ran = report({"--json", "--task", "summary", "--since", "5m"});
        QCOMPARE(ran.exit, 0);
        const Json json = Json::parse(ran.out);
        QCOMPARE(json["reports"].size(), 1U);
        QCOMPARE(json["reports"][0]["copies"].get<int>(), 6);
        QCOMPARE(
            json["reports"][0]["suggestion"].get<std::string>(), std::string{"keep_comparing"});
        QCOMPARE(json["reports"][0]["needed"].get<int>(), 24);
        QVERIFY(has(report({"--since", "2d"}).out, "old: small"));
        QVERIFY(has(report({"--task", "none"}).out, "No copy was compared"));
    }

    void refusesATimeThatIsNone()
    {
        QCOMPARE(report({"--since", "yesterday"}).exit, 2);
        QCOMPARE(weirctl({"mirror"}).exit, 2);
    }

private:
    [[nodiscard]] Ran report(std::vector<std::string> more) const
    {
        more.insert(more.begin(), {"mirror", "report", "--data-dir", m_dir.path().toStdString()});
        return weirctl(more);
    }

    QTemporaryDir m_dir;
};

QTEST_GUILESS_MAIN(TstCtlMirror)
#include "tst_ctl_mirror.moc"
