// SPDX-License-Identifier: Apache-2.0
#include "agent/store/spool_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <system_error>

namespace weir::store {
namespace {

constexpr std::uint64_t kSegmentBytesMin = 4096;
/// A small spool is cut into pieces too, since only whole segments give their room back.
constexpr std::uint64_t kSegmentsMin = 8;

std::string segmentHead()
{
    // Only the id must differ from that of another segment of the same number.
    std::random_device device;
    std::string head{kSegmentMagic};
    for (int i = 0; i < 8; ++i)
        head.push_back(static_cast<char>(device()));
    return head;
}

std::filesystem::path segmentPath(const std::filesystem::path& folder, std::uint64_t number)
{
    std::string name = std::to_string(number);
    name.insert(0, 10 - std::min<std::size_t>(name.size(), 10), '0');
    return folder / (name + ".spool");
}

/// The segment's number, or 0 where the name is not a segment's.
std::uint64_t numberOf(const std::filesystem::path& path)
{
    const std::string stem = path.stem().string();
    const bool digits =
        std::all_of(stem.begin(), stem.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (path.extension() != ".spool" || !digits || stem.empty() || stem.size() > 18) return 0;
    return std::stoull(stem);
}

} // namespace

Result<std::vector<Segment>> segmentsIn(const std::filesystem::path& folder)
{
    std::vector<Segment> segments;
    std::error_code failed;
    for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        const std::uint64_t number = numberOf(at->path());
        if (number != 0) segments.push_back({number, 0, at->path()});
    }
    if (failed && failed != std::errc::no_such_file_or_directory) {
        return fail("file", folder.string(), "cannot list: " + failed.message());
    }
    std::sort(segments.begin(), segments.end(), [](const Segment& a, const Segment& b) {
        return a.number < b.number;
    });
    // Sizes only now: once the listing shows a newer segment, an older one grows no more.
    for (Segment& segment : segments) {
        std::error_code gone;
        const std::uint64_t bytes = std::filesystem::file_size(segment.path, gone);
        segment.bytes = gone ? 0 : bytes;
    }
    return segments;
}

SpoolWriter::SpoolWriter(std::filesystem::path folder, std::uint64_t bytesMax)
    : m_folder(std::move(folder))
    , m_bytesMax(bytesMax)
{
}

Status<> SpoolWriter::append(std::string_view frames)
{
    if (frames.empty()) return {};
    if (const Status<> room = makeRoom(frames.size() + kSegmentHeadBytes); !room) return room;
    const std::uint64_t segmentBytesMax =
        std::clamp<std::uint64_t>(m_bytesMax / kSegmentsMin, kSegmentBytesMin, kSegmentBytesMax);
    if (m_file.isOpen() && m_segmentBytes + frames.size() > segmentBytesMax) {
        if (const Status<> synced = sync(); !synced) return synced;
        m_file.close();
    }
    if (!m_file.isOpen()) {
        if (const Status<> opened = openSegment(); !opened) return opened;
    }
    if (const Status<> written = writeAll(m_file, frames, m_path); !written) {
        // What was written of it must not stay: the frames will be appended again.
        if (::ftruncate(m_file.descriptor(), static_cast<off_t>(m_segmentBytes)) != 0)
            m_file.close();
        m_folderKnown = false;
        return written;
    }
    m_segmentBytes += frames.size();
    m_folderBytes += frames.size();
    m_dirty = true;
    return {};
}

Status<> SpoolWriter::sync()
{
    if (!m_dirty || !m_file.isOpen()) return {};
    if (::fdatasync(m_file.descriptor()) != 0) return tl::unexpected(fileError(m_path, "sync"));
    m_dirty = false;
    return {};
}

Status<> SpoolWriter::openSegment()
{
    std::error_code failed;
    std::filesystem::create_directories(m_folder, failed);
    if (failed) return fail("file", m_folder.string(), "cannot create: " + failed.message());
    const Result<std::vector<Segment>> segments = segmentsIn(m_folder);
    if (!segments) return tl::unexpected(segments.error());
    m_path = segmentPath(m_folder, segments->empty() ? 1 : segments->back().number + 1);
    Result<File> file = openFile(m_path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
    if (!file) return tl::unexpected(file.error());
    const std::string head = segmentHead();
    if (const Status<> written = writeAll(*file, head, m_path); !written) {
        ::unlink(m_path.c_str());
        return written;
    }
    // Without this a power cut may take the file's name, and with it what fdatasync kept.
    const Result<File> folder = openFile(m_folder, O_RDONLY | O_DIRECTORY);
    if (folder) ::fsync(folder->descriptor());
    m_file = std::move(*file);
    m_segmentBytes = head.size();
    m_folderBytes += head.size();
    return {};
}

Status<> SpoolWriter::makeRoom(std::size_t bytes)
{
    if (m_folderKnown && m_folderBytes + bytes <= m_bytesMax) return {};
    // Segments that the ledger released give their room back.
    const Result<std::vector<Segment>> segments = segmentsIn(m_folder);
    if (!segments) return tl::unexpected(segments.error());
    m_folderBytes = 0;
    for (const Segment& segment : *segments)
        m_folderBytes += segment.bytes;
    m_folderKnown = true;
    if (m_folderBytes + bytes <= m_bytesMax) return {};
    return fail(
        "disk_full",
        m_folder.string(),
        "the spool has reached limits.spool_bytes (" + std::to_string(m_bytesMax) + ")");
}

} // namespace weir::store
