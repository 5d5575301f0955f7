package dev.silkroute.perf.hostile;

import static dev.silkroute.fixture.TestMessages.attributes;
import static dev.silkroute.fixture.TestMessages.bmp;
import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.local;
import static dev.silkroute.fixture.TestMessages.monitoring;
import static dev.silkroute.fixture.TestMessages.open;
import static dev.silkroute.fixture.TestMessages.peerHeader;
import static dev.silkroute.fixture.TestMessages.peerUp;
import static dev.silkroute.fixture.TestMessages.update;

import dev.silkroute.net.ByteSink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A router that announces a new route, reports statistics and brings a peer up or down at intervals, and sees in the
 * database when each arrives there. All of a lane arrive in their order, so counting is enough.
 */
final class GoodRouter implements AutoCloseable {
    private static final String NAME = "good";
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A lane, with the query that counts what it has stored of the router. */
    enum Lane {
        /** Counts only what has not been counted before, by the beginning of the primary key. */
        CURRENT("SELECT count(*) FROM bmp.rib_route WHERE peer_id = %2$d AND prefix BETWEEN '%3$s' AND '%4$s'"),
        HISTORY("SELECT count(*) FROM bmp.route_event WHERE session_id = %1$d AND action = 1"),
        PEERS("SELECT count(*) FROM bmp.peer_event WHERE session_id = %1$d AND event IN ('peer-up', 'peer-down')"
                + " AND address = '192.0.2.78'"),
        STATISTICS("SELECT count(*) FROM bmp.statistic WHERE session_id = %1$d");

        private final String count;

        Lane(String count) {
            this.count = count;
        }
    }

    private final Socket socket;
    private final Connection database;
    private final long session;
    private final int peer;
    private final long intervalNanos;
    private final Map<Lane, List<Long>> sentAt = new EnumMap<>(Lane.class);
    private final Map<Lane, Integer> arrived = new EnumMap<>(Lane.class);
    private final Map<Lane, List<Double>> latencies = new EnumMap<>(Lane.class);
    private int number;

    private GoodRouter(Socket socket, Connection database, long session, int peer, int perSecond) {
        this.socket = socket;
        this.database = database;
        this.session = session;
        this.peer = peer;
        intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        for (Lane lane : Lane.values()) {
            sentAt.put(lane, new ArrayList<>());
            arrived.put(lane, 0);
            latencies.put(lane, new ArrayList<>());
        }
    }

    static GoodRouter connect(int port, String jdbcUrl, int perSecond) throws IOException, SQLException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(join(initiation(NAME), peerUp("192.0.2.77")));
        Connection database = DriverManager.getConnection(jdbcUrl);
        try (Statement statement = database.createStatement()) {
            long session = await(statement, "SELECT session_id FROM bmp.router WHERE name = '" + NAME + "'");
            int peer = (int) await(
                    statement,
                    "SELECT peer_id FROM bmp.peer JOIN bmp.router USING (router_id) WHERE name = '" + NAME
                            + "' AND peer.address = '192.0.2.77'");
            // Without it each look would read the whole flood
            statement.execute("CREATE INDEX ON bmp.route_event (action) WHERE session_id = " + session);
            return new GoodRouter(socket, database, session, peer, perSecond);
        }
    }

    private static long await(Statement statement, String query) throws SQLException {
        while (true) {
            try (ResultSet row = statement.executeQuery(query)) {
                if (row.next() && row.getLong(1) != 0) {
                    return row.getLong(1);
                }
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /**
     * Sends for a time, looking meanwhile, and then looks until everything has arrived.
     *
     * @return seconds until each lane had what was sent to it, sorted
     * @throws IOException if the station has closed the session
     */
    Map<Lane, double[]> run(long seconds, long limitSeconds) throws IOException, SQLException {
        latencies.values().forEach(List::clear);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long next = System.nanoTime();
        while (System.nanoTime() < end) {
            if (System.nanoTime() >= next) {
                send();
                next += intervalNanos;
            }
            look();
            LockSupport.parkNanos(LOOK_NANOS);
        }
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
        while (!isComplete() && System.nanoTime() < limit) {
            look();
            LockSupport.parkNanos(LOOK_NANOS);
        }
        Map<Lane, double[]> sorted = new EnumMap<>(Lane.class);
        latencies.forEach((lane, values) -> {
            double[] all = values.stream().mapToDouble(Double::doubleValue).toArray();
            Arrays.sort(all);
            sorted.put(lane, all);
        });
        return sorted;
    }

    private void send() throws IOException {
        byte[] route = {32, 10, (byte) (number >> 16), (byte) (number >> 8), (byte) number};
        byte[] peer = peerHeader("192.0.2.78");
        byte[] event = number % 2 == 0 ? bmp(3, peer, local(), open(), open()) : bmp(2, peer, new byte[] {4});
        ByteSink statistics = new ByteSink();
        statistics.u32(1).u16(0).u16(4).u32(number);
        number++;
        socket.getOutputStream()
                .write(join(
                        monitoring(update(new byte[0], attributes(), route)),
                        event,
                        bmp(1, peerHeader(), statistics.toByteArray())));
        long now = System.nanoTime();
        sentAt.values().forEach(times -> times.add(now));
    }

    private void look() throws SQLException {
        for (Lane lane : Lane.values()) {
            List<Long> sent = Objects.requireNonNull(sentAt.get(lane));
            int before = arrived.getOrDefault(lane, 0);
            if (before == sent.size()) {
                continue;
            }
            int count = Math.min(count(lane, before, sent.size() - 1), sent.size());
            long now = System.nanoTime();
            for (int i = before; i < count; i++) {
                Objects.requireNonNull(latencies.get(lane)).add((now - sent.get(i)) / 1e9);
            }
            arrived.put(lane, Math.max(before, count));
        }
    }

    /** Returns how much of what was sent a lane has stored. */
    private int count(Lane lane, int known, int last) throws SQLException {
        String query = lane.count.formatted(session, peer, prefix(known), prefix(last));
        try (Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1) + (lane == Lane.CURRENT ? known : 0);
        }
    }

    private static String prefix(int number) {
        return "10.%d.%d.%d/32".formatted(number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF);
    }

    /** Returns whether a router whose name has a prefix has a session of which the station has not stored the end. */
    boolean isConnected(String prefix) throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT EXISTS (SELECT FROM bmp.router WHERE connected AND name LIKE '" + prefix + "%')")) {
            return row.next() && row.getBoolean(1);
        }
    }

    /** Returns whether every lane has stored everything that was sent. */
    boolean isComplete() {
        return missing() == 0;
    }

    /** Returns the lag of all lanes together. */
    int missing() {
        int missing = 0;
        for (Lane lane : Lane.values()) {
            missing += Objects.requireNonNull(sentAt.get(lane)).size() - arrived.getOrDefault(lane, 0);
        }
        return missing;
    }

    @Override
    public void close() throws IOException, SQLException {
        socket.close();
        database.close();
    }
}
