// SPDX-License-Identifier: Apache-2.0
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

Authorship by(const std::string& who, const std::string& uuid = {})
{
    return {who, "desk", "", uuid, kNoon + minutes{9}};
}

IncidentNote sampleNote(const std::string& id, const std::string& text)
{
    IncidentNote note;
    note.id = id;
    note.incidentId = "i1";
    note.atMs = epochMs(kNoon + minutes{3});
    note.text = text;
    return note;
}

const QString kInsert =
    "INSERT INTO incident_note (id, incident_id, section, at_ms, text, version, "
    "created_by, updated_by) VALUES ";

} // namespace

/// What people say of incidents: who may say it, what two editors at a time find, and what the
/// audit keeps.
class TestNoteStore : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        const std::filesystem::path path{m_dir->path().toStdString() + "/weir.db"};
        m_store = openStore(path);
        m_shell = std::make_unique<ForeignClient>(path);
        const auto lease = m_store->takeLease("summary", "a", seconds{60});
        Incident incident;
        incident.id = "i1";
        incident.key = "m/p";
        QVERIFY(m_store->saveIncidents({&incident, 1}, **lease));
    }

    void cleanup()
    {
        m_shell.reset();
        m_store.reset();
    }

    void writtenAndRead()
    {
        IncidentNote note = sampleNote("n1", "called them\nthey\tknow");
        note.section = NoteSection::Resolution;
        const auto written = m_store->writeNote({note, 0, by("ann")});
        QVERIFY2(written, written ? "" : written.error().text().c_str());
        QVERIFY(written->outcome == WriteOutcome::Written);
        QVERIFY(m_store->writeNote({sampleNote("n0", "later"), 0, by("bob")}));
        const auto notes = m_store->notes("i1");
        QCOMPARE(notes->size(), 2U);
        note = notes->back();
        QCOMPARE(note.text, "called them they know");
        QVERIFY(note.section == NoteSection::Resolution);
        QCOMPARE(note.version, 1);
        QCOMPARE(note.createdBy, "ann");
        QCOMPARE(note.updatedAt, kNoon + minutes{9});
        QVERIFY(m_store->notes("i2")->empty());
    }

    void notesSurviveTheDetector()
    {
        QVERIFY(m_store->writeNote({sampleNote("n1", "seen"), 0, by("ann")}));
        const auto lease = m_store->takeLease("summary", "a", seconds{60});
        Incident incident = **m_store->incident("i1");
        incident.events = {{5, "closed", ""}};
        QVERIFY(m_store->saveIncidents({&incident, 1}, **lease));
        QCOMPARE(m_store->notes("i1")->size(), 1U);
    }

    /// The second of two who edit the same version gets the first one's words, and changes nothing.
    void twoEditors()
    {
        QVERIFY(m_store->writeNote({sampleNote("n1", "first"), 0, by("ann")}));
        QVERIFY(m_store->writeNote({sampleNote("n1", "by bob"), 1, by("bob")}));
        const auto second = m_store->writeNote({sampleNote("n1", "by eve"), 1, by("eve")});
        QVERIFY(second->outcome == WriteOutcome::Conflict);
        QCOMPARE(second->row->text, "by bob");
        QCOMPARE(second->row->updatedBy, "bob");
        QCOMPARE(second->row->createdBy, "ann");
        QCOMPARE(m_store->notes("i1")->front().text, "by bob");
        const auto again = m_store->writeNote({sampleNote("n1", "by both"), 2, by("eve")});
        QVERIFY(again->outcome == WriteOutcome::Written);
        QCOMPARE(again->row->version, 3);
    }

    void aRepetitionIsTheSameWrite()
    {
        const NoteChange change{sampleNote("n1", "once"), 0, by("ann", "u-1")};
        QVERIFY(m_store->writeNote(change)->outcome == WriteOutcome::Written);
        QVERIFY(m_store->writeNote(change)->outcome == WriteOutcome::Repeated);
        QCOMPARE(m_store->notes("i1")->front().version, 1);
    }

    void ofNoIncident()
    {
        IncidentNote note = sampleNote("n1", "where?");
        note.incidentId = "i9";
        QCOMPARE(m_store->writeNote({note, 0, by("ann")}).error().code, "no_incident");
    }

    void audited()
    {
        QVERIFY(m_store->writeNote({sampleNote("n1", "first"), 0, by("ann")}));
        QVERIFY(m_store->writeNote({sampleNote("n1", "second"), 1, by("bob")}));
        QCOMPARE(
            m_shell->rows("SELECT who, host, row_key, reason, version, old_value ->> 'text', "
                          "new_value ->> 'text', new_value ->> 'incident_id' FROM settings_audit "
                          "WHERE table_name = 'incident_note' ORDER BY id"),
            "ann|desk|n1|first|1||first|i1\nbob|desk|n1|second|2|first|second|i1");
    }

    /// Of a time, the newest first: the two first rows of the store were written just now.
    void auditOfATime()
    {
        QVERIFY(m_store->writeNote({sampleNote("n1", "first"), 0, by("ann")}));
        const auto all = m_store->audit(10);
        const std::int64_t newest = epochMs(all->front().at);
        QCOMPARE(m_store->auditBetween(0, newest + 1, 10)->size(), 3U);
        QCOMPARE(m_store->auditBetween(0, newest + 1, 10)->front().table, "incident_note");
        QCOMPARE(m_store->auditBetween(0, newest + 1, 1)->size(), 1U);
        QVERIFY(m_store->auditBetween(newest + 1, newest + 9, 10)->empty());
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("complaint");
        const auto row = [](const char* name, const QString& sql, const char* complaint) {
            QTest::newRow(name) << sql << complaint;
        };
        row("no text", kInsert + "('x', 'i1', 'timeline', 0, ' ', 1, 'a', 'a')", "text_given");
        row("nobody", kInsert + "('x', 'i1', 'timeline', 0, 't', 1, '', 'a')", "author_named");
        row("section", kInsert + "('x', 'i1', 'blame', 0, 't', 1, 'a', 'a')", "known_section");
        row("no incident", kInsert + "('x', 'i9', 'timeline', 0, 't', 1, 'a', 'a')", "(?i)foreign");
        row("version", kInsert + "('x', 'i1', 'timeline', 0, 't', 2, 'a', 'a')", "first version");
        row("deleted", "DELETE FROM incident_note", "rows stay");
        row("same version", "UPDATE incident_note SET text = 'y'", "must be the old version");
        row("other author",
            "UPDATE incident_note SET version = 2, created_by = 'eve'",
            "author stay");
    }

    void refuses()
    {
        QFETCH(QString, sql);
        QFETCH(QString, complaint);
        QVERIFY(m_store->writeNote({sampleNote("n1", "first"), 0, by("ann")}));
        m_shell->run("PRAGMA foreign_keys = ON");
        const QString said = m_shell->run(sql);
        QVERIFY2(said.contains(QRegularExpression(complaint)), qPrintable(said));
        QCOMPARE(m_store->notes("i1")->front().text, "first");
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<Database> m_store;
    std::unique_ptr<ForeignClient> m_shell;
};

QTEST_APPLESS_MAIN(TestNoteStore)
#include "tst_note_store.moc"
