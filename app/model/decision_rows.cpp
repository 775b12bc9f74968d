// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/decision_rows.h"

#include "app/model/format.h"
#include "common/routing/eligible.h"

#include <algorithm>

namespace weir::model {
namespace {

constexpr double kScoreUnit = 1e9;

QString word(std::string_view text)
{
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

GridCell textCell(const QString& text)
{
    GridCell cell;
    cell.text = text;
    return cell;
}

/// Text from outside, whole in its tip where the column is narrow.
GridCell nameCell(const std::string& text)
{
    GridCell cell = textCell(text.empty() ? unknown() : plain(text));
    cell.tip = plain(text);
    return cell;
}

GridCell providerCell(const std::string& provider, Console& console)
{
    GridCell cell = nameCell(provider);
    cell.colour = colourOf(console, provider);
    return cell;
}

/// A failure that its caller never saw is worth less than one that ended the request.
GridCell outcomeCell(const CallRecord& record)
{
    GridCell cell = textCell(word(toWord(record.outcome)));
    if (isSuccess(record.outcome)) {
        cell.glyph = Glyph::Check;
        cell.tone = Tone::Ok;
    } else if (isNeutral(record.outcome)) {
        cell.glyph = Glyph::Circle;
        cell.tip = QStringLiteral("Not the provider's doing");
    } else if (record.last) {
        cell.glyph = Glyph::Cross;
        cell.tone = Tone::Critical;
        cell.tip = QStringLiteral("The caller got this error");
    } else {
        cell.glyph = Glyph::Warning;
        cell.tone = Tone::Warning;
        cell.tip = QStringLiteral("The request went on elsewhere");
    }
    if (record.httpStatus) {
        cell.tip += (cell.tip.isEmpty() ? QString() : QStringLiteral(" · ")) +
                    QStringLiteral("HTTP %1").arg(*record.httpStatus);
    }
    return cell;
}

QString reasonText(const CallRecord& record)
{
    QString text = word(toWord(record.reason));
    const std::pair<CallFlag, const char*> kAsides[] = {
        {CallFlag::Mirror, " · mirror"},
        {CallFlag::Eval, " · eval"},
        {CallFlag::Drill, " · drill"}};
    for (const auto& [flag, aside] : kAsides) {
        if (record.has(flag)) text += QString::fromUtf8(aside);
    }
    return text;
}

QString tokensText(const TokenUsage& usage)
{
    if (!usage.inputUncached && !usage.output) return unknown();
    const std::int64_t input = usage.inputUncached.value_or(0) + usage.inputCached.value_or(0) +
                               usage.cacheWrite.value_or(0);
    const QString output = usage.output ? QString::number(*usage.output) : unknown();
    return QString::number(input) + QStringLiteral(" + ") + output;
}

QString tokensTip(const TokenUsage& usage)
{
    const auto part = [](const char* name, std::optional<std::int64_t> count) {
        return QString::fromUtf8(name) + (count ? QString::number(*count) : unknown());
    };
    return part("input ", usage.inputUncached) + part(", read from cache ", usage.inputCached) +
           part(", written to cache ", usage.cacheWrite) + part(", output ", usage.output) +
           part(", of which reasoning ", usage.reasoning) +
           (usage.estimated ? QStringLiteral("; estimated") : QString());
}

QString firstTokenText(const CallRecord& record)
{
    if (!record.ttftMs) return unknown();
    return secondsFromMs(static_cast<double>(*record.ttftMs));
}

GridCell scoreCell(std::int64_t score)
{
    if (score <= 0) return textCell(unknown());
    return textCell(QString::number(static_cast<double>(score) / kScoreUnit, 'f', 3));
}

QString perSecond(std::int64_t milliRps)
{
    return rate(static_cast<double>(milliRps) / 1000.0) + QStringLiteral("/s");
}

/// What its gate looked like when the request came.
GridCell gateCell(const GateView& gate, const std::string& code)
{
    GridCell cell = textCell(QStringLiteral("no limit known"));
    if (gate.permittedMilliRps >= 0) cell.text = perSecond(gate.permittedMilliRps);
    cell.tip = QStringLiteral("Permitted rate of the fleet when the request came");
    if (gate.capMilliRps >= 0) {
        cell.tip += QStringLiteral("; learned cap ") + perSecond(gate.capMilliRps);
    }
    if (gate.hold != HoldKind::None) {
        cell.glyph = Glyph::Square;
        cell.tone = Tone::Critical;
        cell.text = QStringLiteral("hold: ") + word(toWord(gate.hold));
    } else if (gate.breaker != BreakerState::Closed) {
        const bool isOpen = gate.breaker == BreakerState::Open;
        cell.glyph = isOpen ? Glyph::Square : Glyph::DiamondOpen;
        cell.tone = isOpen ? Tone::Critical : Tone::Warning;
        cell.text = isOpen ? QStringLiteral("breaker open") : QStringLiteral("half open");
    } else if (code == toWord(ReasonCode::OverRate) || code == toWord(ReasonCode::Cap)) {
        cell.glyph = Glyph::TriangleDown;
        cell.tone = Tone::Warning;
        cell.text = QStringLiteral("over ") + cell.text;
    }
    return cell;
}

GridCell eligibleCell(Exclusion exclusion)
{
    if (exclusion == Exclusion::None) return textCell(QStringLiteral("yes"));
    GridCell cell = textCell(QStringLiteral("no: ") + word(routing::describe(exclusion)));
    cell.tone = Tone::Stale;
    cell.tip = cell.text;
    return cell;
}

/// What the attempts at this provider came to, and the time that they took.
GridCell resultCell(const reports::RequestFile& file, const routing::RouteAnswer& answer)
{
    GridCell cell =
        textCell(answer.place > 0 ? QStringLiteral("not tried") : QStringLiteral("filtered out"));
    cell.isFaint = true;
    QStringList all;
    for (const CallRecord& attempt : file.attempts) {
        if (attempt.provider != answer.provider) continue;
        cell = outcomeCell(attempt);
        all << cell.text + QStringLiteral(" in ") +
                   secondsFromMs(static_cast<double>(attempt.durationMs));
    }
    if (!all.isEmpty()) cell.text = all.join(QStringLiteral(", "));
    return cell;
}

GridCell placeCell(int place)
{
    return textCell(place > 0 ? QString::number(place) : QStringLiteral("–"));
}

GridCell sentenceCell(const std::string& sentence)
{
    GridCell cell = textCell(plain(sentence));
    cell.tip = cell.text;
    return cell;
}

} // namespace

std::vector<GridColumn> listColumns()
{
    return {
        {QStringLiteral("Started"), QStringLiteral("Day and time, UTC"), 205, false, true},
        {QStringLiteral("Request"), QString(), 215, false, true},
        {QStringLiteral("Try"), QStringLiteral("Which attempt of its request"), 44, true},
        {QStringLiteral("Task type"), QString(), 110},
        {QStringLiteral("Model"), QString(), 96},
        {QStringLiteral("Provider"), QString(), 120},
        {QStringLiteral("Why"), QStringLiteral("Why this attempt went there"), 110},
        {QStringLiteral("Outcome"), QString(), 156},
        {QStringLiteral("First token"), QStringLiteral("From the attempt's start"), 100, true},
        {QStringLiteral("Took"), QStringLiteral("To the attempt's end"), 76, true},
        {QStringLiteral("Tokens"), QStringLiteral("Input and output"), 116, true},
        {QStringLiteral("Cost"), QString(), 84, true}};
}

GridRow listRow(const CallRecord& record, Console& console)
{
    GridRow row;
    row.key = QString::fromStdString(record.requestId) + QStringLiteral("#%1").arg(record.attempt);
    GridCell tokens = textCell(tokensText(record.usage));
    tokens.tip = tokensTip(record.usage);
    row.cells = {
        textCell(momentText(record.startedAt)),
        nameCell(record.requestId),
        textCell(QString::number(record.attempt)),
        nameCell(record.taskType),
        nameCell(record.model),
        providerCell(record.provider, console),
        textCell(reasonText(record)),
        outcomeCell(record),
        textCell(firstTokenText(record)),
        textCell(secondsFromMs(static_cast<double>(record.durationMs))),
        tokens,
        textCell(money(record.costMicroUsd))};
    return row;
}

std::vector<GridColumn> attemptColumns()
{
    return {
        {QStringLiteral("Try"), QString(), 44, true},
        {QStringLiteral("Started"), QStringLiteral("Day and time, UTC"), 205, false, true},
        {QStringLiteral("Provider"), QString(), 120},
        {QStringLiteral("Route"), QString(), 220},
        {QStringLiteral("Why"), QStringLiteral("Why this attempt went there"), 110},
        {QStringLiteral("Outcome"), QString(), 156},
        {QStringLiteral("HTTP"), QString(), 60, true},
        {QStringLiteral("First token"), QStringLiteral("From the attempt's start"), 100, true},
        {QStringLiteral("Took"), QStringLiteral("To the attempt's end"), 76, true},
        {QStringLiteral("Input"), QStringLiteral("Tokens not read from a cache"), 84, true},
        {QStringLiteral("Cached"), QStringLiteral("Tokens read from a cache"), 84, true},
        {QStringLiteral("Output"), QString(), 84, true},
        {QStringLiteral("Cost"), QString(), 84, true}};
}

GridRow attemptRow(const CallRecord& record, Console& console)
{
    const auto count = [&record](std::optional<std::int64_t> tokens) {
        GridCell cell = textCell(tokens ? QString::number(*tokens) : unknown());
        cell.tip = tokensTip(record.usage);
        return cell;
    };
    GridRow row;
    row.key = QString::number(record.attempt);
    row.cells = {
        textCell(row.key),
        textCell(momentText(record.startedAt)),
        providerCell(record.provider, console),
        nameCell(record.route),
        textCell(reasonText(record)),
        outcomeCell(record),
        count(record.httpStatus),
        textCell(firstTokenText(record)),
        textCell(secondsFromMs(static_cast<double>(record.durationMs))),
        count(record.usage.inputUncached),
        count(record.usage.inputCached),
        count(record.usage.output),
        textCell(money(record.costMicroUsd))};
    row.cells[6].tip.clear();
    return row;
}

QString requestOf(const QString& rowKey)
{
    return rowKey.left(rowKey.lastIndexOf(QChar('#')));
}

std::vector<GridColumn> ladderColumns()
{
    const QString parts =
        QStringLiteral("Part of the score before the operator's bias; the best has all of it");
    return {
        {QStringLiteral("#"), QStringLiteral("Order in which they were to be tried"), 36, true},
        {QStringLiteral("Provider"), QString(), 130},
        {QStringLiteral("Eligible"), QStringLiteral("Rules that come before any score"), 150},
        {QStringLiteral("Cost part"), parts, 86, true},
        {QStringLiteral("Speed part"), parts, 94, true},
        {QStringLiteral("Score"), QStringLiteral("Among the eligible ones"), 66, true},
        {QStringLiteral("Rate"), QStringLiteral("Permitted rate, breaker, hold"), 150},
        {QStringLiteral("Why"), QString(), 420},
        {QStringLiteral("Result"), QString(), 190}};
}

std::vector<GridRow> ladderRows(
    const reports::RequestFile& file, const routing::Explanation& explanation, Console& console)
{
    std::vector<GridRow> rows;
    const DecisionInput& input = file.saved->served.input;
    for (const routing::RouteAnswer& answer : explanation.routes) {
        const RouteOption& option = input.routes[answer.route];
        GridRow row;
        row.key = plain(answer.provider);
        row.cells = {
            placeCell(answer.place),
            providerCell(answer.provider, console),
            eligibleCell(option.exclusion),
            scoreCell(answer.costPart),
            scoreCell(answer.speedPart),
            scoreCell(answer.score),
            gateCell(option.gate, answer.code),
            sentenceCell(answer.sentence),
            resultCell(file, answer)};
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<GridColumn> hypothesisColumns()
{
    return {
        {QStringLiteral("#"), QStringLiteral("Place it would have had"), 36, true},
        {QStringLiteral("Was"), QStringLiteral("Place it had"), 46, true},
        {QStringLiteral("Provider"), QString(), 130},
        {QStringLiteral("Cost part"), QString(), 86, true},
        {QStringLiteral("Speed part"), QString(), 94, true},
        {QStringLiteral("Score"), QString(), 66, true},
        {QStringLiteral("Why"), QString(), 420}};
}

std::vector<GridRow>
hypothesisRows(const routing::Explanation& would, const routing::Explanation& was, Console& console)
{
    std::vector<GridRow> rows;
    for (const routing::RouteAnswer& answer : would.routes) {
        const auto before =
            std::ranges::find(was.routes, answer.route, &routing::RouteAnswer::route);
        const int place = before == was.routes.end() ? 0 : before->place;
        GridRow row;
        row.key = plain(answer.provider);
        row.cells = {
            placeCell(answer.place),
            placeCell(place),
            providerCell(answer.provider, console),
            scoreCell(answer.costPart),
            scoreCell(answer.speedPart),
            scoreCell(answer.score),
            sentenceCell(answer.sentence)};
        row.cells[0].tone = place == answer.place ? Tone::Neutral : Tone::Off;
        rows.push_back(std::move(row));
    }
    return rows;
}

QString momentText(UtcTime time)
{
    return QString::fromStdString(toIso(time)).mid(5, 18).replace(QChar('T'), QChar(' ')) +
           QChar('Z');
}

std::optional<int> colourOf(Console& console, const std::string& provider)
{
    const std::vector<std::string>& known = console.models().history().providers();
    const auto found = std::ranges::find(known, provider);
    if (found == known.end()) return std::nullopt;
    return static_cast<int>(found - known.begin());
}

} // namespace weir::model
