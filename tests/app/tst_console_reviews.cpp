// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/incident_scene.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

using namespace weir;
using namespace weir::test;
using Store = IncidentScene::Store;

namespace {

void pressButton(QWidget& parent, const char* words)
{
    for (auto* button : parent.findChildren<QAbstractButton*>()) {
        if (button->text().startsWith(QString::fromLatin1(words))) {
            button->click();
            return;
        }
    }
    QFAIL(words);
}

IncidentNote storedNote(IncidentScene& scene)
{
    return scene.stage.archive.database().notes("INC-231")->front();
}

} // namespace

/// What people add to an incident, and the review that comes of it.
class TestConsoleReviews final : public QObject
{
    Q_OBJECT

private slots:

    /// By keyboard alone: exactly one note and one audit row, by whoever sits here.
    void aNoteIsWrittenOnce()
    {
        IncidentScene scene;
        scene.go(QStringLiteral("INC-231"));
        const auto before = scene.stage.archive.database().audit(100)->size();
        scene.press(Qt::Key_J);
        auto* dialog = scene.page().noteDialog();
        QVERIFY(dialog != nullptr);
        auto* text = named<QPlainTextEdit>(*dialog, "Note");
        QVERIFY(!scene.detail().desk().canSave());
        QTest::keyClicks(text, QStringLiteral("paged them"));
        QTest::keyClick(text, Qt::Key_Return);
        scene.stage.settle();
        QCOMPARE(scene.stage.archive.database().notes("INC-231")->size(), 1U);
        QTest::keyClick(text, Qt::Key_Return, Qt::ControlModifier);
        scene.stage.settle();
        const auto notes = *scene.stage.archive.database().notes("INC-231");
        QCOMPARE(notes.size(), 2U);
        const auto note = std::ranges::find(notes, "paged them", &IncidentNote::text);
        QVERIFY(note != notes.end());
        QCOMPARE(note->createdBy, "maria");
        QCOMPARE(scene.stage.archive.database().audit(100)->size(), before + 1);
        QVERIFY(textOf(scene.detail().story()).contains(QStringLiteral("paged them")));
    }

    void aNoteThatIsNotWrittenIsKept()
    {
        IncidentScene scene;
        scene.go(QStringLiteral("INC-231"));
        scene.press(Qt::Key_J);
        auto* text = named<QPlainTextEdit>(*scene.page().noteDialog(), "Note");
        text->setPlainText(QStringLiteral("paged them"));
        scene.stage.archive.refuse(Error{"unreachable", "db:5432", "no answer"});
        scene.detail().desk().save();
        scene.stage.settle();
        QVERIFY(scene.detail().desk().notice().startsWith(QStringLiteral("Not written: ")));
        QCOMPARE(text->toPlainText(), QStringLiteral("paged them"));
        scene.stage.archive.refuse(std::nullopt);
        scene.detail().desk().save();
        scene.stage.settle();
        QCOMPARE(scene.stage.archive.database().notes("INC-231")->size(), 2U);
        // Esc leaves the words for the next time.
        scene.press(Qt::Key_J);
        named<QPlainTextEdit>(*scene.page().noteDialog(), "Note")
            ->setPlainText(QStringLiteral("half a thou"));
        scene.page().noteDialog()->reject();
        scene.stage.settle();
        scene.press(Qt::Key_J);
        QCOMPARE(scene.detail().desk().draft().text, QStringLiteral("half a thou"));
    }

    /// The second of two sees both texts, and nothing is written over before he chose.
    void twoEditorsOfOneNote()
    {
        IncidentScene scene;
        scene.go(QStringLiteral("INC-231"));
        scene.detail().editNote(QStringLiteral("note-1"));
        auto& desk = scene.detail().desk();
        model::NoteDraft mine = desk.draft();
        mine.text = QStringLiteral("called Baseten, they know");
        desk.edit(mine);
        IncidentNote theirs = storedNote(scene);
        theirs.text = "case 5512 is solved";
        writeNote(scene.stage, theirs, 1, "jon");
        desk.save();
        scene.stage.settle();
        QVERIFY(desk.phase() == model::NoteDesk::Phase::Conflict);
        QVERIFY(desk.notice().startsWith(QStringLiteral("jon changed this note")));
        QCOMPARE(desk.theirs()->text, "case 5512 is solved");
        QCOMPARE(desk.draft().text, mine.text);
        QVERIFY(!desk.canSave());
        QCOMPARE(storedNote(scene).text, "case 5512 is solved");
        desk.keepMine();
        desk.save();
        scene.stage.settle();
        QCOMPARE(storedNote(scene).text, mine.text.toStdString());
        QCOMPARE(storedNote(scene).version, 3);
        QVERIFY(textOf(scene.detail().story()).contains(QStringLiteral("maria (edited)")));
    }

    void aReadOnlyConsoleSaysWhyNot()
    {
        IncidentScene scene(Store::Filled, true);
        scene.go(QStringLiteral("INC-231"));
        scene.press(Qt::Key_J);
        auto& desk = scene.detail().desk();
        model::NoteDraft draft = desk.draft();
        draft.text = QStringLiteral("x");
        desk.edit(draft);
        QVERIFY(desk.whyNot().startsWith(QStringLiteral("This console is read-only")));
        desk.save();
        scene.stage.settle();
        QCOMPARE(scene.stage.archive.database().notes("INC-231")->size(), 1U);
    }

    void aLineOfTheLogIsTakenIntoTheStory()
    {
        IncidentScene scene;
        scene.go(QStringLiteral("INC-231"));
        scene.detail().promote(QStringLiteral("event/3"));
        QCOMPARE(
            scene.detail().desk().draft().text,
            QStringLiteral("rate cut: fireworks 240 to 120 rps"));
        QCOMPARE(scene.detail().desk().draft().at, sampleIncidents().front().events[3].atMs);
    }

    void theReviewIsExported()
    {
        IncidentScene scene;
        scene.go(QStringLiteral("INC-231"));
        scene.press(Qt::Key_X);
        auto* dialog = scene.page().exportDialog();
        QVERIFY(dialog != nullptr);
        const auto review = model::reviewOf(*scene.detail().known(), {});
        QCOMPARE(review.missing.size(), 6);
        QVERIFY(model::missingText(review).startsWith(QStringLiteral("6 parts are still ")));
        const QString folder = scene.stage.folder.filePath(QStringLiteral("out"));
        QVERIFY(QDir().mkdir(folder));
        auto* path = named<QLineEdit>(*dialog, "File");
        auto* format = named<QComboBox>(*dialog, "Format");
        path->setText(folder + QStringLiteral("/r.md"));
        for (int i = 0; i < 3; ++i) {
            format->setCurrentIndex(i);
            pressButton(*dialog, "Save");
        }
        QFile markdown(folder + QStringLiteral("/r.md"));
        QVERIFY(markdown.open(QIODevice::ReadOnly));
        const QByteArray text = markdown.readAll();
        QVERIFY(text.contains("INC-231") && text.contains("10:02:11Z"));
        QVERIFY(text.contains("adaptive OFF, maria: 429 storm (data: weir://settings/"));
        QVERIFY(text.contains("called Baseten support, case 5512 (maria)"));
        QVERIFY(text.contains("![Traffic share](incident-INC-231-share.png)"));
        QVERIFY(!QImage(folder + QStringLiteral("/incident-INC-231-share.png")).isNull());
        QFile html(folder + QStringLiteral("/r.html"));
        QVERIFY(html.open(QIODevice::ReadOnly));
        QCOMPARE(html.readAll().count("data:image/png;base64,"), 4);
        // A file that is there is not replaced by the first press.
        format->setCurrentIndex(0);
        pressButton(*dialog, "Save");
        pressButton(*dialog, "Replace");
        thePdfIsRead(folder + QStringLiteral("/r.pdf"));
    }

    void nobodysWordsAreMarkup()
    {
        IncidentScene scene(Store::Empty);
        Incident hostile = sampleIncidents().front();
        hostile.provider = "<b>x</b>";
        hostile.events = {{hostile.onsetMs, "onset", "<img src=x>\n# y"}};
        saveIncidents(scene.stage, {hostile});
        scene.go(QStringLiteral("INC-231"));
        QVERIFY(textOf(scene.detail().story()).contains(QStringLiteral("<img src=x>")));
        const auto review = model::reviewOf(*scene.detail().known(), {});
        QVERIFY(!review.markdown.contains(QStringLiteral(" <img")));
        view::ReviewDocument document;
        document.markdown = review.markdown;
        QVERIFY(!view::htmlOf(document).contains("<img"));
        for (const QString& word : {QStringLiteral("nan"), QStringLiteral("inf ")})
            QVERIFY(!review.markdown.contains(word, Qt::CaseInsensitive));
    }

private:
    static void thePdfIsRead(const QString& path)
    {
        QFile pdf(path);
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        QVERIFY(pdf.read(5) == "%PDF-");
        const QString reader = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
        if (reader.isEmpty()) QSKIP("pdftotext is not there");
        QProcess process;
        process.start(reader, {path, QStringLiteral("-")});
        QVERIFY(process.waitForFinished());
        const QByteArray text = process.readAllStandardOutput();
        QVERIFY(text.contains("INC-231"));
        QVERIFY(text.contains("10:02:11Z"));
        process.start(
            QStandardPaths::findExecutable(QStringLiteral("pdfimages")),
            {QStringLiteral("-list"), path});
        QVERIFY(process.waitForFinished());
        QVERIFY(process.readAllStandardOutput().count("image") >= 4);
    }
};

QTEST_MAIN(TestConsoleReviews)
#include "tst_console_reviews.moc"
