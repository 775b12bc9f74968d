// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg_error.h"

#include "agent/store/migrations.h"
#include "common/base/text.h"

#include <libpq-fe.h>

#include <algorithm>
#include <array>

namespace weir::store {
namespace {

constexpr std::size_t kDetailMax = 500;

struct Meaning
{
    /// A class of states, or a whole one.
    std::string_view state;
    std::string_view code;
};

/// PostgreSQL's appendix A; the first that fits counts.
constexpr auto kMeanings = std::to_array<Meaning>({
    {"40", "busy"},           // serialization failure, deadlock
    {"55P03", "busy"},        // lock not available
    {"57014", "busy"},        // cancelled: it took too long
    {"53300", "unreachable"}, // too many connections
    {"53", "store_full"},     // disk, memory
    {"54", "store_full"},     // a limit of the program
    {"22", "refused"},        // no such number, no JSON
    {"23", "refused"},        // constraints, and the rules of the triggers
    {"P0001", "refused"},     // raised by a function
    {"25006", "read_only"},
    {"42501", "forbidden"},
    {"28", "forbidden"}, // who are you
    {"08", "unreachable"},
    {"57P", "unreachable"}, // shutting down, starting up
    {"3D000", "store_missing"},
});

std::string field(const pg_result* result, int which)
{
    const char* const text = PQresultErrorField(result, which);
    return text == nullptr ? std::string{} : std::string{text};
}

bool has(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// A partition has its table's constraints by the same names.
bool isWeirs(const std::string& constraint)
{
    if (constraint.empty()) return false;
    const std::string made = "CONSTRAINT " + constraint + ' ';
    return std::ranges::any_of(
        postgresMigrations(), [&made](const Migration& each) { return has(each.sql, made); });
}

} // namespace

std::string_view codeOf(std::string_view sqlState)
{
    for (const Meaning& meaning : kMeanings) {
        if (sqlState.starts_with(meaning.state)) return meaning.code;
    }
    return "store";
}

Error errorOf(const pg_result* result, const std::string& place)
{
    const std::string state = field(result, PG_DIAG_SQLSTATE);
    // Not the DETAIL: it shows the row.
    std::string detail = cleaned(field(result, PG_DIAG_MESSAGE_PRIMARY), kDetailMax);
    const std::string hint = cleaned(field(result, PG_DIAG_MESSAGE_HINT), kDetailMax);
    if (detail.empty()) detail = cleaned(PQresultErrorMessage(result), kDetailMax);
    if (!hint.empty()) detail += " (" + hint + ')';
    if (!state.empty()) detail += " [" + state + ']';
    return {std::string{codeOf(state)}, place, std::move(detail)};
}

Error copyErrorOf(const pg_result* result, const std::string& place)
{
    Error error = errorOf(result, place);
    if (error.code != "refused") return error;
    const std::string state = field(result, PG_DIAG_SQLSTATE);
    const bool isEncoding = state == "22021" || state == "22P05";
    if (state == "23505") {
        error.code = "repeated";
    } else if (!isEncoding && !isWeirs(field(result, PG_DIAG_CONSTRAINT_NAME))) {
        error.code = "store";
        error.detail += ": not a rule of Weir's; no row goes in until it is gone";
    }
    return error;
}

Error errorOf(const pg_conn* connection, const std::string& place)
{
    // The first line; those behind it guess. A failed log-in has no SQLSTATE that could be asked
    // for.
    std::string_view said = PQerrorMessage(connection);
    said = said.substr(0, said.find('\n'));
    std::string code = "unreachable";
    if (PQconnectionNeedsPassword(connection) != 0 || has(said, "authentication failed") ||
        has(said, "no pg_hba.conf entry") || has(said, "FATAL:  role ") ||
        has(said, "is not permitted to log in")) {
        code = "forbidden";
    } else if (has(said, "FATAL:  database ") && has(said, " does not exist")) {
        code = "store_missing";
    }
    std::string detail = cleaned(said, kDetailMax);
    if (detail.empty()) detail = "the connection was lost";
    return {std::move(code), place, std::move(detail)};
}

} // namespace weir::store
