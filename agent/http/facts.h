// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/head.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::http {

/// What the fields say about the message itself, gathered while they are read.
struct Facts
{
    std::uint64_t contentLength = 0;
    bool hasLength = false;
    bool chunked = false;
    bool hasHost = false;
    bool twoHosts = false;
    bool badHost = false;
    bool close = false;
    bool keepAlive = false;
    bool expectContinue = false;

    /// Reads one more field; other fields than the five that matter are passed over.
    [[nodiscard]] std::optional<HeadError> note(const Field& field);

private:
    std::optional<HeadError> noteLength(std::string_view value);
    std::optional<HeadError> noteCoding(std::string_view value);
    void noteHost(std::string_view value);
    void noteConnection(std::string_view value);
    void noteExpect(std::string_view value);
};

} // namespace weir::http
