// SPDX-License-Identifier: Apache-2.0
#include "tests/tidy/samples.h"

#include <QtTest>

using namespace weir::tidy;

namespace {

std::string lines(int count)
{
    std::string text;
    for (int i = 0; i < count; ++i)
        text += "int a" + std::to_string(i) + ";\n";
    return text;
}

std::string function(int count)
{
    return "void f()\n{\n" + lines(count - 3) + "}\n";
}

} // namespace

/// Each rule has a bad sample that it must find in the line named, and a good one that it must
/// leave alone.
class TestTidyRules : public QObject
{
    Q_OBJECT

private slots:

    void wordIsRefused_data()
    {
        columns();
        row("clock in common", "common/base/a.cpp", "auto t = std::chrono::steady_clock::now();");
        row("clock in the proxy",
            "agent/proxy/a.cpp",
            "auto t = std::chrono::system_clock::now();");
        row("clock in a core test", "tests/routing/tst_a.cpp", "auto t = Clock::now();");
        row("clock in a page", "app/view/a.cpp", "auto t = QDateTime::currentDateTimeUtc();");
        row("sleep", "tests/net/tst_a.cpp", "std::this_thread::sleep_for(1s);");
        row("Qt sleep", "tests/app/tst_a.cpp", "QTest::qWait(100);");
        row("detached coroutine", "agent/net/a.cpp", "co_spawn(io, run(), asio::detached);");
        row("detached thread", "agent/net/a.cpp", "thread.detach();");
        row("random device", "common/routing/a.cpp", "std::random_device device;");
        row("distribution", "common/sim/a.cpp", "std::normal_distribution<double> normal;");
        row("namespace in a header", "common/base/a.h", "using namespace std::chrono;");
        row("namespace std", "common/base/a.cpp", "using namespace std;");
        row("printf", "agent/store/a.cpp", "std::printf(\"%s\", text);");
        row("cout", "agent/net/a.cpp", "std::cout << 1;");
        row("assert", "common/base/a.cpp", "assert(ok);");
        row("string connect", "app/view/a.cpp", "connect(a, SIGNAL(b()), c, SLOT(d()));");
        row("findChild", "app/view/a.cpp", "findChild<QObject*>();");
        row("environment", "common/base/a.cpp", "auto key = std::getenv(name);");
        row("singleton", "agent/net/a.cpp", "Settings::instance().get();");
    }

    void wordIsRefused() { expectRule("word"); }

    void wordIsAllowed_data()
    {
        columns();
        row("the clock itself", "agent/net/clock.h", "inline auto t() { return Steady::now(); }");
        row("a longer word",
            "common/base/a.cpp",
            "int grand = brand + sleep_format; static_assert(1);");
        row("in a comment", "common/base/a.cpp", "// never sleep_for, never steady_clock::now()");
        row("in a literal", "common/base/a.cpp", "auto a = \"sleep_for\"; auto b = R\"(cout)\";");
        row("printing tool", "agent/ctl/a.cpp", "std::cout << 1;");
        row("literals", "common/base/a.cpp", "using namespace std::chrono_literals;");
        row("a seeded test", "tests/net/tst_a.cpp", "std::random_device device;");
    }

    void wordIsAllowed() { expectNothing(); }

    void secretIsRefused_data()
    {
        columns();
        row("revealed", "agent/net/a.cpp", "spdlog::info(\"k={}\", key.reveal());");
        row("logger", "agent/net/a.cpp", "log.warn(\"k={}\", apiKey);");
        row("next line", "agent/proxy/a.cpp", "spdlog::info(\n    \"k={}\",\n    authorization);");
        row("console", "app/link/a.cpp", "qCWarning(lc) << password;");
    }

    void secretIsRefused() { expectRule("secret"); }

    void secretIsAllowed_data()
    {
        columns();
        row("masked", "agent/net/a.cpp", "spdlog::info(\"k={}\", key.masked());");
        row("next statement",
            "agent/net/a.cpp",
            "spdlog::info(\"up\"); // then\nsend(key.reveal());");
        row("a dialog", "app/view/a.cpp", "dialog.setPassword(password);");
    }

    void secretIsAllowed() { expectNothing(); }

    void awaitedBraceIsRefused_data()
    {
        columns();
        row("aggregate", "agent/net/a.cpp", "co_await f({.limit = 1});");
        row("named aggregate", "agent/net/a.cpp", "const auto r = co_await f(x, Options{1});");
        row("lambda", "agent/net/a.cpp", "co_await f([t] { return t; });");
        row("bare temporary", "agent/net/a.cpp", "co_await Timer{io};");
        row("plain test", "tests/net/a.cpp", "if (co_await f({1})) { g(); }");
        row("spread", "agent/net/a.cpp", "co_await f(g({1}));");
    }

    void awaitedBraceIsRefused() { expectRule("co-await-brace"); }

    void awaitedBraceIsAllowed_data()
    {
        columns();
        row("named above", "agent/net/a.cpp", "const Options o{1};\nco_await f(o);");
        row("condition", "tests/net/a.cpp", "if (co_await f(a)) {\n    g();\n}");
        row("after a condition", "agent/net/a.cpp", "if (a(b)) co_await f(a);");
        row("loop", "tests/net/a.cpp", "while (const auto n = co_await f(a)) { g(n); }");
        row("inside a lambda", "agent/net/a.cpp", "spawn([]() -> Task { co_await f(a); });");
        row("argument beside it", "agent/net/a.cpp", "h(co_await f(a), Options{1});");
        row("format text", "agent/net/a.cpp", "co_await f(\"{}\");");
    }

    void awaitedBraceIsAllowed() { expectNothing(); }

    void awaitedConditionIsRefused_data()
    {
        columns();
        row("if", "agent/net/a.cpp", "if (co_await f(a)) return;");
        row("negated", "agent/net/a.cpp", "if (!co_await f(a)) return;");
        row("compared", "agent/net/a.cpp", "if ((co_await f(a)).size() > 1) return;");
        row("while", "agent/net/a.cpp", "while (const auto n = co_await f(a)) g(n);");
    }

    void awaitedConditionIsRefused() { expectRule("co-await-condition"); }

    void loopOverATemporaryIsRefused_data()
    {
        columns();
        row("value",
            "agent/run/a.cpp",
            "for (const auto& row : store.rows({1}).value()) use(row);");
        row("broken", "tests/run/a.cpp", "for (const auto& row :\n     rows(a).value()) {\n}");
        row("dereferenced", "app/link/a.cpp", "for (auto& row : *read(a)) use(row);");
    }

    void loopOverATemporaryIsRefused() { expectRule("loop-temporary"); }

    void loopOverWhatStaysIsAllowed_data()
    {
        columns();
        row("named", "agent/run/a.cpp", "for (const auto& row : rows.value()) use(row);");
        row("pointer", "agent/run/a.cpp", "for (const auto& row : *rows) use(row);");
        row("counted", "agent/run/a.cpp", "for (int i = 0; i < f(a).value(); ++i) use(i);");
    }

    void loopOverWhatStaysIsAllowed() { expectNothing(); }

    void sizesHaveBudgets()
    {
        QCOMPARE(rulesOf("common/base/a.cpp", lines(398)), std::string(""));
        QCOMPARE(rulesOf("common/base/a.cpp", lines(399)), std::string("file-size@1"));
        QCOMPARE(rulesOf("common/base/a.h", lines(117)), std::string(""));
        QCOMPARE(rulesOf("common/base/a.h", lines(118)), std::string("file-size@1"));
        QCOMPARE(rulesOf("packaging/a.sh", lines(399)), std::string("file-size@1"));
        QCOMPARE(rulesOf("common/base/a.cpp", function(70)), std::string(""));
        QCOMPARE(rulesOf("common/base/a.cpp", function(71)), std::string("function-size@2"));
    }

    void allowancesOnlyShrink()
    {
        const std::string text = opened("common/base/a.cpp", function(80));
        const auto with = [&](int allowed) {
            return rulesOf(checkSample(
                "common/base/a.cpp", text, {{"common/base/a.cpp", "function-size", allowed}}));
        };
        QCOMPARE(with(80), std::string(""));
        QCOMPARE(with(79), std::string("function-size@2"));
        QCOMPARE(with(81), std::string("ratchet@1"));
    }

    void licenceIsNamed()
    {
        const std::string apache = "SPDX-License-Identifier: Apache-2.0\n";
        const std::string gpl = "SPDX-License-Identifier: GPL-3.0-or-later\n";
        const auto rules = [](const char* path, const std::string& text) {
            return rulesOf(checkSample(path, text));
        };
        QCOMPARE(rules("common/base/a.cpp", "int a;\n"), std::string("licence@1"));
        QCOMPARE(rules("common/base/a.cpp", "// " + gpl), std::string("licence@1"));
        QCOMPARE(rules("common/base/a.cpp", "// " + apache), std::string(""));
        QCOMPARE(rules("app/view/a.cpp", "// " + apache), std::string("licence@1"));
        QCOMPARE(rules("app/view/a.cpp", "// " + gpl), std::string(""));
        QCOMPARE(rules("tests/app/tst_a.cpp", "// " + apache), std::string("licence@1"));
        QCOMPARE(rules("packaging/a.sh", "#!/bin/sh\nrun\n"), std::string("licence@2"));
        QCOMPARE(rules("packaging/a.sh", "#!/bin/sh\n# " + apache), std::string(""));
        QCOMPARE(rules(".ci/run", "#!/bin/sh\nrun\n"), std::string("licence@2"));
        QCOMPARE(rules("tests/base/CMakeLists.txt", "a()\n"), std::string("licence@1"));
        QCOMPARE(rules("resources/sql/sqlite/1.sql", "SELECT 1;\n"), std::string("licence@1"));
        QCOMPARE(rules("README.md", "# Weir\n"), std::string(""));
    }

    void headersAreGuarded()
    {
        const std::string licence = "// SPDX-License-Identifier: Apache-2.0\n";
        QCOMPARE(
            rulesOf(checkSample("common/base/a.h", licence + "int a;\n")),
            std::string("pragma-once@1"));
        QCOMPARE(
            rulesOf(checkSample("common/base/a.h", licence + "#pragma once\n")), std::string(""));
    }

    void textIsFinishedAndAtHomeAnywhere_data()
    {
        // Joined from parts, since the rules read this file as well.
        columns();
        QTest::addColumn<QString>("rule");
        const auto bad = [](const char* name, const std::string& body, const char* rule) {
            QTest::newRow(name) << std::string("packaging/a.sh") << body << QString(rule);
        };
        bad("to do",
            "# TO"
            "DO later",
            "unfinished");
        bad("to fix",
            "# FIX"
            "ME later",
            "unfinished");
        bad("home",
            "cd /ho"
            "me/someone/weir",
            "machine-path");
        bad("root's home",
            "cd /ro"
            "ot/weir",
            "machine-path");
        bad("beside the checkout", "cat /elsewhere/notes.txt", "machine-path");
        bad("registry",
            "fetch https://"
            "registry.example.org/x",
            "registry");
        bad("package index",
            "fetch https://"
            "pypi.example.org/x",
            "registry");
        bad("mirror",
            "fetch http://"
            "deb.example.org/x",
            "registry");
    }

    void textIsFinishedAndAtHomeAnywhere()
    {
        QFETCH(QString, rule);
        expectRule(rule.toStdString());
    }

    void plainTextIsAllowed_data()
    {
        columns();
        row("word in a word",
            "packaging/a.sh",
            "# the TO"
            "DOs of a HA"
            "CKER");
        row("relative folder",
            "packaging/a.sh",
            "cd build/ho"
            "me/x");
        row("a test's home",
            "tests/config/tst_a.cpp",
            "auto home = \"/ho"
            "me/ada\";");
        row("provider", "packaging/a.sh", "curl https://inference.example.org/v1");
        row("local registry",
            "packaging/a.sh",
            "curl http://"
            "registry:8080/v1");
    }

    void plainTextIsAllowed() { expectNothing(); }

    void filesBelongToTargets()
    {
        std::vector<Source> tree;
        const auto add = [&tree](const std::string& path, std::string text) {
            tree.emplace_back(path, std::move(text));
        };
        add("common/base/CMakeLists.txt", "m(a.cpp detail/b.cpp a.h) # c.cpp\nweir_test(tst_d)");
        for (const char* name : {"a.cpp", "a.h", "detail/b.cpp", "c.cpp", "tst_d.cpp", "e.h"}) {
            add(std::string("common/base/") + name, "");
        }
        add("tests/base/CMakeLists.txt", "foreach(t f)\nweir_test(tst_${t})\n");
        add("tests/base/tst_f.cpp", "#include \"tests/base/g.h\"\n#include \"common/base/e.h\"\n");
        for (const char* name : {"g.h", "h.h", "tst_i.cpp"}) {
            add(std::string("tests/base/") + name, "");
        }
        std::string lost;
        for (const Finding& finding : checkTargets(tree))
            lost += finding.file + " ";
        QCOMPARE(
            lost,
            std::string("common/base/c.cpp common/base/e.h tests/base/h.h tests/base/tst_i.cpp "));
    }

    void aFindingNamesFileLineAndCure()
    {
        const std::string report = reportOf(
            checkSample("common/base/a.cpp", opened("common/base/a.cpp", "\nassert(ok);")));
        QCOMPARE(
            report,
            std::string("common/base/a.cpp:3: [word] `assert`: use WEIR_ASSERT: it holds in "
                        "release builds too\n"));
    }
};

QTEST_APPLESS_MAIN(TestTidyRules)
#include "tst_tidy_rules.moc"
