// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace weir::model {

/// The colour across the top of the window, by which a person knows where they are.
enum class Band : std::uint8_t { None, Red, Amber, Green, Blue };

inline constexpr std::size_t kBandCount = 5;

/// "none", "red", …: as in the file and on screen.
[[nodiscard]] QString toWord(Band band);
/// What an environment of this name has where nobody chose: red for production, amber for staging.
[[nodiscard]] Band usualBand(const QString& name);

/// An environment: where its store and one of its agents are.
struct Profile
{
    QString name;
    /// As on the command line, without a password; may be empty.
    QString store;
    QString agent;
    Band band = Band::None;
    /// The store's password lies in the system's keychain.
    bool isPasswordKept = false;

    bool operator==(const Profile&) const = default;
};

/// Error code "bad_profile": a name of no or more than 40 characters or with control characters or
/// slashes, an address that is none, a password in the store's URL.
[[nodiscard]] Status<> check(const Profile& profile);

/// The profiles in a file of this user. Read anew with each call: another window may have written.
class Profiles final
{
public:
    explicit Profiles(QString file);

    /// By name.
    [[nodiscard]] std::vector<Profile> all() const;
    [[nodiscard]] std::optional<Profile> find(const QString& name) const;
    /// Adds it or replaces the one of its name. Error codes of `check`, and "profiles" where the
    /// file cannot be written.
    [[nodiscard]] Status<> save(const Profile& profile);
    [[nodiscard]] Status<> remove(const QString& name);

private:
    QString m_file;
};

} // namespace weir::model
