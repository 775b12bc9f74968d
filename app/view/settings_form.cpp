// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/settings_form.h"

#include "app/model/format.h"
#include "app/view/pieces.h"
#include "common/base/number.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace weir::view {
namespace {

constexpr int kNumberWidth = 98;
constexpr int kLastWidth = 120;

Line* makeLine(const QString& text, const QFont& font, const QColor& colour, QWidget* parent)
{
    auto* line = new Line(font, colour, parent);
    line->setText(text);
    return line;
}

QString word(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// "Slow factor".
QString titleOf(std::string_view key)
{
    QString title = word(key).replace(QChar('_'), QChar(' '));
    title[0] = title[0].toUpper();
    return title;
}

QString allowedText(const SettingSpec& spec)
{
    return word(shortestText(spec.minimum)) + QStringLiteral(" to ") +
           word(shortestText(spec.maximum));
}

/// Null where no agent says anything of it.
const RouteStatus* routeOf(const AgentStatus* status, const reports::RouteName& name)
{
    if (status == nullptr) return nullptr;
    for (const ModelStatus& model : status->models) {
        for (const RouteStatus& route : model.routes) {
            if (model.name == name.model && route.provider == name.provider) return &route;
        }
    }
    return nullptr;
}

void setInk(QLabel& label, const QColor& ink)
{
    QPalette palette = label.palette();
    if (palette.color(QPalette::WindowText) == ink) return;
    palette.setColor(QPalette::WindowText, ink);
    label.setPalette(palette);
}

} // namespace

SettingsForm::SettingsForm(const Theme& theme, model::SettingsDesk& desk, QWidget* parent)
    : QScrollArea(parent)
    , m_theme(theme)
    , m_desk(desk)
    , m_body(new QWidget(this))
    , m_layout(new QVBoxLayout(m_body))
    , m_routes(nullptr)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setAutoFillBackground(false);
    m_layout->setContentsMargins(12, 8, 12, 8);
    m_layout->setSpacing(10);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(9);
    makeNumbers(*grid);
    m_layout->addLayout(grid);
    m_layout->addStretch(1);
    setWidget(m_body);
    // After it was set: the area would fill it.
    m_body->setAutoFillBackground(false);
    m_ownFields = m_fields.size();
}

SettingsForm::Field& SettingsForm::addField(const std::string& key)
{
    Field field;
    field.key = key;
    m_fields.push_back(field);
    return m_fields.back();
}

QLineEdit* SettingsForm::makeText(const std::string& key, const QString& name, int width)
{
    auto* text = new QLineEdit(m_body);
    text->setAccessibleName(name);
    text->setFixedWidth(width);
    text->setAlignment(Qt::AlignRight);
    connect(text, &QLineEdit::textEdited, this, [this, key](const QString& typed) {
        const QString value = typed.trimmed();
        const bool isPlace = key.ends_with(".fixed_position");
        m_desk.edit(key, isPlace && value.isEmpty() ? "none" : value.toStdString());
    });
    return text;
}

void SettingsForm::makeNumbers(QGridLayout& grid)
{
    const QFont small = uiFont(9.0, QFont::Medium);
    int column = 0;
    for (const char* title : {"Setting", "Value", "Unit", "Allowed", "Standard", "Last change"}) {
        Line* head = makeLine(QString::fromLatin1(title), small, m_theme.muted, m_body);
        grid.addWidget(head, 0, column++);
    }
    grid.setColumnStretch(0, 1);
    int row = 1;
    const auto add = [&](std::string_view key,
                         const QString& meaning,
                         const QString& unit,
                         const QString& allowed,
                         const QString& standard) -> Field& {
        Field& field = addField(std::string{key});
        field.meaning = meaning;
        auto* name = new QWidget(m_body);
        auto* lines = new QVBoxLayout(name);
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(1);
        lines->addWidget(makeLine(titleOf(key), uiFont(10.0, QFont::Medium), m_theme.text, name));
        field.note = makeParagraph(uiFont(9.0), m_theme.muted, name);
        lines->addWidget(field.note);
        field.last = makeLine(QString(), uiFont(9.0), m_theme.muted, m_body);
        field.last->setFixedWidth(kLastWidth);
        grid.addWidget(name, row, 0);
        grid.addWidget(makeLine(unit, uiFont(9.5), m_theme.muted, m_body), row, 2);
        grid.addWidget(makeLine(allowed, uiFont(9.5), m_theme.muted, m_body), row, 3);
        grid.addWidget(makeLine(standard, uiFont(9.5), m_theme.muted, m_body), row, 4);
        grid.addWidget(field.last, row, 5);
        return field;
    };
    Field& objective =
        add("objective",
            QStringLiteral("what the leader is chosen by"),
            QString(),
            QString(),
            QStringLiteral("score"));
    objective.choice = new QComboBox(m_body);
    objective.choice->addItems({QStringLiteral("score"), QStringLiteral("routing_cost")});
    objective.choice->setAccessibleName(QStringLiteral("Objective"));
    connect(objective.choice, &QComboBox::textActivated, this, [this](const QString& text) {
        m_desk.edit("objective", text.toStdString());
    });
    grid.addWidget(objective.choice, row++, 1);
    for (const SettingSpec& spec : settingSpecs()) {
        Field& field =
            add(spec.key,
                word(spec.meaning),
                word(spec.unit),
                allowedText(spec),
                word(shortestText(spec.standard)));
        field.text = makeText(field.key, titleOf(spec.key), kNumberWidth);
        grid.addWidget(field.text, row++, 1);
    }
}

void SettingsForm::makeRoutes()
{
    delete m_routes;
    m_fields.resize(m_ownFields);
    m_shownRoutes = m_desk.editor().routes();
    m_routes = new QWidget(m_body);
    m_layout->insertWidget(1, m_routes);
    auto* grid = new QGridLayout(m_routes);
    grid->setContentsMargins(0, 6, 0, 0);
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(0, 1);
    const QFont small = uiFont(9.0, QFont::Medium);
    const char* titles[] = {
        "Route", "Takes traffic", "Bias 0.5 to 1.5", "Fixed order", "Last change"};
    int column = 0;
    for (const char* title : titles) {
        grid->addWidget(
            makeLine(QString::fromLatin1(title), small, m_theme.muted, m_routes), 0, column++);
    }
    int row = 1;
    for (const reports::RouteName& route : m_shownRoutes) {
        const QString name = model::plain(route.model) + QChar('/') + model::plain(route.provider);
        auto* place = new QWidget(m_routes);
        auto* lines = new QVBoxLayout(place);
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(1);
        lines->addWidget(makeLine(name, uiFont(10.0, QFont::Medium), m_theme.text, place));
        Line* last = makeLine(QString(), uiFont(9.0), m_theme.muted, m_routes);
        last->setFixedWidth(kLastWidth);
        QLabel* note = makeParagraph(uiFont(9.0), m_theme.muted, place);
        lines->addWidget(note);
        grid->addWidget(place, row, 0);
        grid->addWidget(last, row, 4);

        Field& enabled = addField(reports::routeKey(route, "enabled"));
        enabled.note = note;
        enabled.last = last;
        enabled.flag = new QCheckBox(QStringLiteral("enabled"), m_routes);
        enabled.flag->setAccessibleName(name + QStringLiteral(" takes traffic"));
        connect(enabled.flag, &QCheckBox::clicked, this, [this, key = enabled.key](bool isOn) {
            m_desk.edit(key, isOn ? "true" : "false");
        });
        grid->addWidget(enabled.flag, row, 1);
        Field& bias = addField(reports::routeKey(route, "score_bias"));
        bias.note = note;
        bias.last = last;
        bias.text = makeText(bias.key, name + QStringLiteral(" bias of the score"), kNumberWidth);
        grid->addWidget(bias.text, row, 2);
        Field& position = addField(reports::routeKey(route, "fixed_position"));
        position.note = note;
        position.last = last;
        position.text = makeText(
            position.key, name + QStringLiteral(" place in the fixed order"), kNumberWidth);
        position.text->setPlaceholderText(QStringLiteral("as configured"));
        grid->addWidget(position.text, row++, 3);
    }
    m_routes->show();
}

void SettingsForm::showValue(Field& field)
{
    const std::string value = m_desk.editor().value(field.key);
    const bool isLocked = !m_desk.isEditable();
    const QString text = value == "none" ? QString() : model::plain(value);
    if (field.text != nullptr) {
        if (field.text->text().trimmed() != text) field.text->setText(text);
        field.text->setReadOnly(isLocked);
        field.text->setToolTip(plainToolTip(m_desk.lock()));
    }
    if (field.choice != nullptr) {
        field.choice->setCurrentText(text);
        field.choice->setEnabled(!isLocked);
    }
    if (field.flag != nullptr) {
        field.flag->setChecked(value == "true");
        field.flag->setEnabled(!isLocked);
    }
}

void SettingsForm::showNote(Field& field)
{
    const auto& faults = m_desk.editor().faults();
    if (const auto fault = faults.find(field.key); fault != faults.end()) {
        field.note->setText(model::plain(fault->second));
        setInk(*field.note, m_theme.ink(model::Tone::Critical));
        return;
    }
    const std::string standing = m_desk.editor().standing(field.key);
    if (m_desk.editor().value(field.key) != standing) {
        const std::string name = field.key.substr(field.key.rfind('.') + 1);
        const QString what = field.meaning.isEmpty() ? titleOf(name) + QChar(' ') : QString();
        field.note->setText(what + QStringLiteral("changed; stands at ") + model::plain(standing));
        setInk(*field.note, m_theme.accent);
        return;
    }
    // One line for the three values of a route: what is the matter stays.
    if (field.meaning.isEmpty()) return;
    field.note->setText(field.meaning);
    setInk(*field.note, m_theme.muted);
}

void SettingsForm::showRates(const AgentStatus* status)
{
    constexpr std::size_t kFieldsOfRoute = 3;
    for (std::size_t i = 0; i < m_shownRoutes.size(); ++i) {
        const RouteStatus* route = routeOf(status, m_shownRoutes[i]);
        QLabel* note = m_fields[m_ownFields + i * kFieldsOfRoute].note;
        const bool isKnown = route != nullptr && route->permittedRps.has_value();
        note->setText(
            isKnown ? QStringLiteral("permitted ") + model::rate(route->permittedRps) +
                          QStringLiteral(" requests/s now")
                    : QStringLiteral("no limit of its rate is known"));
        setInk(*note, m_theme.muted);
    }
}

QString SettingsForm::lastText(const std::string& key, UtcTime now) const
{
    const auto found = m_last.find(key);
    if (found == m_last.end()) return {};
    return model::plain(found->second.who) + QChar(' ') + model::age(now - found->second.at) +
           QStringLiteral(" ago");
}

void SettingsForm::refresh(UtcTime now, const AgentStatus* status)
{
    if (m_shownRoutes != m_desk.editor().routes()) makeRoutes();
    const std::int64_t newest = m_desk.audit().empty() ? 0 : m_desk.audit().front().id;
    if (newest != m_lastAudit) m_last = model::lastChanges(m_desk.audit());
    m_lastAudit = newest;
    for (std::size_t i = m_ownFields; i < m_fields.size(); ++i)
        m_fields[i].last->setText(QString());
    showRates(status);
    for (Field& field : m_fields) {
        showValue(field);
        showNote(field);
        if (const QString last = lastText(field.key, now); !last.isEmpty())
            field.last->setText(last);
        field.note->setVisible(!field.note->text().isEmpty());
    }
}

QWidget* SettingsForm::editor(const std::string& key) const
{
    for (const Field& field : m_fields) {
        if (field.key != key) continue;
        if (field.text != nullptr) return field.text;
        if (field.choice != nullptr) return field.choice;
        return field.flag;
    }
    return nullptr;
}

void SettingsForm::focusFirst()
{
    m_fields.front().choice->setFocus(Qt::OtherFocusReason);
}

} // namespace weir::view
