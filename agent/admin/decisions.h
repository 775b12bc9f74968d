// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/call_record.h"
#include "common/model/config.h"
#include "common/model/summary.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::admin {

/// The last attempts, kept in memory so that people can ask at once why a request went where it
/// went; the ledger has all of them. Fed on the spool's thread, read on the admin thread.
class RecentDecisions final
{
public:
    static constexpr std::size_t kAttemptsMax = 1000;

    /// One attempt, with the configuration that its masks speak of.
    struct Entry
    {
        CallRecord record;
        std::shared_ptr<const Config> config;
    };

    /// One request's attempts, first attempt first.
    using Attempts = std::vector<Entry>;

    void add(std::span<const CallRecord> records, const std::shared_ptr<const Config>& config);

    /// At most `limit` requests, the one that ended last first.
    [[nodiscard]] std::vector<Attempts> newest(std::size_t limit) const;
    /// Empty where the request is not, or no longer, known.
    [[nodiscard]] Attempts find(std::string_view requestId) const;

private:
    mutable std::mutex m_mutex;
    /// A ring whose entries are overwritten in place: their strings keep their memory, so at
    /// thousands of attempts a second this costs next to nothing.
    std::vector<Entry> m_entries;
    /// The oldest entry, once the ring is full.
    std::size_t m_next = 0;
};

/// `/admin/v1/decisions`: one line a request.
[[nodiscard]] std::string decisionListJson(const std::vector<RecentDecisions::Attempts>& requests);

/// `/admin/v1/decisions/{request_id}`: what came in, which routes could serve, and every attempt as
/// in the ledger, with inputs, scores and reasons; `summary` is the newest one, or null. `attempts`
/// is not empty.
[[nodiscard]] std::string
decisionJson(const RecentDecisions::Attempts& attempts, const Summary* summary = nullptr);

} // namespace weir::admin
