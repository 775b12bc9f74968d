// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/provider_samples.h"

#include "common/model/summary_json.h"

#include <nlohmann/json.hpp>

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

namespace weir::test {
namespace {

RouteConfig configOf(const std::string& provider, double quotaRps)
{
    RouteConfig config;
    config.provider = provider;
    config.upstreamModel = "zai-org/GLM-5.2";
    config.region = "us";
    config.price = Price{600'000, 110'000, 600'000, 2'200'000};
    config.contextTokens = 200'000;
    config.maxOutputTokens = 32'768;
    config.capabilities = {"stream", "tools", "json_schema"};
    config.quota.milliRps = static_cast<std::int64_t>(quotaRps * 1000.0);
    return config;
}

FailoverStatus failoverOf(const std::string& provider, double ratio)
{
    FailoverStatus failover;
    failover.provider = provider;
    failover.moves = {11.6, 900'000.0};
    failover.needs = {12.5, 970'000.0};
    failover.capacityRps = 12.5 / ratio;
    failover.ratio = ratio;
    failover.interactiveRatio = ratio / 2;
    failover.others = {"fireworks", "coreweave"};
    return failover;
}

void save(Stage& stage, const Summary& summary)
{
    auto& db = stage.archive.database();
    const auto lease = db.takeLease("summary", "agent-1", std::chrono::hours{1}).value().value();
    const store::SummaryRow row{
        summary.id, summary.computedAtMs, summary.settingsVersion, toJson(summary).dump()};
    QVERIFY(db.insertSummary(row, lease));
}

RouteFigures figuresOf(const std::string& provider, std::int64_t calls)
{
    RouteFigures figures;
    figures.provider = provider;
    figures.costNanoUsd = 31'200'000;
    figures.hit.usedPpm = 620'000;
    figures.hit.steadyPpm = 640'000;
    figures.hit.steadyCalls = 4021;
    figures.hit.weightPpm = 800'000;
    figures.hit.poolPpm = 540'000;
    figures.hit.observedPpm = 610'000;
    figures.sampleOk = calls >= 30;
    figures.calls48h = calls;
    figures.shareFromPpm = 10'000;
    figures.shareToPpm = 30'000;
    figures.explorePpm = 12'000;
    figures.score = 880'000'000;
    figures.rank = 2;
    figures.ttftUs.value = 640'000;
    figures.ttftUs.samples = 50;
    figures.ttftUs.state = WindowState::Lowered;
    figures.ttftUs.sinceMs = epochMs(sampleTime() - std::chrono::minutes{6});
    return figures;
}

void saveSummary(Stage& stage)
{
    Summary summary;
    summary.id = "00ff00ff00ff00ff";
    summary.computedAtMs = epochMs(sampleTime() - std::chrono::minutes{2});
    PoolSummary& pool = summary.pools.emplace_back();
    pool.model = "glm-5.2";
    pool.taskType = "code-review";
    pool.leader = "baseten";
    pool.leaderSinceMs = epochMs(sampleTime() - std::chrono::hours{5});
    pool.rampStartMs = summary.computedAtMs;
    pool.rampMs = 300'000;
    pool.routes = {
        figuresOf("baseten", 40'210), figuresOf("coreweave", 12), figuresOf("fireworks", 4000)};
    save(stage, summary);
}

CallRecord callAt(UtcTime at, int number, const std::string& provider, Outcome outcome)
{
    CallRecord record;
    record.requestId = "req-" + std::to_string(number);
    record.agentId = "agent-1";
    record.service = "code-review";
    record.taskType = "code-review";
    record.model = "glm-5.2";
    record.provider = provider;
    record.route = provider + "/zai-org/GLM-5.2@us";
    record.startedAt = at;
    record.durationMs = 2600;
    record.outcome = outcome;
    record.last = true;
    if (!isSuccess(outcome)) return record;
    record.ttftMs = 640;
    record.usage.inputUncached = 900;
    record.usage.output = 120;
    record.costMicroUsd = 800;
    return record;
}

/// Twenty minutes of calls up to now, to baseten alone but while it was in its drill.
void saveCalls(Stage& stage)
{
    std::vector<CallRecord> records;
    for (int i = 0; i < 240; ++i) {
        const UtcTime at = sampleTime() - std::chrono::seconds{5 * (240 - i)};
        const bool isDrill = i >= 120 && i < 180;
        const auto outcome = i % 20 == 3 ? Outcome::RateLimited : Outcome::Ok;
        records.push_back(callAt(at, i, isDrill ? "fireworks" : "baseten", outcome));
    }
    QVERIFY(stage.archive.database().ingest(std::move(records), "agent-1", {}));
}

} // namespace

AgentStatus knownStatus(double ratio)
{
    AgentStatus status = sampleStatus();
    ModelStatus& model = status.models[0];
    const double permitted[] = {24.0, 12.0, 4.0};
    for (std::size_t i = 0; i < model.routes.size(); ++i) {
        RouteStatus& route = model.routes[i];
        route.permittedRps = permitted[i];
        route.gate = "open";
        route.breaker = "closed";
        route.score = 1.0 - 0.12 * static_cast<double>(i);
        route.config = configOf(route.provider, 20.0);
    }
    model.routes[0].capRps = 26.0;
    model.failover = {failoverOf("baseten", ratio)};
    return status;
}

Drill drillAt(UtcTime start, const std::string& id)
{
    Drill drill;
    drill.id = id;
    drill.kind = DrillKind::RateLimit;
    drill.model = "glm-5.2";
    drill.provider = "baseten";
    drill.sharePpm = 300'000;
    drill.startsAt = start;
    drill.endsAt = start + std::chrono::minutes{5};
    return drill;
}

void saveDrill(Stage& stage, const Drill& drill)
{
    const store::Authorship by{"jon", "desk", "monthly drill", "uuid-" + drill.id, drill.startsAt};
    QVERIFY(stage.archive.database().startDrill(drill, by));
}

void saveIncident(Stage& stage, std::optional<std::int64_t> endMs)
{
    Incident incident;
    incident.id = "abcdef012345";
    incident.kind = IncidentKind::RateLimitBurst;
    incident.key = "glm-5.2/baseten";
    incident.model = "glm-5.2";
    incident.provider = "baseten";
    incident.onsetMs = epochMs(sampleTime() - std::chrono::hours{2});
    incident.detectedMs = incident.onsetMs + 60'000;
    incident.peakMs = incident.onsetMs + 120'000;
    incident.endMs = endMs;
    incident.events = {{incident.onsetMs + 90'000, "breaker_open", "9 of 10 failed"}};
    auto& db = stage.archive.database();
    const auto lease = db.takeLease("summary", "agent-1", std::chrono::hours{1}).value().value();
    QVERIFY(db.saveIncidents(std::vector{incident}, lease));
}

void saveHistory(Stage& stage)
{
    saveSummary(stage);
    saveCalls(stage);
    saveDrill(stage, drillAt(sampleTime() - std::chrono::minutes{10}, "drill-0badcafe"));
    const store::DrillEnd end{
        "drill-0badcafe",
        "time",
        {"agent-1", "devbox", "its time was over", "", sampleTime() - std::chrono::minutes{5}}};
    QVERIFY(stage.archive.database().endDrill(end));
    saveIncident(stage, epochMs(sampleTime() - std::chrono::hours{1}));
}

view::ProvidersPage& goToProviders(Stage& stage, const QString& key)
{
    stage.window.show();
    stage.window.go({model::Place::Page::Providers, key, std::nullopt});
    stage.settle();
    stage.window.refresh();
    auto* page = stage.window.page(model::Place::Page::Providers);
    return *static_cast<view::ProvidersPage*>(page);
}

QString textsOf(const QWidget& root)
{
    QStringList texts;
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        if (!widget->isVisibleTo(&root)) continue;
        texts << widget->accessibleName() << widget->accessibleDescription();
        if (const auto* label = qobject_cast<const QLabel*>(widget)) texts << label->text();
        if (const auto* button = qobject_cast<const QPushButton*>(widget)) texts << button->text();
    }
    return texts.join(QChar('\n'));
}

QString cellOf(const view::GridView& view, int row, int column)
{
    return view.model()->index(row, column).data().toString();
}

view::GridView& gridOf(const QWidget& page, const char* name)
{
    return *named<view::GridView>(page, name);
}

void writeReason(view::DeedDialog& dialog, const char* text)
{
    named<QPlainTextEdit>(dialog, "Reason")->setPlainText(QString::fromUtf8(text));
}

bool isCommitEnabled(const view::DeedDialog& dialog)
{
    for (const QPushButton* button : dialog.findChildren<QPushButton*>()) {
        if (button->text().contains(QStringLiteral("Ctrl+Return"))) return button->isEnabled();
    }
    return false;
}

void commit(Stage& stage, view::DeedDialog& dialog)
{
    QTest::keyClick(&dialog, Qt::Key_Return, Qt::ControlModifier);
    stage.settle();
}

std::optional<RouteSettings> routeRow(Stage& stage, const std::string& provider)
{
    const Decisions decisions = stage.archive.database().readDecisions().value();
    for (const RouteSettings& row : decisions.routes) {
        if (row.provider == provider) return row;
    }
    return std::nullopt;
}

std::vector<store::StoredDrill> drillsIn(Stage& stage)
{
    return stage.archive.database().drills(10).value();
}

AgentStatus withDrill(AgentStatus status, const Drill& drill)
{
    status.drills.push_back({drill, 60.0, {812, 12, 340, 3}});
    return status;
}

void fillLive(Stage& stage, bool isTroubled)
{
    stage.clock.advance(std::chrono::seconds{-300});
    stage.fill(knownStatus());
    for (int i = 1; i <= 300; ++i) {
        AgentStatus status = knownStatus(isTroubled ? 2.7 : 0.6);
        RouteStatus& route = status.models[0].routes[0];
        const double lost = i < 120 ? 0.0 : i < 180 ? 12.0 : 12.0 * (300 - i) / 120.0;
        route.permittedRps = 24.0 - lost;
        if (isTroubled) {
            route.gate = "cut";
            route.breaker = "half_open";
            route.errorRate1m = 0.4;
            route.outcomes1m = {{"ok", 420}, {"rate_limited", 280}};
            status.models[0].routes[1].enabled = false;
        }
        stage.second(status);
    }
}

void keepDialog(view::DeedDialog& dialog, const QByteArray& name)
{
    dialog.refresh();
    keepPicture(dialog.grab().toImage(), QString::fromLatin1(name));
}

} // namespace weir::test
