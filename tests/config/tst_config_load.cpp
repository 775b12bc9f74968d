// SPDX-License-Identifier: Apache-2.0
#include "agent/config/environment.h"
#include "tests/config/sample.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace weir;
using namespace weir::config;
using namespace std::chrono_literals;

/// Files that load, and what is read from them.
class TstConfigLoad : public QObject
{
    Q_OBJECT

private slots:
    void readsTheExampleOfTheContract();
    void readsPricesExactly_data();
    void readsPricesExactly();
    void fillsInWhatIsLeftOut();
    void takesKeysFromTheEnvironment();
    void readsOriginsOfBrowsers();
    void allowsExposureWithKeys();
    void readsAFile();
    void saysWhyAFileCannotBeRead();
    void refusesWhatIsTooLong();
    void survivesMutation();
    void findsTheStore();
};

namespace {

Config loaded(const std::string& text)
{
    LoadResult result = loadText(text, "weir.toml", sampleEnvironment());
    if (!result) qFatal("%s", errorsOf(text).c_str());
    return std::move(*result);
}

} // namespace

void TstConfigLoad::readsTheExampleOfTheContract()
{
    const Config config = loaded(contractExample());
    QCOMPARE(config.agent.listen, (Endpoint{"127.0.0.1", 8790}));
    QCOMPARE(config.agent.service, std::string("code-review"));
    QVERIFY(config.agent.clientKeys.empty());
    QVERIFY(config.agent.corsOrigins.empty());
    QCOMPARE(config.store.url, std::string("sqlite:"));
    QCOMPARE(config.providers.size(), 2U);
    const ProviderConfig& baseten = config.providers.at("baseten");
    QCOMPARE(baseten.baseUrl, (BaseUrl{true, "inference.baseten.co", 443, "/v1"}));
    QCOMPARE(baseten.apiKey.reveal(), std::string_view("canary-baseten"));
    QCOMPARE(baseten.connectTimeout, 2000ms);
    QVERIFY(baseten.streamOptions);
    const ProviderConfig& fireworks = config.providers.at("fireworks");
    QCOMPARE(fireworks.baseUrl.path, std::string("/inference/v1"));
    QCOMPARE(fireworks.caFile, std::string("/etc/weir/ca.pem"));
    QVERIFY(!fireworks.streamOptions);
    const ModelConfig& model = config.models.at("glm-5.2");
    QCOMPARE(model.fixedOrder, (std::vector<std::string>{"baseten", "fireworks"}));
    QCOMPARE(model.routes.at(0).name(), std::string("baseten/zai-org/GLM-5.2@us"));
    QCOMPARE(model.routes.at(0).price, (Price{600'000, 110'000, 600'000, 2'200'000}));
    QCOMPARE(model.routes.at(0).contextTokens, 200'000);
    QCOMPARE(model.routes.at(0).terms, std::vector<std::string>{"no_retention"});
    QCOMPARE(model.routes.at(1).price, (Price{1, 1, 1, 1'000'000'000'000}));
    QCOMPARE(config.tasks.at("code-review").models, std::vector<std::string>{"glm-5.2"});
    QCOMPARE(config.timing.settingsPoll, 2000ms);
    QCOMPARE(config.limits.spoolBytes, 1073741824U);
}

void TstConfigLoad::readsPricesExactly_data()
{
    QTest::addColumn<QString>("written");
    QTest::addColumn<qint64>("pico");
    QTest::newRow("nothing") << "0" << qint64{0};
    QTest::newRow("whole") << "3" << qint64{3'000'000};
    QTest::newRow("a tenth") << "0.1" << qint64{100'000};
    QTest::newRow("cents") << "0.29" << qint64{290'000};
    QTest::newRow("six decimals") << "1.234567" << qint64{1'234'567};
    QTest::newRow("smallest") << "0.000001" << qint64{1};
    QTest::newRow("exponent") << "2.5e-1" << qint64{250'000};
    QTest::newRow("largest with six") << "999999.999999" << qint64{999'999'999'999};
    QTest::newRow("largest") << "1000000" << qint64{1'000'000'000'000};
}

void TstConfigLoad::readsPricesExactly()
{
    QFETCH(QString, written);
    QFETCH(qint64, pico);
    const std::string price = written.toStdString();
    const Config config = loaded(smallest(
        "[[model.m.route]]", "price = { input = " + price + ", output = " + price + " }\n"));
    QCOMPARE(config.models.at("m").routes.at(0).price, (Price{pico, pico, pico, pico}));
}

void TstConfigLoad::fillsInWhatIsLeftOut()
{
    const Config config = loaded(smallest());
    QCOMPARE(config.agent.adminListen, (Endpoint{"127.0.0.1", 8791}));
    QVERIFY(config.providers.at("a").apiKey.empty());
    const ModelConfig& model = config.models.at("m");
    QCOMPARE(model.fixedOrder, std::vector<std::string>{"a"});
    QVERIFY(!model.routes.at(0).price);
    QCOMPARE(model.routes.at(0).capabilities, (std::vector<std::string>{"stream", "tools"}));
    QCOMPARE(config.tasks.at("default").models, std::vector<std::string>{"m"});
    QCOMPARE(config.timing.settingsGrace, 15s);

    const Config two =
        loaded(smallest("[[model.n.route]]", "provider = \"a\"\nupstream_model = \"other\"\n"));
    QVERIFY2(two.tasks.at("default").models.empty(), "nobody decided which of two models is first");
}

void TstConfigLoad::takesKeysFromTheEnvironment()
{
    const Config config = loaded(smallest("[agent]", "client_keys_env = \" KEY_A, KEY_B \"\n"));
    QCOMPARE(config.agent.clientKeys.size(), 2U);
    QVERIFY(config.agent.clientKeys.at(0).equals("canary-a"));
    QVERIFY(config.agent.clientKeys.at(1).equals("canary-b"));
}

void TstConfigLoad::readsOriginsOfBrowsers()
{
    const std::vector<std::string> origins{
        "https://app.example", "http://localhost:5173", "http://[::1]:8080", "*"};
    const Config config = loaded(smallest(
        "[agent]",
        "client_keys_env = \"KEY_A\"\n"
        "cors_origins = [\"https://app.example\", \"http://localhost:5173\", "
        "\"http://[::1]:8080\", \"*\"]\n"));
    QCOMPARE(config.agent.corsOrigins, origins);
}

void TstConfigLoad::allowsExposureWithKeys()
{
    const Config config = loaded(smallest(
        "[agent]",
        "listen = \"0.0.0.0:8790\"\nclient_keys_env = \"KEY_A\"\n"
        "admin_listen = \"[::]:8791\"\nadmin_token_env = \"ADMIN_TOKEN\"\n"));
    QCOMPARE(config.agent.adminListen, (Endpoint{"::", 8791}));
    QVERIFY(config.agent.adminToken.equals("canary-admin"));
}

void TstConfigLoad::readsAFile()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("weir.toml"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(contractExample().c_str());
    file.close();
    const LoadResult result = load(path.toStdString(), sampleEnvironment());
    QVERIFY(result.has_value());
    QCOMPARE(result->models.size(), 1U);
}

void TstConfigLoad::saysWhyAFileCannotBeRead()
{
    const LoadResult missing = load("no/such/weir.toml", sampleEnvironment());
    QVERIFY(!missing);
    QCOMPARE(
        missing.error().front().text(),
        std::string("no/such/weir.toml: cannot be read: No such file or directory: name a readable "
                    "TOML file with --config"));
    const LoadResult folder = load(QTemporaryDir().path().toStdString(), sampleEnvironment());
    QVERIFY(!folder);
}

void TstConfigLoad::refusesWhatIsTooLong()
{
    // A key of so many parts would nest as deep, and unwinding that would take the whole stack.
    std::string deep = "a";
    for (int i = 0; i < 200'000; ++i)
        deep += ".a";
    QCOMPARE(
        QString::fromStdString(errorsOf("\n" + deep + " = 1\n")),
        QStringLiteral("weir.toml:2: is longer than 16384 bytes: break the line"));
}

void TstConfigLoad::survivesMutation()
{
    constexpr std::string_view kBytes = "[]{}=\"'.,#\n\r\t -_\\0159azAZ\x01\x7f\xc3\xa9\xff";
    std::mt19937 random(20261130);
    const auto below = [&random](std::size_t bound) { return random() % bound; };
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string text = contractExample();
        for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
            const std::size_t at = below(text.size());
            switch (below(4)) {
            case 0:
                text[at] = kBytes[below(kBytes.size())];
                break;
            case 1:
                text.erase(at, 1 + below(40));
                break;
            case 2:
                text.insert(at, 1, kBytes[below(kBytes.size())]);
                break;
            default:
                text.insert(at, text.substr(below(text.size()), below(60)));
                break;
            }
        }
        const LoadResult result = loadText(text, "weir.toml", sampleEnvironment());
        if (result) continue;
        ++refused;
        QVERIFY(!result.error().empty());
        for (const ConfigError& error : result.error()) {
            const std::string line = error.text();
            QVERIFY2(!error.detail.empty() && error.line > 0, line.c_str());
            QVERIFY2(line.find_first_of("\r\n") == std::string::npos, line.c_str());
            QVERIFY2(QString::fromStdString(line).toStdString() == line, "is not UTF-8");
            QVERIFY2(line.find("canary") == std::string::npos, "an error repeats a secret");
        }
    }
    QVERIFY2(refused > 1000, "the mutations hardly broke anything");
}

void TstConfigLoad::findsTheStore()
{
    const auto home = [](const std::string& name) -> std::optional<std::string> {
        return name == "HOME" ? std::optional<std::string>{"/home/ada"} : std::nullopt;
    };
    QCOMPARE(defaultDataDir(home), std::string("/home/ada/.local/share/weir"));
    QCOMPARE(
        defaultDataDir([](const std::string&) { return std::nullopt; }),
        std::string("/var/lib/weir"));
    // Whoever only wants to find the store needs no keys.
    QVERIFY(loadText(contractExample(), "weir.toml", anyEnvironment()).has_value());
}

QTEST_APPLESS_MAIN(TstConfigLoad)
#include "tst_config_load.moc"
