// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/incident_case.h"

#include <QString>
#include <QStringList>

#include <utility>
#include <vector>

namespace weir::model {

/// A file's name and what the picture in it shows.
using Picture = std::pair<QString, QString>;

/// The review of an incident, to be finished by people.
struct IncidentReview
{
    QString markdown;
    /// The parts that nobody has written anything for.
    QStringList missing;
};

[[nodiscard]] IncidentReview
reviewOf(const IncidentCase& known, const std::vector<Picture>& pictures);

/// How many parts are missing, and which; "Nothing is missing."
[[nodiscard]] QString missingText(const IncidentReview& review);

/// "incident-0123456789ab": what the files are called.
[[nodiscard]] QString fileName(const Incident& incident);

} // namespace weir::model
