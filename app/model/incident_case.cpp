// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/incident_case.h"

#include "agent/reports/ledger_report.h"
#include "app/model/audit_words.h"
#include "app/model/format.h"
#include "app/model/incident_words.h"

#include <QStringList>

#include <algorithm>
#include <limits>

namespace weir::model {
namespace {

constexpr Ms kMinute = 60'000;
constexpr Ms kHour = 60 * kMinute;
constexpr int kAuditMax = 1000;
constexpr int kOthersMax = 1000;
constexpr int kCallsMax = 20;
constexpr int kDecisionsMax = 10;
constexpr int kPoints = 400;
/// More than these are not counted while somebody waits for the page.
constexpr std::int64_t kReportAttemptsMax = 200'000;

/// What a call of this trouble ended with; nothing where every call shows it.
std::optional<Outcome> outcomeOf(IncidentKind kind)
{
    switch (kind) {
    case IncidentKind::RateLimitBurst:
    case IncidentKind::UnloadedRateLimit:
        return Outcome::RateLimited;
    case IncidentKind::CreditExhausted:
        return Outcome::NoCredit;
    case IncidentKind::Auth:
        return Outcome::Auth;
    case IncidentKind::Outage:
    case IncidentKind::PartialErrors:
        return Outcome::ServerError;
    default:
        return std::nullopt;
    }
}

Status<> readAudit(store::Database& db, IncidentCase& known)
{
    const Span span = known.past.span;
    auto entries = db.auditBetween(span.from, span.to, kAuditMax);
    if (!entries) return tl::unexpected(entries.error());
    auto later = db.auditBetween(span.to, std::numeric_limits<Ms>::max(), kAuditMax);
    if (!later) return tl::unexpected(later.error());
    for (auto* some : {&*later, &*entries}) {
        for (AuditEntry& entry : *some) {
            const bool isNote = entry.table == "incident_note";
            if (isNote && incidentOf(entry) != known.incident.id) continue;
            if (isNote || some == &*entries) known.audit.push_back(std::move(entry));
        }
    }
    std::ranges::reverse(known.audit);
    return {};
}

Status<> readCalls(store::Database& db, IncidentCase& known)
{
    const Incident& incident = known.incident;
    if (incident.model.empty() && incident.provider.empty()) return {};
    store::LedgerQuery query;
    query.filter.from = fromEpochMs(incident.onsetMs);
    query.filter.to = fromEpochMs(incident.endMs.value_or(known.past.span.to) + kMinute);
    query.filter.model = incident.model;
    query.filter.provider = incident.provider;
    query.filter.taskType = incident.taskType;
    query.filter.outcome = outcomeOf(incident.kind);
    query.limit = kCallsMax;
    auto page = db.queryLedger(query);
    if (!page) return tl::unexpected(page.error());
    known.calls = std::move(page->rows);
    std::ranges::reverse(known.calls);
    return {};
}

Status<> readDecisions(store::Database& db, IncidentCase& known)
{
    for (const IncidentEvent& event : known.incident.events) {
        const bool isChange = event.kind == "leader_change" || event.kind == "leader_return";
        if (!isChange || known.decisions.size() >= kDecisionsMax) continue;
        store::LedgerQuery query;
        query.filter.from = fromEpochMs(event.atMs);
        query.filter.to = fromEpochMs(event.atMs + kMinute);
        query.filter.model = known.incident.model;
        query.filter.taskType = known.incident.taskType;
        query.filter.decided = true;
        query.limit = 1;
        const auto page = db.queryLedger(query);
        if (!page) return tl::unexpected(page.error());
        if (!page->rows.empty()) known.decisions[event.atMs] = page->rows.front().requestId;
    }
    return {};
}

Status<> readReport(store::Database& db, IncidentCase& known, UtcTime now)
{
    const Ms end = known.incident.endMs.value_or(known.past.span.to);
    const Span span{known.incident.onsetMs, std::max(end, known.incident.onsetMs + 1)};
    const auto all = readPast(db, {}, span, now, kPoints);
    if (!all) return tl::unexpected(all.error());
    std::int64_t attempts = 0;
    for (const RouteSlice& slice : all->slices)
        attempts += slice.attempts;
    if (attempts == 0 || attempts > kReportAttemptsMax) return {};
    const auto report = reports::ledgerReport(db, {span.from, span.to, {}}, nullptr);
    if (!report) return tl::unexpected(report.error());
    known.report = report->degradation;
    for (const routing::LadderMinute& minute : report->minutes) {
        if (const auto level = minute.mode()) known.levels.emplace_back(minute.startMs, *level);
    }
    return {};
}

} // namespace

Span spanAround(const Incident& incident, UtcTime now)
{
    const Ms end = incident.endMs.value_or(epochMs(now));
    const Ms margin = std::clamp((end - incident.onsetMs) / 4, 10 * kMinute, 6 * kHour);
    return {incident.onsetMs - margin, std::min(end + margin, epochMs(now))};
}

Result<std::optional<IncidentCase>>
readCase(store::Database& db, const std::string& id, UtcTime now)
{
    auto incident = db.incident(id);
    if (!incident) return tl::unexpected(incident.error());
    if (!*incident) return std::nullopt;
    IncidentCase known;
    known.incident = std::move(**incident);
    const Span span = spanAround(known.incident, now);
    auto others = db.incidents({span.from, false, kOthersMax});
    if (!others) return tl::unexpected(others.error());
    std::erase_if(*others, [&](const Incident& each) { return each.onsetMs > span.to; });
    known.others = std::move(*others);
    auto notes = db.notes(id);
    if (!notes) return tl::unexpected(notes.error());
    known.notes = std::move(*notes);
    auto past = readPast(db, known.incident.model, span, now, kPoints);
    if (!past) return tl::unexpected(past.error());
    known.past = std::move(*past);
    if (Status<> read = readAudit(db, known); !read) return tl::unexpected(read.error());
    if (Status<> read = readCalls(db, known); !read) return tl::unexpected(read.error());
    if (Status<> read = readDecisions(db, known); !read) return tl::unexpected(read.error());
    if (Status<> read = readReport(db, known, now); !read) return tl::unexpected(read.error());
    return known;
}

Measured measuredIn(const Past& past, const std::string& provider, Span span)
{
    Measured sum;
    for (const RouteSlice& slice : past.slices) {
        const Ms from = epochMs(slice.start);
        if (from + past.step <= span.from || from >= span.to) continue;
        sum.all += slice.attempts;
        if (slice.provider != provider) continue;
        sum.attempts += slice.attempts;
        sum.failures += slice.failures;
        sum.rateLimited += slice.rateLimited;
        sum.ttftUs.merge(slice.ttftUs);
    }
    return sum;
}

namespace {

std::optional<double> part(std::int64_t some, std::int64_t all)
{
    if (all <= 0) return std::nullopt;
    return static_cast<double>(some) / static_cast<double>(all);
}

QString ttftText(const Measured& measured)
{
    const auto p50 = measured.ttftUs.quantile(0.5);
    return p50 ? seconds(static_cast<double>(*p50) / 1e6) : unknown();
}

} // namespace

std::vector<std::pair<QString, QString>> impactOf(const IncidentCase& known)
{
    std::vector<std::pair<QString, QString>> rows;
    const Incident& incident = known.incident;
    const Ms end = incident.endMs.value_or(known.past.span.to);
    if (!incident.provider.empty()) {
        const Measured before =
            measuredIn(known.past, incident.provider, {known.past.span.from, incident.onsetMs});
        const Measured during = measuredIn(known.past, incident.provider, {incident.onsetMs, end});
        const auto change = [&rows](const char* name, const QString& was, const QString& is) {
            rows.emplace_back(QString::fromLatin1(name), was + QStringLiteral(" to ") + is);
        };
        change(
            "Traffic share",
            percent(part(before.attempts, before.all)),
            percent(part(during.attempts, during.all)));
        change("TTFT p50", ttftText(before), ttftText(during));
        change(
            "429 share",
            percent(part(before.rateLimited, before.attempts)),
            percent(part(during.rateLimited, during.attempts)));
        change(
            "Failed attempts",
            percent(part(before.failures, before.attempts)),
            percent(part(during.failures, during.attempts)));
    }
    if (!known.report) return rows;
    const DegradationReport& report = *known.report;
    QStringList levels;
    for (std::size_t level = 0; level < kLevelCount; ++level) {
        const auto& each = report.levels[level];
        if (each.requests == 0) continue;
        levels << QStringLiteral("L%1 %2 in %3")
                      .arg(level)
                      .arg(percent(report.shareOf(each.requests)), spanText(each.seconds * 1000));
    }
    if (!levels.isEmpty())
        rows.emplace_back(QStringLiteral("Levels"), levels.join(QStringLiteral(", ")));
    rows.emplace_back(
        QStringLiteral("Residency broken"),
        countText(static_cast<std::int64_t>(report.residencyViolations)));
    return rows;
}

} // namespace weir::model
