// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/file.h"
#include "common/base/result.h"

#include <filesystem>
#include <string>

namespace weir::store {

/// An agent's data directory, locked for as long as the object lives, so that two agents never
/// share a spool. It holds `agent_id`, `secret`, `lock`, `spool/` and, with the embedded store,
/// `weir.db`.
class DataDir final
{
public:
    /// Creates what is missing. Errors: "data_dir_locked" (another agent runs on it), "data_dir".
    [[nodiscard]] static Result<DataDir> open(const std::filesystem::path& path);

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

    [[nodiscard]] std::filesystem::path spool() const { return m_path / "spool"; }

    /// 32 hexadecimal digits, drawn once and kept in the file `agent_id`.
    [[nodiscard]] const std::string& agentId() const { return m_agentId; }

    /// Who has a lease: the agent, and which copy of its directory on which machine since which
    /// boot. An agent that is started again is the same holder; a copy's is another, though the id
    /// was copied too.
    [[nodiscard]] const std::string& holder() const { return m_holder; }

    /// 64 hexadecimal digits: the key of conversation hashes and coins, which no client may know.
    /// Drawn once, in the file `secret`, until the fleet's is known.
    [[nodiscard]] const std::string& secret() const { return m_secret; }

    /// From now on the fleet's. Error code "bad_secret", "data_dir".
    [[nodiscard]] Status<> adoptSecret(const std::string& secret);

private:
    DataDir() = default;

    std::filesystem::path m_path;
    std::string m_agentId;
    std::string m_holder;
    std::string m_secret;
    File m_lock;
};

/// The file that a store URL names: "sqlite:" is weir.db in `dataDir`, "sqlite:/path" is that path.
/// Error "bad_store_url".
[[nodiscard]] Result<std::filesystem::path>
sqlitePath(const std::string& url, const std::filesystem::path& dataDir);

} // namespace weir::store
