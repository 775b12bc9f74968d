// SPDX-License-Identifier: Apache-2.0
#include "agent/store/ledger_row.h"
#include "agent/store/sql_ledger.h"
#include "agent/store/sql_store.h"

#include <map>
#include <tuple>
#include <utility>

namespace weir::store {
namespace {

std::string sumColumns()
{
    std::string list;
    for (const std::string& column : historySumColumns())
        list.append(", ").append(column);
    return list;
}

/// Starts of steps, providers, histograms and sums. A server adds up what belongs to a point, for a
/// fleet has many rows a step; histograms in a row are their sum.
std::string pointsSql(Dialect dialect, std::string_view table)
{
    if (dialect == Dialect::Sqlite) {
        return "SELECT started_at_ms / ? * ?, provider, ttft_us, milli_tps" + sumColumns() +
               " FROM " + std::string{table} + " WHERE started_at_ms >= ? AND started_at_ms < ?";
    }
    std::string sql = "SELECT started_at_ms / ?::bigint * ?::bigint, provider";
    for (const std::string_view histogram : {"ttft_us", "milli_tps"}) {
        sql.append(", string_agg(").append(histogram).append(", ',') FILTER (WHERE ");
        sql.append(histogram).append(" <> '')");
    }
    for (const std::string& column : historySumColumns())
        sql.append(", sum(").append(column).append(")");
    return sql + " FROM " + std::string{table} + " WHERE started_at_ms >= ? AND started_at_ms < ?";
}

/// In the order of historySumColumns(), from `column` on.
CallSums sumsFrom(const Statement& row, int column)
{
    CallSums sums;
    sums.calls = row.integer(column++);
    for (std::int64_t& count : sums.outcomes)
        count = row.integer(column++);
    column += 3; // explored, pinned, spilled
    for (std::int64_t* sum :
         {&sums.inputUncached,
          &sums.inputCached,
          &sums.cacheWrite,
          &sums.output,
          &sums.reasoning,
          &sums.tokensUnknown,
          &sums.costMicroUsd,
          &sums.costUnknown}) {
        *sum = row.integer(column++);
    }
    return sums;
}

/// A histogram that somebody damaged counts as empty.
Histogram histogramFrom(const Statement& row, int column)
{
    return Histogram::decode(row.text(column)).value_or(Histogram{});
}

} // namespace

Result<std::vector<HistoryPoint>> SqlStore::history(const HistoryQuery& query)
{
    const std::chrono::seconds shortest = historySteps().front().length;
    if (query.step < shortest || query.step % shortest != std::chrono::seconds{0}) {
        return fail("bad_range", "step", "must be a whole multiple of 10 s");
    }
    if (query.to - query.from > query.step * kHistoryPointsMax) {
        return fail(
            "bad_range", "step", "the range holds more than 2000 steps: take a longer step");
    }
    // The longest kept step that fits into the step asked for.
    std::string_view table;
    for (const HistoryStep& step : historySteps()) {
        if (query.step % step.length == std::chrono::seconds{0}) table = step.table;
    }
    // A fleet's months have another one, which the database makes of the ten minutes.
    const bool isLong = query.step % std::chrono::hours{6} == std::chrono::seconds{0};
    if (isLong && m_db.dialect() == Dialect::Postgres) table = "route_6h";
    const std::int64_t length = std::chrono::milliseconds{query.step}.count();
    const std::int64_t first = epochMs(query.from) / length * length;
    std::string sql = pointsSql(m_db.dialect(), table);
    if (!query.model.empty()) sql += " AND model = ?";
    if (m_db.dialect() == Dialect::Postgres) sql += " GROUP BY 1, 2";
    Statement select(m_db, sql, Rows::Streamed);
    select.bind(length).bind(length).bind(first).bind(epochMs(query.to));
    if (!query.model.empty()) select.bind(query.model);
    std::map<std::pair<std::int64_t, std::string>, HistoryPoint> points;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) break;
        HistoryPoint& point = points[{select.integer(0), select.text(1)}];
        point.at = fromEpochMs(select.integer(0));
        point.provider = select.text(1);
        point.ttftUs.merge(histogramFrom(select, 2));
        point.milliTps.merge(histogramFrom(select, 3));
        point.sums.add(sumsFrom(select, 4));
    }
    std::vector<HistoryPoint> result;
    result.reserve(points.size());
    for (auto& [key, point] : points)
        result.push_back(std::move(point));
    return result;
}

Result<std::vector<RouteActivity>> SqlStore::activity(UtcTime from, UtcTime to)
{
    static const std::string kSelect = "SELECT model, provider, ttft_us, milli_tps" + sumColumns() +
                                       " FROM " + std::string{historySteps().front().table} +
                                       " WHERE started_at_ms >= ? AND started_at_ms < ?";
    Statement select(m_db, kSelect);
    select.bind(epochMs(from)).bind(epochMs(to));
    std::map<std::pair<std::string, std::string>, RouteActivity> routes;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) break;
        RouteActivity& route = routes[{select.text(0), select.text(1)}];
        route.ttftUs.merge(histogramFrom(select, 2));
        route.milliTps.merge(histogramFrom(select, 3));
        route.sums.add(sumsFrom(select, 4));
    }
    std::vector<RouteActivity> result;
    for (auto& [key, route] : routes) {
        std::tie(route.model, route.provider) = key;
        result.push_back(std::move(route));
    }
    return result;
}

} // namespace weir::store
