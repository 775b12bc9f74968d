// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/control.h"

#include "tests/fake_provider/session.h"

#include <simdjson.h>

#include <boost/beast/core/detail/base64.hpp>

#include <charconv>

namespace weir::fake {

namespace {

using Json = nlohmann::json;

std::string errorBody(std::string_view message)
{
    return Json{{"error", {{"message", message}}}}.dump();
}

std::string base64(std::string_view bytes)
{
    namespace codec = boost::beast::detail::base64;
    std::string text(codec::encoded_size(bytes.size()), '\0');
    text.resize(codec::encode(text.data(), bytes.data(), bytes.size()));
    return text;
}

/// Exact bytes either way: JSON can carry UTF-8 only, so anything else goes as base64.
void put(Json& object, const std::string& name, const std::string& bytes)
{
    if (simdjson::validate_utf8(bytes.data(), bytes.size()))
        object[name] = bytes;
    else
        object[name + "_base64"] = base64(bytes);
}

Json billBody(const Bill& bill)
{
    return {
        {"calls", bill.calls},
        {"input_uncached", bill.inputUncached},
        {"input_cached", bill.inputCached},
        {"cache_write", bill.cacheWrite},
        {"output", bill.output},
        {"micro_usd", bill.microUsd}};
}

std::string statsBody(const Counters& counters)
{
    Json statuses = Json::object();
    for (const auto& [status, count] : counters.statuses)
        statuses[std::to_string(status)] = count;
    Json billed = Json::object();
    for (const auto& [model, bill] : counters.billed)
        billed[model] = billBody(bill);
    return Json{
        {"connections_accepted", counters.connectionsAccepted},
        {"connections_open", counters.connectionsOpen},
        {"requests", counters.requests},
        {"in_flight", counters.inFlight},
        {"cancelled", counters.cancelled},
        {"bad_requests", counters.badRequests},
        {"keys_rejected", counters.keysRejected},
        {"tls_failures", counters.tlsFailures},
        {"bytes_in", counters.bytesIn},
        {"bytes_out", counters.bytesOut},
        {"statuses", statuses},
        {"billed", billed}}
        .dump();
}

std::string requestsBody(const Provider& provider, std::string_view query)
{
    std::size_t limit = provider.seen().size();
    constexpr std::string_view kLimit = "limit=";
    if (const auto at = query.find(kLimit); at != std::string_view::npos) {
        const std::string_view text = query.substr(at + kLimit.size());
        std::from_chars(text.data(), text.data() + text.size(), limit);
    }
    Json requests = Json::array();
    const auto& seen = provider.seen();
    for (std::size_t at = seen.size() - std::min(limit, seen.size()); at < seen.size(); ++at) {
        Json each{{"number", seen[at].number}};
        put(each, "head", seen[at].head);
        put(each, "body", seen[at].body);
        if (seen[at].billedMicroUsd) each["billed_micro_usd"] = *seen[at].billedMicroUsd;
        requests.push_back(std::move(each));
    }
    return Json{{"requests", std::move(requests)}}.dump();
}

ControlAnswer changeScript(Provider& provider, const std::string& body)
{
    const Json patch = Json::parse(body, nullptr, false);
    if (patch.is_discarded()) return {400, errorBody("the body is not JSON"), false};
    if (auto applied = provider.apply(patch, Clock::now()); !applied)
        return {400, errorBody(applied.error().text()), false};
    return {200, provider.document().dump(), true};
}

} // namespace

bool isControl(std::string_view target)
{
    return target.starts_with("/_");
}

ControlAnswer control(Provider& provider, const Incoming& incoming)
{
    const std::string_view target = incoming.target;
    const std::string_view path = target.substr(0, target.find('?'));
    const bool posted = incoming.method == "POST";
    if (path == "/_control" && posted) return changeScript(provider, incoming.seen.body);
    if (path == "/_control") return {200, provider.document().dump(), false};
    if (path == "/_reset" && posted) {
        provider.reset(Clock::now());
        return {200, statsBody(provider.counters), true};
    }
    if (path == "/_stats") return {200, statsBody(provider.counters), false};
    if (path == "/_requests")
        return {200, requestsBody(provider, target.substr(path.size())), false};
    return {404, errorBody("known: /_control, /_reset, /_stats, /_requests"), false};
}

} // namespace weir::fake
