// SPDX-License-Identifier: Apache-2.0
#include "tests/config/sample.h"

#include <map>

namespace weir::config {

namespace {

constexpr const char* kExample = R"([agent]
listen = "127.0.0.1:8790"
admin_listen = "127.0.0.1:8791"
service = "code-review"              # the service this agent runs beside
threads = 1                          # worker threads; 1 is enough for a sidecar
client_keys_env = ""

[store]
url = "sqlite:"                      # sqlite: = weir.db in the data dir; or postgresql://…
redis = ""                           # empty = in process

[provider.baseten]
protocol = "openai"                  # openai | anthropic
base_url = "https://inference.baseten.co/v1"
api_key_env = "BASETEN_API_KEY"
connect_timeout_ms = 2000
ttft_timeout_ms = 60000
idle_timeout_ms = 30000

[provider.fireworks]
base_url = "https://api.fireworks.ai/inference/v1/"
api_key_env = "FIREWORKS_API_KEY"
stream_options = false
ca_file = "/etc/weir/ca.pem"

[model."glm-5.2"]
fixed_order = ["baseten", "fireworks"]   # the order used in fixed mode and as the fail-safe

[[model."glm-5.2".route]]
provider = "baseten"
upstream_model = "zai-org/GLM-5.2"
region = "us"
price = { input = 0.60, cached_input = 0.11, cache_write = 0.60, output = 2.20 }
context_tokens = 200000
max_output_tokens = 32768
capabilities = ["stream", "tools", "json_schema", "images"]
terms = ["no_retention"]

[[model."glm-5.2".route]]
provider = "fireworks"
upstream_model = "accounts/fireworks/models/glm-5p2"
price = { input = 0.000001, output = 1000000 }

[task.code-review]
models = ["glm-5.2"]                 # the ladder: first is L0
deadline_ms = 60000
quality_floor = 0.0
mid_stream = "error"                 # error | restart | continue
hedge = false

[timing]
summary_interval_s = 300
summary_max_age_s = 900
settings_poll_s = 2
settings_grace_s = 15
breaker_open_s = 15
ledger_flush_ms = 1000
drain_s = 30

[limits]
head_bytes = 65536
body_bytes = 67108864
sse_line_bytes = 16777216
client_connections = 10000
client_write_stall_s = 30
client_idle_s = 120
total_s = 600
spool_bytes = 1073741824
)";

} // namespace

const std::string& contractExample()
{
    static const std::string kText = kExample;
    return kText;
}

std::string smallest(const std::string& section, const std::string& insert)
{
    std::string text = "[agent]\n"
                       "[provider.a]\n"
                       "base_url = \"https://a.example/v1\"\n"
                       "[model.m]\n"
                       "[[model.m.route]]\n"
                       "provider = \"a\"\n"
                       "upstream_model = \"up\"\n";
    const std::size_t at = section.empty() ? std::string::npos : text.find(section + '\n');
    if (at == std::string::npos) return text + (section.empty() ? "" : section + '\n') + insert;
    return text.insert(at + section.size() + 1, insert);
}

EnvLookup sampleEnvironment()
{
    return [](const std::string& name) -> std::optional<std::string> {
        static const std::map<std::string, std::string> kVariables{
            {"BASETEN_API_KEY", "canary-baseten"},
            {"FIREWORKS_API_KEY", "canary-fireworks"},
            {"KEY_A", "canary-a"},
            {"KEY_B", "canary-b"},
            {"ADMIN_TOKEN", "canary-admin"},
            {"EMPTY", ""},
            {"BROKEN", "canary-broken\n"}};
        const auto found = kVariables.find(name);
        return found == kVariables.end() ? std::nullopt : std::optional{found->second};
    };
}

std::string errorsOf(const std::string& text)
{
    const LoadResult result = loadText(text, "weir.toml", sampleEnvironment());
    std::string lines;
    if (result) return lines;
    for (const ConfigError& error : result.error()) {
        lines += (lines.empty() ? "" : "\n") + error.text();
    }
    return lines;
}

} // namespace weir::config
