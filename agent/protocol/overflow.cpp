// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/overflow.h"

#include <array>
#include <cstddef>

namespace weir::protocol {
namespace {

/// Where a figure stands: behind these words, with at most a few others between.
struct Figure
{
    std::string_view behind;
    bool isMaximum = false;
};

constexpr bool kMaximum = true;

/// The figures in the order of the sentence; those that are no maximum add up to what was asked
/// for. A wording with fewer figures than three ends with empty ones.
using Wording = std::array<Figure, 3>;

/// The more telling one of two that fit comes first.
constexpr auto kWordings = std::to_array<Wording>({
    // Anthropic; then its other refusal, prompt and room for the answer together.
    {{{"prompt is too long:"}, {" > ", kMaximum}}},
    {{{"exceed context limit:"}, {"+"}, {">", kMaximum}}},
    // Fireworks.
    {{{"prompt is too long:"}, {"maximum context length:", kMaximum}}},
    // vLLM: the newest words, those of a large max_tokens, of a prompt alone, and of its engine.
    {{{"maximum context length is", kMaximum}, {"for a total of"}}},
    {{{"maximum context length is", kMaximum}, {"you requested"}, {"prompt contains"}}},
    {{{"is too large:"}, {"maximum context length is", kMaximum}, {"your request has"}}},
    {{{"you passed"}, {"and requested"}, {"context length is only", kMaximum}}},
    {{{"prompt (length"}, {"maximum model length of", kMaximum}}},
    // OpenAI and most that follow it, OpenRouter ("you requested about"), DeepSeek.
    {{{"maximum context length is", kMaximum}, {"you requested"}}},
    {{{"maximum context length is", kMaximum}, {"resulted in"}}},
    {{{"configured limit of", kMaximum}, {"resulted in"}}},
    {{{"maximum context length is", kMaximum}, {"your request has"}}},
    // SGLang and Together, then those that say "input length".
    {{{"input ("}, {"context length (", kMaximum}}},
    {{{"maximum context length of", kMaximum}, {"requested a total of"}}},
    {{{"input length"}, {"maximum context length", kMaximum}}},
    {{{"input length"}, {"maximum allowed input length", kMaximum}}},
    {{{"input length"}, {"maximum allowed length", kMaximum}}},
    // llama.cpp: in words, or only as members beside them.
    {{{"request ("}, {"context size (", kMaximum}}},
    {{{"\"n_prompt_tokens\":"}, {"\"n_ctx\":", kMaximum}}},
    {{{"\"n_ctx\":", kMaximum}, {"\"n_prompt_tokens\":"}}},
    {{{"n_keep:"}, {"n_ctx:", kMaximum}}},
    // Text generation inference.
    {{{"must be <=", kMaximum}, {"given:"}, {"tokens and"}}},
    {{{"must have less than", kMaximum}, {"given:"}}},
    // Google, xAI, Mistral, Kimi, Cerebras, Copilot, Cohere.
    {{{"input token count"}, {"tokens allowed", kMaximum}}},
    {{{"maximum prompt length is", kMaximum}, {"contains"}}},
    {{{"prompt contains"}, {"too large for model with", kMaximum}}},
    {{{"model token limit:", kMaximum}, {"requested:"}}},
    {{{"current length is"}, {"limit is", kMaximum}}},
    {{{"token count of"}, {"exceeds the limit of", kMaximum}}},
    {{{"cannot exceed", kMaximum}, {"received"}}},
});

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// "128000", "128,000", "128_000": a separator stands before three digits.
bool isSeparator(std::string_view text)
{
    constexpr std::string_view kSeparators = ",._'";
    return text.size() > 3 && kSeparators.find(text.front()) != std::string_view::npos &&
           isDigit(text[1]) && isDigit(text[2]) && isDigit(text[3]) &&
           (text.size() == 4 || !isDigit(text[4]));
}

/// The number near the front of `text`, which moves behind it.
std::optional<std::int64_t> takeNumber(std::string_view& text)
{
    // "you requested about 150000", "total of at least 128001", "(1200000)".
    constexpr std::size_t kGapMax = 16;
    constexpr std::int64_t kNumberMax = 1'000'000'000'000;
    std::size_t at = 0;
    while (at < text.size() && !isDigit(text[at]))
        ++at;
    if (at > kGapMax || at == text.size()) return std::nullopt;
    std::int64_t number = 0;
    for (; at < text.size() && (isDigit(text[at]) || isSeparator(text.substr(at))); ++at) {
        if (!isDigit(text[at])) continue;
        number = number * 10 + (text[at] - '0');
        if (number > kNumberMax) return std::nullopt;
    }
    text.remove_prefix(at);
    return number;
}

std::optional<Overflow> readAs(const Wording& wording, std::string_view text)
{
    Overflow overflow;
    for (const Figure& figure : wording) {
        if (figure.behind.empty()) break;
        const std::size_t at = text.find(figure.behind);
        if (at == std::string_view::npos) return std::nullopt;
        text.remove_prefix(at + figure.behind.size());
        const auto number = takeNumber(text);
        if (!number) return std::nullopt;
        (figure.isMaximum ? overflow.maximum : overflow.tokens) += *number;
    }
    return overflow.tokens > overflow.maximum ? std::optional{overflow} : std::nullopt;
}

} // namespace

std::optional<Overflow> readOverflow(std::string_view lower)
{
    for (const Wording& wording : kWordings) {
        if (const auto overflow = readAs(wording, lower)) return overflow;
    }
    return std::nullopt;
}

} // namespace weir::protocol
