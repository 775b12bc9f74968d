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
    friend class HttpGet;
    struct State;
    std::unique_ptr<State> m_state;
};

/// Where an agent's admin pages are.
struct AgentAddress
{
    BaseUrl url;
    /// As given, for people.
    std::string text;
    /// Empty = none is sent.
    Secret token;
};

/// One GET over a connection of its own, read as it arrives.
class HttpGet final
{
public:
    enum class Read : std::uint8_t { Data, TimedOut, Ended };

    ~HttpGet();
    HttpGet(HttpGet&&) noexcept;
    HttpGet& operator=(HttpGet&&) noexcept;

    /// Connects, asks and reads the head, all within `timeout`. Error code "unreachable",
    /// "timeout", "bad_answer" or "interrupted"; any status is an answer.
    [[nodiscard]] static Result<HttpGet> open(
        Waiter& waiter,
        const AgentAddress& agent,
        const std::string& target,
        std::chrono::milliseconds timeout);

    [[nodiscard]] int status() const;

    /// Appends what arrives next of the body to `out`. `TimedOut` also on an interrupt; the read
    /// goes on at the next call. Error code "reset" or "bad_answer".
    [[nodiscard]] Result<Read> read(std::string& out, std::chrono::milliseconds timeout);

private:
    struct State;
    explicit HttpGet(std::unique_ptr<State> state);

    std::unique_ptr<State> m_state;
};

} // namespace weir::ctl
