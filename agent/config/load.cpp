// SPDX-License-Identifier: Apache-2.0
#include "agent/config/load.h"

#include "agent/config/parts.h"
#include "agent/config/syntax.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace weir::config {
namespace {

constexpr std::size_t kLargestFile = 4 * 1048576;
/// Bounds how deep a dotted key can nest, and with it the stack that reading takes.
constexpr std::size_t kLongestLine = 16384;

tl::unexpected<std::vector<ConfigError>> refuse(ConfigError error)
{
    std::vector<ConfigError> errors;
    errors.push_back(std::move(error));
    return tl::unexpected{std::move(errors)};
}

Result<std::string> readFile(const std::string& path)
{
    std::error_code ec;
    const auto kind = std::filesystem::status(path, ec).type();
    if (kind == std::filesystem::file_type::directory)
        return fail("bad_file", path, "is a directory");
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        const std::error_code reason(errno, std::generic_category());
        return fail("bad_file", path, reason.message());
    }
    std::string text(kLargestFile + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (file.bad()) return fail("bad_file", path, "the disk failed");
    if (text.size() > kLargestFile) return fail("bad_file", path, "it is larger than 4 MiB");
    return text;
}

/// The number of the first line that is too long, or 0.
int overlongLine(std::string_view text)
{
    for (int line = 1; !text.empty(); ++line) {
        const std::size_t length = std::min(text.find('\n'), text.size());
        if (length > kLongestLine) return line;
        text.remove_prefix(std::min(length + 1, text.size()));
    }
    return 0;
}

Config readAll(const toml::table& table, const EnvLookup& env, Faults& faults)
{
    Section root{&table, 1, "", faults};
    Config config;
    config.agent = readAgent(root.child("agent"), env);
    config.store = readStore(root.child("store"), env);
    config.providers = readProviders(root.child("provider"), env);
    config.models = readModels(root.child("model"), config.providers, faults);
    config.tasks = readTasks(root.child("task"), config.models);
    config.timing = readTiming(root.child("timing"));
    config.limits = readLimits(root.child("limits"));
    root.reportUnknownKeys();
    return config;
}

} // namespace

std::string ConfigError::text() const
{
    std::string place = line > 0 ? file + ':' + std::to_string(line) : file;
    place += key.empty() ? ": " : ": " + key + ": ";
    return place + detail;
}

LoadResult loadText(std::string_view text, const std::string& fileName, const EnvLookup& env)
{
    if (const int line = overlongLine(text)) {
        return refuse({fileName, line, "", "is longer than 16384 bytes: break the line"});
    }
    try {
        const toml::table table = toml::parse(text, std::string_view{fileName});
        Faults faults{fileName};
        Config config = readAll(table, env, faults);
        if (faults.empty()) return config;
        return tl::unexpected{faults.take()};
    } catch (const toml::parse_error& error) {
        return refuse(explain(error, text, fileName));
    }
}

LoadResult load(const std::string& path, const EnvLookup& env)
{
    const Result<std::string> text = readFile(path);
    if (text) return loadText(*text, path, env);
    return refuse(
        {path,
         0,
         "",
         "cannot be read: " + text.error().detail + ": name a readable TOML file with --config"});
}

} // namespace weir::config
