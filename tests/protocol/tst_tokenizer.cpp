// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/request.h"
#include "agent/protocol/tokenizer.h"
#include "tests/protocol/padded.h"

#include <sentencepiece_trainer.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <random>
#include <string>
#include <vector>

using namespace weir;
using namespace weir::protocol;

namespace {

constexpr std::array kWords{"the",  "river",  "rises",  "over",  "weir",  "and",     "finds",
                            "its",  "level",  "slowly", "für",   "jeden", "{\"a\":", "1024}",
                            "模型", "return", "const",  "auto&", "0x3f",  "\n"};

/// Prose, code and letters of other scripts, some of them behind each other for a while.
std::string someText(std::uint32_t seed, std::size_t bytes)
{
    std::mt19937 random(seed);
    std::string text;
    while (text.size() < bytes) {
        const std::size_t kind = random() % 4 * 5;
        for (std::size_t words = random() % 400; words > 0; --words) {
            text += kWords.at(random() % 3 == 0 ? random() % kWords.size() : kind + random() % 5);
            text += ' ';
        }
    }
    text.resize(bytes);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80U) != 0)
        text.pop_back();
    return text;
}

} // namespace

class TestTokenizer final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void refusesWhatIsNoModel_data();
    void refusesWhatIsNoModel();
    void findsAllTexts();
    void countsShortPromptsExactly();
    void longPromptsHardlyEverTooFew();
    void anyBytesWillDo();

private:
    [[nodiscard]] std::int64_t whole(const std::string& text) const
    {
        return m_tokenizer->count(text);
    }

    QTemporaryDir m_directory;
    std::string m_model;
    std::shared_ptr<const Tokenizer> m_tokenizer;
};

void TestTokenizer::initTestCase()
{
    const std::string base = m_directory.path().toStdString() + "/small";
    QFile corpus(QString::fromStdString(base + ".txt"));
    QVERIFY(corpus.open(QIODevice::WriteOnly));
    corpus.write(
        QByteArray::fromStdString(someText(1, 200'000)).replace("\n", "\r\n").replace(". ", ".\n"));
    for (int line = 0; line < 2000; ++line)
        corpus.write(
            QByteArray::fromStdString(someText(100U + static_cast<unsigned>(line), 60)) + "\n");
    corpus.close();
    const auto trained = sentencepiece::SentencePieceTrainer::Train(
        "--input=" + base + ".txt --model_prefix=" + base +
        " --vocab_size=400 --model_type=bpe --byte_fallback=true --minloglevel=2"
        " --max_sentence_length=1000000 --hard_vocab_limit=false");
    QVERIFY2(trained.ok(), trained.ToString().c_str());
    QFile model(QString::fromStdString(base + ".model"));
    QVERIFY(model.open(QIODevice::ReadOnly));
    m_model = model.readAll().toStdString();
    const auto tokenizer = Tokenizer::read(m_model);
    QVERIFY(tokenizer);
    m_tokenizer = *tokenizer;
    QVERIFY(whole("the river rises") < 15);
}

void TestTokenizer::refusesWhatIsNoModel_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("JSON") << QByteArray(R"({"version":"1.0","model":{"type":"BPE"}})");
    QTest::newRow("a half") << QByteArray::fromStdString(m_model.substr(0, m_model.size() / 2));
    QTest::newRow("zeros") << QByteArray(5000, '\0');
}

void TestTokenizer::refusesWhatIsNoModel()
{
    QFETCH(QByteArray, bytes);
    const auto tokenizer = Tokenizer::read(bytes.toStdString());
    QVERIFY(!tokenizer);
    QCOMPARE(shown(tokenizer.error().code), shown("bad_tokenizer"));
}

void TestTokenizer::findsAllTexts()
{
    const Padded body{
        R"({"model":"m","system":"be","tools":[{"name":"f"}],"messages":[{"content":"a\nb"},)"
        R"({"content":[{"type":"text","text":"c"},{"type":"tool_use","input":{"x":1}}]}]})"};
    const std::vector<std::string_view> texts = promptTexts(Api::Messages, body.view());
    const std::vector<std::string_view> expected{
        "be", R"({"name":"f"})", R"(a\nb)", "c", R"({"x":1})"};
    QVERIFY(texts == expected);
    const Padded bad{R"({"model":"m"})"};
    QVERIFY(promptTexts(Api::Messages, bad.view()).empty());
}

void TestTokenizer::countsShortPromptsExactly()
{
    const std::string text = "the river rises over the weir für jeden 模型";
    const std::vector<std::string_view> texts{text, text};
    QCOMPARE(promptTokens(*m_tokenizer, texts, {}), 2 * whole(text));
    // Messages and pictures are estimated.
    QCOMPARE(promptTokens(*m_tokenizer, texts, {99, 99, 99, 2, 3}), 2 * whole(text) + 2012);
    // What is meant counts, not how it is written.
    const std::vector<std::string_view> escaped{R"(f\u00fcr the\nriver)"};
    QCOMPARE(promptTokens(*m_tokenizer, escaped, {}), whole("für the\nriver"));
    // Cutting up makes next to no difference.
    const std::string longer = someText(5, 15'000);
    const std::vector<std::string_view> one{longer};
    const std::int64_t tokens = promptTokens(*m_tokenizer, one, {});
    QVERIFY(tokens >= whole(longer) && tokens <= whole(longer) * 102 / 100);
}

void TestTokenizer::longPromptsHardlyEverTooFew()
{
    int tooFew = 0;
    int tooMany = 0;
    constexpr int kRuns = 80;
    for (int run = 0; run < kRuns; ++run) {
        std::mt19937 random(static_cast<std::uint32_t>(run + 1));
        std::vector<std::string> all;
        for (std::size_t i = 0; i < 1 + random() % 30; ++i)
            all.push_back(someText(
                static_cast<std::uint32_t>(random()),
                random() % 8 == 0 ? 20'000 : random() % 3000));
        all.push_back(someText(static_cast<std::uint32_t>(random()), kCountedBytesMax));
        const std::vector<std::string_view> texts(all.begin(), all.end());
        std::int64_t real = 0;
        for (const std::string& text : all)
            real += whole(text);
        const std::int64_t tokens = promptTokens(*m_tokenizer, texts, {});
        tooFew += tokens < real ? 1 : 0;
        tooMany += tokens > real * 13 / 10 ? 1 : 0;
    }
    QVERIFY2(tooFew <= 1, std::to_string(tooFew).c_str());
    QVERIFY2(tooMany <= 1, std::to_string(tooMany).c_str());
}

/// Broken escapes, letters that are cut, no blanks, empty texts: a number comes out, and no more
/// tokens than bytes.
void TestTokenizer::anyBytesWillDo()
{
    std::mt19937 random(3);
    for (int run = 0; run < 60; ++run) {
        std::vector<std::string> all(1 + random() % 9);
        for (std::string& text : all) {
            text.resize(random() % 3 == 0 ? 0 : random() % 9000);
            for (char& byte : text)
                byte = run % 2 == 0 ? static_cast<char>(random() % 256) : "\\u模a"[random() % 6];
        }
        const std::vector<std::string_view> texts(all.begin(), all.end());
        const std::int64_t tokens = promptTokens(*m_tokenizer, texts, {});
        QVERIFY(tokens >= 0);
    }
}

QTEST_APPLESS_MAIN(TestTokenizer)
#include "tst_tokenizer.moc"
