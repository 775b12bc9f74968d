// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/proxy/attempt.h"
#include "agent/proxy/record.h"
#include "agent/proxy/route_choice.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace weir::proxy {

/// A request that Weir itself asks, as if a client had sent it.
struct InnerRequest
{
    std::shared_ptr<const Runtime> runtime;
    std::shared_ptr<const Control> control;
    ClientRequest request;
    protocol::RequestFacts facts;
    BodyBuffer body;
    /// With an id of its own; the rest is what the ledger is to say.
    RequestIdentity identity;
};

struct InnerAnswer
{
    enum class End : std::uint8_t {
        /// There was an attempt, good or bad.
        Tried,
        /// No route of the model may serve it.
        Ineligible,
        /// No gate has room for it.
        Denied
    };

    End end = End::Tried;
    /// Of the attempt.
    const RouteRuntime* route = nullptr;
    AttemptResult result;
    AttemptTimes times;
};

/// One call that no user waits for and whose answer nobody but Weir sees. It keeps every rule that
/// a client's request keeps (eligibility, breakers, holds), gives way to all of those at the gate,
/// and is tried once: no retry, no failover, no pin. Its attempt is in the ledger under `flag`.
class InnerCall final
{
public:
    /// `textMax`: of the answer's text, in bytes as written; a longer one is not kept.
    InnerCall(
        Service& service,
        InnerRequest& request,
        const ModelRuntime& model,
        CallFlag flag,
        std::size_t textMax);

    [[nodiscard]] net::Task<InnerAnswer> run();

    /// Ends as `ClientCancelled`.
    void cancel();

private:
    [[nodiscard]] Choice choose(Translation& translation, Instant now) const;
    [[nodiscard]] const Candidate* admitted(const Choice& choice, Instant now) const;

    Service& m_service;
    InnerRequest& m_request;
    const ModelRuntime& m_model;
    CallFlag m_flag;
    std::size_t m_textMax;
    std::optional<Attempt> m_attempt;
};

} // namespace weir::proxy
