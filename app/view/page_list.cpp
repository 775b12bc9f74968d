// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/page_list.h"

#include "app/view/decisions_page.h"
#include "app/view/experiments_page.h"
#include "app/view/incident_page.h"
#include "app/view/live_page.h"
#include "app/view/providers_page.h"
#include "app/view/settings_page.h"
#include "app/view/tasks_page.h"

#include <array>

namespace weir::view {
namespace {

template <class Made>
Page* make(const Theme& theme, model::Console& console, QWidget* parent)
{
    return new Made(theme, console, parent);
}

using Id = model::Place::Page;

constexpr std::array kPages{
    PageEntry{Id::Live, make<LivePage>},
    PageEntry{Id::Incidents, make<IncidentPage>},
    PageEntry{Id::Decisions, make<DecisionsPage>},
    PageEntry{Id::Providers, make<ProvidersPage>},
    PageEntry{Id::Tasks, make<TasksPage>},
    PageEntry{Id::Experiments, make<ExperimentsPage>},
    PageEntry{Id::Settings, make<SettingsPage>},
};

} // namespace

std::span<const PageEntry> pageList()
{
    return kPages;
}

} // namespace weir::view
