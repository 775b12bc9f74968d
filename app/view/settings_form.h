// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings_desk.h"
#include "app/view/theme.h"

#include <QScrollArea>

#include <map>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace weir::view {

class Line;

/// Every setting with what it means, its unit, its range, its standard and who changed it last;
/// then the routes.
class SettingsForm final : public QScrollArea
{
    Q_OBJECT

public:
    SettingsForm(const Theme& theme, model::SettingsDesk& desk, QWidget* parent = nullptr);

    /// `status` may be null.
    void refresh(UtcTime now, const AgentStatus* status);
    void focusFirst();
    [[nodiscard]] QWidget* editor(const std::string& key) const;

private:
    /// One value: what it is edited with, and what is said beside it.
    struct Field
    {
        std::string key;
        QLineEdit* text = nullptr;
        QComboBox* choice = nullptr;
        QCheckBox* flag = nullptr;
        QLabel* note = nullptr;
        Line* last = nullptr;
        QString meaning;
    };

    void makeNumbers(QGridLayout& grid);
    void makeRoutes();
    [[nodiscard]] Field& addField(const std::string& key);
    [[nodiscard]] QLineEdit* makeText(const std::string& key, const QString& name, int width);
    void showValue(Field& field);
    void showNote(Field& field);
    [[nodiscard]] QString lastText(const std::string& key, UtcTime now) const;

    void showRates(const AgentStatus* status);

    const Theme& m_theme;
    model::SettingsDesk& m_desk;
    QWidget* m_body;
    QVBoxLayout* m_layout;
    QWidget* m_routes;
    std::vector<reports::RouteName> m_shownRoutes;
    std::vector<Field> m_fields;
    std::size_t m_ownFields = 0;
    std::map<std::string, model::LastChange, std::less<>> m_last;
    std::int64_t m_lastAudit = -1;
};

} // namespace weir::view
