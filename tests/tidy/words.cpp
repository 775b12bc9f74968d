// SPDX-License-Identifier: Apache-2.0
#include "tests/tidy/words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>

namespace weir::tidy {
namespace {

using Folders = std::initializer_list<std::string_view>;

struct BannedWord
{
    std::string_view word;
    std::string_view cure;
    std::vector<std::string_view> folders; ///< where it is banned
    std::vector<std::string_view> except = {};
};

const std::vector<std::string_view> kEverywhere{""};
const std::vector<std::string_view> kProduct{"common/", "agent/", "app/"};
/// Programs whose output is for a person, and the last words of a failed assertion.
const std::vector<std::string_view> kSpeaks{
    "agent/main.cpp", "agent/run/", "agent/ctl/", "common/base/assert.cpp"};
const std::vector<std::string_view> kPure{
    "common/",
    "agent/http/",
    "agent/protocol/",
    "tests/base/",
    "tests/model/",
    "tests/routing/",
    "tests/http/",
    "tests/protocol/"};
const std::vector<std::string_view> kTimed{
    "common/",
    "agent/",
    "app/model/",
    "app/view/",
    "tests/base/",
    "tests/model/",
    "tests/routing/",
    "tests/http/",
    "tests/protocol/"};
constexpr std::string_view kClock =
    "take the time as a parameter; the doors to the real clocks are "
    "in agent/net/clock.h";
constexpr std::string_view kSleep = "await the condition itself (QTRY_*, a signal, a timer of the "
                                    "loop); a sleep is either too short or too long";
constexpr std::string_view kChance =
    "draw from the seed with the generator in common/base: the "
    "standard distributions differ between libraries, so a decision "
    "would not recompute";
constexpr std::string_view kOutput = "return a value or an event; the rim prints it with spdlog as "
                                     "key=value";

const std::vector<BannedWord>& bannedWords()
{
    static const std::vector<BannedWord> kWords{
        {"::now", kClock, kTimed, {"agent/net/clock.h", "agent/net/clock.cpp"}},
        {"clock_gettime", kClock, kTimed, {"agent/net/clock.h", "agent/net/clock.cpp"}},
        {"gettimeofday", kClock, kTimed},
        {"currentDateTime", kClock, kTimed},
        {"currentDateTimeUtc", kClock, kTimed},
        {"currentMSecsSinceEpoch", kClock, kTimed},
        {"QElapsedTimer", kClock, kTimed},
        {"sleep_for", kSleep, kEverywhere},
        {"sleep_until", kSleep, kEverywhere},
        {"usleep", kSleep, kEverywhere},
        {"nanosleep", kSleep, kEverywhere},
        {"msleep", kSleep, kEverywhere},
        {"qWait", kSleep, kEverywhere},
        {"qSleep", kSleep, kEverywhere},
        {"detached", "spawn in a task_group, which owns its tasks and can stop them", kProduct},
        {"detach", "own the thread with std::jthread, or spawn in a task_group", kProduct},
        {"random_device", kChance, kPure},
        {"uniform_int_distribution", kChance, kPure},
        {"uniform_real_distribution", kChance, kPure},
        {"normal_distribution", kChance, kPure},
        {"lognormal_distribution", kChance, kPure},
        {"exponential_distribution", kChance, kPure},
        {"poisson_distribution", kChance, kPure},
        {"bernoulli_distribution", kChance, kPure},
        {"discrete_distribution", kChance, kPure},
        {"rand", kChance, kPure},
        {"default_random_engine", kChance, kPure},
        {"printf", kOutput, {"common/", "agent/"}, kSpeaks},
        {"fprintf", kOutput, {"common/", "agent/"}, kSpeaks},
        {"cout", kOutput, {"common/", "agent/"}, kSpeaks},
        {"cerr", kOutput, {"common/", "agent/"}, kSpeaks},
        {"assert",
         "use WEIR_ASSERT: it holds in release builds too",
         {"common/", "agent/", "app/"}},
        {"getenv", "read the environment in agent/config and hand the value in", kPure},
        {"regex",
         "write the few lines of a parser: std::regex recurses on hostile input",
         {"common/", "agent/"}},
        {"SIGNAL", "connect with pointers to members: the compiler checks them", {"app/"}},
        {"SLOT", "connect with pointers to members: the compiler checks them", {"app/"}},
        {"qApp", "hand in what is needed by constructor", {"app/link/", "app/model/", "app/view/"}},
        {"findChild", "keep the pointer as a member", {"app/"}},
        {"instance()",
         "hand it in by constructor: a singleton hides who depends on what",
         {"common/", "agent/"}},
    };
    return kWords;
}

bool isUnderAny(const Source& source, const std::vector<std::string_view>& folders)
{
    return std::ranges::any_of(folders, [&](std::string_view f) { return source.isUnder(f); });
}

bool hasWord(std::string_view line, std::string_view word)
{
    for (std::size_t at = line.find(word); at != std::string_view::npos;
         at = line.find(word, at + 1)) {
        if (isWordAt(line, at, word)) return true;
    }
    return false;
}

void checkUsingNamespace(
    const Source& source, std::string_view line, int number, Findings& findings)
{
    if (!hasWord(line, "using namespace")) return;
    if (source.isHeader()) {
        findings.push_back(
            {source.path,
             number,
             "word",
             "`using namespace` in a header reaches every includer: "
             "write the names out"});
    } else if (hasWord(line, "std;")) {
        findings.push_back(
            {source.path, number, "word", "`using namespace std` invites clashes: write std::"});
    }
}

bool isPrinting(std::string_view line)
{
    constexpr std::array kPrinters{
        "log.",
        "log->",
        "qDebug",
        "qInfo",
        "qWarning",
        "qCDebug",
        "qCInfo",
        "qCWarning",
        "qCCritical",
        "cout",
        "cerr",
        "printf",
        "fprintf"};
    return line.find("spdlog::") != std::string_view::npos ||
           std::ranges::any_of(kPrinters, [&](auto word) { return hasWord(line, word); });
}

/// From a line that begins to print to the semicolon that ends the statement.
std::string statementAt(const Source& source, std::size_t line)
{
    std::string statement;
    for (; line < source.inCode.size(); ++line) {
        statement += std::string(source.inCode[line]) + " ";
        if (source.inCode[line].find(';') != std::string_view::npos) break;
    }
    return statement;
}

bool isHostCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
}

/// The first label of a host gives a package registry away.
bool namesRegistry(std::string_view line)
{
    constexpr std::array kLabels{
        "registry", "pypi", "files", "deb", "mirror", "mirrors", "npm", "index", "proxy", "crates"};
    for (std::size_t at = line.find("://"); at != std::string_view::npos;
         at = line.find("://", at + 3)) {
        const std::string_view host = line.substr(at + 3);
        const auto end = std::ranges::find_if_not(host, isHostCharacter);
        const auto label = host.substr(0, static_cast<std::size_t>(end - host.begin()));
        const bool hasDomain = end != host.end() && *end == '.';
        if (hasDomain && std::ranges::find(kLabels, label) != kLabels.end()) return true;
    }
    return false;
}

bool namesPath(std::string_view line, std::string_view path)
{
    const std::size_t at = path.empty() ? std::string_view::npos : line.find(path);
    return at != std::string_view::npos && (at == 0 || !isHostCharacter(line[at - 1]));
}

bool namesHome(std::string_view line)
{
    // Joined from parts, so that this file may hold what it forbids.
    const std::array<std::string, 3> homes{
        "/ho"
        "me/",
        "/ro"
        "ot/",
        "/Us"
        "ers/"};
    return std::ranges::any_of(homes, [&](const auto& home) { return namesPath(line, home); });
}

/// The folder around the checkout, or nothing where every system has one of that name.
std::string folderAbove(const std::string& checkout)
{
    constexpr std::array kCommon{"/", "/tmp/", "/opt/", "/srv/", "/usr/src/", "/build/"};
    const std::string above = checkout.substr(0, checkout.rfind('/') + 1);
    return std::ranges::find(kCommon, above) == kCommon.end() ? above : std::string{};
}

} // namespace

Findings checkWords(const Source& source)
{
    Findings findings;
    if (!source.isCpp()) return findings;
    std::vector<const BannedWord*> active;
    for (const BannedWord& banned : bannedWords()) {
        if (isUnderAny(source, banned.folders) && !isUnderAny(source, banned.except)) {
            active.push_back(&banned);
        }
    }
    for (std::size_t i = 0; i < source.inCode.size(); ++i) {
        const std::string_view line = source.inCode[i];
        const int number = static_cast<int>(i) + 1;
        for (const BannedWord* banned : active) {
            if (!hasWord(line, banned->word)) continue;
            const std::string cure = "`" + std::string(banned->word) + "`: ";
            findings.push_back({source.path, number, "word", cure + std::string(banned->cure)});
        }
        checkUsingNamespace(source, line, number, findings);
    }
    return findings;
}

Findings checkSecrets(const Source& source)
{
    constexpr std::array kSecrets{
        "reveal",
        "apiKey",
        "api_key",
        "clientKey",
        "authorization",
        "password",
        "bearer",
        "secret"};
    Findings findings;
    if (!source.isCpp() || source.isUnder("tests/")) return findings;
    for (std::size_t i = 0; i < source.inCode.size(); ++i) {
        if (!isPrinting(source.inCode[i])) continue;
        const std::string statement = statementAt(source, i);
        for (const std::string_view secret : kSecrets) {
            if (!hasWord(statement, secret)) continue;
            findings.push_back(
                {source.path,
                 static_cast<int>(i) + 1,
                 "secret",
                 "`" + std::string(secret) + "` in a printed line: print masked(), or nothing"});
        }
    }
    return findings;
}

Findings checkText(const Source& source, const std::string& checkout)
{
    const std::array<std::string, 4> unfinished{
        "TO"
        "DO",
        "FIX"
        "ME",
        "XX"
        "X",
        "HA"
        "CK"};
    Findings findings;
    const std::string above = folderAbove(checkout);
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
        const std::string_view line = source.lines[i];
        const auto add = [&](std::string rule, std::string cure) {
            findings.push_back(
                {source.path, static_cast<int>(i) + 1, std::move(rule), std::move(cure)});
        };
        for (const std::string& word : unfinished) {
            if (hasWord(line, word)) add("unfinished", "finish it, or leave the promise out");
        }
        // A test's sample may be anybody's home; nobody's real one.
        if (namesPath(line, above) || (namesHome(line) && !source.isUnder("tests/"))) {
            add("machine-path",
                "name no folder of one machine: derive it or take it as an argument");
        }
        if (namesRegistry(line)) {
            add("registry", "name the package and let its client choose where it comes from");
        }
    }
    return findings;
}

} // namespace weir::tidy
