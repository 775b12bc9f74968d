// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/tokenizer.h"

#include "agent/protocol/json_raw.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace weir::protocol {
namespace {

/// Longer texts are cut up: what one costs grows faster than its length.
constexpr std::size_t kPieceMax = 1024;
constexpr std::size_t kSamples = 64;
constexpr std::size_t kSampleBytes = kCountedBytesMax / kSamples;
constexpr double kStandardErrors = 3;

/// The place nearest before `at` where a letter begins.
std::size_t letterAt(std::string_view text, std::size_t at)
{
    while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U)
        --at;
    return at;
}

/// At a blank where there is one, for a token may begin with it, but never ends in it.
std::size_t pieceEnd(std::string_view text)
{
    if (text.size() <= kPieceMax) return text.size();
    const std::size_t blank = text.substr(0, kPieceMax).find_last_of(" \n");
    if (blank != std::string_view::npos && blank > 0) return blank;
    return std::max<std::size_t>(letterAt(text, kPieceMax), 1);
}

/// What a piece of a body means; as written where an escape was cut.
std::string meaningOf(std::string_view written)
{
    return json::Raw{written}.text().value_or(std::string{written});
}

std::int64_t countAll(const Tokenizer& tokenizer, std::span<const std::string_view> texts)
{
    std::int64_t tokens = 0;
    for (const std::string_view written : texts) {
        const std::string text = meaningOf(written);
        for (std::string_view rest = text; !rest.empty();) {
            const std::size_t end = pieceEnd(rest);
            tokens += tokenizer.count(rest.substr(0, end));
            rest.remove_prefix(end);
        }
    }
    return tokens;
}

/// Tokens a byte at most, by `kSamples` places of the texts behind each other.
double
sampled(const Tokenizer& tokenizer, std::span<const std::string_view> texts, std::size_t bytes)
{
    double sum = 0;
    double squares = 0;
    std::size_t before = 0;
    auto text = texts.begin();
    for (std::size_t i = 0; i < kSamples; ++i) {
        const std::size_t wanted = bytes / kSamples * i;
        while (wanted - before >= text->size()) {
            before += text->size();
            ++text;
        }
        const std::size_t from = letterAt(*text, wanted - before);
        // The end of a short text is a small sample, and counts as one of its kind all the same.
        const std::string_view left = text->substr(from);
        const std::string_view piece =
            left.substr(0, std::max<std::size_t>(letterAt(left, kSampleBytes), 1));
        const auto tokens = static_cast<double>(tokenizer.count(meaningOf(piece)));
        const double ratio = tokens / static_cast<double>(piece.size());
        sum += ratio;
        squares += ratio * ratio;
    }
    constexpr auto kCount = static_cast<double>(kSamples);
    const double mean = sum / kCount;
    const double variance = std::max(0.0, squares / kCount - mean * mean);
    return mean + kStandardErrors * std::sqrt(variance / kCount);
}

} // namespace

struct Tokenizer::Model
{
    sentencepiece::SentencePieceProcessor processor;
};

Tokenizer::Tokenizer()
    : m_model(std::make_unique<Model>())
{
}

Tokenizer::~Tokenizer() = default;

Result<std::shared_ptr<const Tokenizer>> Tokenizer::read(std::string_view model)
{
    std::shared_ptr<Tokenizer> tokenizer(new Tokenizer);
    const auto status = tokenizer->m_model->processor.LoadFromSerializedProto(model);
    if (!status.ok() || tokenizer->m_model->processor.GetPieceSize() == 0) {
        return fail("bad_tokenizer", "", "is no SentencePiece model, the one kind that is read");
    }
    return tokenizer;
}

std::int64_t Tokenizer::count(std::string_view text) const
{
    std::vector<int> ids;
    const auto status = m_model->processor.Encode(text, &ids);
    return static_cast<std::int64_t>(status.ok() ? ids.size() : text.size());
}

std::int64_t promptTokens(
    const Tokenizer& tokenizer, std::span<const std::string_view> texts, const PromptShape& shape)
{
    std::size_t bytes = 0;
    for (const std::string_view text : texts)
        bytes += text.size();
    const std::int64_t rest = promptEstimate({0, 0, 0, shape.images, shape.messages});
    if (bytes <= kCountedBytesMax) return rest + countAll(tokenizer, texts);
    const double perByte = sampled(tokenizer, texts, bytes);
    return rest + static_cast<std::int64_t>(std::ceil(perByte * static_cast<double>(bytes)));
}

} // namespace weir::protocol
