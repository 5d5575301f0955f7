package dev.silkroute.component.pgcopy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.postgres.lane.CopyRowException;
import dev.silkroute.postgres.lane.LanePosition;
import dev.silkroute.postgres.lane.LaneRecord;
import dev.silkroute.postgres.lane.LaneRefusedException;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.lane.LaneWriter;
import dev.silkroute.postgres.lane.Positioned;
import dev.silkroute.postgres.lane.Prepared;
import dev.silkroute.postgres.lane.RowSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.camel.CamelExecutionException;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The component in a Camel application that has nothing of this product's besides. */
class PgCopyIT {
    private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

    private final DataSource database = TestPostgres.database();
    private final DefaultCamelContext camel = new DefaultCamelContext();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private ProducerTemplate template;

    private enum Mood {
        calm
    }

    @BeforeEach
    void start() throws SQLException {
        execute("CREATE TYPE mood AS ENUM ('calm', 'busy')");
        execute("CREATE DOMAIN percent AS integer CHECK (VALUE BETWEEN 0 AND 100)");
        execute("CREATE TABLE line (id bigint, \"Said at\" timestamptz, word text)");
        execute("CREATE TABLE every (b boolean, i2 smallint, i4 integer, i8 bigint, f4 real, f8 double precision,"
                + " n numeric, t text, v varchar(5), c char(3), j json, jb jsonb, u uuid, by bytea, d date, ti time,"
                + " ts timestamp, tz timestamptz, iv interval, ip inet, ci cidr, mac macaddr, m mood, p percent,"
                + " i4s integer[], ts_ text[], ns numeric[], ms mood[])");
        camel.getRegistry().bind("database", database);
        camel.getRegistry().bind("meters", meters);
        camel.start();
        template = camel.createProducerTemplate();
    }

    @AfterEach
    void stop() {
        camel.stop();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    private List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    private @Nullable Object copy(String uri, @Nullable Object body) {
        return template.request(uri, exchange -> exchange.getMessage().setBody(body))
                .getMessage()
                .getHeader(PgCopyConstants.ROWS);
    }

    private Throwable failure(String uri, Object body) {
        Exception problem = template.request(
                        uri, exchange -> exchange.getMessage().setBody(body))
                .getException();
        assertThat(problem).isNotNull();
        return problem instanceof CamelExecutionException ? problem.getCause() : problem;
    }

    @Test
    void rowsAreListsArraysOrMapsInWhateverCanBeIterated() throws SQLException {
        Instant at = Instant.parse("2026-11-21T08:00:00.000001Z");
        assertThat(copy("pgcopy:line", List.of(List.of(1, at, "a"), Arrays.asList(2L, null, null))))
                .isEqualTo(2L);
        assertThat(copy("pgcopy:public.line?columns=word,id", List.of(new Object[] {"c", 3})))
                .isEqualTo(1L);
        assertThat(copy("pgcopy:line", Stream.of(Map.of("id", 4, "word", "d"), Map.of("id", 5))))
                .isEqualTo(2L);
        assertThat(copy("pgcopy:line", Map.of("id", 6, "Said at", at))).isEqualTo(1L);
        assertThat(copy("pgcopy:line?columns=id", List.of(7))).isEqualTo(1L);
        assertThat(copy("pgcopy:line", List.of())).isEqualTo(0L);
        assertThat(copy("pgcopy:line", null)).isEqualTo(0L);
        assertThat(query("SELECT id, \"Said at\" AT TIME ZONE 'UTC', word FROM line ORDER BY id"))
                .containsExactly(
                        "1|2026-11-21 08:00:00.000001|a",
                        "2|-|-",
                        "3|-|c",
                        "4|-|d",
                        "5|-|-",
                        "6|2026-11-21 08:00:00.000001|-",
                        "7|-|-");
    }

    @Test
    void everyCommonTypeIsWritten() throws SQLException {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("b", true);
        row.put("i2", (short) -32768);
        row.put("i4", 2147483647L);
        row.put("i8", new BigInteger("-9223372036854775808"));
        row.put("f4", 1.5f);
        row.put("f8", 1e300);
        row.put("n", new BigDecimal("-123456789012345678901234.500012"));
        row.put("t", "ünï 𝄞");
        row.put("v", new StringBuilder("five5"));
        row.put("c", "x");
        row.put("j", "{\"a\": 1}");
        row.put("jb", "[1,  2]");
        row.put("u", ID);
        row.put("by", new byte[] {0, -1});
        row.put("d", LocalDate.of(1999, 12, 31));
        row.put("ti", LocalTime.of(23, 59, 59, 999_999_000));
        row.put("ts", LocalDateTime.of(2026, 1, 2, 3, 4, 5));
        row.put("tz", Instant.parse("1969-12-31T23:59:59.5Z"));
        row.put("iv", Duration.ofHours(25).plusMillis(1));
        row.put("ip", "2001:db8::1/64");
        row.put("ci", "192.0.2.0/24");
        row.put("mac", "08:00:2b:01:02:fe");
        row.put("m", Mood.calm);
        row.put("p", 99);
        row.put("i4s", new int[] {1, -2});
        row.put("ts_", Arrays.asList("a", null, "b,\"c"));
        row.put("ns", List.of(new BigDecimal("0.10"), BigInteger.TWO));
        row.put("ms", List.of("busy", Mood.calm));
        assertThat(copy("pgcopy:every", List.of(row))).isEqualTo(1L);
        assertThat(query(
                        "SELECT b, i2, i4, i8, f4, f8, n, t, v, c, j, jb, u, by, d, ti, ts, tz AT TIME ZONE 'UTC', iv, ip, ci,"
                                + " mac, m, p, i4s, ts_, ns, ms FROM every"))
                .containsExactly("t|-32768|2147483647|-9223372036854775808|1.5|1e+300|"
                        + "-123456789012345678901234.500012|ünï 𝄞|five5|x  |{\"a\": 1}|[1, 2]|" + ID
                        + "|\\x00ff|1999-12-31|23:59:59.999999|2026-01-02 03:04:05|1969-12-31 23:59:59.5|25:00:00.001|"
                        + "2001:db8::1/64|192.0.2.0/24|08:00:2b:01:02:fe|calm|99|{1,-2}|{a,NULL,\"b,\\\"c\"}|{0.10,2}|"
                        + "{busy,calm}");
    }

    @Test
    void otherJavaTypesOfTheSameMeaningAreTakenToo() throws Exception {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("n", 0.25);
        row.put("u", ID.toString());
        row.put("by", ByteBuffer.wrap(new byte[] {1, 2, 3}, 1, 2));
        row.put("d", java.sql.Date.valueOf("2026-11-21"));
        row.put("tz", new java.util.Date(0));
        row.put("iv", Period.of(1, 2, 3));
        row.put("ip", InetAddress.ofLiteral("192.0.2.1"));
        row.put("i8", new BigDecimal("7.0"));
        row.put("i4s", List.of());
        copy("pgcopy:every", row);
        assertThat(query("SELECT n, u, by, d, tz AT TIME ZONE 'UTC', iv, ip, i8, i4s FROM every"))
                .containsExactly(
                        "0.25|" + ID + "|\\x0203|2026-11-21|1970-01-01 00:00:00|1 year 2 mons 3 days|192.0.2.1|7|{}");
    }

    @Test
    void numericsAreExact() throws SQLException {
        List<String> texts = List.of(
                "0",
                "0.00",
                "1",
                "-1",
                "10000",
                "9999.9999",
                "0.0001",
                "0.00001",
                "1e20",
                "123e-7",
                "-10000.0000",
                "100000000",
                "0.1234567890123456789");
        copy(
                "pgcopy:every?columns=n",
                texts.stream().map(text -> List.of(new BigDecimal(text))).toList());
        assertThat(query("SELECT n FROM every"))
                .containsExactlyElementsOf(texts.stream()
                        .map(text -> new BigDecimal(text).toPlainString())
                        .toList());
    }

    @Test
    void whatDoesNotFitIsSaidWithRowAndColumn() {
        assertThat(failure("pgcopy:line", List.of(List.of(1, Instant.EPOCH, "a"), List.of(2, Instant.EPOCH, 5))))
                .isInstanceOf(CopyRowException.class)
                .hasMessage("row 2, column word (text) of table line can't take Integer 5: it takes a CharSequence");
        assertThat(failure("pgcopy:every", Map.of("i2", 40000)))
                .hasMessage(
                        "row 1, column i2 (int2) of table every can't take Integer 40000: it takes -32768 to 32767");
        assertThat(failure("pgcopy:every", Map.of("i4", 1.5))).hasMessageContaining("it takes whole numbers");
        assertThat(failure("pgcopy:every", Map.of("i4s", List.of("x")))).hasMessageContaining("column i4s (int4[])");
        assertThat(failure("pgcopy:every", Map.of("ip", "localhost")))
                .hasMessageContaining("it takes an address or a prefix");
        assertThat(failure("pgcopy:every", Map.of("t", "a\0b"))).hasMessageContaining("NUL");
        assertThat(failure("pgcopy:line", List.of(List.of(1, Instant.EPOCH))))
                .hasMessage("row 1 for table line has 2 values for 3 columns");
        assertThat(failure("pgcopy:line?columns=id", List.of(Map.of("id", 1), Map.of("id", 2, "wrod", "x"))))
                .hasMessage("row 2 for table line has [wrod], which is none of the columns [id]");
        assertThat(failure("pgcopy:line?columns=id,wrod", List.of(List.of(1, "x"))))
                .hasMessageContaining("table line has no column wrod, but id, Said at, word");
        assertThat(failure("pgcopy:line", "a text")).hasMessageContaining("not a java.lang.String");
        assertThat(failure("pgcopy:lines", List.of(List.of(1)))).hasMessageContaining("there is no table lines");
    }

    @Test
    void whatTheDatabaseRefusesLeavesNothingBehind() throws SQLException {
        execute("ALTER TABLE line ADD CHECK (id < 100)");
        assertThat(failure("pgcopy:line?columns=id", List.of(List.of(1), List.of(100))))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("violates check constraint");
        assertThat(query("SELECT count(*) FROM line")).containsExactly("0");
        assertThat(copy("pgcopy:line?columns=id", List.of(List.of(1)))).isEqualTo(1L);
    }

    @Test
    void aTypeThatCannotBeWrittenIsNamed() throws SQLException {
        execute(
                "CREATE TABLE odd (id integer GENERATED ALWAYS AS IDENTITY, p point, twice integer GENERATED ALWAYS AS (3) STORED,"
                        + " n integer)");
        assertThat(copy("pgcopy:odd", Map.of("n", 1))).isEqualTo(1L);
        assertThat(failure("pgcopy:odd", Map.of("p", "(1,2)")))
                .hasMessageContaining("column p (point)")
                .hasMessageContaining("of a type that can't be written");
    }

    @Test
    void manyRowsAreOneTransaction() throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            rows.add(List.of(i, "word " + i));
        }
        assertThat(copy("pgcopy:line?columns=id,word", rows)).isEqualTo(50_000L);
        assertThat(query("SELECT count(*), count(DISTINCT xmin::text) FROM line"))
                .containsExactly("50000|1");
        assertThat(meters.get("pgcopy.rows")
                        .tag("lane", "line")
                        .functionCounter()
                        .count())
                .isEqualTo(50_000);
    }

    /** A record as a batching Kafka consumer gives it, with what {@link DatabaseOffsets} adds. */
    private Exchange record(long offset, long follows, Object body, List<Long> told) {
        Exchange exchange = new DefaultExchange(camel);
        exchange.getMessage().setBody(body);
        exchange.getMessage().setHeader(PgCopyConstants.POSITION, new Positioned() {
            @Override
            public LanePosition position() {
                return new LanePosition("t", ID, 0, offset, follows);
            }

            @Override
            public void stored(List<? extends Positioned> batch) {
                batch.forEach(record -> told.add(record.position().offset()));
            }
        });
        return exchange;
    }

    @Test
    void recordsOfALaneAreStoredOnceAndTheirReaderIsTold() throws SQLException {
        String uri = "pgcopy:line?columns=id&lane=lines&offsetTable=bmp.lane_offset";
        List<Long> told = new ArrayList<>();
        List<Exchange> batch = List.of(
                record(0, -1, Map.of("id", 10), told), record(1, 1, List.of(Map.of("id", 11), Map.of("id", 12)), told));
        assertThat(copy(uri, batch)).isEqualTo(3L);
        assertThat(copy(uri, List.of(record(1, 1, Map.of("id", 11), told), record(2, 2, Map.of("id", 13), told))))
                .isEqualTo(1L);
        assertThat(query("SELECT id FROM line ORDER BY 1")).containsExactly("10", "11", "12", "13");
        assertThat(query("SELECT lane, topic, topic_id, kafka_partition, next_offset FROM bmp.lane_offset"))
                .containsExactly("lines|t|" + ID + "|0|3");
        assertThat(told).containsExactly(0L, 1L, 1L, 2L);
        assertThat(failure(uri, List.of(record(7, 7, Map.of("id", 14), told))))
                .isInstanceOf(LaneRefusedException.class);
        assertThat(failure(uri, Map.of("id", 15))).hasMessageContaining("has no position");
        assertThat(query("SELECT count(*) FROM line")).containsExactly("4");
        assertThat(meters.get("pgcopy.duplicates")
                        .tag("lane", "lines")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void anErrorIsTheExchangesAndNotTheConsumersEnd() {
        camel.getRegistry().bind("broken", new RowSource<String>() {
            @Override
            public Class<String> valueType() {
                return String.class;
            }

            @Override
            public LaneWriter<String> into(String table) {
                return (connection, records) -> {
                    throw new AssertionError("broken");
                };
            }
        });
        assertThat(failure("pgcopy:line?rows=#broken", "a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 records: java.lang.AssertionError: broken");
    }

    @Test
    void rowsCanBeMadeByABeanThatDoesMoreInTheTransaction() throws SQLException {
        execute("CREATE TABLE seen (length integer)");
        camel.getRegistry().bind("words", new RowSource<String>() {
            @Override
            public Class<String> valueType() {
                return String.class;
            }

            @Override
            public LaneWriter<String> into(String table) {
                return new LaneWriter<>() {
                    @Override
                    public Prepared prepare(Connection connection, List<LaneRecord<String>> records) {
                        return transaction ->
                                write(transaction, table, records.getFirst().value());
                    }
                };
            }

            private long write(LaneTransaction transaction, String table, String text) throws SQLException {
                var statement = transaction.connection().createStatement();
                statement.execute("INSERT INTO seen VALUES (" + text.length() + ")");
                return statement.executeUpdate(
                        "INSERT INTO " + table + " (word) SELECT unnest(string_to_array('" + text + "', ' '))");
            }
        });
        assertThat(copy("pgcopy:line?rows=#words", "to be or not")).isEqualTo(4L);
        assertThat(query("SELECT word FROM line")).containsExactly("to", "be", "or", "not");
        assertThat(query("SELECT length FROM seen")).containsExactly("12");
        assertThatThrownBy(() ->
                        camel.getEndpoint("pgcopy:line?rows=#words&columns=id").createProducer())
                .hasMessageContaining("columns are of no use");
    }

    @Test
    void aTransactionThatDoesNotComeToItsEndIsCut() throws Exception {
        try (Connection blocker = database.getConnection()) {
            blocker.setAutoCommit(false);
            blocker.createStatement().execute("LOCK TABLE line IN ACCESS EXCLUSIVE MODE");
            long before = System.nanoTime();
            assertThat(failure("pgcopy:line?columns=id&transactionLimit=1s", List.of(List.of(1))))
                    .isInstanceOf(SQLException.class);
            assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(20));
            blocker.rollback();
        }
    }
}
