// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/route_state.h"
#include "agent/protocol/classify.h"
#include "agent/protocol/request.h"
#include "agent/proxy/answer_head.h"
#include "agent/proxy/body_buffer.h"
#include "agent/proxy/client_answer.h"
#include "agent/proxy/client_request.h"
#include "common/base/time.h"
#include "common/model/config.h"
#include "common/model/outcome.h"
#include "common/model/price.h"

#include <optional>
#include <string>

namespace weir::proxy {

class Service;

/// What every attempt of one request works with. All of it outlives the attempt.
struct AttemptContext
{
    Service& service;
    const ClientRequest& request;
    const protocol::RequestFacts& facts;
    BodyBuffer& body;
    ClientAnswer& client;
    /// For the head of an answer that streams; the exchange fills them in for each attempt.
    AnswerFields& fields;
    const LimitsConfig& limits;
    /// Of the route's state, for as long as the attempt lasts.
    fleet::RouteState::Flight& flight;
};

struct AttemptLimits
{
    /// Output must have begun by then.
    Instant firstOutput;
    /// That is the caller's own deadline, not the provider's time limit.
    bool isDeadline = false;
    /// The whole answer must be over by then.
    Instant total;
};

struct AttemptResult
{
    Outcome outcome = Outcome::ConnectFailed;
    std::optional<int> httpStatus;
    std::string finishReason;
    TokenUsage usage;
    std::optional<Instant> firstOutput;
    std::optional<protocol::Failure> failure;
    /// What went wrong on the connection, for the log and for an error of our own.
    std::string detail;

    /// A whole answer that has not been written yet: a JSON answer, or the provider's refusal.
    bool hasAnswer = false;
    std::string contentType;
    std::string passed;
    BodyBuffer answer;
};

} // namespace weir::proxy
