// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"
#include "agent/net/sweep.h"

#include <QTest>

#include <functional>
#include <memory>
#include <optional>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::net;

namespace {

/// Says when it fired.
class Alarm final : public Sweep::Entry
{
public:
    Alarm(Sweep& sweep, std::function<void()> fired)
        : Entry(sweep)
        , m_fired(std::move(fired))
    {
    }

    std::optional<Instant> at;

private:
    void onDeadline() override
    {
        at = monotonicNow();
        if (m_fired) m_fired();
    }

    std::function<void()> m_fired;
};

} // namespace

class TestSweep final : public QObject
{
    Q_OBJECT

private slots:
    void firesInOrderAndNeverEarly();
    void aMovedDeadlineFiresOnce();
    void whatIsDisarmedOrGoneStaysSilent();
    void mayBeArmedAgainWhileItFires();
    void endsByItselfWhenNothingWaits();
};

void TestSweep::firesInOrderAndNeverEarly()
{
    asio::io_context io;
    Sweep sweep(io);
    const Instant start = monotonicNow();
    Alarm late(sweep, {});
    Alarm soon(sweep, {});
    Alarm past(sweep, {});
    late.arm(start + 130ms);
    soon.arm(start + 50ms);
    past.arm(start - 5s);
    io.run();
    QVERIFY(past.at && soon.at && late.at);
    QVERIFY(*soon.at >= start + 50ms);
    QVERIFY(*late.at >= start + 130ms);
    QVERIFY(*past.at <= *soon.at && *soon.at <= *late.at);
}

void TestSweep::aMovedDeadlineFiresOnce()
{
    asio::io_context io;
    Sweep sweep(io);
    int fired = 0;
    Alarm alarm(sweep, [&fired] { ++fired; });
    const Instant start = monotonicNow();
    alarm.arm(start + 20ms);
    alarm.arm(start + 100ms); // Later: met when the old slot comes by.
    io.run();
    QCOMPARE(fired, 1);
    QVERIFY(*alarm.at >= start + 100ms);
    io.restart();
    const Instant again = monotonicNow();
    alarm.arm(again + 10min);
    alarm.arm(again + 20ms); // Earlier: moved at once.
    io.run();
    QCOMPARE(fired, 2);
    QVERIFY(*alarm.at < again + 10min);
}

void TestSweep::whatIsDisarmedOrGoneStaysSilent()
{
    asio::io_context io;
    Sweep sweep(io);
    bool fired = false;
    Alarm disarmed(sweep, [&fired] { fired = true; });
    disarmed.arm(monotonicNow() + 20ms);
    disarmed.disarm();
    {
        Alarm gone(sweep, [&fired] { fired = true; });
        gone.arm(monotonicNow() + 20ms);
    }
    io.run();
    QVERIFY(!fired);
}

void TestSweep::mayBeArmedAgainWhileItFires()
{
    asio::io_context io;
    Sweep sweep(io);
    int fired = 0;
    std::unique_ptr<Alarm> other;
    Alarm* self = nullptr;
    Alarm alarm(sweep, [&] {
        other.reset(); // A neighbour of the same slot that dies meanwhile.
        if (++fired < 3) self->arm(monotonicNow());
    });
    self = &alarm;
    other = std::make_unique<Alarm>(sweep, std::function<void()>{});
    const Instant at = monotonicNow() + 20ms;
    other->arm(at);
    alarm.arm(at);
    io.run();
    QCOMPARE(fired, 3);
}

void TestSweep::endsByItselfWhenNothingWaits()
{
    asio::io_context io;
    Sweep sweep(io);
    io.run(); // Returns: an idle agent does not tick.
    QVERIFY(io.stopped());
}

QTEST_APPLESS_MAIN(TestSweep)
#include "tst_sweep.moc"
