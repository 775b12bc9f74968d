// SPDX-License-Identifier: Apache-2.0
#include "agent/store/data_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <system_error>

namespace weir::store {
namespace {

constexpr std::size_t kAgentIdDigits = 32;
constexpr std::size_t kSecretDigits = 64;

bool isHex(std::string_view text, std::size_t digits)
{
    return text.size() == digits && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

std::string drawHex(std::size_t digits)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::random_device device;
    std::string text;
    for (std::size_t i = 0; i < digits; ++i)
        text.push_back(kDigits[device() % 16]);
    return text;
}

tl::unexpected<Error> inDataDir(Error error)
{
    error.code = "data_dir";
    return tl::unexpected(std::move(error));
}

/// The name appears only with the whole text in it, so that a crash cannot leave half of it.
Status<> keep(const std::filesystem::path& path, const std::string& text)
{
    std::filesystem::path draft = path;
    draft += ".new";
    {
        const Result<File> file = openFile(draft, O_WRONLY | O_CREAT | O_TRUNC);
        if (!file) return inDataDir(file.error());
        // Whoever knows it knows which of two callers' conversations goes where.
        ::fchmod(file->descriptor(), 0600);
        if (const Status<> written = writeAll(*file, text + '\n', draft); !written) {
            return inDataDir(written.error());
        }
        ::fsync(file->descriptor());
    }
    std::error_code failed;
    std::filesystem::rename(draft, path, failed);
    if (failed) return fail("data_dir", path.string(), "cannot create: " + failed.message());
    return {};
}

/// What the file holds, or as many digits, drawn and written there.
Result<std::string> hexIn(const std::filesystem::path& path, std::size_t digits)
{
    std::error_code failed;
    if (std::filesystem::exists(path, failed)) {
        const Result<File> file = openFile(path, O_RDONLY);
        if (!file) return inDataDir(file.error());
        Result<std::string> text = readAt(*file, 0, digits + 1, path);
        if (!text) return inDataDir(text.error());
        if (text->ends_with('\n')) text->pop_back();
        if (isHex(*text, digits)) return text;
        return fail(
            "data_dir",
            path.string(),
            "does not hold " + std::to_string(digits) +
                " hexadecimal digits; delete it to have new ones drawn");
    }
    std::string drawn = drawHex(digits);
    if (const Status<> kept = keep(path, drawn); !kept) return tl::unexpected(kept.error());
    return drawn;
}

/// The lock file holds the owner's process id, for people only: the lock itself is the kernel's and
/// ends with the process.
Result<File> lockIn(const std::filesystem::path& folder)
{
    const std::filesystem::path path = folder / "lock";
    Result<File> file = openFile(path, O_RDWR | O_CREAT);
    if (!file) return inDataDir(file.error());
    if (::flock(file->descriptor(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return inDataDir(fileError(path, "lock"));
        const Result<std::string> owner = readAt(*file, 0, 20, path);
        const std::string pid = owner ? owner->substr(0, owner->find('\n')) : std::string{};
        return fail(
            "data_dir_locked",
            folder.string(),
            "another weir-agent" + (pid.empty() ? "" : " (process " + pid + ")") +
                " uses this data directory; give each agent its own with --data-dir");
    }
    const std::string pid = std::to_string(::getpid()) + '\n';
    if (::ftruncate(file->descriptor(), 0) != 0) return inDataDir(fileError(path, "write"));
    if (const Status<> written = writeAll(*file, pid, path); !written) {
        return inDataDir(written.error());
    }
    return file;
}

/// Differs between two files that exist at a time, wherever they are.
std::string placeOf(const File& file)
{
    const std::filesystem::path bootId = "/proc/sys/kernel/random/boot_id";
    std::string place;
    if (const Result<File> boot = openFile(bootId, O_RDONLY)) {
        place = readAt(*boot, 0, 36, bootId).value_or(std::string{});
    }

    struct stat about
    {
    };

    if (::fstat(file.descriptor(), &about) == 0) {
        place += ' ' + std::to_string(about.st_dev) + ' ' + std::to_string(about.st_ino);
    }
    return place;
}

} // namespace

Result<DataDir> DataDir::open(const std::filesystem::path& path)
{
    std::error_code failed;
    const bool created = std::filesystem::create_directories(path, failed);
    if (failed) return fail("data_dir", path.string(), "cannot create: " + failed.message());
    // The ledger is nobody else's business; a directory that was there keeps what its owner chose.
    if (created) ::chmod(path.c_str(), 0750);
    DataDir dir;
    dir.m_path = std::filesystem::absolute(path, failed);
    if (failed) return fail("data_dir", path.string(), failed.message());
    Result<File> lock = lockIn(dir.m_path);
    if (!lock) return tl::unexpected(lock.error());
    dir.m_lock = std::move(*lock);
    Result<std::string> id = hexIn(dir.m_path / "agent_id", kAgentIdDigits);
    if (!id) return tl::unexpected(id.error());
    dir.m_agentId = std::move(*id);
    dir.m_holder = dir.m_agentId + ' ' + placeOf(dir.m_lock);
    Result<std::string> secret = hexIn(dir.m_path / "secret", kSecretDigits);
    if (!secret) return tl::unexpected(secret.error());
    dir.m_secret = std::move(*secret);
    std::filesystem::create_directories(dir.spool(), failed);
    if (failed) return fail("data_dir", dir.spool().string(), "cannot create: " + failed.message());
    return dir;
}

Status<> DataDir::adoptSecret(const std::string& secret)
{
    if (secret == m_secret) return {};
    if (!isHex(secret, kSecretDigits)) {
        return fail("bad_secret", "fleet_secret", "is not 64 hexadecimal digits");
    }
    if (Status<> kept = keep(m_path / "secret", secret); !kept) return kept;
    m_secret = secret;
    return {};
}

Result<std::filesystem::path>
sqlitePath(const std::string& url, const std::filesystem::path& dataDir)
{
    constexpr std::string_view kScheme = "sqlite:";
    if (!url.starts_with(kScheme)) {
        return fail(
            "bad_store_url",
            "store.url",
            "must be \"sqlite:\" (weir.db in the data directory), \"sqlite:/path/weir.db\" or "
            "\"postgresql://…\"");
    }
    const std::string path = url.substr(kScheme.size());
    if (path.empty()) return dataDir / "weir.db";
    if (path.front() != '/') {
        return fail("bad_store_url", "store.url", "the path after sqlite: must begin with /");
    }
    return std::filesystem::path{path};
}

} // namespace weir::store
