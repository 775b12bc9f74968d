// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/splice.h"
#include "tests/protocol/golden_request.h"
#include "tests/protocol/padded.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// fuzz_request -max_total_time=60 /tmp/corpus tests/protocol/golden/requests
// Its inputs are bodies, or have the form of the golden files: new finds go to the first folder.

using namespace weir;
using namespace weir::protocol;

namespace {

void promise(bool kept, const char* what)
{
    if (kept) return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

std::string spliced(Api api, std::string_view body, const RequestFacts& facts)
{
    const auto splices =
        upstreamSplices(protocolOf(api), facts, "up", true, "max_completion_tokens");
    std::size_t end = 0;
    for (const Splice& splice : splices) {
        promise(splice.span.at >= end, "splices stand in order and apart");
        end = splice.span.at + splice.span.size;
        promise(end <= body.size(), "splices lie in the body");
    }
    std::vector<std::string_view> pieces;
    appendPieces(body, splices, pieces);
    std::string out;
    for (const std::string_view piece : pieces)
        out += piece;
    promise(out.size() == splicedSize(body, splices), "the size is known before");
    return out;
}

void check(Api api, std::string_view text)
{
    const Padded body(text);
    const auto facts = readRequest(api, body.view());
    if (!facts) {
        promise(facts.error().status == 400, "a bad body is the client's fault");
        promise(!facts.error().message.empty(), "an error says something");
        return;
    }
    const Padded again(spliced(api, body.view(), *facts));
    const auto upstream = readRequest(api, again.view());
    promise(upstream.has_value(), "what goes up can be read");
    promise(upstream->model == "up", "what goes up has the route's model");
    promise(upstream->stream == facts->stream, "what goes up streams as the client asked");
    promise(upstream->removals.empty() && !upstream->usageEdit, "nothing is left to change");
    promise(upstream->needs == facts->needs, "what goes up needs the same");
    promise(upstream->maxTokens == facts->maxTokens, "what goes up has the same limit");
    promise(upstream->singleShot == facts->singleShot, "what goes up is as bound to its issuer");
    promise(upstream->promptHash == facts->promptHash, "what goes up is the same conversation");
}

} // namespace

extern "C" {

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    // The one cast that the interface asks for.
    const std::string_view body = golden::requestIn({reinterpret_cast<const char*>(data), size});
    for (const Api api : {Api::ChatCompletions, Api::Messages, Api::Responses, Api::Embeddings})
        check(api, body);
    return 0;
}

} // extern "C"
