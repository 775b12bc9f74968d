// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace weir::quality {

/// Reads the members of one object out of a line of an eval set; keeps the first fault.
class EvalFields final
{
public:
    using Json = nlohmann::ordered_json;

    /// `path` stands before the names in faults: "" or "checker.".
    EvalFields(const Json& object, std::string path);

    /// Nothing where the member is missing.
    [[nodiscard]] const Json* any(const char* key);
    [[nodiscard]] std::optional<std::string>
    text(const char* key, std::size_t leastBytes, std::size_t mostBytes);
    [[nodiscard]] std::string needText(const char* key, std::size_t mostBytes);
    [[nodiscard]] bool flag(const char* key, bool standard);
    [[nodiscard]] std::optional<double> number(const char* key, double least, double most);
    [[nodiscard]] const Json* array(const char* key);
    [[nodiscard]] const Json* object(const char* key);

    /// Refuses members that nobody asked for.
    void done();
    void refuse(const char* key, const std::string& detail);

    [[nodiscard]] const std::optional<std::string>& fault() const { return m_fault; }

private:
    const Json& m_object;
    std::string m_path;
    std::set<std::string, std::less<>> m_known;
    std::optional<std::string> m_fault;
};

} // namespace weir::quality
