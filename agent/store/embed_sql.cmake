# SPDX-License-Identifier: Apache-2.0
# Writes a .cpp with the migrations in it, behind a function of the name:
# cmake -DOUT=x.cpp -DNAME=sqliteMigrations -DFILES=a.sql,b.sql -P embed_sql.cmake
string(REPLACE "," ";" files "${FILES}")
set(entries "")
foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME_WE)
    file(READ "${file}" sql)
    string(APPEND entries "    {\"${name}\", R\"weirsql(${sql})weirsql\"},\n")
endforeach()
file(WRITE "${OUT}"
"// SPDX-License-Identifier: Apache-2.0
// Generated from resources/sql.
#include \"agent/store/migrations.h\"

#include <array>

namespace weir::store {
namespace {

constexpr auto kMigrations = std::to_array<Migration>({
${entries}});

} // namespace

std::span<const Migration> ${NAME}()
{
    return kMigrations;
}

} // namespace weir::store
")
