// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/secret_keeper.h"

#include <QObject>

namespace weir::link {

/// The keychain of the desktop (Secret Service, KWallet) by QtKeychain; never a plain file.
class Keychain final : public QObject, public model::SecretKeeper
{
    Q_OBJECT

public:
    using QObject::QObject;

    void read(const QString& key, std::function<void(Result<QString>)> done) override;
    void
    write(const QString& key, const QString& secret, std::function<void(Status<>)> done) override;
    void remove(const QString& key, std::function<void(Status<>)> done) override;
};

} // namespace weir::link
