// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/drill_form.h"

#include "app/model/format.h"
#include "app/view/pieces.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QSpinBox>

#include <cmath>

namespace weir::view {
namespace {

constexpr double kPpmPerCent = 1e4;

struct KindChoice
{
    DrillKind kind;
    const char* text;
};

constexpr KindChoice kKinds[] = {
    {DrillKind::Breaker, "Open its breaker: no requests at all"},
    {DrillKind::RateLimit, "Answer 429 instead of sending"},
    {DrillKind::Error, "Answer 503 instead of sending"},
    {DrillKind::Delay, "Wait before sending"},
};

} // namespace

DrillForm::DrillForm(const Theme& theme, model::DrillDeed& deed, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_deed(deed)
    , m_provider(new QComboBox(this))
    , m_kind(new QComboBox(this))
    , m_share(new QDoubleSpinBox(this))
    , m_delay(new QSpinBox(this))
    , m_length(new QSpinBox(this))
    , m_abort(new QDoubleSpinBox(this))
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    const auto place = [&](const char* name, QWidget* field, int row, int column) {
        grid->addWidget(makeLabel(QString::fromUtf8(name), field), row, column);
        grid->addWidget(field, row + 1, column);
        field->setMinimumHeight(30);
    };
    place("Provider", m_provider, 0, 0);
    place("What to provoke", m_kind, 0, 1);
    place("Share of its requests, %", m_share, 2, 0);
    place("Delay, ms", m_delay, 2, 1);
    place("Length, minutes (60 at most)", m_length, 4, 0);
    place("End it where more requests fail than, %", m_abort, 4, 1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    fill();
    connect(m_provider, &QComboBox::currentIndexChanged, this, &DrillForm::readPlan);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &DrillForm::readPlan);
    connect(m_share, &QDoubleSpinBox::valueChanged, this, &DrillForm::readPlan);
    connect(m_delay, &QSpinBox::valueChanged, this, &DrillForm::readPlan);
    connect(m_length, &QSpinBox::valueChanged, this, &DrillForm::readPlan);
    connect(m_abort, &QDoubleSpinBox::valueChanged, this, &DrillForm::readPlan);
    showUseful();
}

QLabel* DrillForm::makeLabel(const QString& text, QWidget* field)
{
    QLabel* label = makeParagraph(uiFont(9.5, QFont::Medium), m_theme.muted, this);
    label->setText(text);
    field->setAccessibleName(text);
    return label;
}

void DrillForm::fill()
{
    const reports::DrillPlan& plan = m_deed.plan();
    for (const QString& name : m_deed.providers())
        m_provider->addItem(model::plain(name.toStdString()), name);
    m_provider->setCurrentIndex(m_provider->findData(QString::fromStdString(plan.provider)));
    for (const KindChoice& choice : kKinds)
        m_kind->addItem(QString::fromUtf8(choice.text), static_cast<int>(choice.kind));
    m_kind->setCurrentIndex(m_kind->findData(static_cast<int>(plan.kind)));
    m_share->setRange(0.0, 100.0);
    m_share->setDecimals(1);
    m_share->setValue(static_cast<double>(plan.sharePpm) / kPpmPerCent);
    m_delay->setRange(0, static_cast<int>(reports::kDrillDelayMaxMs));
    m_delay->setSingleStep(500);
    m_delay->setValue(2000);
    m_length->setRange(1, static_cast<int>(reports::kDrillLengthMax.count()));
    m_length->setValue(
        static_cast<int>(std::chrono::duration_cast<std::chrono::minutes>(plan.length).count()));
    m_abort->setRange(0.0, 100.0);
    m_abort->setDecimals(1);
    m_abort->setValue(static_cast<double>(plan.abortFailurePpm) / kPpmPerCent);
}

void DrillForm::readPlan()
{
    reports::DrillPlan plan = m_deed.plan();
    plan.provider = m_provider->currentData().toString().toStdString();
    plan.kind = static_cast<DrillKind>(m_kind->currentData().toInt());
    plan.sharePpm = std::llround(m_share->value() * kPpmPerCent);
    plan.delayMs = m_delay->value();
    plan.length = std::chrono::minutes{m_length->value()};
    plan.abortFailurePpm = std::llround(m_abort->value() * kPpmPerCent);
    showUseful();
    m_deed.setPlan(plan);
}

void DrillForm::showUseful()
{
    const auto kind = static_cast<DrillKind>(m_kind->currentData().toInt());
    m_share->setEnabled(kind != DrillKind::Breaker);
    m_delay->setEnabled(kind == DrillKind::Delay);
}

} // namespace weir::view
