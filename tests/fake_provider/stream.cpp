// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/stream.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace weir::fake {

namespace {

constexpr std::size_t kFillerBytes = 16384;

} // namespace

std::string chunkOf(std::string_view bytes)
{
    if (bytes.empty()) return "";
    std::array<char, 16> size{};
    const auto end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16).ptr;
    std::string chunk(size.data(), end);
    return chunk.append("\r\n").append(bytes).append("\r\n");
}

StreamSteps::StreamSteps(
    const Script& script, const Plan& plan, std::string head, bool lastOfConnection)
    : m_script(script)
    , m_plan(plan)
    , m_unsent(std::move(head))
    , m_last(lastOfConnection || script.framing == Framing::Close)
{
}

Step StreamSteps::next()
{
    switch (m_phase) {
    case Phase::Head:
        return head();
    case Phase::Opening:
        return opening();
    case Phase::Content:
        return content();
    case Phase::Filler:
        return filler();
    case Phase::Closing:
        break;
    }
    return closing();
}

std::string StreamSteps::heartbeat() const
{
    return chunk(framedComment("ping", m_script.lineEnd));
}

std::string StreamSteps::chunk(const std::string& bytes) const
{
    return chunked() ? chunkOf(bytes) : bytes;
}

std::string StreamSteps::framedOne(Event event)
{
    // In Responses every event of a stream has its number, as its first member here.
    if (m_plan.endpoint == Endpoint::Responses && event.data.size() > 2)
        event.data.insert(1, "\"sequence_number\":" + std::to_string(m_sequence++) + ",");
    return chunk(framed(event, m_script.lineEnd));
}

std::string StreamSteps::framedAll(const std::vector<Event>& events)
{
    std::string all;
    for (const Event& event : events)
        all += framedOne(event);
    return all;
}

Step StreamSteps::head()
{
    m_phase = Phase::Opening;
    for (std::uint64_t at = 0; at < m_script.comments; ++at)
        m_unsent += chunk(framedComment("PROCESSING", m_script.lineEnd));
    Step step;
    if (m_plan.fault == Fault::StallAfterHead) step.then = Step::Then::Stall;
    const bool early = m_script.earlyHead || m_script.comments > 0 || m_script.heartbeatMs > 0;
    if (early || step.then == Step::Then::Stall) step.bytes = std::exchange(m_unsent, {});
    return step;
}

Step StreamSteps::opening()
{
    m_phase = Phase::Content;
    Step step;
    switch (m_plan.fault) {
    case Fault::Empty:
        step = ended(std::exchange(m_unsent, {}));
        break;
    case Fault::NoChoices:
        step = ended(m_unsent + framedOne(Event{"", "{}"}));
        break;
    case Fault::ErrorFirstEvent:
        step = ended(m_unsent + framedOne(errorEvent(m_plan, m_script.body)));
        break;
    default:
        m_unsent += framedAll(openingEvents(m_plan, m_script.usage));
        break;
    }
    step.due = m_plan.delay;
    return step;
}

bool StreamSteps::strikesNow() const
{
    switch (m_plan.fault) {
    case Fault::CutFin:
    case Fault::CutRst:
    case Fault::StallMidStream:
    case Fault::ErrorAfter:
    case Fault::MalformedJson:
    case Fault::BadChunk:
        return m_events >= m_script.afterChunks || m_tokens >= m_plan.textTokens;
    default:
        return false;
    }
}

Step StreamSteps::struck(std::string bytes)
{
    Step step;
    switch (m_plan.fault) {
    case Fault::ErrorAfter:
        return ended(bytes + framedOne(errorEvent(m_plan, m_script.body)));
    case Fault::MalformedJson:
        return ended(bytes + framedOne(Event{"", R"({"id":"chatcmpl-fake","choices":[{)"}));
    case Fault::BadChunk:
        bytes += "zz\r\nnot a chunk\r\n";
        step.then = Step::Then::Finish;
        break;
    case Fault::CutRst:
        step.then = Step::Then::CutRst;
        break;
    case Fault::StallMidStream:
        step.then = Step::Then::Stall;
        break;
    default:
        step.then = Step::Then::CutFin;
        break;
    }
    step.bytes = std::move(bytes);
    return step;
}

Step StreamSteps::content()
{
    if (strikesNow()) return struck(std::exchange(m_unsent, {}));
    Step step;
    if (m_tokens >= m_plan.textTokens) {
        m_phase = m_script.streamBytes > 0 ? Phase::Filler : Phase::Closing;
        return step;
    }
    const std::uint64_t end = m_tokens + std::max<std::uint64_t>(1, m_script.chunkTokens);
    if (m_plan.tokensPerS > 0)
        step.due = m_plan.delay + seconds(static_cast<double>(m_tokens) / m_plan.tokensPerS);
    const Event event = textEvent(m_plan, textOf(m_plan, m_tokens, end), end, m_script.usage);
    step.bytes = std::exchange(m_unsent, {}) + framedOne(event);
    m_tokens = end;
    ++m_events;
    return step;
}

Step StreamSteps::filler()
{
    if (m_filler.empty()) {
        std::string text;
        while (text.size() < kFillerBytes)
            text += "0123456789abcdef";
        m_filler = framedOne(textEvent(m_plan, text, m_plan.textTokens, m_script.usage));
    }
    Step step;
    step.bytes = m_filler;
    m_fillerSent += m_filler.size();
    if (m_fillerSent >= m_script.streamBytes) m_phase = Phase::Closing;
    return step;
}

Step StreamSteps::closing()
{
    std::string bytes = m_unsent + framedAll(closingEvents(m_plan, m_script.usage));
    if (m_plan.fault != Fault::ShortLength) return ended(std::move(bytes));
    Step step;
    step.bytes = std::move(bytes);
    step.then = Step::Then::Finish;
    return step;
}

Step StreamSteps::ended(std::string bytes) const
{
    Step step;
    step.bytes = std::move(bytes);
    if (chunked()) step.bytes += kLastChunk;
    step.then = m_last ? Step::Then::Finish : Step::Then::Keep;
    return step;
}

} // namespace weir::fake
