// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/decision_list.h"

#include "app/model/decision_rows.h"
#include "app/model/format.h"

#include <QLocale>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace weir::model {
namespace {

constexpr int kPage = 200;
/// Nobody reads on for so long; a narrower question finds what is older.
constexpr std::size_t kRowsMax = 10'000;
constexpr Duration kTailEvery = std::chrono::seconds{3};

auto orderOf(const store::LedgerCursor& cursor)
{
    return std::tuple(cursor.startedAt, cursor.requestId, cursor.attempt);
}

QString grouped(std::int64_t count)
{
    return QLocale::c().toString(static_cast<qlonglong>(count));
}

/// The filters of a query, each word left out once.
std::vector<std::pair<QString, store::LedgerFilter>>
eachLeftOut(const DecisionQuery& query, const store::LedgerFilter& whole, UtcTime now)
{
    std::vector<std::pair<QString, store::LedgerFilter>> list;
    for (const QString& word : query.words) {
        QStringList rest = query.words;
        rest.removeOne(word);
        const Result<DecisionQuery> other = decisionQuery(joined(rest), now);
        if (!other || other->hasTimes() != query.hasTimes()) continue;
        store::LedgerFilter filter = other->filter;
        filter.from = whole.from;
        filter.to = whole.to;
        list.emplace_back(word, filter);
    }
    return list;
}

Result<std::int64_t> countIn(store::Database& database, const store::LedgerFilter& range)
{
    const auto totals = database.totals(range);
    if (!totals) return tl::unexpected(totals.error());
    std::int64_t count = 0;
    for (const store::ProviderTotals& provider : *totals)
        count += provider.sums.calls;
    return count;
}

Result<bool> findsAny(store::Database& database, const store::LedgerFilter& filter)
{
    store::LedgerQuery query;
    query.filter = filter;
    query.limit = 1;
    const auto page = database.queryLedger(query);
    if (!page) return tl::unexpected(page.error());
    return !page->rows.empty();
}

} // namespace

DecisionList::DecisionList(Console& console, QObject* parent)
    : QObject(parent)
    , m_console(console)
    , m_grid(listColumns())
    , m_asked(console.archive(), console.clock(), [this] { take(); })
    , m_nothing(console.archive(), console.clock(), [this] { explainNothing(); })
{
    connect(&console.window(), &TimeWindow::changed, this, &DecisionList::rangeChanged);
}

void DecisionList::ask(const QString& words)
{
    m_words = words.trimmed();
    const Result<DecisionQuery> query = decisionQuery(m_words, m_console.now());
    m_trouble = query ? QString() : plain(query.error().text());
    if (query) {
        m_query = *query;
        askPage(Kind::First);
    }
    emit changed();
}

void DecisionList::more()
{
    if (m_next && !m_asked.isAsking() && m_rows.size() < kRowsMax) askPage(Kind::More);
}

void DecisionList::tick(bool isTopInView)
{
    const bool isDue = m_console.now() - m_askedAt >= kTailEvery;
    if (!isDue || !isTopInView || !isFollowing() || m_asked.isAsking()) return;
    askPage(m_isComplete ? Kind::Tail : Kind::First);
}

void DecisionList::retry()
{
    askPage(Kind::First);
    emit changed();
}

void DecisionList::rangeChanged()
{
    // Nobody has asked yet, or the window's range is not what was asked for.
    if (m_askedAt == UtcTime{} || m_query.hasTimes() || m_query.isForOne()) return;
    askPage(Kind::First);
}

bool DecisionList::isFollowing() const
{
    return !m_console.window().isPaused() && !m_query.isForOne() && !m_query.filter.to;
}

std::optional<Span> DecisionList::range() const
{
    const store::LedgerFilter asked = filter();
    if (!asked.from) return std::nullopt;
    return Span{epochMs(*asked.from), epochMs(asked.to.value_or(m_console.now()))};
}

store::LedgerFilter DecisionList::filter() const
{
    store::LedgerFilter filter = m_query.filter;
    if (m_query.isForOne() || m_query.hasTimes()) return filter;
    const TimeWindow& window = m_console.window();
    const Span span = window.span(m_console.now());
    filter.from = fromEpochMs(span.from);
    if (window.isPaused()) filter.to = fromEpochMs(span.to + 1);
    return filter;
}

void DecisionList::askPage(Kind kind)
{
    store::LedgerQuery query;
    query.filter = filter();
    query.limit = kPage;
    if (kind == Kind::More) query.after = m_next;
    if (kind == Kind::First) m_nothing.clear();
    m_askedAt = m_console.now();
    m_asked.ask([query, kind](store::Database& database) -> Result<Answer> {
        Result<store::LedgerPage> page = database.queryLedger(query);
        if (!page) return tl::unexpected(page.error());
        return Answer{kind, std::move(*page)};
    });
}

void DecisionList::take()
{
    if (!m_asked.error() && m_asked.value() != nullptr) {
        const Answer& answer = *m_asked.value();
        std::vector<Listed> rows;
        for (const CallRecord& record : answer.page.rows) {
            rows.push_back(
                {{record.startedAt, record.requestId, record.attempt}, listRow(record, m_console)});
        }
        merge(std::move(rows), answer.kind, answer.page.next);
    }
    emit changed();
}

void DecisionList::merge(
    std::vector<Listed> rows, Kind kind, std::optional<store::LedgerCursor> next)
{
    if (kind == Kind::More) {
        m_rows.insert(
            m_rows.end(),
            std::make_move_iterator(rows.begin()),
            std::make_move_iterator(rows.end()));
        m_next = next;
    } else {
        // A row is written when its attempt ends, so new ones may begin before others that are
        // there. What is older than the newest page stays where it joins on to it.
        const auto isOlder = [&rows](const Listed& listed) {
            return orderOf(listed.at) < orderOf(rows.back().at);
        };
        const bool joinsOn =
            kind == Kind::Tail && next && !m_rows.empty() && !isOlder(m_rows.front());
        if (joinsOn) {
            const auto rest = std::ranges::find_if(m_rows, isOlder);
            std::move(rest, m_rows.end(), std::back_inserter(rows));
        } else {
            m_next = next;
        }
        m_rows = std::move(rows);
        if (m_rows.size() > kRowsMax) {
            m_rows.resize(kRowsMax);
            m_next = m_rows.back().at;
        }
    }
    m_isComplete = true;
    m_wayOut.reset();
    m_emptyText.clear();
    apply();
    if (m_rows.empty() && kind == Kind::First) askWhyNothing();
    if (m_rows.empty()) explainNothing();
}

void DecisionList::apply()
{
    std::vector<GridRow> rows;
    rows.reserve(m_rows.size());
    for (const Listed& listed : m_rows)
        rows.push_back(listed.row);
    m_grid.apply(std::move(rows));
}

void DecisionList::askWhyNothing()
{
    if (m_query.isForOne()) return;
    const store::LedgerFilter whole = filter();
    store::LedgerFilter range;
    range.from = whole.from;
    range.to = whole.to;
    const auto others = eachLeftOut(m_query, whole, m_console.now());
    m_nothing.ask([range, others](store::Database& database) -> Result<Nothing> {
        Nothing nothing;
        const Result<std::int64_t> count = countIn(database, range);
        if (!count) return tl::unexpected(count.error());
        nothing.inRange = *count;
        for (const auto& [word, filter] : others) {
            if (nothing.inRange == 0) break;
            const Result<bool> any = findsAny(database, filter);
            if (!any) return tl::unexpected(any.error());
            if (*any) nothing.removers << word;
        }
        return nothing;
    });
}

void DecisionList::explainNothing()
{
    m_wayOut.reset();
    if (m_query.isForOne()) {
        m_emptyText = QStringLiteral(
            "The ledger has no attempt of request %1. It may be running still, have ended without "
            "an attempt, or be older than the ledger keeps.");
        m_emptyText = m_emptyText.arg(plain(m_query.filter.requestId));
        m_wayOut = QString();
        m_wayOutText = QStringLiteral("Show the newest");
    } else if (const Nothing* nothing = m_nothing.value(); nothing == nullptr) {
        m_emptyText = QStringLiteral("No attempt matches");
    } else if (nothing->inRange == 0) {
        m_emptyText = QStringLiteral("No attempt in this stretch of time.");
        QStringList rest;
        for (const QString& word : m_query.words) {
            const QString key = word.section(QChar('='), 0, 0);
            if (key != QStringLiteral("from") && key != QStringLiteral("to") &&
                key != QStringLiteral("since")) {
                rest << word;
            }
        }
        m_wayOut = joined(rest << QStringLiteral("since=7d"));
        m_wayOutText = QStringLiteral("Look at 7 days");
        if (*m_wayOut == m_words) m_wayOut.reset();
    } else {
        m_emptyText =
            QStringLiteral("No attempt matches; %1 in range, ").arg(grouped(nothing->inRange));
        if (nothing->removers.isEmpty()) {
            m_emptyText += QStringLiteral("the filters together remove all");
            m_wayOut = QString();
            m_wayOutText = QStringLiteral("Drop all filters");
        } else {
            const QString word = nothing->removers.front();
            QStringList rest = m_query.words;
            rest.removeOne(word);
            m_emptyText += QStringLiteral("filter %1 removes all").arg(plain(word.toStdString()));
            m_wayOut = joined(rest);
            m_wayOutText = QStringLiteral("Drop ") + plain(word.toStdString());
        }
    }
    emit changed();
}

PanelState DecisionList::panel() const
{
    PanelState state = m_asked.panel();
    if (state.kind == PanelState::Kind::Live && m_rows.empty()) {
        state.kind = PanelState::Kind::Empty;
        state.text = m_emptyText;
    }
    return state;
}

QString DecisionList::status() const
{
    if (m_rows.empty()) return {};
    QString text = counted(static_cast<std::int64_t>(m_rows.size()), QStringLiteral("attempt")) +
                   QStringLiteral(", newest first");
    if (m_rows.size() >= kRowsMax) {
        text += QStringLiteral(" · no more are shown, narrow the query");
    } else if (m_next) {
        text += m_asked.isAsking() ? QStringLiteral(" · reading more")
                                   : QStringLiteral(" · more below");
    }
    if (m_query.isForOne() || m_query.filter.to) return text;
    return text + (isFollowing() ? QStringLiteral(" · following") : QStringLiteral(" · paused"));
}

QueryNames DecisionList::names() const
{
    QueryNames names;
    names.models = m_console.models().names();
    for (const std::string& provider : m_console.models().history().providers())
        names.providers << QString::fromStdString(provider);
    for (const AgentReport& agent : m_console.fleet().agents())
        names.agents << QString::fromStdString(agent.id);
    return names;
}

} // namespace weir::model
