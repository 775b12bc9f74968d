// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/request.h"

#include <simdjson.h>

namespace weir::fake {

/// The text of a content value: a string, or the text of its parts one after another.
[[nodiscard]] std::string textOf(simdjson::dom::element content);

/// Reads `system` and `messages` of Chat Completions and Messages. Error code "bad_request".
[[nodiscard]] Status<> readMessages(simdjson::dom::element root, Ask& ask);

/// Reads `instructions` and `input` of Responses. Error code "bad_request".
[[nodiscard]] Status<> readItems(simdjson::dom::element root, Ask& ask);

/// Reads `input` of Embeddings.
void readInputs(simdjson::dom::element root, Ask& ask);

} // namespace weir::fake
