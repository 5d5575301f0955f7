package dev.silkroute.postgres.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LanePartsTest {
    private static final int HALF = (int) LaneParts.MOST_BYTES / 2;

    /** A record's value is its bytes and rows. */
    private record Size(long bytes, long rows) {}

    private static final LaneWriter<Size> WRITER = new LaneWriter<>() {
        @Override
        public Prepared prepare(Connection connection, List<LaneRecord<Size>> records) {
            throw new AssertionError("nothing is written");
        }

        @Override
        public long bytes(Size value) {
            return value.bytes;
        }

        @Override
        public long rows(Size value) {
            return value.rows;
        }
    };

    private final SlowSources slow = new SlowSources(Duration.ofMinutes(2));

    private static <T> List<LaneRecord<T>> records(List<T> values) {
        return IntStream.range(0, values.size())
                .mapToObj(i -> new LaneRecord<>("t-0@" + i, null, values.get(i)))
                .toList();
    }

    private LaneParts<Size> parts(Size... sizes) {
        return new LaneParts<>(records(Arrays.asList(sizes)), WRITER, slow);
    }

    /** How many records each part has. */
    private static List<Integer> sizes(LaneParts<?> parts) {
        List<Integer> sizes = new ArrayList<>();
        while (!parts.over()) {
            sizes.add(parts.part().size());
            parts.next();
        }
        return sizes;
    }

    @Test
    void aPartHasUpToSoManyBytes() {
        Size half = new Size(HALF, 1);
        assertThat(sizes(parts(half, half))).containsExactly(2);
        assertThat(sizes(parts(half, half, new Size(1, 1), half, half))).containsExactly(2, 2, 1);
        assertThat(sizes(parts(half, new Size(HALF + 1, 1)))).containsExactly(1, 1);
    }

    @Test
    void aPartHasUpToSoManyRows() {
        Size half = new Size(1, LaneParts.MOST_ROWS / 2);
        assertThat(sizes(parts(half, half))).containsExactly(2);
        assertThat(sizes(parts(half, half, new Size(1, 1)))).containsExactly(2, 1);
    }

    @Test
    void aRecordBeyondTheBoundsIsAPartByItself() {
        Size small = new Size(1, 1);
        Size large = new Size(LaneParts.MOST_BYTES + 1, LaneParts.MOST_ROWS + 1);
        assertThat(sizes(parts(large))).containsExactly(1);
        assertThat(sizes(parts(small, large, large, small, small))).containsExactly(1, 1, 1, 2);
        assertThat(sizes(parts())).isEmpty();
    }

    @Test
    void whatWasTooMuchIsHalvedDownToOneRecord() {
        Size small = new Size(1, 1);
        LaneParts<Size> parts = parts(small, small, small, small, small, small, small);
        parts.halve();
        assertThat(parts.part()).hasSize(3);
        parts.next();
        parts.halve();
        assertThat(parts.part()).hasSize(1);
        parts.halve();
        assertThat(sizes(parts)).containsExactly(1, 1, 1, 1);
    }

    /** A dump of which nothing but its number of events is large. */
    @Test
    void recordsOfRoutesAreCutByTheirEventsToo() {
        byte[] nlri = new byte[(int) LaneParts.MOST_ROWS / 2]; // each byte 0.0.0.0/0
        byte[] record = TestBatch.of(1, 0)
                .announceAll(TestBatch.PEER, Family.IPV4_UNICAST, nlri, nlri.length, TestBatch.attributes(1))
                .bytes();
        RouteBatchWriter lane = new RouteBatchWriter() {
            @Override
            public Prepared prepareBatches(Connection connection, List<RouteBatch> batches) {
                throw new AssertionError("nothing is written");
            }

            @Override
            protected String table() {
                return "none";
            }
        };
        assertThat(sizes(new LaneParts<>(records(List.of(record, record, record)), lane, slow)))
                .containsExactly(2, 1);
        byte[] broken = Arrays.copyOf(record, 10);
        assertThat(sizes(new LaneParts<>(records(List.of(broken, new byte[0])), lane, slow)))
                .containsExactly(2);
    }

    @Test
    void afterAFailureEachRecordOfThePartIsAPartByItself() {
        Size small = new Size(1, 1);
        LaneParts<Size> parts = parts(small, small, small, new Size(HALF * 2, 1), small);
        assertThat(parts.isIsolated()).isFalse();
        parts.isolate();
        assertThat(parts.isIsolated()).isTrue();
        assertThat(sizes(parts)).containsExactly(1, 1, 1, 1, 1);
    }

    @Test
    void recordsOfASlowRouterAreStoredByThemselvesUntilOneIsStoredInTime() {
        LaneWriter<String> writer = new LaneWriter<>() {
            @Override
            public Prepared prepare(Connection connection, List<LaneRecord<String>> records) {
                throw new AssertionError("nothing is written");
            }

            @Override
            public String source(String value) {
                return value;
            }
        };
        List<LaneRecord<String>> records = records(List.of("a", "a", "b", "a", "b", "b"));
        slow.failed("b");
        slow.failed("b");
        assertThat(sizes(new LaneParts<>(records, writer, slow))).containsExactly(2, 1, 1, 1, 1);
        assertThat(slow.limit("b")).isEqualTo(slow.limit("a").dividedBy(2));
        slow.stored("b");
        assertThat(slow.contains("b")).isTrue();
        slow.stored("b");
        assertThat(sizes(new LaneParts<>(records, writer, slow))).containsExactly(6);
    }
}
