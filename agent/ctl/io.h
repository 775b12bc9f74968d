// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/config/load.h"
#include "agent/ctl/style.h"
#include "common/base/result.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace weir::ctl {

/// Contract section 1: exit codes of every verb.
enum class Exit : int { Done = 0, Failed = 1, Usage = 2 };

/// What a verb may touch besides the agent and the store.
struct Io
{
    std::ostream& out;
    std::ostream& err;
    config::EnvLookup env;
    /// `out` is a terminal: colours, and tables as wide as it is.
    bool isTerminal = false;

    [[nodiscard]] Paint paint() const;
    /// Cells of a line; unlimited where `out` is no terminal.
    [[nodiscard]] std::size_t width() const;
};

void print(const Io& io, const std::vector<Line>& lines);

/// One clear line on `err`.
Exit failed(const Io& io, const Error& error);
Exit failed(const Io& io, const std::string& sentence);

} // namespace weir::ctl
