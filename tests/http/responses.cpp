// SPDX-License-Identifier: Apache-2.0
#include "tests/http/messages.h"

namespace weir::http::messages {
namespace {

using std::string_view_literals::operator""sv;
using enum HeadError;
constexpr auto kAccepted = std::nullopt;

constexpr Head kResponses[] = {
    {"plain", "HTTP/1.1 200 OK|Content-Length: 5||", kAccepted},
    {"1.0", "HTTP/1.0 200 OK||", kAccepted},
    {"1.3 read as 1.1",
     "HTTP/1.3 200 OK||",
     kAccepted,
     "Beast knows 1.0 and 1.1 only; RFC 9110 2.5 reads a later minor as the latest known"},
    {"empty phrase", "HTTP/1.1 200 |Content-Length: 5||", kAccepted},
    {"no blank after the code",
     "HTTP/1.1 200|Content-Length: 5||",
     kAccepted,
     "Beast insists on the blank; several servers leave it out"},
    {"phrase of several words", "HTTP/1.1 404 Not \t Found ||", kAccepted},
    {"phrase with bytes over 7F", "HTTP/1.1 404 Gef\xFCllt||", kAccepted},
    {"unknown code", "HTTP/1.1 529 Overloaded||", kAccepted},
    {"100", "HTTP/1.1 100 Continue||", kAccepted},
    {"204 with length",
     "HTTP/1.1 204 No Content|Content-Length: 0||",
     kAccepted,
     "Beast tells the field's value; there is no body (RFC 9112 6.3)"},
    {"304 with length",
     "HTTP/1.1 304 Not Modified|Content-Length: 5||",
     kAccepted,
     "Beast tells the field's value; there is no body (RFC 9112 6.3)"},
    {"chunked", "HTTP/1.1 200 OK|Transfer-Encoding: Chunked||", kAccepted},
    {"two Hosts mean nothing", "HTTP/1.1 200 OK|Host: a|Host: b c||", kAccepted},

    {"an empty line first", "|HTTP/1.1 200 OK||", BadLine},
    {"another protocol", "ICY 200 OK||", BadLine},
    {"no version", "200 OK||", BadLine},
    {"two blanks before the code", "HTTP/1.1  200 OK||", BadStatus},
    {"tab before the code", "HTTP/1.1\t200 OK||", BadLine},
    {"two digits in the version", "HTTP/1.10 200 OK||", BadLine},
    {"control in the phrase", "HTTP/1.1 200 O\x01K||", BadLine},
    {"CR in the phrase", "HTTP/1.1 200 O\rK||", BadLine},
    {"NUL in the phrase", "HTTP/1.1 200 O\0K||"sv, BadLine},
    {"HTTP/2", "HTTP/2.0 200 OK||", BadVersion},
    {"no code", "HTTP/1.1 OK||", BadStatus},
    {"two digits", "HTTP/1.1 20 OK||", BadStatus},
    {"four digits", "HTTP/1.1 2000 OK||", BadStatus},
    {"no blank before the phrase", "HTTP/1.1 200OK||", BadStatus},
    {"code 099",
     "HTTP/1.1 099 Low||",
     BadStatus,
     "Beast takes any three digits; RFC 9110 15 says 100 to 599"},
    {"code 600",
     "HTTP/1.1 600 High||",
     BadStatus,
     "Beast takes any three digits; RFC 9110 15 says 100 to 599"},
    {"code +20", "HTTP/1.1 +20 OK||", BadStatus},

    {"folded",
     "HTTP/1.1 200 OK|X: a| b||",
     ObsoleteFold,
     "Beast unfolds; nobody sends it, so it is taken for an attack"},
    {"blank before the colon", "HTTP/1.1 200 OK|X : a||", BadFieldName},
    {"CR in a value", "HTTP/1.1 200 OK|X: a\rb||", BadFieldValue},
    {"LF only", "HTTP/1.1 200 OK\nX: y\n\n", BareLineFeed},
    {"LF after the code", "HTTP/1.1 200\nX: y||", BareLineFeed},
    {"LF in the code", "HTTP/1.1 2\n\n", BareLineFeed},
    {"equal lengths",
     "HTTP/1.1 200 OK|Content-Length: 5|Content-Length: 5||",
     ConflictingLengths,
     "Beast merges equal lengths; a recipient may refuse (RFC 9110 8.6)"},
    {"equal lengths in one",
     "HTTP/1.1 200 OK|Content-Length: 5, 5||",
     BadContentLength,
     "Beast merges equal lengths; a recipient may refuse (RFC 9110 8.6)"},
    {"coding and length",
     "HTTP/1.1 200 OK|Transfer-Encoding: chunked|Content-Length: 5||",
     ConflictingLengths},
    {"coding and length in a 304",
     "HTTP/1.1 304 Not Modified|Transfer-Encoding: chunked|Content-Length: 5||",
     ConflictingLengths},
    {"gzip, chunked",
     "HTTP/1.1 200 OK|Transfer-Encoding: gzip, chunked||",
     BadTransferEncoding,
     "Beast leaves other codings under chunked to its caller"},
    {"identity",
     "HTTP/1.1 200 OK|Transfer-Encoding: identity||",
     BadTransferEncoding,
     "Beast leaves unknown codings to its caller"},
    {"chunked in 1.0",
     "HTTP/1.0 200 OK|Transfer-Encoding: chunked||",
     BadTransferEncoding,
     "Beast takes the coding; it is faulty there (RFC 9112 6.1)"},
};

} // namespace

std::span<const Head> responses()
{
    return kResponses;
}

} // namespace weir::http::messages
