// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/io.h"

#include "agent/ctl/table.h"
#include "agent/ctl/terminal.h"
#include "common/base/text.h"

#include <ostream>

namespace weir::ctl {

Paint Io::paint() const
{
    // no-color.org: any value that is not empty, and a terminal that knows no escapes.
    const bool refused = !env("NO_COLOR").value_or("").empty() || env("TERM") == "dumb";
    return isTerminal && !refused ? Paint::Ansi : Paint::Plain;
}

std::size_t Io::width() const
{
    return isTerminal ? terminalSize().width : kUnlimited;
}

void print(const Io& io, const std::vector<Line>& lines)
{
    for (const Line& line : lines)
        io.out << toText(line, io.paint()) << '\n';
}

Exit failed(const Io& io, const Error& error)
{
    return failed(io, error.text());
}

Exit failed(const Io& io, const std::string& sentence)
{
    io.err << "weirctl: " << cleaned(sentence, 2000) << '\n';
    return Exit::Failed;
}

} // namespace weir::ctl
