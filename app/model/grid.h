// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/signs.h"

#include <QAbstractTableModel>
#include <QMetaType>
#include <QString>

#include <optional>
#include <vector>

namespace weir::model {

struct GridColumn
{
    QString title;
    /// What the column means, how it is computed.
    QString tip;
    /// Its share of the width, in pixels of a window of the usual size.
    int width = 100;
    bool isNumber = false;
    bool isMono = false;
};

struct GridCell
{
    QString text;
    Tone tone = Tone::Neutral;
    /// Before the text.
    std::optional<Glyph> glyph{};
    /// Which provider's colour stands before the text.
    std::optional<int> colour{};
    /// Too little is known for it to count.
    bool isFaint = false;
    QString tip{};

    bool operator==(const GridCell&) const = default;
};

struct GridRow
{
    /// Stable over refreshes.
    QString key;
    /// One a column.
    std::vector<GridCell> cells;

    bool operator==(const GridRow&) const = default;
};

/// A table of plain rows, made anew by whoever fills it and applied as a difference, so that
/// selection and scrolling survive.
class Grid final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Role {
        CellRole = Qt::UserRole, ///< GridCell
        KeyRole,                 ///< QString
        IsNumberRole,            ///< of the column
        IsMonoRole,              ///< of the column
    };

    explicit Grid(std::vector<GridColumn> columns, QObject* parent = nullptr);

    void apply(std::vector<GridRow> rows);

    [[nodiscard]] const std::vector<GridColumn>& columns() const { return m_columns; }

    [[nodiscard]] const std::vector<GridRow>& rows() const { return m_rows; }

    /// Empty where there is no such row.
    [[nodiscard]] QString keyAt(int row) const;
    /// -1 where there is no such key.
    [[nodiscard]] int rowOf(const QString& key) const;
    /// RFC 4180, with the titles; a cell that a spreadsheet would run as a formula begins with '.
    [[nodiscard]] QString csv() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant
    data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant
    headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<GridColumn> m_columns;
    std::vector<GridRow> m_rows;
};

} // namespace weir::model

Q_DECLARE_METATYPE(weir::model::GridCell)
