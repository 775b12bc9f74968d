// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/live_feed.h"
#include "agent/ctl/status_view.h"
#include "agent/ctl/table.h"
#include "agent/ctl/terminal.h"
#include "agent/ctl/verbs.h"

#include <csignal>
#include <ostream>

namespace weir::ctl {
namespace {

/// How long a key, a signal or the age of a stale view may wait to be seen.
constexpr std::chrono::milliseconds kTick{250};

double secondsOf(Duration duration)
{
    return std::chrono::duration<double>(duration).count();
}

/// A whole screen as bytes: every line is written over the one before, and only then is the rest
/// cleared, so that nothing flickers.
std::string frameOf(const std::vector<Line>& lines, Paint paint)
{
    std::string frame = "\x1b[H";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0) frame += "\r\n";
        frame += toText(lines[i], paint) + "\x1b[K";
    }
    return frame + "\x1b[J";
}

Exit watchOnScreen(LiveFeed& feed, Waiter& waiter, const Io& io)
{
    waiter.watchSignals(true);
    FullScreen screen;
    std::optional<AgentStatus> status;
    std::string drawn;
    while (!waiter.quitAsked()) {
        if (waiter.takeStopAsked()) {
            screen.leave();
            std::raise(SIGSTOP);
            screen.enter();
            drawn.clear();
        }
        if (waiter.takeResized()) drawn.clear();
        if (auto document = feed.poll(kTick)) status = std::move(document->status);
        const TerminalSize size = terminalSize();
        const Freshness freshness{secondsOf(feed.age()), feed.trouble()};
        std::string frame =
            frameOf(topLines(status, freshness, size.width, size.height), io.paint());
        if (frame == drawn) continue;
        writeToTerminal(frame);
        drawn = std::move(frame);
    }
    return Exit::Done;
}

void printSnapshot(const StatusDocument& document, const Options& options, const Io& io)
{
    if (options.json) {
        io.out << document.json << '\n';
    } else {
        print(io, statusLines(document.status, io.width()));
    }
    io.out.flush();
}

/// For a file or a pipe: snapshots one after the other, until the reader or the user has enough.
Exit printAll(LiveFeed& feed, Waiter& waiter, const Options& options, const Io& io)
{
    waiter.watchSignals(false);
    bool isFirst = true;
    std::string told;
    while (!waiter.quitAsked()) {
        const std::optional<StatusDocument> document = feed.poll(kTick);
        if (document) {
            if (!isFirst && !options.json) io.out << '\n';
            printSnapshot(*document, options, io);
            isFirst = false;
            told.clear();
            if (!io.out) return Exit::Done;
        } else if (!feed.trouble().empty() && isFirst) {
            return failed(io, feed.trouble());
        } else if (!feed.trouble().empty() && told.empty()) {
            told = feed.trouble();
            failed(io, told + "; reconnecting");
        }
    }
    return Exit::Done;
}

} // namespace

Exit run(const TopVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const Result<AgentAddress> agent = places.agent();
    if (!agent) return failed(io, agent.error());
    Waiter waiter;
    if (verb.once) {
        const Result<StatusDocument> document = fetchStatus(waiter, *agent);
        if (!document) return failed(io, document.error());
        printSnapshot(*document, options, io);
        return Exit::Done;
    }
    LiveFeed feed{waiter, *agent};
    const bool onScreen = io.isTerminal && !options.json;
    return onScreen ? watchOnScreen(feed, waiter, io) : printAll(feed, waiter, options, io);
}

} // namespace weir::ctl
