// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/request.h"
#include "agent/proxy/client_request.h"
#include "agent/proxy/identity.h"
#include "agent/proxy/service.h"
#include "agent/proxy/translation.h"
#include "common/model/decision.h"

#include <cstdint>
#include <optional>
#include <string>

namespace weir::proxy {

/// What one request brings to the choice of its route. All of it outlives the call.
struct ChoiceContext
{
    Service& service;
    const std::shared_ptr<const Runtime>& runtime;
    const Control& control;
    const ClientRequest& request;
    const protocol::RequestFacts& facts;
    /// With padding, as `readRequest` wants it.
    std::string_view body;
    Translation& translation;
    const ModelRuntime& model;
    const RequestIdentity& identity;
    /// The policy of its task type.
    const TaskConfig& task;
    std::chrono::milliseconds deadline;
    /// The task type's own.
    bool hedge;
    Instant now;
    UtcTime utc;
};

/// How long an attempt on a route may take and needs.
struct Patience
{
    /// To the first output; no limit of the brain's where nothing is known or mode is not adaptive.
    std::optional<std::chrono::milliseconds> ttftMax;
    /// With less time left than this it is of no use to try.
    std::chrono::milliseconds usefulMin{20};
};

/// Who serves a request, in order, and everything that is kept of that.
struct Choice
{
    Decision decision;
    /// By route.
    std::vector<Patience> patience;
    /// `CallRecord::decision`.
    std::string record;
    std::string snapshotId;
    std::uint64_t seed = 0;
    /// Pin key of the conversation with this model.
    std::uint64_t conversation = 0;
    /// The request carries the reasoning state of one who is no route of the model any more.
    bool issuerIsGone = false;
    /// What `adaptive` would have taken first, in shadow mode.
    std::optional<std::uint8_t> shadowFirst;
    bool pinExplored = false;
    /// Of batch work that has to wait: how long.
    std::optional<std::chrono::milliseconds> shedWait;
    /// Input and output that the request will probably take.
    std::int64_t expectedTokens = 0;
    /// After so long without output the second candidate may be asked too.
    std::optional<std::chrono::milliseconds> hedgeAfter;
    /// Why each route may not serve, for the refusal where none may.
    std::string exclusions;
    /// The part of the request that speaks against the first of them, as the client calls it; empty
    /// where it is none.
    std::string refusedParam;
    /// It moved the request off the route that it would have gone to; null = none did.
    std::shared_ptr<fleet::RunningDrill> drill;
};

/// Decides, and lets the gates that were asked know. A side effect besides: the task has been seen.
[[nodiscard]] Choice chooseRoute(const ChoiceContext& context);

/// Some route of the model may serve the request.
[[nodiscard]] bool isServable(const ChoiceContext& context);

/// The ledger's flags of the attempt on this candidate.
[[nodiscard]] std::uint16_t
flagsOf(const Choice& choice, const Candidate& candidate, bool singleShot);

/// The key of the agent's coins on that day: the same for all of it, another the next day.
[[nodiscard]] std::uint64_t seedOf(const HashKey& secret, UtcTime utc);

} // namespace weir::proxy
