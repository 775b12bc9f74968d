// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/model/config.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace weir::ctl {

/// Waits for sockets, signals and keys, one thing at a time; everything that waits in weirctl waits
/// here. Interrupts are noted, not thrown: whoever waits returns early and looks.
class Waiter final
{
public:
    Waiter();
    ~Waiter();
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    /// From now on these end a wait: SIGINT, SIGTERM, SIGHUP and the key q ask to quit; SIGWINCH
    /// and SIGTSTP only to look. `keys` also listens to standard input.
    void watchSignals(bool keys);

    /// Returns after `time`, or earlier on an interrupt.
    void pause(std::chrono::milliseconds time);

    [[nodiscard]] bool quitAsked() const;
    /// True once after each SIGWINCH or SIGCONT.
    [[nodiscard]] bool takeResized();
    /// True once after each SIGTSTP.
    [[nodiscard]] bool takeStopAsked();

private:
    friend class HttpCall;
    struct State;
    std::unique_ptr<State> m_state;
};

/// Where an agent's admin pages, or its data plane, are.
struct AgentAddress
{
    BaseUrl url;
    /// As given, for people.
    std::string text;
    /// Empty = none is sent.
    Secret token;
};

struct HttpAsk
{
    std::string method = "GET";
    std::string target;
    /// Further fields, as lines.
    std::string fields;
    std::string body;
};

/// One request over a connection of its own, its answer read as it arrives.
class HttpCall final
{
public:
    enum class Read : std::uint8_t { Data, TimedOut, Ended };

    ~HttpCall();
    HttpCall(HttpCall&&) noexcept;
    HttpCall& operator=(HttpCall&&) noexcept;

    /// Connects, asks and reads the head, all within `timeout`. Error code "unreachable",
    /// "timeout", "bad_answer" or "interrupted"; any status is an answer.
    [[nodiscard]] static Result<HttpCall> open(
        Waiter& waiter,
        const AgentAddress& agent,
        const HttpAsk& ask,
        std::chrono::milliseconds timeout);
    /// The same for a GET.
    [[nodiscard]] static Result<HttpCall> open(
        Waiter& waiter,
        const AgentAddress& agent,
        const std::string& target,
        std::chrono::milliseconds timeout);

    [[nodiscard]] int status() const;

    /// Of the answer's head; empty where it has none of that name.
    [[nodiscard]] std::string field(std::string_view name) const;

    /// Appends what arrives next of the body to `out`. `TimedOut` also on an interrupt; the read
    /// goes on at the next call. Error code "reset" or "bad_answer".
    [[nodiscard]] Result<Read> read(std::string& out, std::chrono::milliseconds timeout);

private:
    struct State;
    explicit HttpCall(std::unique_ptr<State> state);

    std::unique_ptr<State> m_state;
};

} // namespace weir::ctl
