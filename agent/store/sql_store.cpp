// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_store.h"

#include <utility>

namespace weir::store {

SqlStore::SqlStore(std::unique_ptr<SqlConnection> connection, std::unique_ptr<LedgerSink> sink)
    : m_connection(std::move(connection))
    , m_db(*m_connection)
    , m_sink(std::move(sink))
{
}

} // namespace weir::store
