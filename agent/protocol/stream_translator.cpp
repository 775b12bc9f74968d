// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/stream_translator.h"

#include "agent/protocol/json_view.h"

namespace weir::protocol {
namespace {

/// More waits in no answer of any use.
constexpr std::size_t kHeldBytesMax = 16UL << 20U;

} // namespace

StreamTranslator::StreamTranslator(Protocol to, bool wantsUsage)
{
    if (to == Protocol::OpenAi) m_stream = MessagesToChat{wantsUsage};
}

bool StreamTranslator::read(
    std::string_view padded,
    const StreamEvent& event,
    const UsageCounts& counts,
    UtcTime now,
    std::string& out)
{
    const bool isText = addText(event, out);
    if (!isText && !m_tree.readPadded(padded)) return false;
    std::size_t heldBytes = 0;
    if (auto* const messages = std::get_if<ChatToMessages>(&m_stream)) {
        if (!isText) messages->read(m_tree.root(), counts, now, out);
        heldBytes = messages->heldBytes();
    } else {
        auto& chat = std::get<MessagesToChat>(m_stream);
        if (!isText) chat.read(m_tree.root(), now, out);
        heldBytes = chat.heldBytes();
    }
    return heldBytes <= kHeldBytesMax && !hasBrokenCall();
}

/// Nearly every event adds one piece of text, for which no tree is needed.
bool StreamTranslator::addText(const StreamEvent& event, std::string& out)
{
    if (event.output.kind == OutputSeen::Kind::Other) return false;
    if (!json::hasValidEscapes(event.output.text.bytes)) return false;
    return std::visit([&](auto& stream) { return stream.addText(event, out); }, m_stream);
}

bool StreamTranslator::end(const TokenUsage& usage, UtcTime now, std::string& out)
{
    std::visit([&](auto& stream) { stream.end(usage, now, out); }, m_stream);
    return !hasBrokenCall();
}

bool StreamTranslator::hasBrokenCall() const
{
    return std::visit([](const auto& stream) { return stream.hasBrokenCall(); }, m_stream);
}

} // namespace weir::protocol
