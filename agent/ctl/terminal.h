// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace weir::ctl {

struct TerminalSize
{
    std::size_t width = 80;
    std::size_t height = 24;
};

/// Of standard output; 80 by 24 where it does not say.
[[nodiscard]] TerminalSize terminalSize();

[[nodiscard]] bool outputIsTerminal();

/// The alternate screen without a cursor, and a keyboard that neither echoes nor waits for Enter,
/// for as long as the object lives. Ctrl-C stays a signal.
class FullScreen final
{
public:
    FullScreen();
    ~FullScreen();
    FullScreen(const FullScreen&) = delete;
    FullScreen& operator=(const FullScreen&) = delete;

    /// For Ctrl-Z: gives the terminal back, and takes it again.
    void leave();
    void enter();
};

/// Writes all of it to standard output at once, past any buffer.
void writeToTerminal(std::string_view bytes);

} // namespace weir::ctl
