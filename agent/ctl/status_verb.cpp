// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/agent_client.h"
#include "agent/ctl/status_view.h"
#include "agent/ctl/verbs.h"

#include <ostream>

namespace weir::ctl {

Exit run(const StatusVerb&, const Places& places, const Options& options, const Io& io)
{
    const Result<AgentAddress> agent = places.agent();
    if (!agent) return failed(io, agent.error());
    Waiter waiter;
    const Result<StatusDocument> document = fetchStatus(waiter, *agent);
    if (!document) return failed(io, document.error());
    if (options.json)
        io.out << document->json << '\n';
    else
        print(io, statusLines(document->status, io.width()));
    return Exit::Done;
}

} // namespace weir::ctl
