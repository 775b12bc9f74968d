// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/what_if_form.h"

#include "app/view/pieces.h"
#include "common/model/settings.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace weir::view {
namespace {

/// Sliders move in thousandths.
constexpr double kSteps = 1000.0;

const SettingSpec& specOf(std::string_view key)
{
    return *std::ranges::find(settingSpecs(), key, &SettingSpec::key);
}

double shareOf(std::int64_t ppm)
{
    return static_cast<double>(ppm) / static_cast<double>(kPpm);
}

} // namespace

WhatIfForm::WhatIfForm(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_speed(makeParagraph(uiFont(9.0), theme.muted, this))
{
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(10);
    layout->setVerticalSpacing(6);
    add(*layout, "cost_weight", "Cost weight", &RoutingPolicy::costWeightPpm);
    layout->addWidget(m_speed, layout->rowCount(), 1, 1, 2);
    add(*layout, "slow_factor", "Slow from, times the fastest", &RoutingPolicy::slowFactorPpm);
    add(*layout, "switch_margin", "Margin to overtake", &RoutingPolicy::switchMarginPpm);
    add(*layout, "exploration_share", "Exploration share", &RoutingPolicy::explorationSharePpm);
    auto* reset = new QPushButton(QStringLiteral("As it was"), this);
    reset->setAutoDefault(false);
    layout->addWidget(reset, layout->rowCount(), 0);
    connect(reset, &QPushButton::clicked, this, [this] {
        setPolicy(m_saved);
        emit supposed(policy());
    });
}

void WhatIfForm::add(
    QGridLayout& layout, const char* key, const char* title, std::int64_t RoutingPolicy::*value)
{
    const SettingSpec& spec = specOf(key);
    const QString name = QString::fromLatin1(title);
    auto* label = makeParagraph(uiFont(9.5), m_theme.text, this);
    label->setText(name);
    const auto tip =
        QString::fromUtf8(spec.meaning.data(), static_cast<qsizetype>(spec.meaning.size()));
    label->setToolTip(plainToolTip(tip));
    auto* slider = new QSlider(Qt::Horizontal, this);
    slider->setRange(
        static_cast<int>(std::ceil(spec.minimum * kSteps)),
        static_cast<int>(std::floor(spec.maximum * kSteps)));
    slider->setAccessibleName(name + QStringLiteral(", hypothetical"));
    slider->setMinimumWidth(120);
    auto* box = new QDoubleSpinBox(this);
    box->setDecimals(3);
    box->setSingleStep(0.01);
    box->setRange(spec.minimum, spec.maximum);
    box->setAccessibleName(name + QStringLiteral(", hypothetical number"));
    const int row = layout.rowCount();
    layout.addWidget(label, row, 0);
    layout.addWidget(slider, row, 1);
    layout.addWidget(box, row, 2);
    m_settings.push_back({value, slider, box});
    connect(slider, &QSlider::valueChanged, this, [this, box](int steps) {
        const QSignalBlocker quiet(box);
        box->setValue(steps / kSteps);
        take();
    });
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, slider](double share) {
        const QSignalBlocker quiet(slider);
        slider->setValue(static_cast<int>(std::lround(share * kSteps)));
        take();
    });
}

void WhatIfForm::setPolicy(const RoutingPolicy& policy)
{
    m_saved = policy;
    for (const Setting& setting : m_settings) {
        const QSignalBlocker quietSlider(setting.slider);
        const QSignalBlocker quietBox(setting.box);
        const double share = shareOf(policy.*setting.value);
        setting.box->setValue(share);
        setting.slider->setValue(static_cast<int>(std::lround(share * kSteps)));
    }
    m_speed->setText(
        QStringLiteral("Speed weight %1").arg(shareOf(policy.speedWeightPpm), 0, 'f', 3));
}

RoutingPolicy WhatIfForm::policy() const
{
    RoutingPolicy policy = m_saved;
    for (const Setting& setting : m_settings) {
        // What nobody touched stays what it was to the last digit.
        if (std::abs(setting.box->value() - shareOf(m_saved.*setting.value)) < 0.0005) continue;
        policy.*setting.value = std::llround(setting.box->value() * static_cast<double>(kPpm));
    }
    policy.speedWeightPpm = kPpm - policy.costWeightPpm;
    return policy;
}

void WhatIfForm::take()
{
    const RoutingPolicy now = policy();
    m_speed->setText(QStringLiteral("Speed weight %1").arg(shareOf(now.speedWeightPpm), 0, 'f', 3));
    emit supposed(now);
}

} // namespace weir::view
