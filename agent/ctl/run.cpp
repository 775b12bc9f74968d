// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/verbs.h"

#include <ostream>
#include <type_traits>

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
    return std::visit(
        [&](const auto& verb) {
            if constexpr (std::is_same_v<std::decay_t<decltype(verb)>, SimulateVerb>) {
                return run(verb, options, io);
            } else {
                const Result<Places> places = Places::find(options, io.env);
                if (!places) return failed(io, places.error());
                return run(verb, *places, options, io);
            }
        },
        invocation->verb);
}

} // namespace weir::ctl
