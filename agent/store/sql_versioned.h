// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/change.h"
#include "agent/store/sql.h"
#include "agent/store/sql_transaction.h"

#include <optional>
#include <string>
#include <string_view>

namespace weir::store {

template <class Row>
using MaybeRow = Result<std::optional<Row>>;

/// As the columns take it: cleaned and cut.
[[nodiscard]] Authorship fitted(Authorship by);

/// True where the audit knows a write of this request to this row.
[[nodiscard]] Result<bool>
isRepeated(SqlConnection& db, const Authorship& by, std::string_view table, const std::string& key);

/// Binds what every change sets, in the order of kAuthorshipSet.
void bindAuthorship(
    Statement& statement, std::int64_t version, const Authorship& by, const std::string& at);

inline constexpr std::string_view kAuthorshipSet =
    "version = ?, reason = ?, updated_by = ?, updated_host = ?, updated_at = ?, request_uuid = ?";

/// The one way in which a versioned row is written: all in one transaction, against the version
/// that the writer saw, once per request. `expectedVersion` 0 means that there is no row yet.
template <class Row, class Read, class WriteRow>
Result<Write<Row>> writeVersioned(
    SqlConnection& db,
    std::string_view table,
    const std::string& key,
    std::int64_t expectedVersion,
    const Authorship& by,
    const Read& read,
    const WriteRow& write)
{
    Result<Transaction> transaction = Transaction::begin(db, table);
    if (!transaction) return tl::unexpected(transaction.error());
    MaybeRow<Row> before = read();
    if (!before) return tl::unexpected(before.error());
    const Result<bool> repeated = isRepeated(db, by, table, key);
    if (!repeated) return tl::unexpected(repeated.error());
    if (*repeated) return Write<Row>{WriteOutcome::Repeated, std::move(*before)};
    const std::int64_t version = *before ? (*before)->version : 0;
    if (version != expectedVersion) return Write<Row>{WriteOutcome::Conflict, std::move(*before)};
    if (const Status<> written = write(); !written) return tl::unexpected(written.error());
    MaybeRow<Row> after = read();
    if (!after) return tl::unexpected(after.error());
    if (const Status<> done = transaction->commit(); !done) return tl::unexpected(done.error());
    return Write<Row>{WriteOutcome::Written, std::move(*after)};
}

} // namespace weir::store
