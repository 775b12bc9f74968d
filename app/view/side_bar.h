// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/place.h"
#include "app/view/theme.h"

#include <QWidget>

#include <vector>

class QAbstractButton;

namespace weir::view {

/// The list of pages at the window's left edge, each with its key.
class SideBar final : public QWidget
{
    Q_OBJECT

public:
    SideBar(const Theme& theme, std::vector<model::Place::Page> pages, QWidget* parent = nullptr);

    void setCurrent(model::Place::Page page);
    /// A few characters beside the name: "7/7", "2 open"; empty = none.
    void setNote(model::Place::Page page, const QString& note, model::Tone tone);

signals:
    void wanted(weir::model::Place::Page page);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    class Item;

    const Theme& m_theme;
    std::vector<Item*> m_items;
};

} // namespace weir::view
