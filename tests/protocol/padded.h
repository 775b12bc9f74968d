// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/request.h"

#include <QString>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

namespace weir::protocol {

/// A body with exactly the padding that this layer asks for, so that a sanitizer sees one byte
/// more.
class Padded final
{
public:
    explicit Padded(std::string_view text)
        : m_bytes(std::make_unique<char[]>(text.size() + kBodyPadding))
        , m_size(text.size())
    {
        std::copy(text.begin(), text.end(), m_bytes.get());
    }

    [[nodiscard]] std::string_view view() const { return {m_bytes.get(), m_size}; }

private:
    std::unique_ptr<char[]> m_bytes;
    std::size_t m_size;
};

/// For QCOMPARE, which prints a QString when it fails.
inline QString shown(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace weir::protocol
