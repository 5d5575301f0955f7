package dev.silkroute.component.pgcopy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.postgres.lane.LanePosition;
import dev.silkroute.postgres.lane.LaneRecord;
import dev.silkroute.postgres.lane.LaneRejectedException;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.lane.LaneWriter;
import dev.silkroute.postgres.lane.PositionedRecord;
import dev.silkroute.postgres.lane.RowSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
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

/** The component in a Camel application that has nothing else of the product. */
class PgCopyIT {
    private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

    private final DataSource database = TestPostgres.database();
    private final DefaultCamelContext camel = new DefaultCamelContext();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private ProducerTemplate template;

    /** One row for each number in a record, which are separated by spaces. */
    private static final class Numbers implements RowSource<String> {
        @Override
        public Class<String> valueType() {
            return String.class;
        }

        @Override
        public LaneWriter<String> into(String table) {
            return (connection, records) -> transaction -> write(transaction, table, records);
        }

        private static long write(LaneTransaction transaction, String table, List<LaneRecord<String>> records)
                throws SQLException {
            long rows = 0;
            try (PreparedStatement insert = transaction
                    .connection()
                    .prepareStatement("INSERT INTO " + table
                            + " SELECT CAST(n AS bigint) FROM unnest(string_to_array(?, ' ')) n")) {
                for (LaneRecord<String> record : records) {
                    insert.setString(1, record.value());
                    rows += insert.executeUpdate();
                }
            }
            return rows;
        }
    }

    @BeforeEach
    void start() throws SQLException {
        execute("CREATE TABLE line (id bigint CHECK (id < 100))");
        camel.getRegistry().bind("database", database);
        camel.getRegistry().bind("meters", meters);
        camel.getRegistry().bind("numbers", new Numbers());
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

    private double count(String meter, String lane) {
        return meters.get(meter).tag("lane", lane).functionCounter().count();
    }

    @Test
    void anExchangeIsStoredInOneTransaction() throws SQLException {
        String uri = "pgcopy:public.line?rows=#numbers";
        assertThat(copy(uri, "1 2 3")).isEqualTo(3L);
        assertThat(copy(uri, null)).isEqualTo(0L);
        assertThat(query("SELECT count(*), count(DISTINCT xmin::text) FROM line"))
                .containsExactly("3|1");
        assertThat(count("silkroute.pgcopy.rows", "public.line")).isEqualTo(3);
    }

    @Test
    void nothingIsStoredOfAnExchangeThatTheDatabaseRejects() throws SQLException {
        assertThat(failure("pgcopy:line?rows=#numbers", "1 100"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("violates check constraint");
        assertThat(query("SELECT count(*) FROM line")).containsExactly("0");
        assertThat(copy("pgcopy:line?rows=#numbers", "1")).isEqualTo(1L);
    }

    @Test
    void rowsAreRequired() {
        assertThatThrownBy(() -> camel.getEndpoint("pgcopy:line").createProducer())
                .hasMessageContaining("pgcopy:line requires either the option rows or the option function");
        assertThatThrownBy(() -> camel.getEndpoint("pgcopy:line?rows=#numbers&prepare=ensure_lines")
                        .createProducer())
                .hasMessage("pgcopy:line has the option prepare, which requires the option function");
    }

    /** A record as the consumer of a lane reads it. */
    private Exchange record(long offset, long follows, String numbers, List<Long> stored) {
        Exchange exchange = new DefaultExchange(camel);
        exchange.getMessage().setBody(numbers);
        exchange.getMessage().setHeader(PgCopyConstants.POSITION, new PositionedRecord() {
            @Override
            public LanePosition position() {
                return new LanePosition("t", ID, 0, offset, follows);
            }

            @Override
            public void stored(List<? extends PositionedRecord> batch) {
                batch.forEach(record -> stored.add(record.position().offset()));
            }
        });
        return exchange;
    }

    @Test
    void recordsOfALaneAreStoredOnceAndTheirConsumerIsNotified() throws SQLException {
        String uri = "pgcopy:line?rows=#numbers&lane=lines&offsetTable=bmp.lane_offset";
        List<Long> stored = new ArrayList<>();
        assertThat(copy(uri, List.of(record(0, -1, "10", stored), record(1, 1, "11 12", stored))))
                .isEqualTo(3L);
        assertThat(copy(uri, List.of(record(1, 1, "11 12", stored), record(2, 2, "13", stored))))
                .isEqualTo(1L);
        assertThat(query("SELECT id FROM line ORDER BY 1")).containsExactly("10", "11", "12", "13");
        assertThat(query("SELECT lane, topic, topic_id, kafka_partition, next_offset FROM bmp.lane_offset"))
                .containsExactly("lines|t|" + ID + "|0|3");
        assertThat(stored).containsExactly(0L, 1L, 1L, 2L);
        assertThat(failure(uri, List.of(record(7, 7, "14", stored)))).isInstanceOf(LaneRejectedException.class);
        assertThat(failure(uri, "15")).hasMessageContaining("no position");
        assertThat(query("SELECT count(*) FROM line")).containsExactly("4");
        assertThat(count("silkroute.pgcopy.duplicates", "lines")).isEqualTo(1);
    }

    @Test
    void anErrorFailsTheExchangeAndDoesNotEndTheConsumer() {
        camel.getRegistry().bind("broken", RowSource.of(String.class, _ -> (_, _) -> {
            throw new AssertionError("broken");
        }));
        assertThat(failure("pgcopy:line?rows=#broken", "a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 records: java.lang.AssertionError: broken");
    }

    @Test
    void aTransactionThatExceedsItsLimitIsClosed() throws Exception {
        try (Connection blocker = database.getConnection()) {
            blocker.setAutoCommit(false);
            blocker.createStatement().execute("LOCK TABLE line IN ACCESS EXCLUSIVE MODE");
            long before = System.nanoTime();
            assertThat(failure("pgcopy:line?rows=#numbers&transactionLimit=1s", "1"))
                    .isInstanceOf(SQLException.class);
            assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(20));
            blocker.rollback();
        }
    }
}
