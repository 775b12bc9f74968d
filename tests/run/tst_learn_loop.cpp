// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/local_gates.h"
#include "agent/net/clock.h"
#include "agent/run/learn_loop.h"
#include "agent/store/open.h"

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::run;

namespace {

std::shared_ptr<const Config> sampleConfig()
{
    auto config = std::make_shared<Config>();
    ModelConfig model;
    model.name = "m";
    RouteConfig route;
    route.provider = "only";
    model.routes.push_back(route);
    model.fixedOrder = {"only"};
    config->models["m"] = model;
    config->timing.summaryInterval = std::chrono::seconds{1};
    return config;
}

/// One agent's learning, on a connection of its own to the fleet's store.
class Learner final
{
public:
    Learner(const std::string& id, const std::filesystem::path& folder)
        : m_states({}, net::monotonicNow(), net::utcNow())
        , m_gates(m_states)
    {
        store::OpenOptions options;
        options.now = net::utcNow();
        auto opened = store::open("sqlite:", folder, options);
        if (!opened) qFatal("%s", opened.error().text().c_str());
        LearnLoopOptions learning;
        learning.holder = id;
        learning.work.config = [config = sampleConfig()] { return config; };
        learning.work.control = [] { return std::make_shared<const Control>(); };
        learning.work.agents = [] { return std::vector<AgentPresence>{}; };
        learning.spread = [this](const Summary&, std::int64_t token) {
            m_made.fetch_add(1);
            m_token.store(token);
        };
        m_loop =
            std::make_unique<LearnLoop>(learning, std::move(*opened), m_gates, m_clock, m_summary);
        m_loop->start();
    }

    ~Learner() { stop(); }

    void stop() { m_loop->stop(); }

    [[nodiscard]] int made() const { return m_made.load(); }

    [[nodiscard]] std::int64_t token() const { return m_token.load(); }

    [[nodiscard]] std::string knows() const
    {
        const std::shared_ptr<const Summary> summary = m_summary.get();
        return summary ? summary->id : std::string{};
    }

    [[nodiscard]] LearnLoop& loop() { return *m_loop; }

private:
    fleet::RouteStates m_states;
    fleet::LocalGates m_gates;
    StoreClock m_clock;
    Published<Summary> m_summary{nullptr};
    std::atomic<int> m_made{0};
    std::atomic<std::int64_t> m_token{0};
    std::unique_ptr<LearnLoop> m_loop;
};

constexpr int kSoonMs = 15'000;

} // namespace

class TestLearnLoop final : public QObject
{
    Q_OBJECT

private slots:

    void oneMakesTheSummariesAndAllHaveThem()
    {
        const QTemporaryDir dir;
        const std::filesystem::path folder{dir.path().toStdString()};
        Learner first("first", folder);
        QTRY_VERIFY_WITH_TIMEOUT(first.made() > 0, kSoonMs);
        Learner second("second", folder);
        QTRY_VERIFY_WITH_TIMEOUT(first.made() > 2, kSoonMs);
        second.loop().lookAgain();
        QTRY_COMPARE_WITH_TIMEOUT(second.knows().empty(), false, kSoonMs);
        QCOMPARE(second.made(), 0);
        QCOMPARE(first.token(), std::int64_t{1});
        // Whoever stops in order leaves the job to the next at once.
        first.stop();
        const int made = first.made();
        QTRY_VERIFY_WITH_TIMEOUT(second.made() > 0, kSoonMs);
        QCOMPARE(first.made(), made);
        QCOMPARE(second.token(), std::int64_t{2});
    }

    /// Summaries come by two ways; an old one must not undo a new one.
    void theNewestStays()
    {
        const QTemporaryDir dir;
        Learner agent("only", dir.path().toStdString());
        QTRY_VERIFY_WITH_TIMEOUT(agent.made() > 0, kSoonMs);
        agent.stop();
        const std::string before = agent.knows();
        Summary old;
        old.id = "old";
        old.computedAtMs = 1;
        agent.loop().offer(old);
        QCOMPARE(agent.knows(), before);
        Summary newer;
        newer.id = "newer";
        newer.computedAtMs = epochMs(net::utcNow()) + 60'000;
        agent.loop().offer(newer);
        QCOMPARE(agent.knows(), std::string{"newer"});
    }
};

QTEST_GUILESS_MAIN(TestLearnLoop)

#include "tst_learn_loop.moc"
