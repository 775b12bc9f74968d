// SPDX-License-Identifier: Apache-2.0
#include "tests/store/foreign_client.h"

#include "tests/store/samples.h"

#include <libpq-fe.h>
#include <sqlite3.h>

#include <QStringList>

namespace weir::tests {

class ForeignClient::Shell
{
public:
    virtual ~Shell() = default;

    /// Adds the rows to `lines` and returns the complaint.
    virtual QString run(const QByteArray& sql, QStringList& lines) = 0;
};

class ForeignClient::SqliteShell final : public Shell
{
public:
    explicit SqliteShell(const std::filesystem::path& path)
    {
        if (sqlite3_open(path.c_str(), &m_db) != SQLITE_OK) qFatal("cannot open %s", path.c_str());
        sqlite3_busy_timeout(m_db, 5000);
    }

    ~SqliteShell() override { sqlite3_close(m_db); }

    QString run(const QByteArray& sql, QStringList& lines) override
    {
        const auto addLine = [](void* to, int count, char** values, char**) {
            QStringList cells;
            for (int i = 0; i < count; ++i)
                cells << QString::fromUtf8(values[i]);
            *static_cast<QStringList*>(to) << cells.join('|');
            return 0;
        };
        char* complaint = nullptr;
        sqlite3_exec(m_db, sql.constData(), addLine, &lines, &complaint);
        const QString text = QString::fromUtf8(complaint);
        sqlite3_free(complaint);
        return text;
    }

private:
    sqlite3* m_db = nullptr;
};

class ForeignClient::PgShell final : public Shell
{
public:
    explicit PgShell(const std::string& url)
        : m_db(PQconnectdb(url.c_str()))
    {
        if (PQstatus(m_db) != CONNECTION_OK) qFatal("%s", PQerrorMessage(m_db));
        PQsetNoticeReceiver(
            m_db, [](void*, const PGresult*) {}, nullptr);
    }

    ~PgShell() override { PQfinish(m_db); }

    QString run(const QByteArray& sql, QStringList& lines) override
    {
        PGresult* const result = PQexec(m_db, sql.constData());
        for (int row = 0; row < PQntuples(result); ++row) {
            QStringList cells;
            for (int column = 0; column < PQnfields(result); ++column)
                cells << QString::fromUtf8(PQgetvalue(result, row, column));
            lines << cells.join('|');
        }
        const QString complaint = QString::fromUtf8(PQresultErrorMessage(result));
        PQclear(result);
        return complaint;
    }

private:
    PGconn* m_db;
};

ForeignClient::ForeignClient(const std::filesystem::path& path)
{
    if (onPostgres())
        m_shell = std::make_unique<PgShell>(postgresUrl(path));
    else
        m_shell = std::make_unique<SqliteShell>(path);
}

ForeignClient::ForeignClient(const std::string& url)
    : m_shell(std::make_unique<PgShell>(url))
{
}

ForeignClient::~ForeignClient() = default;

QString ForeignClient::run(const QString& sql)
{
    QStringList lines;
    return m_shell->run(sql.toUtf8(), lines);
}

QString ForeignClient::rows(const QString& sql)
{
    QStringList lines;
    const QString complaint = m_shell->run(sql.toUtf8(), lines);
    return complaint.isEmpty() ? lines.join('\n') : complaint;
}

} // namespace weir::tests
