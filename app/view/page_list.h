// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/console.h"
#include "app/view/page.h"
#include "app/view/theme.h"

#include <span>

namespace weir::view {

struct PageEntry
{
    model::Place::Page page;
    Page* (*make)(const Theme& theme, model::Console& console, QWidget* parent);
};

/// The pages that there are, in the order of their keys.
[[nodiscard]] std::span<const PageEntry> pageList();

} // namespace weir::view
