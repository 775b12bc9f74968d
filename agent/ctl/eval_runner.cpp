// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/eval_runner.h"

#include "common/quality/grading.h"

#include <array>
#include <random>
#include <thread>

namespace weir::ctl {
namespace {

/// A grader that gives no verdict gets a second chance.
constexpr int kGradings = 2;

/// Nobody who wrote an answer can have known it.
std::string newToken()
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::random_device device;
    std::string token(24, '0');
    for (char& c : token)
        c = kDigits[device() % kDigits.size()];
    return token;
}

} // namespace

EvalRunner::EvalRunner(const EvalPlan& plan)
    : m_plan(plan)
{
    for (const EvalTarget& target : plan.targets)
        m_findings.emplace_back().target = target;
}

Result<std::vector<EvalFinding>>
EvalRunner::run(const std::function<void(std::size_t, std::size_t)>& progress)
{
    m_progress = progress;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < m_plan.concurrency; ++i)
            threads.emplace_back([this] { work(); });
    }
    if (!m_end.code.empty()) return tl::unexpected{m_end};
    return std::move(m_findings);
}

void EvalRunner::work()
{
    Waiter waiter;
    waiter.watchSignals(false);
    const std::size_t jobs = m_plan.set.cases.size() * m_plan.targets.size();
    while (!m_stop) {
        const std::size_t job = m_next.fetch_add(1);
        if (job >= jobs) return;
        ask(waiter, job);
        if (!waiter.quitAsked()) continue;
        const std::scoped_lock lock(m_mutex);
        m_stop = true;
        m_end = {"interrupted", "", "interrupted; nothing was stored"};
    }
}

void EvalRunner::ask(Waiter& waiter, std::size_t job)
{
    const quality::EvalCase& evalCase = m_plan.set.cases[job / m_plan.targets.size()];
    const auto& [model, provider] = m_plan.targets[job % m_plan.targets.size()];
    EvalReply reply = askPatiently(waiter, m_plan, evalBody(evalCase.request, model, provider));
    quality::Judgement judgement;
    Result<std::int64_t> score = fail("unanswered", "", reply.trouble);
    if (reply.answer) {
        judgement = quality::judge(evalCase, *reply.answer);
        if (judgement.undecided)
            score = fail("undecided", "schema", "asks for more work than is spent on a check");
        else if (judgement.scorePpm)
            score = *judgement.scorePpm;
        else
            score = grade(waiter, evalCase, *reply.answer, reply.use);
    }
    note(job, reply, judgement, score);
}

Result<std::int64_t> EvalRunner::grade(
    Waiter& waiter, const quality::EvalCase& evalCase, const quality::Answer& answer, EvalUse& use)
{
    const auto& rule = std::get<quality::GradedRule>(evalCase.checker);
    const quality::GradeQuestion question =
        quality::gradeQuestion(evalCase.request, rule.rubric, rule.reference, answer);
    Result<std::int64_t> score = fail("no_verdict", "grader", "was not asked");
    for (int i = 0; i < kGradings && !score && !waiter.quitAsked(); ++i) {
        const std::string token = newToken();
        const EvalReply reply = askPatiently(
            waiter, m_plan, evalBody(quality::gradingRequest(question, token), m_plan.grader, ""));
        use.add(reply.use);
        if (reply.answer)
            score = quality::readGrade(*reply.answer, token);
        else
            score = fail("no_verdict", "grader", reply.trouble);
    }
    return score;
}

void EvalRunner::note(
    std::size_t job,
    const EvalReply& reply,
    const quality::Judgement& judgement,
    const Result<std::int64_t>& score)
{
    const std::scoped_lock lock(m_mutex);
    EvalFinding& finding = m_findings[job % m_plan.targets.size()];
    const std::size_t place = job / m_plan.targets.size();
    finding.use.add(reply.use);
    if (score) {
        finding.tally.add(m_plan.set.cases[place].weight, judgement, *score);
        finding.tookMs.push_back(reply.took.count());
        if (*score < quality::kScoreWhole) finding.failedCases.insert(place);
    } else {
        finding.tally.addUnanswered();
        ++finding.troubles[score.error().text()];
    }
    if (reply.isHopeless && !m_stop) {
        m_stop = true;
        m_end = {"hopeless", "", reply.trouble};
    }
    ++m_done;
    m_progress(m_done, m_plan.set.cases.size() * m_plan.targets.size());
}

} // namespace weir::ctl
