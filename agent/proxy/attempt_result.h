// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/drills.h"
#include "agent/fleet/route_state.h"
#include "agent/protocol/classify.h"
#include "agent/protocol/request.h"
#include "agent/proxy/answer_head.h"
#include "agent/proxy/body_buffer.h"
#include "agent/proxy/client_answer.h"
#include "agent/proxy/client_request.h"
#include "agent/proxy/translation.h"
#include "common/base/time.h"
#include "common/model/config.h"
#include "common/model/outcome.h"
#include "common/model/price.h"

#include <functional>
#include <memory>
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
    Translation& translation;
    BodyBuffer& body;
    ClientAnswer& client;
    /// For the head of an answer that streams; the exchange fills them in for each attempt.
    AnswerFields& fields;
    const Config& config;
    /// What becomes of an answer that breaks off after it began; for what does not stream, nothing.
    MidStream midStream;
    /// The client has the beginning of this answer from another route: only what follows is
    /// written.
    bool resumes;
    /// What the attempts before this one cost, as far as it is known.
    std::int64_t spentMicroUsd;
    /// Of the route's state, for as long as the attempt lasts.
    fleet::RouteState::Flight& flight;
    /// Called before the first byte goes to the client: whoever races with this attempt has lost.
    std::function<void()> onCommit;
    /// The answer's text is kept up to so many bytes, and the request beside it; 0 = not at all.
    std::size_t keptTextMax = 0;
    /// Acts on this attempt; null where none does.
    std::shared_ptr<const fleet::RunningDrill> drill{};
};

struct AttemptLimits
{
    /// Output must have begun by then.
    Instant firstOutput;
    /// That is the caller's own deadline, not the provider's time limit.
    bool isDeadline = false;
    /// A share of that deadline, and so short that a provider is not to blame.
    bool isHasty = false;
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
    /// It was given up sooner than a healthy provider may need: nothing that its route stands for.
    bool isHasty = false;
    /// A reused connection had failed before this one: the provider may have seen it twice.
    bool replayed = false;
    std::optional<protocol::Failure> failure;
    /// What went wrong on the connection, for the log and for an error of our own.
    std::string detail;

    /// A stream broke off after the client had got a part of it.
    bool isCut = false;
    /// That part, where it is text alone and the task's answers may be continued: as between the
    /// quotes of a JSON string.
    std::optional<std::string> unfinished;

    /// A whole answer that has not been written yet: a JSON answer, or the provider's refusal.
    bool hasAnswer = false;
    std::string contentType;
    std::string passed;
    BodyBuffer answer;

    /// Only where `AttemptContext::keptTextMax` asks for it.
    std::optional<std::string> text;
    bool isTextTooLong = false;
    bool isRefusal = false;
};

} // namespace weir::proxy
