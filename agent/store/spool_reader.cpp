// SPDX-License-Identifier: Apache-2.0
#include "agent/store/record_codec.h"
#include "agent/store/spool_files.h"

#include <fcntl.h>

#include <algorithm>
#include <system_error>

namespace weir::store {
namespace {

/// More than one frame, so that a chunk always lets the reader move on.
constexpr std::size_t kChunkBytes = 1U << 20U;
static_assert(kChunkBytes > 2 * (kFrameHeadBytes + kPayloadBytesMax));

/// The id in a segment's head; 0 where the head is damaged or not written yet, which costs nothing
/// but the protection against a spool that was emptied by hand.
Result<std::uint64_t> segmentId(const File& file, const std::filesystem::path& path)
{
    const Result<std::string> head = readAt(file, 0, kSegmentHeadBytes, path);
    if (!head) return tl::unexpected(head.error());
    if (head->size() < kSegmentHeadBytes || !head->starts_with(kSegmentMagic)) return 0;
    std::uint64_t id = 0;
    for (std::size_t i = kSegmentMagic.size(); i < kSegmentHeadBytes; ++i) {
        id = id << 8U | static_cast<unsigned char>((*head)[i]);
    }
    // SQLite's integers are signed.
    return id >> 1U;
}

/// One pass over one segment.
class SegmentScan final
{
public:
    SegmentScan(
        const Segment& segment, const File& file, bool newest, std::size_t rowsMax, Take take)
        : m_segment(segment)
        , m_file(file)
        , m_newest(newest)
        , m_rowsMax(rowsMax)
        , m_take(take)
    {
    }

    /// Adds what stands from `offset` on to `batch`, and returns where the next scan begins.
    Result<std::uint64_t> run(std::uint64_t offset, SpoolBatch& batch)
    {
        while (offset < m_segment.bytes && batch.rows < m_rowsMax && !m_waiting) {
            const Result<std::string> chunk = readAt(m_file, offset, kChunkBytes, m_segment.path);
            if (!chunk) return tl::unexpected(chunk.error());
            if (chunk->empty()) break;
            offset += take(*chunk, chunk->size() < kChunkBytes, batch);
        }
        return offset;
    }

private:
    /// Takes whole frames off the front of `chunk`; returns the bytes that are done with.
    std::size_t take(std::string_view chunk, bool last, SpoolBatch& batch)
    {
        std::size_t at = 0;
        while (at < chunk.size() && batch.rows < m_rowsMax) {
            const Frame frame = frameAt(chunk.substr(at));
            if (frame.state == FrameState::Whole) {
                if (m_take == Take::Count)
                    ++batch.rows;
                else
                    add(frame, batch);
                at += frame.bytes;
                m_inDamage = false;
                continue;
            }
            if (frame.state == FrameState::Cut && !last) return at;
            const std::optional<std::size_t> next = nextFrame(chunk, at + 1);
            if (!next) return skipRest(chunk, at, last, batch);
            noteDamage(*next - at, batch);
            at = *next;
        }
        return at;
    }

    void add(const Frame& frame, SpoolBatch& batch)
    {
        Result<CallRecord> record = decodePayload(frame.payload);
        if (!record) return noteDamage(frame.bytes, batch);
        batch.records.push_back(std::move(*record));
        ++batch.rows;
    }

    /// No whole frame begins after `at` in this chunk: how far the scan goes on all the same.
    std::size_t skipRest(std::string_view chunk, std::size_t at, bool last, SpoolBatch& batch)
    {
        // The newest segment's end may be a frame that is being written.
        m_waiting = last && m_newest;
        if (m_waiting) return at;
        // A frame may begin in what is left of this chunk and end in the next.
        const std::size_t left = last ? 0 : kFrameHeadBytes + kPayloadBytesMax;
        const std::size_t next = std::max(at, chunk.size() - left);
        noteDamage(next - at, batch);
        return next;
    }

    /// A stretch of damage counts once, however many chunks it fills.
    void noteDamage(std::size_t bytes, SpoolBatch& batch)
    {
        if (!m_inDamage) ++batch.damaged;
        m_inDamage = true;
        batch.damagedBytes += bytes;
    }

    const Segment& m_segment;
    const File& m_file;
    bool m_newest;
    std::size_t m_rowsMax;
    Take m_take;
    bool m_waiting = false;
    bool m_inDamage = false;
};

} // namespace

SpoolReader::SpoolReader(std::filesystem::path folder)
    : m_folder(std::move(folder))
{
}

Result<SpoolBatch>
SpoolReader::read(const std::optional<SpoolPosition>& from, std::size_t rowsMax, Take take) const
{
    const Result<std::vector<Segment>> segments = segmentsIn(m_folder);
    if (!segments) return tl::unexpected(segments.error());
    SpoolBatch batch;
    batch.end = from;
    // Segments before the position's are done with, as long as the position's own is the one meant.
    auto first = segments->begin();
    std::uint64_t offset = kSegmentHeadBytes;
    if (from) {
        const auto named = std::find_if(segments->begin(), segments->end(), [&](const Segment& s) {
            return s.number == from->segment;
        });
        if (named != segments->end()) {
            const Result<File> file = openFile(named->path, O_RDONLY);
            if (!file) return tl::unexpected(file.error());
            const Result<std::uint64_t> id = segmentId(*file, named->path);
            if (!id) return tl::unexpected(id.error());
            if (*id == from->segmentId) {
                first = named;
                offset = from->offset;
            }
        }
    }
    for (auto segment = first; segment != segments->end(); ++segment) {
        if (batch.rows >= rowsMax) {
            batch.more = true;
            break;
        }
        const bool newest = segment + 1 == segments->end();
        // Being begun right now: its id is not there yet.
        if (newest && segment->bytes < kSegmentHeadBytes) break;
        const Result<File> file = openFile(segment->path, O_RDONLY);
        if (!file) return tl::unexpected(file.error());
        const Result<std::uint64_t> id = segmentId(*file, segment->path);
        if (!id) return tl::unexpected(id.error());
        SegmentScan scan(*segment, *file, newest, rowsMax, take);
        const Result<std::uint64_t> end = scan.run(offset, batch);
        if (!end) return tl::unexpected(end.error());
        batch.end = SpoolPosition{segment->number, *id, *end};
        batch.more = batch.rows >= rowsMax && *end < segment->bytes;
        offset = kSegmentHeadBytes;
    }
    return batch;
}

std::int64_t SpoolReader::bytesAfter(const std::optional<SpoolPosition>& position) const
{
    std::uint64_t bytes = 0;
    const Result<std::vector<Segment>> segments = segmentsIn(m_folder);
    if (!segments) return 0;
    for (const Segment& segment : *segments) {
        const bool own = position && segment.number == position->segment;
        const std::uint64_t done = own ? position->offset : kSegmentHeadBytes;
        bytes += segment.bytes - std::min(segment.bytes, done);
    }
    return static_cast<std::int64_t>(bytes);
}

Status<> SpoolReader::release(const SpoolPosition& position) const
{
    const Result<std::vector<Segment>> segments = segmentsIn(m_folder);
    if (!segments) return tl::unexpected(segments.error());
    for (const Segment& segment : *segments) {
        const bool newest = segment.number == segments->back().number;
        const bool done = segment.number < position.segment ||
                          (segment.number == position.segment && position.offset >= segment.bytes);
        if (newest || !done) break;
        std::error_code failed;
        std::filesystem::remove(segment.path, failed);
        if (failed)
            return fail("file", segment.path.string(), "cannot delete: " + failed.message());
    }
    return {};
}

} // namespace weir::store
