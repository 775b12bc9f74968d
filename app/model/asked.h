// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/archive.h"
#include "app/model/clock.h"
#include "app/model/panel.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace weir::model {

/// One panel's question to the archive: the newest answer, how old it is, and what is the matter
/// where none comes. A new question drops the one before; the old answer stays until the new one
/// is there. Lives in the GUI thread.
template <class T>
class Asked final
{
public:
    using Read = std::function<Result<T>(store::Database&)>;

    /// `archive` may be null: then there is no store. `changed` is told of each answer.
    Asked(Archive* archive, Clock clock, std::function<void()> changed)
        : m_archive(archive)
        , m_state(std::make_shared<State>())
    {
        m_state->clock = std::move(clock);
        m_state->changed = std::move(changed);
    }

    ~Asked() { drop(); }

    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;

    void ask(Read read, Archive::Lane lane = Archive::Lane::Read)
    {
        if (m_archive == nullptr) return;
        drop();
        const auto dropped = std::make_shared<std::atomic<bool>>(false);
        m_state->dropped = dropped;
        const std::weak_ptr<State> state = m_state;
        const auto job = [state, dropped, read = std::move(read)](
                             Result<store::Database*> database) -> Archive::Show {
            auto answer = std::make_shared<Result<T>>(
                database ? read(**database) : Result<T>(tl::unexpected(database.error())));
            return [state, dropped, answer] {
                if (const auto asker = state.lock(); asker && !*dropped) take(*asker, *answer);
            };
        };
        m_archive->post(lane, job, dropped);
    }

    /// Nobody waits for an answer any more.
    void drop()
    {
        if (m_state->dropped) *m_state->dropped = true;
        m_state->dropped.reset();
    }

    void clear()
    {
        drop();
        m_state->value.reset();
        m_state->error.reset();
    }

    [[nodiscard]] bool hasArchive() const { return m_archive != nullptr; }

    [[nodiscard]] bool isAsking() const { return m_state->dropped != nullptr; }

    /// The last good answer; null before the first.
    [[nodiscard]] const T* value() const { return m_state->value ? &*m_state->value : nullptr; }

    /// When the last good answer came.
    [[nodiscard]] UtcTime at() const { return m_state->at; }

    /// Of the last question, where it failed.
    [[nodiscard]] const std::optional<Error>& error() const { return m_state->error; }

    /// Loading, Error or Live; what is empty only the caller knows.
    [[nodiscard]] PanelState panel() const
    {
        return askedPanel(m_archive != nullptr, value() != nullptr, error(), at());
    }

private:
    struct State
    {
        Clock clock;
        std::function<void()> changed;
        std::shared_ptr<std::atomic<bool>> dropped;
        std::optional<T> value;
        std::optional<Error> error;
        UtcTime at{};
    };

    static void take(State& state, Result<T>& answer)
    {
        state.dropped.reset();
        if (answer) {
            state.value = std::move(*answer);
            state.error.reset();
            state.at = state.clock();
        } else {
            state.error = answer.error();
        }
        // The last thing: whoever is told may ask anew.
        const auto changed = state.changed;
        changed();
    }

    Archive* m_archive;
    std::shared_ptr<State> m_state;
};

} // namespace weir::model
