// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/decision_facts.h"
#include "app/view/theme.h"

#include <QWidget>

#include <vector>

namespace weir::view {

/// A request's attempts one below the other on its own clock: hollow while it waited for output,
/// filled while output came.
class TimeBar final : public QWidget
{
    Q_OBJECT

public:
    explicit TimeBar(const Theme& theme, QWidget* parent = nullptr);

    void show(std::vector<model::TimePiece> pieces, const QString& text);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    std::vector<model::TimePiece> m_pieces;
};

} // namespace weir::view
