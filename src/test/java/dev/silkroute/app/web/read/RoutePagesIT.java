package dev.silkroute.app.web.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.state.CurrentStateWriter;
import dev.silkroute.route.RouteBatch;
import jakarta.ws.rs.core.MultivaluedHashMap;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A page of the current routes reads its own rows only. */
class RoutePagesIT {
    private static final int ROUTERS = 4;
    private static final int PEERS = 4;
    private static final int PREFIXES = 500;
    private static final int ATTRIBUTE_SETS = 1350;

    private final DataSource database = TestPostgres.database();

    private void store() throws Exception {
        CurrentStateWriter writer = new CurrentStateWriter(new DimensionCache(100), new AttributeSets(10_000));
        try (Connection connection = database.getConnection()) {
            for (int i = 0; i < ROUTERS; i++) {
                TestBatch batch = TestBatch.of("r" + i, i + 1, 0);
                for (int j = 0; j < PEERS * PREFIXES; j++) {
                    batch.announce(
                            TestBatch.peer(j % PEERS, j % PEERS, RibView.ADJ_RIB_IN_PRE_POLICY),
                            "10." + i + "." + j / PEERS / 256 + "." + j / PEERS % 256 + "/32",
                            (i * PEERS * PREFIXES + j) % ATTRIBUTE_SETS);
                }
                List<RouteBatch> batches = List.of(batch.build());
                LaneTransaction.run(connection, writer.prepareBatches(connection, batches)::write);
            }
            connection.createStatement().execute("VACUUM ANALYZE");
        }
    }

    private static Listing routes(String router) {
        MultivaluedHashMap<String, String> values = new MultivaluedHashMap<>();
        values.add(RouteFilter.ROUTER, router);
        Parameters parameters = new Parameters(values, values.keySet());
        return Listing.of(RouteFilter.select(parameters, null), RouteColumns.RIB, RouteOrder.RIB)
                .byPrefix(RouteFilter.prefixes(parameters));
    }

    /**
     * The join of routes and attribute sets is planned for a few rows of each prefix. The planner has to know that it
     * takes time to build the attributes of a set; otherwise it builds those of all sets, again for each prefix.
     */
    @Test
    void aPageReadsTheAttributesOfItsOwnRoutesOnly() throws Exception {
        store();
        Listing listing = routes("r1");
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            // What other processes read would not be counted in the transaction
            connection.createStatement().execute("SET LOCAL max_parallel_workers_per_gather = 0");
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            // Not closed: that would end the transaction and its counts
            Page page = new Page(
                    connection,
                    listing.page(listing.columns(), null, 10_001),
                    Page.Form.LINES,
                    null,
                    null,
                    10_000,
                    () -> {});
            assertThat(page.write(out, Long.MAX_VALUE)).isTrue();
            assertThat(new ArrayList<>(
                            out.toString(StandardCharsets.UTF_8).lines().toList()))
                    .hasSize(PEERS * PREFIXES);
            assertThat(Sql.list(
                                    connection,
                                    "SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables"
                                            + " WHERE schemaname = 'bmp' AND relname = 'attribute_set'",
                                    row -> row.getLong(1))
                            .getFirst())
                    .isBetween((long) ATTRIBUTE_SETS, (long) PEERS * PREFIXES);
        }
    }
}
