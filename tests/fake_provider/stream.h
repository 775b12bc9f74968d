// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/answer.h"

namespace weir::fake {

inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

/// `bytes` as one chunk of the chunked coding.
[[nodiscard]] std::string chunkOf(std::string_view bytes);

/// One thing to do for a streamed answer: wait until `due` after the request, send `bytes`, then
/// `then`.
struct Step
{
    enum class Then {
        Continue, // with the next step
        Keep,     // the answer is complete and the connection stays
        Finish,   // the answer ends with the connection
        CutFin,
        CutRst,
        Stall,
    };

    Clock::duration due{};
    std::string bytes;
    Then then = Then::Continue;
};

/// A streamed answer as a sequence of steps: what is sent and when, but no socket. The head goes
/// first and is given whole.
class StreamSteps final
{
public:
    StreamSteps(const Script& script, const Plan& plan, std::string head, bool lastOfConnection);

    /// To be called until a step does not say Continue.
    [[nodiscard]] Step next();

    /// A heart-beat, for long waits.
    [[nodiscard]] std::string heartbeat() const;

private:
    enum class Phase { Head, Opening, Content, Filler, Closing };

    [[nodiscard]] bool chunked() const { return m_script.framing != Framing::Close; }

    [[nodiscard]] std::string chunk(const std::string& bytes) const;
    [[nodiscard]] std::string framedOne(Event event);
    [[nodiscard]] std::string framedAll(const std::vector<Event>& events);

    [[nodiscard]] Step head();
    [[nodiscard]] Step opening();
    [[nodiscard]] Step content();
    [[nodiscard]] Step filler();
    [[nodiscard]] Step closing();
    [[nodiscard]] bool strikesNow() const;
    [[nodiscard]] Step struck(std::string bytes);

    /// With a proper end of the body, whether or not the answer is complete.
    [[nodiscard]] Step ended(std::string bytes) const;

    const Script& m_script;
    const Plan& m_plan;
    std::string m_unsent; // goes out together with the next piece
    bool m_last;
    Phase m_phase = Phase::Head;
    std::uint64_t m_tokens = 0; // of the text, sent so far
    std::uint64_t m_events = 0;
    std::uint64_t m_sequence = 0;
    std::uint64_t m_fillerSent = 0;
    std::string m_filler;
};

} // namespace weir::fake
