// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/verbs.h"

#include <ostream>

namespace weir::ctl {

Exit runWeirctl(const std::vector<std::string>& arguments, const Io& io, UtcTime now)
{
    const Result<Invocation, Farewell> invocation = parseCommandLine(arguments, now);
    if (!invocation) {
        const bool isError = invocation.error().exit != Exit::Done;
        (isError ? io.err : io.out) << invocation.error().text;
        return invocation.error().exit;
    }
    const Options& options = invocation->options;
    const Result<Places> places = Places::find(options, io.env);
    if (!places) return failed(io, places.error());
    return std::visit(
        [&](const auto& verb) { return run(verb, *places, options, io); }, invocation->verb);
}

} // namespace weir::ctl
