// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/command_line.h"
#include "agent/ctl/verbs.h"
#include "agent/store/sqlite_store.h"

#include <nlohmann/json.hpp>

#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <sstream>

using namespace weir;
using namespace weir::ctl;
using namespace std::chrono_literals;

/// The program from its arguments to its exit code, with a store of its own and no agent.
class TstCtlCommand : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void refusesBadUsage_data();
    void refusesBadUsage();
    void helps_data();
    void helps();
    void readsMoments_data();
    void readsMoments();
    void readsEveryOptionAfterTheVerb();
    void saysThatNoAgentListens_data();
    void saysThatNoAgentListens();
    void saysThatThereIsNoStore();
    void findsTheStoreByTheConfiguration();
    void reportsABrokenConfiguration();
    void turnsTheSwitch();
    void reportsAConflict();
    void printsJson();
    void refusesAnAgentThatIsLate();
    void changesSettings();
    void refusesABadSetting();
    void readsTheLedger();

private:
    struct Ran
    {
        int exit = 0;
        std::string out;
        std::string err;
    };

    Ran ctl(std::vector<std::string> arguments) const;
    [[nodiscard]] std::unique_ptr<store::SqliteStore> openStore() const;
    [[nodiscard]] std::string path(const char* name) const;

    std::unique_ptr<QTemporaryDir> m_dir;
};

namespace {

constexpr UtcTime kNow = fromEpochMs(1764497700000);

bool has(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

/// A port on which nothing listens.
std::string deadAgent()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return "http://127.0.0.1:" + std::to_string(server.serverPort());
}

CallRecord call(int number, Outcome outcome, std::optional<std::int64_t> cost)
{
    CallRecord record;
    record.requestId = "req-" + std::to_string(number);
    record.startedAt = kNow + std::chrono::seconds{number};
    record.model = "glm-5.2";
    record.provider = number % 2 == 0 ? "baseten" : "fireworks";
    record.route = record.provider + "/x";
    record.outcome = outcome;
    record.costMicroUsd = cost;
    record.usage.inputUncached = 100;
    record.usage.output = 10;
    return record;
}

} // namespace

std::string TstCtlCommand::path(const char* name) const
{
    return m_dir->filePath(QString(name)).toStdString();
}

TstCtlCommand::Ran TstCtlCommand::ctl(std::vector<std::string> arguments) const
{
    std::ostringstream out;
    std::ostringstream err;
    const auto env = [](const std::string& name) -> std::optional<std::string> {
        return name == "USER" ? std::optional<std::string>{"ada"} : std::nullopt;
    };
    const Io io{out, err, env, false};
    const Exit exit = runWeirctl(arguments, io, kNow);
    return {static_cast<int>(exit), out.str(), err.str()};
}

std::unique_ptr<store::SqliteStore> TstCtlCommand::openStore() const
{
    store::SqliteOptions options;
    options.path = path("weir.db");
    options.host = "here";
    options.now = kNow;
    auto opened = store::SqliteStore::open(options);
    if (!opened) qFatal("%s", opened.error().text().c_str());
    return std::move(*opened);
}

void TstCtlCommand::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    QVERIFY(m_dir->isValid());
}

void TstCtlCommand::refusesBadUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QStringList& arguments, const char* said) {
        QTest::newRow(name) << arguments << QString(said);
    };
    row("nothing", {}, "weirctl: A subcommand is required: see weirctl --help\n");
    row("unknown verb",
        {"stauts"},
        "weirctl: no such verb: stauts: did you mean status?: see weirctl --help\n");
    row("unknown verb of a group",
        {"mode", "sit", "fixed"},
        "weirctl: no such verb: sit: did you mean set?: see weirctl mode --help\n");
    row("group alone", {"mode"}, "weirctl: A subcommand is required: see weirctl mode --help\n");
    row("mode missing",
        {"mode", "set", "--reason", "x"},
        "weirctl: mode is required: see weirctl mode set --help\n");
    row("mode misspelt",
        {"mode", "set", "adaptve", "--reason", "x"},
        "weirctl: mode: must be adaptive, shadow or fixed, not adaptve: did you mean adaptive?: "
        "see weirctl mode set --help\n");
    row("no reason",
        {"mode", "set", "fixed"},
        "weirctl: --reason is required: see weirctl mode set --help\n");
    row("empty reason",
        {"mode", "set", "fixed", "--reason", " "},
        "weirctl: --reason: must say why, as it stands in the audit: see weirctl mode set "
        "--help\n");
    row("unknown option",
        {"status", "--colour"},
        "weirctl: The following argument was not expected: --colour: see weirctl status --help\n");
    row("limit",
        {"ledger", "query", "--limit", "0"},
        "weirctl: --limit: Value 0 not in range 1 to 1000: see weirctl ledger query --help\n");
    row("time",
        {"ledger", "query", "--since", "yesterday"},
        "weirctl: --since: is no time: write 2026-11-30T10:00:00Z, 2026-11-30, or an age such as "
        "15m, 2h, 7d: see weirctl ledger query --help\n");
    row("outcome",
        {"ledger", "query", "--outcome", "rate_limit"},
        "weirctl: --outcome: no such outcome: rate_limit: did you mean rate_limited?: see weirctl "
        "ledger query --help\n");
    row("cursor",
        {"ledger", "query", "--after", "x"},
        "weirctl: --after: is no cursor: give the word that the page before ended with\n");
}

void TstCtlCommand::refusesBadUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, said);
    std::vector<std::string> given;
    for (const QString& one : arguments)
        given.push_back(one.toStdString());
    const Ran ran = ctl(given);
    QCOMPARE(QString::fromStdString(ran.err), said);
    QCOMPARE(ran.exit, 2);
    QVERIFY(ran.out.empty());
}

void TstCtlCommand::helps_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    QTest::newRow("help") << QStringList{"--help"} << "ledger";
    QTest::newRow("help of a verb") << QStringList{"mode", "set", "--help"} << "--reason";
    QTest::newRow("version") << QStringList{"--version"} << "weirctl 0.1.0";
}

void TstCtlCommand::helps()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    std::vector<std::string> given;
    for (const QString& one : arguments)
        given.push_back(one.toStdString());
    const Ran ran = ctl(given);
    QCOMPARE(ran.exit, 0);
    QVERIFY2(has(ran.out, part.toStdString()), ran.out.c_str());
    QVERIFY(ran.err.empty());
}

void TstCtlCommand::readsMoments_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("iso"); // empty: none
    QTest::newRow("time") << "2026-11-30T10:00:00Z"
                          << "2026-11-30T10:00:00.000Z";
    QTest::newRow("day") << "2026-11-30"
                         << "2026-11-30T00:00:00.000Z";
    QTest::newRow("minutes") << "15m"
                             << "2025-11-30T10:00:00.000Z";
    QTest::newRow("days") << "2d"
                          << "2025-11-28T10:15:00.000Z";
    QTest::newRow("no unit") << "15"
                             << "";
    QTest::newRow("negative") << "-5m"
                              << "";
    QTest::newRow("too far") << "99999999999d"
                             << "";
    QTest::newRow("word") << "yesterday"
                          << "";
}

void TstCtlCommand::readsMoments()
{
    QFETCH(QString, text);
    QFETCH(QString, iso);
    const std::optional<UtcTime> moment = parseMoment(text.toStdString(), kNow);
    QCOMPARE(moment ? QString::fromStdString(toIso(*moment)) : QString(), iso);
}

void TstCtlCommand::readsEveryOptionAfterTheVerb()
{
    const auto parsed = parseCommandLine(
        {"ledger",
         "query",
         "--json",
         "--since",
         "1h",
         "--provider",
         "baseten",
         "--store",
         "sqlite:/x",
         "--outcome",
         "rate_limited",
         "--limit",
         "7"},
        kNow);
    QVERIFY(parsed.has_value());
    QVERIFY(parsed->options.json);
    QCOMPARE(parsed->options.storeUrl, std::string("sqlite:/x"));
    const auto& query = std::get<LedgerQueryVerb>(parsed->verb);
    QVERIFY(query.since == kNow - 1h);
    QVERIFY(!query.until);
    QVERIFY(query.outcome == Outcome::RateLimited);
    QCOMPARE(query.limit, 7);
}

void TstCtlCommand::saysThatNoAgentListens_data()
{
    QTest::addColumn<QStringList>("verb");
    QTest::newRow("status") << QStringList{"status"};
    QTest::newRow("top") << QStringList{"top"};
    QTest::newRow("top once") << QStringList{"top", "--once"};
}

void TstCtlCommand::saysThatNoAgentListens()
{
    QFETCH(QStringList, verb);
    const std::string agent = deadAgent();
    std::vector<std::string> given;
    for (const QString& one : verb)
        given.push_back(one.toStdString());
    given.insert(given.end(), {"--agent", agent});
    const Ran ran = ctl(given);
    QCOMPARE(ran.exit, 1);
    QCOMPARE(ran.err, "weirctl: " + agent + ": nothing listens there (is the agent running?)\n");
    QVERIFY(ran.out.empty());
}

void TstCtlCommand::saysThatThereIsNoStore()
{
    for (const std::vector<std::string>& verb : std::vector<std::vector<std::string>>{
             {"mode", "get"}, {"settings", "get"}, {"ledger", "query"}}) {
        std::vector<std::string> given = verb;
        given.insert(given.end(), {"--data-dir", path("none")});
        const Ran ran = ctl(given);
        QCOMPARE(ran.exit, 1);
        QVERIFY2(has(ran.err, path("none") + "/weir.db: there is no store"), ran.err.c_str());
        QVERIFY2(has(ran.err, "--data-dir"), ran.err.c_str());
    }
    const Ran ran = ctl({"mode", "get", "--store", "mysql://x"});
    QCOMPARE(ran.exit, 1);
    QVERIFY2(has(ran.err, "sqlite:"), ran.err.c_str());
}

void TstCtlCommand::findsTheStoreByTheConfiguration()
{
    const auto store = openStore();
    QFile file(m_dir->filePath("weir.toml"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const std::string text =
        "[store]\nurl = \"sqlite:" + path("weir.db") +
        "\"\n"
        "[provider.a]\nbase_url = \"https://a.example/v1\"\napi_key_env = \"UNSET_HERE\"\n"
        "[[model.m.route]]\nprovider = \"a\"\nupstream_model = \"up\"\n";
    file.write(text.c_str());
    file.close();
    const Ran ran = ctl({"mode", "get", "--config", path("weir.toml")});
    QCOMPARE(ran.err, std::string());
    QCOMPARE(ran.exit, 0);
    QVERIFY2(has(ran.out, "fixed, version 1, by weir-agent@here"), ran.out.c_str());
}

void TstCtlCommand::reportsABrokenConfiguration()
{
    QFile file(m_dir->filePath("weir.toml"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[agent]\nthreads = 0\n");
    file.close();
    const Ran ran = ctl({"mode", "get", "--config", path("weir.toml")});
    QCOMPARE(ran.exit, 1);
    QVERIFY2(has(ran.err, "weir.toml:"), ran.err.c_str());
    QVERIFY2(has(ran.err, "(and 2 faults more)"), ran.err.c_str());
}

void TstCtlCommand::turnsTheSwitch()
{
    const auto store = openStore();
    const Ran ran = ctl(
        {"mode",
         "set",
         "adaptive",
         "--reason",
         "quiet evening",
         "--data-dir",
         m_dir->path().toStdString()});
    QCOMPARE(ran.err, std::string());
    QCOMPARE(
        ran.out,
        std::string("The switch is adaptive now, version 2.\n"
                    "No agent runs; the next one that starts goes by it.\n"));
    QCOMPARE(ran.exit, 0);
    const auto decisions = store->readDecisions();
    QVERIFY(decisions.has_value());
    QCOMPARE(decisions->routingSwitch.mode, Mode::Adaptive);
    QCOMPARE(decisions->routingSwitch.reason, std::string("quiet evening"));
    QCOMPARE(decisions->routingSwitch.updatedBy, std::string("ada"));
    QVERIFY(!decisions->routingSwitch.requestUuid.empty());
    const auto audit = store->audit(1);
    QVERIFY(audit.has_value());
    QCOMPARE(audit->front().who, std::string("ada"));
}

void TstCtlCommand::reportsAConflict()
{
    const auto store = openStore();
    const std::string dir = m_dir->path().toStdString();
    const Ran first = ctl(
        {"mode", "set", "shadow", "--reason", "the first", "--if-version", "1", "--data-dir", dir});
    QCOMPARE(first.exit, 0);
    const Ran second = ctl(
        {"mode",
         "set",
         "adaptive",
         "--reason",
         "late",
         "--if-version",
         "1",
         "--data-dir",
         dir,
         "--json"});
    QCOMPARE(second.exit, 1);
    QVERIFY2(
        has(second.err,
            "weirctl: nothing was changed, as somebody else has turned the switch: it is "
            "shadow, version 2, by ada@"),
        second.err.c_str());
    QVERIFY2(has(second.err, " ago: the first: look, and try again"), second.err.c_str());
    const auto json = nlohmann::json::parse(second.out);
    QCOMPARE(json.at("outcome").get<std::string>(), std::string("conflict"));
    QCOMPARE(json.at("switch").at("version").get<int>(), 2);
    QCOMPARE(store->readDecisions()->routingSwitch.mode, Mode::Shadow);
}

void TstCtlCommand::printsJson()
{
    const auto store = openStore();
    const std::string dir = m_dir->path().toStdString();
    const Ran set = ctl({"mode", "set", "shadow", "--reason", "look", "--data-dir", dir, "--json"});
    const auto json = nlohmann::json::parse(set.out);
    QCOMPARE(json.at("outcome").get<std::string>(), std::string("written"));
    QCOMPARE(json.at("switch").at("mode").get<std::string>(), std::string("shadow"));
    QCOMPARE(json.at("applied").at("of").get<int>(), 0);
    const Ran get = ctl({"mode", "get", "--data-dir", dir, "--json"});
    QCOMPARE(nlohmann::json::parse(get.out).at("switch").at("version").get<int>(), 2);
    const Ran settings = ctl({"settings", "get", "slow_factor", "--data-dir", dir, "--json"});
    QCOMPARE(nlohmann::json::parse(settings.out).dump(), std::string(R"({"slow_factor":3.0})"));
}

void TstCtlCommand::refusesAnAgentThatIsLate()
{
    const auto store = openStore();
    store::Heartbeat beat;
    beat.presence.agentId = "3f2a91c07be44d1a";
    beat.presence.service = "search";
    beat.presence.host = "here";
    beat.presence.effectiveMode = "fixed";
    beat.presence.switchVersion = 1;
    // Far ahead, so that it counts as heard of all the time.
    beat.at = fromEpochMs(4'102'444'800'000);
    QVERIFY(store->heartbeat(beat).has_value());
    const Ran ran = ctl(
        {"mode", "set", "adaptive", "--reason", "x", "--data-dir", m_dir->path().toStdString()});
    QCOMPARE(ran.exit, 1);
    QVERIFY2(
        has(ran.err, "weirctl: Applied by 0/1 agents after ") &&
            has(ran.err, "; not yet by search@here (3f2a91c0…)."),
        ran.err.c_str());
}

void TstCtlCommand::changesSettings()
{
    const auto store = openStore();
    const std::string dir = m_dir->path().toStdString();
    const Ran ran = ctl(
        {"settings",
         "set",
         "slow_factor=4",
         "route.glm-5.2.baseten.enabled=false",
         "--reason",
         "try",
         "--data-dir",
         dir,
         "--agent",
         deadAgent()});
    QCOMPARE(ran.err, std::string());
    QCOMPARE(ran.exit, 0);
    QCOMPARE(
        ran.out,
        std::string("slow_factor  3 → 4\n"
                    "route.glm-5.2.baseten.enabled  true → false\n"
                    "The settings are version 2 now.\n"
                    "No agent runs; the next one that starts goes by it.\n"
                    "Every agent goes by the route's settings within 5 s.\n"));
    const auto decisions = store->readDecisions();
    QVERIFY(decisions.has_value());
    QCOMPARE(decisions->settings.number("slow_factor"), 4.0);
    QCOMPARE(decisions->routes.size(), 1U);
    QVERIFY(!decisions->routes.front().enabled);
    const Ran again =
        ctl({"settings", "set", "slow_factor=4", "--reason", "try", "--data-dir", dir});
    QCOMPARE(again.out, std::string("Nothing to change: it stands so already.\n"));
    const Ran shown = ctl({"settings", "get", "--data-dir", dir});
    QVERIFY2(has(shown.out, "slow_factor") && has(shown.out, "glm-5.2"), shown.out.c_str());
}

void TstCtlCommand::refusesABadSetting()
{
    const auto store = openStore();
    const std::string dir = m_dir->path().toStdString();
    const Ran ran = ctl({"settings", "set", "slow_factor=99", "--reason", "x", "--data-dir", dir});
    QCOMPARE(ran.exit, 2);
    QCOMPARE(
        ran.err,
        std::string("weirctl: slow_factor: must be a number between 1.5 and 20, not 99\n"));
    const Ran unknown = ctl({"settings", "get", "slow_facter", "--data-dir", dir});
    QCOMPARE(unknown.exit, 2);
    QCOMPARE(
        unknown.err,
        std::string("weirctl: slow_facter: no such setting: did you mean slow_factor?\n"));
}

void TstCtlCommand::readsTheLedger()
{
    const auto store = openStore();
    const std::string dir = m_dir->path().toStdString();
    const std::vector<CallRecord> records{
        call(1, Outcome::RateLimited, std::nullopt),
        call(2, Outcome::Ok, 999'999),
        call(3, Outcome::Ok, 2)};
    QVERIFY(store->ingest(records, "agent", {}).has_value());

    const Ran first = ctl({"ledger", "query", "--limit", "2", "--json", "--data-dir", dir});
    QCOMPARE(first.exit, 0);
    const auto page = nlohmann::json::parse(first.out);
    QCOMPARE(page.at("rows").size(), 2U);
    QCOMPARE(page.at("rows").at(0).at("request_id").get<std::string>(), std::string("req-3"));
    QCOMPARE(page.at("totals").at("attempts").get<int>(), 3);
    QCOMPARE(page.at("totals").at("cost_micro_usd").get<int>(), 1'000'001);
    const auto next = page.at("next").get<std::string>();
    const Ran second =
        ctl({"ledger", "query", "--limit", "2", "--after", next, "--json", "--data-dir", dir});
    const auto rest = nlohmann::json::parse(second.out);
    QCOMPARE(rest.at("rows").size(), 1U);
    QVERIFY(rest.at("next").is_null());

    const Ran people = ctl({"ledger", "query", "--provider", "fireworks", "--data-dir", dir});
    QVERIFY2(has(people.out, "rate_limited") && !has(people.out, "baseten"), people.out.c_str());
    QVERIFY2(has(people.out, "$0.000002"), people.out.c_str());
    const Ran none = ctl({"ledger", "query", "--until", "2020-01-01", "--data-dir", dir});
    QCOMPARE(none.out, std::string("No attempt matches.\n"));
}

QTEST_GUILESS_MAIN(TstCtlCommand)
#include "tst_ctl_command.moc"
