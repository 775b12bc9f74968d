// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a script chooses between; its words for it stand in script_words.h.
namespace weir::fake {

enum class Fault {
    None,
    Hang,
    Reset,
    Close,
    GarbageHead,
    StallAfterHead,
    StallMidStream,
    CutFin,
    CutRst,
    Html200,
    ErrorIn200,
    ErrorFirstEvent,
    ErrorAfter,
    NoDone,
    NoFinish,
    MalformedJson,
    Empty,
    NoChoices,
    BadChunk,
    ShortLength,
};

enum class LineEnd { Lf, CrLf, Cr };
enum class UsageStyle { Asked, Always, Never, Every };
enum class Framing { Usual, Chunked, Close };
enum class ToolUse { Auto, Always, Never };

} // namespace weir::fake
