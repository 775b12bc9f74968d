// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/panel.h"

#include "app/model/format.h"

namespace weir::model {

PanelState
askedPanel(bool hasStore, bool hasValue, const std::optional<Error>& error, UtcTime lastGood)
{
    PanelState state;
    if (!hasStore) {
        state.kind = PanelState::Kind::Empty;
        state.text = QStringLiteral("There is no store to read from: start with --store URL.");
        return state;
    }
    if (error) {
        state.kind = PanelState::Kind::Error;
        state.text = plain(error->text());
        if (hasValue) {
            state.text += QStringLiteral(". Last good answer ") + clockText(lastGood);
            state.staleSince = lastGood;
        }
        return state;
    }
    if (hasValue) state.kind = PanelState::Kind::Live;
    return state;
}

} // namespace weir::model
