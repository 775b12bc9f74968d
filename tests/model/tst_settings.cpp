// SPDX-License-Identifier: Apache-2.0
#include "common/model/settings.h"
#include "common/model/settings_json.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <limits>

using namespace weir;

class TestSettings : public QObject
{
    Q_OBJECT

private slots:

    void theStandardIsValid()
    {
        QVERIFY(validate(standardSettings()));
        // Contract section 5.
        QCOMPARE(standardSettings().objective, std::string{"score"});
        QCOMPARE(standardSettings().number("cost_weight"), 0.7);
        QCOMPARE(standardSettings().number("speed_weight"), 0.3);
        QCOMPARE(standardSettings().number("slow_factor"), 3.0);
        QCOMPARE(standardSettings().number("switch_margin"), 0.05);
        QCOMPARE(standardSettings().number("exploration_share"), 0.05);
        QCOMPARE(standardSettings().number("pin_seconds"), 300.0);
    }

    void keepsToTheRanges()
    {
        for (const SettingSpec& spec : settingSpecs()) {
            const std::string key{spec.key};
            const double nan = std::numeric_limits<double>::quiet_NaN();
            for (const double value : {spec.minimum - 1e-6, spec.maximum + 1e-6, nan}) {
                RoutingSettings settings = standardSettings();
                settings.numbers[key] = value;
                const Status<> checked = validate(settings);
                QCOMPARE(checked.error().code, std::string{"bad_setting"});
                QCOMPARE(checked.error().where, key);
            }
            RoutingSettings settings = standardSettings();
            settings.numbers.erase(key);
            QCOMPARE(validate(settings).error().where, key);
        }
    }

    void weightsSumToOne()
    {
        RoutingSettings settings = standardSettings();
        settings.numbers["cost_weight"] = 0.6;
        QCOMPARE(validate(settings).error().where, std::string{"cost_weight"});
        settings.numbers["speed_weight"] = 0.4;
        QVERIFY(validate(settings));
    }

    void knowsTwoObjectives()
    {
        RoutingSettings settings = standardSettings();
        settings.objective = "routing_cost";
        QVERIFY(validate(settings));
        settings.objective = "luck";
        QCOMPARE(validate(settings).error().where, std::string{"objective"});
    }

    void wordsComeBack()
    {
        for (const Mode mode : {Mode::Adaptive, Mode::Shadow, Mode::Fixed}) {
            QVERIFY(modeFromWord(toWord(mode)) == mode);
        }
        QVERIFY(!modeFromWord("failsafe"));
        QVERIFY(effectiveModeFromWord("failsafe") == EffectiveMode::Failsafe);
        QVERIFY(effectiveModeFromWord("shadow") == EffectiveMode::Shadow);
        QVERIFY(!effectiveModeFromWord(""));
    }

    void writesJson()
    {
        const nlohmann::ordered_json settings = toJson(standardSettings());
        for (const SettingSpec& spec : settingSpecs()) {
            QCOMPARE(settings.at(std::string{spec.key}).get<double>(), spec.standard);
        }
        AuditEntry entry;
        entry.oldValue = R"({"mode":"fixed"})";
        entry.newValue = "not JSON";
        const nlohmann::ordered_json json = toJson(entry);
        QCOMPARE(json["old"]["mode"].get<std::string>(), std::string{"fixed"});
        QCOMPARE(json["new"].get<std::string>(), std::string{"not JSON"});
    }
};

QTEST_APPLESS_MAIN(TestSettings)
#include "tst_settings.moc"
