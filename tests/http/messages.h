// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/body.h"
#include "agent/http/head.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir::http::messages {

/// A whole head as text, "|" standing for CRLF, and what has to become of it.
struct Head
{
    const char* name;
    std::string_view text;
    /// Nothing for a head that is accepted.
    std::optional<HeadError> refused;
    /// Why Boost.Beast's parser takes it otherwise, if it does.
    const char* beastDiffers = nullptr;
};

/// A chunked body, "|" standing for CRLF.
struct Body
{
    const char* name;
    std::string_view text;
    /// What it carries, up to the error if there is one.
    std::string_view payload;
    std::optional<BodyError> refused;
    /// Why Boost.Beast's parser takes it otherwise, if it does.
    const char* beastDiffers = nullptr;
};

[[nodiscard]] std::span<const Head> requests();
[[nodiscard]] std::span<const Head> responses();
[[nodiscard]] std::span<const Body> bodies();

/// The bytes that `text` stands for.
[[nodiscard]] std::string wire(std::string_view text);

} // namespace weir::http::messages
