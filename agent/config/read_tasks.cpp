// SPDX-License-Identifier: Apache-2.0
#include "agent/config/nearest.h"
#include "agent/config/parts.h"

#include <algorithm>
#include <array>
#include <cmath>

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

std::vector<std::string_view> namesOf(const Models& models)
{
    std::vector<std::string_view> names;
    for (const auto& [name, config] : models)
        names.push_back(name);
    return names;
}

/// A model of the file, or empty.
std::string readModelName(Section& section, std::string_view key, const Models& models)
{
    const auto model = section.text(key);
    if (!model || model->text.empty()) return {};
    if (!models.contains(model->text)) {
        section.fault(
            key,
            model->line,
            "unknown model " + quoted(model->text) + suggestion(model->text, namesOf(models)));
    }
    return model->text;
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
    const std::vector<std::string_view> known = namesOf(models);
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
    task.answerModel = readModelName(section, "answer_model", models);
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

Priority readPriority(Section& section)
{
    const auto word = section.text("priority");
    if (!word) return Priority::Interactive;
    const std::optional<Priority> priority = priorityFromWord(word->text);
    if (!priority) {
        section.fault(
            "priority", word->line, "must be interactive or batch, not " + quoted(word->text));
    }
    return priority.value_or(Priority::Interactive);
}

std::optional<MirrorConfig> readMirror(Section section, const Models& models)
{
    if (!section.exists()) return std::nullopt;
    MirrorConfig mirror;
    mirror.model = readModelName(section, "model", models);
    if (mirror.model.empty()) {
        section.fault("model", "is missing: name the model that gets the copies");
    }
    if (const auto share = section.number("share", 0.0001, 1.0)) {
        mirror.sharePpm = std::llround(*share * 1e6);
    }
    mirror.grader = readModelName(section, "grader", models);
    section.reportUnknownKeys();
    return mirror;
}

/// What would never bring a comparison.
void checkMirror(Section section, const TaskConfig& task)
{
    if (!task.mirror || task.mirror->model.empty()) return;
    if (!task.models.empty() && task.mirror->model == task.models.front()) {
        section.fault(
            "model", "is the first model of the task itself: name one that is not serving it");
    }
    if (task.priority == Priority::Batch) {
        section.fault(
            "model", "of a batch task gets no copies: batch work gives way, and is not doubled");
    }
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
    task.priority = readPriority(section);
    task.mirror = readMirror(section.child("mirror"), models);
    checkMirror(section.child("mirror"), task);
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
