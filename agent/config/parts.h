// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/config/section.h"

namespace weir::config {

/// What a name of the file may look like.
enum class NameKind : std::uint8_t {
    /// Letters, digits, dot, dash and underscore, at most 64: services, providers, tasks, terms.
    Plain,
    /// Also / : @ and +, at most 128: models, upstream models, regions.
    Wide,
};

/// Nothing where the name is fit, else what is wrong with it.
[[nodiscard]] std::optional<std::string> faultOfName(std::string_view name, NameKind kind);

/// The keys of a table, which must outlive them.
[[nodiscard]] std::vector<std::string_view> keysOf(const toml::table* table);

/// A secret out of the environment. `value` is where its name stands. Reports a variable that is
/// not set, empty, or holds what no HTTP field can carry.
[[nodiscard]] Secret
secretFrom(const Located& variable, std::string_view key, Section& section, const EnvLookup& env);

/// A list of words, each with an optional `*` at its end for any rest; empty where the key is not
/// there.
[[nodiscard]] std::vector<std::string> readPatterns(Section& section, std::string_view key);

[[nodiscard]] AgentConfig readAgent(Section section, const EnvLookup& env);
[[nodiscard]] StoreConfig readStore(Section section, const EnvLookup& env);
[[nodiscard]] TimingConfig readTiming(Section section);
[[nodiscard]] LimitsConfig readLimits(Section section);

using Providers = std::map<std::string, ProviderConfig, std::less<>>;
using Models = std::map<std::string, ModelConfig, std::less<>>;
using Tasks = std::map<std::string, TaskConfig, std::less<>>;

/// Broken providers are kept too, so that their routes are not reported as well.
[[nodiscard]] Providers readProviders(Section section, const EnvLookup& env);
[[nodiscard]] Models readModels(Section section, const Providers& providers, Faults& faults);
[[nodiscard]] Tasks readTasks(Section section, const Models& models);

} // namespace weir::config
