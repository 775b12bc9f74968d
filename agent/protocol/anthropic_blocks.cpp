// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/anthropic_blocks.h"

#include "common/base/text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace weir::protocol {
namespace {

using json::Node;
using json::Raw;

struct DataUrl
{
    std::string mediaType;
    Raw data;
};

/// "data:image/png;base64,…". The data stay as they were written; what stands before them may hold
/// escapes (many write "\/").
std::optional<DataUrl> dataUrl(Raw url)
{
    constexpr std::string_view kScheme = "data:";
    constexpr std::string_view kBase64 = ";base64";
    constexpr std::size_t kHeadBytesMax = 256;
    const std::size_t comma = url.bytes.substr(0, kHeadBytesMax).find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    const auto head = Raw{url.bytes.substr(0, comma)}.text();
    if (!head || head->size() < kScheme.size() + kBase64.size()) return std::nullopt;
    const std::string_view text = *head;
    if (!equalsIgnoreCase(text.substr(0, kScheme.size()), kScheme)) return std::nullopt;
    if (!equalsIgnoreCase(text.substr(text.size() - kBase64.size()), kBase64)) return std::nullopt;
    const std::string_view type = text.substr(kScheme.size());
    return DataUrl{std::string{type.substr(0, type.find(';'))}, Raw{url.bytes.substr(comma + 1)}};
}

bool isWebUrl(Raw url)
{
    // The longest prefix, each of its characters escaped.
    constexpr std::size_t kHeadBytesMax = 48;
    std::size_t size = std::min(url.bytes.size(), kHeadBytesMax);
    if (const std::size_t colon = url.bytes.find(':'); colon < size) size = colon;
    const auto scheme = Raw{url.bytes.substr(0, size)}.text();
    return scheme && (equalsIgnoreCase(*scheme, "https") || equalsIgnoreCase(*scheme, "http"));
}

/// The name of the image's format as Anthropic writes it; empty where it does not know it.
std::string_view imageType(const std::string& mediaType)
{
    constexpr std::array<std::string_view, 4> kKnown = {
        "image/jpeg", "image/png", "image/gif", "image/webp"};
    if (equalsIgnoreCase(mediaType, "image/jpg")) return kKnown.front();
    for (const std::string_view known : kKnown) {
        if (equalsIgnoreCase(mediaType, known)) return known;
    }
    return {};
}

void writeBase64Source(json::Writer& out, std::string_view mediaType, Raw data)
{
    out.key("source");
    out.beginObject();
    out.key("type");
    out.text("base64");
    out.key("media_type");
    out.text(mediaType);
    out.key("data");
    out.string(data);
    out.endObject();
}

} // namespace

bool isBlank(Raw text)
{
    constexpr std::string_view kEscapedBlanks = "nrt";
    for (std::size_t at = 0; at < text.bytes.size(); ++at) {
        if (text.bytes[at] == ' ') continue;
        if (text.bytes[at] != '\\' || at + 1 == text.bytes.size()) return false;
        if (kEscapedBlanks.find(text.bytes[++at]) == std::string_view::npos) return false;
    }
    return true;
}

void AnthropicBlocks::begin(std::string_view type)
{
    m_to.out.beginObject();
    m_to.out.key("type");
    m_to.out.text(type);
}

void AnthropicBlocks::end(const Node& mark)
{
    writeGiven(m_to.out, "cache_control", mark);
    m_to.out.endObject();
}

void AnthropicBlocks::text(Raw bytes, const Node& mark)
{
    if (isBlank(bytes)) return;
    begin("text");
    m_to.out.key("text");
    m_to.out.string(bytes);
    end(mark);
}

void AnthropicBlocks::systemText(Raw bytes, const Node& mark)
{
    if (isBlank(bytes)) return;
    begin("text");
    m_to.out.key("text");
    m_to.out.beginString();
    m_to.out.textPart("<system>\n");
    m_to.out.stringPart(bytes);
    m_to.out.textPart("\n</system>");
    m_to.out.endString();
    end(mark);
}

bool AnthropicBlocks::isText(const Node& part, const Place& place)
{
    if (!part.isObject()) return m_to.refusal.invalid(place, "an object");
    if (!part["type"].is("text")) {
        return m_to.refusal.unsupported(
            place.member("type"), "a part of type " + quotedForMessage(part["type"]) + " here");
    }
    if (!m_to.refusal.onlyKnown(part, place, {"type", "text", "cache_control"})) return false;
    return part["text"].isString() || m_to.refusal.invalid(place.member("text"), "a string");
}

bool AnthropicBlocks::image(const Node& part, const Place& place)
{
    if (!m_to.refusal.onlyKnown(part, place, {"type", "image_url", "cache_control"})) return false;
    const Place inner = place.member("image_url");
    const Node given = part["image_url"];
    if (given.isObject() && !m_to.refusal.onlyKnown(given, inner, {"url", "detail"})) return false;
    const Node url = given.isObject() ? given["url"] : given;
    if (!url.isString()) return m_to.refusal.invalid(inner, "an image's URL");
    // Anthropic always looks at an image in full.
    const Node detail = given["detail"];
    if (detail.isGiven() && !detail.is("auto") && !detail.is("high")) {
        return m_to.refusal.unsupported(
            inner.member("detail"), "the detail " + quotedForMessage(detail));
    }
    const auto data = dataUrl(url.string());
    const std::string_view type = data ? imageType(data->mediaType) : std::string_view{};
    if (data && type.empty()) {
        return m_to.refusal.unsupported(inner, "an image other than JPEG, PNG, GIF or WebP");
    }
    if (!data && !isWebUrl(url.string())) {
        return m_to.refusal.unsupported(inner, "a URL that is neither http(s) nor base64 data");
    }
    begin("image");
    if (data) {
        writeBase64Source(m_to.out, type, data->data);
    } else {
        m_to.out.key("source");
        m_to.out.beginObject();
        m_to.out.key("type");
        m_to.out.text("url");
        writeGiven(m_to.out, "url", url);
        m_to.out.endObject();
    }
    end(part["cache_control"]);
    return true;
}

bool AnthropicBlocks::file(const Node& part, const Place& place)
{
    if (!m_to.refusal.onlyKnown(part, place, {"type", "file", "cache_control"})) return false;
    const Place inner = place.member("file");
    const Node given = part["file"];
    // Another provider knows nothing of an id.
    if (!m_to.refusal.onlyKnown(given, inner, {"filename", "file_data"})) return false;
    const auto data = dataUrl(given["file_data"].string());
    if (!data || !equalsIgnoreCase(data->mediaType, "application/pdf")) {
        return m_to.refusal.unsupported(
            inner.member("file_data"), "a file other than a PDF as base64 data");
    }
    begin("document");
    writeBase64Source(m_to.out, "application/pdf", data->data);
    writeGiven(m_to.out, "title", given["filename"]);
    end(part["cache_control"]);
    return true;
}

} // namespace weir::protocol
