// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/link/answer_watch.h"
#include "app/link/store_options.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QString>

#include <chrono>
#include <memory>
#include <optional>

namespace weir::link {

enum class Access : std::uint8_t { ReadOnly, ReadWrite };

/// One Qt Sql connection to an existing store, closed and forgotten at the end of its scope. Used
/// in the thread that opened it; every QSqlQuery on it must be gone before. A Postgres lets its
/// transactions lie idle for half of the answer limit and no longer.
class StoreConnection final
{
public:
    /// Error code "store": the file is missing, no database, or locked; the server did not answer
    /// in time, or did not let us in.
    [[nodiscard]] static Result<std::unique_ptr<StoreConnection>>
    open(const StoreOptions& options, Access access);

    ~StoreConnection();
    StoreConnection(const StoreConnection&) = delete;
    StoreConnection& operator=(const StoreConnection&) = delete;

    [[nodiscard]] QSqlDatabase db() const;

    /// From now on a server has its answer limit for all that is asked, or forever.
    void limitAnswer();
    void endLimit();
    /// The error, or that there was no answer in time where that is behind it.
    [[nodiscard]] Error explained(Error error);

private:
    explicit StoreConnection(QString name);
    [[nodiscard]] Status<> openFile(const StoreOptions& options, Access access);
    [[nodiscard]] Status<> openServer(const StoreOptions& options, Access access);

    QString m_name;
    std::chrono::milliseconds m_limit{};
    std::optional<AnswerWatch> m_watch;
};

/// What the database said, for a person.
[[nodiscard]] QString troubleOf(const QSqlError& error);

} // namespace weir::link
