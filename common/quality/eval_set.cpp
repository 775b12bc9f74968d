// SPDX-License-Identifier: Apache-2.0
#include "common/quality/eval_set.h"

#include "common/base/siphash.h"
#include "common/base/text.h"
#include "common/quality/eval_fields.h"
#include "common/quality/json_text.h"

#include <array>
#include <set>
#include <utility>

namespace weir::quality {
namespace {

using Json = EvalFields::Json;

constexpr std::size_t kCasesMax = 100'000;
constexpr std::size_t kIdBytesMax = 128;
constexpr std::size_t kRubricBytesMax = std::size_t{64} * 1024;

/// What goes into the request as it stands.
constexpr std::array<const char*, 5> kBodyMembers{
    "tools", "tool_choice", "response_format", "max_tokens", "temperature"};
/// What `parameters` may not hold: the run sets it, or it has a place of its own.
constexpr std::array<std::string_view, 6> kNotParameters{
    "model", "models", "messages", "provider", "stream", "n"};

std::string hexadecimal(std::uint64_t value)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text(16, '0');
    for (std::size_t i = text.size(); i-- > 0; value >>= 4U)
        text[i] = kDigits[value & 0xFU];
    return text;
}

void readMessages(EvalFields& fields, Json& body)
{
    const std::optional<std::string> input = fields.text("input", 1, kTextBytesMax);
    const Json* messages = fields.array("messages");
    const std::optional<std::string> system = fields.text("system", 1, kTextBytesMax);
    if (fields.fault()) return;
    if (input.has_value() == (messages != nullptr)) {
        fields.refuse("input", "or messages: a case needs one of the two");
        return;
    }
    Json& list = body["messages"] = Json::array();
    if (system) list.push_back({{"role", "system"}, {"content", *system}});
    if (input) list.push_back({{"role", "user"}, {"content", *input}});
    if (messages == nullptr) return;
    for (const Json& each : *messages) {
        const bool isMessage =
            each.is_object() && each.contains("role") && each["role"].is_string();
        if (!isMessage) return fields.refuse("messages", "must hold objects with a role");
        list.push_back(each);
    }
    if (messages->empty()) fields.refuse("messages", "must not be empty");
}

void readParameters(EvalFields& fields, Json& body)
{
    for (const char* key : kBodyMembers) {
        if (const Json* member = fields.any(key)) body[key] = *member;
    }
    const Json* parameters = fields.object("parameters");
    if (parameters == nullptr) return;
    for (const auto& [key, value] : parameters->items()) {
        const std::string_view name = key;
        if (std::find(kNotParameters.begin(), kNotParameters.end(), name) != kNotParameters.end()) {
            return fields.refuse("parameters", "must not hold " + key + ": take it out");
        }
        body[key] = value;
    }
}

ExactRule readExact(EvalFields& fields)
{
    ExactRule rule;
    const Json* expected = fields.any("expected");
    if (expected != nullptr && expected->is_string()) {
        rule.expected.push_back(expected->get<std::string>());
    } else if (expected != nullptr && expected->is_array()) {
        for (const Json& each : *expected) {
            if (!each.is_string()) fields.refuse("expected", "must be a text or a list of texts");
            if (each.is_string()) rule.expected.push_back(each.get<std::string>());
        }
    }
    if (rule.expected.empty()) fields.refuse("expected", "must be a text or a list of texts");
    rule.trim = fields.flag("trim", rule.trim);
    rule.ignoreCase = fields.flag("ignore_case", false);
    rule.collapseSpace = fields.flag("collapse_space", false);
    rule.ignorePunctuation = fields.flag("ignore_punctuation", false);
    return rule;
}

std::optional<JsonSchema> readSchema(EvalFields& fields, const char* key, const Json& json)
{
    Result<JsonSchema> schema = JsonSchema::parse(json.dump());
    if (!schema) {
        fields.refuse(key, "at " + schema.error().where + ": " + schema.error().detail);
        return std::nullopt;
    }
    return std::move(*schema);
}

std::optional<Checker> readRegex(EvalFields& fields)
{
    const std::string expression = fields.needText("pattern", kTextBytesMax);
    const auto letters =
        fields.flag("ignore_case", false) ? Pattern::Case::Ignored : Pattern::Case::Kept;
    const bool whole = fields.flag("whole", false);
    if (fields.fault()) return std::nullopt;
    Result<Pattern> pattern = Pattern::compile(expression, letters);
    if (!pattern) {
        fields.refuse("pattern", "cannot be used: " + pattern.error().detail);
        return std::nullopt;
    }
    return PatternRule{std::move(*pattern), whole};
}

std::optional<Checker> readSchemaRule(EvalFields& fields, EvalCase& found)
{
    const Json* schema = fields.any("schema");
    const SchemaRule rule{fields.flag("allow_fence", false)};
    if (schema == nullptr) {
        fields.refuse("schema", "is missing");
        return std::nullopt;
    }
    found.schema = readSchema(fields, "schema", *schema);
    return rule;
}

std::optional<Checker> readRule(EvalFields& fields, const std::string& type, EvalCase& found)
{
    if (type != "model_graded") found.tool = fields.text("tool", 1, kIdBytesMax).value_or("");
    if (type == "exact") return readExact(fields);
    if (type == "regex") return readRegex(fields);
    if (type == "json_schema") return readSchemaRule(fields, found);
    if (type == "model_graded") {
        std::string rubric = fields.needText("rubric", kRubricBytesMax);
        return GradedRule{
            std::move(rubric), fields.text("reference", 1, kTextBytesMax).value_or("")};
    }
    fields.refuse("type", "must be exact, regex, json_schema or model_graded");
    return std::nullopt;
}

/// The schema that the request itself asks for.
void readAnswerSchema(EvalFields& fields, EvalCase& found)
{
    const Json* format = fields.any("response_format");
    if (format == nullptr || found.schema) return;
    const auto pointer = Json::json_pointer("/json_schema/schema");
    if (!format->is_object()) return fields.refuse("response_format", "must be an object");
    if (format->contains(pointer)) {
        found.schema = readSchema(fields, "response_format", format->at(pointer));
    }
}

Result<EvalCase, std::string> readCase(const Json& line)
{
    EvalCase found;
    EvalFields fields(line, "");
    found.id = cleaned(fields.needText("id", kIdBytesMax), kIdBytesMax);
    found.weight = fields.number("weight", 0.001, 1000).value_or(1.0);
    Json body = Json::object();
    readMessages(fields, body);
    readParameters(fields, body);
    const Json* checker = fields.object("checker");
    if (checker == nullptr) fields.refuse("checker", "is missing");
    fields.done();
    if (fields.fault()) return tl::unexpected(*fields.fault());
    EvalFields rule(*checker, "checker.");
    std::optional<Checker> read = readRule(rule, rule.needText("type", kIdBytesMax), found);
    rule.done();
    if (rule.fault()) return tl::unexpected(*rule.fault());
    found.checker = std::move(*read);
    readAnswerSchema(fields, found);
    if (fields.fault()) return tl::unexpected(*fields.fault());
    found.request = body.dump();
    return found;
}

Result<EvalCase, std::string> readLine(std::string_view line)
{
    if (line.size() > kTextBytesMax) {
        return tl::unexpected(std::string{"is longer than 8 MiB; shorten the case"});
    }
    // Depth and grammar first: what follows keeps the members' order for the prompt.
    const std::optional<nlohmann::json> checked = parseJson(line);
    if (!checked || !checked->is_object()) {
        return tl::unexpected(
            std::string{"is no JSON object in UTF-8 of at most 100 levels; a case is one line: "
                        R"({"id": "…", "input": "…", "checker": {…}})"});
    }
    return readCase(Json::parse(line));
}

} // namespace

Result<EvalSet> readEvalSet(std::string_view text, std::string_view file)
{
    EvalSet set;
    set.hash = hexadecimal(sipHash({}, text));
    std::set<std::string, std::less<>> ids;
    std::size_t number = 0;
    const auto refuse = [&](std::string detail) {
        return fail(
            "bad_eval_set", cleaned(file, 1024) + ":" + std::to_string(number), std::move(detail));
    };
    while (!text.empty()) {
        ++number;
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        Result<EvalCase, std::string> read = readLine(line);
        if (!read) return refuse(std::move(read.error()));
        if (!ids.insert(read->id).second) {
            return refuse("id \"" + read->id + "\" names a case before: give it its own");
        }
        if (set.cases.size() == kCasesMax) return refuse("is a case too many: at most 100000");
        set.cases.push_back(std::move(*read));
    }
    if (set.cases.empty()) return fail("bad_eval_set", cleaned(file, 1024), "holds no case");
    return set;
}

} // namespace weir::quality
