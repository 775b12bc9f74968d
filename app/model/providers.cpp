// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/providers.h"

#include "app/model/drill_texts.h"
#include "app/model/format.h"

#include <algorithm>
#include <cmath>

namespace weir::model {
namespace {

using Kind = PanelState::Kind;

constexpr Duration kAskEvery = std::chrono::seconds{30};
constexpr Duration kRetryEvery = std::chrono::seconds{10};

std::vector<GridColumn> routeColumns()
{
    const auto text = [](const char* title, int width) {
        return GridColumn{QString::fromUtf8(title), {}, width, false, false};
    };
    const auto number = [](const char* title, int width, const char* tip) {
        return GridColumn{QString::fromUtf8(title), QString::fromUtf8(tip), width, true, false};
    };
    return {
        text("Provider", 120),
        text("State", 140),
        number("Score", 70, "1 is the best of the pool; the rank behind it"),
        number("Share", 70, "of the model's attempts of the last minute"),
        number("Req/s", 65, "attempts of the last minute"),
        number("Permitted", 90, "requests a second that the gate lets through"),
        text("Breaker", 85),
        number("TTFT p50", 80, "time to first token over the last minute"),
        number("Errors", 70, "neither served nor neutral, of the last minute's attempts"),
        number("Hit rate", 75, "share of the input read from the cache, as priced with"),
        number("In / out", 105, "price card, dollars per million tokens"),
        number(
            "Failover",
            80,
            "what a full failover needs, against what the others are known to bear")};
}

GridCell failoverCell(const ModelStatus& model, const std::string& provider)
{
    const auto found = std::ranges::find(model.failover, provider, &FailoverStatus::provider);
    GridCell cell{.text = unknown()};
    cell.tip = failoverFact(model, provider).value;
    if (found == model.failover.end() || !found->ratio) return cell;
    cell.text = QString::number(*found->ratio, 'f', 1) + QChar(0x00D7);
    if (*found->ratio > 1.0) {
        cell.tone = Tone::Warning;
        cell.glyph = Glyph::Warning;
    }
    return cell;
}

QString wordOf(const std::optional<std::string>& word)
{
    return word ? plain(*word).replace(QChar('_'), QChar(' ')) : unknown();
}

} // namespace

Providers::Providers(Console& console, QObject* parent)
    : QObject(parent)
    , m_console(console)
    , m_routes(routeColumns())
    , m_drills(drillColumns())
    , m_reportRows(reportColumns())
    , m_known(console.archive(), console.clock(), [this] { emit changed(); })
    , m_report(console.archive(), console.clock(), [this] { emit changed(); })
{
}

void Providers::read()
{
    m_askedModel = m_console.models().selected().toStdString();
    m_askedAt = m_console.now();
    if (m_askedModel.empty()) return;
    m_known.ask([model = m_askedModel, now = m_askedAt](store::Database& database) {
        return readKnowledge(database, model, now);
    });
    if (!m_reportId.isEmpty()) readReport();
}

void Providers::refresh()
{
    const bool isOther = m_askedModel != m_console.models().selected().toStdString();
    const Duration every = m_known.error() ? kRetryEvery : kAskEvery;
    const bool isOld = m_console.now() - m_askedAt >= every && !m_known.isAsking();
    if (isOther || isOld) read();
    std::vector<GridRow> rows;
    if (const ModelStatus* const shown = model()) {
        for (const RouteStatus& route : shown->routes)
            rows.push_back(rowOf(route));
    }
    m_routes.apply(std::move(rows));
    const ProviderKnowledge* const stored = known();
    m_drills.apply(
        stored == nullptr ? std::vector<GridRow>{} : drillRows(stored->drills, m_console.now()));
    const Report* const report = m_report.value();
    m_reportRows.apply(report == nullptr ? std::vector<GridRow>{} : reportRows(report->counted));
    annotate();
}

void Providers::choose(const QString& provider)
{
    m_chosen = provider.toStdString();
    annotate();
}

const ModelStatus* Providers::model() const
{
    return m_console.models().current();
}

const RouteStatus* Providers::route() const
{
    const ModelStatus* const shown = model();
    if (shown == nullptr || shown->routes.empty()) return nullptr;
    const auto found = std::ranges::find_if(shown->routes, [this](const RouteStatus& each) {
        return plain(each.provider).toStdString() == m_chosen;
    });
    return found == shown->routes.end() ? &shown->routes.front() : &*found;
}

QString Providers::chosen() const
{
    const RouteStatus* const shown = route();
    return shown == nullptr ? QString() : plain(shown->provider);
}

const ProviderKnowledge* Providers::known() const
{
    const ProviderKnowledge* const value = m_known.value();
    const bool isOfModel =
        value != nullptr && value->model == m_console.models().selected().toStdString();
    return isOfModel ? value : nullptr;
}

RouteScene Providers::sceneOf(const RouteStatus& route) const
{
    const UtcTime now = m_console.now();
    return {
        m_console.status(),
        model(),
        &route,
        known(),
        &m_console.models().history(),
        m_console.window().span(now),
        now};
}

GridRow Providers::rowOf(const RouteStatus& route) const
{
    const ProviderState state = fullState(sceneOf(route));
    const auto& names = m_console.models().history().providers();
    const auto place = std::ranges::find(names, route.provider) - names.begin();
    const ProviderKnowledge* const stored = known();
    const RouteFigures* const figures =
        stored == nullptr ? nullptr : stored->figures(route.provider);
    QString score = rate(route.score);
    if (route.rank) score += QStringLiteral(" #%1").arg(*route.rank);
    QString prices = unknown();
    if (route.config && route.config->price) {
        prices = priceText(route.config->price->input) + QStringLiteral(" / ") +
                 priceText(route.config->price->output);
    }
    std::optional<double> hit;
    if (figures != nullptr) hit = static_cast<double>(figures->hit.usedPpm) / 1e6;
    GridRow row{plain(route.provider), {}};
    row.cells = {
        {.text = row.key, .colour = static_cast<int>(place), .tip = plain(route.route)},
        {.text = state.word,
         .tone = state.tone,
         .glyph = state.glyph,
         .tip = state.reasons.join(QChar('\n'))},
        {.text = score},
        {.text = percent(route.share1m)},
        {.text = rate(route.rps1m)},
        {.text = rate(route.permittedRps)},
        {.text = wordOf(route.breaker)},
        {.text = secondsFromMs(route.ttftMs.p50)},
        {.text = percent(route.errorRate1m), .tip = outcomesText(route)},
        {.text = percent(hit)},
        {.text = prices},
        failoverCell(*model(), route.provider)};
    return row;
}

std::vector<RouteFactGroup> Providers::facts() const
{
    const RouteStatus* const shown = route();
    return shown == nullptr ? std::vector<RouteFactGroup>{} : routeFacts(sceneOf(*shown));
}

PanelState Providers::storePanel() const
{
    PanelState state = m_known.panel();
    // What was read is another model's.
    if (state.kind == Kind::Live && known() == nullptr) state.kind = Kind::Loading;
    return state;
}

PanelState Providers::ratePanel() const
{
    PanelState state = m_console.panel();
    const RouteStatus* const shown = route();
    if (state.kind != Kind::Live || shown == nullptr) return state;
    const History& history = m_console.models().history();
    const auto place = std::ranges::find(history.providers(), shown->provider);
    if (place == history.providers().end()) return state;
    const Span range = m_console.window().span(m_console.now());
    const auto column = history.column(
        static_cast<std::size_t>(place - history.providers().begin()), Quantity::PermittedRps);
    const auto first = std::ranges::lower_bound(column.times, range.from) - column.times.begin();
    const auto inView = column.values.subspan(static_cast<std::size_t>(first));
    if (std::ranges::any_of(inView, [](double value) { return std::isfinite(value); }))
        return state;
    return {
        Kind::Empty,
        QStringLiteral("No permitted rate was seen: the gate tells one once it has sent requests, "
                       "and the console remembers it while it runs."),
        std::nullopt};
}

ChartFeed Providers::rateFeed()
{
    ChartFeed feed = m_console.chartFeed();
    feed.panel = [this] { return ratePanel(); };
    feed.annotations = [this]() -> const std::vector<Annotation>& { return m_annotations; };
    return feed;
}

void Providers::annotate()
{
    m_annotations = m_console.annotations();
    const RouteStatus* const shown = route();
    if (shown == nullptr) return;
    const UtcTime now = m_console.now();
    const auto cuts =
        cutsOf(m_console.models().history(), shown->provider, m_console.window().span(now));
    for (const RateCut& cut : cuts)
        m_annotations.push_back({cut.time, Glyph::TriangleDown, QStringLiteral("cut")});
    if (const ProviderKnowledge* const stored = known()) {
        for (const store::StoredDrill& each : stored->drills) {
            if (each.drill.provider != shown->provider) continue;
            m_annotations.push_back(
                {epochMs(each.drill.startsAt), Glyph::Bars, QStringLiteral("drill")});
        }
    }
    std::ranges::stable_sort(m_annotations, {}, &Annotation::time);
}

void Providers::openDrill(const QString& id)
{
    m_reportId = id;
    m_report.clear();
    readReport();
    emit changed();
}

void Providers::closeDrill()
{
    m_reportId.clear();
    m_report.clear();
    emit changed();
}

void Providers::readReport()
{
    m_report.ask(
        [id = m_reportId.toStdString(),
         now = m_console.now()](store::Database& database) -> Result<Report> {
            auto row = database.drill(id);
            if (!row) return tl::unexpected(row.error());
            if (!*row) return fail("no_drill", id, "no drill has this id");
            auto counted = reports::drillReport(database, **row, now);
            if (!counted) return tl::unexpected(counted.error());
            return Report{std::move(**row), std::move(*counted)};
        });
}

PanelState Providers::reportPanel() const
{
    return m_report.panel();
}

QString Providers::reportTitle() const
{
    const Report* const report = m_report.value();
    if (report == nullptr) return QStringLiteral("Drill ") + m_reportId;
    return QStringLiteral("Drill ") + m_reportId + QStringLiteral(": ") +
           drillEffect(report->drill.drill);
}

QStringList Providers::reportText() const
{
    const Report* const report = m_report.value();
    if (report == nullptr) return {};
    return reportLines(report->counted, report->drill, m_console.now());
}

const Drill* Providers::runningDrill(const QString& id) const
{
    const ProviderKnowledge* const stored = known();
    if (stored == nullptr) return nullptr;
    for (const store::StoredDrill& each : stored->drills) {
        if (plain(each.drill.id) != id) continue;
        const bool isOver = each.drill.endedAt || each.drill.endsAt <= m_console.now();
        return isOver ? nullptr : &each.drill;
    }
    return nullptr;
}

QString Providers::drillsNothing() const
{
    const PanelState state = storePanel();
    if (state.kind == Kind::Error) return state.text;
    if (state.kind == Kind::Loading) return {};
    return QStringLiteral("No drill of this model yet. A drill shows, with a bound and an end, "
                          "whether users notice when a provider fails.");
}

} // namespace weir::model
