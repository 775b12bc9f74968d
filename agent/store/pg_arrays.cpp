// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg_arrays.h"

namespace weir::store {

std::string& PgArrays::nextCell()
{
    if (m_next == m_columns.size()) m_columns.emplace_back();
    std::string& column = m_columns[m_next++];
    column.push_back(column.empty() ? '{' : ',');
    return column;
}

PgArrays& PgArrays::bind(std::string_view text)
{
    std::string& column = nextCell();
    column.push_back('"');
    for (const char c : text) {
        if (c == '"' || c == '\\') column.push_back('\\');
        column.push_back(c);
    }
    column.push_back('"');
    return *this;
}

PgArrays& PgArrays::bind(std::int64_t value)
{
    nextCell() += std::to_string(value);
    return *this;
}

void PgArrays::endRow()
{
    m_next = 0;
}

void PgArrays::bindTo(Statement& statement)
{
    for (std::string& column : m_columns) {
        if (column.back() != '}') column.push_back('}');
        statement.bind(column);
    }
}

} // namespace weir::store
