// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/envelope.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>

namespace weir::protocol {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kJsonBytesMax = 262144;

/// The member, or null.
const Json& member(const Json& object, const char* name)
{
    static const Json kNull;
    const auto found = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && found != object.end() ? *found : kNull;
}

/// How deep sentences are looked for: Mistral's `message.detail[].msg` is the deepest known.
constexpr int kDepthMax = 3;

/// A text as it stands, a number in digits, the sentences of a list (FastAPI's `detail`, Mistral's
/// `message`) joined; else nothing.
std::string words(const Json& value, int depth = 0)
{
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
    if (depth >= kDepthMax) return {};
    if (value.is_array()) {
        std::string joined;
        for (const Json& element : value) {
            const std::string text = words(element, depth + 1);
            if (!text.empty()) joined += (joined.empty() ? "" : "; ") + text;
        }
        return joined;
    }
    for (const char* const name : {"message", "msg", "detail", "error"}) {
        if (std::string text = words(member(value, name), depth + 1); !text.empty()) return text;
    }
    return {};
}

int statusIn(const Json& code)
{
    constexpr int kMin = 400;
    constexpr int kMax = 599;
    const std::string text = words(code, kDepthMax);
    int status = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, status);
    return error == std::errc{} && stop == end && status >= kMin && status <= kMax ? status : 0;
}

/// Fills in from the object that holds the error's own members.
void readInner(const Json& error, Envelope& envelope)
{
    envelope.isError = true;
    if (!error.is_object()) {
        envelope.message = words(error);
        return;
    }
    envelope.message = words(member(error, "message"));
    if (envelope.message.empty()) envelope.message = words(error);
    envelope.type = words(member(error, "type"), kDepthMax);
    envelope.param = words(member(error, "param"), kDepthMax);
    envelope.statusWord = words(member(error, "status"), kDepthMax);
    const Json& code = member(error, "code");
    envelope.status = statusIn(code.is_null() ? member(error, "status") : code);
    if (envelope.status == 0 || code.is_string()) envelope.code = words(code, kDepthMax);
    envelope.inner = words(member(member(error, "metadata"), "raw"), kDepthMax);
}

void readObject(const Json& object, Envelope& envelope)
{
    if (const Json& error = member(object, "error"); !error.is_null()) {
        readInner(error, envelope);
        // `{"error":"sentence","code":…}` keeps the rest beside it.
        if (envelope.code.empty()) envelope.code = words(member(object, "code"), kDepthMax);
        return;
    }
    const Json& choices = member(object, "choices");
    if (choices.is_array() && !choices.empty()) {
        if (const Json& error = member(choices.front(), "error"); !error.is_null()) {
            readInner(error, envelope);
        }
        return;
    }
    for (const char* const name : {"errors", "detail"}) {
        const Json& list = member(object, name);
        if (list.is_null()) continue;
        const bool isObjects = list.is_array() && !list.empty() && list.front().is_object();
        readInner(isObjects && list.size() == 1 ? list.front() : list, envelope);
        return;
    }
    const bool saysMessage = !member(object, "message").is_null();
    if (saysMessage || words(member(object, "object"), kDepthMax) == "error")
        readInner(object, envelope);
}

bool looksLikeHtml(std::string_view body)
{
    const std::size_t start = body.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return start != std::string_view::npos && body[start] == '<';
}

} // namespace

Envelope readEnvelope(std::string_view body)
{
    Envelope envelope;
    envelope.isHtml = looksLikeHtml(body);
    if (envelope.isHtml || body.empty() || body.size() > kJsonBytesMax) return envelope;
    const Json document = Json::parse(body.begin(), body.end(), nullptr, false);
    if (document.is_discarded()) return envelope;
    const bool isWrapped = document.is_array() && !document.empty();
    const Json& object = isWrapped ? document.front() : document;
    if (object.is_object()) readObject(object, envelope);
    return envelope;
}

} // namespace weir::protocol
