// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"
#include "agent/store/pg.h"
#include "agent/store/sql_transaction.h"
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <thread>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

namespace {

constexpr std::chrono::milliseconds kDeadline{400};
/// Far more than any wait that these tests are about, far less than one without an end.
constexpr std::chrono::seconds kSoon{20};

/// The process of the server that serves a connection, and what may befall it.
class Backend final
{
public:
    explicit Backend(SqlConnection& db)
    {
        Statement ask(db, "SELECT pg_backend_pid()");
        if (ask.next()) m_pid = static_cast<pid_t>(ask.integer(0));
    }

    ~Backend() { thaw(); }

    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    [[nodiscard]] pid_t pid() const { return m_pid; }

    void freeze()
    {
        m_isFrozen = ::kill(m_pid, SIGSTOP) == 0;
        if (!m_isFrozen) qFatal("cannot stop process %d of the server", m_pid);
    }

    void thaw()
    {
        if (std::exchange(m_isFrozen, false)) ::kill(m_pid, SIGCONT);
    }

    void kill() const { ::kill(m_pid, SIGKILL); }

private:
    pid_t m_pid = 0;
    bool m_isFrozen = false;
};

} // namespace

/// The connection to a Postgres: what its caller sees when the server does not do its part.
class TestPg : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path{m_dir->path().toStdString()} / "weir.db";
        m_url = postgresUrl(m_path);
        m_db = connection();
        QCOMPARE(ForeignClient(m_path).run("CREATE TABLE t (n bigint, s text, r float8)"), "");
    }

    void cleanup() { m_db.reset(); }

    void valuesGoInAndOut()
    {
        const std::string text = "a'b\"\\\n\t?$1 \u20ac";
        {
            Statement insert(*m_db, "INSERT INTO t (n, s, r) VALUES (?, ?, ?)");
            QVERIFY(insert.bind(INT64_MIN).bind(text).bind(0.1).run());
            QVERIFY(insert.bind(std::optional<std::int64_t>{}).bind("").bind(1e300).run());
            QCOMPARE(m_db->changes(), 1);
        }
        Statement select(*m_db, "SELECT n, s, r FROM t WHERE s <> '?' ORDER BY n NULLS LAST");
        QVERIFY(select.next().value());
        QCOMPARE(select.integer(0), INT64_MIN);
        QCOMPARE(select.text(1), text);
        QCOMPARE(select.real(2), 0.1);
        QVERIFY(select.next().value());
        QVERIFY(!select.maybeInteger(0));
        QCOMPARE(select.text(1), std::string{});
        QCOMPARE(select.real(2), 1e300);
        QVERIFY(!select.next().value());
    }

    /// It would be cut there without a word.
    void refusesATextWithAZeroByte()
    {
        Statement insert(*m_db, "INSERT INTO t (s) VALUES (?)");
        const std::string text("a\0b", 3);
        QCOMPARE(insert.bind(text).run().error().code, std::string{"refused"});
        QCOMPARE(ForeignClient(m_path).rows("SELECT count(*) FROM t"), "0");
    }

    void streamsRowsAndCanBeLeft()
    {
        constexpr std::string_view kSeries = "SELECT * FROM generate_series(1, 300000)";
        std::int64_t sum = 0;
        {
            Statement all(*m_db, kSeries, Rows::Streamed);
            while (all.next().value())
                sum += all.integer(0);
        }
        QCOMPARE(sum, 300'000LL * 300'001 / 2);
        {
            Statement some(*m_db, kSeries, Rows::Streamed);
            QVERIFY(some.next().value());
        }
        QCOMPARE(one("SELECT 7"), 7);
        Statement broken(
            *m_db, "SELECT 1 / (3 - n) FROM generate_series(1, 5) AS n", Rows::Streamed);
        QVERIFY(broken.next().value());
        QVERIFY(broken.next().value());
        QCOMPARE(broken.next().error().code, std::string{"refused"});
        QCOMPARE(one("SELECT 8"), 8);
    }

    /// A server that says nothing any more, as one that is stopped or cut off.
    void aSilentServerIsGivenUp()
    {
        Backend silent(*m_db);
        silent.freeze();
        const Instant start = net::monotonicNow();
        Statement ask(*m_db, "SELECT 1");
        const Result<bool> answer = ask.next();
        QVERIFY(net::monotonicNow() - start < kSoon);
        QCOMPARE(answer.error().code, std::string{"unreachable"});
        // The late answer belongs to nobody: the next question goes another way.
        silent.thaw();
        QCOMPARE(one("SELECT 2"), 2);
        QVERIFY(Backend(*m_db).pid() != silent.pid());
    }

    /// Nor may a batch that the server does not take hold its sender for ever.
    void aCopyThatNobodyTakesIsGivenUp()
    {
        Backend silent(*m_db);
        const std::string rows = QString("1\n").repeated(40'000).toStdString();
        int pieces = 0;
        const auto nextPiece = [&]() -> std::string_view {
            if (++pieces == 3) silent.freeze();
            return rows;
        };
        const auto copied = m_db->copyIn("COPY t (n) FROM STDIN", nextPiece);
        QVERIFY(pieces >= 3);
        QCOMPARE(copied.error().code, std::string{"unreachable"});
    }

    /// The server crashes and starts again.
    void comesBackWithTheServer()
    {
        Backend(*m_db).kill();
        QCOMPARE(failure("SELECT 1"), std::string{"unreachable"});
        QTRY_COMPARE_WITH_TIMEOUT(one("SELECT 1"), 1, 30'000);
    }

    /// While it is away, whoever asks hears so at once; nobody waits the deadline again.
    void asksSeldomWhileNobodyAnswers()
    {
        PgTarget target = pgTarget("postgresql://127.0.0.1:1/weir", "t", kDeadline).value();
        int connected = 0;
        PgConnection db(std::move(target), [&](PgConnection&) -> Status<> {
            ++connected;
            return {};
        });
        const Instant start = net::monotonicNow();
        for (int i = 0; i < 20'000; ++i) {
            const Status<> asked = db.script("SELECT 1");
            QCOMPARE(asked.error().code, std::string{"unreachable"});
            QVERIFY(asked.error().detail.find("refused") != std::string::npos);
        }
        QVERIFY(net::monotonicNow() - start < kSoon);
        QCOMPARE(connected, 0);
    }

    /// Half of a change on one connection and half on another would be no transaction.
    void aTransactionEndsWithItsConnection()
    {
        {
            auto transaction = Transaction::begin(*m_db);
            QVERIFY(transaction);
            QVERIFY(m_db->script("INSERT INTO t (n) VALUES (1)"));
            QCOMPARE(
                ForeignClient(m_path).run(
                    QString("SELECT pg_terminate_backend(%1, 5000)").arg(Backend(*m_db).pid())),
                "");
            QCOMPARE(failure("INSERT INTO t (n) VALUES (2)"), std::string{"unreachable"});
            QCOMPARE(failure("INSERT INTO t (n) VALUES (3)"), std::string{"unreachable"});
            QCOMPARE(transaction->commit().error().code, std::string{"unreachable"});
        }
        QCOMPARE(one("SELECT count(*) FROM t"), 0);
    }

    /// The server answers a COMMIT after an error with success, and writes nothing.
    void aCommitAfterAnErrorIsNone()
    {
        auto transaction = Transaction::begin(*m_db);
        QVERIFY(m_db->script("INSERT INTO t (n) VALUES (1)"));
        QVERIFY(!m_db->script("SELECT 1 / 0"));
        QVERIFY(!transaction->commit());
        QCOMPARE(one("SELECT count(*) FROM t"), 0);
    }

    /// One who stands still in the middle of a change must not keep everybody else from theirs.
    void aStandingTransactionIsEnded()
    {
        auto transaction = Transaction::begin(*m_db, "t");
        QVERIFY(transaction);
        const auto other = connection();
        QCOMPARE(other->begin("t").error().code, std::string{"busy"});
        const auto begins = [&] {
            const bool begun = other->begin("t").has_value();
            other->rollback();
            return begun;
        };
        QTRY_VERIFY_WITH_TIMEOUT(begins(), 30'000);
        QCOMPARE(transaction->commit().error().code, std::string{"unreachable"});
    }

    void hearsOfChanges_data()
    {
        QTest::addColumn<QString>("channel");
        for (const char* channel : {"weir_switch", "weir_settings", "weir_summary"})
            QTest::newRow(channel) << channel;
    }

    void hearsOfChanges()
    {
        QFETCH(QString, channel);
        QVERIFY(m_db->awaitChange(std::chrono::hours{1}).value());
        QVERIFY(!m_db->awaitChange(std::chrono::milliseconds{1}).value());
        std::thread other([&] { ForeignClient(m_path).run("NOTIFY " + channel + ", '2 x'"); });
        QVERIFY(m_db->awaitChange(std::chrono::hours{1}).value());
        other.join();
        // One that came while something else was asked is not lost.
        ForeignClient(m_path).run("NOTIFY " + channel);
        QCOMPARE(one("SELECT 1"), 1);
        QVERIFY(m_db->awaitChange(std::chrono::hours{1}).value());
        QVERIFY(!m_db->awaitChange(std::chrono::milliseconds{1}).value());
    }

    /// What happened while the connection was away nobody told it.
    void aNewConnectionMayHaveMissedAChange()
    {
        QVERIFY(m_db->awaitChange(std::chrono::milliseconds{0}).value());
        const pid_t first = Backend(*m_db).pid();
        std::thread other([&] {
            ForeignClient(m_path).run(QString("SELECT pg_terminate_backend(%1)").arg(first));
        });
        QCOMPARE(m_db->awaitChange(std::chrono::hours{1}).error().code, std::string{"unreachable"});
        other.join();
        QVERIFY(m_db->awaitChange(std::chrono::hours{1}).value());
    }

private:
    [[nodiscard]] std::unique_ptr<PgConnection> connection() const
    {
        return std::make_unique<PgConnection>(
            pgTarget(m_url, "tst_pg", kDeadline).value(),
            [](PgConnection&) -> Status<> { return {}; });
    }

    std::int64_t one(std::string_view sql)
    {
        Statement select(*m_db, sql);
        const Result<bool> row = select.next();
        return row && *row ? select.integer(0) : -1;
    }

    std::string failure(std::string_view sql)
    {
        const Status<> done = Statement(*m_db, sql).run();
        return done ? std::string{} : done.error().code;
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_path;
    std::string m_url;
    std::unique_ptr<PgConnection> m_db;
};

QTEST_APPLESS_MAIN(TestPg)
#include "tst_pg.moc"
