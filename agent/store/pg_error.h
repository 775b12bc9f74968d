// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <string>
#include <string_view>

struct pg_conn;
struct pg_result;

namespace weir::store {

/// What a SQLSTATE means for whoever asked; the codes are those of SqlConnection.
[[nodiscard]] std::string_view codeOf(std::string_view sqlState);

/// What the server said of a statement, without the values it was about. `place` names the server.
[[nodiscard]] Error errorOf(const pg_result* result, const std::string& place);

/// The same of rows that were copied. "refused" only where a row itself is at fault: it breaks a
/// constraint of Weir's, or has signs that the database's encoding lacks. "repeated" where a key is
/// there already; "store" where the database is not as Weir made it, a rule that somebody added,
/// say.
[[nodiscard]] Error copyErrorOf(const pg_result* result, const std::string& place);

/// Why there is no connection, or none any more: "unreachable", or "forbidden" and "store_missing"
/// where the server does not let this user, or anybody, in.
[[nodiscard]] Error errorOf(const pg_conn* connection, const std::string& place);

} // namespace weir::store
