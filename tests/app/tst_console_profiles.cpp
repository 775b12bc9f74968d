// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/profile_desk.h"
#include "app/view/profile_dialog.h"
#include "tests/app/support/stage.h"

#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace weir;
using model::Band;
using model::Profile;
using model::ProfileDesk;
using model::Profiles;

namespace {

/// A keychain that a test can close.
class Drawer final : public model::SecretKeeper
{
public:
    void read(const QString& key, std::function<void(Result<QString>)> done) override
    {
        const auto found = secrets.find(key);
        done(
            found == secrets.end() ? Result<QString>(fail("no_secret", "", "there is none"))
                                   : Result<QString>(found->second));
    }

    void
    write(const QString& key, const QString& secret, std::function<void(Status<>)> done) override
    {
        if (!isClosed) secrets[key] = secret;
        done(outcome());
    }

    void remove(const QString& key, std::function<void(Status<>)> done) override
    {
        if (!isClosed) secrets.erase(key);
        done(outcome());
    }

    std::map<QString, QString> secrets;
    bool isClosed = false;

private:
    [[nodiscard]] Status<> outcome() const
    {
        if (!isClosed) return {};
        return fail("keychain", "weir-console", "no keychain service runs");
    }
};

Profile production()
{
    return {
        QStringLiteral("production"),
        QStringLiteral("postgresql://maria@db.example/weir?sslmode=verify-full"),
        QStringLiteral("http://127.0.0.1:8791"),
        Band::Red,
        false};
}

} // namespace

class TestConsoleProfiles final : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        QVERIFY(m_dir.isValid());
        m_file = m_dir.filePath(QStringLiteral("%1.ini").arg(++m_count));
    }

    void whatIsSavedIsThereAgain()
    {
        Profiles profiles(m_file);
        Profile odd = production();
        odd.name = QStringLiteral("eu west [2] ünit = %");
        odd.band = Band::Blue;
        QVERIFY(profiles.save(odd));
        QVERIFY(profiles.save(production()));
        QCOMPARE(Profiles(m_file).all(), (std::vector{odd, production()}));
        Profile moved = production();
        moved.agent = QStringLiteral("https://agent.example:8443");
        QVERIFY(profiles.save(moved));
        QCOMPARE(profiles.find(QStringLiteral("production")), std::optional(moved));
        QVERIFY(profiles.remove(odd.name));
        QCOMPARE(profiles.all(), std::vector{moved});
    }

    void slipsAreRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("store");
        QTest::addColumn<QString>("agent");
        QTest::addColumn<QString>("words");
        const QString name = production().name;
        const QString agent = production().agent;
        QTest::newRow("no name") << "  "
                                 << "" << agent << "name";
        QTest::newRow("slash") << "a/b"
                               << "" << agent << "slashes";
        QTest::newRow("long") << QString(41, QChar('a')) << "" << agent << "40 characters";
        QTest::newRow("no store") << name << "mysql://x" << agent << "postgresql://";
        QTest::newRow("password") << name << "postgresql://m:secret@db/weir" << agent
                                  << "its own field";
        QTest::newRow("no agent") << name << ""
                                  << "127.0.0.1:8791"
                                  << "http://127.0.0.1:8791";
    }

    void slipsAreRefused()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, store);
        QFETCH(const QString, agent);
        QFETCH(const QString, words);
        const Status<> saved = Profiles(m_file).save({name, store, agent, Band::None, false});
        QVERIFY(!saved);
        const QString text = QString::fromStdString(saved.error().text());
        QVERIFY2(text.contains(words), qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("secret")), qPrintable(text));
        QVERIFY(Profiles(m_file).all().empty());
    }

    void aPasswordIsInTheKeychainAlone()
    {
        Drawer drawer;
        ProfileDesk desk(Profiles(m_file), drawer);
        desk.save(production(), QStringLiteral("s3cr&t/@"));
        QCOMPARE(desk.trouble(), QString());
        QVERIFY(desk.all().at(0).isPasswordKept);
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("s3cr"));
        QString url;
        ProfileDesk::fetchUrl(desk.all().at(0), drawer, [&](const QString& u) { url = u; });
        QCOMPARE(
            url,
            QStringLiteral("postgresql://maria:s3cr&t%2F%40@db.example/weir?sslmode=verify-full"));
        // Saved anew without typing it again.
        desk.save(production(), QString());
        QVERIFY(desk.all().at(0).isPasswordKept);
        desk.forgetPassword(production());
        QVERIFY(!desk.all().at(0).isPasswordKept);
        QVERIFY(drawer.secrets.empty());
        desk.save(production(), QStringLiteral("x"));
        desk.remove(desk.all().at(0));
        QVERIFY(desk.all().empty());
        QVERIFY(drawer.secrets.empty());
    }

    void aClosedKeychainIsSaid()
    {
        Drawer drawer;
        drawer.isClosed = true;
        ProfileDesk desk(Profiles(m_file), drawer);
        desk.save(production(), QStringLiteral("secret"));
        QVERIFY(desk.trouble().contains(QStringLiteral("no keychain service runs")));
        QCOMPARE(desk.all(), std::vector{production()});
        QString url;
        ProfileDesk::fetchUrl(desk.all().at(0), drawer, [&](const QString& u) { url = u; });
        QCOMPARE(url, production().store);
    }

    void theDialogSavesAndSaysWhatIsWrong_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void theDialogSavesAndSaysWhatIsWrong()
    {
        QFETCH(const bool, isDark);
        const view::Theme& theme = isDark ? view::Theme::dark() : view::Theme::light();
        test::dress(theme);
        Drawer drawer;
        ProfileDesk desk(Profiles(m_file), drawer);
        desk.save(production(), QStringLiteral("secret"));
        view::ProfileDialog dialog(theme, desk, QStringLiteral("production"));
        dialog.show();
        test::keepPicture(
            dialog.grab().toImage(), QStringLiteral("profiles-") + QTest::currentDataTag());
        const auto field = [&](const char* name) {
            for (auto* each : dialog.findChildren<QLineEdit*>()) {
                if (each->accessibleName() == QLatin1String(name)) return each;
            }
            return static_cast<QLineEdit*>(nullptr);
        };
        QCOMPARE(field("Store")->text(), production().store);
        QCOMPARE(field("Password of the store")->text(), QString());
        // Return in a field writes nothing.
        field("Agent")->setText(QStringLiteral("nonsense"));
        QTest::keyClick(field("Agent"), Qt::Key_Return);
        QVERIFY(dialog.isVisible());
        QCOMPARE(desk.all().at(0).agent, production().agent);
        for (auto* button : dialog.findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("Save")) button->click();
        }
        QVERIFY(desk.trouble().contains(QStringLiteral("http://127.0.0.1:8791")));
        QCOMPARE(field("Agent")->text(), QStringLiteral("nonsense"));
        QCOMPARE(desk.all().at(0).agent, production().agent);
        test::keepPicture(
            dialog.grab().toImage(), QStringLiteral("profiles-wrong-") + QTest::currentDataTag());
    }

private:
    QTemporaryDir m_dir;
    QString m_file;
    int m_count = 0;
};

QTEST_MAIN(TestConsoleProfiles)
#include "tst_console_profiles.moc"
