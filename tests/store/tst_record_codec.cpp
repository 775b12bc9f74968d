// SPDX-License-Identifier: Apache-2.0
#include "agent/store/crc32c.h"
#include "agent/store/record_codec.h"
#include "tests/store/samples.h"

#include <QTest>

#include <functional>
#include <random>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

namespace {

std::string frameOf(const CallRecord& record)
{
    std::string bytes;
    appendFrame(record, bytes);
    return bytes;
}

/// What comes back from the frame of `record`.
CallRecord throughFrame(const CallRecord& record)
{
    const std::string bytes = frameOf(record);
    const Frame frame = frameAt(bytes);
    if (frame.state != FrameState::Whole || frame.bytes != bytes.size())
        qFatal("not a whole frame");
    return decodePayload(frame.payload).value();
}

using Change = std::function<void(CallRecord&)>;

} // namespace

Q_DECLARE_METATYPE(Change)

class TestRecordCodec : public QObject
{
    Q_OBJECT

private slots:

    void knowsTheChecksumOfTheStandard()
    {
        // RFC 3720 appendix B.4, and the check value of the CRC catalogue.
        QCOMPARE(crc32c(std::string(32, '\0')), 0x8A9136AAU);
        QCOMPARE(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
        QCOMPARE(crc32c("123456789"), 0xE3069283U);
        QCOMPARE(crc32c("56789", crc32c("1234")), 0xE3069283U);
    }

    void returnsEveryField()
    {
        QVERIFY(throughFrame(CallRecord{}) == CallRecord{});
        QVERIFY(throughFrame(sampleRecord(1)) == sampleRecord(1));
    }

    void returnsExtremes_data()
    {
        QTest::addColumn<Change>("change");
        const auto row = [](const char* name, Change change) { QTest::newRow(name) << change; };
        row("nul", [](CallRecord& r) { r.taskId = std::string("a\0b", 3); });
        row("lone surrogate", [](CallRecord& r) { r.taskId = "\xED\xA0\x80"; });
        row("no ttft", [](CallRecord& r) { r.ttftMs.reset(); });
        row("no status", [](CallRecord& r) { r.httpStatus.reset(); });
        row("no tokens", [](CallRecord& r) { r.usage = {}; });
        row("no cost", [](CallRecord& r) { r.costMicroUsd.reset(); });
        row("free", [](CallRecord& r) { r.costMicroUsd = 0; });
        row("smallest", [](CallRecord& r) { r.durationMs = INT64_MIN; });
        row("largest", [](CallRecord& r) { r.durationMs = INT64_MAX; });
        row("negative level", [](CallRecord& r) { r.level = INT_MIN; });
        row("all flags", [](CallRecord& r) { r.flags = 0xFFFF; });
        row("all masks", [](CallRecord& r) { r.eligibleMask = r.heldMask = r.seed = UINT64_MAX; });
        row("before 1970", [](CallRecord& r) { r.startedAt = fromEpochMs(-1); });
        for (std::size_t i = 0; i < kOutcomeCount; ++i) {
            row(toWord(static_cast<Outcome>(i)).data(),
                [i](CallRecord& r) { r.outcome = static_cast<Outcome>(i); });
        }
    }

    void returnsExtremes()
    {
        QFETCH(Change, change);
        CallRecord record = sampleRecord(1);
        change(record);
        QVERIFY(throughFrame(record) == record);
    }

    void cutsAMegabyteAndNothingElse()
    {
        CallRecord record = sampleRecord(1);
        record.taskId = std::string(1U << 20U, 'x');
        record.finishReason = record.taskId;
        const CallRecord back = throughFrame(record);
        QCOMPARE(back.taskId, std::string(kSpoolTextBytesMax, 'x'));
        record.taskId = back.taskId;
        record.finishReason = back.finishReason;
        QVERIFY(back == record);
    }

    void fitsTheLargestRecord()
    {
        CallRecord record = sampleRecord(1);
        const std::string huge(1U << 20U, 'x');
        record.requestId = record.agentId = record.service = record.taskId = record.taskType = huge;
        record.conversation = record.model = record.provider = record.route = huge;
        record.finishReason = record.snapshotId = huge;
        record.caller = record.regionsAsked = record.termsAsked = huge;
        record.decision = std::string(kDecisionBytesMax, 'x');
        record.durationMs = record.settingsVersion = record.switchVersion = INT64_MIN;
        QVERIFY(frameOf(record).size() <= kFrameHeadBytes + kPayloadBytesMax);
    }

    void callsEveryPrefixCut()
    {
        const std::string bytes = frameOf(sampleRecord(1));
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            QVERIFY(frameAt(std::string_view{bytes}.substr(0, size)).state == FrameState::Cut);
        }
    }

    void noticesEveryFlippedBit()
    {
        const std::string bytes = frameOf(sampleRecord(1));
        for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
            std::string damaged = bytes;
            damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
            QVERIFY2(frameAt(damaged).state != FrameState::Whole, qPrintable(QString::number(bit)));
        }
    }

    /// The decoder alone, as if the checksum held: any bytes give a record or an error, and a
    /// record is one that encodes again.
    void survivesMutations()
    {
        std::mt19937 random(20261130);
        const std::string bytes = frameOf(sampleRecord(1));
        const std::string payload = bytes.substr(kFrameHeadBytes);
        int decoded = 0;
        for (int round = 0; round < 20'000; ++round) {
            std::string mutant = payload;
            for (unsigned edits = 1 + random() % 4; edits > 0 && !mutant.empty(); --edits) {
                const std::size_t at = random() % mutant.size();
                switch (random() % 3) {
                case 0:
                    mutant[at] = static_cast<char>(random());
                    break;
                case 1:
                    mutant.erase(at, 1 + random() % 8);
                    break;
                default:
                    mutant.insert(at, 1 + random() % 8, static_cast<char>(random()));
                }
            }
            const Result<CallRecord> record = decodePayload(mutant);
            if (!record) continue;
            ++decoded;
            QVERIFY(throughFrame(*record) == *record);
        }
        QVERIFY(decoded > 0);
        QVERIFY(decoded < 20'000);
    }

    void refusesWhatIsLeftOverAndNewer()
    {
        const std::string payload = frameOf(sampleRecord(1)).substr(kFrameHeadBytes);
        QCOMPARE(decodePayload(payload + '\0').error().code, std::string{"bad_record"});
        std::string newer = payload;
        newer[0] = 4;
        QCOMPARE(decodePayload(newer).error().code, std::string{"bad_record"});
    }

    void keepsADecisionWholeOrNotAtAll()
    {
        CallRecord record = sampleRecord(1);
        record.decision = std::string(kDecisionBytesMax, 'x');
        QVERIFY(throughFrame(record) == record);
        record.decision += 'x';
        QVERIFY(throughFrame(record).decision.empty());
    }

    /// What programs without decision records, and without what a request asked for, wrote before
    /// the upgrade.
    void readsSpoolsOfOlderVersions()
    {
        CallRecord record = sampleRecord(1);
        record.priority = Priority::Interactive;
        record.caller.clear();
        record.regionsAsked.clear();
        record.termsAsked.clear();
        record.promptEstimate.reset();
        constexpr std::size_t kAskedBytes = 22;
        std::string second = frameOf(record).substr(kFrameHeadBytes);
        second.resize(second.size() - kAskedBytes);
        second[0] = 2;
        QVERIFY(decodePayload(second).value() == record);
        record.decision.clear();
        std::string first = frameOf(record).substr(kFrameHeadBytes);
        first.resize(first.size() - kAskedBytes - 1);
        first[0] = 1;
        QVERIFY(decodePayload(first).value() == record);
    }

    void findsTheNextFrame()
    {
        const std::string frame = frameOf(sampleRecord(1));
        QCOMPARE(nextFrame("WEr1 noise WEr1" + frame, 1).value(), 15U);
        QVERIFY(!nextFrame("WEr1 noise" + frame.substr(0, frame.size() - 1), 0));
    }
};

QTEST_APPLESS_MAIN(TestRecordCodec)
#include "tst_record_codec.moc"
