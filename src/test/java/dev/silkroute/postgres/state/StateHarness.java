package dev.silkroute.postgres.state;

import static dev.silkroute.postgres.TestBatch.*;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.withdrawal.Withdrawals;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import io.agroal.api.AgroalDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;

/** Both lanes and the purge over a database of its own. */
public abstract class StateHarness {
    public static final PeerEntry POST = peer(11, 11, RibView.ADJ_RIB_IN_POST_POLICY);
    public static final PeerEntry OTHER = peer(12, 12, RibView.ADJ_RIB_IN_PRE_POLICY);
    public static final int V4 = Family.IPV4_UNICAST;
    public static final String RIB = "SELECT host(peer_address), prefix, med, stale FROM bmp.v_rib"
            + " WHERE rib_view = 'adj-rib-in-pre' ORDER BY 1, 2";
    public static final String ROWS = "SELECT xmin, ctid, prefix FROM bmp.rib_route ORDER BY prefix, peer_id, rib_view";

    @AutoClose
    public final AgroalDataSource database = TestPostgres.pool();

    public final DimensionCache dimensions = new DimensionCache(100);
    public final CurrentStateWriter state = new CurrentStateWriter(dimensions, new AttributeSets(1000));
    public final HistoryWriter history = new HistoryWriter(dimensions, new AttributeSets(1000));
    public final Withdrawals withdrawals = new Withdrawals(2, () -> true);

    /** The database is a copy of one that was made at the first test, which a slow run may have done long ago. */
    @BeforeEach
    void lookedForStaleTablesJustNow() throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("UPDATE bmp.stale_check SET checked_at = now()");
        }
    }

    public long write(TestBatch... batches) throws SQLException {
        List<RouteBatch> list = Arrays.stream(batches).map(TestBatch::build).toList();
        try (Connection connection = database.getConnection()) {
            LaneTransaction.run(connection, history.prepareBatches(connection, list)::write);
            return LaneTransaction.run(connection, state.prepareBatches(connection, list)::write);
        }
    }

    public long purge() throws SQLException {
        try (Connection connection = database.getConnection()) {
            return withdrawals.purge(connection);
        }
    }

    public List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    public static TestBatch up(long session, long second) {
        return of(session, second).session(EventKind.SESSION_UP).peerUp(PEER).dump();
    }
}
