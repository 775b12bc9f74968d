// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg_target.h"

#include "common/base/text.h"

#include <libpq-fe.h>

#include <memory>
#include <string_view>

namespace weir::store {

Result<PgTarget>
pgTarget(const std::string& url, std::string application, std::chrono::milliseconds deadline)
{
    // What libpq says of a bad URL may quote it, password and all.
    const std::unique_ptr<PQconninfoOption, decltype(&::PQconninfoFree)> options(
        PQconninfoParse(url.c_str(), nullptr), &::PQconninfoFree);
    if (!options) {
        return fail(
            "bad_store_url",
            "store.url",
            "is no valid postgresql://user:password@host:port/database?sslmode=… URL: an option "
            "may "
            "be unknown, or a character of user or password must be written as %XX");
    }
    std::string user;
    std::string host;
    std::string port;
    std::string database;
    for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
        if (option->val == nullptr) continue;
        const std::string_view keyword = option->keyword;
        if (keyword == "user") user = cleaned(option->val) + '@';
        if (keyword == "host") host = cleaned(option->val);
        if (keyword == "port") port = ':' + cleaned(option->val);
        if (keyword == "dbname") database = '/' + cleaned(option->val);
    }
    PgTarget target;
    target.url = Secret{url};
    target.place = "postgresql://" + user + host + port + database;
    target.application = std::move(application);
    target.deadline = deadline;
    return target;
}

} // namespace weir::store
