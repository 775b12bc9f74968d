// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/client_request.h"

#include "agent/http/write.h"
#include "agent/proxy/cors.h"
#include "common/base/text.h"

#include <array>
#include <charconv>
#include <utility>

namespace weir::proxy {
namespace {

constexpr std::int64_t kDeadlineMsMax = 3'600'000;
constexpr std::size_t kWordsBytesMax = 256;

/// An allow-list (wire case B138), each for upstreams of its protocol alone: whatever else a client
/// sends, cookies, keys, trace baggage, stays here. `anthropic-beta` goes by a list of its own.
constexpr std::array<std::string_view, 2> kForwarded = {"anthropic-version", "openai-beta"};

/// Of `X-Weir-Caller`.
constexpr std::size_t kCallerCharactersMax = 64;

/// In the order of contract section 2: the first one that is there names the conversation.
constexpr std::array<std::string_view, 5> kConversationFields = {
    "x-weir-conversation-id",
    "x-session-id",
    "session_id",
    "x-session-affinity",
    "x-claude-code-session-id"};

ApiPath endpointOf(std::string_view path)
{
    if (path == "/v1/chat/completions") return ApiPath::ChatCompletions;
    if (path == "/v1/messages") return ApiPath::Messages;
    if (path == "/v1/responses") return ApiPath::Responses;
    if (path == "/v1/embeddings") return ApiPath::Embeddings;
    if (path == "/v1/models") return ApiPath::Models;
    return ApiPath::Unknown;
}

/// Whose key it is; nothing where it is nobody's.
std::optional<std::size_t> ownerOf(const AgentConfig& agent, std::string_view candidate)
{
    // All keys are compared, whichever matches: the time tells nothing.
    std::optional<std::size_t> owner;
    for (std::size_t i = 0; i < agent.clientKeys.size(); ++i) {
        if (agent.clientKeys[i].equals(candidate)) owner = i;
    }
    return owner;
}

std::string_view bearer(std::string_view value)
{
    constexpr std::string_view kScheme = "bearer ";
    if (value.size() < kScheme.size() ||
        !equalsIgnoreCase(value.substr(0, kScheme.size()), kScheme)) {
        return {};
    }
    return trimmed(value.substr(kScheme.size()));
}

std::optional<std::chrono::milliseconds> readDeadline(std::string_view value)
{
    std::int64_t ms = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), ms);
    if (error != std::errc{} || end != value.data() + value.size() || ms <= 0) return std::nullopt;
    return std::chrono::milliseconds{std::min(ms, kDeadlineMsMax)};
}

std::optional<SortBy> readSort(std::string_view value)
{
    if (equalsIgnoreCase(value, "score")) return SortBy::Score;
    if (equalsIgnoreCase(value, "price")) return SortBy::Price;
    if (equalsIgnoreCase(value, "speed")) return SortBy::Speed;
    return std::nullopt;
}

std::optional<int> readLevel(std::string_view value)
{
    const bool fits = value.size() == 2 && (value[0] == 'L' || value[0] == 'l') &&
                      value[1] >= '0' && value[1] <= '4';
    return fits ? std::optional{value[1] - '0'} : std::nullopt;
}

std::optional<Priority> readPriority(std::string_view value)
{
    for (const Priority priority : {Priority::Interactive, Priority::Batch}) {
        if (equalsIgnoreCase(value, toWord(priority))) return priority;
    }
    return std::nullopt;
}

/// `target` becomes what the value says, or the request has a bad field.
template <class T>
void take(
    std::optional<T> said,
    std::optional<T>& target,
    std::string_view name,
    std::string_view wants,
    ClientRequest& request)
{
    target = said;
    if (said) return;
    request.badField = name;
    request.badFieldWants = wants;
}

/// Lines of one name are one list (RFC 9110 section 5.3). One that says nothing, or more than is
/// kept of it, must not pass for one that demands nothing.
void addWords(
    std::string_view value, std::string& list, std::string_view name, ClientRequest& request)
{
    if (!list.empty()) list += ',';
    list += value;
    if (!listElements(value).empty() && list.size() <= kWordsBytesMax) {
        list = cleaned(list);
        return;
    }
    request.badField = name;
    request.badFieldWants = "words, separated by commas, of 256 characters together at most";
}

/// Weir's own fields (contract section 2).
void readWeirField(std::string_view name, std::string_view value, ClientRequest& request)
{
    if (equalsIgnoreCase(name, "x-weir-task-id")) request.taskId = cleaned(value);
    if (equalsIgnoreCase(name, "x-weir-task-type")) request.taskType = cleaned(value);
    if (equalsIgnoreCase(name, "x-weir-caller")) {
        request.caller = cleaned(trimmed(value), kCallerCharactersMax);
    }
    if (equalsIgnoreCase(name, "x-weir-region")) {
        addWords(value, request.regions, "X-Weir-Region", request);
    }
    if (equalsIgnoreCase(name, "x-weir-terms")) {
        addWords(value, request.terms, "X-Weir-Terms", request);
    }
    if (equalsIgnoreCase(name, "x-weir-single-shot")) {
        request.singleShot = equalsIgnoreCase(value, "true");
    }
    if (equalsIgnoreCase(name, "x-weir-eval")) request.eval = equalsIgnoreCase(value, "true");
    if (equalsIgnoreCase(name, "x-weir-metadata")) {
        request.metadata = equalsIgnoreCase(value, "enabled");
    }
    if (equalsIgnoreCase(name, "x-weir-deadline-ms")) {
        constexpr std::string_view kWants = "a whole number of milliseconds above 0";
        take(readDeadline(value), request.deadline, "X-Weir-Deadline-Ms", kWants, request);
    }
    if (equalsIgnoreCase(name, "x-weir-priority")) {
        constexpr std::string_view kWants = "interactive or batch";
        take(readPriority(value), request.priority, "X-Weir-Priority", kWants, request);
    }
    if (equalsIgnoreCase(name, "x-weir-lowest-level")) {
        constexpr std::string_view kWants = "L0 to L4";
        take(readLevel(value), request.lowestLevel, "X-Weir-Lowest-Level", kWants, request);
    }
    if (equalsIgnoreCase(name, "x-weir-sort")) {
        constexpr std::string_view kWants = "score, price or speed";
        take(readSort(value), request.sort, "X-Weir-Sort", kWants, request);
    }
}

bool isWeirField(std::string_view name)
{
    constexpr std::string_view kPrefix = "x-weir-";
    return name.size() > kPrefix.size() &&
           equalsIgnoreCase(name.substr(0, kPrefix.size()), kPrefix);
}

template <std::size_t N>
std::size_t indexOf(const std::array<std::string_view, N>& names, std::string_view name)
{
    std::size_t i = 0;
    while (i < N && !equalsIgnoreCase(names[i], name))
        ++i;
    return i;
}

} // namespace

protocol::Api apiOf(ApiPath path)
{
    switch (path) {
    case ApiPath::Messages:
        return protocol::Api::Messages;
    case ApiPath::Responses:
        return protocol::Api::Responses;
    case ApiPath::Embeddings:
        return protocol::Api::Embeddings;
    default:
        return protocol::Api::ChatCompletions;
    }
}

std::string_view methodsOf(ApiPath path)
{
    return path == ApiPath::Models ? "GET, HEAD" : "POST";
}

ClientRequest readClientRequest(const http::RequestHead& head, const Config& config)
{
    ClientRequest request;
    request.keepAlive = head.keepAlive;
    request.expectContinue = head.expectContinue;
    request.versionMinor = head.versionMinor;
    request.framing = head.framing;
    request.contentLength = head.contentLength;
    const std::size_t question = head.target.find('?');
    if (question != std::string_view::npos) request.query = head.target.substr(question);
    request.endpoint = endpointOf(head.target.substr(0, question));
    request.headOnly = head.method == "HEAD";
    const bool reads = head.method == "GET" || request.headOnly;
    request.methodMatches = request.endpoint == ApiPath::Models ? reads : head.method == "POST";
    request.cors = corsFields(config.agent.corsOrigins, head);
    request.preflight =
        request.endpoint != ApiPath::Unknown && isPreflight(config.agent.corsOrigins, head);
    if (request.preflight) request.cors += preflightFields(head, methodsOf(request.endpoint));

    std::size_t bestConversation = kConversationFields.size();
    std::string_view key;
    std::optional<std::string_view> apiKey;
    for (const http::Field& field : head.fields) {
        if (isWeirField(field.name)) readWeirField(field.name, field.value, request);
        if (equalsIgnoreCase(field.name, "authorization")) key = bearer(field.value);
        if (equalsIgnoreCase(field.name, "x-api-key")) apiKey = field.value;
        if (equalsIgnoreCase(field.name, "anthropic-version")) request.hasAnthropicVersion = true;
        if (equalsIgnoreCase(field.name, "anthropic-beta")) {
            if (!request.betas.empty()) request.betas += ',';
            request.betas += field.value;
        }
        if (indexOf(kForwarded, field.name) < kForwarded.size()) {
            http::appendField(request.forwarded, field.name, field.value);
        }
        const std::size_t conversation = indexOf(kConversationFields, field.name);
        if (conversation < bestConversation) {
            bestConversation = conversation;
            request.conversation = cleaned(field.value);
        }
    }
    const bool either = request.endpoint == ApiPath::Models || request.endpoint == ApiPath::Unknown;
    const bool anthropic = request.endpoint == ApiPath::Messages ||
                           (either && (request.hasAnthropicVersion || apiKey));
    request.protocol = anthropic ? Protocol::Anthropic : Protocol::OpenAi;
    // Some SDKs send both fields, one of them with a placeholder.
    const AgentConfig& agent = config.agent;
    std::optional<std::size_t> owner = ownerOf(agent, key);
    if (const auto byKey = apiKey ? ownerOf(agent, *apiKey) : std::nullopt) owner = byKey;
    request.authorised = owner || agent.clientKeys.empty();
    // Whose key it is says more than what the client calls itself.
    if (owner && *owner < agent.clientKeyNames.size()) {
        request.caller = agent.clientKeyNames[*owner];
    }
    return request;
}

} // namespace weir::proxy
