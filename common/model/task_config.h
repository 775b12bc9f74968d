// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

enum class MidStream : std::uint8_t { Error, Restart, Continue };

[[nodiscard]] std::string_view toWord(MidStream policy);

/// Levels of the degradation ladder (contract section 2): the first choice, an equivalent,
/// something smaller, an answer that no model makes, an honest failure.
inline constexpr int kLevelAnswer = 3;
inline constexpr int kLevelFailure = 4;

/// Only batch work may be shed where capacity is short (seed document 001).
enum class Priority : std::uint8_t { Interactive, Batch };

[[nodiscard]] std::string_view toWord(Priority priority);
[[nodiscard]] std::optional<Priority> priorityFromWord(std::string_view word);

/// A candidate that gets a copy of a share of the requests, whose answers nobody sees, to be
/// compared with the answer that was given (seed document 003, "A/B production checks").
struct MirrorConfig
{
    std::string model;
    /// Of the task's answered requests, in ppm.
    std::int64_t sharePpm = 10'000;
    /// The model that grades both answers; empty = they are compared without a grade.
    std::string grader;
};

struct TaskConfig
{
    std::string name;
    /// The ladder, best first: the first is L0, the second L1, all further ones L2.
    std::vector<std::string> models;
    /// The model whose route is a retrieval or cache endpoint (L3); empty = none.
    std::string answerModel;
    /// What a caller is told where nothing of all that could serve (L4); empty = the provider's own
    /// words.
    std::string failureText;
    /// When to come back, where no provider has said so.
    std::optional<std::chrono::seconds> failureRetryAfter;
    /// A worse answer than this is not wanted: 0 to 4.
    int lowestLevel = kLevelFailure;
    std::chrono::milliseconds deadline{60000};
    double qualityFloor = 0.0;
    MidStream midStream = MidStream::Error;
    bool hedge = false;
    /// Where the request does not say it.
    Priority priority = Priority::Interactive;
    std::optional<MirrorConfig> mirror;
};

} // namespace weir
