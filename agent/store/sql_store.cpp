// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_store.h"

#include <utility>

namespace weir::store {

SqlStore::SqlStore(std::unique_ptr<SqlConnection> connection)
    : m_connection(std::move(connection))
    , m_db(*m_connection)
{
}

} // namespace weir::store
