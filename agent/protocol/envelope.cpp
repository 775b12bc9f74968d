// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/envelope.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

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

/// Where FastAPI found the mistake: `["body","messages",0]` is "messages.0: ".
std::string placeIn(const Json& loc)
{
    std::string place;
    for (const Json& step : loc.is_array() ? loc : Json::array()) {
        const std::string name = step.is_string() ? step.get<std::string>() : step.dump();
        if (name != "body") place += (place.empty() ? "" : ".") + name;
    }
    return place.empty() ? place : place + ": ";
}

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
        if (const std::string text = words(member(value, name), depth + 1); !text.empty()) {
            return placeIn(member(value, "loc")) + text;
        }
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

void addWord(const Json& value, Envelope& envelope)
{
    if (value.is_string()) envelope.words.push_back(value.get<std::string>());
}

/// The members by which some say the kind more exactly than by type and code.
void readWords(const Json& error, Envelope& envelope)
{
    const Json& metadata = member(error, "metadata");
    const Json& details = member(error, "details");
    addWord(member(error, "status"), envelope);
    addWord(member(error, "reason"), envelope);
    addWord(member(metadata, "error_type"), envelope);
    addWord(member(metadata, "limit_source"), envelope);
    addWord(member(member(error, "innererror"), "code"), envelope);
    addWord(member(details, "error_code"), envelope);
    if (!details.is_array()) return;
    for (const Json& detail : details)
        addWord(member(detail, "reason"), envelope);
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
    const Json& code = member(error, "code");
    envelope.status = statusIn(code.is_null() ? member(error, "status") : code);
    if (envelope.status == 0 || code.is_string()) envelope.code = words(code, kDepthMax);
    envelope.inner = words(member(member(error, "metadata"), "raw"), kDepthMax);
    readWords(error, envelope);
}

/// `{"error":…}` with what some keep beside it: `{"error":"kind","message":"sentence"}`,
/// `{"error":"sentence","error_type":…}`, `{"error":"sentence","code":…}`.
void readOuter(const Json& object, const Json& error, Envelope& envelope)
{
    readInner(error, envelope);
    if (envelope.code.empty()) envelope.code = words(member(object, "code"), kDepthMax);
    if (!error.is_string()) return;
    envelope.type = words(member(object, "error_type"), kDepthMax);
    const std::string sentence = words(member(object, "message"));
    if (sentence.empty()) return;
    envelope.words.push_back(envelope.message);
    envelope.message = sentence;
}

/// MiniMax answers 200 and says in here whether it went well.
bool readBaseResponse(const Json& base, Envelope& envelope)
{
    const std::string code = words(member(base, "status_code"), kDepthMax);
    if (code.empty() || code == "0") return false;
    envelope.isError = true;
    envelope.code = code;
    envelope.message = words(member(base, "status_msg"), kDepthMax);
    return true;
}

void readObject(const Json& object, Envelope& envelope)
{
    if (const Json& error = member(object, "error"); !error.is_null()) {
        readOuter(object, error, envelope);
        return;
    }
    const Json& choices = member(object, "choices");
    if (choices.is_array() && !choices.empty()) {
        if (const Json& error = member(choices.front(), "error"); !error.is_null()) {
            readInner(error, envelope);
        }
        return;
    }
    if (readBaseResponse(member(object, "base_resp"), envelope)) return;
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

Envelope readJson(std::string_view text)
{
    Envelope envelope;
    if (text.size() > kJsonBytesMax) return envelope;
    const Json document = Json::parse(text.begin(), text.end(), nullptr, false);
    if (document.is_discarded()) return envelope;
    const bool isWrapped = document.is_array() && !document.empty();
    const Json& object = isWrapped ? document.front() : document;
    if (object.is_object()) readObject(object, envelope);
    return envelope;
}

/// A gateway may give the body of the provider behind it as a text: then that one's words count.
void unwrap(Envelope& envelope)
{
    constexpr std::string_view kNothingSaid = "Provider returned error";
    const bool isWrapped = envelope.message == kNothingSaid && !envelope.inner.empty();
    const std::string& text = isWrapped ? envelope.inner : envelope.message;
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    const bool isJson = start != std::string::npos && (text[start] == '{' || text[start] == '[');
    Envelope inner = isJson ? readJson(text) : Envelope{};
    if (inner.isError) {
        envelope.words.push_back(std::move(inner.type));
        envelope.words.push_back(std::move(inner.code));
        std::move(inner.words.begin(), inner.words.end(), std::back_inserter(envelope.words));
        if (envelope.param.empty()) envelope.param = std::move(inner.param);
        if (!inner.message.empty()) envelope.message = std::move(inner.message);
    } else if (isWrapped && !looksLikeHtml(envelope.inner)) {
        envelope.message = envelope.inner;
    }
}

} // namespace

Envelope readEnvelope(std::string_view body)
{
    const bool isHtml = looksLikeHtml(body);
    if (isHtml || body.empty()) {
        Envelope page;
        page.isHtml = isHtml;
        return page;
    }
    Envelope envelope = readJson(body);
    unwrap(envelope);
    return envelope;
}

} // namespace weir::protocol
