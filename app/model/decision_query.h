// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/store/ledger_query.h"
#include "common/base/result.h"
#include "common/base/time.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace weir::model {

/// What somebody asks the ledger with: "outcome=failed provider=baseten since=2h". A word without
/// "=" is a request's id.
struct DecisionQuery
{
    store::LedgerFilter filter;
    /// As typed, one a filter; for what is to be said of them one by one.
    QStringList words;

    /// It names one request, whenever that was.
    [[nodiscard]] bool isForOne() const { return !filter.requestId.empty(); }

    [[nodiscard]] bool hasTimes() const { return filter.from || filter.to; }
};

/// Error code "bad_query": `where` is the word, `detail` what is wrong with it and what would do.
[[nodiscard]] Result<DecisionQuery> decisionQuery(const QString& text, UtcTime now);

/// The names that people filter by, as far as the console has heard of them.
struct QueryNames
{
    QStringList models;
    QStringList providers;
    QStringList agents;
};

/// What the word that is being typed may become: filters first, then the values of one.
[[nodiscard]] QStringList completions(const QString& word, const QueryNames& names);

/// One filter as text, in quotation marks where it would be read as several words.
[[nodiscard]] QString queryWord(const QString& key, const QString& value);
/// The text of these words, as `DecisionQuery` has them.
[[nodiscard]] QString joined(const QStringList& words);

} // namespace weir::model
