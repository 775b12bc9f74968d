// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/wire.h"
#include "common/base/time.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>

#include <array>

namespace weir::ctl {

/// What wire.h hides so that only two files compile Asio.
struct Waiter::State
{
    boost::asio::io_context io{1};
    boost::asio::signal_set signals{io};
    boost::asio::posix::stream_descriptor keyboard{io};
    std::array<char, 16> keys{};
    bool quitAsked = false;
    bool resized = false;
    bool stopAsked = false;

    [[nodiscard]] bool isInterrupted() const { return quitAsked || resized || stopAsked; }

    /// Runs handlers until `done`, an interrupt or `deadline`.
    void runUntil(const bool& done, Instant deadline);
    void awaitSignal();
    void awaitKey();
};

} // namespace weir::ctl
