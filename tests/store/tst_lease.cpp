// SPDX-License-Identifier: Apache-2.0
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

namespace {

constexpr std::chrono::milliseconds kLong = std::chrono::hours{1};
constexpr const char* kJob = "summary";

} // namespace

/// Two agents, each with a connection of its own, and one job.
class TestLease : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path{m_dir->path().toStdString()} / "weir.db";
        m_first = openStore(m_path);
        m_second = openStore(m_path);
    }

    void cleanup()
    {
        m_first.reset();
        m_second.reset();
    }

    void oneHasIt()
    {
        QVERIFY(!m_first->leaseHolder(kJob).value());
        const Lease lease = m_first->takeLease(kJob, "a", kLong).value().value();
        QVERIFY((lease == Lease{kJob, "a", 1}));
        QVERIFY(!m_second->takeLease(kJob, "b", kLong).value());
        QVERIFY(m_second->leaseHolder(kJob).value() == lease);
        QVERIFY(m_second->takeLease("other job", "b", kLong).value());
        QVERIFY(m_first->takeLease(kJob, "a", kLong).value() == lease);
    }

    void anotherTakesItWhenItIsOver()
    {
        const Lease old = m_first->takeLease(kJob, "a", kLong).value().value();
        end();
        QVERIFY(!m_first->leaseHolder(kJob).value());
        const Lease next = m_second->takeLease(kJob, "b", kLong).value().value();
        QVERIFY((next == Lease{kJob, "b", old.token + 1}));
        QVERIFY(!m_first->takeLease(kJob, "a", kLong).value());
        // Who lost it has nothing to give up.
        QVERIFY(m_first->giveUpLease(old));
        QVERIFY(m_first->leaseHolder(kJob).value() == next);
    }

    void givenUpItIsFreeAtOnce()
    {
        const Lease old = m_first->takeLease(kJob, "a", kLong).value().value();
        QVERIFY(m_first->giveUpLease(old));
        QVERIFY(!m_first->leaseHolder(kJob).value());
        QCOMPARE(m_second->takeLease(kJob, "b", kLong).value()->token, old.token + 1);
    }

    void itEndsByItself()
    {
        QVERIFY(m_first->takeLease(kJob, "a", std::chrono::milliseconds{20}).value());
        QTRY_VERIFY(m_second->takeLease(kJob, "b", kLong).value());
    }

    /// Whoever lost the job may not know it yet: none of what it publishes is taken.
    void refusesWhatIsPublishedWithoutIt_data()
    {
        QTest::addColumn<bool>("taken");
        QTest::newRow("over, and nobody has it") << false;
        QTest::newRow("another one's") << true;
    }

    void refusesWhatIsPublishedWithoutIt()
    {
        QFETCH(bool, taken);
        const Lease old = m_first->takeLease(kJob, "a", kLong).value().value();
        const SummaryRow summary{"s-1", 1, 1, "{}"};
        QVERIFY(m_first->insertSummary(summary, old));
        QVERIFY(m_first->saveReport("budgets", R"({"a":1})", old));
        end();
        if (taken) QVERIFY(m_second->takeLease(kJob, "b", kLong).value());
        Incident incident;
        incident.id = incident.key = "x";
        const std::string fenced = "fenced";
        QCOMPARE(m_first->insertSummary({"s-2", 2, 1, "{}"}, old).error().code, fenced);
        QCOMPARE(m_first->saveIncidents({&incident, 1}, old).error().code, fenced);
        QCOMPARE(m_first->saveReport("budgets", "{}", old).error().code, fenced);
        QVERIFY(m_second->latestSummary({}).value() == summary);
        QVERIFY(m_second->incidents({}).value().empty());
        const ReportRow report = m_second->report("budgets").value().value();
        QCOMPARE(QString::fromStdString(report.json).remove(' '), R"({"a":1})");
        QVERIFY(report.atMs > 1'700'000'000'000);
        QVERIFY(!m_second->report("failover").value());
    }

private:
    void end() { QCOMPARE(ForeignClient(m_path).run("UPDATE job_lease SET until_ms = 1"), ""); }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_path;
    std::unique_ptr<Database> m_first;
    std::unique_ptr<Database> m_second;
};

QTEST_APPLESS_MAIN(TestLease)
#include "tst_lease.moc"
