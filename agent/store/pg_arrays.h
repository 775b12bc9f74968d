// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/sql.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::store {

/// Rows as one array a column, for unnest(): however many rows there are, the statement and the
/// number of its values stay the same. Takes cells row by row, as a Statement would.
class PgArrays final
{
public:
    PgArrays& bind(std::string_view text);
    PgArrays& bind(std::int64_t value);
    void endRow();

    /// The arrays, in the order of columns; the rows are complete then.
    void bindTo(Statement& statement);

private:
    std::string& nextCell();

    std::vector<std::string> m_columns;
    std::size_t m_next = 0;
};

} // namespace weir::store
