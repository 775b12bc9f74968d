// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/terminal.h"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

namespace weir::ctl {
namespace {

/// The keyboard as it was found. One process has one terminal.
std::optional<termios>& foundSettings()
{
    static std::optional<termios> settings;
    return settings;
}

} // namespace

TerminalSize terminalSize()
{
    winsize size{};
    TerminalSize result;
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return result;
    if (size.ws_col > 0) result.width = size.ws_col;
    if (size.ws_row > 0) result.height = size.ws_row;
    return result;
}

bool outputIsTerminal()
{
    return ::isatty(STDOUT_FILENO) == 1;
}

FullScreen::FullScreen()
{
    enter();
}

FullScreen::~FullScreen()
{
    leave();
}

void FullScreen::enter()
{
    termios settings{};
    if (::tcgetattr(STDIN_FILENO, &settings) == 0) {
        foundSettings() = settings;
        settings.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
        ::tcsetattr(STDIN_FILENO, TCSANOW, &settings);
    }
    writeToTerminal("\x1b[?1049h\x1b[?25l\x1b[2J");
}

void FullScreen::leave()
{
    writeToTerminal("\x1b[?25h\x1b[?1049l");
    if (foundSettings()) ::tcsetattr(STDIN_FILENO, TCSANOW, &*foundSettings());
    foundSettings().reset();
}

void writeToTerminal(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

} // namespace weir::ctl
