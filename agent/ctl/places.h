// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/command_line.h"
#include "agent/ctl/wire.h"
#include "agent/store/open.h"
#include "common/model/config.h"

#include <memory>
#include <optional>

namespace weir::ctl {

/// Where the agent and its store are, by the options and by the configuration that they name.
class Places final
{
public:
    /// Reads the configuration where one is named. Error code "bad_config".
    [[nodiscard]] static Result<Places> find(const Options& options, const config::EnvLookup& env);

    /// Error codes "bad_url" and "no_token".
    [[nodiscard]] Result<AgentAddress> agent() const;
    /// The agent's data plane: as `url` says, else as configured. Error code "bad_url".
    [[nodiscard]] Result<AgentAddress> dataPlane(const std::string& url) const;
    /// Error codes of the store's open, and "bad_store_url".
    [[nodiscard]] Result<std::unique_ptr<store::Database>> openStore() const;

    /// Brings the store's schema up to date; `now` goes into what is new. Error codes of the
    /// store's upgrade.
    [[nodiscard]] Result<store::Upgraded> upgradeStore(UtcTime now) const;

    [[nodiscard]] const std::optional<Config>& config() const { return m_config; }

private:
    Places(Options options, config::EnvLookup env);

    [[nodiscard]] std::string dataDir() const;
    [[nodiscard]] std::string storeUrl() const;

    Options m_options;
    config::EnvLookup m_env;
    std::optional<Config> m_config;
};

/// Who is at this terminal, for the audit.
[[nodiscard]] store::Authorship
authorship(const std::string& reason, const config::EnvLookup& env, UtcTime now);

} // namespace weir::ctl
