// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace weir {

/// A key. It has no stream operator and no JSON form, so it cannot slip into a log or a dump: the
/// one way to the text is `reveal()`, and `masked()` is what people may see.
class Secret final
{
public:
    Secret() = default;

    explicit Secret(std::string value)
        : m_value(std::move(value))
    {
    }

    [[nodiscard]] bool empty() const { return m_value.empty(); }

    [[nodiscard]] std::string_view reveal() const { return m_value; }

    /// "(unset)" or "****": not even the length or the last characters.
    [[nodiscard]] std::string masked() const { return m_value.empty() ? "(unset)" : "****"; }

    /// Takes the same time wherever the texts differ; only the lengths may show.
    [[nodiscard]] bool equals(std::string_view candidate) const;

private:
    std::string m_value;
};

} // namespace weir
