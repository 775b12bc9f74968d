// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/store_options.h"

namespace weir::link {

Result<QString> sqlitePath(const QString& url)
{
    const QString scheme = QStringLiteral("sqlite:");
    if (!url.startsWith(scheme)) {
        return fail(
            "bad_store",
            url.section(QChar(':'), 0, 0).toStdString(),
            "this console reads stores of the form sqlite:/path/weir.db");
    }
    const QString path = url.mid(scheme.size());
    if (path.isEmpty()) {
        return fail("bad_store", "sqlite:", "name the file, as in sqlite:/path/weir.db");
    }
    return path;
}

} // namespace weir::link
