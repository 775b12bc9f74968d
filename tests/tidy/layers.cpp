// SPDX-License-Identifier: Apache-2.0
#include "tests/tidy/layers.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <span>

namespace weir::tidy {
namespace {

using Names = std::vector<std::string_view>;

/// One row of the architecture's table. What it does not name is forbidden.
struct Layer
{
    std::string_view folder; ///< or one file
    Names project;           ///< prefixes of rooted includes, its own folder apart
    Names outside;           ///< prefixes of third-party and system includes
    Names forbidden;         ///< prefixes taken out of what the line before or std allows
};

const Names kThreads{
    "thread",
    "mutex",
    "shared_mutex",
    "condition_variable",
    "future",
    "semaphore",
    "latch",
    "barrier",
    "stop_token",
    "atomic"};
const Names kBrain{
    "thread",
    "mutex",
    "shared_mutex",
    "condition_variable",
    "future",
    "semaphore",
    "latch",
    "barrier",
    "stop_token",
    "atomic",
    "random",
    "iostream",
    "fstream",
    "filesystem",
    "ctime"};
const Names kWidgets{
    "QtWidgets/",
    "QtCharts/",
    "QApplication",
    "QWidget",
    "QMainWindow",
    "QDialog",
    "QLabel",
    "QPushButton",
    "QToolButton",
    "QTableView",
    "QTreeView",
    "QListView",
    "QAbstractItemView",
    "QHeaderView",
    "QLayout",
    "QBoxLayout",
    "QHBoxLayout",
    "QVBoxLayout",
    "QGridLayout",
    "QFormLayout",
    "QLineEdit",
    "QTextEdit",
    "QPlainTextEdit",
    "QComboBox",
    "QCheckBox",
    "QSpinBox",
    "QStyle",
    "QStyledItemDelegate",
    "QSplitter",
    "QStackedWidget",
    "QTabBar",
    "QToolTip",
    "QMenu",
    "QMessageBox",
    "QChart",
    "QLineSeries",
    "QAreaSeries",
    "QValueAxis",
    "QDateTimeAxis"};
const Names kSqlAndSockets{
    "QtSql/",
    "QSql",
    "QtNetwork/",
    "QNetwork",
    "QTcp",
    "QUdp",
    "QSsl",
    "QLocalSocket",
    "sys/socket.h",
    "netinet/",
    "arpa/",
    "netdb.h",
    "poll.h",
    "sys/epoll.h"};
const Names kSockets{"sys/socket.h", "netinet/", "arpa/", "netdb.h", "poll.h", "sys/epoll.h"};
const Names kAsio{
    "boost/asio",
    "boost/system",
    "tl/",
    "spdlog/",
    "fmt/",
    "sys/",
    "netinet/",
    "arpa/",
    "unistd.h",
    "fcntl.h",
    "signal.h",
    "nlohmann/"};

Names operator+(Names left, const Names& right)
{
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

/// Rows from the most particular to the most general; the first whose folder fits counts.
const std::vector<Layer>& layers()
{
    static const std::vector<Layer> kLayers{
        {"common/base/", {}, {"tl/"}, {}},
        {"common/model/", {"common/base/"}, {"tl/"}, kThreads},
        {"common/routing/", {"common/base/", "common/model/"}, {"tl/"}, kBrain},
        {"common/quality/",
         {"common/base/", "common/model/"},
         {"tl/", "nlohmann/", "re2/"},
         kThreads},
        {"common/sim/", {"common/base/", "common/model/", "common/routing/"}, {"tl/"}, kThreads},
        {"agent/http/", {"common/base/"}, {"tl/"}, kThreads + kSockets},
        {"agent/protocol/",
         {"common/", "agent/http/"},
         {"tl/", "nlohmann/", "simdjson", "sentencepiece"},
         kThreads},
        {"agent/config/", {"common/"}, {"tl/", "toml++/", "unistd.h", "fmt/"}, kThreads},
        {"agent/net/",
         {"common/base/", "agent/http/"},
         kAsio + Names{"openssl/", "netdb.h", "poll.h"},
         {"nlohmann/"}},
        {"agent/proxy/",
         {"common/",
          "agent/http/",
          "agent/protocol/",
          "agent/net/",
          "agent/store/",
          "agent/fleet/"},
         kAsio + Names{"simdjson"},
         {}},
        {"agent/store/",
         {"common/", "agent/net/"},
         kAsio + Names{"sqlite3.h", "libpq-fe.h", "poll.h"},
         {}},
        {"agent/fleet/", {"common/", "agent/net/"}, kAsio + Names{"hiredis", "poll.h"}, {}},
        {"agent/admin/", {"common/", "agent/net/", "agent/http/"}, kAsio, {}},
        {"agent/reports/", {"common/", "agent/config/", "agent/store/"}, {"tl/"}, kThreads},
        {"agent/ctl/",
         {"common/",
          "agent/config/",
          "agent/reports/",
          "agent/store/",
          "agent/http/",
          "agent/protocol/",
          "agent/net/clock.h"},
         kAsio + Names{"CLI/", "termios.h"},
         {}},
        {"agent/run/", {"common/", "agent/"}, kAsio + Names{"CLI/", "malloc.h"}, {}},
        {"agent/main.cpp", {"common/", "agent/"}, kAsio + Names{"CLI/", "malloc.h"}, {}},
        // The store's queries, and what is computed of their rows, are the same for weirctl and the
        // console.
        {"app/link/",
         {"common/", "app/model/", "agent/store/"},
         {"tl/", "nlohmann/", "Q", "qt6keychain/", "libpq-fe.h", "sys/socket.h"},
         kWidgets},
        {"app/model/",
         {"common/", "agent/reports/", "agent/store/"},
         {"tl/", "Q"},
         kWidgets + kSqlAndSockets},
        {"app/view/", {"common/", "app/model/"}, {"tl/", "Q"}, kSqlAndSockets},
        {"app/main.cpp", {"common/", "app/"}, {"tl/", "Q"}, {}},
    };
    return kLayers;
}

struct Include
{
    std::string_view path;
    bool isQuoted = false;
    int line = 0;
};

std::optional<Include> includeIn(std::string_view line, std::string_view inCode, int number)
{
    const std::size_t hash = inCode.find_first_not_of(" \t");
    if (hash == std::string_view::npos || !inCode.substr(hash).starts_with("#include")) return {};
    const std::size_t open = line.find_first_of("<\"", hash);
    if (open == std::string_view::npos) return {};
    const std::size_t close = line.find_first_of(">\"", open + 1);
    if (close == std::string_view::npos) return {};
    return Include{line.substr(open + 1, close - open - 1), line[open] == '"', number};
}

std::vector<Include> includesOf(const Source& source)
{
    std::vector<Include> includes;
    for (std::size_t i = 0; i < source.inCode.size(); ++i) {
        const auto found = includeIn(source.lines[i], source.inCode[i], static_cast<int>(i) + 1);
        if (found) includes.push_back(*found);
    }
    return includes;
}

bool startsWithAny(std::string_view path, const Names& prefixes)
{
    return std::ranges::any_of(
        prefixes, [path](std::string_view p) { return path.starts_with(p); });
}

bool isProject(std::string_view path)
{
    return startsWithAny(path, {"common/", "agent/", "app/", "tests/"});
}

/// <vector>, <chrono>: standard headers have neither a folder nor an ending.
bool isStandard(std::string_view path)
{
    return path.find_first_of("/.QABCDEFGHIJKLMNOPRSTUVWXYZ") == std::string_view::npos;
}

std::string list(const Names& names)
{
    std::string text;
    for (const std::string_view name : names) {
        text += (text.empty() ? "" : ", ") + std::string(name);
    }
    return text.empty() ? "nothing" : text;
}

/// target_include_directories holds include_directories, but no word of it begins there.
bool hasBarredWord(std::string_view line, std::string_view prefix, const Names& allowed)
{
    for (std::size_t at = line.find(prefix); at != std::string_view::npos;
         at = line.find(prefix, at + 1)) {
        const std::string_view word = line.substr(at, line.find_first_of(" \t)", at) - at);
        const bool isAllowed = std::ranges::find(allowed, word) != allowed.end();
        if (!isAllowed && (at == 0 || line[at - 1] != '_')) return true;
    }
    return false;
}

/// "../routing/decide.cpp": another target's source compiled a second time.
bool reachesForSource(std::string_view line)
{
    const std::size_t at = line.find("../");
    if (at == std::string_view::npos) return false;
    const std::string_view path = line.substr(at, line.find_first_of(" \t\")", at) - at);
    return path.ends_with(".cpp") || path.ends_with(".h");
}

const Layer* layerOf(const Source& source)
{
    const auto fits = [&](const Layer& layer) { return source.isUnder(layer.folder); };
    const auto found = std::ranges::find_if(layers(), fits);
    return found == layers().end() ? nullptr : &*found;
}

/// The one exception in the table: JSON beside the values it belongs to, and only its name in a
/// header.
bool isJsonBesideAModel(const Source& source, std::string_view include)
{
    if (!source.isUnder("common/model/") && !source.isUnder("common/sim/")) return false;
    return (source.path.ends_with("_json.cpp") && include.starts_with("nlohmann/")) ||
           (source.path.ends_with("_json.h") && include == "nlohmann/json_fwd.hpp");
}

std::optional<std::string> refusal(const Source& source, const Layer& layer, std::string_view path)
{
    const std::string folder(layer.folder);
    if (isProject(path)) {
        if (path.starts_with(layer.folder) || startsWithAny(path, layer.project)) return {};
        return folder + " must not see " + std::string(path) + "; of the project it may include " +
               list(layer.project) + ": move what is shared down to a layer both may see";
    }
    if (isJsonBesideAModel(source, path)) return {};
    const bool isOpen = isStandard(path) || startsWithAny(path, layer.outside);
    const bool isBarred = std::ranges::any_of(layer.forbidden, [&](std::string_view barred) {
        return isStandard(barred) ? path == barred : path.starts_with(barred);
    });
    if (isOpen && !isBarred) return {};
    return folder + " must not include <" + std::string(path) + ">; from outside it may use std, " +
           list(layer.outside) + ": hand the effect in as a value or do it in an outer layer";
}

Findings checkOrder(const Source& source, const std::vector<Include>& includes, bool hasOwnHeader)
{
    Findings findings;
    const std::string own = source.path.substr(0, source.path.size() - 4) + ".h";
    if (!source.path.ends_with(".cpp") || includes.empty()) return findings;
    const auto names = [&](const Include& include) { return include.path == own; };
    const auto found = std::ranges::find_if(includes, names);
    if (found != includes.begin() && (found != includes.end() || hasOwnHeader)) {
        findings.push_back(
            {source.path,
             includes.front().line,
             "own-header",
             "include \"" + own + "\" first: that proves that the header stands on its own"});
    }
    return findings;
}

} // namespace

Findings checkIncludes(const Source& source, bool hasOwnHeader)
{
    if (!source.isCpp()) return {};
    const std::vector<Include> includes = includesOf(source);
    Findings findings = checkOrder(source, includes, hasOwnHeader);
    const Layer* layer = layerOf(source);
    const auto add = [&](const Include& include, std::string rule, std::string cure) {
        findings.push_back({source.path, include.line, std::move(rule), std::move(cure)});
    };
    for (const Include& include : includes) {
        const std::string path(include.path);
        if (include.isQuoted && path.ends_with(".moc")) continue;
        if (path.ends_with(".cpp")) {
            add(include, "include-cpp", "link the target that owns " + path + " instead");
        } else if (include.isQuoted != isProject(path)) {
            add(include,
                "rooted",
                include.isQuoted ? "write the path from the root, e.g. \"common/base/" + path + "\""
                                 : "a project header stands in quotes: \"" + path + "\"");
        } else if (layer != nullptr) {
            const auto cure = refusal(source, *layer, path);
            if (cure) add(include, "layer", *cure);
        }
    }
    return findings;
}

Findings checkLinks(const Source& cmake)
{
    struct Barrier
    {
        std::string_view folder;
        std::string_view word;
        std::string_view cure;
        Names allowed = {};
    };

    constexpr std::string_view kMeet =
        "of agent/, app/link and app/model see the store, and app/model the reports made of it";
    static const std::vector<Barrier> kBarriers{
        Barrier{"common/", "Qt6::", "common/ is free of Qt; Qt belongs to app/ and the tests"},
        Barrier{"agent/", "Qt6::", "the agent is free of Qt (and of Qt Charts' licence)"},
        Barrier{"common/", "weir::agent_", "common/ lies under agent/ and must not link it"},
        Barrier{"common/", "weir::app_", "common/ lies under app/ and must not link it"},
        Barrier{"agent/", "weir::app_", "agent/ lies under app/ and must not link it"},
        Barrier{"app/link/", "weir::agent_", kMeet, {"weir::agent_store"}},
        Barrier{"app/model/", "weir::agent_", kMeet, {"weir::agent_store", "weir::agent_reports"}},
        Barrier{"app/view/", "weir::agent_", kMeet},
        Barrier{
            "common/routing/", "nlohmann", "the brain takes values: JSON stands in common/model"},
        Barrier{"", "include_directories(", "use target_include_directories or a file set"},
        Barrier{"", "file(GLOB", "list the sources: a forgotten file must not be built by luck"},
    };
    Findings findings;
    if (!cmake.isCMake()) return findings;
    for (std::size_t i = 0; i < cmake.lines.size(); ++i) {
        const std::string_view line = cmake.lines[i].substr(0, cmake.lines[i].find('#'));
        const int number = static_cast<int>(i) + 1;
        if (reachesForSource(line)) {
            findings.push_back(
                {cmake.path, number, "link", "link the target that owns the file instead"});
        }
        for (const Barrier& barrier : kBarriers) {
            if (!cmake.isUnder(barrier.folder)) continue;
            if (!hasBarredWord(line, barrier.word, barrier.allowed)) continue;
            findings.push_back({cmake.path, number, "link", std::string(barrier.cure)});
        }
    }
    return findings;
}

} // namespace weir::tidy
