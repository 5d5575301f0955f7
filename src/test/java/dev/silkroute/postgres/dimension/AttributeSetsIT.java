package dev.silkroute.postgres.dimension;

import static dev.silkroute.postgres.TestBatch.*;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.bgp.attribute.AttributeExamples;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.LaneTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class AttributeSetsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ORIGIN = "5001000100";

    private final DataSource database = TestPostgres.database();

    private void write(AttributeSets sets, TestBatch batch) throws SQLException {
        try (Connection connection = database.getConnection()) {
            HistoryWriter writer = new HistoryWriter(new DimensionCache(100), sets);
            LaneTransaction.run(connection, writer.prepareBatches(connection, List.of(batch.build()))::write);
        }
    }

    /** A canonical set of these attributes; later ones take the place of earlier ones. */
    private static byte[] set(byte[]... attributes) {
        TreeMap<Integer, byte[]> byType = new TreeMap<>();
        for (byte[] attribute : attributes) {
            byType.put(attribute[1] & 0xFF, attribute);
        }
        return concat(byType.values().toArray(byte[][]::new));
    }

    private static byte[] attribute(int flags, int type, byte[] value) {
        ByteSink out = new ByteSink();
        out.u8(flags & 0xF0 | 0x10).u8(type).u16(value.length).bytes(value, 0, value.length);
        return HexFormat.of().parseHex(HexFormat.of().formatHex(out.array(), 0, out.position()));
    }

    private static List<byte[]> everyKind() {
        List<byte[]> sets = new ArrayList<>();
        sets.add(new byte[0]);
        sets.add(hex(ORIGIN));
        sets.add(attributes(7));
        for (AttributeExamples.Example example : AttributeExamples.all()) {
            byte[] one =
                    attribute(example.flags(), example.type(), example.value().toArray());
            sets.add(one);
            sets.add(set(hex(ORIGIN), one));
            sets.add(set(hex(ORIGIN), hex("50020006" + "0201fa56ea0b"), one));
            one = attribute(
                    example.flags() | 0x20, example.type(), example.value().toArray()); // partial
            sets.add(set(hex(ORIGIN), one));
        }
        for (String list : List.of("d0080000", "d0100000", "d0200000", "900a0000")) {
            sets.add(set(hex(ORIGIN), hex(list))); // without elements, which some kinds must not be
        }
        Random random = new Random(20);
        for (int i = 0; i < 300; i++) {
            byte[] address = new byte[32];
            for (int at = 0; at < address.length; at += 2) {
                address[at] = random.nextBoolean() ? 0 : (byte) random.nextInt();
                address[at + 1] = random.nextBoolean() ? 0 : (byte) random.nextInt();
            }
            int length = random.nextBoolean() ? 16 : 32;
            sets.add(set(
                    hex(ORIGIN),
                    hex("900e%04x000201%02x".formatted(length + 4, length)
                            + HexFormat.of().formatHex(address, 0, length))));
        }
        return sets;
    }

    /** PostgreSQL writes whole numbers without an exponent. */
    private static int compareNumbers(JsonNode a, JsonNode b) {
        return a.isNumber() && b.isNumber() ? a.decimalValue().compareTo(b.decimalValue()) : a.equals(b) ? 0 : 1;
    }

    @Test
    void valuesOfColumnsAreLeftOutAndTheViewRestoresThem() throws Exception {
        // Given
        List<byte[]> sets = everyKind();
        TestBatch batch = of(7, 0);
        for (int i = 0; i < sets.size(); i++) {
            batch.announce(
                    PEER, Family.IPV4_UNICAST, nlri("10.%d.%d.0/24".formatted(i / 256, i % 256)), false, sets.get(i));
        }

        // When
        write(new AttributeSets(10_000), batch);

        // Then
        List<String> rows = TestPostgres.query(
                database,
                "SELECT attributes, as_path, as_path_asns, host(next_hop) FROM bmp.v_route_history ORDER BY prefix");
        assertThat(rows).hasSameSizeAs(sets);
        int unreadable = 0;
        for (int i = 0; i < rows.size(); i++) {
            String as = "set %s".formatted(HexFormat.of().formatHex(sets.get(i)));
            String[] row = rows.get(i).split("\\|", -1);
            PathAttributes set;
            try {
                set = PathAttributes.decode(sets.get(i), 0, sets.get(i).length);
            } catch (DecodeException e) {
                assertThat(row).as(as).containsOnly("-");
                unreadable++;
                continue;
            }
            assertThat(JSON.readTree(row[0]).equals(AttributeSetsIT::compareNumbers, JSON.readTree(set.toJson())))
                    .as("%s: %s is not %s", as, row[0], set.toJson())
                    .isTrue();
            assertThat(row[1])
                    .as(as)
                    .isEqualTo(set.asPath() == null ? "-" : set.asPath().text());
            assertThat(row[2])
                    .as(as)
                    .isEqualTo(
                            set.asPath() == null
                                    ? "-"
                                    : set.asns()
                                            .toString()
                                            .replace(" ", "")
                                            .replace('[', '{')
                                            .replace(']', '}'));
        }
        assertThat(unreadable).isLessThan(5);
        assertThat(TestPostgres.query(
                        database,
                        "SELECT attributes, as_path_asns FROM bmp.attribute_set WHERE raw = '\\x"
                                + HexFormat.of().formatHex(attributes(7)) + "'"))
                .containsExactly("-|-");
    }

    /** As the writers of several processes, which know nothing of each other. */
    @Test
    void whoMeetsOthersAtASetFindsItAndNobodyFails() throws Exception {
        int writers = 4;
        try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
            List<Future<Void>> running = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                int first = writer;
                Callable<Void> work = () -> {
                    AttributeSets sets = new AttributeSets(8);
                    for (int round = 0; round < 20; round++) {
                        TestBatch batch = of("r" + first, 7, round);
                        for (int i = 0; i < 200; i++) {
                            batch.announce("10.0.0.0/8", round * 100 + (i * 7 + first) % 200);
                        }
                        write(sets, batch);
                    }
                    return null;
                };
                running.add(threads.submit(work));
            }
            for (Future<Void> future : running) {
                future.get();
            }
        }
        assertThat(
                        TestPostgres.query(
                                database,
                                "SELECT count(*), count(*) FILTER (WHERE med IS NULL), count(DISTINCT med) FROM bmp.v_route_history"))
                .containsExactly("16000|0|2100");
        assertThat(TestPostgres.query(database, "SELECT count(*) FROM bmp.attribute_set"))
                .containsExactly("2100");
    }

    @Test
    void aSetIsWrittenAgainWhereItsRowsWereNotCommitted() throws SQLException {
        // Given: its set was committed, but the server was lost before the rows were, and the set with it
        AttributeSets sets = new AttributeSets(100);
        try (Connection connection = database.getConnection()) {
            sets.write(connection, List.of(of(7, 0).announce("10.0.0.0/8", 1).build()));
            connection.createStatement().execute("DELETE FROM bmp.attribute_set");
        }

        // When
        write(sets, of(7, 0).announce("10.0.0.0/8", 1));

        // Then
        assertThat(TestPostgres.query(database, "SELECT med FROM bmp.v_route_history"))
                .containsExactly("1");
        assertThat(sets.misses()).isEqualTo(2);
        assertThat(sets.hits()).isZero();
    }
}
