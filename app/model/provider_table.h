// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/history.h"
#include "app/model/provider_state.h"
#include "common/model/status.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace weir::model {

/// One route as the table shows it.
struct ProviderRow
{
    /// The route's name: stable over snapshots.
    QString key;
    QString provider;
    /// Which colour and dash it has in every chart of the page.
    int colour = 0;
    ProviderState state;
    std::optional<double> share;
    double rps = 0.0;
    std::optional<double> ttftP50Ms;
    std::optional<double> ttftP95Ms;
    std::optional<double> tokensPerS;
    std::optional<double> errorRate;
    QString outcomes;
    std::int64_t inFlight = 0;
    std::optional<UtcTime> benchedUntil;
    /// Requests per second over the last ten minutes, NaN where nothing was measured.
    std::vector<double> spark;

    bool operator==(const ProviderRow&) const = default;
};

[[nodiscard]] std::vector<ProviderRow>
providerRows(const ModelStatus& model, const History& history, UtcTime now);

/// The provider table. A snapshot is applied as a difference, so that selection and scrolling
/// survive.
class ProviderTable final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        ProviderColumn,
        StateColumn,
        ShareColumn,
        RateColumn,
        TtftColumn,
        TtftP95Column,
        TokensColumn,
        ErrorsColumn,
        InFlightColumn,
        BenchColumn,
        SparkColumn,
        ColumnCount,
    };

    enum Role {
        RawRole = Qt::UserRole, ///< a number or a text to sort by
        StateRole,              ///< ProviderState
        ColourRole,             ///< int
        SparkRole,              ///< QList<double>
        KeyRole,                ///< the route's name
    };

    using QAbstractTableModel::QAbstractTableModel;

    void apply(std::vector<ProviderRow> rows);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant
    data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant
    headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ProviderRow> m_rows;
};

} // namespace weir::model

Q_DECLARE_METATYPE(weir::model::ProviderState)
