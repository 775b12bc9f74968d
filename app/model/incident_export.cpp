// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/incident_export.h"

#include "app/model/case_lines.h"
#include "app/model/format.h"
#include "common/routing/incident_review.h"

#include <algorithm>
#include <string>

namespace weir::model {
namespace {

/// The incident's own events and the notes are in the review anyhow.
bool isExtra(const CaseLine& line)
{
    return line.isStory && !line.key.startsWith(QStringLiteral("event/")) &&
           !line.key.startsWith(QStringLiteral("note/"));
}

std::vector<routing::ReviewLine> extraLines(const IncidentCase& known)
{
    std::vector<routing::ReviewLine> lines;
    for (const CaseLine& line : linesOf(known)) {
        const bool isChange = line.key.startsWith(QStringLiteral("audit/"));
        const bool isNote = line.look.word == QStringLiteral("note");
        if (!isExtra(line) && (!isChange || isNote)) continue;
        const QString link = line.place ? toLink(*line.place) : QString();
        lines.push_back({line.at, line.text.toStdString(), link.toStdString()});
    }
    return lines;
}

} // namespace

IncidentReview reviewOf(const IncidentCase& known, const std::vector<Picture>& pictures)
{
    const std::vector<routing::ReviewLine> lines = extraLines(known);
    std::vector<std::pair<std::string, std::string>> impact;
    for (const auto& [name, value] : impactOf(known))
        impact.emplace_back(name.toStdString(), value.toStdString());
    std::vector<std::pair<std::string, std::string>> shown;
    for (const auto& [file, caption] : pictures)
        shown.emplace_back(file.toStdString(), caption.toStdString());
    std::vector<std::string> people;
    for (const AuditEntry& entry : known.audit) {
        if (entry.table != "incident_note") people.push_back(plain(entry.who).toStdString());
    }
    const Place place{
        Place::Page::Incidents, QString::fromStdString(known.incident.id), std::nullopt};
    const std::string link = toLink(place).toStdString();
    routing::ReviewFacts facts;
    facts.others = known.others;
    facts.notes = known.notes;
    facts.lines = lines;
    facts.impact = impact;
    facts.pictures = shown;
    facts.people = people;
    facts.link = link;
    IncidentReview review;
    review.markdown = QString::fromStdString(routing::incidentReview(known.incident, facts));
    for (const std::string& part : routing::missingParts(facts))
        review.missing << QString::fromStdString(part);
    return review;
}

QString missingText(const IncidentReview& review)
{
    if (review.missing.isEmpty()) return QStringLiteral("Nothing is missing.");
    const auto count = static_cast<std::int64_t>(review.missing.size());
    const QString marker = QString::fromLatin1(routing::kMissing.data(), routing::kMissing.size());
    return counted(count, QStringLiteral("part")) +
           (count == 1 ? QStringLiteral(" is") : QStringLiteral(" are")) +
           QStringLiteral(" still %1: ").arg(marker) + review.missing.join(QStringLiteral(", "));
}

QString fileName(const Incident& incident)
{
    QString id = plain(incident.id);
    for (QChar& c : id) {
        const bool isFit = c.isLetterOrNumber() || c == QChar('-') || c == QChar('_');
        if (!isFit) c = QChar('-');
    }
    return QStringLiteral("incident-") + id;
}

} // namespace weir::model
