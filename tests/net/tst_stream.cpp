// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"
#include "agent/net/listener.h"
#include "agent/net/peer_watch.h"
#include "agent/net/stream.h"
#include "agent/net/upstream_pool.h"

#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <QTest>

#include <array>
#include <optional>
#include <thread>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::net;

namespace {

/// A stream of ours and the plain socket of its peer, over real loopback.
struct Pair
{
    explicit Pair(Worker& worker)
        : peer(worker.io())
    {
        tcp::acceptor acceptor(worker.io(), {asio::ip::address_v4::loopback(), 0});
        peer.connect(acceptor.local_endpoint());
        stream = std::make_unique<Stream>(worker, acceptor.accept());
    }

    tcp::socket peer;
    std::unique_ptr<Stream> stream;
};

/// Runs the worker until the task is done and returns what it returned.
template <class T>
T await(Worker& worker, Task<T> task)
{
    std::optional<T> result;
    const auto run = [](Task<T> inner, std::optional<T>& out) -> Task<> {
        T value = co_await std::move(inner);
        out.emplace(std::move(value));
    };
    worker.io().restart(); // It stops itself whenever nothing is left to do.
    worker.tasks().spawn(run(std::move(task), result));
    while (!result)
        worker.io().run_one();
    return std::move(*result);
}

void send(tcp::socket& socket, std::string_view text)
{
    asio::write(socket, asio::buffer(text));
}

} // namespace

class TestStream final : public QObject
{
    Q_OBJECT

private slots:
    void readsWhatArrives();
    void tellsEndResetTimeoutAndCancelApart();
    void aPeerWithoutRoomBlocksTheWriterAndThenGetsEverything();
    void aPeerThatTakesNothingStallsTheWriter();
    void anIdleConnectionThatTheServerClosedIsNotReused();
    void aClientThatLeavesIsNoticed();
    void aClientThatOnlyHalfClosesIsServed();
};

void TestStream::readsWhatArrives()
{
    Worker worker;
    Pair pair(worker);
    send(pair.peer, "hello");
    const auto size = await(worker, pair.stream->read(worker.scratch(), Instant::max()));
    QCOMPARE(*size, 5U);
    QCOMPARE(std::string_view(worker.scratch().data(), 5), "hello");
}

void TestStream::tellsEndResetTimeoutAndCancelApart()
{
    Worker worker;
    const auto read = [&worker](Stream& stream, Instant until) {
        return await(worker, stream.read(worker.scratch(), until)).error();
    };
    Pair quiet(worker);
    QCOMPARE(read(*quiet.stream, monotonicNow() + 30ms), IoError::Timeout);
    quiet.stream->cancel();
    QCOMPARE(read(*quiet.stream, Instant::max()), IoError::Cancelled);
    Pair ended(worker);
    ended.peer.shutdown(tcp::socket::shutdown_send);
    QCOMPARE(read(*ended.stream, Instant::max()), IoError::Eof);
    Pair reset(worker);
    reset.peer.set_option(asio::socket_base::linger(true, 0));
    reset.peer.close();
    QCOMPARE(read(*reset.stream, Instant::max()), IoError::Reset);
}

void TestStream::aPeerWithoutRoomBlocksTheWriterAndThenGetsEverything()
{
    Worker worker;
    Pair pair(worker);
    const std::string block(1U << 20U, 'x');
    std::vector<std::string_view> pieces(16, block);
    const auto taken = pair.stream->tryWrite(pieces);
    QVERIFY(*taken < totalSize(pieces));
    dropFront(pieces, *taken);
    std::thread reader([&pair, expected = block.size() * 16] {
        std::string all(expected, '\0');
        asio::read(pair.peer, asio::buffer(all));
    });
    const IoStatus written = await(worker, pair.stream->write(pieces, monotonicNow() + 1min));
    reader.join(); // Returns only when every byte has arrived.
    QVERIFY(written.has_value());
}

void TestStream::aPeerThatTakesNothingStallsTheWriter()
{
    Worker worker;
    Pair pair(worker);
    const std::string block(64U << 20U, 'x');
    const std::array<std::string_view, 1> pieces = {block};
    const IoStatus written =
        await(worker, pair.stream->write(pieces, monotonicNow() + 1h, Duration{50ms}));
    QCOMPARE(written.error(), IoError::Timeout);
}

void TestStream::anIdleConnectionThatTheServerClosedIsNotReused()
{
    Worker worker;
    UpstreamPool pool;
    const int key = 0;
    const Instant now = monotonicNow();
    Pair good(worker);
    Pair closed(worker);
    Pair chatty(worker);
    pool.give(&key, std::move(good.stream), now);
    pool.give(&key, std::move(chatty.stream), now);
    pool.give(&key, std::move(closed.stream), now);
    send(chatty.peer, "HTTP/1.1 408 Request Timeout\r\n\r\n");
    closed.peer.close();
    QVERIFY(pool.take(&key, now) != nullptr); // The good one, behind two that are of no use.
    QVERIFY(pool.take(&key, now) == nullptr);
    Pair old(worker);
    pool.give(&key, std::move(old.stream), now);
    QVERIFY(pool.take(&key, now + UpstreamPool::kIdleMax) == nullptr);
}

void TestStream::aClientThatLeavesIsNoticed()
{
    Worker worker;
    Pair pair(worker);
    bool gone = false;
    const PeerWatch watch(
        worker.sweep(), *pair.stream, [] { return PeerWatch::kInterim; }, [&gone] { gone = true; });
    pair.peer.close();
    while (!gone)
        worker.io().run_one();
    QVERIFY(gone);
}

void TestStream::aClientThatOnlyHalfClosesIsServed()
{
    Worker worker;
    Pair pair(worker);
    bool gone = false;
    const PeerWatch watch(
        worker.sweep(), *pair.stream, [] { return PeerWatch::kInterim; }, [&gone] { gone = true; });
    pair.peer.shutdown(tcp::socket::shutdown_send);
    // The probe that follows the FIN proves that the watch has looked.
    std::array<char, 25> probe{};
    std::thread reader([&] { asio::read(pair.peer, asio::buffer(probe)); });
    while (worker.io().run_one_for(200ms) > 0) {
    }
    reader.join();
    QCOMPARE(std::string_view(probe.data(), probe.size()), PeerWatch::kInterim);
    QVERIFY(!gone);
}

QTEST_APPLESS_MAIN(TestStream)
#include "tst_stream.moc"
