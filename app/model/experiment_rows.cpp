// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/experiment_rows.h"

#include "app/model/bars.h"
#include "app/model/format.h"
#include "app/model/provider_order.h"

#include <algorithm>
#include <cmath>

namespace weir::model {
namespace {

/// With fewer of them nothing is shown either way.
constexpr std::int64_t kEnough = 30;

QString text(const char* words)
{
    return QString::fromUtf8(words);
}

QString numbered(std::size_t number, const std::string& name)
{
    return QString::number(number) + QChar(' ') + QString::fromStdString(name);
}

QString signOf(double value)
{
    return value > 0 ? QStringLiteral("+") : value < 0 ? QStringLiteral("−") : QString();
}

QString dollars(double value)
{
    return signOf(value) + money(std::llround(std::abs(value) * 1e6));
}

QString signedSeconds(double value)
{
    return signOf(value) + seconds(std::abs(value));
}

QString thousandths(double value)
{
    return signOf(value) + QString::number(std::abs(value), 'f', 3);
}

template <class Text>
Tile estimateTile(
    const QString& caption,
    const std::optional<quality::PairedDifference>& difference,
    bool isAsked,
    Text text)
{
    Tile tile{caption, unknown(), QString(), Tone::Neutral};
    if (!isAsked) return tile;
    tile.detail = QStringLiteral("too little is known to estimate it");
    if (!difference) return tile;
    tile.value = text(difference->mean);
    tile.detail =
        difference->n < kEnough
            ? QStringLiteral("n=%1, too few to tell").arg(difference->n)
            : QStringLiteral("95 %: %1 to %2").arg(text(difference->low), text(difference->high));
    return tile;
}

/// Why shadow mode puts a route where it puts it.
QString whyText(ReasonCode code)
{
    switch (code) {
    case ReasonCode::Pin:
        return text("its conversation is cached there");
    case ReasonCode::Origin:
        return text("only it reads the request's state");
    case ReasonCode::Best:
        return text("leads by its score");
    case ReasonCode::Tie:
        return text("scores as well as the leader");
    case ReasonCode::Explore:
        return text("exploration");
    case ReasonCode::Override:
        return text("asked for by the request");
    case ReasonCode::Failover:
        return text("next by its score");
    case ReasonCode::Probe:
        return text("probe of a half open breaker");
    case ReasonCode::Unproven:
        return text("too few calls to compare");
    case ReasonCode::Slow:
        return text("much slower than the fastest");
    case ReasonCode::Quality:
        return text("quality of its answers");
    case ReasonCode::OverRate:
        return text("over its permitted rate");
    case ReasonCode::Cap:
        return text("at its learned limit");
    case ReasonCode::Breaker:
        return text("breaker open");
    case ReasonCode::HoldCredit:
        return text("on hold: out of credit");
    case ReasonCode::HoldAuth:
        return text("on hold: key refused");
    case ReasonCode::HoldRetryAfter:
        return text("on hold: asked to wait");
    case ReasonCode::HoldMisconfigured:
        return text("on hold: set up wrongly");
    case ReasonCode::ForcedOverrun:
        return text("nothing else may serve");
    case ReasonCode::OffFixed:
    case ReasonCode::StaleFixed:
        return text("configured order");
    case ReasonCode::Ineligible:
        break;
    }
    return text("may not serve the request");
}

std::optional<double> shareOf(std::optional<std::int64_t> ppm)
{
    if (!ppm) return std::nullopt;
    return static_cast<double>(*ppm) / 1e6;
}

/// Rounded down, so that 1.000 is said of what is perfect alone.
QString scoreText(std::int64_t ppm)
{
    return QString::number(static_cast<double>(ppm / 1000) / 1e3, 'f', 3);
}

QString times(std::optional<double> ratio)
{
    return ratio ? QStringLiteral("× ") + QString::number(*ratio, 'f', 2) : unknown();
}

GridCell pairCell(const quality::SharePair& pair)
{
    if (pair.n == 0) return {unknown()};
    GridCell cell{percent(pair.candidate)};
    cell.tip = QStringLiteral("%1 against %2, of %3")
                   .arg(percent(pair.candidate), percent(pair.served))
                   .arg(pair.n);
    cell.isFaint = pair.n < kEnough;
    return cell;
}

GridCell scoreCell(const quality::SharePair& pair)
{
    if (pair.n == 0) return {.text = unknown(), .tip = text("No pair has been graded")};
    GridCell cell{QString::number(pair.candidate, 'f', 3)};
    cell.tip = QStringLiteral("%1 against %2, of %3 graded")
                   .arg(cell.text, QString::number(pair.served, 'f', 3))
                   .arg(pair.n);
    cell.isFaint = pair.n < kEnough;
    return cell;
}

GridCell differenceCell(const quality::SharePair& pair)
{
    if (!pair.difference) return {unknown()};
    const quality::PairedDifference& difference = *pair.difference;
    GridCell cell{QStringLiteral("%1 (%2 to %3)")
                      .arg(
                          thousandths(difference.mean),
                          thousandths(difference.low),
                          thousandths(difference.high))};
    cell.isFaint = difference.n < kEnough;
    return cell;
}

GridCell adviceCell(const quality::MirrorReport& report)
{
    const std::string_view word = toWord(report.advice);
    GridCell cell{QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()))};
    switch (report.advice) {
    case quality::MirrorAdvice::Promote:
        cell.tone = Tone::Ok;
        cell.glyph = Glyph::Check;
        break;
    case quality::MirrorAdvice::LeaveOut:
        cell.tone = Tone::Critical;
        cell.glyph = Glyph::Cross;
        break;
    case quality::MirrorAdvice::KeepComparing:
        cell.tone = Tone::Neutral;
        cell.glyph = Glyph::Circle;
        break;
    }
    cell.tip = mirrorText(report);
    return cell;
}

bool isInForce(const store::EvalRunRow& run, std::span<const QualityScore> scores)
{
    return std::ranges::any_of(scores, [&run](const QualityScore& score) {
        const QualityScore& own = run.score;
        return score.model == own.model && score.provider == own.provider &&
               score.taskType == own.taskType && score.scoredAt == own.scoredAt;
    });
}

GridCell standingCell(const store::EvalRunRow& run, std::span<const QualityScore> scores)
{
    if (!run.tells) {
        return {
            .text = text("tells nothing"),
            .tone = Tone::Warning,
            .glyph = Glyph::Warning,
            .tip = text("Too little was answered for the score to be gone by")};
    }
    if (!isInForce(run, scores)) return {.text = text("older"), .tone = Tone::Stale};
    return {.text = text("in force"), .tone = Tone::Ok, .glyph = Glyph::Check};
}

} // namespace

std::vector<Tile> shadowTiles(const reports::Agreement* agreement)
{
    const bool isRead = agreement != nullptr && agreement->decisions > 0;
    Tile agreed{text("Agreement"), unknown(), QString(), Tone::Neutral};
    Tile moved{text("Most frequent move"), unknown(), QString(), Tone::Neutral};
    if (agreement != nullptr && !isRead) agreed.detail = text("no decision of shadow mode");
    if (isRead) {
        agreed.value = percent(agreement->rate());
        agreed.detail = QStringLiteral("%1 of %2")
                            .arg(agreement->agreed)
                            .arg(counted(agreement->decisions, QStringLiteral("decision")));
        moved.detail = text("none");
    }
    if (isRead && !agreement->disagreements.empty()) {
        const reports::Disagreement& most = agreement->disagreements.front();
        moved.value = plain(most.served) + QStringLiteral(" → ") + plain(most.shadow);
        moved.detail = counted(most.decisions, QStringLiteral("decision"));
    }
    const auto cost = isRead ? agreement->costUsd : std::nullopt;
    const auto wait = isRead ? agreement->ttftS : std::nullopt;
    return {
        agreed,
        moved,
        estimateTile(text("Cost per task, estimated"), cost, isRead, dollars),
        estimateTile(text("TTFT, estimated"), wait, isRead, signedSeconds)};
}

std::vector<GridColumn> shadowColumns()
{
    return {
        {text("Served first"), text("What the fixed order put first"), 140},
        {text("Shadow would use"), text("What adaptive routing would have put first"), 140},
        {text("Why"), {}, 220},
        {text("Why not the one that served"), {}, 240},
        {text("Decisions"), {}, 90, true},
        {text("Share"), text("Of all decisions of shadow mode"), 80, true}};
}

std::vector<GridRow>
shadowRows(const reports::Agreement& agreement, const std::vector<std::string>& providers)
{
    const auto provider = [&providers](const std::string& name) {
        return GridCell{.text = plain(name), .colour = colourIn(providers, name)};
    };
    std::vector<GridRow> rows;
    for (const reports::Disagreement& one : agreement.disagreements) {
        const double share =
            static_cast<double>(one.decisions) / static_cast<double>(agreement.decisions);
        rows.push_back(
            {numbered(rows.size(), one.shadow),
             {provider(one.served),
              provider(one.shadow),
              {whyText(one.whyShadow)},
              {whyText(one.whyNotServed)},
              {QString::number(one.decisions)},
              {percent(share)}}});
    }
    return rows;
}

std::vector<GridColumn> mirrorColumns()
{
    return {
        {text("Task type"), {}, 110},
        {text("Candidate"), text("The model that got copies of requests"), 130},
        {text("Beside"), text("The models that gave the answers it was compared with"), 130},
        {text("Copies"), {}, 60, true},
        {text("Failed"), {}, 60, true},
        {text("Score"), text("The candidate's mean grade, of 1"), 65, true},
        {text("Difference (95 %)"),
         text("Candidate less served, mean of pairs, with its confidence interval"),
         175,
         true},
        {text("Schema"),
         text("Of its answers that were to keep a schema: those that did"),
         75,
         true},
        {text("Refused"), text("Of its answers: refusals"), 75, true},
        {text("Cost"), text("The candidate's over the served one's"), 65, true},
        {text("TTFT"), text("The candidate's over the served one's"), 65, true},
        {text("Suggestion"), text("By stated rules; nothing is promoted by itself"), 160}};
}

std::vector<GridRow> mirrorRows(std::span<const quality::MirrorReport> reports)
{
    std::vector<GridRow> rows;
    for (const quality::MirrorReport& report : reports) {
        QStringList served;
        for (const std::string& model : report.served)
            served << plain(model);
        GridCell failures{QString::number(report.failures)};
        if (report.failures > 0) failures.tone = Tone::Warning;
        rows.push_back(
            {numbered(rows.size(), report.taskType),
             {{plain(report.taskType)},
              {plain(report.candidate)},
              {served.join(QStringLiteral(", "))},
              {QString::number(report.copies)},
              failures,
              scoreCell(report.score),
              differenceCell(report.score),
              pairCell(report.schemaValid),
              pairCell(report.refused),
              {times(report.costRatio)},
              {times(report.ttftRatio)},
              adviceCell(report)}});
    }
    return rows;
}

QString mirrorText(const quality::MirrorReport& report)
{
    const std::string_view word = toWord(report.advice);
    QString said = plain(report.candidate) + QStringLiteral(" for ") + plain(report.taskType) +
                   QStringLiteral(": ") +
                   QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())) +
                   QStringLiteral(", because ") + plain(report.reason) + QChar('.');
    if (report.needed)
        said += QStringLiteral(" About %1 more comparisons may settle it.").arg(*report.needed);
    return said;
}

std::vector<GridColumn> evalColumns()
{
    return {
        {text("Run"), text("When it ended"), 110},
        {text("Task type"), {}, 110},
        {text("Model"), {}, 130},
        {text("Provider"), {}, 100},
        {text("Score"), text("Mean over the cases that got an answer, of 1"), 65, true},
        {text("Schema"), text("Of the cases with a schema: answers that keep it"), 75, true},
        {text("Refused"), {}, 75, true},
        {text("Cases"), {}, 60, true},
        {text("No answer"), text("Cases that brought no answer to score"), 80, true},
        {text("Cost"), text("Of the run at this route, graders included"), 80, true},
        {text("p50"), text("Time of half of the answers"), 65, true},
        {text("Set"), text("Name of the eval set"), 110},
        {text("Standing"), text("Whether routing goes by this score"), 110}};
}

std::vector<GridRow>
evalRows(std::span<const store::EvalRunRow> runs, std::span<const QualityScore> scores)
{
    std::vector<GridRow> rows;
    for (const store::EvalRunRow& run : runs) {
        const QualityScore& score = run.score;
        std::optional<double> p50;
        if (run.latencyP50Ms) p50 = static_cast<double>(*run.latencyP50Ms);
        GridCell unanswered{QString::number(score.unanswered)};
        if (score.unanswered > 0) unanswered.tone = Tone::Warning;
        GridCell value{run.tells ? scoreText(score.scorePpm) : unknown()};
        value.isFaint = score.cases < kEnough;
        GridCell when{momentText(epochMs(score.scoredAt))};
        when.tip =
            QStringLiteral("%1 by %2 on %3").arg(plain(run.run), plain(run.who), plain(run.host));
        rows.push_back(
            {numbered(rows.size(), score.taskType),
             {when,
              {plain(score.taskType)},
              {plain(score.model)},
              {plain(score.provider)},
              value,
              {percent(shareOf(score.schemaValidPpm))},
              {percent(shareOf(score.refusedPpm))},
              {QString::number(score.cases)},
              unanswered,
              {money(run.costMicroUsd)},
              {secondsFromMs(p50)},
              {plain(score.evalSet)},
              standingCell(run, scores)}});
    }
    return rows;
}

QString nameIn(const QString& key)
{
    return key.mid(key.indexOf(QChar(' ')) + 1);
}

} // namespace weir::model
