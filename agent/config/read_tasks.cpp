// SPDX-License-Identifier: Apache-2.0
#include "agent/config/nearest.h"
#include "agent/config/parts.h"

#include <algorithm>
#include <array>

namespace weir::config {
namespace {

constexpr std::array kPolicies{MidStream::Error, MidStream::Restart, MidStream::Continue};

MidStream readMidStream(Section& section)
{
    const std::optional<Located> word = section.text("mid_stream");
    if (!word) return MidStream::Error;
    for (const MidStream policy : kPolicies) {
        if (toWord(policy) == word->text) return policy;
    }
    section.fault(
        "mid_stream", word->line, "must be error, restart or continue, not " + quoted(word->text));
    return MidStream::Error;
}

void readLadder(Section& section, TaskConfig& task, const Models& models)
{
    const auto ladder = section.texts("models");
    if (!ladder) {
        if (task.name != "default" && !section.table()->contains("models")) {
            section.fault("models", "is missing: name the models of the ladder, the best first");
        }
        return;
    }
    std::vector<std::string_view> known;
    for (const auto& [name, model] : models)
        known.push_back(name);
    for (const Located& name : *ladder) {
        task.models.push_back(name.text);
        if (models.contains(name.text)) continue;
        section.fault(
            "models",
            name.line,
            "unknown model " + quoted(name.text) + suggestion(name.text, known));
    }
    if (ladder->empty()) {
        section.fault(
            "models",
            lineOf(*section.find("models")),
            "is empty: name the models of the ladder, the best first");
    }
}

/// What stands below the models of the ladder.
void readLowerRungs(Section& section, TaskConfig& task, const Models& models)
{
    if (const auto model = section.text("answer_model"); model && !model->text.empty()) {
        task.answerModel = model->text;
        std::vector<std::string_view> known;
        for (const auto& [name, config] : models)
            known.push_back(name);
        if (!models.contains(model->text)) {
            section.fault(
                "answer_model",
                model->line,
                "unknown model " + quoted(model->text) + suggestion(model->text, known));
        }
    }
    if (const auto text = section.text("failure_text")) task.failureText = text->text;
    if (section.find("failure_retry_after_s") != nullptr) {
        task.failureRetryAfter = std::chrono::seconds{
            section.integer("failure_retry_after_s", 0, {1, 86'400, Unit::Seconds})};
    }
    constexpr std::array<std::string_view, 5> kLevels{"L0", "L1", "L2", "L3", "L4"};
    const std::optional<Located> lowest = section.text("lowest_level");
    if (!lowest) return;
    const auto* const found = std::find(kLevels.begin(), kLevels.end(), lowest->text);
    if (found == kLevels.end()) {
        section.fault(
            "lowest_level", lowest->line, "must be L0 to L4, not " + quoted(lowest->text));
        return;
    }
    task.lowestLevel = static_cast<int>(found - kLevels.begin());
}

TaskConfig readTask(Section& section, std::string_view name, const Models& models)
{
    TaskConfig task;
    task.name = name;
    if (const auto fault = faultOfName(name, NameKind::Plain)) section.fault("", *fault);
    readLadder(section, task, models);
    readLowerRungs(section, task, models);
    task.deadline = std::chrono::milliseconds{
        section.integer("deadline_ms", task.deadline.count(), {1, 3'600'000, Unit::Milliseconds})};
    task.qualityFloor = section.number("quality_floor", 0.0, 1.0).value_or(task.qualityFloor);
    task.midStream = readMidStream(section);
    task.hedge = section.boolean("hedge").value_or(task.hedge);
    section.reportUnknownKeys();
    return task;
}

} // namespace

Tasks readTasks(Section section, const Models& models)
{
    std::vector<std::string> onlyModel;
    if (models.size() == 1) onlyModel.push_back(models.begin()->first);
    Tasks tasks;
    for (const std::string_view name : keysOf(section.table())) {
        Section one = section.child(name);
        if (one.exists()) tasks.emplace(name, readTask(one, name, models));
    }
    TaskConfig& standard = tasks["default"];
    standard.name = "default";
    if (standard.models.empty()) standard.models = onlyModel;
    return tasks;
}

} // namespace weir::config
