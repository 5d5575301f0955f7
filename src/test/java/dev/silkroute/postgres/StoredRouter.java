package dev.silkroute.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.silkroute.load.ExpectedTable;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.state.CurrentStateWriter;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.SessionRecord;
import dev.silkroute.session.identity.RouterIdentifier;
import java.net.InetAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** A synthetic router whose messages go through the station's decoder and writers, at the times that a test sets. */
public final class StoredRouter {
    /** Router, peer, view, family, NLRI, path id, AS path. */
    public static final String COLUMNS =
            "router || '|' || host(peer_address) || '|' || rib_view || '|' || family || '|' || nlri || '|'"
                    + " || coalesce(path_id, -1) || '|' || as_path";

    private final DataSource database;
    private final LoadRouter router;
    private final long sessionId;
    private final InetAddress address;
    private BmpSession session;
    private final DimensionCache dimensions = new DimensionCache(1000);
    private final AttributeSets attributes = new AttributeSets(100_000);
    private final HistoryWriter history = new HistoryWriter(dimensions, attributes);
    private final CurrentStateWriter current = new CurrentStateWriter(dimensions, attributes);
    private long messages;

    public StoredRouter(DataSource database, LoadPlan plan, int number, long sessionId) {
        this.database = database;
        router = plan.router(number);
        this.sessionId = sessionId;
        address = InetAddress.ofLiteral("192.0.2." + (number + 1));
    }

    /** The next steps of the router, until its tables are out and its first statistics sent; received all at once. */
    public void tables(Instant at) throws Exception {
        ByteSink out = new ByteSink();
        int count = 0;
        while (!router.isChanging()) {
            int made = router.next(out);
            if (made == 0) {
                break;
            }
            count += made;
        }
        store(out, count, at, null);
    }

    /** So many steps; once the changes are through, statistics come. */
    public void steps(int steps, Instant at) throws Exception {
        ByteSink out = new ByteSink();
        int count = 0;
        for (int i = 0; i < steps; i++) {
            count += router.next(out);
        }
        store(out, count, at, null);
    }

    /** All that is left, in steps of one message group, the same time for all. */
    public void rest(Instant at) throws Exception {
        ByteSink out = new ByteSink();
        int count = 0;
        for (int made = router.next(out); made > 0; made = router.next(out)) {
            count += made;
        }
        store(out, count, at, null);
    }

    /** The session's end. */
    public void lose(Instant at) throws Exception {
        store(new ByteSink(), 0, at, "connection lost");
    }

    private void store(ByteSink out, int count, Instant at, String end) throws Exception {
        byte[] bytes = out.toByteArray();
        if (session == null) {
            session = new BmpSession(
                    new SessionConfig("c1", 1000), sessionId, address, RouterIdentifier.identify(address, bytes));
        }
        DecodedBatch decoded = session.decode(bytes, messages, ChronoUnit.MICROS.between(Instant.EPOCH, at), end);
        messages += count;
        List<RouteBatch> batches =
                decoded.routes().length == 0 ? List.of() : List.of(RouteBatch.read(decoded.routes()));
        try (Connection connection = database.getConnection()) {
            LaneTransaction.run(connection, history.prepareBatches(connection, batches)::write);
            LaneTransaction.run(connection, current.prepareBatches(connection, batches)::write);
            apply(connection, "peer_events", decoded.records(LaneName.PEERS));
            apply(connection, "statistics", decoded.records(LaneName.STATS));
        }
    }

    private static void apply(Connection connection, String lane, List<SessionRecord> records) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("SELECT bmp.apply_" + lane + "(CAST(? AS jsonb))")) {
            call.setString(
                    1,
                    records.stream()
                            .map(record -> new String(record.json(), UTF_8))
                            .collect(Collectors.joining(",", "[", "]")));
            call.execute();
        }
    }

    /** What a station holds of it now, as {@link #COLUMNS}, sorted. */
    public List<String> expected() {
        List<String> routes = new ArrayList<>();
        for (ExpectedTable rib : ExpectedTable.of(router)) {
            rib.forEach(route -> routes.add(String.join(
                    "|",
                    rib.router(),
                    rib.peerAddress(),
                    rib.view().text(),
                    Family.text(rib.family()),
                    route.nlri(),
                    Integer.toString(route.pathId()),
                    route.asPath())));
        }
        Collections.sort(routes);
        return routes;
    }
}
