// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.h"

#include <QString>

#include <functional>

namespace weir::model {

/// The system's keychain. Every call returns at once; the answer comes in the thread that asked.
/// Error codes: "no_secret" where there is none, "keychain" with what the system said.
class SecretKeeper
{
public:
    virtual ~SecretKeeper() = default;

    /// `key` names the secret among those of this program.
    virtual void read(const QString& key, std::function<void(Result<QString>)> done) = 0;
    virtual void
    write(const QString& key, const QString& secret, std::function<void(Status<>)> done) = 0;
    /// A secret that is not there is removed.
    virtual void remove(const QString& key, std::function<void(Status<>)> done) = 0;
};

} // namespace weir::model
