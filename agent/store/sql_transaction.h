// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/sql.h"

namespace weir::store {

/// Rolls back unless committed. In SQLite it is the only one that writes at all; in Postgres the
/// only one that writes to its table, where it has one, whoever the others are.
class Transaction final
{
public:
    [[nodiscard]] static Result<Transaction> begin(SqlConnection& db, std::string_view table = {});

    ~Transaction();
    Transaction(Transaction&& other) noexcept;
    Transaction& operator=(Transaction&&) = delete;

    [[nodiscard]] Status<> commit();

private:
    explicit Transaction(SqlConnection& db);

    SqlConnection* m_db;
};

/// Milliseconds since 1970 by the database's own clock, as an expression.
[[nodiscard]] std::string_view clockMs(Dialect dialect);

} // namespace weir::store
