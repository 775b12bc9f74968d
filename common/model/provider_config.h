// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/secret.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

enum class Protocol : std::uint8_t { OpenAi, Anthropic };

[[nodiscard]] std::string_view toWord(Protocol protocol);

struct BaseUrl
{
    bool tls = true;
    std::string host;
    std::uint16_t port = 443;
    /// Without a slash at the end; possibly empty.
    std::string path;

    bool operator==(const BaseUrl&) const = default;
};

struct ProviderConfig
{
    std::string name;
    Protocol protocol = Protocol::OpenAi;
    BaseUrl baseUrl;
    /// As written in the file, for people.
    std::string baseUrlText;
    std::string apiKeyEnv;
    /// Empty where the provider needs none.
    Secret apiKey;
    /// A PEM file trusted besides the system's authorities; empty = only those.
    std::string caFile;
    std::chrono::milliseconds connectTimeout{2000};
    std::chrono::milliseconds ttftTimeout{60000};
    std::chrono::milliseconds idleTimeout{30000};
    /// The upstream understands `stream_options` (OpenAI protocol only).
    bool streamOptions = true;
    /// What it calls the length limit: "max_tokens" or "max_completion_tokens" (OpenAI protocol
    /// only); empty = whichever the client used.
    std::string maxTokensName;
    /// The values of `anthropic-beta` that may go to it; a `*` at the end stands for any rest.
    std::vector<std::string> betas;
};

} // namespace weir
