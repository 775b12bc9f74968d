// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/request.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

// What the strict readers of all protocols are made of.
namespace weir::fake {

using Json = nlohmann::json;
using Names = std::initializer_list<std::string_view>;

/// The first complaint; a reader goes on behind it, and only it counts.
class Verdict final
{
public:
    void refuse(std::string code, std::string where, std::string detail)
    {
        if (!m_error) m_error = Error{std::move(code), std::move(where), std::move(detail)};
    }

    [[nodiscard]] Status<> result() const
    {
        if (m_error) return tl::unexpected<Error>(*m_error);
        return {};
    }

private:
    std::optional<Error> m_error;
};

[[nodiscard]] bool isOneOf(std::string_view word, Names names);

/// Whether the script names it in `strict_also`.
[[nodiscard]] bool letsPass(const Script& script, const std::string& word);

/// A member of `object` that is neither in `known` nor let pass by the script.
[[nodiscard]] std::optional<std::string>
unknownMember(const Json& object, Names known, const Script& script);

/// The member, or null where `object` has none (or is none).
[[nodiscard]] const Json& memberOf(const Json& object, const char* name);

/// The member's text; empty where it is no string.
[[nodiscard]] std::string textIn(const Json& object, const char* name);

/// One to `lengthMax` letters, digits, `_` and `-`.
[[nodiscard]] bool isIdentifier(std::string_view text, std::size_t lengthMax);
[[nodiscard]] bool isBlank(std::string_view text);
[[nodiscard]] bool isBase64(std::string_view text);

/// True where the member is absent, or a number from `low` to `high`.
[[nodiscard]] bool isWithin(const Json& object, const char* name, double low, double high);

void checkAnthropic(const Json& body, const Caller& caller, const Script& script, Verdict& verdict);
void checkChat(const Json& body, const Script& script, Verdict& verdict);
void checkResponses(const Json& body, const Script& script, Verdict& verdict);

} // namespace weir::fake
