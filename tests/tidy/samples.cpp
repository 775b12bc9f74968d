// SPDX-License-Identifier: Apache-2.0
#include "tests/tidy/samples.h"

#include <QtTest>

namespace weir::tidy {

std::string opened(const std::string& path, const std::string& body)
{
    const bool isConsole = path.starts_with("app/") || path.starts_with("tests/app/");
    const std::string licence = isConsole ? "GPL-3.0-or-later" : "Apache-2.0";
    const std::string mark = path.ends_with(".h") || path.ends_with(".cpp") ? "// " : "# ";
    return mark + "SPDX-License-Identifier: " + licence + "\n" +
           (path.ends_with(".h") ? "#pragma once\n" : "") + body + "\n";
}

Findings
checkSample(const std::string& path, std::string text, const std::vector<Allowance>& allowances)
{
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    const std::string names = "sources(" + path.substr(folder.size()) + ")";
    std::vector<Source> tree;
    if (!path.ends_with("CMakeLists.txt")) {
        const std::string cmake = folder + "CMakeLists.txt";
        tree.emplace_back(cmake, opened(cmake, names));
    }
    tree.emplace_back(path, std::move(text));
    return checkTree(tree, "/elsewhere/checkout", allowances);
}

Findings checkSamples(const std::vector<Source>& tree)
{
    return checkTree(tree, "/elsewhere/checkout", {});
}

std::string reportOf(const Findings& findings)
{
    std::string report;
    for (const Finding& finding : findings)
        report += toText(finding) + "\n";
    return report;
}

std::string rulesOf(const Findings& findings)
{
    std::string rules;
    for (const Finding& finding : findings) {
        const std::string one = finding.rule + "@" + std::to_string(finding.line);
        if (rules.find(one) == std::string::npos) rules += (rules.empty() ? "" : " ") + one;
    }
    return rules;
}

std::string rulesOf(const std::string& path, const std::string& body)
{
    return rulesOf(checkSample(path, opened(path, body)));
}

void columns()
{
    QTest::addColumn<std::string>("path");
    QTest::addColumn<std::string>("body");
}

void row(const char* name, const char* path, const std::string& body)
{
    QTest::newRow(name) << std::string(path) << body;
}

void expectRule(const std::string& rule)
{
    QFETCH(std::string, path);
    QFETCH(std::string, body);
    const int line = path.ends_with(".h") ? 3 : 2;
    QCOMPARE(rulesOf(path, body), rule + "@" + std::to_string(line));
}

void expectNothing()
{
    QFETCH(std::string, path);
    QFETCH(std::string, body);
    const std::string report = reportOf(checkSample(path, opened(path, body)));
    QVERIFY2(report.empty(), report.c_str());
}

} // namespace weir::tidy
