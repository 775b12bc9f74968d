// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/settings_preview.h"

#include "app/model/format.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace weir::model {
namespace {

constexpr auto kSpan = std::chrono::hours{24};
/// Fewer first choices before do not tell a starved provider from chance.
constexpr std::int64_t kStarvedLeast = 30;
constexpr std::int64_t kNearLimitPpm = 900'000;
constexpr std::int64_t kFull = 1'000'000;

QString number(std::int64_t value)
{
    return QLocale::c().toString(static_cast<qlonglong>(value));
}

std::optional<double> shareOf(std::int64_t part, std::int64_t whole)
{
    if (whole == 0) return std::nullopt;
    return static_cast<double>(part) / static_cast<double>(whole);
}

/// "+0.4", "−3.1", "±0.0".
QString signedText(double value, int decimals)
{
    const QString digits = QString::number(std::abs(value), 'f', decimals);
    const bool isZero = digits.toDouble() == 0.0;
    return (isZero        ? QStringLiteral("±")
            : value < 0.0 ? QStringLiteral("−")
                          : QStringLiteral("+")) +
           digits;
}

QString costText(const reports::Replayed& replayed)
{
    if (replayed.costed == 0 || replayed.costNanoUsd.was == 0) return unknown();
    const auto was = static_cast<double>(replayed.costNanoUsd.was);
    const double part = static_cast<double>(replayed.costNanoUsd.wouldBe) / was - 1.0;
    return signedText(part * 100.0, 1) + QStringLiteral(" %");
}

QString ttftText(const reports::Replayed& replayed)
{
    if (replayed.timed == 0) return unknown();
    const auto more = static_cast<double>(replayed.ttftUs.wouldBe - replayed.ttftUs.was);
    return signedText(more / 1e6 / static_cast<double>(replayed.timed), 2) + QStringLiteral(" s");
}

QString arrow(const std::optional<double>& was, const std::optional<double>& wouldBe)
{
    return percent(was) + QStringLiteral(" → ") + percent(wouldBe);
}

bool isOf(const reports::Change& change, std::string_view field)
{
    return reports::isRouteKey(change.key) && change.key.ends_with(field);
}

} // namespace

/// Goes through the jobs of the read lane, one after the other.
struct SettingsPreview::Work
{
    Question question;
    std::unique_ptr<reports::Replayer> replayer;
    std::optional<store::LedgerCursor> after;
};

SettingsPreview::SettingsPreview(Archive* archive, Clock clock, std::function<void()> changed)
    : m_clock(clock)
    , m_changed(std::move(changed))
    , m_asked(std::make_unique<Asked<Slice>>(archive, std::move(clock), [this] { take(); }))
{
}

void SettingsPreview::start(Question question)
{
    m_asked->clear();
    m_question = std::move(question);
    m_work = std::make_shared<Work>();
    m_work->question = *m_question;
    m_state = State::Running;
    m_progress = 0.0;
    m_replayed = {};
    m_loads.clear();
    m_to = m_clock();
    m_from = m_to - kSpan;
    askSlice();
}

void SettingsPreview::drop()
{
    m_asked->clear();
    m_question.reset();
    m_work.reset();
    m_state = State::Nothing;
    m_replayed = {};
    m_loads.clear();
}

void SettingsPreview::retry()
{
    if (m_question) start(*m_question);
}

void SettingsPreview::askSlice()
{
    m_asked->ask([work = m_work, from = m_from](store::Database& database) -> Result<Slice> {
        if (!work->replayer) {
            work->replayer = std::make_unique<reports::Replayer>(
                database, work->question.draft, work->question.base);
        }
        // The archive may have opened the store anew since the slice before.
        work->replayer->use(database);
        const auto page = reports::decidedPage(database, from, work->after);
        if (!page) return tl::unexpected(page.error());
        for (const CallRecord& record : page->rows) {
            if (const Status<> done = work->replayer->visit(record); !done)
                return tl::unexpected(done.error());
        }
        work->after = page->next;
        Slice slice;
        slice.replayed = work->replayer->result();
        slice.loads = work->replayer->loads();
        if (!page->rows.empty()) slice.oldest = page->rows.back().startedAt;
        slice.isLast = !page->next.has_value();
        return slice;
    });
}

void SettingsPreview::take()
{
    if (m_asked->error()) {
        m_state = State::Failed;
        m_changed();
        return;
    }
    const Slice& slice = *m_asked->value();
    m_replayed = slice.replayed;
    m_loads = slice.loads;
    if (slice.oldest) {
        const std::chrono::duration<double> back = m_to - *slice.oldest;
        m_progress = std::clamp(back / std::chrono::duration<double>(kSpan), m_progress, 1.0);
    }
    if (slice.isLast) {
        m_state = State::Done;
        m_progress = 1.0;
        m_work.reset();
    } else {
        askSlice();
    }
    m_changed();
}

QString SettingsPreview::headline() const
{
    const QString decisions = number(m_replayed.decisions);
    if (m_replayed.decisions == 0) {
        return m_state == State::Done ? QStringLiteral("No saved decision in the last 24 h")
                                      : QStringLiteral("Reading the decisions of the last 24 h…");
    }
    const QString share = percent(shareOf(m_replayed.changed, m_replayed.decisions));
    return number(m_replayed.changed) + QStringLiteral(" of ") + decisions +
           QStringLiteral(" decisions differ (") + share + QChar(')');
}

std::vector<std::pair<QString, QString>> SettingsPreview::figures() const
{
    const auto& of = m_replayed;
    if (of.decisions == 0) return {};
    std::vector<std::pair<QString, QString>> figures{
        {QStringLiteral("Leader"),
         of.plans == 0 ? unknown()
                       : QStringLiteral("another in %1 of %2 plans")
                             .arg(number(of.plansChanged), number(of.plans))},
        {QStringLiteral("Estimated cost"), costText(of)},
        {QStringLiteral("Estimated first token"), ttftText(of)},
        {QStringLiteral("Exploration"),
         arrow(
             shareOf(of.explored.was, of.decisions), shareOf(of.explored.wouldBe, of.decisions))}};
    if (of.changedFixed > 0) {
        figures.emplace_back(
            QStringLiteral("In fixed order"),
            number(of.changedFixed) + QStringLiteral(" decisions begin elsewhere"));
    }
    const std::int64_t doubtful = of.unreadable + of.mismatches;
    if (doubtful > 0) {
        figures.emplace_back(
            QStringLiteral("Left in doubt"),
            QStringLiteral("%1 cannot be read, %2 do not reproduce")
                .arg(number(of.unreadable), number(of.mismatches)));
    }
    return figures;
}

std::vector<PreviewFinding> SettingsPreview::findings() const
{
    std::vector<PreviewFinding> bars;
    std::vector<PreviewFinding> warnings;
    if (!m_question || m_state != State::Done) return {};
    const auto& changes = m_question->changes;
    const auto isDisabled = [&](const std::string& provider) {
        return std::ranges::any_of(changes, [&](const reports::Change& change) {
            return isOf(change, "." + provider + ".enabled") && change.after == "false";
        });
    };
    for (const auto& [provider, count] : m_replayed.first) {
        const QString before = percent(shareOf(count.was, m_replayed.decisions));
        if (isDisabled(provider) && count.was > count.wouldBe) {
            warnings.push_back(
                {Tone::Warning,
                 plain(provider) + QStringLiteral(" is drained: its ") + before +
                     QStringLiteral(" goes elsewhere."),
                 false});
        } else if (count.was >= kStarvedLeast && count.wouldBe == 0 && provider != "none") {
            bars.push_back(
                {Tone::Critical,
                 plain(provider) + QStringLiteral(" would get nothing any more (") + before +
                     QStringLiteral(" now). To take it out, disable it."),
                 true});
        }
        if (provider == "none" && count.wouldBe > count.was) {
            bars.push_back(
                {Tone::Critical,
                 number(count.wouldBe - count.was) +
                     QStringLiteral(" requests would find no route at all."),
                 true});
        }
    }
    for (const reports::RouteLoad& load : m_loads) {
        if (load.ppm.wouldBe <= kNearLimitPpm || load.ppm.wouldBe <= load.ppm.was) continue;
        const bool isOver = load.ppm.wouldBe > kFull;
        const QString text = plain(load.provider) + QStringLiteral(" reaches ") +
                             percent(static_cast<double>(load.ppm.wouldBe) / 1e6) +
                             QStringLiteral(" of what it is known to bear (") +
                             percent(static_cast<double>(load.ppm.was) / 1e6) +
                             QStringLiteral(" now).");
        (isOver ? bars : warnings)
            .push_back({isOver ? Tone::Critical : Tone::Warning, text, isOver});
    }
    for (const reports::Change& change : changes) {
        const bool isUnseen = change.key == "pin_seconds" || change.key == "max_premium";
        if (!isUnseen) continue;
        warnings.push_back(
            {Tone::Neutral,
             plain(change.key) +
                 QStringLiteral(" does not show here: saved decisions keep the pins they had."),
             false});
    }
    bars.insert(bars.end(), warnings.begin(), warnings.end());
    return bars;
}

std::vector<GridColumn> SettingsPreview::columns()
{
    return {
        {QStringLiteral("First choice"), QString(), 110, false, false},
        {QStringLiteral("Now"), QStringLiteral("With the settings that stand"), 78, true, false},
        {QStringLiteral("Draft"), QStringLiteral("With the draft"), 78, true, false},
        {QStringLiteral("Change"), QStringLiteral("In percentage points"), 88, true, false},
        {QStringLiteral("Peak load"),
         QStringLiteral("The most in one summary's time, of what the route is known to bear"),
         90,
         true,
         false}};
}

std::vector<GridRow> SettingsPreview::rows() const
{
    std::vector<GridRow> rows;
    for (const auto& [provider, count] : m_replayed.first) {
        const auto was = shareOf(count.was, m_replayed.decisions);
        const auto wouldBe = shareOf(count.wouldBe, m_replayed.decisions);
        if (!was || !wouldBe) continue;
        std::optional<std::int64_t> load;
        for (const reports::RouteLoad& of : m_loads) {
            if (of.provider == provider) load = std::max(load.value_or(0), of.ppm.wouldBe);
        }
        GridCell bearing = GridCell{load ? percent(static_cast<double>(*load) / 1e6) : unknown()};
        if (!load) bearing.tip = QStringLiteral("No limit of this route was ever met.");
        if (load && *load > kFull) bearing.tone = Tone::Critical;
        GridRow row;
        row.key = QString::fromStdString(provider);
        row.cells = {
            GridCell{plain(provider)},
            GridCell{percent(was)},
            GridCell{percent(wouldBe)},
            GridCell{signedText((*wouldBe - *was) * 100.0, 1) + QStringLiteral(" pp")},
            bearing};
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace weir::model
