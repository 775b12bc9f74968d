// SPDX-License-Identifier: Apache-2.0
#include "tests/tidy/house.h"

#include <QtTest>

#include <filesystem>

using weir::tidy::Allowance;
using weir::tidy::Finding;
using weir::tidy::Source;

namespace {

/// What was over its budget when the budget came. Entries may only shrink and go.
const std::vector<Allowance> kAllowances{
    {"tests/protocol/tst_answer.cpp", "function-size", 75},
    {"tests/protocol/tst_stream_reader.cpp", "function-size", 73},
};

} // namespace

/// The rules of the house over the whole source tree; the rules themselves are tested in
/// tst_tidy_rules.cpp.
class TestTidy : public QObject
{
    Q_OBJECT

private slots:

    void theTreeIsTidy()
    {
        const std::string root = WEIR_SOURCE_DIR;
        const std::vector<Source> tree = weir::tidy::readTree(root);
        QVERIFY2(tree.size() > 20, "the source tree was not found");

        const weir::tidy::Findings findings = weir::tidy::checkTree(tree, root, kAllowances);
        // One message each: a single long one would be cut short.
        for (const Finding& finding : findings)
            qWarning("%s", weir::tidy::toText(finding).c_str());
        QCOMPARE(findings.size(), std::size_t{0});
    }

    void allowancesNameExistingFiles()
    {
        for (const Allowance& allowance : kAllowances) {
            const auto path = std::filesystem::path(WEIR_SOURCE_DIR) / allowance.file;
            QVERIFY2(std::filesystem::exists(path), path.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestTidy)
#include "tst_tidy.moc"
