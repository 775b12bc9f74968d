// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/respond.h"

#include "tests/fake_provider/stream.h"

#include <boost/beast/http/status.hpp>

#include <algorithm>

namespace weir::fake {

namespace {

constexpr std::string_view kHtmlPage =
    "<!DOCTYPE html>\n<html><head><title>Just a moment</title></head>"
    "<body><h1>Checking your browser</h1></body></html>\n";

bool has(const Script& script, std::string_view name)
{
    return std::any_of(script.headers.begin(), script.headers.end(), [&](const auto& each) {
        return std::equal(
            each.first.begin(), each.first.end(), name.begin(), name.end(), [](char a, char b) {
                return (a | 0x20) == (b | 0x20);
            });
    });
}

std::string jsonBody(const Script& script, const Plan& plan)
{
    switch (plan.fault) {
    case Fault::Html200:
        return std::string(kHtmlPage);
    case Fault::ErrorIn200:
    case Fault::ErrorFirstEvent:
    case Fault::ErrorAfter:
        return script.body ? *script.body : jsonError(plan, 529);
    case Fault::Empty:
        return "";
    case Fault::NoChoices:
        return "{}";
    default:
        break;
    }
    if (plan.status != 200) return script.body ? *script.body : jsonError(plan, plan.status);
    if (script.body) return *script.body;
    if (plan.endpoint == Endpoint::Models) return jsonModels(script.models);
    std::string body = jsonAnswer(plan, script.usage);
    if (plan.fault == Fault::MalformedJson) body.resize(body.size() / 2);
    return body;
}

/// Faults that need no body at all. Nothing if the answer is to go on.
net::awaitable<std::optional<After>> strikeBeforeHead(Wire& wire, const Script& script, Fault fault)
{
    switch (fault) {
    case Fault::Hang:
        co_await wire.waitGone();
        co_return After::PeerGone;
    case Fault::Reset:
        wire.closeWithReset();
        co_return After::Closed;
    case Fault::Close:
        wire.closeWithFin();
        co_return After::Closed;
    case Fault::GarbageHead:
        co_await wire.write("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n\r\n", script.segmentBytes);
        co_return After::Finish;
    default:
        co_return std::nullopt;
    }
}

std::string headOf(
    const Script& script,
    const Plan& plan,
    std::string_view type,
    std::string_view framing,
    bool closing)
{
    const auto reason = boost::beast::http::obsolete_reason(
        boost::beast::http::int_to_status(static_cast<unsigned>(plan.status)));
    std::string head = "HTTP/1.1 " + std::to_string(plan.status) + " ";
    head.append(plan.status == 529 ? "Overloaded" : std::string_view(reason.data(), reason.size()));
    head.append("\r\n");
    if (!has(script, "content-type"))
        head.append("Content-Type: ")
            .append(script.contentType.empty() ? type : std::string_view(script.contentType))
            .append("\r\n");
    head.append(framing).append("x-request-id: req_fake_").append(std::to_string(plan.number));
    head.append("\r\n");
    const std::string& wait = plan.retryAfter.empty() ? script.retryAfter : plan.retryAfter;
    if (plan.status != 200 && !wait.empty())
        head.append("Retry-After: ").append(wait).append("\r\n");
    for (const auto& [name, value] : script.headers)
        head.append(name).append(": ").append(value).append("\r\n");
    if (closing) head.append("Connection: close\r\n");
    return head.append("\r\n");
}

/// RST, once the peer has had a moment to read what was sent: a reset destroys the rest, and the
/// cut is to come after it.
net::awaitable<After> resetAfterDelivery(Wire& wire)
{
    const auto when = Clock::now() + std::chrono::milliseconds(20);
    if (!co_await wire.waitUntil(when)) co_return After::PeerGone;
    wire.closeWithReset();
    co_return After::Closed;
}

struct Framed
{
    std::string head;
    std::string body;
    bool ends = false; // the end of the connection is the end of the body
};

Framed framedJson(const Script& script, const Plan& plan, bool last)
{
    Framed out;
    out.body = jsonBody(script, plan);
    const std::string type =
        plan.fault == Fault::Html200 ? "text/html; charset=utf-8" : "application/json";
    std::string framing;
    if (script.framing == Framing::Close) {
        out.ends = true;
    } else if (script.framing == Framing::Chunked) {
        framing = "Transfer-Encoding: chunked\r\n";
        out.body = chunkOf(out.body).append(kLastChunk);
    } else {
        const std::size_t lie = plan.fault == Fault::ShortLength ? 64 : 0;
        framing = "Content-Length: " + std::to_string(out.body.size() + lie) + "\r\n";
    }
    out.head = headOf(script, plan, type, framing, last || out.ends);
    return out;
}

net::awaitable<After> respondWhole(Wire& wire, const Script& script, const Plan& plan, bool last)
{
    const Framed out = framedJson(script, plan, last);
    const std::uint64_t segment = script.segmentBytes;
    if (plan.fault == Fault::StallAfterHead) {
        if (!co_await wire.write(out.head, segment)) co_return After::PeerGone;
        co_await wire.waitGone();
        co_return After::PeerGone;
    }
    const bool cut = plan.fault == Fault::CutFin || plan.fault == Fault::CutRst ||
                     plan.fault == Fault::StallMidStream;
    const std::string bytes = out.head + (cut ? out.body.substr(0, out.body.size() / 2) : out.body);
    if (!co_await wire.write(bytes, segment)) co_return After::PeerGone;
    switch (plan.fault) {
    case Fault::CutFin:
        wire.closeWithFin();
        co_return After::Closed;
    case Fault::CutRst:
        co_return co_await resetAfterDelivery(wire);
    case Fault::StallMidStream:
        co_await wire.waitGone();
        co_return After::PeerGone;
    case Fault::ShortLength:
        co_return After::Finish;
    default:
        break;
    }
    co_return out.ends || last ? After::Finish : After::KeepOpen;
}

/// Waits for the step, with heart-beats if the script wants them.
net::awaitable<bool>
waitFor(Wire& wire, const Script& script, const StreamSteps& steps, Clock::time_point due)
{
    const auto beat = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double, std::milli>(script.heartbeatMs));
    const std::string comment = steps.heartbeat();
    while (beat > Clock::duration::zero() && Clock::now() + beat < due) {
        const auto next = Clock::now() + beat;
        if (!co_await wire.waitUntil(next)) co_return false;
        if (!co_await wire.write(comment, script.segmentBytes)) co_return false;
    }
    const bool here = co_await wire.waitUntil(due);
    co_return here;
}

net::awaitable<After> respondStream(Wire& wire, const Script& script, const Plan& plan, bool last)
{
    const auto start = Clock::now();
    const bool chunked = script.framing != Framing::Close;
    const std::string framing = chunked ? "Transfer-Encoding: chunked\r\n" : "";
    StreamSteps steps(
        script,
        plan,
        headOf(script, plan, "text/event-stream; charset=utf-8", framing, last || !chunked),
        last);
    for (;;) {
        const Step step = steps.next();
        if (step.due > Clock::duration::zero()) {
            const auto due = start + step.due;
            if (!co_await waitFor(wire, script, steps, due)) co_return After::PeerGone;
        }
        if (!co_await wire.write(step.bytes, script.segmentBytes)) co_return After::PeerGone;
        switch (step.then) {
        case Step::Then::Continue:
            break;
        case Step::Then::Keep:
            co_return After::KeepOpen;
        case Step::Then::Finish:
            co_return After::Finish;
        case Step::Then::CutFin:
            wire.closeWithFin();
            co_return After::Closed;
        case Step::Then::CutRst:
            co_return co_await resetAfterDelivery(wire);
        case Step::Then::Stall:
            co_await wire.waitGone();
            co_return After::PeerGone;
        }
    }
}

Clock::duration wholeDelay(const Plan& plan)
{
    if (plan.status != 200 || plan.tokensPerS <= 0) return plan.delay;
    const double seconds = static_cast<double>(plan.usage.output) / plan.tokensPerS;
    return plan.delay +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

} // namespace

net::awaitable<After>
respond(Wire& wire, const Script& script, const Plan& plan, bool lastOfConnection)
{
    if (auto struck = co_await strikeBeforeHead(wire, script, plan.fault)) co_return *struck;
    const bool streamable = plan.endpoint == Endpoint::Chat || plan.endpoint == Endpoint::Responses;
    const bool whole = !plan.stream || plan.status != 200 || !streamable ||
                       plan.fault == Fault::Html200 || plan.fault == Fault::ErrorIn200 ||
                       (script.body && plan.fault == Fault::None);
    if (!whole) co_return co_await respondStream(wire, script, plan, lastOfConnection);
    if (!co_await wire.waitUntil(Clock::now() + wholeDelay(plan))) co_return After::PeerGone;
    co_return co_await respondWhole(wire, script, plan, lastOfConnection);
}

net::awaitable<After> respondJson(Wire& wire, int status, const std::string& body)
{
    Plan plan;
    plan.status = status;
    const Script plain;
    const std::string framing = "Content-Length: " + std::to_string(body.size()) + "\r\n";
    const std::string bytes = headOf(plain, plan, "application/json", framing, false) + body;
    const bool written = co_await wire.write(bytes, 0);
    co_return written ? After::KeepOpen : After::PeerGone;
}

} // namespace weir::fake
