// SPDX-License-Identifier: Apache-2.0
#include "common/quality/pattern.h"

#include "common/base/text.h"

#include <re2/re2.h>

#include <utility>

namespace weir::quality {
namespace {

constexpr std::size_t kExpressionBytesMax = 4096;
/// Bounds the compiled program, and with it the time per byte of text.
constexpr std::int64_t kMemoryMax = std::int64_t{256} * 1024;

} // namespace

Pattern::Pattern(std::shared_ptr<const re2::RE2> expression)
    : m_expression(std::move(expression))
{
}

Result<Pattern> Pattern::compile(std::string_view expression, Case letters)
{
    if (expression.size() > kExpressionBytesMax) {
        return fail("bad_pattern", "", "longer than 4096 bytes: split it into several cases");
    }
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(kMemoryMax);
    options.set_case_sensitive(letters == Case::Kept);
    auto compiled = std::make_shared<const re2::RE2>(
        re2::StringPiece(expression.data(), expression.size()), options);
    if (!compiled->ok()) {
        return fail(
            "bad_pattern",
            "",
            cleaned(compiled->error(), 200) +
                "; the syntax is RE2's, which has no look-around and no back references");
    }
    return Pattern(std::move(compiled));
}

bool Pattern::isIn(std::string_view text) const
{
    return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *m_expression);
}

bool Pattern::isWhole(std::string_view text) const
{
    return re2::RE2::FullMatch(re2::StringPiece(text.data(), text.size()), *m_expression);
}

} // namespace weir::quality
