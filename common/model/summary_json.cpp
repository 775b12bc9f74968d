// SPDX-License-Identifier: Apache-2.0
#include "common/model/summary_json.h"

#include "common/model/summary_fields.h"

#include <nlohmann/json.hpp>

#include <array>
#include <limits>

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 2> kStateWords = {"normal", "lowered"};

Json write(std::int64_t value)
{
    return value;
}

Json write(int value)
{
    return value;
}

Json write(bool value)
{
    return value;
}

Json write(const std::string& value)
{
    return value;
}

Json write(WindowState value)
{
    return kStateWords.at(static_cast<std::size_t>(value));
}

Json write(LeaderCause value)
{
    return toWord(value);
}

Json write(const std::optional<std::int64_t>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

template <class T>
requires std::is_class_v<T> Json write(const T& value);

template <class T>
Json write(const std::vector<T>& values)
{
    Json list = Json::array();
    for (const T& value : values)
        list.push_back(write(value));
    return list;
}

template <class T>

requires std::is_class_v<T> Json write(const T& value)
{
    Json object = Json::object();
    eachField(value, [&object](const char* key, const auto& field) { object[key] = write(field); });
    return object;
}

/// Reads one document; the first fault ends it.
class Reader final
{
public:
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

    void read(const Json& json, std::int64_t& value)
    {
        if (!json.is_number_integer() ||
            (json.is_number_unsigned() &&
             json.get<std::uint64_t>() >
                 static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))) {
            return refuse("must be an integer");
        }
        value = json.get<std::int64_t>();
    }

    void read(const Json& json, int& value)
    {
        std::int64_t wide = 0;
        read(json, wide);
        if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max()) {
            return refuse("is out of range");
        }
        value = static_cast<int>(wide);
    }

    void read(const Json& json, bool& value)
    {
        if (!json.is_boolean()) return refuse("must be true or false");
        value = json.get<bool>();
    }

    void read(const Json& json, std::string& value)
    {
        if (!json.is_string()) return refuse("must be a string");
        value = json.get<std::string>();
    }

    void read(const Json& json, std::optional<std::int64_t>& value)
    {
        value.reset();
        if (json.is_null()) return;
        std::int64_t number = 0;
        read(json, number);
        value = number;
    }

    void read(const Json& json, WindowState& value)
    {
        readWord(json, value, {WindowState::Normal, WindowState::Lowered}, [](WindowState state) {
            return kStateWords.at(static_cast<std::size_t>(state));
        });
    }

    void read(const Json& json, LeaderCause& value)
    {
        readWord(
            json,
            value,
            {LeaderCause::None,
             LeaderCause::Start,
             LeaderCause::Score,
             LeaderCause::Slow,
             LeaderCause::Gate,
             LeaderCause::Breaker,
             LeaderCause::Credit,
             LeaderCause::Auth},
            [](LeaderCause cause) { return toWord(cause); });
    }

    template <class T>
    void read(const Json& json, std::vector<T>& values)
    {
        if (!json.is_array()) return refuse("must be a list");
        values.clear();
        for (std::size_t i = 0; i < json.size() && !m_error; ++i) {
            within("[" + std::to_string(i) + "]", [&] { read(json[i], values.emplace_back()); });
        }
    }

    template <class T>
    requires std::is_class_v<T>

    void read(const Json& json, T& value) { readObject(json, value, 0); }

    /// `extra` keys were read already.
    template <class T>
    void readObject(const Json& json, T& value, std::size_t extra)
    {
        if (!json.is_object()) return refuse("must be an object");
        std::size_t keys = extra;
        std::vector<std::string_view> known;
        eachField(value, [&](const char* key, auto& field) {
            ++keys;
            known.emplace_back(key);
            if (m_error) return;
            within(std::string{"."} + key, [&] {
                const auto found = json.find(key);
                if (found == json.end()) return refuse("is missing");
                read(*found, field);
            });
        });
        if (m_error || json.size() == keys) return;
        for (const auto& [key, unused] : json.items()) {
            if (std::find(known.begin(), known.end(), key) != known.end()) continue;
            if (extra > 0 && key == "id") continue;
            return within("." + key, [this] { refuse("is not known"); });
        }
    }

    template <class Body>
    void within(const std::string& step, Body&& body)
    {
        const std::size_t size = m_path.size();
        m_path += step;
        body();
        m_path.resize(size);
    }

    void refuse(std::string detail)
    {
        if (!m_error) m_error = Error{"bad_summary", "summary" + m_path, std::move(detail)};
    }

private:
    template <class T, class Word>
    void readWord(const Json& json, T& value, std::initializer_list<T> all, Word&& word)
    {
        if (json.is_string()) {
            for (const T one : all) {
                if (word(one) != json.get_ref<const std::string&>()) continue;
                value = one;
                return;
            }
        }
        refuse("is no known word");
    }

    std::string m_path;
    std::optional<Error> m_error;
};

} // namespace

Json toJson(const Summary& summary)
{
    Json object = {{"id", summary.id}};
    object.update(write(summary));
    return object;
}

Result<Summary> summaryFromJson(std::string_view text)
{
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) return fail("bad_summary", "summary", "must be a JSON object");
    Summary summary;
    Reader reader;
    const auto id = json.find("id");
    reader.within(".id", [&] {
        if (id == json.end()) return reader.refuse("is missing");
        reader.read(*id, summary.id);
    });
    reader.readObject(json, summary, 1);
    if (reader.error()) return tl::unexpected(*reader.error());
    return summary;
}

} // namespace weir
