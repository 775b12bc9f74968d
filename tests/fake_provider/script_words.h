// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/script_values.h"

#include <array>

// The words that a script may use for its choices.
namespace weir::fake {

inline constexpr std::array kFaults{
    Word<Fault>{"none", Fault::None},
    Word<Fault>{"hang", Fault::Hang},
    Word<Fault>{"reset", Fault::Reset},
    Word<Fault>{"close", Fault::Close},
    Word<Fault>{"garbage_head", Fault::GarbageHead},
    Word<Fault>{"stall_after_head", Fault::StallAfterHead},
    Word<Fault>{"stall_mid_stream", Fault::StallMidStream},
    Word<Fault>{"cut_fin", Fault::CutFin},
    Word<Fault>{"cut_rst", Fault::CutRst},
    Word<Fault>{"html_200", Fault::Html200},
    Word<Fault>{"error_in_200", Fault::ErrorIn200},
    Word<Fault>{"error_first_event", Fault::ErrorFirstEvent},
    Word<Fault>{"error_after", Fault::ErrorAfter},
    Word<Fault>{"no_done", Fault::NoDone},
    Word<Fault>{"no_finish", Fault::NoFinish},
    Word<Fault>{"malformed_json", Fault::MalformedJson},
    Word<Fault>{"empty", Fault::Empty},
    Word<Fault>{"no_choices", Fault::NoChoices},
    Word<Fault>{"bad_chunk", Fault::BadChunk},
    Word<Fault>{"short_length", Fault::ShortLength},
};
inline constexpr std::array kLineEnds{
    Word<LineEnd>{"lf", LineEnd::Lf},
    Word<LineEnd>{"crlf", LineEnd::CrLf},
    Word<LineEnd>{"cr", LineEnd::Cr},
};
inline constexpr std::array kFramings{
    Word<Framing>{"usual", Framing::Usual},
    Word<Framing>{"chunked", Framing::Chunked},
    Word<Framing>{"close", Framing::Close},
};
inline constexpr std::array kUsages{
    Word<UsageStyle>{"asked", UsageStyle::Asked},
    Word<UsageStyle>{"always", UsageStyle::Always},
    Word<UsageStyle>{"never", UsageStyle::Never},
    Word<UsageStyle>{"every", UsageStyle::Every},
};
inline constexpr std::array kToolUses{
    Word<ToolUse>{"auto", ToolUse::Auto},
    Word<ToolUse>{"always", ToolUse::Always},
    Word<ToolUse>{"never", ToolUse::Never},
};

} // namespace weir::fake
