// SPDX-License-Identifier: Apache-2.0
#include "tests/http/promises.h"

#include "agent/http/body.h"
#include "agent/http/head.h"
#include "agent/http/write.h"
#include "common/base/text.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace weir::http::promises {
namespace {

using Broken = std::optional<std::string>;

/// How large the next piece is: always 1, always everything, or something in between.
using Sizes = std::function<std::size_t()>;

/// Piece sizes that depend on nothing but the bytes, so that a finding can be repeated.
Sizes sizesFrom(std::string_view bytes)
{
    return [state = std::hash<std::string_view>{}(bytes) | 1U]() mutable {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::size_t>(state >> 60U) + 1;
    };
}

std::optional<std::size_t> endInPieces(std::string_view bytes, const Sizes& sizes)
{
    HeadEnd end;
    for (std::size_t arrived = 0; arrived < bytes.size();) {
        arrived = std::min(bytes.size(), arrived + sizes());
        if (const auto size = end.find(bytes.substr(0, arrived))) return size;
    }
    return std::nullopt;
}

struct BodyResult
{
    std::string payload;
    std::size_t consumed = 0;
    std::optional<BodyError> error;
    bool finished = false;

    bool operator==(const BodyResult&) const = default;
};

/// False if a step gives data that it has not consumed, or goes on without getting on.
bool feed(BodyReader& reader, std::string_view piece, BodyResult& result)
{
    while (!piece.empty() && !reader.finished() && !result.error) {
        const BodyReader::Step step = reader.next(piece);
        const bool inside = step.data.empty() ||
                            (step.data.data() >= piece.data() &&
                             step.data.data() + step.data.size() <= piece.data() + step.consumed);
        const bool stuck = step.consumed == 0 && !step.error;
        if (step.consumed > piece.size() || !inside || stuck) return false;
        if (step.error && !step.data.empty()) return false;
        result.payload += step.data;
        result.consumed += step.consumed;
        result.error = step.error;
        piece.remove_prefix(step.consumed);
    }
    return true;
}

std::optional<BodyResult>
readInPieces(BodyReader reader, std::string_view bytes, const Sizes& sizes)
{
    BodyResult result;
    while (!bytes.empty()) {
        const std::string_view piece = bytes.substr(0, sizes());
        if (!feed(reader, piece, result)) return std::nullopt;
        bytes.remove_prefix(piece.size());
    }
    if (!result.error) result.error = reader.atEnd();
    result.finished = reader.finished();
    return result;
}

Broken brokenByBody(Framing framing, std::uint64_t length, std::string_view bytes)
{
    const BodyReader reader{framing, length};
    const auto whole = readInPieces(reader, bytes, [&bytes] { return bytes.size(); });
    if (!whole) return "a step of the body is not within its input";
    if (readInPieces(reader, bytes, [] { return 1; }) != whole)
        return "the body reads otherwise byte by byte";
    if (readInPieces(reader, bytes, sizesFrom(bytes)) != whole)
        return "the body reads otherwise in pieces";
    if (whole->finished == whole->error.has_value())
        return "a body is finished with an error, or not finished without one";
    return std::nullopt;
}

bool isInside(std::string_view view, std::string_view bytes)
{
    return view.data() >= bytes.data() && view.data() + view.size() <= bytes.data() + bytes.size();
}

bool isClean(std::string_view text)
{
    constexpr std::string_view kForbidden{"\r\n\0", 3};
    return text.find_first_of(kForbidden) == std::string_view::npos;
}

bool isCleanField(const Field& field, std::string_view head)
{
    const std::string_view value = field.value;
    return isInside(field.name, head) && isInside(value, head) && !field.name.empty() &&
           isClean(value) && trimmed(value).size() == value.size() &&
           field.name.find_first_of(" \t:") == std::string_view::npos;
}

bool sameFields(const std::vector<Field>& a, const std::vector<Field>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Field& x, const Field& y) {
        return x.name == y.name && x.value == y.value;
    });
}

void appendFields(std::string& out, const std::vector<Field>& fields)
{
    for (const Field& field : fields)
        appendField(out, field.name, field.value);
    appendBlankLine(out);
}

bool readsTheSameAgain(const RequestHead& head)
{
    std::string copy;
    appendRequestLine(copy, head.method, head.target);
    appendFields(copy, head.fields);
    RequestHead again;
    return !parseRequestHead(copy, {}, again) && again.method == head.method &&
           again.target == head.target && again.framing == head.framing &&
           again.contentLength == head.contentLength && again.keepAlive == head.keepAlive &&
           again.expectContinue == head.expectContinue && sameFields(again.fields, head.fields);
}

bool readsTheSameAgain(const ResponseHead& head)
{
    std::string copy;
    appendStatusLine(copy, head.status);
    appendFields(copy, head.fields);
    ResponseHead again;
    return !parseResponseHead(copy, {}, again) && again.status == head.status &&
           again.framing == head.framing && again.contentLength == head.contentLength &&
           again.keepAlive == head.keepAlive && sameFields(again.fields, head.fields);
}

Broken brokenByHead(const RequestHead& head, std::string_view bytes)
{
    if (!isInside(head.method, bytes) || !isInside(head.target, bytes))
        return "the first line's views are not within the head";
    if (!head.target.starts_with('/') && head.target != "*") return "the target is no path";
    if (head.framing == Framing::UntilClose) return "a request ends with the connection";
    if (head.versionMinor == 1 && !head.find("Host")) return "Host is missing";
    return std::nullopt;
}

Broken brokenByHead(const ResponseHead& head, std::string_view)
{
    if (head.status < 100 || head.status > 599) return "the status is out of range";
    if (head.framing == Framing::UntilClose && head.keepAlive) return "kept alive after its end";
    return std::nullopt;
}

template <class Head, class Parse>
Broken brokenByMessage(std::string_view bytes, std::size_t size, Parse parse)
{
    // A block of its own, so that a sanitizer sees the first byte read behind it.
    const std::vector<char> block(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const std::string_view message{block.data(), block.size()};
    Head head;
    if (parse(message, HeadLimits{}, head)) return std::nullopt;
    if (const Broken broken = brokenByHead(head, message)) return broken;
    for (const Field& field : head.fields)
        if (!isCleanField(field, message)) return "a field is not clean";
    // What is written is always HTTP/1.1, which means something else than 1.0.
    if (head.versionMinor == 1 && !readsTheSameAgain(head)) return "reads otherwise when written";
    const Framing framing = head.framing;
    const std::uint64_t length = head.contentLength;
    if (!parse(message.substr(0, size - 1), HeadLimits{}, head)) return "a cut head is accepted";
    const std::string longer = std::string{message} + "\n";
    if (!parse(longer, HeadLimits{}, head)) return "more than a head is accepted";
    return brokenByBody(framing, length, bytes.substr(size));
}

} // namespace

std::optional<std::string> broken(std::string_view bytes)
{
    if (const Broken broken = brokenByBody(Framing::Chunked, 0, bytes)) return broken;
    const std::optional<std::size_t> size = HeadEnd{}.find(bytes);
    if (endInPieces(bytes, [] { return 1; }) != size) return "the head ends otherwise byte by byte";
    if (endInPieces(bytes, sizesFrom(bytes)) != size) return "the head ends otherwise in pieces";
    if (!size) return std::nullopt;
    if (*size > bytes.size()) return "the head ends behind its bytes";
    if (const Broken broken = brokenByMessage<RequestHead>(bytes, *size, parseRequestHead))
        return broken;
    return brokenByMessage<ResponseHead>(bytes, *size, parseResponseHead);
}

} // namespace weir::http::promises
