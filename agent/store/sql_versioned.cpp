// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_versioned.h"

#include "common/base/text.h"

namespace weir::store {
namespace {

constexpr std::size_t kReasonCharactersMax = 1000;

} // namespace

Authorship fitted(Authorship by)
{
    by.who = cleaned(by.who);
    by.host = cleaned(by.host);
    by.reason = cleaned(by.reason, kReasonCharactersMax);
    by.requestUuid = cleaned(by.requestUuid, 64);
    return by;
}

Result<bool>
isRepeated(SqlConnection& db, const Authorship& by, std::string_view table, const std::string& key)
{
    if (by.requestUuid.empty()) return false;
    Statement select(
        db,
        "SELECT 1 FROM settings_audit WHERE request_uuid = ? AND table_name = ? AND row_key = ?");
    return select.bind(by.requestUuid).bind(table).bind(key).next();
}

void bindAuthorship(
    Statement& statement, std::int64_t version, const Authorship& by, const std::string& at)
{
    statement.bind(version).bind(by.reason).bind(by.who).bind(by.host).bind(at).bind(
        by.requestUuid);
}

} // namespace weir::store
