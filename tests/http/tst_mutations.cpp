// SPDX-License-Identifier: Apache-2.0
#include "tests/http/messages.h"
#include "tests/http/promises.h"

#include <QTest>

#include <array>
#include <random>

namespace weir::http {
namespace {

/// The messages of all tables, with line ends as they are on the wire.
std::vector<std::string> seeds()
{
    std::vector<std::string> result;
    for (const auto& heads : {messages::requests(), messages::responses()})
        for (const messages::Head& head : heads)
            result.push_back(messages::wire(head.text));
    const std::string post = "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||";
    for (const messages::Body& body : messages::bodies()) {
        result.push_back(messages::wire(body.text));
        result.push_back(messages::wire(post) + result.back());
    }
    return result;
}

/// Small damage of the kinds that have fooled parsers, from a sequence that never changes.
class Mutator final
{
public:
    explicit Mutator(std::vector<std::string> seeds)
        : m_seeds(std::move(seeds))
    {
    }

    std::string next()
    {
        std::string bytes = any(m_seeds);
        for (std::size_t i = below(4) + 1; i > 0; --i)
            damage(bytes);
        return bytes;
    }

private:
    std::size_t below(std::size_t limit) { return static_cast<std::size_t>(m_random() % limit); }

    template <class List>
    const typename List::value_type& any(const List& list)
    {
        return list[below(list.size())];
    }

    void damage(std::string& bytes)
    {
        static constexpr std::array<std::string_view, 26> kWords{
            "\r\n",
            "\r",
            "\n",
            "\n\n",
            "\r\n\r\n",
            " ",
            "\t",
            ":",
            ",",
            ";",
            "0",
            "7fffffffffffffff",
            "9223372036854775807",
            std::string_view{"\0", 1},
            "\x7F",
            "\xFF",
            "Content-Length: 3\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Host: h\r\n",
            "Connection: close\r\n",
            "HTTP/1.0",
            "HTTP/1.1",
            "http://h",
            "/?",
            "0\r\n\r\n",
            "3\r\nabc\r\n"};
        const std::size_t at = below(bytes.size() + 1);
        switch (below(6)) {
        case 0:
            bytes.insert(at, any(kWords));
            break;
        case 1:
            bytes.erase(at, below(4) + 1);
            break;
        case 2:
            bytes.insert(at, bytes.substr(below(bytes.size() + 1), below(24)));
            break;
        case 3:
            bytes.replace(at, std::string::npos, any(m_seeds));
            break;
        case 4:
            bytes.resize(at);
            break;
        default:
            if (at < bytes.size()) bytes[at] = static_cast<char>(below(256));
            break;
        }
    }

    std::vector<std::string> m_seeds;
    std::mt19937_64 m_random{20240501};
};

} // namespace

class TestMutations final : public QObject
{
    Q_OBJECT

private slots:
    void tablesKeepThePromises();
    void damagedMessagesKeepThePromises();
};

void TestMutations::tablesKeepThePromises()
{
    for (const std::string& bytes : seeds()) {
        const auto broken = promises::broken(bytes);
        QVERIFY2(!broken, qPrintable(QString::fromStdString(broken.value_or("") + ": " + bytes)));
    }
}

void TestMutations::damagedMessagesKeepThePromises()
{
    Mutator mutator{seeds()};
    for (int i = 0; i < 40000; ++i) {
        const std::string bytes = mutator.next();
        const auto broken = promises::broken(bytes);
        const QByteArray shown = QByteArray::fromStdString(bytes).toPercentEncoding(" \r\n:/");
        QVERIFY2(!broken, (broken.value_or("") + ": " + shown.toStdString()).c_str());
    }
}

} // namespace weir::http

QTEST_APPLESS_MAIN(weir::http::TestMutations)
#include "tst_mutations.moc"
