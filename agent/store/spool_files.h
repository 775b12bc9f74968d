// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/file.h"
#include "common/base/result.h"
#include "common/model/call_record.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::store {

/// The spool on disk: a folder of append-only segments "0000000001.spool", each with a head that
/// holds a random id, then frames (record_codec.h). A writer never goes on in a segment that it did
/// not begin, so what a crash tore off stays at a segment's end. Segments are deleted when the
/// ledger has them.

inline constexpr std::string_view kSegmentMagic = "WEIRSPL1";
inline constexpr std::size_t kSegmentHeadBytes = 16;
inline constexpr std::size_t kSegmentBytesMax = 4U << 20U;

/// How far a spool has been read into the ledger. The id tells a segment from another of the same
/// number in a spool that was emptied by hand.
struct SpoolPosition
{
    std::uint64_t segment = 0;
    std::uint64_t segmentId = 0;
    std::uint64_t offset = 0;

    bool operator==(const SpoolPosition&) const = default;
};

struct Segment
{
    std::uint64_t number = 0;
    std::uint64_t bytes = 0;
    std::filesystem::path path;
};

/// Oldest first. An unreadable folder is an error, code "file"; a missing one is empty.
[[nodiscard]] Result<std::vector<Segment>> segmentsIn(const std::filesystem::path& folder);

/// Appends frames to segments. One owner, one thread.
class SpoolWriter final
{
public:
    /// `bytesMax` bounds the folder's segments together.
    SpoolWriter(std::filesystem::path folder, std::uint64_t bytesMax);

    /// Writes whole frames, or nothing of them. Error code "spool_full" above the limit or on a
    /// full disk, "spool" otherwise; after an error the same frames may be appended again.
    [[nodiscard]] Status<> append(std::string_view frames);

    /// Asks the disk to keep what was appended since the last call.
    [[nodiscard]] Status<> sync();

    [[nodiscard]] bool isDirty() const { return m_dirty; }

private:
    [[nodiscard]] Status<> openSegment();
    [[nodiscard]] Status<> makeRoom(std::size_t bytes);

    std::filesystem::path m_folder;
    std::uint64_t m_bytesMax;
    /// What the folder held when it was last looked at, and what was appended since.
    std::uint64_t m_folderBytes = 0;
    bool m_folderKnown = false;
    File m_file;
    std::filesystem::path m_path;
    std::uint64_t m_segmentBytes = 0;
    bool m_dirty = false;
};

/// What one `SpoolReader::read` found.
struct SpoolBatch
{
    std::vector<CallRecord> records;
    /// As many as there are records, or would be.
    std::size_t rows = 0;
    /// Where the next read begins; nothing as long as the spool holds nothing.
    std::optional<SpoolPosition> end;
    /// Stretches of bytes that were no whole frame: torn ends and damage.
    std::int64_t damaged = 0;
    std::uint64_t damagedBytes = 0;
    /// The segments hold more than this batch.
    bool more = false;
};

/// The records, or only how many there are, without a look into them.
enum class Take : std::uint8_t { Records, Count };

/// Reads segments in order. It holds no state but its place: the caller keeps the position.
class SpoolReader final
{
public:
    explicit SpoolReader(std::filesystem::path folder);

    /// At most `rowsMax` records from `from` on; a position whose segment is gone means the oldest
    /// segment that there is. The newest segment's unfinished end is left for the next read.
    [[nodiscard]] Result<SpoolBatch> read(
        const std::optional<SpoolPosition>& from,
        std::size_t rowsMax,
        Take take = Take::Records) const;

    /// What the segments hold after `position`.
    [[nodiscard]] std::int64_t bytesAfter(const std::optional<SpoolPosition>& position) const;

    /// Deletes the segments before the one of `position`, and that one too when it is read to its
    /// end and a newer one exists.
    [[nodiscard]] Status<> release(const SpoolPosition& position) const;

private:
    std::filesystem::path m_folder;
};

} // namespace weir::store
