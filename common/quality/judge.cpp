// SPDX-License-Identifier: Apache-2.0
#include "common/quality/judge.h"

#include "common/quality/json_text.h"

#include <algorithm>
#include <cctype>

namespace weir::quality {
namespace {

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::string normal(std::string_view text, const ExactRule& rule)
{
    std::string kept;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (rule.ignorePunctuation && std::ispunct(byte) != 0) continue;
        if (rule.collapseSpace && isBlank(c)) {
            if (kept.empty() || kept.back() != ' ') kept += ' ';
            continue;
        }
        kept += rule.ignoreCase ? static_cast<char>(std::tolower(byte)) : c;
    }
    if (!rule.trim) return kept;
    const auto last = std::find_if_not(kept.rbegin(), kept.rend(), isBlank).base();
    const auto first = std::find_if_not(kept.begin(), last, isBlank);
    return {first, last};
}

bool isGood(const ExactRule& rule, std::string_view text)
{
    const std::string answer = normal(text, rule);
    return std::any_of(rule.expected.begin(), rule.expected.end(), [&](const std::string& each) {
        return normal(each, rule) == answer;
    });
}

bool isGood(const PatternRule& rule, std::string_view text)
{
    return rule.whole ? rule.pattern.isWhole(text) : rule.pattern.isIn(text);
}

/// The text that is looked at; nothing where the tool was not called.
std::optional<std::string_view> subjectOf(const EvalCase& evalCase, const Answer& answer)
{
    if (evalCase.tool.empty()) return answer.text;
    const auto call = std::find_if(answer.calls.begin(), answer.calls.end(), [&](const auto& each) {
        return each.name == evalCase.tool;
    });
    if (call == answer.calls.end()) return std::nullopt;
    return call->arguments;
}

/// Nothing where that is too costly to know.
std::optional<bool> keepsSchema(const EvalCase& evalCase, const Answer& answer)
{
    const auto* rule = std::get_if<SchemaRule>(&evalCase.checker);
    // The format of a response is a matter of its text; only the checker looks into a call.
    const std::optional<std::string_view> subject =
        rule == nullptr ? std::string_view{answer.text} : subjectOf(evalCase, answer);
    if (!subject) return false;
    const bool mayBeFenced = rule != nullptr && rule->allowFence;
    const Status<> kept = evalCase.schema->check(mayBeFenced ? withoutFence(*subject) : *subject);
    if (!kept && kept.error().code == "too_costly") return std::nullopt;
    return kept.has_value();
}

std::optional<std::int64_t> scoreOf(const EvalCase& evalCase, const Answer& answer, bool formGood)
{
    if (std::holds_alternative<GradedRule>(evalCase.checker)) return std::nullopt;
    if (std::holds_alternative<SchemaRule>(evalCase.checker)) return formGood ? kScoreWhole : 0;
    const std::optional<std::string_view> subject = subjectOf(evalCase, answer);
    if (!subject || subject->size() > kTextBytesMax) return 0;
    const auto* exact = std::get_if<ExactRule>(&evalCase.checker);
    const bool good = exact != nullptr
                          ? isGood(*exact, *subject)
                          : isGood(*std::get_if<PatternRule>(&evalCase.checker), *subject);
    return good ? kScoreWhole : 0;
}

} // namespace

Judgement judge(const EvalCase& evalCase, const Answer& answer)
{
    Judgement judgement;
    judgement.ending = answer.ending;
    if (answer.ending == Ending::Refused) {
        judgement.scorePpm = 0;
        return judgement;
    }
    if (evalCase.schema && answer.ending == Ending::Whole) {
        judgement.schemaValid = keepsSchema(evalCase, answer);
        judgement.undecided = !judgement.schemaValid;
    }
    judgement.scorePpm = scoreOf(evalCase, answer, judgement.schemaValid.value_or(false));
    judgement.soundsRefused = soundsRefused(answer.text);
    return judgement;
}

} // namespace weir::quality
