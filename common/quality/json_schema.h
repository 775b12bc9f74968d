// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <memory>
#include <string_view>

namespace weir::quality {

/// A JSON Schema (drafts 6, 7, 2019-09 and 2020-12) against which answers are checked. Both the
/// schema and the answer come from outside, so the work is bounded whatever they say: by depth, by
/// steps, and by patterns in RE2's syntax. `format` and `content…` are notes, as in the newer
/// drafts; a keyword that would assert something and is not known here is refused, never skipped.
/// Cheap to copy, safe on any thread.
class JsonSchema final
{
public:
    struct Parsed;

    /// Errors "bad_schema" and "schema_unsupported"; `where` is the place as a JSON pointer.
    [[nodiscard]] static Result<JsonSchema> parse(std::string_view json);

    /// Errors "not_json", "mismatch" and "too_costly"; `where` is the keyword that was not kept.
    /// Says nothing of the text.
    [[nodiscard]] Status<> check(std::string_view json) const;

private:
    explicit JsonSchema(std::shared_ptr<const Parsed> parsed);

    std::shared_ptr<const Parsed> m_parsed;
};

} // namespace weir::quality
