// SPDX-License-Identifier: Apache-2.0
#include "tests/tidy/functions.h"
#include "tests/tidy/source.h"

#include <QtTest>

using weir::tidy::FunctionSpan;

Q_DECLARE_METATYPE(std::vector<FunctionSpan>)

class TestTidyFunctions : public QObject
{
    Q_OBJECT

private slots:

    void finds_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<std::vector<FunctionSpan>>("spans");

        const auto row = [](const char* name, const char* code, std::vector<FunctionSpan> spans) {
            QTest::newRow(name) << QByteArray(code) << std::move(spans);
        };
        row("one line", "int f() { return 1; }\n", {{1, 1}});
        row("several lines", "int f()\n{\n    return 1;\n}\n", {{1, 4}});
        row("arguments on lines",
            "int f(\n    int a,\n    int b)\n{\n    return a;\n}\n",
            {{1, 6}});
        row("declaration", "int f();\n", {});
        row("in a namespace", "namespace a {\nint f()\n{\n}\n}\n", {{2, 4}});
        row("in a class", "struct A final\n{\n    int f() const { return 1; }\n};\n", {{3, 3}});
        row("nested braces", "int f()\n{\n    if (a) {\n    }\n}\nint g() {}\n", {{1, 5}, {6, 6}});
        row("trailing return", "auto f() -> B\n{\n}\n", {{1, 3}});
        row("noexcept", "A::~A() noexcept\n{\n}\n", {{1, 3}});
        row("constructor, round", "A::A(int a)\n    : m_a(a)\n{\n}\n", {{1, 4}});
        row("constructor, braced", "A::A(int a)\n    : m_a{a}\n    , m_b{2}\n{\n}\n", {{1, 5}});
        row("operator", "bool A::operator==(const A& a) const\n{\n}\n", {{1, 3}});
        row("template", "template <class T>\nvoid f(T t)\n{\n}\n", {{1, 4}});
        row("table", "const std::vector<A> kAll{\n    {1, 2},\n    {3, 4},\n};\n", {});
        row("assigned table", "const auto k = make(3, {\n    1,\n});\n", {});
        row("lambda at namespace level", "const auto f = [](int a) {\n    return a;\n};\n", {});
        row("default argument", "void f(int a = 3)\n{\n}\n", {{1, 3}});
        row("after a macro", "#define M(x) { x }\nvoid f()\n{\n}\n", {{2, 4}});
        row("member with initializer",
            "class A\n{\n    int a{3};\n    int f() { return a; }\n};\n",
            {{4, 4}});
        row("braces in a literal",
            "int f()\n{\n    return g(\"{{{\");\n}\nint h() {}\n",
            {{1, 4}, {5, 5}});
        row("braces in a raw literal",
            "auto f() { return R\"x({ )\" {)x\"; }\nint h() {}\n",
            {{1, 1}, {2, 2}});
        row("braces in comments", "int f() // {\n{ /* { */\n}\nint h() {}\n", {{1, 3}, {4, 4}});
        row("brace as a character",
            "int f() { return '{'; }\nint h() { return 1'000; }\n",
            {{1, 1}, {2, 2}});
    }

    void finds()
    {
        QFETCH(QByteArray, code);
        QFETCH(std::vector<FunctionSpan>, spans);
        const std::string blanked = weir::tidy::blankLiterals(code.toStdString());
        const std::vector<FunctionSpan> found = weir::tidy::functionsIn(blanked);
        QCOMPARE(found.size(), spans.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            QCOMPARE(found[i].firstLine, spans[i].firstLine);
            QCOMPARE(found[i].lastLine, spans[i].lastLine);
        }
    }
};

QTEST_APPLESS_MAIN(TestTidyFunctions)
#include "tst_tidy_functions.moc"
