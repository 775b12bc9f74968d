// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/openai_parts.h"

#include <string_view>

namespace weir::protocol {

using json::Node;

bool isEmptyText(const Node& block)
{
    return block["type"].is("text") && block["text"].isString() &&
           block["text"].string().bytes.empty();
}

Node OpenAiParts::markOf(const Node& block) const
{
    return m_to.target.cacheMarks ? block["cache_control"] : Node{};
}

bool OpenAiParts::check(const Node& block, const Place& place)
{
    if (!block.isObject()) return m_to.refusal.invalid(place, "an object");
    const Node type = block["type"];
    if (type.is("image")) return checkImage(block, place);
    if (type.is("document")) return checkDocument(block, place);
    if (!type.is("text")) {
        return m_to.refusal.unsupported(
            place.member("type"), "a block of type " + quotedForMessage(type) + " here");
    }
    if (!m_to.refusal.onlyKnown(block, place, {"type", "text", "cache_control", "citations"})) {
        return false;
    }
    if (!block["citations"].isEmpty()) return m_to.refusal.unsupported(place.member("citations"));
    return block["text"].isString() || m_to.refusal.invalid(place.member("text"), "a string");
}

bool OpenAiParts::checkImage(const Node& block, const Place& place)
{
    if (!m_to.refusal.onlyKnown(block, place, {"type", "source", "cache_control"})) return false;
    const Node source = block["source"];
    const Place inner = place.member("source");
    if (source["type"].is("url")) {
        if (!m_to.refusal.onlyKnown(source, inner, {"type", "url"})) return false;
        return source["url"].isString() || m_to.refusal.invalid(inner.member("url"), "a string");
    }
    if (!source["type"].is("base64")) {
        return m_to.refusal.unsupported(
            inner.member("type"), "a source of type " + quotedForMessage(source["type"]));
    }
    if (!m_to.refusal.onlyKnown(source, inner, {"type", "media_type", "data"})) return false;
    return (source["media_type"].isString() && source["data"].isString()) ||
           m_to.refusal.invalid(inner, "a media type and its data");
}

bool OpenAiParts::checkDocument(const Node& block, const Place& place)
{
    if (!m_to.refusal.onlyKnown(
            block, place, {"type", "source", "title", "citations", "cache_control"})) {
        return false;
    }
    const Node citations = block["citations"];
    if (citations.isGiven() && !citations["enabled"].isFalse()) {
        return m_to.refusal.unsupported(place.member("citations"));
    }
    const Node source = block["source"];
    const Place inner = place.member("source");
    if (!source["type"].is("base64") || !source["media_type"].is("application/pdf")) {
        return m_to.refusal.unsupported(inner, "a document other than a PDF as base64 data");
    }
    if (!m_to.refusal.onlyKnown(source, inner, {"type", "media_type", "data"})) return false;
    if (block["title"].isGiven() && !block["title"].isString()) {
        return m_to.refusal.invalid(place.member("title"), "a string");
    }
    return source["data"].isString() || m_to.refusal.invalid(inner.member("data"), "a string");
}

void OpenAiParts::content(const std::vector<Block>& blocks, std::string_view prefix)
{
    const bool single = blocks.size() == 1 && blocks.front().node["type"].is("text") &&
                        !markOf(blocks.front().node).isGiven();
    if (blocks.empty() || single) {
        m_to.out.beginString();
        m_to.out.textPart(prefix);
        if (single) m_to.out.stringPart(blocks.front().node["text"].string());
        m_to.out.endString();
        return;
    }
    m_to.out.beginArray();
    for (const Block& block : blocks) {
        part(block.node, prefix);
        prefix = {};
    }
    m_to.out.endArray();
}

void OpenAiParts::part(const Node& block, std::string_view prefix)
{
    m_to.out.beginObject();
    m_to.out.key("type");
    if (block["type"].is("text")) {
        m_to.out.text("text");
        m_to.out.key("text");
        m_to.out.beginString();
        m_to.out.textPart(prefix);
        m_to.out.stringPart(block["text"].string());
        m_to.out.endString();
    } else if (block["type"].is("image")) {
        m_to.out.text("image_url");
        imageUrl(block["source"]);
    } else {
        m_to.out.text("file");
        file(block);
    }
    writeGiven(m_to.out, "cache_control", markOf(block));
    m_to.out.endObject();
}

void OpenAiParts::imageUrl(const Node& source)
{
    m_to.out.key("image_url");
    m_to.out.beginObject();
    if (source["type"].is("url")) {
        writeGiven(m_to.out, "url", source["url"]);
    } else {
        m_to.out.key("url");
        m_to.out.beginString();
        m_to.out.textPart("data:");
        m_to.out.stringPart(source["media_type"].string());
        m_to.out.textPart(";base64,");
        m_to.out.stringPart(source["data"].string());
        m_to.out.endString();
    }
    m_to.out.endObject();
}

void OpenAiParts::file(const Node& block)
{
    m_to.out.key("file");
    m_to.out.beginObject();
    m_to.out.key("filename");
    if (block["title"].isGiven()) {
        m_to.out.raw(block["title"].raw());
    } else {
        m_to.out.text("document.pdf");
    }
    m_to.out.key("file_data");
    m_to.out.beginString();
    m_to.out.textPart("data:application/pdf;base64,");
    m_to.out.stringPart(block["source"]["data"].string());
    m_to.out.endString();
    m_to.out.endObject();
}

} // namespace weir::protocol
