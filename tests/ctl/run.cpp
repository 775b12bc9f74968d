// SPDX-License-Identifier: Apache-2.0
#include "tests/ctl/run.h"

#include "agent/ctl/verbs.h"

#include <QTcpServer>

#include <sstream>

namespace weir::ctl {

Ran weirctl(const std::vector<std::string>& arguments)
{
    std::ostringstream out;
    std::ostringstream err;
    const auto env = [](const std::string& name) -> std::optional<std::string> {
        return name == "USER" ? std::optional<std::string>{"ada"} : std::nullopt;
    };
    const Io io{out, err, env, false};
    const Exit exit = runWeirctl(arguments, io, kNow);
    return {static_cast<int>(exit), out.str(), err.str()};
}

bool has(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

std::string deadAgent()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return "http://127.0.0.1:" + std::to_string(server.serverPort());
}

} // namespace weir::ctl
