// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/profile.h"
#include "app/model/secret_keeper.h"

#include <QObject>
#include <QString>

#include <functional>

namespace weir::model {

/// What the dialog of profiles does: saves one with its password, removes both, opens one.
class ProfileDesk final : public QObject
{
    Q_OBJECT

public:
    /// `keeper` outlives the desk.
    ProfileDesk(Profiles profiles, SecretKeeper& keeper, QObject* parent = nullptr);

    [[nodiscard]] std::vector<Profile> all() const { return m_profiles.all(); }

    /// Writes the profile and, where `password` is not empty, the password to the keychain. A
    /// password that could not be kept is said; the profile then asks libpq's own sources.
    void save(Profile profile, const QString& password);
    /// The keychain forgets its password.
    void forgetPassword(Profile profile);
    void remove(const Profile& profile);

    /// In a window of its own.
    void open(const QString& name) { emit opened(name); }

    /// Of the last thing done; empty where all went well.
    [[nodiscard]] const QString& trouble() const { return m_trouble; }

    /// The store's URL with the password of the keychain put in, as far as there is one.
    static void
    fetchUrl(const Profile& profile, SecretKeeper& keeper, std::function<void(QString)> done);

signals:
    void changed();
    void opened(const QString& name);

private:
    void end(const Status<>& outcome);

    Profiles m_profiles;
    SecretKeeper& m_keeper;
    QString m_trouble;
};

} // namespace weir::model
