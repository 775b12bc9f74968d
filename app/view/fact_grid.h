// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/theme.h"

#include <QString>
#include <QWidget>

#include <utility>
#include <vector>

namespace weir::view {

/// Names and values side by side, in as many rows as the width needs.
class FactGrid final : public QWidget
{
    Q_OBJECT

public:
    explicit FactGrid(const Theme& theme, QWidget* parent = nullptr);

    void show(const std::vector<std::pair<QString, QString>>& facts);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// The boxes in which the facts stand; each as wide as it needs.
    [[nodiscard]] std::vector<QRectF> boxes() const;
    /// As high as the rows need, no more: a scroll area takes a height that depends on the width
    /// for one that cannot shrink.
    void fitHeight();

    const Theme& m_theme;
    std::vector<std::pair<QString, QString>> m_facts;
};

} // namespace weir::view
