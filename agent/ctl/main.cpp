// SPDX-License-Identifier: Apache-2.0
#include "agent/config/environment.h"
#include "agent/ctl/terminal.h"
#include "agent/ctl/verbs.h"
#include "agent/net/clock.h"

#include <csignal>
#include <exception>
#include <iostream>

int main(int argc, char** argv)
{
    using namespace weir;
    // A reader that has left (| head) is no reason to die in the middle of a write.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        const std::vector<std::string> arguments(argv + 1, argv + argc);
        const ctl::Io io{
            std::cout, std::cerr, config::processEnvironment(), ctl::outputIsTerminal()};
        const ctl::Exit exit = ctl::runWeirctl(arguments, io, net::utcNow());
        std::cout.flush();
        return static_cast<int>(exit);
    } catch (const std::exception& error) {
        std::cerr << "weirctl: " << error.what() << '\n';
        return static_cast<int>(ctl::Exit::Failed);
    }
}
