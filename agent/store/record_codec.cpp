// SPDX-License-Identifier: Apache-2.0
#include "agent/store/record_codec.h"

#include "agent/store/crc32c.h"

namespace weir::store {
namespace {

constexpr std::string_view kMagic = "WEr1";
constexpr std::uint64_t kVersion = 3;
/// Without the decision, and without what is known of the request; spools that an older program
/// left are still moved.
constexpr std::uint64_t kVersionWithoutDecision = 1;
constexpr std::uint64_t kVersionWithoutRequest = 2;

/// Numbers in seven-bit groups, lowest first; signed ones zigzag, so that small ones stay short.
class Encoder final
{
public:
    explicit Encoder(std::string& out)
        : m_out(out)
    {
    }

    void number(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7U) {
            m_out.push_back(static_cast<char>(static_cast<unsigned char>(value | 0x80U)));
        }
        m_out.push_back(static_cast<char>(value));
    }

    void integer(std::int64_t value)
    {
        const auto bits = static_cast<std::uint64_t>(value);
        number((bits << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0U));
    }

    void text(std::string_view value, std::size_t bytesMax = kSpoolTextBytesMax)
    {
        value = value.substr(0, bytesMax);
        number(value.size());
        m_out.append(value);
    }

    void boolean(bool value) { number(value ? 1 : 0); }

    template <class T>
    void maybe(const std::optional<T>& value)
    {
        boolean(value.has_value());
        if (value) integer(*value);
    }

private:
    std::string& m_out;
};

/// Reads what Encoder wrote. The first thing that does not fit makes everything after it fail too.
class Decoder final
{
public:
    explicit Decoder(std::string_view bytes)
        : m_rest(bytes)
    {
    }

    [[nodiscard]] bool failed() const { return m_failed; }

    [[nodiscard]] bool atEnd() const { return !m_failed && m_rest.empty(); }

    void fail() { m_failed = true; }

    void number(std::uint64_t& value)
    {
        value = 0;
        for (unsigned shift = 0; shift < 64 && !m_failed; shift += 7) {
            if (m_rest.empty()) break;
            const auto byte = static_cast<unsigned char>(m_rest.front());
            m_rest.remove_prefix(1);
            if (shift == 63 && byte > 1) break;
            value |= std::uint64_t{byte & 0x7FU} << shift;
            if (byte < 0x80) return;
        }
        m_failed = true;
    }

    template <class T>
    void integer(T& value)
    {
        std::uint64_t bits = 0;
        number(bits);
        const std::uint64_t sign = (bits & 1U) != 0 ? ~std::uint64_t{0} : 0U;
        const auto wide = static_cast<std::int64_t>((bits >> 1U) ^ sign);
        value = static_cast<T>(wide);
        if (static_cast<std::int64_t>(value) != wide) m_failed = true;
    }

    void text(std::string& value, std::size_t bytesMax = kSpoolTextBytesMax)
    {
        std::uint64_t size = 0;
        number(size);
        if (m_failed || size > m_rest.size() || size > bytesMax) {
            m_failed = true;
            return;
        }
        value.assign(m_rest.substr(0, size));
        m_rest.remove_prefix(size);
    }

    void boolean(bool& value)
    {
        std::uint64_t bits = 0;
        number(bits);
        if (bits > 1) m_failed = true;
        value = bits == 1;
    }

    template <class T>
    void maybe(std::optional<T>& value)
    {
        bool present = false;
        boolean(present);
        if (present && !m_failed) integer(value.emplace());
    }

    template <class T>
    void word(T& value, std::optional<T> (*fromWord)(std::string_view))
    {
        std::string name;
        text(name);
        const std::optional<T> known = m_failed ? std::nullopt : fromWord(name);
        if (!known) {
            m_failed = true;
            return;
        }
        value = *known;
    }

private:
    std::string_view m_rest;
    bool m_failed = false;
};

std::optional<Protocol> protocolFromWord(std::string_view word)
{
    for (const Protocol protocol : {Protocol::OpenAi, Protocol::Anthropic}) {
        if (toWord(protocol) == word) return protocol;
    }
    return std::nullopt;
}

void encode(const CallRecord& record, Encoder& to)
{
    to.number(kVersion);
    to.text(record.requestId);
    to.integer(record.attempt);
    for (const std::string* text :
         {&record.agentId,
          &record.service,
          &record.taskId,
          &record.taskType,
          &record.conversation,
          &record.model,
          &record.provider,
          &record.route}) {
        to.text(*text);
    }
    to.text(toWord(record.protocol));
    to.boolean(record.stream);
    to.integer(epochMs(record.startedAt));
    to.maybe(record.ttftMs);
    to.integer(record.durationMs);
    to.text(toWord(record.outcome));
    to.maybe(record.httpStatus);
    to.text(record.finishReason);
    to.maybe(record.usage.inputUncached);
    to.maybe(record.usage.inputCached);
    to.maybe(record.usage.cacheWrite);
    to.maybe(record.usage.output);
    to.maybe(record.usage.reasoning);
    to.boolean(record.usage.estimated);
    to.boolean(record.usage.inconsistent);
    to.maybe(record.costMicroUsd);
    to.number(record.flags);
    to.text(toWord(record.mode));
    to.text(toWord(record.reason));
    to.integer(record.level);
    to.text(record.snapshotId);
    to.integer(record.settingsVersion);
    to.integer(record.switchVersion);
    to.number(record.seed);
    to.number(record.eligibleMask);
    to.number(record.heldMask);
    const bool whole = record.decision.size() <= kDecisionBytesMax;
    to.text(whole ? std::string_view{record.decision} : std::string_view{}, kDecisionBytesMax);
    to.boolean(record.last);
    to.text(toWord(record.unserved));
    to.text(toWord(record.priority));
    to.text(record.caller);
    to.text(record.regionsAsked);
    to.text(record.termsAsked);
    to.maybe(record.promptEstimate);
}

void decode(Decoder& from, std::uint64_t version, CallRecord& record)
{
    from.text(record.requestId);
    from.integer(record.attempt);
    for (std::string* text :
         {&record.agentId,
          &record.service,
          &record.taskId,
          &record.taskType,
          &record.conversation,
          &record.model,
          &record.provider,
          &record.route}) {
        from.text(*text);
    }
    from.word(record.protocol, protocolFromWord);
    from.boolean(record.stream);
    std::int64_t startedMs = 0;
    from.integer(startedMs);
    record.startedAt = fromEpochMs(startedMs);
    from.maybe(record.ttftMs);
    from.integer(record.durationMs);
    from.word(record.outcome, outcomeFromWord);
    from.maybe(record.httpStatus);
    from.text(record.finishReason);
    from.maybe(record.usage.inputUncached);
    from.maybe(record.usage.inputCached);
    from.maybe(record.usage.cacheWrite);
    from.maybe(record.usage.output);
    from.maybe(record.usage.reasoning);
    from.boolean(record.usage.estimated);
    from.boolean(record.usage.inconsistent);
    from.maybe(record.costMicroUsd);
    std::uint64_t flags = 0;
    from.number(flags);
    if (flags > 0xFFFF) from.fail();
    record.flags = static_cast<std::uint16_t>(flags);
    from.word(record.mode, effectiveModeFromWord);
    from.word(record.reason, reasonFromWord);
    from.integer(record.level);
    from.text(record.snapshotId);
    from.integer(record.settingsVersion);
    from.integer(record.switchVersion);
    from.number(record.seed);
    from.number(record.eligibleMask);
    from.number(record.heldMask);
    if (version > kVersionWithoutDecision) from.text(record.decision, kDecisionBytesMax);
    record.last = true;
    if (version <= kVersionWithoutRequest) return;
    from.boolean(record.last);
    from.word(record.unserved, unservedFromWord);
    from.word(record.priority, priorityFromWord);
    from.text(record.caller);
    from.text(record.regionsAsked);
    from.text(record.termsAsked);
    from.maybe(record.promptEstimate);
}

void putU32(std::string& out, std::size_t at, std::uint32_t value)
{
    for (unsigned i = 0; i < 4; ++i) {
        out[at + i] = static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
    }
}

std::uint32_t getU32(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i) {
        value |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    }
    return value;
}

std::uint32_t checksum(std::string_view length, std::string_view payload)
{
    return crc32c(payload, crc32c(length));
}

} // namespace

void appendFrame(const CallRecord& record, std::string& out)
{
    const std::size_t start = out.size();
    out.append(kMagic).append(kFrameHeadBytes - kMagic.size(), '\0');
    Encoder encoder(out);
    encode(record, encoder);
    const std::size_t length = out.size() - start - kFrameHeadBytes;
    putU32(out, start + 4, static_cast<std::uint32_t>(length));
    const std::string_view all{out};
    putU32(
        out,
        start + 8,
        checksum(all.substr(start + 4, 4), all.substr(start + kFrameHeadBytes, length)));
}

Result<CallRecord> decodePayload(std::string_view payload)
{
    Decoder decoder(payload);
    std::uint64_t version = 0;
    decoder.number(version);
    if (decoder.failed() || version < kVersionWithoutDecision || version > kVersion) {
        return weir::fail(
            "bad_record", "", "spool record of unknown version " + std::to_string(version));
    }
    CallRecord record;
    decode(decoder, version, record);
    if (!decoder.atEnd()) return weir::fail("bad_record", "", "spool record does not decode");
    return record;
}

Frame frameAt(std::string_view bytes)
{
    const std::size_t magicBytes = std::min(bytes.size(), kMagic.size());
    if (bytes.substr(0, magicBytes) != kMagic.substr(0, magicBytes)) {
        return {FrameState::Damaged, {}, 0};
    }
    if (bytes.size() < kFrameHeadBytes) return {};
    const std::size_t length = getU32(bytes, 4);
    if (length > kPayloadBytesMax) return {FrameState::Damaged, {}, 0};
    if (bytes.size() - kFrameHeadBytes < length) return {};
    const std::string_view payload = bytes.substr(kFrameHeadBytes, length);
    if (checksum(bytes.substr(4, 4), payload) != getU32(bytes, 8)) {
        return {FrameState::Damaged, {}, 0};
    }
    return {FrameState::Whole, payload, kFrameHeadBytes + length};
}

std::optional<std::size_t> nextFrame(std::string_view bytes, std::size_t from)
{
    for (std::size_t at = bytes.find(kMagic, from); at != std::string_view::npos;
         at = bytes.find(kMagic, at + 1)) {
        if (frameAt(bytes.substr(at)).state == FrameState::Whole) return at;
    }
    return std::nullopt;
}

} // namespace weir::store
