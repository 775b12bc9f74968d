// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/api.h"
#include "agent/protocol/errors.h"
#include "agent/protocol/prompt_shape.h"
#include "agent/protocol/wishes.h"
#include "common/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::protocol {

/// Bytes that must lie, readable, behind every body handed to this layer (simdjson reads ahead).
inline constexpr std::size_t kBodyPadding = 64;

/// A place in the body, as byte offsets.
struct Span
{
    std::size_t at = 0;
    std::size_t size = 0;

    bool operator==(const Span&) const = default;
};

/// What a request needs of a route, besides its length.
struct Needs
{
    bool tools = false;
    bool images = false;
    bool jsonSchema = false;

    bool operator==(const Needs&) const = default;
};

/// One change of a body: `span` becomes `text`, which is a literal.
struct Edit
{
    Span span;
    std::string_view text;

    bool operator==(const Edit&) const = default;
};

/// The member of a Chat Completions request that limits the answer's length.
struct LengthLimit
{
    /// Place of its name, quotes included.
    Span name;
    /// `max_tokens` or `max_completion_tokens`.
    std::string_view word;
    /// Place of a value that must become `RequestFacts::maxTokens`, because another member that was
    /// given beside it says less.
    std::optional<Span> value;

    bool operator==(const LengthLimit&) const = default;
};

/// What the agent wants to know of a request body, read in one pass. Offsets are into that body.
struct RequestFacts
{
    /// Without `:floor` / `:nitro`; empty where the body names none.
    std::string model;
    /// "price" for `:floor`, "speed" for `:nitro`, else empty.
    std::string sortSuffix;
    bool stream = false;
    /// The client asked for the usage chunk (`stream_options.include_usage`).
    bool wantsUsage = false;
    Needs needs;
    /// Reasoning state that only its issuer can continue (signed thinking blocks, encrypted
    /// reasoning).
    bool singleShot = false;
    /// The smallest, where several are given.
    std::optional<std::int64_t> maxTokens;
    /// Nothing where none is given or its value makes no sense.
    std::optional<LengthLimit> lengthLimit;
    /// Body `session_id` or `prompt_cache_key`, else empty.
    std::string conversationHint;
    /// 64-bit FNV-1a over the raw bytes of the system text(s) and the first user message: of text
    /// parts the text alone, so that neither a moved cache mark nor another way to write one text
    /// changes it; system messages behind the first user message do not count, because some add one
    /// each turn; of a text above 64 KiB the beginning and the size count.
    std::uint64_t promptHash = 0;
    PromptShape shape;
    /// Places of the values of top-level `model` keys, quotes included.
    std::vector<Span> modelValues;
    /// Of the value of top-level `stream_options`, if there is one.
    std::optional<Span> streamOptionsValue;
    /// The smallest change that makes the upstream report usage in a Chat Completions stream whose
    /// client did not ask; nothing where the upstream should refuse `stream_options` itself.
    std::optional<Edit> usageEdit;
    /// Turns manual thinking off where the turn that goes on began elsewhere: Anthropic refuses it
    /// without the signed block that such a turn must begin with.
    std::optional<Edit> thinkingEdit;
    /// Where a member may be inserted: just behind the opening brace.
    std::size_t membersAt = 0;
    /// A member stays in the body when the foreign ones have gone: an inserted one needs a comma.
    bool hasMembers = false;
    /// Pieces, each with one comma, that must not go upstream: the members `provider` and `models`
    /// (OpenRouter's request conventions), a second limit of the answer's length, and in a Messages
    /// request the thinking blocks that bear Weir's own mark, which no provider has signed.
    std::vector<Span> removals;
    /// What those said.
    RoutingWishes wishes;
};

/// Reads the request of any API of the data plane. `body` must be followed by `kBodyPadding`
/// readable bytes. A body that is not a JSON object, whose `model`, `stream` or prompt (`messages`;
/// `input` of Responses and Embeddings) is missing or has the wrong type, or whose `provider` or
/// `models` makes no sense, gives the error to answer with (400, naming the parameter).
/// Reasoning state that only its issuer can continue is, in a Responses request, also what lies in
/// the provider's store: `previous_response_id`, `conversation`, references to items.
[[nodiscard]] Result<RequestFacts, ApiError> readRequest(Api api, std::string_view body);

} // namespace weir::protocol
