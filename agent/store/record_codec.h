// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/model/call_record.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::store {

/// The spool's form of a record. A frame is
///     magic "WEr1" | payload length, u32 | CRC-32C of length and payload, u32 | payload
/// in little-endian order; the payload begins with the format's version. Words, not enum numbers,
/// stand for outcome, mode, reason and protocol, so that a spool written before an upgrade still
/// says what was meant.

inline constexpr std::size_t kFrameHeadBytes = 12;
/// A text is cut here: enough for any 256 code points, which is what the ledger keeps of it.
inline constexpr std::size_t kSpoolTextBytesMax = 1024;
/// No frame is longer; a greater length in a frame's head is damage.
inline constexpr std::size_t kPayloadBytesMax = 65536;
/// A longer decision record is left out: a part of one says nothing.
inline constexpr std::size_t kDecisionBytesMax = 32768;

/// Appends the frame of `record` to `out`.
void appendFrame(const CallRecord& record, std::string& out);

/// Error code "bad_record": not a payload of a version that this program knows.
[[nodiscard]] Result<CallRecord> decodePayload(std::string_view payload);

enum class FrameState : std::uint8_t {
    Whole,
    /// The bytes end before the frame does: still being written, or torn off by a crash.
    Cut,
    /// Not a frame, or its checksum does not hold.
    Damaged,
};

struct Frame
{
    FrameState state = FrameState::Cut;
    std::string_view payload;
    /// Head and payload together; 0 unless whole.
    std::size_t bytes = 0;
};

/// Looks at the frame at the front of `bytes`.
[[nodiscard]] Frame frameAt(std::string_view bytes);

/// Where the next whole frame begins at or after `from`, if there is one.
[[nodiscard]] std::optional<std::size_t> nextFrame(std::string_view bytes, std::size_t from);

} // namespace weir::store
