// SPDX-License-Identifier: Apache-2.0
#include "common/model/saved_decision.h"

#include <QTest>

#include <algorithm>

using namespace weir;

namespace {

SavedDecision sample()
{
    SavedDecision saved;
    saved.providers = {"baseten", "fire-works.2"};
    saved.served.snapshotId = "00ff";
    saved.served.input.routes = {RouteOption{}, RouteOption{}};
    saved.served.input.routes[1].fixedPosition = 1;
    saved.served.input.pin = 1;
    saved.served.decision.candidates = {
        Candidate{1, ReasonCode::Pin, Reason::Pinned},
        Candidate{0, ReasonCode::Best, Reason::Failover}};
    saved.served.decision.codes = {ReasonCode::Best, ReasonCode::Pin};
    saved.served.decision.scores = {5, 0};
    return saved;
}

} // namespace

class TestSavedDecision final : public QObject
{
    Q_OBJECT

private slots:

    void comesBackWhole()
    {
        SavedDecision saved = sample();
        QVERIFY(decodeSavedDecision(encode(saved)).value() == saved);
        saved.shadow = saved.served;
        saved.shadow->input.mode = EffectiveMode::Adaptive;
        QVERIFY(decodeSavedDecision(encode(saved)).value() == saved);
    }

    /// The ledger keeps plain characters only.
    void isPlainText()
    {
        SavedDecision saved = sample();
        saved.shadow = saved.served;
        const std::string text = encode(saved);
        QVERIFY(std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; }));
        QVERIFY(text.starts_with("baseten,fire-works.2|"));
    }

    void refusesWhatIsNone()
    {
        const std::string good = encode(sample());
        for (const std::string& bad :
             {std::string{},
              std::string{"baseten"},
              std::string{"baseten|"},
              good + '|',
              good + "|x",
              good.substr(0, good.rfind(' ')),
              "one," + good,
              good.substr(good.find('|'))}) {
            QCOMPARE(decodeSavedDecision(bad).error().code, std::string{"bad_decision"});
        }
    }
};

QTEST_APPLESS_MAIN(TestSavedDecision)
#include "tst_saved_decision.moc"
