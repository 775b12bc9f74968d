// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/live_models.h"

#include "app/model/format.h"

#include <algorithm>

namespace weir::model {
namespace {

constexpr Ms kKept = 24 * 3'600'000;

} // namespace

void LiveModels::show(const StatusPtr& status, UtcTime at)
{
    m_status = status;
    for (const ModelStatus& model : status->models) {
        History& history = m_histories[model.name];
        history.append(model, at);
        history.dropBefore(epochMs(at) - kKept);
    }
    if (m_selected.empty() && !status->models.empty()) m_selected = status->models.front().name;
    refreshTable(at);
}

void LiveModels::show(const std::vector<RouteSlice>& slices, Span covered, Ms step, UtcTime now)
{
    std::map<std::string, std::vector<RouteSlice>> byModel;
    for (const RouteSlice& slice : slices)
        byModel[slice.model].push_back(slice);
    for (auto& [name, ofModel] : byModel) {
        History& history = m_histories[name];
        Span known = covered;
        // Nobody knows whether an agent ran before the first slice that there is.
        const bool isContinued = !history.times().empty() && history.times().front() <= known.from;
        if (!isContinued) known.from = epochMs(ofModel.front().start);
        history.backfill(ofModel, known, step);
    }
    if (m_selected.empty() && !byModel.empty()) m_selected = byModel.begin()->first;
    refreshTable(now);
}

bool LiveModels::select(const QString& name, UtcTime now)
{
    if (name.isEmpty() || name.toStdString() == m_selected) return false;
    m_selected = name.toStdString();
    refreshTable(now);
    return true;
}

QStringList LiveModels::names() const
{
    QStringList names;
    for (const auto& [name, history] : m_histories)
        names << plain(name);
    return names;
}

const History& LiveModels::history() const
{
    static const History kNone;
    const auto found = m_histories.find(m_selected);
    return found == m_histories.end() ? kNone : found->second;
}

std::vector<Tile> LiveModels::tiles() const
{
    return liveTiles(m_status.get(), current());
}

const ModelStatus* LiveModels::current() const
{
    if (!m_status) return nullptr;
    const auto found = std::ranges::find(m_status->models, m_selected, &ModelStatus::name);
    return found == m_status->models.end() ? nullptr : &*found;
}

void LiveModels::refreshTable(UtcTime now)
{
    const ModelStatus* model = current();
    if (model != nullptr) m_table.apply(providerRows(*model, history(), now));
}

} // namespace weir::model
