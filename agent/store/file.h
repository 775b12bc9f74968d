// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace weir::store {

/// An open file descriptor, closed at the end of its life.
class File final
{
public:
    File() = default;

    explicit File(int descriptor)
        : m_descriptor(descriptor)
    {
    }

    ~File() { close(); }

    File(File&& other) noexcept
        : m_descriptor(std::exchange(other.m_descriptor, -1))
    {
    }

    File& operator=(File&& other) noexcept
    {
        std::swap(m_descriptor, other.m_descriptor);
        return *this;
    }

    File(const File&) = delete;
    File& operator=(const File&) = delete;

    [[nodiscard]] bool isOpen() const { return m_descriptor >= 0; }

    [[nodiscard]] int descriptor() const { return m_descriptor; }

    void close();

private:
    int m_descriptor = -1;
};

/// What errno says of `path`; code "disk_full" where it has no room or a limit forbids more.
[[nodiscard]] Error fileError(const std::filesystem::path& path, const char* verb);

/// `flags` as for open(2); always close-on-exec.
[[nodiscard]] Result<File> openFile(const std::filesystem::path& path, int flags);

/// Writes all of it, however many calls that takes.
[[nodiscard]] Status<>
writeAll(const File& file, std::string_view bytes, const std::filesystem::path& path);

/// At most `size` bytes from `offset`; fewer at the end of the file.
[[nodiscard]] Result<std::string>
readAt(const File& file, std::uint64_t offset, std::size_t size, const std::filesystem::path& path);

} // namespace weir::store
