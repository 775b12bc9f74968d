// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/reasoning_details.h"

#include "agent/protocol/own_marks.h"

namespace weir::protocol {
namespace {

void writeEnd(std::int64_t index, json::Writer& writer)
{
    writer.key("format");
    writer.text(kReasoningFormat);
    writer.key("index");
    writer.integer(index);
    writer.endObject();
}

} // namespace

void writeThinkingDetail(
    json::Raw text, json::Raw signature, std::int64_t index, json::Writer& writer)
{
    writer.beginObject();
    writer.key("type");
    writer.text(kReasoningText);
    writer.key("text");
    writer.string(text);
    writer.key("signature");
    writer.string(signature);
    writeEnd(index, writer);
}

void writeRedactedDetail(json::Raw data, std::int64_t index, json::Writer& writer)
{
    writer.beginObject();
    writer.key("type");
    writer.text(kReasoningEncrypted);
    writer.key("data");
    writer.string(data);
    writeEnd(index, writer);
}

} // namespace weir::protocol
