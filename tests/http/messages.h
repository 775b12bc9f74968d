// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/body.h"
#include "agent/http/head.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir::http::messages {

/// What another well-known parser makes of a message.
enum class Beast : std::uint8_t {
    Agrees,
    /// It refuses what is accepted here, or the other way round; `why` says whose the fault is.
    Differs,
};

/// A whole head as text, "|" standing for CRLF, and what has to become of it.
struct Head
{
    const char* name;
    std::string_view text;
    /// Nothing for a head that is accepted.
    std::optional<HeadError> refused;
    Beast beast = Beast::Agrees;
    const char* why = "";
};

/// A chunked body, "|" standing for CRLF.
struct Body
{
    const char* name;
    std::string_view text;
    /// What it carries, up to the error if there is one.
    std::string_view payload;
    std::optional<BodyError> refused;
    Beast beast = Beast::Agrees;
    const char* why = "";
};

[[nodiscard]] std::span<const Head> requests();
[[nodiscard]] std::span<const Head> responses();
[[nodiscard]] std::span<const Body> bodies();

/// The bytes that `text` stands for.
[[nodiscard]] std::string wire(std::string_view text);

} // namespace weir::http::messages
