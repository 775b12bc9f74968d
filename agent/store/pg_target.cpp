// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg_target.h"

#include "common/base/text.h"

#include <libpq-fe.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace weir::store {
namespace {

tl::unexpected<Error> badUrl()
{
    // What libpq says of a bad URL may quote it, password and all.
    return fail(
        "bad_store_url",
        "store.url",
        "is no valid postgresql://user:password@host:port/database?sslmode=… URL: an option may be "
        "unknown, or a character of user or password must be written as %XX");
}

/// A password with one of the URL's own characters in it is read as parts of a place, which would
/// be shown: they do not look like any.
bool isPlace(const std::string& url, std::string_view host, std::string_view port)
{
    const std::size_t authority = url.find("://") + 3;
    const std::size_t path = std::min(url.find_first_of("/?", authority), url.size());
    return host.find('@') == std::string_view::npos &&
           port.find_first_not_of(":0123456789,") == std::string_view::npos &&
           url.find('@', path) == std::string::npos;
}

} // namespace

Result<PgTarget>
pgTarget(const std::string& url, std::string application, std::chrono::milliseconds deadline)
{
    const std::unique_ptr<PQconninfoOption, decltype(&::PQconninfoFree)> options(
        PQconninfoParse(url.c_str(), nullptr), &::PQconninfoFree);
    if (!options) return badUrl();
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
    if (!isPlace(url, host, port)) return badUrl();
    PgTarget target;
    target.url = Secret{url};
    target.place = "postgresql://" + user + host + port + database;
    target.application = std::move(application);
    target.deadline = deadline;
    return target;
}

} // namespace weir::store
