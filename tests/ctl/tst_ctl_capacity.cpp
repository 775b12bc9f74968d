// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/capacity_view.h"

#include <QTest>

using namespace weir;
using namespace weir::ctl;

/// What `capacity` makes of a status.
class TstCtlCapacity : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatAFailoverNeeds();
    void fitsEveryWidth();
};

namespace {

AgentStatus sample()
{
    AgentStatus status;
    ModelStatus& model = status.models.emplace_back();
    model.name = "support";
    const auto add = [&model](const char* provider) -> FailoverStatus& {
        FailoverStatus& failover = model.failover.emplace_back();
        failover.provider = provider;
        failover.needs = {60.0, 5'400'000.0};
        failover.interactiveNeeds = {36.0, 3'240'000.0};
        failover.others = {"other"};
        return failover;
    };
    FailoverStatus& shortOf = add("a-eu");
    shortOf.capacityRps = 22.2;
    shortOf.ratio = 2.7;
    shortOf.interactiveRatio = 1.6;
    FailoverStatus& fits = add("b-eu");
    fits.capacityRps = 120.0;
    fits.ratio = 0.5;
    fits.interactiveRatio = 0.3;
    FailoverStatus& waits = add("c-eu");
    waits.ratio = 1.2;
    waits.interactiveRatio = 0.8;
    add("d-eu").unknown = {"some\x1b[31mone"};
    add("e-eu").others.clear();
    return status;
}

std::string plain(const std::vector<Line>& lines)
{
    std::string text;
    for (const Line& line : lines)
        text += toText(line, Paint::Plain) + '\n';
    return text;
}

} // namespace

void TstCtlCapacity::saysWhatAFailoverNeeds()
{
    const std::string text = plain(capacityLines(sample(), 200));
    const auto lineOf = [&text](std::string_view provider) {
        const std::size_t begin = text.find(provider);
        return text.substr(begin, text.find('\n', begin) - begin);
    };
    QVERIFY(lineOf("a-eu").find("2.7×") != std::string::npos);
    QVERIFY(lineOf("a-eu").find("1.6×") != std::string::npos);
    QVERIFY(lineOf("a-eu").find("5,400,000") != std::string::npos);
    QVERIFY(lineOf("a-eu").ends_with("short for users"));
    QVERIFY(lineOf("b-eu").find("  fits") != std::string::npos);
    QVERIFY(lineOf("c-eu").find("fits where batch waits") != std::string::npos);
    QVERIFY(lineOf("d-eu").find("no limit is known of some") != std::string::npos);
    QVERIFY(lineOf("e-eu").find("nothing else serves this model") != std::string::npos);
    QVERIFY(text.find('\x1b') == std::string::npos);
}

void TstCtlCapacity::fitsEveryWidth()
{
    for (const std::size_t width : {20, 40, 60, 80, 100, 120}) {
        for (const Line& line : capacityLines(sample(), width)) {
            const QString text = QString::fromStdString(toText(line, Paint::Plain));
            QVERIFY2(static_cast<std::size_t>(text.size()) <= width, qPrintable(text));
        }
    }
}

QTEST_APPLESS_MAIN(TstCtlCapacity)
#include "tst_ctl_capacity.moc"
