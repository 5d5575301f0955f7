package dev.silkroute.app.web.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.StoredRouter;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.route.RouteBatch;
import jakarta.ws.rs.core.MultivaluedHashMap;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A page of the differences is read alone, and all pages together are the whole difference. */
class DifferencePagesIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant EIGHT = Instant.EPOCH.plusSeconds(TestBatch.EIGHT / 1_000_000);
    private static final int ROUTES = 20_000;

    private final DataSource database = TestPostgres.database();

    /** The rows of a page and the number of statements that read them; with {@code next}, the position after them. */
    private record Part(List<String> rows, @Nullable String next, int statements) {}

    private static Listing differences(Instant from, Instant to, @Nullable String change) {
        var values = new MultivaluedHashMap<String, String>();
        values.add("from", from.toString());
        values.add("to", to.toString());
        if (change != null) {
            values.add("change", change);
        }
        return ComparisonResource.differences(new Parameters(values, values.keySet()));
    }

    /** Reads a page as {@code Answers} does. */
    private static Part page(Connection connection, Listing listing, @Nullable String cursor, int limit)
            throws Exception {
        var queries = listing.page(
                listing.columns(), Cursor.decode(cursor, listing.keys().size()), limit + 1L);
        var statements = new ArrayList<SqlQuery>();
        PageQueries counted = each -> {
            var query = queries.next(each);
            if (query != null) {
                statements.add(query);
            }
            return query;
        };
        // Not closed: that would end the transaction and its counts
        var page = new Page(connection, counted, Page.Form.LINES, null, null, limit, () -> {});
        var out = new ByteArrayOutputStream();
        assertThat(page.write(out, Long.MAX_VALUE)).isTrue();
        var lines = new ArrayList<>(out.toString(StandardCharsets.UTF_8).lines().toList());
        var last = lines.isEmpty() ? null : JSON.readTree(lines.getLast()).get("next");
        return last == null
                ? new Part(lines, null, statements.size())
                : new Part(lines.subList(0, lines.size() - 1), last.asText(), statements.size());
    }

    private static Connection begin(DataSource database) throws Exception {
        Connection connection = database.getConnection();
        connection.setAutoCommit(false);
        // What other processes read would not be counted in the transaction
        connection.createStatement().execute("SET LOCAL max_parallel_workers_per_gather = 0");
        return connection;
    }

    @Test
    void allPagesTogetherAreTheWholeDifference() throws Exception {
        // Given: routes with and without a prefix, which change and change back
        LoadPlan plan = TestLoad.of(11, 2, 12)
                .families(Family.IPV4_UNICAST, Family.IPV6_UNICAST, Family.VPNV4, Family.EVPN)
                .views(RibView.ADJ_RIB_IN_PRE_POLICY, RibView.LOC_RIB)
                .paths(2)
                .changes(1500)
                .plan();
        StoredRouter router = new StoredRouter(database, plan, 0, 1000);
        router.tables(EIGHT);
        router.steps(100, EIGHT.plusSeconds(10));
        for (int i = 2; i <= 5; i++) {
            router.steps(200, EIGHT.plusSeconds(10L * i));
        }
        Instant from = EIGHT.plusSeconds(15);
        Instant to = EIGHT.plusSeconds(60);
        int mostStatements = 0;
        for (String change : new String[] {null, "removed"}) {
            Listing listing = differences(from, to, change);
            try (Connection connection = begin(database)) {
                Listing atOnce = Listing.of(listing.relation(), listing.columns(), listing.keys());
                List<String> whole = page(connection, atOnce, null, ROUTES).rows();
                assertThat(whole)
                        .hasSizeGreaterThan(30)
                        .anyMatch(row -> row.contains("\"family\":\"evpn\""))
                        .anyMatch(row -> row.contains("\"family\":\"ipv6-unicast\""));
                for (int limit : new int[] {whole.size(), whole.size() / 6}) {
                    // When
                    List<String> rows = new ArrayList<>();
                    String cursor = null;
                    do {
                        Part part = page(connection, listing, cursor, limit);
                        rows.addAll(part.rows());
                        cursor = part.next();
                        assertThat(part.rows().size()).isLessThanOrEqualTo(limit);
                        assertThat(cursor == null || part.rows().size() == limit)
                                .as("only the last page is not full")
                                .isTrue();
                        mostStatements = Math.max(mostStatements, part.statements());
                    } while (cursor != null);

                    // Then
                    assertThat(rows).as("%s in pages of %d", change, limit).isEqualTo(whole);
                }
            }
        }
        assertThat(mostStatements).as("pages that need several ranges").isGreaterThan(1);
    }

    @Test
    void aPageReadsItsOwnRowsOnly() throws Exception {
        // Given: many routes of one day
        try (Connection connection = database.getConnection()) {
            HistoryWriter history = new HistoryWriter(new DimensionCache(100), new AttributeSets(1000));
            for (int i = 0; i < ROUTES / 1000; i++) {
                TestBatch batch = TestBatch.of(7, i);
                for (int j = 0; j < 1000; j++) {
                    batch.announce("10." + i + "." + j / 256 + "." + j % 256 + "/32", j);
                }
                List<RouteBatch> batches = List.of(batch.build());
                LaneTransaction.run(connection, history.prepareBatches(connection, batches)::write);
            }
            connection.createStatement().execute("VACUUM ANALYZE");
        }
        Listing listing = differences(EIGHT.minusSeconds(60), EIGHT.plusSeconds(3600), null);

        // Then: without an index on the prefix, each page reads the events twice, to find its prefixes and to read
        // theirs,
        // but the attributes of its own only
        assertThat(rowsRead(listing, "route_event%")).isBetween((long) ROUTES, 5L * ROUTES); // two pages
        assertThat(rowsRead(listing, "attribute_set")).isBetween(10L, 200L);

        // When
        try (Connection connection = database.getConnection()) {
            String index = Sql.list(
                            connection, "SELECT bmp.index_statement('route_event_20261121')", row -> row.getString(1))
                    .getFirst();
            connection.createStatement().execute(index);
            connection.createStatement().execute("ANALYZE");
        }

        // Then: the second time by the index
        assertThat(rowsRead(listing, "route_event%")).isBetween((long) ROUTES, 2L * ROUTES + 1000);
    }

    /** Reads the first page and one behind it, and returns how many rows of tables the database has read for them. */
    private long rowsRead(Listing listing, String tables) throws Exception {
        try (Connection connection = begin(database)) {
            Part first = page(connection, listing, null, 10);
            Part second = page(connection, listing, first.next(), 10);
            assertThat(second.rows()).hasSize(10).doesNotContainAnyElementsOf(first.rows());
            return Sql.list(
                            connection,
                            "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables"
                                    + " WHERE schemaname = 'bmp' AND relname LIKE ?",
                            row -> row.getLong(1),
                            tables)
                    .getFirst();
        }
    }
}
