// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

/// JSON that can be read in a source: ' stands for ". (moc cannot read every raw text.)
inline std::string q(std::string json)
{
    std::replace(json.begin(), json.end(), '\'', '"');
    return json;
}
