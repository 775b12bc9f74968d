// SPDX-License-Identifier: Apache-2.0
#include "agent/store/data_dir.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace weir;
using namespace weir::store;

class TestDataDir : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path{m_dir->path().toStdString()} / "deep" / "data";
    }

    void isMadeWithAnIdThatStays()
    {
        std::string id;
        {
            const DataDir dir = DataDir::open(m_path).value();
            id = dir.agentId();
            QCOMPARE(id.size(), 32U);
            QCOMPARE(dir.path(), m_path);
            QVERIFY(std::filesystem::is_directory(dir.spool()));
        }
        QCOMPARE(DataDir::open(m_path).value().agentId(), id);
        QVERIFY(DataDir::open(m_path.parent_path() / "other").value().agentId() != id);
    }

    /// Both would think that a lease is theirs, and nobody could tell what they write apart.
    void aCopyIsAnotherHolder()
    {
        const std::filesystem::path copy = m_path.parent_path() / "copy";
        std::string holder;
        {
            const DataDir dir = DataDir::open(m_path).value();
            holder = dir.holder();
            std::filesystem::copy(m_path, copy, std::filesystem::copy_options::recursive);
            const DataDir other = DataDir::open(copy).value();
            QCOMPARE(other.agentId(), dir.agentId());
            QVERIFY(other.holder() != holder);
        }
        QCOMPARE(DataDir::open(m_path)->holder(), holder);
    }

    void keepsASecretOfItsOwnUntilItKnowsTheFleets()
    {
        const std::string fleets(64, 'f');
        {
            DataDir dir = DataDir::open(m_path).value();
            QCOMPARE(dir.secret().size(), 64U);
            QVERIFY(dir.secret() != DataDir::open(m_path.parent_path() / "other")->secret());
            QCOMPARE(dir.adoptSecret("f").error().code, std::string{"bad_secret"});
            QVERIFY(dir.adoptSecret(fleets));
        }
        QCOMPARE(DataDir::open(m_path)->secret(), fleets);
        using std::filesystem::perms;
        const perms mode = std::filesystem::status(m_path / "secret").permissions();
        QCOMPARE(mode & perms::all, perms::owner_read | perms::owner_write);
    }

    void isForOneAgentAtATime()
    {
        const DataDir dir = DataDir::open(m_path).value();
        const auto second = DataDir::open(m_path);
        QCOMPARE(second.error().code, std::string{"data_dir_locked"});
        const std::string pid = std::to_string(::getpid());
        QVERIFY(second.error().detail.find("process " + pid) != std::string::npos);
    }

    void isFreeAgainWhenItsProcessDied()
    {
        const pid_t child = fork();
        if (child == 0) {
            const auto dir = DataDir::open(m_path);
            ::raise(SIGKILL);
            _exit(dir ? 0 : 1);
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status));
        QVERIFY(DataDir::open(m_path));
    }

    void refusesADamagedId()
    {
        DataDir::open(m_path).value();
        std::ofstream(m_path / "agent_id") << "me\n";
        const auto opened = DataDir::open(m_path);
        QCOMPARE(opened.error().code, std::string{"data_dir"});
        QCOMPARE(opened.error().where, (m_path / "agent_id").string());
    }

    void saysWhereItCannotBe()
    {
        std::ofstream(m_dir->filePath("file").toStdString()) << "x";
        const auto opened = DataDir::open(m_dir->filePath("file/data").toStdString());
        QCOMPARE(opened.error().code, std::string{"data_dir"});
    }

    void readsStoreUrls_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("path");
        QTest::newRow("default") << "sqlite:"
                                 << "/data/weir.db";
        QTest::newRow("elsewhere") << "sqlite:/srv/a b.db"
                                   << "/srv/a b.db";
        QTest::newRow("relative") << "sqlite:weir.db"
                                  << "";
        QTest::newRow("postgres") << "postgresql://h/weir"
                                  << "";
        QTest::newRow("nothing") << ""
                                 << "";
        QTest::newRow("mysql") << "mysql://h"
                               << "";
    }

    void readsStoreUrls()
    {
        QFETCH(QString, url);
        QFETCH(QString, path);
        const auto read = sqlitePath(url.toStdString(), "/data");
        QCOMPARE(read.has_value(), !path.isEmpty());
        if (read)
            QCOMPARE(QString::fromStdString(read->string()), path);
        else
            QCOMPARE(read.error().code, std::string{"bad_store_url"});
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_path;
};

QTEST_APPLESS_MAIN(TestDataDir)
#include "tst_data_dir.moc"
