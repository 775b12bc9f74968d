// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/reason_option.h"

#include "common/base/text.h"

#include <CLI/CLI.hpp>

namespace weir::ctl {
namespace {

std::string reasonFault(std::string& text)
{
    constexpr std::size_t kLongest = 1000;
    if (trimmed(text).empty()) return "must say why, as it stands in the audit";
    if (cleaned(text, kLongest) != cleaned(text, kLongest + 1)) {
        return "must not be longer than 1000 characters";
    }
    return {};
}

} // namespace

void addReason(CLI::App& verb, std::string& reason)
{
    verb.add_option("--reason", reason, "why, for those who read the audit")
        ->required()
        ->type_name("TEXT")
        ->check(CLI::Validator{reasonFault, ""});
}

} // namespace weir::ctl
