// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/wire_state.h"
#include "agent/net/clock.h"

#include <unistd.h>

#include <boost/asio/buffer.hpp>

#include <algorithm>
#include <csignal>
#include <string_view>

namespace weir::ctl {

void Waiter::State::runUntil(const bool& done, Instant deadline)
{
    io.restart();
    while (!done && !isInterrupted()) {
        const Duration left = deadline - net::monotonicNow();
        if (left <= Duration::zero()) return;
        // Where nothing is pending there is nothing to run; the time passes all the same.
        const auto work = boost::asio::make_work_guard(io);
        io.run_one_for(left);
    }
}

void Waiter::State::awaitSignal()
{
    signals.async_wait([this](const boost::system::error_code& error, int number) {
        if (error) return;
        if (number == SIGWINCH || number == SIGCONT)
            resized = true;
        else if (number == SIGTSTP)
            stopAsked = true;
        else
            quitAsked = true;
        awaitSignal();
    });
}

void Waiter::State::awaitKey()
{
    const auto read = [this](const boost::system::error_code& error, std::size_t count) {
        if (error || count == 0) return;
        const std::string_view typed{keys.data(), count};
        // Ctrl-D and Ctrl-C too, in case the terminal hands them over as keys.
        quitAsked = quitAsked || std::any_of(typed.begin(), typed.end(), [](char key) {
                        return key == 'q' || key == 'Q' || key == '\x03' || key == '\x04';
                    });
        awaitKey();
    };
    keyboard.async_read_some(boost::asio::buffer(keys), read);
}

Waiter::Waiter()
    : m_state(std::make_unique<State>())
{
}

Waiter::~Waiter() = default;

void Waiter::watchSignals(bool keys)
{
    boost::system::error_code ignored;
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        m_state->signals.add(number, ignored);
    if (keys) {
        for (const int number : {SIGWINCH, SIGTSTP, SIGCONT})
            m_state->signals.add(number, ignored);
        m_state->keyboard.assign(::dup(STDIN_FILENO), ignored);
        if (!ignored) m_state->awaitKey();
    }
    m_state->awaitSignal();
}

void Waiter::pause(std::chrono::milliseconds time)
{
    m_state->runUntil(false, net::monotonicNow() + time);
}

bool Waiter::quitAsked() const
{
    return m_state->quitAsked;
}

bool Waiter::takeResized()
{
    return std::exchange(m_state->resized, false);
}

bool Waiter::takeStopAsked()
{
    return std::exchange(m_state->stopAsked, false);
}

} // namespace weir::ctl
