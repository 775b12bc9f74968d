// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/format.h"
#include "agent/ctl/verbs.h"
#include "agent/net/clock.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace weir::ctl {

Exit run(const StoreMigrateVerb&, const Places& places, const Options& options, const Io& io)
{
    const Result<store::Upgraded> done = places.upgradeStore(net::utcNow());
    if (!done) return failed(io, done.error());
    if (options.json) {
        const nlohmann::ordered_json json{
            {"from", done->from},
            {"to", done->to},
            {"rows_put_back", done->rowsPutBack},
            {"roles", done->rolesTrouble}};
        io.out << dumped(json) << '\n';
        return Exit::Done;
    }
    io.out << "The store has schema " << done->to;
    if (done->from == done->to)
        io.out << " already.\n";
    else
        io.out << " now; it had " << (done->from == 0 ? "none" : std::to_string(done->from))
               << ".\n";
    if (done->rowsPutBack > 0) {
        io.out << "The row of the switch or the settings was gone and is as in a new store: mode "
                  "fixed, standard settings.\n";
    }
    if (!done->rolesTrouble.empty()) {
        io.out << "Roles: " << done->rolesTrouble
               << ". As a user who may create roles: SELECT weir_grant_roles()\n";
    }
    return Exit::Done;
}

} // namespace weir::ctl
