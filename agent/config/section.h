// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/config/load.h"

#include <toml++/toml.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::config {

/// Collects the faults of one file.
class Faults final
{
public:
    explicit Faults(std::string file);

    void add(int line, std::string key, std::string detail);

    [[nodiscard]] bool empty() const { return m_errors.empty(); }

    /// In the order of lines.
    [[nodiscard]] std::vector<ConfigError> take();

private:
    std::string m_file;
    std::vector<ConfigError> m_errors;
};

/// What a number of the file counts; it decides what is suggested for "2s" or "64MB".
enum class Unit : std::uint8_t { Count, Milliseconds, Seconds, Bytes };

struct Bounds
{
    std::int64_t minimum = 0;
    std::int64_t maximum = 0;
    Unit unit = Unit::Count;
};

/// A text of the file and where it stands, for checks that come later.
struct Located
{
    std::string text;
    int line = 0;
};

[[nodiscard]] int lineOf(const toml::node& node);

/// `"2s"`, `17`, `a list`: a value as an error message shows it, short and on one line.
[[nodiscard]] std::string shown(const toml::node& node);
[[nodiscard]] std::string quoted(std::string_view text);

/// One table of the file. Every read notes its key, so that `reportUnknownKeys` knows what a person
/// may have meant by the others. A value of the wrong kind is reported and reads as absent.
class Section final
{
public:
    /// `table` may be null: then everything is absent. `line` is where its header stands.
    Section(const toml::table* table, int line, std::string path, Faults& faults);

    [[nodiscard]] Section child(std::string_view key);
    [[nodiscard]] const toml::node* find(std::string_view key);
    [[nodiscard]] std::optional<Located> text(std::string_view key);
    [[nodiscard]] std::optional<std::vector<Located>> texts(std::string_view key);
    [[nodiscard]] std::optional<bool> boolean(std::string_view key);
    [[nodiscard]] std::optional<double>
    number(std::string_view key, double minimum, double maximum);
    [[nodiscard]] std::int64_t
    integer(std::string_view key, std::int64_t fallback, const Bounds& bounds);

    void fault(std::string_view key, int line, std::string detail);
    /// At the section's own line.
    void fault(std::string_view key, std::string detail);
    void reportUnknownKeys();

    [[nodiscard]] bool exists() const { return m_table != nullptr; }

    [[nodiscard]] const toml::table* table() const { return m_table; }

    [[nodiscard]] int line() const { return m_line; }

    [[nodiscard]] std::string keyPath(std::string_view key) const;

private:
    [[nodiscard]] std::string cureForUnknown(std::string_view key, const toml::node& node) const;

    const toml::table* m_table;
    int m_line;
    std::string m_path;
    Faults* m_faults;
    std::vector<std::string_view> m_known;
};

} // namespace weir::config
