// SPDX-License-Identifier: Apache-2.0
#include "agent/store/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace weir::store {
namespace {

constexpr mode_t kOwnerAndGroup = 0640;

} // namespace

void File::close()
{
    if (m_descriptor >= 0) ::close(m_descriptor);
    m_descriptor = -1;
}

Error fileError(const std::filesystem::path& path, const char* verb)
{
    const int code = errno;
    const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
    return {
        full ? "disk_full" : "file",
        path.string(),
        std::string{"cannot "} + verb + ": " + std::generic_category().message(code)};
}

Result<File> openFile(const std::filesystem::path& path, int flags)
{
    File file{::open(path.c_str(), flags | O_CLOEXEC, kOwnerAndGroup)};
    if (!file.isOpen()) return tl::unexpected(fileError(path, "open"));
    return file;
}

Status<> writeAll(const File& file, std::string_view bytes, const std::filesystem::path& path)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.descriptor(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return tl::unexpected(fileError(path, "write"));
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<std::string>
readAt(const File& file, std::uint64_t offset, std::size_t size, const std::filesystem::path& path)
{
    std::string bytes(size, '\0');
    std::size_t filled = 0;
    while (filled < size) {
        const ssize_t got = ::pread(
            file.descriptor(),
            bytes.data() + filled,
            size - filled,
            static_cast<off_t>(offset + filled));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return tl::unexpected(fileError(path, "read"));
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    bytes.resize(filled);
    return bytes;
}

} // namespace weir::store
