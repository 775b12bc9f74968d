// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/profile_dialog.h"

#include "app/view/pieces.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>

namespace weir::view {
namespace {

QPushButton* makeButton(const QString& text, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    // With a default button, Return in any field would press it.
    button->setAutoDefault(false);
    button->setMinimumHeight(32);
    return button;
}

QLineEdit* makeField(const QString& name, const QString& example, QWidget* parent)
{
    auto* field = new QLineEdit(parent);
    field->setAccessibleName(name);
    field->setPlaceholderText(example);
    field->setMinimumWidth(380);
    return field;
}

} // namespace

ProfileDialog::ProfileDialog(
    const Theme& theme, model::ProfileDesk& desk, const QString& current, QWidget* parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_desk(desk)
    , m_chosen(current)
    , m_list(new QListWidget(this))
    , m_name(makeField(QStringLiteral("Name"), QStringLiteral("production"), this))
    , m_store(makeField(
          QStringLiteral("Store"),
          QStringLiteral("postgresql://maria@db.example/weir?sslmode=verify-full"),
          this))
    , m_agent(makeField(QStringLiteral("Agent"), QStringLiteral("http://127.0.0.1:8791"), this))
    , m_band(new QComboBox(this))
    , m_password(makeField(QStringLiteral("Password of the store"), QString(), this))
    , m_note(makeParagraph(uiFont(9.0), theme.muted, this))
    , m_forget(makeButton(QStringLiteral("Forget the password"), this))
    , m_remove(makeButton(QStringLiteral("Remove"), this))
    , m_open(makeButton(QStringLiteral("Open in a new window"), this))
{
    setWindowTitle(QStringLiteral("Profiles"));
    m_list->setAccessibleName(QStringLiteral("Profiles"));
    m_list->setFixedWidth(170);
    m_password->setEchoMode(QLineEdit::Password);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 20, 24, 18);
    layout->setSpacing(12);
    auto* title = new Line(uiFont(15.0, QFont::Medium), theme.text, this);
    title->setText(QStringLiteral("Profiles"));
    layout->addWidget(title);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(20);
    middle->addWidget(m_list);
    middle->addWidget(makeForm(), 1);
    layout->addLayout(middle);
    layout->addWidget(m_note);
    makeButtons(*layout);
    connect(m_list, &QListWidget::currentRowChanged, this, &ProfileDialog::choose);
    connect(&desk, &model::ProfileDesk::changed, this, &ProfileDialog::refresh);
    refresh();
}

QWidget* ProfileDialog::makeForm()
{
    auto* box = new QWidget(this);
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(10);
    m_band->setAccessibleName(QStringLiteral("Colour"));
    for (std::size_t i = 0; i < model::kBandCount; ++i)
        m_band->addItem(model::toWord(static_cast<model::Band>(i)));
    form->addRow(QStringLiteral("Name"), m_name);
    form->addRow(QStringLiteral("Store"), m_store);
    form->addRow(QStringLiteral("Agent"), m_agent);
    form->addRow(QStringLiteral("Colour"), m_band);
    form->addRow(QStringLiteral("Password"), m_password);
    form->addRow(QString(), m_forget);
    connect(m_name, &QLineEdit::textEdited, this, [this](const QString& name) {
        m_band->setCurrentIndex(static_cast<int>(model::usualBand(name)));
    });
    return box;
}

void ProfileDialog::makeButtons(QVBoxLayout& layout)
{
    auto* add = makeButton(QStringLiteral("New"), this);
    auto* save = makeButton(QStringLiteral("Save"), this);
    auto* close = makeButton(QStringLiteral("Close"), this);
    auto* row = new QHBoxLayout;
    row->addWidget(add);
    row->addWidget(m_remove);
    row->addStretch(1);
    row->addWidget(close);
    row->addWidget(save);
    row->addWidget(m_open);
    layout.addLayout(row);
    connect(add, &QPushButton::clicked, this, [this] {
        m_list->setCurrentRow(-1);
        m_name->setFocus();
    });
    connect(m_remove, &QPushButton::clicked, this, [this] { m_desk.remove(typed()); });
    connect(m_forget, &QPushButton::clicked, this, [this] { m_desk.forgetPassword(typed()); });
    connect(save, &QPushButton::clicked, this, &ProfileDialog::save);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_open, &QPushButton::clicked, this, [this] { m_desk.open(m_chosen); });
}

void ProfileDialog::refresh()
{
    m_profiles = m_desk.all();
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    int row = -1;
    for (const model::Profile& profile : m_profiles) {
        if (profile.name == m_chosen) row = m_list->count();
        m_list->addItem(profile.name);
    }
    m_list->setCurrentRow(row);
    // What was typed stays where it could not be saved.
    if (m_desk.trouble().isEmpty()) choose(row);
    m_note->setText(m_desk.trouble());
    m_note->setVisible(!m_desk.trouble().isEmpty());
}

void ProfileDialog::choose(int row)
{
    const bool isThere = row >= 0 && row < static_cast<int>(m_profiles.size());
    fill(isThere ? m_profiles[static_cast<std::size_t>(row)] : model::Profile{});
}

void ProfileDialog::fill(const model::Profile& profile)
{
    m_chosen = profile.name;
    m_name->setText(profile.name);
    m_store->setText(profile.store);
    m_agent->setText(profile.agent);
    m_band->setCurrentIndex(static_cast<int>(profile.band));
    m_password->clear();
    m_password->setPlaceholderText(
        profile.isPasswordKept ? QStringLiteral("in the system's keychain")
                               : QStringLiteral("none kept; libpq looks in its own places"));
    m_forget->setEnabled(profile.isPasswordKept);
    m_remove->setEnabled(!profile.name.isEmpty());
    m_open->setEnabled(!profile.name.isEmpty());
}

void ProfileDialog::save()
{
    const model::Profile profile = typed();
    m_chosen = profile.name;
    m_desk.save(profile, m_password->text());
}

model::Profile ProfileDialog::typed() const
{
    model::Profile profile;
    profile.name = m_name->text().trimmed();
    profile.store = m_store->text().trimmed();
    profile.agent = m_agent->text().trimmed();
    profile.band = static_cast<model::Band>(m_band->currentIndex());
    return profile;
}

} // namespace weir::view
