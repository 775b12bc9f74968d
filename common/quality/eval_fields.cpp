// SPDX-License-Identifier: Apache-2.0
#include "common/quality/eval_fields.h"

#include "common/base/text.h"

#include <utility>

namespace weir::quality {
namespace {

std::string plain(double number)
{
    std::string text = std::to_string(number);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

} // namespace

EvalFields::EvalFields(const Json& object, std::string path)
    : m_object(object)
    , m_path(std::move(path))
{
}

const EvalFields::Json* EvalFields::any(const char* key)
{
    m_known.insert(key);
    const auto member = m_object.find(key);
    return member == m_object.end() ? nullptr : &*member;
}

std::optional<std::string>
EvalFields::text(const char* key, std::size_t leastBytes, std::size_t mostBytes)
{
    const Json* member = any(key);
    if (member == nullptr) return std::nullopt;
    if (!member->is_string()) {
        refuse(key, "must be a text");
        return std::nullopt;
    }
    const std::size_t size = member->get_ref<const std::string&>().size();
    if (size < leastBytes || size > mostBytes) {
        refuse(
            key,
            "must have " + std::to_string(leastBytes) + " to " + std::to_string(mostBytes) +
                " bytes, not " + std::to_string(size));
        return std::nullopt;
    }
    return member->get<std::string>();
}

std::string EvalFields::needText(const char* key, std::size_t mostBytes)
{
    std::optional<std::string> found = text(key, 1, mostBytes);
    if (!found) refuse(key, "is missing");
    return std::move(found).value_or("");
}

bool EvalFields::flag(const char* key, bool standard)
{
    const Json* member = any(key);
    if (member == nullptr) return standard;
    if (!member->is_boolean()) refuse(key, "must be true or false");
    return member->is_boolean() ? member->get<bool>() : standard;
}

std::optional<double> EvalFields::number(const char* key, double least, double most)
{
    const Json* member = any(key);
    if (member == nullptr) return std::nullopt;
    if (member->is_number()) {
        const auto value = member->get<double>();
        if (value >= least && value <= most) return value;
    }
    refuse(key, "must be a number from " + plain(least) + " to " + plain(most));
    return std::nullopt;
}

const EvalFields::Json* EvalFields::array(const char* key)
{
    const Json* member = any(key);
    if (member != nullptr && !member->is_array()) refuse(key, "must be a list");
    return member != nullptr && member->is_array() ? member : nullptr;
}

const EvalFields::Json* EvalFields::object(const char* key)
{
    const Json* member = any(key);
    if (member != nullptr && !member->is_object()) refuse(key, "must be an object");
    return member != nullptr && member->is_object() ? member : nullptr;
}

void EvalFields::done()
{
    for (const auto& [key, value] : m_object.items()) {
        if (m_known.contains(key)) continue;
        std::string known;
        for (const std::string& each : m_known)
            known += (known.empty() ? "" : ", ") + each;
        refuse(cleaned(key, 40).c_str(), "is no member of this object; it may have " + known);
        return;
    }
}

void EvalFields::refuse(const char* key, const std::string& detail)
{
    if (!m_fault) m_fault = m_path + key + " " + detail;
}

} // namespace weir::quality
