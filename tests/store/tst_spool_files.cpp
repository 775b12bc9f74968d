// SPDX-License-Identifier: Apache-2.0
#include "agent/store/record_codec.h"
#include "agent/store/spool_files.h"
#include "tests/store/samples.h"

#include <sys/resource.h>

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fstream>
#include <sstream>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

namespace {

constexpr std::size_t kAll = 1'000'000;

std::string framesOf(int first, int count)
{
    std::string frames;
    for (int i = first; i < first + count; ++i)
        appendFrame(sampleRecord(i), frames);
    return frames;
}

std::string contents(const std::filesystem::path& path)
{
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

void overwrite(const std::filesystem::path& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// "req-0 req-1 …" of what the reader finds from the start.
QString idsIn(const std::filesystem::path& folder)
{
    QStringList ids;
    const SpoolBatch batch = SpoolReader(folder).read(std::nullopt, kAll).value();
    for (const CallRecord& record : batch.records) {
        ids << QString::fromStdString(record.requestId);
    }
    return ids.join(' ');
}

} // namespace

class TestSpoolFiles : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_folder = std::filesystem::path{m_dir->path().toStdString()} / "spool";
    }

    void readsWhatWasWritten()
    {
        SpoolWriter writer(m_folder, 1U << 20U);
        QCOMPARE(idsIn(m_folder), QString{});
        QVERIFY(writer.append(framesOf(0, 2)));
        QVERIFY(writer.append(framesOf(2, 1)));
        QVERIFY(writer.sync());
        const SpoolBatch batch = SpoolReader(m_folder).read(std::nullopt, kAll).value();
        QCOMPARE(batch.records.size(), 3U);
        QVERIFY(batch.records[2] == sampleRecord(2));
        QCOMPARE(batch.damaged, 0);
        QVERIFY(!batch.more);
    }

    void goesOnWhereItStopped()
    {
        SpoolWriter writer(m_folder, 1U << 20U);
        QVERIFY(writer.append(framesOf(0, 3)));
        const SpoolReader reader(m_folder);
        const SpoolBatch first = reader.read(std::nullopt, 2).value();
        QCOMPARE(first.records.size(), 2U);
        QVERIFY(first.more);
        QVERIFY(writer.append(framesOf(3, 1)));
        const SpoolBatch second = reader.read(first.end, kAll).value();
        QCOMPARE(second.records.size(), 2U);
        QVERIFY(second.records[0] == sampleRecord(2));
        QVERIFY(reader.read(second.end, kAll).value().end == second.end);
    }

    void readsAcrossChunksAndSegments()
    {
        // Segments of a megabyte, and one batch of about two in one of them.
        SpoolWriter writer(m_folder, 8U << 20U);
        QVERIFY(writer.append(framesOf(0, 100)));
        QVERIFY(writer.append(framesOf(100, 9000)));
        QVERIFY(writer.append(framesOf(9100, 10)));
        QVERIFY(segmentsIn(m_folder).value().size() > 1);
        const SpoolBatch batch = SpoolReader(m_folder).read(std::nullopt, kAll).value();
        QCOMPARE(batch.records.size(), 9110U);
        for (int i = 0; i < 9110; ++i) {
            QCOMPARE(
                batch.records[static_cast<std::size_t>(i)].requestId, "req-" + std::to_string(i));
        }
    }

    /// kill -9 in the middle of a write: the segment may end at any byte. The next start writes a
    /// new segment; the whole records before the tear and all after it are there.
    void skipsATornTailAtEveryByte()
    {
        SpoolWriter writer(m_folder, 1U << 20U);
        QVERIFY(writer.append(framesOf(0, 2)));
        SpoolWriter next(m_folder, 1U << 20U);
        QVERIFY(next.append(framesOf(7, 1)));
        const std::filesystem::path path = segmentsIn(m_folder).value().front().path;
        const std::string whole = contents(path);
        const std::size_t frame = (whole.size() - kSegmentHeadBytes) / 2;
        for (std::size_t size = 0; size < whole.size(); ++size) {
            overwrite(path, whole.substr(0, size));
            const SpoolBatch batch = SpoolReader(m_folder).read(std::nullopt, kAll).value();
            const bool first = size >= kSegmentHeadBytes + frame;
            QCOMPARE(idsIn(m_folder), first ? "req-0 req-7" : "req-7");
            const bool torn = size > kSegmentHeadBytes && size != kSegmentHeadBytes + frame;
            QCOMPARE(batch.damaged, torn ? 1 : 0);
        }
    }

    /// The same tear in the segment that is being written is a write in progress: it waits.
    void waitsForTheEndOfAFrame()
    {
        SpoolWriter writer(m_folder, 1U << 20U);
        QVERIFY(writer.append(framesOf(0, 2)));
        const std::filesystem::path path = segmentsIn(m_folder).value().front().path;
        const std::string whole = contents(path);
        const SpoolReader reader(m_folder);
        std::optional<SpoolPosition> position;
        std::size_t rows = 0;
        for (std::size_t size = 0; size <= whole.size(); ++size) {
            overwrite(path, whole.substr(0, size));
            const SpoolBatch batch = reader.read(position, kAll).value();
            QCOMPARE(batch.damaged, 0);
            rows += batch.records.size();
            position = batch.end;
        }
        QCOMPARE(rows, 2U);
    }

    /// Damage at any byte of the middle record loses that record alone.
    void losesOnlyTheDamagedRecord()
    {
        {
            SpoolWriter writer(m_folder, 1U << 20U);
            QVERIFY(writer.append(framesOf(0, 3)));
            SpoolWriter next(m_folder, 1U << 20U);
            QVERIFY(next.append(framesOf(3, 1)));
        }
        const std::filesystem::path path = segmentsIn(m_folder).value().front().path;
        const std::string whole = contents(path);
        const std::size_t frame = (whole.size() - kSegmentHeadBytes) / 3;
        for (std::size_t at = kSegmentHeadBytes + frame; at < kSegmentHeadBytes + 2 * frame; ++at) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
            overwrite(path, damaged);
            const SpoolBatch batch = SpoolReader(m_folder).read(std::nullopt, kAll).value();
            QCOMPARE(idsIn(m_folder), "req-0 req-2 req-3");
            QCOMPARE(batch.damaged, 1);
            QCOMPARE(batch.damagedBytes, frame);
        }
    }

    void readsPastADamagedHeadAndAMegabyteOfNoise()
    {
        {
            SpoolWriter writer(m_folder, 1U << 20U);
            QVERIFY(writer.append(framesOf(0, 2)));
            SpoolWriter next(m_folder, 1U << 20U);
            QVERIFY(next.append(framesOf(2, 1)));
        }
        const std::filesystem::path path = segmentsIn(m_folder).value().front().path;
        std::string bytes = contents(path);
        bytes[0] = '?';
        bytes.insert(kSegmentHeadBytes, std::string(3U << 20U, 'W'));
        overwrite(path, bytes);
        const SpoolBatch batch = SpoolReader(m_folder).read(std::nullopt, kAll).value();
        QCOMPARE(idsIn(m_folder), "req-0 req-1 req-2");
        QCOMPARE(batch.damaged, 1);
        QCOMPARE(batch.damagedBytes, 3U << 20U);
    }

    void deletesOnlyWhatWasRead()
    {
        SpoolWriter first(m_folder, 1U << 20U);
        QVERIFY(first.append(framesOf(0, 2)));
        const SpoolReader reader(m_folder);
        const SpoolBatch one = reader.read(std::nullopt, 1).value();
        SpoolWriter second(m_folder, 1U << 20U);
        QVERIFY(second.append(framesOf(2, 1)));
        QVERIFY(reader.release(*one.end));
        QCOMPARE(segmentsIn(m_folder).value().size(), 2U);
        const SpoolBatch rest = reader.read(one.end, kAll).value();
        QCOMPARE(rest.records.size(), 2U);
        QVERIFY(reader.release(*rest.end));
        QCOMPARE(segmentsIn(m_folder).value().size(), 1U);
        QCOMPARE(reader.bytesAfter(rest.end), 0);
    }

    /// A spool emptied by hand begins again at segment 1; the old position must not skip into it.
    void doesNotTrustThePositionOfAnotherSpool()
    {
        SpoolPosition old;
        {
            SpoolWriter writer(m_folder, 1U << 20U);
            QVERIFY(writer.append(framesOf(0, 2)));
            old = *SpoolReader(m_folder).read(std::nullopt, kAll).value().end;
        }
        std::filesystem::remove_all(m_folder);
        SpoolWriter writer(m_folder, 1U << 20U);
        QVERIFY(writer.append(framesOf(5, 3)));
        const SpoolBatch batch = SpoolReader(m_folder).read(old, kAll).value();
        QCOMPARE(batch.records.size(), 3U);
    }

    void refusesAboveItsLimitAndTakesAgainWhenReleased()
    {
        const std::string ten = framesOf(0, 10);
        const std::uint64_t limit = 8 * ten.size();
        SpoolWriter writer(m_folder, limit);
        int appended = 0;
        Status<> status;
        for (; (status = writer.append(ten)); ++appended)
            QVERIFY(appended < 8);
        QCOMPARE(status.error().code, std::string{"disk_full"});
        std::uint64_t held = 0;
        const std::vector<Segment> segments = segmentsIn(m_folder).value();
        for (const Segment& segment : segments)
            held += segment.bytes;
        QVERIFY(held <= limit);
        const SpoolReader reader(m_folder);
        QVERIFY(reader.release(*reader.read(std::nullopt, kAll).value().end));
        QVERIFY(writer.append(ten));
        QCOMPARE(reader.read(std::nullopt, kAll).value().damaged, 0);
    }

    /// The operating system refuses in the middle of a write: nothing of the batch stays behind.
    void leavesNothingOfAFailedWrite()
    {
        SpoolWriter writer(m_folder, 1U << 20U);
        QVERIFY(writer.append(framesOf(0, 1)));
        const auto before = std::signal(SIGXFSZ, SIG_IGN);
        rlimit old{};
        getrlimit(RLIMIT_FSIZE, &old);
        const rlimit small{segmentsIn(m_folder).value().front().bytes + 100, old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        const Status<> refused = writer.append(framesOf(1, 1));
        setrlimit(RLIMIT_FSIZE, &old);
        std::signal(SIGXFSZ, before);
        QCOMPARE(refused.error().code, std::string{"disk_full"});
        QVERIFY(writer.append(framesOf(1, 1)));
        QVERIFY(writer.append(framesOf(2, 1)));
        QCOMPARE(idsIn(m_folder), "req-0 req-1 req-2");
        QCOMPARE(SpoolReader(m_folder).read(std::nullopt, kAll).value().damaged, 0);
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_folder;
};

QTEST_APPLESS_MAIN(TestSpoolFiles)
#include "tst_spool_files.moc"
