// SPDX-License-Identifier: Apache-2.0
#include "tests/http/messages.h"

namespace weir::http::messages {
namespace {

using std::string_view_literals::operator""sv;
using enum BodyError;
constexpr auto kAccepted = std::nullopt;

constexpr Body kBodies[] = {
    {"nothing", "0||", "", kAccepted},
    {"one chunk", "5|hello|0||", "hello", kAccepted},
    {"three chunks", "3|abc|1|d|2|ef|0||", "abcdef", kAccepted},
    {"line ends in the data", "4|\r\n\r\n|0||", "\r\n\r\n", kAccepted},
    {"small and capital digits",
     "a|0123456789|B|0123456789x|0||",
     "01234567890123456789x",
     kAccepted},
    {"zeros first", "0005|hello|000||", "hello", kAccepted},
    {"sixteen digits", "0000000000000005|hello|0||", "hello", kAccepted},
    {"extension", "5;a=b|hello|0;c||", "hello", kAccepted},
    {"extension in quotes", "5;a=\"b;c\"|hello|0||", "hello", kAccepted},
    {"blanks around an extension", "5 \t; a = b ; c|hello|0||", "hello", kAccepted},
    {"blank after an extension",
     "5;a=b |hello|0||",
     "hello",
     kAccepted,
     "Beast reads the extension's grammar, here it is only skipped"},
    {"trailers", "5|hello|0|X-Sum: 1|Y:||", "hello", kAccepted},
    {"a length among the trailers",
     "0|Content-Length: 5||",
     "",
     kAccepted,
     "Beast lets trailers speak of the framing; they are to be ignored"},

    {"no size", "|hello|0||", "", BadChunkSize},
    {"plus", "+5|hello|0||", "", BadChunkSize},
    {"minus", "-5|hello|0||", "", BadChunkSize},
    {"0x", "0x5|hello|0||", "", BadChunkSize},
    {"blank first", " 5|hello|0||", "", BadChunkSize},
    {"blank after", "5 |hello|0||", "", BadChunkSize},
    {"blank inside", "5 5|hello|0||", "", BadChunkSize},
    {"underscore", "5_0|hello|0||", "", BadChunkSize},
    {"comma", "5,5|hello|0||", "", BadChunkSize},
    {"only an extension", ";a|hello|0||", "", BadChunkSize},
    {"NUL in an extension", "5;\0|hello|0||"sv, "", BadChunkSize},
    {"seventeen digits",
     "00000000000000005|hello|0||",
     "",
     ChunkSizeOverflow,
     "Beast takes any number of zeros before a size"},
    {"2^63", "8000000000000000|hello|0||", "", ChunkSizeOverflow},
    {"2^64 + 5", "10000000000000005|hello|0||", "", ChunkSizeOverflow},
    {"LF after the size", "5\nhello|0||", "", BadChunkEnd},
    {"LF after an extension", "5;a\nhello|0||", "", BadChunkEnd},
    {"CR in an extension", "5;a\rb|hello|0||", "", BadChunkEnd},
    {"CR after the size", "5\rhello|0||", "", BadChunkEnd},
    {"LF after the data", "5|hello\n0||", "hello", BadChunkEnd},
    {"CR after the data", "5|hello\r0||", "hello", BadChunkEnd},
    {"nothing after the data", "5|hello0||", "hello", BadChunkEnd},
    {"longer than said", "5|hello world|0||", "hello", BadChunkEnd},
    {"LF at the end", "5|hello|0|\n", "hello", BadTrailer},
    {"LF after the last size", "5|hello|0\n\n", "hello", BadChunkEnd},
    {"CR at the end", "5|hello|0|\rX", "hello", BadTrailer},
    {"folded trailer",
     "0|X: a| b||",
     "",
     BadTrailer,
     "Beast unfolds; a server may refuse (RFC 9112 5.2)"},
    {"blank before the colon", "0|X : a||", "", BadTrailer},
    {"trailer without a colon", "0|X||", "", BadTrailer},
    {"trailer without a name", "0|: x||", "", BadTrailer},
    {"LF in a trailer", "0|X: a\nY: b||", "", BadTrailer},
    {"CR in a trailer", "0|X: a\rb||", "", BadTrailer},
    {"NUL in a trailer", "0|X: a\0b||"sv, "", BadTrailer},
    {"cut in the size", "5", "", Truncated},
    {"cut in the data", "5|hel", "hel", Truncated},
    {"cut before the end", "5|hello|", "hello", Truncated},
    {"cut in the end", "5|hello|0|", "hello", Truncated},
    {"cut in a trailer", "5|hello|0|X: y|", "hello", Truncated},
};

} // namespace

std::span<const Body> bodies()
{
    return kBodies;
}

} // namespace weir::http::messages
