// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/reports/replayer.h"
#include "agent/reports/settings_edit.h"
#include "app/model/asked.h"
#include "app/model/grid.h"
#include "app/model/signs.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::model {

/// One thing that the preview has found, the most important first.
struct PreviewFinding
{
    Tone tone = Tone::Neutral;
    QString text;
    /// The draft must not be saved so.
    bool isBar = false;

    bool operator==(const PreviewFinding&) const = default;
};

/// Decides the saved decisions of the last 24 hours again with a draft of the settings, against
/// the settings that stand. Reads a page at a time, so that others get their turn and a newer draft
/// takes its place at once. Lives in the GUI thread.
class SettingsPreview final
{
public:
    enum class State : std::uint8_t {
        Nothing, ///< there is no draft, or none that could be decided with
        Running,
        Done,
        Failed,
    };

    struct Question
    {
        reports::Terms base;
        reports::Terms draft;
        /// What the draft changes, for the findings.
        std::vector<reports::Change> changes;
    };

    SettingsPreview(Archive* archive, Clock clock, std::function<void()> changed);

    void start(Question question);
    void drop();
    void retry();

    [[nodiscard]] State state() const { return m_state; }

    /// Of the 24 hours, how far it has come back; 0 to 1.
    [[nodiscard]] double progress() const { return m_progress; }

    /// As far as it has come.
    [[nodiscard]] const reports::Replayed& replayed() const { return m_replayed; }

    [[nodiscard]] const std::optional<Error>& error() const { return m_asked->error(); }

    /// "412 of 52,310 decisions differ (0.8 %)".
    [[nodiscard]] QString headline() const;
    /// What else is known, each a label and a text.
    [[nodiscard]] std::vector<std::pair<QString, QString>> figures() const;
    /// Once it is done.
    [[nodiscard]] std::vector<PreviewFinding> findings() const;
    /// First choices by provider.
    [[nodiscard]] std::vector<GridRow> rows() const;
    [[nodiscard]] static std::vector<GridColumn> columns();

private:
    struct Slice
    {
        reports::Replayed replayed;
        std::vector<reports::RouteLoad> loads;
        std::optional<UtcTime> oldest;
        bool isLast = false;
    };

    struct Work;

    void askSlice();
    void take();

    Clock m_clock;
    std::function<void()> m_changed;
    State m_state = State::Nothing;
    std::optional<Question> m_question;
    UtcTime m_from{};
    UtcTime m_to{};
    double m_progress = 0.0;
    reports::Replayed m_replayed;
    std::vector<reports::RouteLoad> m_loads;
    std::shared_ptr<Work> m_work;
    std::unique_ptr<Asked<Slice>> m_asked;
};

} // namespace weir::model
