// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/peer_watch.h"
#include "agent/proxy/mirror.h"
#include "agent/proxy/slot_wait.h"
#include "common/routing/next_attempt.h"

#include <optional>
#include <string>
#include <vector>

namespace weir::proxy {

/// One request's life: read → eligible → decide → attempts under one deadline → relay → record. The
/// only place where all of it is seen.
class Exchange final
{
public:
    Exchange(Service& service, net::Stream& client, ClientRequest request, BodyBuffer body);

    /// True where the connection can serve another request.
    [[nodiscard]] net::Task<bool> run();

    /// The agent stops: what streams ends with the protocol's error event.
    void stop();

private:
    /// One attempt under way, with all that is its own.
    struct Running;

    [[nodiscard]] std::optional<protocol::ApiError> read();
    [[nodiscard]] std::string_view skippedByClient() const;
    [[nodiscard]] std::optional<protocol::ApiError> findLadder();
    net::Task<> descend();
    [[nodiscard]] bool mayStepDown() const;
    void enter(std::size_t rung);
    [[nodiscard]] std::optional<protocol::ApiError> decide(std::size_t rung);
    [[nodiscard]] ChoiceContext choiceContext(const ModelRuntime& model);
    [[nodiscard]] protocol::ApiError noRoute() const;
    net::Task<> attempts();
    [[nodiscard]] fleet::Slots& slotsOf(std::size_t index) const;
    [[nodiscard]] Duration longestWait(std::size_t index) const;
    [[nodiscard]] Instant startOf(std::size_t index) const;
    void passOver(std::size_t index);
    net::Task<> attempt(std::size_t index, fleet::Slot slot);
    net::Task<> race(fleet::Slot slot);
    net::Task<> runAside(Running& running, net::asio::steady_timer& ended);
    void keep(Running& running);
    void cancelOthers(const Running& winner);
    void learn(const Tried& tried, const AttemptResult& result);
    void conclude(std::size_t result, Follows follows);
    void tellUnsure(bool last);
    [[nodiscard]] std::shared_ptr<fleet::RunningDrill> drillFor(std::size_t index);
    [[nodiscard]] bool canGoElsewhere(std::size_t index);
    void takeHand(const std::shared_ptr<fleet::RunningDrill>& drill);
    void tellDrills();
    [[nodiscard]] AttemptLimits limitsFor(std::size_t index, Instant now) const;
    void dropSmallerWindows(const RouteRuntime& than, std::size_t after);
    [[nodiscard]] routing::NextStep nextStep(std::size_t index, const AttemptTimes& times);
    [[nodiscard]] bool goOnElsewhere(std::size_t index);
    [[nodiscard]] std::chrono::milliseconds timeAllowed() const;
    void extendDeadline(Instant from);
    void tellBreak();
    [[nodiscard]] Duration retryDelay() const;
    void refuse(const protocol::ApiError& error);
    void settle();
    void admitFailure(AttemptResult& result);
    net::Task<bool> answer();
    void offerCopy();
    [[nodiscard]] bool keepAlive() const;

    Service& m_service;
    net::Stream& m_client;
    ClientRequest m_request;
    BodyBuffer m_body;
    std::shared_ptr<const Runtime> m_runtime;
    std::shared_ptr<const Control> m_control;
    protocol::RequestFacts m_facts;
    std::optional<Translation> m_translation;
    const TaskConfig* m_task = nullptr;
    /// Taken where the request is to be copied once it is answered.
    MirrorSeat m_mirrorSeat;
    std::vector<Rung> m_ladder;
    /// The rung that is tried now, and its model.
    std::size_t m_rung = 0;
    const ModelRuntime* m_model = nullptr;
    bool m_stepsDown = false;
    /// The attempt that may be the last, as long as nobody knows whether a rung below can serve.
    std::optional<CallRecord> m_unsure;
    Choice m_choice;
    RequestIdentity m_identity;
    AnswerFields m_fields;
    ClientAnswer m_answer;
    Instant m_started;
    Instant m_deadline;
    std::vector<AttemptResult> m_results;
    std::vector<Tried> m_tried;
    routing::AttemptLog m_log;
    std::int64_t m_spentMicroUsd = 0;
    /// The answer that is written whole: a document, a refusal, an error of our own.
    int m_status = 0;
    std::string m_contentType = "application/json";
    std::string m_passed;
    BodyBuffer m_document;
    std::optional<net::PeerWatch> m_watch;
    std::vector<Running*> m_running;
    SlotWait m_slotWait;
    /// Had a hand in this request; null = none did.
    std::shared_ptr<fleet::RunningDrill> m_drill;
    /// The client has the beginning of an answer whose route is gone.
    bool m_resumes = false;
    bool m_isExtended = false;
    bool m_clientGone = false;
    bool m_stopped = false;
};

} // namespace weir::proxy
