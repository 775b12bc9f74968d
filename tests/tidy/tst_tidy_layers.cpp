// SPDX-License-Identifier: Apache-2.0
#include "tests/tidy/samples.h"

#include <QtTest>

using namespace weir::tidy;

/// The architecture's table of includes and links: what each layer may see, and what it must not.
class TestTidyLayers : public QObject
{
    Q_OBJECT

private slots:

    void layerIsRefused_data()
    {
        columns();
        row("base sees model", "common/base/a.cpp", "#include \"common/model/config.h\"");
        row("base uses JSON", "common/base/a.cpp", "#include <nlohmann/json.hpp>");
        row("model header uses JSON", "common/model/config.h", "#include <nlohmann/json.hpp>");
        row("header uses whole JSON", "common/model/config_json.h", "#include <nlohmann/json.hpp>");
        row("model names JSON", "common/model/config.h", "#include <nlohmann/json_fwd.hpp>");
        row("model uses threads", "common/model/a.cpp", "#include <thread>");
        row("routing uses JSON", "common/routing/a.cpp", "#include <nlohmann/json.hpp>");
        row("routing logs", "common/routing/a.cpp", "#include <spdlog/spdlog.h>");
        row("routing draws", "common/routing/a.cpp", "#include <random>");
        row("routing prints", "common/routing/a.cpp", "#include <iostream>");
        row("routing sees sim", "common/routing/a.cpp", "#include \"common/sim/twin.h\"");
        row("sim uses Qt", "common/sim/a.cpp", "#include <QString>");
        row("http uses Asio", "agent/http/a.cpp", "#include <boost/asio.hpp>");
        row("http uses sockets", "agent/http/a.cpp", "#include <sys/socket.h>");
        row("http sees model", "agent/http/a.cpp", "#include \"common/model/config.h\"");
        row("protocol uses Asio", "agent/protocol/a.cpp", "#include <boost/asio/awaitable.hpp>");
        row("net sees protocol", "agent/net/a.cpp", "#include \"agent/protocol/sse.h\"");
        row("net sees routing", "agent/net/a.cpp", "#include \"common/routing/decide.h\"");
        row("net uses Beast", "agent/net/a.cpp", "#include <boost/beast/http.hpp>");
        row("config sees net", "agent/config/a.cpp", "#include \"agent/net/clock.h\"");
        row("config sees proxy", "agent/config/a.cpp", "#include \"agent/proxy/session.h\"");
        row("proxy uses Postgres", "agent/proxy/a.cpp", "#include <libpq-fe.h>");
        row("proxy uses Redis", "agent/proxy/a.cpp", "#include <hiredis.h>");
        row("store sees fleet", "agent/store/a.cpp", "#include \"agent/fleet/gate.h\"");
        row("fleet sees admin", "agent/fleet/a.cpp", "#include \"agent/admin/live.h\"");
        row("admin sees store", "agent/admin/a.cpp", "#include \"agent/store/ledger.h\"");
        row("ctl uses Qt", "agent/ctl/a.cpp", "#include <QCoreApplication>");
        row("ctl sees proxy", "agent/ctl/a.cpp", "#include \"agent/proxy/session.h\"");
        row("main sees the console", "agent/main.cpp", "#include \"app/link/agent.h\"");
        row("link uses widgets", "app/link/a.cpp", "#include <QWidget>");
        row("link uses Boost", "app/link/a.cpp", "#include <boost/asio.hpp>");
        row("app model uses SQL", "app/model/a.cpp", "#include <QSqlQuery>");
        row("app model uses charts", "app/model/a.cpp", "#include <QtCharts/QChart>");
        row("view sees the store", "app/view/a.cpp", "#include \"agent/store/store.h\"");
        row("view sees link", "app/view/a.cpp", "#include \"app/link/store.h\"");
        row("view uses SQL", "app/view/a.cpp", "#include <QSqlDatabase>");
        row("view uses sockets", "app/view/a.cpp", "#include <QNetworkAccessManager>");
        row("view sees the agent", "app/view/a.cpp", "#include \"agent/net/clock.h\"");
    }

    void layerIsRefused() { expectRule("layer"); }

    void layerIsAllowed_data()
    {
        columns();
        row("base, std", "common/base/a.cpp", "#include <mutex>\n#include <tl/expected.hpp>");
        row("model, JSON beside it",
            "common/model/config_json.cpp",
            "#include <nlohmann/json.hpp>");
        row("JSON's name", "common/model/config_json.h", "#include <nlohmann/json_fwd.hpp>");
        row("routing",
            "common/routing/a.cpp",
            "#include \"common/model/config.h\"\n#include <span>");
        row("http", "agent/http/a.cpp", "#include \"common/base/text.h\"");
        row("protocol",
            "agent/protocol/a.cpp",
            "#include \"agent/http/body.h\"\n#include <simdjson.h>");
        row("net", "agent/net/a.cpp", "#include \"agent/http/head.h\"\n#include <boost/asio.hpp>");
        row("config", "agent/config/a.cpp", "#include <toml++/toml.h>");
        row("store", "agent/store/a.cpp", "#include <sqlite3.h>\n#include <libpq-fe.h>");
        row("fleet", "agent/fleet/a.cpp", "#include <hiredis.h>");
        row("ctl",
            "agent/ctl/a.cpp",
            "#include \"agent/config/load.h\"\n#include <boost/asio.hpp>");
        row("main", "agent/main.cpp", "#include \"agent/store/a.h\"\n#include \"agent/fleet/a.h\"");
        row("link", "app/link/a.cpp", "#include <QNetworkReply>\n#include <QSqlQuery>");
        row("pages' models", "app/model/a.cpp", "#include \"agent/store/database.h\"");
        row("view", "app/view/a.cpp", "#include \"app/model/live.h\"\n#include <QWidget>");
        row("commented out", "common/base/a.cpp", "/*\n#include <QWidget>\n*/");
    }

    void layerIsAllowed() { expectNothing(); }

    void includesAreRooted_data()
    {
        columns();
        row("bare", "common/base/a.cpp", "#include \"text.h\"");
        row("relative", "common/base/a.cpp", "#include \"../model/config.h\"");
        row("in angles", "common/base/a.cpp", "#include <common/base/text.h>");
    }

    void includesAreRooted() { expectRule("rooted"); }

    void sourceIsNotIncluded()
    {
        QCOMPARE(
            rulesOf("tests/base/tst_a.cpp", "#include \"common/base/text.cpp\""), "include-cpp@2");
        QCOMPARE(rulesOf("tests/base/tst_a.cpp", "#include \"tst_a.moc\""), std::string(""));
    }

    void ownHeaderStandsFirst()
    {
        const std::string own = "#include \"common/base/a.h\"\n";
        QCOMPARE(
            rulesOf("common/base/a.cpp", "#include <vector>\n" + own), std::string("own-header@2"));
        QCOMPARE(rulesOf("common/base/a.cpp", own + "#include <vector>"), std::string(""));
        std::vector<Source> tree;
        tree.emplace_back("common/base/CMakeLists.txt", opened("CMakeLists.txt", "a.cpp a.h"));
        tree.emplace_back("common/base/a.cpp", opened("common/base/a.cpp", "#include <vector>"));
        tree.emplace_back("common/base/a.h", opened("common/base/a.h", ""));
        const Findings forgotten = checkSamples(tree);
        QCOMPARE(forgotten.size(), std::size_t{1});
        QCOMPARE(forgotten[0].rule, std::string("own-header"));
    }

    void linkIsRefused_data()
    {
        columns();
        row("common and Qt", "common/base/CMakeLists.txt", "link(Qt6::Core)");
        row("agent and Qt Charts", "agent/net/CMakeLists.txt", "link(Qt6::Charts)");
        row("agent and app", "agent/net/CMakeLists.txt", "link(weir::app_model)");
        row("app and agent", "app/link/CMakeLists.txt", "link(weir::agent_store weir::agent_net)");
        row("view and store", "app/view/CMakeLists.txt", "link(weir::agent_store)");
        row("common and agent", "common/base/CMakeLists.txt", "link(weir::agent_http)");
        row("routing and JSON",
            "common/routing/CMakeLists.txt",
            "link(nlohmann_json::nlohmann_json)");
        row("globbing", "common/base/CMakeLists.txt", "file(GLOB sources *.cpp)");
        row("folder-wide", "tests/base/CMakeLists.txt", "include_directories(.)");
        row("foreign source", "tests/base/CMakeLists.txt", "add_executable(t ../common/a.cpp)");
    }

    void linkIsRefused() { expectRule("link"); }

    void linkIsAllowed_data()
    {
        columns();
        row("app and Qt", "app/view/CMakeLists.txt", "link(Qt6::Charts weir::app_model)");
        row("app and store", "app/model/CMakeLists.txt", "link(weir::agent_store)");
        row("resource", "agent/store/CMakeLists.txt", "embed(../../resources/sql/a.sql)");
        row("target-wide", "tests/base/CMakeLists.txt", "target_include_directories(t PRIVATE .)");
        row("comment", "agent/net/CMakeLists.txt", "# no Qt6::Core here");
    }

    void linkIsAllowed() { expectNothing(); }
};

QTEST_APPLESS_MAIN(TestTidyLayers)
#include "tst_tidy_layers.moc"
