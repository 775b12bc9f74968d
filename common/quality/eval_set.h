// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/quality/json_schema.h"
#include "common/quality/pattern.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace weir::quality {

/// An eval set is a JSONL file, one case a line, blank lines left out:
///
///     {"id": "refund-1", "input": "…", "checker": {"type": "exact", "expected": "yes"}}
///
/// | member | meaning |
/// |---|---|
/// | `id` | names the case, 1 to 128 characters, once in the file |
/// | `input`, `messages` | one of them: a user's text, or OpenAI chat messages |
/// | `system` | goes before them |
/// | `tools`, `tool_choice`, `response_format`, `max_tokens`, `temperature` | as in OpenAI's body |
/// | `parameters` | an object of further members of the body |
/// | `weight` | of the case in the score, 0.001 to 1000; 1 |
/// | `checker` | what makes an answer good, see below |
///
/// Checkers, by `type`:
/// - `exact`: `expected` (a text or several, any of which will do), `trim` (true), `ignore_case`,
///   `collapse_space`, `ignore_punctuation` (false; letters and marks of ASCII only).
/// - `regex`: `pattern` in RE2's syntax, `whole` (false: anywhere), `ignore_case` (false).
/// - `json_schema`: `schema`, `allow_fence` (false: a Markdown fence around the answer is a fault).
/// - `model_graded`: `rubric`, `reference` (an answer known to be good; optional).
/// All but `model_graded` may have `tool`: the name of a tool, the arguments of whose first call
/// are looked at instead of the text.
///
/// A case with a `json_schema` checker, or whose `response_format` has a schema, counts for the
/// schema validity, which stands apart from the score.
struct ExactRule
{
    std::vector<std::string> expected;
    bool trim = true;
    bool ignoreCase = false;
    bool collapseSpace = false;
    bool ignorePunctuation = false;
};

struct PatternRule
{
    Pattern pattern;
    bool whole = false;
};

/// The answer must keep `EvalCase::schema`.
struct SchemaRule
{
    bool allowFence = false;
};

struct GradedRule
{
    std::string rubric;
    std::string reference;
};

using Checker = std::variant<ExactRule, PatternRule, SchemaRule, GradedRule>;

struct EvalCase
{
    std::string id;
    /// An OpenAI chat body without `model`, as JSON.
    std::string request;
    Checker checker;
    /// Empty = the answer's text is looked at.
    std::string tool;
    std::optional<JsonSchema> schema;
    double weight = 1.0;
};

struct EvalSet
{
    std::vector<EvalCase> cases;
    /// Of all bytes, in hexadecimal: names this version of the set.
    std::string hash;
};

/// Error "bad_eval_set": `where` is "file:line", the detail names the member and what to do. Never
/// repeats a prompt.
[[nodiscard]] Result<EvalSet> readEvalSet(std::string_view text, std::string_view file);

} // namespace weir::quality
